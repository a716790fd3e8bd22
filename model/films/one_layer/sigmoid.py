"""One layer of sigmoids that approximates a step function with one neuron per jump.

sigma(z) = 1 / (1 + exp(-z)) rises from 0 to 1; h sigma(k (x - t)) is a jump of height h at t with
steepness k. The integral of |sigma(z) - step(z)| is 2 ln 2, so the error of sigmoids that do not
overlap is 2 ln 2 / k times the sum of all heights.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values, check_float, read_only
from clockhead.model.networks.relu_wave import ReluWave
from clockhead.model.networks.step_function import Area, StepFunction
from clockhead.model.units import Count, Difference, Doc, Factor

STEEPEST = 10_000.0
N_STEPS = 49
"""Number of steepnesses from gentle to steep."""
_PER_SIDE = 90
"""Number of points on each side of a jump."""
_NEAREST = 0.002
"""Distance from a jump to the nearest of these points, in units of 1 / k."""


_TAIL = np.linspace(-24.0, 24.0, 2401)
"""Points around a jump at which the error is measured, in units of 1 / k."""


def sigmoid(z: Floats) -> Floats:
    """1 / (1 + exp(-z)); shape of `z`."""
    return np.asarray(0.5 * (1 + np.tanh(z / 2)))


@dataclass(frozen=True, kw_only=True)
class SigmoidWave(Values):
    """A layer of n neurons sigma(k (x - jump)), with heights as output weights, and a bias."""

    steps: Annotated[StepFunction, Doc("the step function that is approximated")]
    steepness: Annotated[Factor, Doc("steepness of each sigmoid, k")]
    n_neurons: Annotated[Count, Doc("number of neurons, one for every jump")]
    at_jumps: Annotated[Floats, Doc("output of the layer at the jumps; (n,)")]
    off_halfway: Annotated[
        Difference,
        Doc("largest difference between the output at a jump and the middle of that jump"),
    ]
    error: Annotated[Area, Doc("area between the layer's output and the step function")]
    predicted: Annotated[
        Area, Doc("error if no sigmoids overlap, 2 ln 2 / k times the sum of all heights")
    ]


def sigmoid_wave(steps: StepFunction, steepness: float) -> SigmoidWave:
    """Approximate `steps` by sigmoids. Raises ValueError unless 0 < steepness <= `STEEPEST`."""
    check_float("steepness", steepness, above=0, at_most=STEEPEST)
    at_jumps = _layer(steps, steepness, np.asarray(steps.jumps))
    return SigmoidWave(
        steps=steps,
        steepness=steepness,
        n_neurons=steps.n_jumps,
        at_jumps=at_jumps,
        off_halfway=float(np.abs(at_jumps - steps.halfway).max()),
        error=_error(steps, steepness),
        predicted=2 * math.log(2) * steps.total_height / steepness,
    )


@dataclass(frozen=True, kw_only=True)
class Steepening(Values):
    """Sigmoids whose steepness changes in F steps of equal ratio, and the ReLUs before them."""

    relu: Annotated[ReluWave, Doc("ReLUs that approximate the same step function")]
    steps: Annotated[StepFunction, Doc("the step function that is approximated")]
    gentle: Annotated[SigmoidWave, Doc("the gentle sigmoids")]
    steep: Annotated[SigmoidWave, Doc("the steep sigmoids")]
    misprediction: Annotated[
        Factor, Doc("larger of both relative differences between measured and predicted error")
    ]
    ratio: Annotated[Factor, Doc("last steepness over first steepness")]

    # Lazy: the search for a first steepness does not need these

    @cached_property
    def x(self) -> Floats:
        """x of the points that are drawn, close together near jumps; shape (S,)."""
        left, right = self.steps.span
        steepest = max(self.gentle.steepness, self.steep.steepness)
        near = np.geomspace(_NEAREST / steepest, right - left, _PER_SIDE)
        around = np.concatenate([-near, [0.0], near])
        points = (np.asarray(self.steps.jumps)[:, None] + around).ravel()
        points = np.concatenate([points, np.linspace(left, right, 61)])
        return read_only(np.unique(points[(left <= points) & (points <= right)]))

    @cached_property
    def gentle_sums(self) -> Floats:
        """The sum of the first k gentle sigmoids at these points, k = 0 .. n; shape (n + 1, S)."""
        z = self.gentle.steepness * (self.x[:, None] - np.asarray(self.steps.jumps))  # (S, n)
        given = np.cumsum(sigmoid(z) * self.steps.heights, axis=1).T
        none = np.zeros((1, len(self.x)))
        return read_only(self.steps.levels[0] + np.vstack([none, given]))

    @cached_property
    def steepnesses(self) -> Floats:
        """Steepnesses from the first to the last; shape (F,)."""
        ends = self.gentle.steepness, self.steep.steepness
        found = np.geomspace(*ends, N_STEPS)
        found[[0, -1]] = ends
        return read_only(found)

    @cached_property
    def sums(self) -> Floats:
        """The output of the layer at each steepness; shape (F, S)."""
        return read_only(np.stack([_layer(self.steps, k, self.x) for k in self.steepnesses]))

    @cached_property
    def errors(self) -> Floats:
        """The area between output and step function at each steepness; shape (F,)."""
        return read_only(np.array([_error(self.steps, k) for k in self.steepnesses]))


def steepening(relu: ReluWave, gentle: float, steep: float) -> Steepening:
    """Sigmoids from the steepness `gentle` to `steep`; raises ValueError like `sigmoid_wave`."""
    first, last = sigmoid_wave(relu.steps, gentle), sigmoid_wave(relu.steps, steep)
    return Steepening(
        relu=relu,
        steps=relu.steps,
        gentle=first,
        steep=last,
        misprediction=max(abs(wave.error / wave.predicted - 1) for wave in (first, last)),
        ratio=steep / gentle,
    )


def _layer(steps: StepFunction, steepness: float, x: Floats) -> Floats:
    """The output of the layer at points x (N,); shape (N,)."""
    z = steepness * (x[:, None] - np.asarray(steps.jumps))  # (N, n)
    return np.asarray(steps.levels[0] + sigmoid(z) @ steps.heights)


def _error(steps: StepFunction, steepness: float) -> float:
    """The area between the layer's output and the step function."""
    left, right = steps.span
    x = (np.asarray(steps.jumps)[:, None] + _TAIL / steepness).ravel()
    x = np.unique(np.concatenate([np.clip(x, left, right), [left, right]]))
    return float(steps.area_beside(x, _layer(steps, steepness, x)))
