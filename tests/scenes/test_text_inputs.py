"""The texts that films take, above all the two about induction, and those that they refuse."""

import pytest
from hypothesis import given, settings
from pydantic import ValidationError

from clockhead.scenes.induction.words import InductionInputs
from clockhead.scenes.onehot.letters import LetterInputs
from clockhead.scenes.stage import find_stage
from clockhead.testing import problems_of
from tests.model.riddles import riddles


def computed(name: str, **given):
    """What a stage of the film makes of its inputs."""
    stage = find_stage(f"induction.{name}")
    return stage.compute(stage.Inputs(**given))


def test_the_usual_text():
    inputs = InductionInputs()
    head = inputs.head
    assert inputs.tokens == ("BOS", "zorp", "blick", "wug", "zorp")
    assert (head.prediction, head.alpha, head.beta) == ("blick", 10, 10)
    assert computed("rank").bent.names == (*inputs.vocabulary.tokens, "dax", "fep", "gorm")
    assert computed("idea").echo.prediction == "zorp"
    assert computed("prediction").main.tokens == inputs.tokens
    assert computed("lanes").head.alpha == 10
    assert computed("rank", n_large=28).crowd.sizes[0] == 7
    assert computed("nonsense").sung.prediction == "fu"


@settings(max_examples=50, deadline=None)
@given(riddles())
def test_every_text_whose_last_word_was_followed_by_another_is_taken(words):
    text = " ".join(words)
    assert InductionInputs(text=text).head.text.case in ("unique", "several")
    assert computed("prediction", text=text).torn.text.case == "several"
    assert computed("rank", text=text, n_large=28).bent.n_vocab >= 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a", "1 word; a text has 3 to 11, such as “zorp blick wug zorp"),
        ("a b " * 5 + "a b", "12 words; a text has 3 to 11"),
        ("abcdefghijklmnop b a", "“abcdefghijklmnop” is as wide as 14 average letters; at most 10"),
        ("a b c d e f g h i j k", "“k” has not appeared before.* end the text with a word"),
        ("a a a", "“a” was only ever followed by itself.* as in “a b a”"),
        ("a b b b", "“b” was only ever followed by itself.* as in “b a b”"),
        ("the {cat} the", "pattern"),
    ],
)
def test_other_texts_are_refused_with_one_that_works(text, message):
    with pytest.raises(ValidationError, match=message):
        InductionInputs(text=text)


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("attention is all you need", "attention is all you need attention"),
        ("The cat the", "The cat the The"),
        ("the cat", "the cat the"),
    ],
)
def test_after_a_new_last_word_the_first_one_is_asked_for(text, taken):
    inputs = InductionInputs(text=text)
    assert inputs.text == taken
    assert inputs.head.text.followed_by == (taken.split()[1],)


@pytest.mark.parametrize("film", ["attention.scores", "transformer_block.lanes", "rope.word_order"])
def test_words_are_measured_by_their_width(film):
    inputs = find_stage(film).Inputs
    named = {"seed": 0} if "seed" in inputs.model_fields and not film.startswith("rope") else {}
    assert inputs(text="attention is all you", **named)
    with pytest.raises(ValidationError, match="“WWWWWWWW” is as wide as 12 average letters"):
        inputs(text="one WWWWWWWW two", **named)


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


WIDEST = {
    "convolution.content": "mmmm bbbbbbbb c d e f g h i j kkkkkkkk bbbbbbbb",
    "kv_cache.once": "aaaaaaaaaa mmmmmm c d e f g h i j kkkkkkkkkk aaaaaaaaaa",
    "kv_cache.shared": "aaaaaaaaaa mmmmmm c d e f g h i j kkkkkkkkkk aaaaaaaaaa",
    "one_layer.block": "mmm bbbbbb c d e ffffff",
}


@pytest.mark.parametrize("aspect", ["16:9", "1:1"])
@pytest.mark.parametrize("name", WIDEST)
def test_pictures_carry_the_longest_texts(name: str, aspect):
    stage = find_stage(name)
    inputs = stage.Inputs(text=WIDEST[name])
    assert problems_of(stage, inputs, aspect=aspect) == []
    with pytest.raises(ValidationError):
        stage.Inputs(text=f"{WIDEST[name]} x")
