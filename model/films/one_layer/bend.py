"""One neuron: a straight line w x + b, what ReLU makes of it, and the sum of three of each.

They are shown over a step function that such lines are to draw. First the bias alone is turned and
comes back, then the weight alone; the bend, at -b / w, goes along with both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.networks.step_function import WAVE, StepFunction
from clockhead.model.units import Coordinate, Doc

_PLACES, _SLOPES = (0.3, 0.5, 0.62), (1.5, -3.0, 2.2)
"""Where three neurons bend, as a share of the span, and their slopes, in heights per span."""
_ASIDE, _STEEPER = 0.8, 2.5
"""To where the bias takes the first one's bend, and how many times as steep it becomes."""
_FRAMES = 25


@dataclass(frozen=True, kw_only=True, eq=False)
class OneNeuron(Values):
    """A neuron that bends here and there, more or less steep, over a step function."""

    steps: Annotated[StepFunction, Doc("the step function that such lines are to draw")]
    heights: Annotated[
        tuple[Coordinate, Coordinate], Doc("the lowest of the levels and 0, and the highest")
    ]
    weights: Annotated[
        Floats, Doc("the weight at each stop: there, and steeper in the last but one; (5,)")
    ]
    biases: Annotated[
        Floats, Doc("the bias at each stop: there, and another one at the second; (5,)")
    ]
    bends: Annotated[Floats, Doc("where the neuron bends at each stop, -b / w; (5,)")]
    line: Annotated[
        Floats, Doc("the first stop's straight line: left end, where it is 0, right end; (3, 2)")
    ]
    bent: Annotated[Floats, Doc("what ReLU makes of it, as the same three points; (3, 2)")]

    weight_ways: Annotated[Floats, Doc("the weight from each stop to the next one; (4, F)")]
    bias_ways: Annotated[Floats, Doc("the bias from each stop to the next one; (4, F)")]
    bend_ways: Annotated[
        Floats, Doc("where it bends, -b / w, from each stop to the next one; (4, F)")
    ]
    bend_points: Annotated[Floats, Doc("the same as points, at height 0; (4, F, 2)")]
    bent_ways: Annotated[
        Floats,
        Doc("ReLU of the line from each stop to the next one, by three points; (4, F, 3, 2)"),
    ]

    lines: Annotated[
        Floats, Doc("three straight lines: both ends, and where each of them is 0; (3, 5, 2)")
    ]
    bent_lines: Annotated[Floats, Doc("the same with ReLU, by the same points; (3, 5, 2)")]
    line_sum: Annotated[Floats, Doc("the sum of the straight lines; (5, 2)")]
    bent_sum: Annotated[Floats, Doc("the sum of those that bend; (5, 2)")]


def one_neuron(steps: StepFunction = WAVE) -> OneNeuron:
    """Turn the bias and then the weight of a neuron, and add two others to it."""
    left, right = steps.span
    low, high = min(0.0, *steps.levels), max(0.0, *steps.levels)
    places = left + np.array(_PLACES) * (right - left)  # (3,)
    slopes = np.array(_SLOPES) * (high - low) / (right - left)  # (3,)

    steeper = _steeper(steps.span, places[0])
    weights = slopes[0] * np.array([1.0, 1.0, 1.0, steeper, 1.0])  # (5,)
    biases = np.full(5, -slopes[0] * places[0])
    biases[1] = -slopes[0] * (left + _ASIDE * (right - left))
    weight_ways = np.linspace(weights[:-1], weights[1:], _FRAMES, axis=1)  # (4, F)
    bias_ways = np.linspace(biases[:-1], biases[1:], _FRAMES, axis=1)  # (4, F)
    bend_ways = -bias_ways / weight_ways  # (4, F)
    bent_ways = _lines(steps.span, weight_ways, bias_ways)  # (4, F, 3, 2)
    bent_ways[..., 1] = np.maximum(bent_ways[..., 1], 0.0)

    corners = np.array([left, *places, right])  # (5,)
    away = corners - places[:, None]  # (3, 5)
    heights, bent_heights = slopes[:, None] * away, slopes[:, None] * np.maximum(away, 0.0)

    def over(y: Floats) -> Floats:
        """Heights (..., 5) over the corners as points; (..., 5, 2)."""
        return np.stack([np.broadcast_to(corners, y.shape), y], axis=-1)

    return OneNeuron(
        steps=steps,
        heights=(low, high),
        weights=weights,
        biases=biases,
        bends=-biases / weights,
        line=_lines(steps.span, weights[0], biases[0]),
        bent=bent_ways[0, 0].copy(),
        weight_ways=weight_ways,
        bias_ways=bias_ways,
        bend_ways=bend_ways,
        bend_points=np.stack([bend_ways, np.zeros_like(bend_ways)], axis=-1),
        bent_ways=bent_ways,
        lines=over(heights),
        bent_lines=over(bent_heights),
        line_sum=over(heights.sum(axis=0)),
        bent_sum=over(bent_heights.sum(axis=0)),
    )


def _steeper(span: tuple[float, float], bend: float) -> float:
    """How many times as steep a line can become while its bend is seen."""
    left, right = span
    end = max(left, 0.0) if bend > 0 else min(right, 0.0)
    return float(min(_STEEPER, np.sqrt(bend / end))) if end else _STEEPER


def _lines(span: tuple[float, float], weights: Floats, biases: Floats) -> Floats:
    """Lines at their ends and where they are 0; (..., 3, 2)."""
    left, right = span
    w, b = np.asarray(weights)[..., None], np.asarray(biases)[..., None]
    x = np.concatenate([np.full(w.shape, left), -b / w, np.full(w.shape, right)], axis=-1)
    y = w * x + b
    y[..., 1] = 0.0
    return np.stack([x, y], axis=-1)
