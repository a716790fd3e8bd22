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

from clockhead.model.arrays import Floats, real, sealed
from clockhead.model.networks.relu_wave import ReluWave
from clockhead.model.networks.step_function import WAVE, Area, StepFunction
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


@dataclass(frozen=True)
class SigmoidWave:
    """A layer of n neurons, sigma(k (x - jump)), weighted by the heights of the jumps, and a bias.

    Raises ValueError unless the steepness is above 0 and at most `STEEPEST`.
    """

    steps: StepFunction = WAVE
    steepness: Annotated[Factor, Doc("how steep each sigmoid is, k")] = 100.0

    def __post_init__(self) -> None:
        real("steepness", self.steepness, above=0, at_most=STEEPEST)

    @property
    def n_neurons(self) -> Count:
        """How many neurons there are, one for every jump."""
        return self.steps.n_jumps

    def at(self, x: Floats) -> Floats:
        """What the layer gives at points x (N,); shape (N,)."""
        z = self.steepness * (x[:, None] - np.asarray(self.steps.jumps))  # (N, n)
        return np.asarray(self.steps.levels[0] + sigmoid(z) @ self.steps.heights)

    @cached_property
    def at_jumps(self) -> Floats:
        """What the layer gives at the jumps; shape (n,)."""
        return sealed(self.at(np.asarray(self.steps.jumps)))

    @property
    def off_halfway(self) -> Difference:
        """By how much it misses halfway at the worst jump."""
        return float(np.abs(self.at_jumps - self.steps.halfway).max())

    @cached_property
    def error(self) -> Area:
        """The area between the layer and the step function where it is drawn, measured."""
        left, right = self.steps.span
        x = (np.asarray(self.steps.jumps)[:, None] + _TAIL / self.steepness).ravel()
        x = np.unique(np.concatenate([np.clip(x, left, right), [left, right]]))
        return float(self.steps.area_beside(x, self.at(x)))

    @property
    def predicted(self) -> Area:
        """Its error if no sigmoids overlap: 2 ln 2 / k times all heights."""
        return 2 * math.log(2) * self.steps.total_height / self.steepness


@dataclass(frozen=True)
class Steepening:
    """The sigmoids while they are made steeper, in equal ratios, after the ReLUs.

    Nothing goes wrong if they get less steep. Raises ValueError where `SigmoidWave` does.
    """

    relu: Annotated[ReluWave, Doc("ReLUs that draw the same steps")]
    gentle: Annotated[SigmoidWave, Doc("the gentle sigmoids")]
    steep: Annotated[SigmoidWave, Doc("the steep sigmoids")]

    @classmethod
    def of(cls, relu: ReluWave, steepness: float, steep: float) -> Steepening:
        """From one steepness to another, after these ReLUs."""
        return cls(relu, SigmoidWave(relu.steps, steepness), SigmoidWave(relu.steps, steep))

    @property
    def steps(self) -> StepFunction:
        """What is drawn."""
        return self.relu.steps

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
        waves = (SigmoidWave(self.steps, float(k)) for k in self.steepnesses)
        return sealed(np.stack([wave.at(self.x) for wave in waves]))

    @cached_property
    def errors(self) -> Floats:
        """The area between the sum and the step function at each, measured; shape (F,)."""
        waves = (SigmoidWave(self.steps, float(k)) for k in self.steepnesses)
        return sealed(np.array([wave.error for wave in waves]))

    @property
    def misprediction(self) -> Factor:
        """By what share of itself the measured error of either differs from the rule's."""
        ends = self.gentle, self.steep
        return max(abs(wave.error / wave.predicted - 1) for wave in ends)

    @property
    def ratio(self) -> Factor:
        """How many times as steep they get."""
        return self.steep.steepness / self.gentle.steepness
