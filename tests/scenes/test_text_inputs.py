"""The texts that the two induction films take, and those that they refuse."""

import pytest
from hypothesis import given, settings
from pydantic import ValidationError

from scenes.induction.words import InductionInputs, NonsenseInputs
from scenes.onehot.letters import LetterInputs
from scenes.stage import find_stage
from tests.model.riddles import USUAL, riddles


def computed(name: str, **given):
    """What a stage of the film makes of its inputs."""
    stage = find_stage(f"induction.{name}")
    return stage.compute(stage.Inputs(**given))


def test_the_usual_text():
    inputs = InductionInputs()
    head = inputs.induction()
    assert inputs.tokens == ("BOS", *USUAL)
    assert (head.prediction, head.alpha, head.beta) == ("sat", 10, 10)
    assert inputs.line().names == inputs.vocabulary.tokens
    assert computed("idea").echo.prediction == "cat"
    assert computed("prediction").main.tokens == inputs.tokens
    assert computed("lanes").orders.alpha == 10
    assert computed("rank", n_large=28).crowd.n_vocab == 7
    nonsense = computed("nonsense").head
    assert (nonsense.prediction, nonsense.tokens[0]) == ("blick", "BOS")


@settings(max_examples=50, deadline=None)
@given(riddles())
def test_every_text_whose_last_word_was_followed_by_another_is_taken(words):
    text = " ".join(words)
    assert InductionInputs(text=text).induction().text.case in ("unique", "several")
    assert computed("prediction", text=text).n_texts >= 2
    assert InductionInputs(text=text).line().n_vocab >= 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a b", "2 words; a text has 3 to 11, such as “the cat sat"),
        ("a b " * 5 + "a b", "12 words; a text has 3 to 11"),
        ("abcdefghijkl b abcdefghijkl", "“abcdefghijkl” has 12 letters; at most 10 fit"),
        ("the cat saw dog", "“dog” stands here for the first time.* end the text with a word"),
        ("a a a", "“a” was only ever followed by itself.* as in “a b a”"),
        ("a b b b", "“b” was only ever followed by itself.* as in “b a b”"),
        ("The cat the", "pattern"),
    ],
)
def test_other_texts_are_refused_with_one_that_works(text, message):
    with pytest.raises(ValidationError, match=message):
        InductionInputs(text=text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a b c d e f a", "7 words; a text has 3 to 6, such as “zorp"),
        ("a b a c a", "“a” was followed by different words; .* as in “zorp blick wug zorp”"),
        ("a b c", "“c” stands here for the first time"),
    ],
)
def test_nonsense_has_one_follower(text, message):
    with pytest.raises(ValidationError, match=message):
        NonsenseInputs(nonsense=text)


@pytest.mark.parametrize("text", ["abacb", "!abacb"])
def test_letters_with_and_without_the_sign_of_the_slides(text):
    assert LetterInputs(text=text).head().tokens == LetterInputs().head().tokens


@pytest.mark.parametrize("given", [{"text": "!"}, {"text": "abcdefghij"}, {"bos": True}])
def test_other_letters_and_bos_as_an_input_are_refused(given):
    with pytest.raises(ValidationError):
        LetterInputs(**given)


def test_a_space_and_a_single_letter_are_texts():
    assert LetterInputs(text="a b").tokens == ("BOS", "a", "␣", "b")
    assert LetterInputs(text="a").head().case == "none"
