"""One layer of ReLUs that approximates a step function with two neurons per jump.

Source: Dan Wilhelm's LLM Foundations, chapter 2, after a problem of Stephen Wolfram's; the weights
are ours. ReLU(x) = max(x, 0). A jump of height h at t becomes a ramp from t - epsilon/2 to
t + epsilon/2: h / epsilon times (ReLU(x - t + epsilon/2) - ReLU(x - t - epsilon/2)).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values, check_float
from clockhead.model.networks.step_function import WAVE, Area, StepFunction
from clockhead.model.units import Count, Doc, Factor, Length

N_STEPS = 49
"""Number of ramp widths from wide to narrow."""
_WIDER = 4.0
"""How many times wider the ramps are at first, if there is room."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ReluWave(Values):
    """A layer of 2 n neurons ReLU(x - bend), whose output bias is the first level."""

    steps: Annotated[StepFunction, Doc("the step function that is approximated")]
    epsilon: Annotated[Length, Doc("width of each ramp")]
    n_neurons: Annotated[Count, Doc("the number of neurons")]
    bends: Annotated[Floats, Doc("x at which each neuron bends, the negative of its bias; (2 n,)")]
    weights: Annotated[Floats, Doc("output weight of each neuron; (2 n,)")]
    error: Annotated[Area, Doc("area between the layer's output and the step function")]

    # Polylines
    counts: Annotated[Ints, Doc("number of neurons in each partial sum; (2 n + 1,)")]
    sums: Annotated[
        Floats,
        Doc("corners of the sum of the first k neurons, k = 0 .. 2 n; (2 n + 1, 2 n + 2, 2)"),
    ]
    corners: Annotated[
        Floats, Doc("corners of the layer's output: its bends and its two ends; (2 n + 2, 2)")
    ]
    at_bends: Annotated[Floats, Doc("output of the layer at each bend; (2 n,)")]
    gentle: Annotated[
        Floats,
        Doc("corners of the first level plus the first neuron, with weight 1; (2 n + 2, 2)"),
    ]
    gentle_line: Annotated[Floats, Doc("the same line by its two ends and its one bend; (3, 2)")]
    second: Annotated[
        Floats, Doc("corners of the first level plus the weighted second neuron; (2 n + 2, 2)")
    ]

    def at(self, x: Floats) -> Floats:
        """The output of the layer at points x (N,); shape (N,)."""
        return _layer(self.steps, self.bends, self.weights, x)


def relu_wave(steps: StepFunction = WAVE, epsilon: float = 0.1) -> ReluWave:
    """The layer that approximates `steps` with ramps of width `epsilon`.

    Raises ValueError unless epsilon is above 0 and smaller than every distance between jumps.
    """
    check_float("epsilon", epsilon, above=0)
    if epsilon >= steps.least_gap:
        raise ValueError(
            f"epsilon must be below {steps.least_gap:g}, the least distance of two jumps, "
            f"got {epsilon:g}"
        )
    bends = (np.asarray(steps.jumps)[:, None] + [-epsilon / 2, epsilon / 2]).ravel()  # (2 n,)
    weights = ((steps.heights / epsilon)[:, None] * [1.0, -1.0]).ravel()  # (2 n,)
    left, right = steps.span
    x = np.array([left, *bends, right])  # (2 n + 2,)
    neurons = np.maximum(x[:, None] - bends, 0.0)  # (2 n + 2, 2 n)
    none = np.zeros((len(x), 1))
    level = steps.levels[0]
    y = level + np.cumsum(np.hstack([none, neurons * weights]), axis=1).T  # (2 n + 1, 2 n + 2)
    sums = np.stack([np.broadcast_to(x, y.shape), y], axis=-1)
    gentle = np.column_stack([x, level + neurons[:, 0]])
    return ReluWave(
        steps=steps,
        epsilon=epsilon,
        n_neurons=2 * steps.n_jumps,
        bends=bends,
        weights=weights,
        error=steps.total_height * epsilon / 4,
        counts=np.arange(2 * steps.n_jumps + 1),
        sums=sums,
        corners=sums[-1],
        at_bends=_layer(steps, bends, weights, bends),
        gentle=gentle,
        gentle_line=gentle[[0, 1, -1]],
        second=np.column_stack([x, level + neurons[:, 1] * weights[1]]),
    )


def _layer(steps: StepFunction, bends: Floats, weights: Floats, x: Floats) -> Floats:
    """The output of a layer at points x (N,); shape (N,)."""
    return np.asarray(steps.levels[0] + np.maximum(x[:, None] - bends, 0.0) @ weights)


@dataclass(frozen=True, kw_only=True, eq=False)
class Narrowing(Values):
    """A layer whose ramps become narrower in F steps of equal ratio."""

    steps: Annotated[StepFunction, Doc("the step function that is approximated")]
    wide: Annotated[ReluWave, Doc("the layer with wide ramps")]
    narrow: Annotated[ReluWave, Doc("the layer with narrow ramps")]
    epsilons: Annotated[Floats, Doc("widths of the ramps; (F,)")]
    corners: Annotated[Floats, Doc("corners of the layer's output at each width; (F, 2 n + 2, 2)")]
    first_steps: Annotated[
        Floats, Doc("corners of the first two neurons' sum at each width; (F, 2 n + 2, 2)")
    ]
    errors: Annotated[Floats, Doc("area between output and step function at each width; (F,)")]
    first_weights: Annotated[Floats, Doc("absolute weight of the first neuron at each width; (F,)")]
    ratio: Annotated[Factor, Doc("first width over last width")]


def narrow_ramps(steps: StepFunction, first: float, last: float) -> Narrowing:
    """The layers for ramp widths from `first` to `last`, which may be larger.

    Raises ValueError like `relu_wave`.
    """
    epsilons = np.geomspace(first, last, N_STEPS)
    epsilons[[0, -1]] = first, last
    waves = [relu_wave(steps, width) for width in epsilons.tolist()]
    return Narrowing(
        steps=steps,
        wide=waves[0],
        narrow=waves[-1],
        epsilons=epsilons,
        corners=np.stack([wave.corners for wave in waves]),
        first_steps=np.stack([wave.sums[2] for wave in waves]),
        errors=np.array([wave.error for wave in waves]),
        first_weights=np.array([abs(wave.weights[0]) for wave in waves]),
        ratio=first / last,
    )


def narrow_to(steps: StepFunction, epsilon: float) -> Narrowing:
    """Narrow the ramps to `epsilon`, from at most four times that width.

    Raises ValueError like `relu_wave`.
    """
    left, right = steps.span
    room = min(steps.least_gap, (right - left) / 2)
    return narrow_ramps(steps, min(_WIDER * epsilon, (epsilon + room) / 2), epsilon)
