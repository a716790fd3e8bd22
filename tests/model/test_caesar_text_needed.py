"""What is read off the accuracy curves is what the model says there."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from model.caesar_accuracy import accuracy_by_length
from model.caesar_scores import METHODS as ALL_METHODS
from model.caesar_text_needed import (
    LENGTHS,
    METHODS,
    NEARLY_ALL,
    SLIDE_METHODS,
    text_and_column,
    text_needed,
    weights,
)
from model.cryptogram import Cryptogram
from model.sample_english import SAMPLE_ENGLISH

SHORT = Cryptogram("a bay", 3)


@pytest.mark.parametrize("mark", [8, 16, 32])
def test_shares_at_the_mark_are_those_of_its_length(mark: int):
    needed = text_needed(SHORT, mark)
    column = needed.accuracy.accuracy[:, LENGTHS.index(mark)]
    assert [needed.dot, needed.commonest, needed.log_likelihood] == column.tolist()
    assert [needed.at_mark(method) for method in METHODS] == column.tolist()


def test_curves_are_those_of_the_sample_text():
    needed = text_needed(SHORT, 16)
    measured = accuracy_by_length(SAMPLE_ENGLISH, [4, 64], ALL_METHODS)
    ends = [LENGTHS.index(4), LENGTHS.index(64)]
    curves = {
        "dot product": needed.dot_shares,
        "log-likelihood": needed.log_shares,
        "commonest is e": needed.commonest_shares,
    }
    for method, curve in curves.items():
        assert_array_equal(curve[ends], measured.by(method))
    assert_array_equal(needed.lengths, LENGTHS)
    # Above at all lengths until both read everything
    unlike = needed.dot_shares < 1
    assert (needed.log_shares >= needed.dot_shares).all()
    assert (needed.log_shares[unlike] > needed.dot_shares[unlike]).all()
    assert (needed.dot_shares > 1.5 * needed.commonest_shares).all()


def test_only_a_length_that_was_tried_can_be_read_off():
    with pytest.raises(ValueError, match=r"mark must be one of \(4, 8, .*\), got 9"):
        text_needed(SHORT, 9)
    with pytest.raises(ValueError, match=r"mark must be one of \[4, 8, .*\], got 9"):
        weights(9, 8)


def test_enough_is_the_first_length_that_reads_nearly_all():
    needed = text_needed(SHORT, 16)
    assert needed.enough == 32
    assert needed.enough_share >= NEARLY_ALL
    assert (needed.dot_shares[: LENGTHS.index(needed.enough)] < NEARLY_ALL).all()


def test_the_opening_stretch_by_stretch():
    needed = text_needed(SHORT, 8)
    assert needed.n_words == 502
    assert needed.opening == "the harbour was quiet when the last boat cam"
    assert len(needed.opening) == 44
    stretches = [needed.opening[k : k + needed.stretch] for k in range(37)]
    assert stretches[0] == "the harb"
    found = [Cryptogram(stretch, 0) for stretch in stretches]
    shares = [1 / one.n_leaders if one.place == 1 else 0 for one in found]
    assert_array_equal(needed.opening_right, shares)
    assert 0 < needed.opening_right.mean() < 1


def test_weights_hold_the_curves_and_both_columns():
    found, needed = weights(16, 8), text_needed(SHORT, 16)
    assert (found.dot, found.log_likelihood) == (needed.dot, needed.log_likelihood)
    assert_array_equal(found.dot_shares, needed.dot_shares)
    assert_array_equal(found.log_shares, needed.log_shares)
    assert weights(8, 8).learned is found.learned


def test_the_slide_has_what_it_had():
    found = text_and_column(SHORT, 16, 8)
    assert found.accuracy.methods == SLIDE_METHODS
    assert 0.88 < found.at_mark("chi-squared") < 0.89
    assert_allclose(found.standard, found.learned.beside(np.log(Cryptogram("a", 0).templates[0])))
