import pytest

from clockhead.model.induction.prompts import (
    BOS_TOKEN,
    LETTER_TOKENS,
    letter_prompt,
    letter_vocabulary,
    word_prompt,
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "at least one character"),
        ("!", "at least one character"),
        ("a!b", "'!' at its beginning or nowhere, got it at position 1"),
        ("!!a", "got it at position 1"),
        ("!a!", "got it at position 2"),
        ("aB", "got 'B' at position 1; write it in lower case"),
        ("␣", "got '␣' at position 0"),
    ],
)
def test_other_texts_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        letter_prompt(text)


def test_bos_stands_in_front_of_words():
    assert word_prompt("the cat") == ("BOS", "the", "cat")
    assert word_prompt("bos") == ("BOS", "bos")
    with pytest.raises(ValueError, match=r"must not hold the word 'BOS', .* got it as word 1"):
        word_prompt("the BOS")
    with pytest.raises(ValueError, match="at least one word"):
        word_prompt(" ")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("ab", ("BOS", "a", "b")), ("!ab", ("BOS", "a", "b")), ("a b", ("BOS", "a", "␣", "b"))],
)
def test_bos_always_stands_in_front_of_letters(text, tokens):
    assert letter_prompt(text) == tokens
    assert set(tokens) <= set(LETTER_TOKENS.tokens)


def test_letters_have_an_order_and_bos_comes_first():
    assert letter_vocabulary(letter_prompt("the cat")).tokens == ("BOS", *"aceht", "␣")
    assert (len(LETTER_TOKENS), LETTER_TOKENS.tokens[0]) == (28, BOS_TOKEN)
    with pytest.raises(ValueError, match="got ' ' at position 1"):
        letter_vocabulary(("a", " "))
