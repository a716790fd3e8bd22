"""What is read off the accuracy curves is what the model says there."""

import numpy as np
import pytest

from model.caesar_text_needed import LENGTHS, METHODS, NEARLY_ALL, text_needed
from model.cryptogram import Cryptogram


@pytest.mark.parametrize("mark", [8, 16, 32])
def test_shares_at_the_mark_are_those_of_its_length(mark: int):
    needed = text_needed(Cryptogram("a bay", 3), mark, 8)
    column = needed.accuracy.accuracy[:, LENGTHS.index(mark)]
    assert [needed.at_mark(method) for method in METHODS] == column.tolist()


def test_only_a_length_that_was_tried_can_be_read_off():
    with pytest.raises(ValueError, match=r"mark must be one of \(4, 8, .*\), got 9"):
        text_needed(Cryptogram("a bay", 3), 9, 8)


def test_enough_is_the_first_length_that_reads_nearly_all():
    needed = text_needed(Cryptogram("a bay", 3), 16, 8)
    assert needed.enough == 32
    assert needed.enough_share >= NEARLY_ALL
    assert (needed.by("dot product")[: LENGTHS.index(needed.enough)] < NEARLY_ALL).all()


def test_the_two_columns_are_to_one_scale():
    pair = text_needed(Cryptogram("a bay", 3), 16, 8).standard
    np.testing.assert_allclose(pair.mean(axis=1), 0, atol=1e-12)
    np.testing.assert_allclose(pair.std(axis=1), 1)
