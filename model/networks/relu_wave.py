"""One layer of ReLUs that draws a step function: two neurons for every jump.

Source: Dan Wilhelm's LLM Foundations, chapter 2, after a problem of Stephen Wolfram's; the weights
are ours. ReLU(x) = max(x, 0). A jump of height h at t becomes a ramp from t - epsilon/2 to
t + epsilon/2: h / epsilon times (ReLU(x - t + epsilon/2) - ReLU(x - t - epsilon/2)).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, real, sealed, sealed_ints
from clockhead.model.networks.step_function import WAVE, Area, StepFunction
from clockhead.model.units import Count, Doc, Factor, Length

N_STEPS = 49
"""From a wide ramp to a narrow one."""
_WIDER = 4.0


@dataclass(frozen=True)
class ReluWave:
    """A layer of 2 n neurons, ReLU(x - bend), their weights, and a bias: the first level.

    Raises ValueError unless epsilon is above 0, and less than two jumps are apart.
    """

    steps: StepFunction = WAVE
    epsilon: Annotated[Length, Doc("how wide each ramp is")] = 0.1

    def __post_init__(self) -> None:
        real("epsilon", self.epsilon, above=0)
        if self.epsilon >= self.steps.least_gap:
            raise ValueError(
                f"epsilon must be less than two jumps are apart, {self.steps.least_gap:g}, got "
                f"{self.epsilon:g}"
            )

    @property
    def n_neurons(self) -> Count:
        """How many neurons there are, two for every jump."""
        return 2 * self.steps.n_jumps

    @cached_property
    def bends(self) -> Floats:
        """Where each neuron bends, minus its bias; shape (2 n,)."""
        half = np.array([-self.epsilon / 2, self.epsilon / 2])
        return sealed((np.asarray(self.steps.jumps)[:, None] + half).ravel())

    @cached_property
    def weights(self) -> Floats:
        """What each neuron is multiplied by before all are added; shape (2 n,)."""
        slopes = self.steps.heights / self.epsilon  # (n,)
        return sealed((slopes[:, None] * [1.0, -1.0]).ravel())

    @property
    def largest_weight(self) -> Factor:
        """The largest of these weights, up or down."""
        return float(np.abs(self.weights).max())

    @property
    def first_weight(self) -> Factor:
        """The weight of the first neuron, up or down."""
        return float(np.abs(self.weights[0]))

    def neurons_at(self, x: Floats) -> Floats:
        """What each neuron gives at points x (N,); shape (N, 2 n)."""
        return np.maximum(x[:, None] - self.bends, 0.0)

    def at(self, x: Floats) -> Floats:
        """What the layer gives at points x (N,); shape (N,)."""
        return np.asarray(self.steps.levels[0] + self.neurons_at(x) @ self.weights)

    # As it is drawn

    @cached_property
    def corner_x(self) -> Floats:
        """The bends, and the ends of what is drawn; shape (2 n + 2,)."""
        left, right = self.steps.span
        return sealed(np.array([left, *self.bends, right]))

    @cached_property
    def sums(self) -> Floats:
        """The corners of the sum of the first k neurons, k = 0 ... 2 n; (2 n + 1, 2 n + 2, 2)."""
        x = self.corner_x
        given = self.neurons_at(x) * self.weights  # (2 n + 2, 2 n)
        first = np.zeros((len(x), 1))
        y = self.steps.levels[0] + np.cumsum(np.hstack([first, given]), axis=1).T
        return sealed(np.stack([np.broadcast_to(x, y.shape), y], axis=-1))

    @property
    def corners(self) -> Floats:
        """The corners of the whole sum; shape (2 n + 2, 2)."""
        return np.asarray(self.sums[-1])

    @cached_property
    def gentle(self) -> Floats:
        """The first neuron alone, of weight 1, on the first level, as corners; (2 n + 2, 2)."""
        x = self.corner_x
        return sealed(np.column_stack([x, self.steps.levels[0] + self.neurons_at(x)[:, 0]]))

    @property
    def gentle_line(self) -> Floats:
        """The same, as the three corners that it has; shape (3, 2)."""
        return np.asarray(self.gentle[[0, 1, -1]])

    @cached_property
    def second(self) -> Floats:
        """The second neuron alone, times its weight, on the first level, as corners; as above."""
        x = self.corner_x
        given = self.neurons_at(x)[:, 1] * self.weights[1]
        return sealed(np.column_stack([x, self.steps.levels[0] + given]))

    @cached_property
    def counts(self) -> Ints:
        """How many neurons are in each of the sums; shape (2 n + 1,)."""
        return sealed_ints(np.arange(self.n_neurons + 1))

    @cached_property
    def at_bends(self) -> Floats:
        """How high the whole sum is where it bends; shape (2 n,)."""
        return sealed(self.at(self.bends))

    @property
    def error(self) -> Area:
        """The area between the sum and the step function: all heights times epsilon / 4."""
        return self.steps.total_height * self.epsilon / 4


@dataclass(frozen=True)
class Narrowing:
    """The same layer while its ramps are made narrower, in equal ratios.

    Nothing goes wrong if they get wider. Raises ValueError where `ReluWave` does.
    """

    wide: Annotated[ReluWave, Doc("the layer with wide ramps")]
    narrow: Annotated[ReluWave, Doc("the layer with narrow ramps")]

    @classmethod
    def of(cls, steps: StepFunction, epsilon: float, narrow: float) -> Narrowing:
        """From one width of the ramps to another."""
        return cls(ReluWave(steps, epsilon), ReluWave(steps, narrow))

    @classmethod
    def towards(cls, steps: StepFunction, epsilon: float) -> Narrowing:
        """Down to one width, from up to four times as much."""
        left, right = steps.span
        room = min(steps.least_gap, (right - left) / 2)
        widest = min(_WIDER * epsilon, (epsilon + room) / 2)
        return cls(ReluWave(steps, widest), ReluWave(steps, epsilon))

    @property
    def steps(self) -> StepFunction:
        """What is drawn."""
        return self.wide.steps

    @cached_property
    def epsilons(self) -> Floats:
        """The widths of the ramps; shape (F,)."""
        widths = np.geomspace(self.wide.epsilon, self.narrow.epsilon, N_STEPS)
        widths[[0, -1]] = self.wide.epsilon, self.narrow.epsilon
        return sealed(widths)

    @cached_property
    def waves(self) -> tuple[ReluWave, ...]:
        """The layer at each of them."""
        return tuple(ReluWave(self.steps, float(width)) for width in self.epsilons)

    @cached_property
    def corners(self) -> Floats:
        """The corners of the sum at each; shape (F, 2 n + 2, 2)."""
        return sealed(np.stack([wave.corners for wave in self.waves]))

    @cached_property
    def first_steps(self) -> Floats:
        """The corners of the first two neurons' sum at each; shape (F, 2 n + 2, 2)."""
        return sealed(np.stack([wave.sums[2] for wave in self.waves]))

    @cached_property
    def errors(self) -> Floats:
        """The area between sum and step function at each; shape (F,)."""
        return sealed(np.array([wave.error for wave in self.waves]))

    @cached_property
    def first_weights(self) -> Floats:
        """The weight of the first neuron at each; shape (F,)."""
        return sealed(np.array([wave.first_weight for wave in self.waves]))

    @property
    def ratio(self) -> Factor:
        """How many times as narrow the ramps get."""
        return self.wide.epsilon / self.narrow.epsilon
