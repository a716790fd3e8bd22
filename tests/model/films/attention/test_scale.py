import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.attention.scale import ScaledHead
from clockhead.model.primer.example import worked_head

HEAD = ScaledHead.of(worked_head(("the", "cat", "sat")))


def test_it_is_the_same_head():
    plain = worked_head(("the", "cat", "sat"))
    assert HEAD.tokens == plain.tokens
    assert_array_equal(HEAD.scores, plain.scores)
    assert HEAD.own_dot == plain.dots[2, 2]
    assert_allclose(HEAD.own_score, 0.626 / 5**0.5)
    assert_allclose(HEAD.alpha * HEAD.own_dot, HEAD.own_score)


def test_the_random_vectors_are_as_wide_as_the_rows_and_wider():
    assert HEAD.spread.widths == (5, 20, 80, 320)
    assert_array_equal(HEAD.widths, [5, 20, 80, 320])
    assert HEAD.widths_named == ("d = 5", "d = 20", "d = 80", "d = 320")
    assert HEAD.widest == 64 * HEAD.d_model
    assert HEAD.largest_share == HEAD.spread.largest_shares[3]


def test_divided_they_all_spread_by_one():
    assert_array_equal(HEAD.even, np.ones(4))


@pytest.mark.parametrize("d_model", range(2, 7))
def test_at_every_width_of_rows_wider_vectors_spread_further_until_softmax_freezes(d_model):
    rows = tuple((1.0,) * d_model for _ in range(3))
    spread = ScaledHead.of(worked_head(("a", "b", "c"), rows, seed=1)).spread
    assert spread.widths[0] == d_model
    assert (np.diff(spread.spreads) > 0).all()
    assert spread.largest_shares[-1] > 0.9
