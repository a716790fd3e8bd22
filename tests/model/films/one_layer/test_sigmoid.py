import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit

from clockhead.model.films.one_layer.sigmoid import (
    sigmoid,
    sigmoid_wave,
    steepening,
)
from clockhead.model.networks.relu_wave import relu_wave
from clockhead.model.networks.step_function import WAVE, step_function
from tests.model.networks.test_step_function import BAR

STEEPENING = steepening(relu_wave(WAVE, 0.01), 20.0, 1000.0)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1))
def test_the_sigmoid_is_scipy_s(z: list[float]):
    assert_allclose(sigmoid(np.array(z)), expit(z), atol=1e-15)


@pytest.mark.parametrize(("k", "area"), [(20, 0.2426), (100, 0.04852), (1000, 0.004852)])
def test_the_error_is_2_ln_2_times_all_heights_over_k(k: float, area: float):
    wave = sigmoid_wave(WAVE, k)
    assert wave.n_neurons == 3
    assert_allclose(wave.predicted, 2 * math.log(2) * 3.5 / k)
    assert_allclose([wave.predicted, wave.error], area, rtol=2e-4)
    assert_allclose(wave.error, wave.predicted, rtol=2e-5)


def test_at_jumps_it_is_halfway():
    wave = sigmoid_wave(WAVE, 100)
    assert_allclose(wave.at_jumps, [0.5, 0.25, 0.0], atol=1e-12)
    assert wave.off_halfway < 1e-12
    assert sigmoid_wave(WAVE, 5).off_halfway > 0.01
    assert_allclose(sigmoid_wave(BAR, 3).at_jumps, [1.0])


def test_steeper_and_steeper():
    assert STEEPENING.sums.shape == (len(STEEPENING.errors), len(STEEPENING.x))
    assert {*WAVE.jumps, *WAVE.span} <= set(STEEPENING.x)
    assert np.all(np.diff(STEEPENING.errors) < 0)
    assert_allclose(STEEPENING.errors[[0, -1]], [0.2426015, 0.00485203], rtol=1e-4)
    assert_array_equal(STEEPENING.steepnesses[[0, -1]], [20, 1000])
    assert STEEPENING.ratio == 50
    assert STEEPENING.misprediction < 1e-4
    made = STEEPENING.gentle_sums
    assert_allclose(made[[0, -1]], [0 * STEEPENING.x, STEEPENING.sums[0]], atol=1e-12)
    first = expit(20 * (STEEPENING.x + 0.5))
    assert_allclose(made[1], first)
    assert_allclose(made[2], first - 1.5 * expit(20 * (STEEPENING.x - 0.25)), atol=1e-12)
    drawn = WAVE.area_beside(STEEPENING.x, STEEPENING.sums)
    assert_allclose(drawn, STEEPENING.errors, rtol=0.01)


def test_sigmoids_that_overlap_are_off_by_less_than_the_rule_says():
    close = step_function((0.0, 1.0, 2.0), (0.0, 0.1))
    found = steepening(relu_wave(close, 0.01), 20.0, 1000.0)
    assert found.gentle.error < 0.9 * found.gentle.predicted
    assert found.misprediction > 0.1


def test_sigmoids_may_end_less_steep():
    found = steepening(relu_wave(), 40.0, 20.0)
    assert found.errors[-1] > 1.9 * found.errors[0]
    assert steepening(relu_wave(), 20.0, 20.0).ratio == 1


def test_sigmoids_have_a_steepness():
    with pytest.raises(ValueError, match="steepness must be a finite number above 0"):
        sigmoid_wave(WAVE, 0.0)
