"""Value and output as one matrix, on a word worked by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.caesar.accuracy import accuracy, every_window
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.caesar.transformer import caesar_transformer
from clockhead.model.films.caesar.folded import WINDOW, FoldedHead, folded_head
from clockhead.model.units import descriptions

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


def test_every_value_is_described():
    assert all(value.text for value in descriptions(FoldedHead).values())


def test_added_to_its_rows_attention_would_read_a_third_of_what_it_reads():
    """The transformer itself on all stretches of 32 characters, and with a residual stream."""
    solvers = [caesar_transformer(window) for window in every_window(SAMPLE_ENGLISH, WINDOW)]
    kept = [one.head_out[-1] @ one.unembed for one in solvers]
    added = [(one.resid_pre + one.head_out)[-1] @ one.unembed for one in solvers]
    head = folded_head("ab")
    assert head.shares == pytest.approx([accuracy(kept), accuracy(added)])
    assert (head.replaced_share, head.added_share) == pytest.approx((0.96, 0.296), abs=1e-3)
