import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.interpolate import interp1d

from clockhead.model.networks.relu_wave import N_STEPS, ReluWave, narrow_ramps, narrow_to, relu_wave
from clockhead.model.networks.step_function import WAVE
from tests.model.networks.test_step_function import BAR, step_functions

SIX = relu_wave()


@st.composite
def waves(draw: st.DrawFn) -> ReluWave:
    steps = draw(step_functions())
    return relu_wave(steps, draw(st.floats(0.02, 0.95)) * min(1.0, steps.least_gap))


def trapezoid(wave: ReluWave, x: np.ndarray) -> np.ndarray:
    """The wave with ramps for jumps, by SciPy's interpolation between its corners."""
    half, steps = wave.epsilon / 2, wave.steps
    at = [steps.jumps[0] - 99, *(t + s for t in steps.jumps for s in (-half, half))]
    return interp1d([*at, steps.jumps[-1] + 99], np.repeat(steps.levels, 2))(x)


def test_six_neurons_for_three_jumps():
    assert SIX.n_neurons == 6
    assert_allclose(SIX.bends, [-0.55, -0.45, 0.2, 0.3, 0.95, 1.05])
    assert_allclose(SIX.weights, [10, -10, -15, 15, 10, -10])
    assert_allclose(SIX.error, 0.0875)
    assert_allclose(SIX.at_bends, [0, 1, 1, -0.5, -0.5, 0.5], atol=1e-12)
    assert_array_equal(SIX.counts, range(7))


def test_neurons_are_added_one_by_one():
    """By hand at x = 1.75: 10 * 2.3, then 10 * 2.2 less, then 15 * 1.55 less, and so on."""
    assert SIX.sums.shape == (7, 8, 2)
    assert_allclose(SIX.sums[:, -1, 1], [0, 23, 1, -22.25, -0.5, 7.5, 0.5], atol=1e-12)
    assert_array_equal(SIX.sums[0, :, 1], np.zeros(8))
    assert_allclose(SIX.sums[2, 2:, 1], np.ones(6))
    assert_array_equal(SIX.corners, SIX.sums[-1])
    assert_allclose(SIX.gentle[:, 1], np.maximum(SIX.corners[:, 0] + 0.55, 0))
    assert_allclose(SIX.gentle_line, [[-1.25, 0], [-0.55, 0], [1.75, 2.3]])
    assert_allclose(SIX.sums[1, :, 1] + SIX.second[:, 1], SIX.sums[2, :, 1], atol=1e-12)


@given(waves())
def test_the_sum_is_the_wave_with_ramps_exactly(wave: ReluWave):
    x = np.linspace(*wave.steps.span, 501)
    scale = np.abs(wave.weights).max()
    assert_allclose(wave.at(x), trapezoid(wave, x), atol=1e-12 * max(1, scale))
    away = np.abs(x[:, None] - wave.steps.jumps).min(axis=1) > wave.epsilon / 2 + 1e-9
    assert_allclose(wave.at(x)[away], wave.steps.at(x)[away], atol=1e-12 * max(1, scale))


@given(waves())
def test_no_neuron_can_be_spared(wave: ReluWave):
    """The slope changes at 2 n places, and at each one neuron bends."""
    ends = wave.steps.span[0], *wave.bends, wave.steps.span[1] + 1
    middles = (np.array(ends[1:]) + np.array(ends[:-1])) / 2
    step = 1e-7
    slopes = (wave.at(middles + step) - wave.at(middles - step)) / (2 * step)
    assert np.all(np.abs(np.diff(slopes)) > 0.9 * np.abs(wave.weights).min())
    assert len(slopes) - 1 == wave.n_neurons == len(wave.bends)


@given(waves())
def test_the_area_drawn_is_the_error(wave: ReluWave):
    x = np.union1d(wave.corners[:, 0], wave.steps.jumps)
    assert_allclose(wave.steps.area_beside(x, wave.at(x)), wave.error, atol=1e-10)


def test_ramps_get_narrower():
    narrowing = narrow_ramps(WAVE, 0.1, 0.01)
    assert narrowing.corners.shape == narrowing.first_steps.shape == (N_STEPS, 8, 2)
    assert_array_equal(narrowing.corners[0], SIX.corners)
    assert_allclose(narrowing.errors[[0, -1]], [0.0875, 0.00875])
    assert_allclose(narrowing.first_weights, 1 / narrowing.epsilons)
    assert_allclose(narrowing.first_steps[0], SIX.sums[2])
    assert_allclose(narrowing.ratio, 10)
    assert narrowing.steps is WAVE


@given(waves())
def test_there_is_always_a_wider_ramp(wave: ReluWave):
    narrowing = narrow_to(wave.steps, wave.epsilon)
    assert narrowing.narrow.epsilon == wave.epsilon
    assert wave.epsilon < narrowing.wide.epsilon <= 4 * wave.epsilon
    assert narrowing.wide.epsilon < wave.steps.least_gap


@pytest.mark.parametrize("epsilon", [0.75, 1.0])
def test_ramps_must_not_meet(epsilon: float):
    with pytest.raises(ValueError, match=r"below 0\.75, the least distance of two jumps, got"):
        relu_wave(WAVE, epsilon)
    assert relu_wave(BAR, epsilon).n_neurons == 2


def test_ramps_may_end_wider():
    found = narrow_ramps(WAVE, 0.1, 0.2)
    assert_allclose(found.errors[[0, -1]], [0.0875, 0.175])


def test_ramps_have_a_width():
    with pytest.raises(ValueError, match="epsilon must be a finite number above 0, got 0"):
        relu_wave(WAVE, 0.0)
