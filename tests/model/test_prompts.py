import pytest

from model.prompts import BOS, PROMPT_TOKENS, prompt, prompt_vocabulary


@pytest.mark.parametrize(
    ("text", "bos", "tokens"),
    [
        ("ab", None, ("a", "b")),
        ("!ab", None, ("!", "a", "b")),
        ("ab", True, ("!", "a", "b")),
        ("!ab", True, ("!", "a", "b")),
        ("!ab", False, ("a", "b")),
        ("a b", False, ("a", " ", "b")),
    ],
)
def test_bos_is_as_typed_or_as_asked(text, bos, tokens):
    assert prompt(text, bos) == tokens


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "at least one character"),
        ("!", "at least one character"),
        ("a!b", "'!' at its beginning or nowhere, got it at position 1"),
        ("!!a", "got it at position 1"),
        ("!a!", "got it at position 2"),
        ("aB", "got 'B' at position 1; write it in lower case"),
    ],
)
def test_other_texts_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        prompt(text)


def test_a_prompt_has_no_more_tokens_than_it_shows():
    assert prompt_vocabulary(prompt("the cat", bos=True)).tokens == tuple("!aceht ")
    assert len(PROMPT_TOKENS) == 28
    assert PROMPT_TOKENS.tokens[0] == BOS


def test_a_vocabulary_of_other_tokens_is_refused():
    with pytest.raises(ValueError, match="got '1' at position 1"):
        prompt_vocabulary(("a", "1"))
    with pytest.raises(ValueError, match="at least one token"):
        prompt_vocabulary(())
