"""An induction head over a text in code."""

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from clockhead.model.films.tour.code import CodedText, coded_text
from clockhead.model.induction.circuit import induction
from clockhead.model.induction.prompts import word_prompt
from clockhead.model.tokens import Vocabulary


def code(text: str, rotation: int) -> CodedText:
    tokens = word_prompt(text)
    return coded_text(induction(tokens, Vocabulary.of(tokens)), rotation)


def by_hand(word: str, by: int) -> str:
    letters = string.ascii_lowercase
    return word.translate(str.maketrans(letters, letters[by:] + letters[:by]))


def test_the_cat_in_code() -> None:
    cat = code("on the mat the cat sat and the cat", 7)
    assert cat.ciphertext == "vu aol tha aol jha zha huk aol jha"
    assert (cat.typed, cat.answer) == ("jha", "zha")
    assert len(cat.turned) == len(cat.stored) == 8
    assert cat.turned[1][:3] == ("BOS", "po", "uif")
    assert cat.stored[-1][:4] == ("BOS", "BOS", "vu", "aol")
    assert cat.difference == 0


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from(["a", "z", "the", "cat", "xyz"]), min_size=1, max_size=5),
    st.integers(0, 25),
)
def test_a_code_changes_words_and_no_attention(words: list[str], rotation: int) -> None:
    text = " ".join(["one", *words, "one"])
    coded = code(text, rotation)
    for by, tokens in enumerate(coded.turned):
        assert tokens == ("BOS", *(by_hand(word, by) for word in text.split()))
    assert_allclose(coded.plain.row, coded.coded.row, atol=1e-12)
    assert coded.difference < 1e-12
    assert coded.answer == by_hand(coded.plain.text.followed_by[0], rotation)


@pytest.mark.parametrize(
    ("text", "rotation", "reason"),
    [("Cat dog Cat", 3, "a to z"), ("a b a", 26, "rotation must be")],
)
def test_what_cannot_be_turned_is_refused(text: str, rotation: int, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        code(text, rotation)
