import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from model.embedding import OppositeLetters


@given(st.integers(0, 25), st.integers(2, 64))
def test_the_letter_half_the_alphabet_on_is_minus_the_letter(first: int, d_model: int):
    letters = OppositeLetters(d_model, first)
    assert abs(letters.second - first) == 13
    assert letters.largest_sum < 1e-14
    assert letters.embedding.similarity[first, letters.second] == pytest.approx(-1)


def test_n_is_opposite_to_a():
    letters = OppositeLetters(16)
    assert letters.second == "abcdefghijklmnopqrstuvwxyz".index("n")
    assert (letters.first_letter, letters.second_letter) == ("a", "n")
    assert letters.cosine == pytest.approx(-1)


def test_one_hot_letters_are_all_equally_far():
    letters = OppositeLetters(16)
    different = ~np.eye(26, dtype=bool)
    assert_allclose(letters.one_hot_distance[different], np.sqrt(2))
    assert (letters.one_hot_similarity == np.eye(26)).all()


@pytest.mark.parametrize(("d_model", "first"), [(0, 0), (16, 26), (16, -1)])
def test_there_are_26_letters(d_model: int, first: int):
    with pytest.raises(ValueError, match="must"):
        OppositeLetters(d_model, first)
