import numpy as np
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.one_layer.bend import one_neuron
from clockhead.model.networks.step_function import StepFunction
from tests.model.networks.test_step_function import step_functions

OVER_WAVE = one_neuron()


def test_over_the_wave():
    """Over a span of 3 and heights of 1.5, a slope is half of what it is in heights per span."""
    assert OVER_WAVE.heights == (-0.5, 1.0)
    assert_allclose(OVER_WAVE.weights, [0.75, 0.75, 0.75, 1.875, 0.75])
    assert_allclose(OVER_WAVE.bends, [-0.35, 1.15, -0.35, -0.14, -0.35])
    assert_allclose(OVER_WAVE.biases, [0.2625, -0.8625, 0.2625, 0.2625, 0.2625])
    assert_allclose(OVER_WAVE.line, [[-1.25, -0.675], [-0.35, 0], [1.75, 1.575]])
    assert_allclose(OVER_WAVE.bent, [[-1.25, 0], [-0.35, 0], [1.75, 1.575]], atol=1e-12)


def test_three_over_the_wave():
    """Slopes .75, -1.5, 1.1, bent at -.35, .25, .61: at the right end 1.575 - 2.25 + 1.254."""
    x = [-1.25, -0.35, 0.25, 0.61, 1.75]
    assert_allclose(OVER_WAVE.bent_sum, np.column_stack([x, [0, 0, 0.45, 0.18, 0.579]]), atol=1e-12)
    slopes = np.diff(OVER_WAVE.line_sum[:, 1]) / np.diff(OVER_WAVE.line_sum[:, 0])
    assert_allclose(slopes, 0.35)


@given(step_functions())
def test_it_is_relu_of_a_line(steps: StepFunction):
    neuron = one_neuron(steps)
    x = neuron.bent_ways[..., 0]
    lines = neuron.weight_ways[..., None] * x + neuron.bias_ways[..., None]
    assert_allclose(neuron.bent_ways[..., 1], np.maximum(lines, 0), atol=1e-9)
    assert_allclose(neuron.line[:, 1], lines[0, 0], atol=1e-9)
    assert_array_equal(neuron.line[:, 0], x[0, 0])
    assert_allclose(lines[..., 1], 0, atol=1e-9)
    assert_array_equal(neuron.bend_points[..., 0], x[..., 1])
    assert (np.diff(x, axis=-1) > 0).all()


@given(step_functions())
def test_a_sum_of_lines_is_a_line_and_a_sum_of_three_neurons_bends_three_times(steps: StepFunction):
    neuron = one_neuron(steps)
    assert_allclose(neuron.lines.sum(axis=0)[:, 1], neuron.line_sum[:, 1], atol=1e-9)
    for points, n_bends in ((neuron.line_sum, 0), (neuron.bent_sum, 3)):
        slopes = np.diff(points[:, 1]) / np.diff(points[:, 0])
        assert (np.abs(np.diff(slopes)) > 1e-6).sum() == n_bends
    within = [neuron.bent_lines[0, k, 1] for k in (0, 1, 4)]
    assert_allclose(within, neuron.bent[:, 1], atol=1e-9)


@given(step_functions())
def test_only_bias_or_weight_changes_from_one_stop_to_the_next(steps: StepFunction):
    neuron = one_neuron(steps)
    changes = np.abs(np.diff([neuron.biases, neuron.weights])) > 1e-9
    assert_array_equal(changes, [[1, 1, 0, 0], [0, 0, 1, 1]])
