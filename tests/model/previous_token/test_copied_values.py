"""What a previous-token head brings to every token."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from clockhead.model.previous_token.copied_values import copied_values
from clockhead.model.previous_token.head import previous_token_head
from clockhead.model.tokens import words

TEXT = words("the cat sat on the mat and ran cat")


def test_copied_values_of_the_cat():
    head = previous_token_head(9)
    copied = copied_values(head, TEXT)
    assert copied.vocabulary.tokens == ("the", "cat", "sat", "on", "mat", "and", "ran")
    assert_array_equal(copied.sources, [0, 0, 1, 2, 3, 4, 5, 6, 7])
    assert copied.wanted == ("the", "the", "cat", "sat", "on", "the", "mat", "and", "ran")
    assert copied.shares[0] == 1
    assert copied.worst_share == copied.shares[1:].min() > 0.99
    # position 6, "and", takes "mat" from 5; "the" stands twice and is added up
    assert copied.received[6, 4] == pytest.approx(head.pattern[6, 5])
    assert copied.received[6, 0] == pytest.approx(head.pattern[6, [0, 4]].sum())
    assert np.argmax(copied.received[:, 1]) == 2


def test_a_row_without_a_target_wants_its_own_token():
    copied = copied_values(previous_token_head(9, offset=2), TEXT)
    assert_array_equal(copied.sources, [0, 1, 0, 1, 2, 3, 4, 5, 6])


def test_copied_values_need_a_token_to_a_position():
    with pytest.raises(ValueError, match="tokens must be 9"):
        copied_values(previous_token_head(9), ("a",))
