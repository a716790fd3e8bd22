"""Value and output as one matrix, on a word worked by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.caesar.folded import folded_head

words = st.text("abc", min_size=1, max_size=6)


def test_bab_by_hand():
    head = folded_head("bab")
    assert_array_equal(head.one_hot, [[0, 1, 0], [1, 0, 0], [0, 1, 0]])
    assert_allclose(head.pattern, [[1, 0, 0], [1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3]])
    assert_allclose(head.means, [[0, 1, 0], [1 / 2, 1 / 2, 0], [1 / 3, 2 / 3, 0]])
    assert_array_equal(head.values, [[0, 1, 1], [1, 1, 0], [0, 1, 1]])
    assert_allclose(head.mixed, [[0, 1, 1], [1 / 2, 1, 1 / 2], [1 / 3, 1, 2 / 3]])
    assert_array_equal(head.output, [[0, -1, 1], [1, 1, -1], [-1, 0, 1]])
    assert (head.letters, head.n_letters, head.alphabet) == (("b", "a", "b"), 3, ("a", "b", "c"))


@given(words)
def test_rows_count_the_letters_so_far(word):
    head = folded_head(word)
    for i in range(len(word)):
        shares = [word[: i + 1].count(letter) / (i + 1) for letter in "abc"]
        assert_allclose(head.means[i], shares)


@given(words)
def test_both_orders_agree_and_o_undoes_v(word):
    head = folded_head(word)
    assert_array_equal(head.folded, np.eye(3))
    assert_allclose(head.written, head.pattern @ (head.one_hot @ head.folded), atol=1e-12)
    assert_allclose(head.written, head.means, atol=1e-12)
    assert (head.values != head.one_hot).any(axis=1).all()


@pytest.mark.parametrize("word", ["", "bad", "b b"])
def test_other_words_are_refused(word):
    with pytest.raises(ValueError, match=r"word must|at position"):
        folded_head(word)
