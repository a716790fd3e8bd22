import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.attention.scale import dot_spread, scaled_head
from clockhead.model.primer.example import worked_head

HEAD = scaled_head(worked_head(("the", "cat", "sat")))


def test_it_is_the_same_head():
    plain = worked_head(("the", "cat", "sat"))
    assert HEAD.tokens == plain.tokens
    assert_array_equal(HEAD.scores, plain.scores)
    assert HEAD.own_dot == plain.dots[2, 2]
    assert_allclose(HEAD.own_score, 0.626 / 5**0.5)
    assert_allclose(HEAD.alpha * HEAD.own_dot, HEAD.own_score)


def test_the_random_vectors_are_as_wide_as_the_rows_and_wider():
    assert_array_equal(HEAD.spread.widths, [5, 20, 80, 320])
    assert HEAD.widths_named == ("d = 5", "d = 20", "d = 80", "d = 320")
    assert HEAD.widest == 64 * HEAD.d_model
    assert HEAD.largest_share == HEAD.spread.largest_shares[3]


def test_divided_they_all_spread_by_one():
    assert_array_equal(HEAD.even, np.ones(4))


@pytest.mark.parametrize("d_model", range(2, 7))
def test_at_every_width_of_rows_wider_vectors_spread_further_until_softmax_freezes(d_model):
    rows = tuple((1.0,) * d_model for _ in range(3))
    spread = scaled_head(worked_head(("a", "b", "c"), rows, seed=1)).spread
    assert spread.widths[0] == d_model
    assert (np.diff(spread.spreads) > 0).all()
    assert spread.largest_shares[-1] > 0.9


# Random vectors

SPREAD = dot_spread((5, 20, 80, 320))


def _error(n, width):
    """The standard error of the spread of n dot products of width d, relative; eight share a query.

    A product of two normal numbers has kurtosis 9, so a sum of d has 3 + 6/d.
    """
    return math.sqrt((2 + 6 / width) / (4 * n))


def test_dot_products_spread_as_the_root_of_the_width():
    assert_allclose(SPREAD.roots**2, SPREAD.widths)
    for spread, width in zip(SPREAD.spreads, SPREAD.widths, strict=True):
        assert spread == pytest.approx(math.sqrt(width), rel=5 * _error(1000, width))
    n = SPREAD.dots[0].size
    means = SPREAD.dots.mean(axis=(1, 2)) / SPREAD.roots
    assert np.abs(means).max() < 4 / math.sqrt(n)


def test_divided_they_spread_by_one_at_every_width():
    assert_allclose(SPREAD.divided * SPREAD.roots[:, None, None], SPREAD.dots)
    spreads = SPREAD.divided.std(axis=(1, 2))
    for spread, width in zip(spreads, SPREAD.widths, strict=True):
        assert spread == pytest.approx(1, rel=5 * _error(1000, width))


def test_the_best_of_eight_keys_gets_ever_more_unless_they_are_divided():
    # What the film says: 56 %, 77 %, 89 %, 94 %, and 34 to 36 % divided.
    assert_allclose(SPREAD.largest_shares, [0.56, 0.77, 0.89, 0.94], atol=0.025)
    assert_allclose(SPREAD.divided_largest_shares, 0.35, atol=0.015)
    assert (np.diff(SPREAD.largest_shares) > 0).all()


def test_the_largest_share_in_plain_loops_agrees():
    spread = dot_spread((4, 9), n_draws=6, n_keys=3)
    for width in range(2):
        best = []
        for row in spread.dots[width].tolist():
            weights = [math.exp(x - max(row)) for x in row]
            best.append(max(weights) / math.fsum(weights))
        assert spread.largest_shares[width] == pytest.approx(math.fsum(best) / len(best))


@settings(max_examples=25)
@given(
    st.lists(st.integers(1, 40), min_size=1, max_size=3, unique=True),
    st.integers(1, 40),
    st.integers(1, 4),
    st.integers(1, 12),
    st.integers(0, 10**6),
)
def test_a_histogram_counts_what_lies_in_each_bin(widths, n_draws, n_keys, n_bins, seed):
    spread = dot_spread(tuple(widths), n_draws, n_keys, n_bins, seed)
    assert spread.dots.shape == (len(widths), n_draws, n_keys)
    assert spread.reach == pytest.approx(3.5 * math.sqrt(max(widths)))
    assert spread.shapes.shape == (len(widths), n_bins)
    wide = 7 / n_bins
    for numbers, root, shares in zip(spread.dots, spread.roots, spread.shapes, strict=True):
        at = [math.floor((x / root + 3.5) / wide) for x in numbers.flat if abs(x) <= 3.5 * root]
        counts = [at.count(k) for k in range(n_bins)]
        assert_array_equal(np.rint(shares * numbers.size), counts)


def test_bins_are_in_standard_deviations_and_nearly_all_lies_in_them():
    assert_allclose(SPREAD.bins[[0, -1]], [-3.5, 3.5])
    assert_allclose(np.diff(SPREAD.bins), 7 / 31)
    assert_allclose(SPREAD.shapes.sum(axis=1), 1, atol=0.005)


def test_a_width_draws_the_same_whatever_stands_beside_it():
    alone = dot_spread((20,))
    assert_array_equal(alone.dots[0], SPREAD.dots[1])
    assert not np.array_equal(alone.dots, dot_spread((20,), seed=8).dots)
    with pytest.raises(ValueError, match="read-only"):
        alone.dots[0, 0, 0] = 1


@pytest.mark.parametrize("widths", [(), (5, 0), (2.5,)])
def test_spreads_that_make_no_sense_are_refused(widths):
    with pytest.raises(ValueError, match="width"):
        dot_spread(widths)
