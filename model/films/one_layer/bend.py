"""One neuron, a straight line w x + b and its ReLU, and the sum of three neurons.

They are shown over a step function that such neurons approximate. First only the bias changes and
returns, then only the weight; the bend at -b / w moves with both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.networks.step_function import WAVE, StepFunction
from clockhead.model.units import Coordinate, Doc

_PLACES, _SLOPES = (0.3, 0.5, 0.62), (1.5, -3.0, 2.2)
"""Bends of three neurons, as fractions of the span, and their slopes, in heights per span."""
_ASIDE, _STEEPER = 0.8, 2.5
"""Bend of the first neuron with another bias, as a fraction of the span; largest weight factor."""
_FRAMES = 25


@dataclass(frozen=True, kw_only=True, eq=False)
class OneNeuron(Values):
    """A neuron whose bias and weight change, and the sum of three, over a step function."""

    steps: Annotated[StepFunction, Doc("the step function that neurons approximate")]
    heights: Annotated[tuple[Coordinate, Coordinate], Doc("lowest and highest of the levels and 0")]
    weights: Annotated[Floats, Doc("weight at each of five stops, larger at the fourth; (5,)")]
    biases: Annotated[Floats, Doc("bias at each of five stops, different at the second; (5,)")]
    bends: Annotated[Floats, Doc("bend of the neuron at each stop, -b / w; (5,)")]
    line: Annotated[
        Floats, Doc("straight line at the first stop: left end, zero, right end; (3, 2)")
    ]
    bent: Annotated[Floats, Doc("ReLU of this line, at the same three x; (3, 2)")]

    weight_ways: Annotated[Floats, Doc("weights from each stop to the next; (4, F)")]
    bias_ways: Annotated[Floats, Doc("biases from each stop to the next; (4, F)")]
    bend_ways: Annotated[Floats, Doc("bends, -b / w, from each stop to the next; (4, F)")]
    bend_points: Annotated[Floats, Doc("bends as points at height 0; (4, F, 2)")]
    bent_ways: Annotated[
        Floats,
        Doc("ReLU of the line from each stop to the next, by three points; (4, F, 3, 2)"),
    ]

    lines: Annotated[
        Floats, Doc("three straight lines, each at both ends and at all three zeros; (3, 5, 2)")
    ]
    bent_lines: Annotated[Floats, Doc("ReLU of these lines, at the same x; (3, 5, 2)")]
    line_sum: Annotated[Floats, Doc("sum of the straight lines; (5, 2)")]
    bent_sum: Annotated[Floats, Doc("sum of the ReLUs; (5, 2)")]


def one_neuron(steps: StepFunction = WAVE) -> OneNeuron:
    """Change the bias and then the weight of a neuron, and add two other neurons to it."""
    left, right = steps.span
    low, high = min(0.0, *steps.levels), max(0.0, *steps.levels)
    places = left + np.array(_PLACES) * (right - left)  # (3,)
    slopes = np.array(_SLOPES) * (high - low) / (right - left)  # (3,)

    steeper = _largest_factor(steps.span, places[0])
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

    def at_corners(y: Floats) -> Floats:
        """Points of heights (..., 5) at the corners; (..., 5, 2)."""
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
        lines=at_corners(heights),
        bent_lines=at_corners(bent_heights),
        line_sum=at_corners(heights.sum(axis=0)),
        bent_sum=at_corners(bent_heights.sum(axis=0)),
    )


def _largest_factor(span: tuple[float, float], bend: float) -> float:
    """Largest factor on the weight with which the bend stays in the span."""
    left, right = span
    end = max(left, 0.0) if bend > 0 else min(right, 0.0)
    return float(min(_STEEPER, np.sqrt(bend / end))) if end else _STEEPER


def _lines(span: tuple[float, float], weights: Floats, biases: Floats) -> Floats:
    """Lines as points at the left end, at their zero and at the right end; (..., 3, 2)."""
    left, right = span
    w, b = np.asarray(weights)[..., None], np.asarray(biases)[..., None]
    x = np.concatenate([np.full(w.shape, left), -b / w, np.full(w.shape, right)], axis=-1)
    y = w * x + b
    y[..., 1] = 0.0
    return np.stack([x, y], axis=-1)
