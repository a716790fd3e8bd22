import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.attention.pattern import attend, causal_mask, pattern_from_scores, softmax

any_score = st.floats(-1e300, 1e300)


@given(arrays(np.float64, array_shapes(max_dims=3), elements=any_score))
def test_softmax_is_a_distribution_for_any_finite_scores(scores):
    weights = softmax(scores)
    assert (weights >= 0).all()
    assert_allclose(weights.sum(axis=-1), 1, atol=1e-12)


@given(arrays(np.float64, 6, elements=st.floats(-50, 50)), st.floats(-1e3, 1e3))
def test_softmax_does_not_see_a_common_shift(scores, shift):
    assert_allclose(softmax(scores + shift), softmax(scores), atol=1e-12)


def test_softmax_of_three_scores_by_hand():
    total = 1 + math.e + math.e**2
    assert_allclose(softmax([0, 1, 2]), [1 / total, math.e / total, math.e**2 / total], rtol=1e-15)


def test_softmax_along_another_axis():
    scores = np.array([[0.0, 1.0], [2.0, 3.0]])
    assert_allclose(softmax(scores, axis=0), softmax(scores.T).T)


@pytest.mark.parametrize(
    "scores", [[], 1.0, [math.nan, 1.0], [math.inf, 0.0], [-math.inf, -math.inf]]
)
def test_softmax_refuses_what_has_no_distribution(scores):
    with pytest.raises(ValueError, match="scores must"):
        softmax(scores)


def test_causal_mask_by_hand():
    assert_array_equal(causal_mask(3), [[1, 0, 0], [1, 1, 0], [1, 1, 1]])


def test_a_causal_pattern_never_looks_ahead_and_averages_equal_scores():
    pattern = pattern_from_scores(np.zeros((4, 4)))
    assert_allclose(pattern, [[1, 0, 0, 0], [1 / 2] * 2 + [0] * 2, [1 / 3] * 3 + [0], [1 / 4] * 4])
    assert (pattern[~causal_mask(4)] == 0).all()


def test_an_unmasked_pattern_looks_everywhere():
    assert_array_equal(pattern_from_scores(np.zeros((4, 4)), causal=False), np.full((4, 4), 0.25))


def test_patterns_stack_over_leading_axes():
    scores = np.random.default_rng(0).normal(size=(3, 5, 5))
    assert_allclose(pattern_from_scores(scores)[1], pattern_from_scores(scores[1]))


@pytest.mark.parametrize("scores", [[[1.0, 2.0]], [1.0], [[math.nan]], [[math.inf]]])
def test_a_pattern_needs_square_finite_scores(scores):
    with pytest.raises(ValueError, match="scores must"):
        pattern_from_scores(scores)


def test_attending_mixes_rows_of_values():
    assert_allclose(attend([[1, 0], [0.25, 0.75]], [[4.0, 0.0], [0.0, 8.0]]), [[4, 0], [1, 6]])


def test_values_need_a_row_per_position():
    with pytest.raises(ValueError, match=r"values must have a row for each of the 2 positions"):
        attend(np.eye(2), np.eye(3))
