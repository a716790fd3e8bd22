"""One neuron: a straight line w x + b, what ReLU makes of it, and the sum of three of each.

They are shown over a step function that such lines are to draw. First the bias alone is turned and
comes back, then the weight alone; the bend, at -b / w, goes along with both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from clockhead.model.arrays import Floats, sealed
from clockhead.model.networks.step_function import WAVE, StepFunction
from clockhead.model.units import Coordinate

_PLACES, _SLOPES = (0.3, 0.5, 0.62), (1.5, -3.0, 2.2)
"""Where three neurons bend, as a share of the span, and their slopes, in heights per span."""
_ASIDE, _STEEPER = 0.8, 2.5
"""To where the bias takes the first one's bend, and how many times as steep it becomes."""
_FRAMES = 25


@dataclass(frozen=True)
class OneNeuron:
    """A neuron that bends here and there, more or less steep, over a step function."""

    steps: StepFunction = WAVE

    @cached_property
    def weights(self) -> Floats:
        """The weight at each stop: there, and steeper in the last but one; shape (5,)."""
        return sealed(self._slopes[0] * np.array([1.0, 1.0, 1.0, self._steeper, 1.0]))

    @cached_property
    def biases(self) -> Floats:
        """The bias at each stop: there, and another one at the second; shape (5,)."""
        left, right = self.steps.span
        b = np.full(5, -self._slopes[0] * self._places[0])
        b[1] = -self._slopes[0] * (left + _ASIDE * (right - left))
        return sealed(b)

    @property
    def bends(self) -> Floats:
        """Where the neuron bends at each stop, -b / w; shape (5,)."""
        return -self.biases / self.weights

    @cached_property
    def line(self) -> Floats:
        """The first stop's straight line: left end, where it is 0, right end; shape (3, 2)."""
        return sealed(self._lines(self.weights[0], self.biases[0]))

    @property
    def bent(self) -> Floats:
        """What ReLU makes of it, as the same three points; shape (3, 2)."""
        return np.asarray(self.bent_ways[0, 0])

    # From stop to stop

    @cached_property
    def weight_ways(self) -> Floats:
        """The weight from each stop to the next one; shape (4, F)."""
        return sealed(np.linspace(self.weights[:-1], self.weights[1:], _FRAMES, axis=1))

    @cached_property
    def bias_ways(self) -> Floats:
        """The bias from each stop to the next one; shape (4, F)."""
        return sealed(np.linspace(self.biases[:-1], self.biases[1:], _FRAMES, axis=1))

    @cached_property
    def bend_ways(self) -> Floats:
        """Where it bends, -b / w, from each stop to the next one; shape (4, F)."""
        return sealed(-self.bias_ways / self.weight_ways)

    @cached_property
    def bend_points(self) -> Floats:
        """The same as points, at height 0; shape (4, F, 2)."""
        return sealed(np.stack([self.bend_ways, np.zeros_like(self.bend_ways)], axis=-1))

    @cached_property
    def bent_ways(self) -> Floats:
        """ReLU of the line from each stop to the next one, by three points; shape (4, F, 3, 2)."""
        points = self._lines(self.weight_ways, self.bias_ways)
        points[..., 1] = np.maximum(points[..., 1], 0.0)
        return sealed(points)

    # Three of them, of which it is the first, times their weights

    @cached_property
    def lines(self) -> Floats:
        """Three straight lines: both ends, and where each of them is 0; shape (3, 5, 2)."""
        x = self._corners
        return sealed(self._over(self._slopes[:, None] * (x - self._places[:, None])))

    @cached_property
    def bent_lines(self) -> Floats:
        """The same with ReLU, by the same points; shape (3, 5, 2)."""
        x = self._corners
        return sealed(
            self._over(self._slopes[:, None] * np.maximum(x - self._places[:, None], 0.0))
        )

    @cached_property
    def line_sum(self) -> Floats:
        """The sum of the straight lines; shape (5, 2)."""
        return sealed(self._over(self.lines[..., 1].sum(axis=0)))

    @cached_property
    def bent_sum(self) -> Floats:
        """The sum of those that bend; shape (5, 2)."""
        return sealed(self._over(self.bent_lines[..., 1].sum(axis=0)))

    @property
    def heights(self) -> tuple[Coordinate, Coordinate]:
        """The lowest of the levels and 0, and the highest."""
        return min(0.0, *self.steps.levels), max(0.0, *self.steps.levels)

    @property
    def _places(self) -> Floats:
        left, right = self.steps.span
        return left + np.array(_PLACES) * (right - left)

    @property
    def _slopes(self) -> Floats:
        left, right = self.steps.span
        low, high = self.heights
        return np.array(_SLOPES) * (high - low) / (right - left)

    @property
    def _steeper(self) -> float:
        """How many times as steep it can become while its bend is seen."""
        (left, right), bend = self.steps.span, self._places[0]
        end = max(left, 0.0) if bend > 0 else min(right, 0.0)
        return float(min(_STEEPER, np.sqrt(bend / end))) if end else _STEEPER

    @property
    def _corners(self) -> Floats:
        left, right = self.steps.span
        return np.array([left, *self._places, right])

    def _over(self, y: Floats) -> Floats:
        """Heights (..., 5) over the corners as points; shape (..., 5, 2)."""
        return np.stack([np.broadcast_to(self._corners, y.shape), y], axis=-1)

    def _lines(self, weights: Floats, biases: Floats) -> Floats:
        """Lines at their ends and where they are 0; shape (..., 3, 2)."""
        left, right = self.steps.span
        w, b = np.asarray(weights)[..., None], np.asarray(biases)[..., None]
        ends = np.full(w.shape, left), np.full(w.shape, right)
        x = np.concatenate([ends[0], -b / w, ends[1]], axis=-1)
        y = w * x + b
        y[..., 1] = 0.0
        return np.stack([x, y], axis=-1)
