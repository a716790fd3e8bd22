import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.networks.step_function import LEAST_STEP, WAVE, StepFunction, step_function

BAR = step_function((0.0, 2.0), (1.0,))


@st.composite
def step_functions(draw: st.DrawFn) -> StepFunction:
    n = draw(st.integers(1, 4))
    rises = st.lists(st.floats(LEAST_STEP, 1.5), min_size=n, max_size=n)
    signs = draw(st.lists(st.sampled_from([-1, 1]), min_size=n, max_size=n))
    levels = np.cumsum([0.0, *(np.array(draw(rises)) * signs)])
    jumps = draw(st.floats(-2, 2)) + np.cumsum(draw(rises))
    return step_function(tuple(levels.tolist()), tuple(jumps.tolist()))


def test_the_wave_goes_up_by_1_down_by_1_and_a_half_and_up_by_1():
    assert_array_equal(WAVE.heights, [1.0, -1.5, 1.0])
    assert (WAVE.n_jumps, WAVE.total_height, WAVE.largest_height) == (3, 3.5, 1.5)
    assert WAVE.least_gap == 0.75
    assert WAVE.span == (-1.25, 1.75)
    assert_array_equal(WAVE.halfway, [0.5, 0.25, 0.0])
    assert_array_equal(WAVE.edges, [-1.25, -0.5, 0.25, 1.0, 1.75])
    assert_array_equal(
        WAVE.at(np.array([-9, -0.5, 0.2, 0.25, 0.99, 5])), [0, 1, 1, -0.5, -0.5, 0.5]
    )


def test_its_corners_are_the_ends_of_its_levels():
    x, y = WAVE.corners.T
    assert_array_equal(x, [-1.25, -0.5, -0.5, 0.25, 0.25, 1.0, 1.0, 1.75])
    assert_array_equal(y, [0, 0, 1, 1, -0.5, -0.5, 0.5, 0.5])


def test_a_single_step_is_seen_a_unit_to_each_side():
    assert BAR.span == (0.0, 2.0)
    assert BAR.least_gap == np.inf


def test_the_area_beside_it_is_that_of_two_triangles():
    x = np.array([0.0, 0.75, 1.0, 1.25, 2.0])
    y = np.array([[0.0, 0.0, 1.0, 2.0, 2.0], [0.0, 0.0, 0.0, 2.0, 2.0]])
    assert_allclose(BAR.area_beside(x, y), [0.25, 0.25])
    assert_allclose(BAR.area_beside(x[[0, 2, 4]], np.array([1.0, 1.0, 1.0])), 2.0)


@given(step_functions())
def test_corners_lie_on_it(steps: StepFunction):
    (first, *_), middles = steps.levels, (steps.edges[1:] + steps.edges[:-1]) / 2
    assert_array_equal(steps.at(middles), steps.levels)
    assert_array_equal(steps.corners[::2, 1], steps.levels)
    assert_array_equal(steps.corners[1::2, 1], steps.levels)
    assert steps.corners[0, 1] == first


@pytest.mark.parametrize(
    ("levels", "jumps", "message"),
    [
        ((0, 1), (), "one more than the jumps, got 2 levels and 0 jumps"),
        ((0, 1, 2), (0,), "one more than the jumps, got 3 levels and 1 jumps"),
        ((0, 1, 0), (0, 0.05), "jumps must rise by 0.1"),
        ((0, 1, 0), (1, 0), "jumps must rise by 0.1"),
        ((0, 1, 1.05), (0, 1), "levels must each differ by 0.1"),
        ((0, np.nan), (0,), "levels must be finite"),
    ],
)
def test_what_is_no_step_function(levels: tuple[float], jumps: tuple[float], message: str):
    with pytest.raises(ValueError, match=message):
        step_function(levels, jumps)
