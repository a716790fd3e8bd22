"""One layer of sigmoids that draws a step function: one neuron for every jump.

sigma(z) = 1 / (1 + exp(-z)) runs from 0 to 1; h sigma(k (x - t)) is a jump of height h at t, as
steep as k. The integral of |sigma(z) - step(z)| is 2 ln 2, so that sigmoids which do not overlap
are off by 2 ln 2 / k times all heights.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values, real, sealed
from clockhead.model.networks.relu_wave import ReluWave
from clockhead.model.networks.step_function import Area, StepFunction
from clockhead.model.units import Count, Difference, Doc, Factor

STEEPEST = 10_000.0
N_STEPS = 49
"""From gentle sigmoids to steep ones."""
_PER_SIDE = 90
"""Points on each side of a jump."""
_NEAREST = 0.002
"""The way from a jump to the nearest of them, over 1 / k."""


_TAIL = np.linspace(-24.0, 24.0, 2401)
"""Over 1 / k, from a jump: where the error is measured."""


def sigmoid(z: Floats) -> Floats:
    """1 / (1 + exp(-z)); shape of `z`."""
    return np.asarray(0.5 * (1 + np.tanh(z / 2)))


@dataclass(frozen=True, kw_only=True)
class SigmoidWave(Values):
    """A layer of n neurons, sigma(k (x - jump)), times the heights of the jumps, plus a bias."""

    steps: Annotated[StepFunction, Doc("the step function that it draws")]
    steepness: Annotated[Factor, Doc("the steepness of each sigmoid, k")]
    n_neurons: Annotated[Count, Doc("the number of neurons, one for every jump")]
    at_jumps: Annotated[Floats, Doc("the layer's output at the jumps; (n,)")]
    off_halfway: Annotated[Difference, Doc("by how much it misses halfway at the worst jump")]
    error: Annotated[Area, Doc("the error: the area between the sum and the steps")]
    predicted: Annotated[
        Area, Doc("its error if no sigmoids overlap: 2 ln 2 / k times all heights")
    ]


def sigmoid_wave(steps: StepFunction, steepness: float) -> SigmoidWave:
    """Draw `steps` with sigmoids. Raises ValueError unless 0 < steepness <= `STEEPEST`."""
    real("steepness", steepness, above=0, at_most=STEEPEST)
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
    """The sigmoids while they are made steeper, in equal ratios, after the ReLUs; or less steep."""

    relu: Annotated[ReluWave, Doc("ReLUs that draw the same steps")]
    steps: Annotated[StepFunction, Doc("the step function that is drawn")]
    gentle: Annotated[SigmoidWave, Doc("the gentle sigmoids")]
    steep: Annotated[SigmoidWave, Doc("the steep sigmoids")]
    misprediction: Annotated[
        Factor, Doc("the relative difference of the measured error from the rule's, of the worse")
    ]
    ratio: Annotated[Factor, Doc("how many times as steep it is in the end")]

    # Lazy: the search for a first steepness needs none of these

    @cached_property
    def x(self) -> Floats:
        """Points at which all is drawn, close together near jumps; shape (S,)."""
        left, right = self.steps.span
        steepest = max(self.gentle.steepness, self.steep.steepness)
        near = np.geomspace(_NEAREST / steepest, right - left, _PER_SIDE)
        around = np.concatenate([-near, [0.0], near])
        points = (np.asarray(self.steps.jumps)[:, None] + around).ravel()
        points = np.concatenate([points, np.linspace(left, right, 61)])
        return sealed(np.unique(points[(left <= points) & (points <= right)]))

    @cached_property
    def gentle_sums(self) -> Floats:
        """The sum of the first k gentle sigmoids at these points, k = 0 ... n; shape (n + 1, S)."""
        z = self.gentle.steepness * (self.x[:, None] - np.asarray(self.steps.jumps))  # (S, n)
        given = np.cumsum(sigmoid(z) * self.steps.heights, axis=1).T
        none = np.zeros((1, len(self.x)))
        return sealed(self.steps.levels[0] + np.vstack([none, given]))

    @cached_property
    def steepnesses(self) -> Floats:
        """How steep the sigmoids are; shape (F,)."""
        ends = self.gentle.steepness, self.steep.steepness
        found = np.geomspace(*ends, N_STEPS)
        found[[0, -1]] = ends
        return sealed(found)

    @cached_property
    def sums(self) -> Floats:
        """The sum of the sigmoids at each; shape (F, S)."""
        return sealed(np.stack([_layer(self.steps, k, self.x) for k in self.steepnesses]))

    @cached_property
    def errors(self) -> Floats:
        """The area between the sum and the step function at each, measured; shape (F,)."""
        return sealed(np.array([_error(self.steps, k) for k in self.steepnesses]))


def steepening(relu: ReluWave, gentle: float, steep: float) -> Steepening:
    """From one steepness to another, after these ReLUs; ValueError where `sigmoid_wave` raises."""
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
    """The sum of the sigmoids and the bias at points x (N,); shape (N,)."""
    z = steepness * (x[:, None] - np.asarray(steps.jumps))  # (N, n)
    return np.asarray(steps.levels[0] + sigmoid(z) @ steps.heights)


def _error(steps: StepFunction, steepness: float) -> float:
    """The area between the sum of the sigmoids and the step function."""
    left, right = steps.span
    x = (np.asarray(steps.jumps)[:, None] + _TAIL / steepness).ravel()
    x = np.unique(np.concatenate([np.clip(x, left, right), [left, right]]))
    return float(steps.area_beside(x, _layer(steps, steepness, x)))
