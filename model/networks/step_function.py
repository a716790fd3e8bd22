"""A step function, the target that a layer of neurons approximates.

Source: Dan Wilhelm's LLM Foundations, chapter 2. Our copy of it does not have the modified square
wave, so the levels and jumps of `WAVE` are our own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

import numpy as np

from clockhead.model.arrays import Floats, Values, check_array
from clockhead.model.units import Coordinate, Count, Difference, Doc, Length, Unit

Area: TypeAlias = Annotated[float, Unit("area between two curves")]

LEAST_STEP = 0.1
"""Smallest height of a jump, and smallest distance between two jumps."""
_FREE = 0.5
"""Margin beyond the first and the last jump, as a fraction of the distance between them."""


@dataclass(frozen=True, kw_only=True, eq=False)
class StepFunction(Values):
    """A step function with n `jumps` between its n + 1 `levels`."""

    levels: Annotated[tuple[float, ...], Doc("the levels, from left to right; (n + 1,)")]
    jumps: Annotated[tuple[float, ...], Doc("x of each jump to the next level; (n,)")]
    n_jumps: Annotated[Count, Doc("number of jumps, n")]
    heights: Annotated[Floats, Doc("height of each jump, negative if it goes down; (n,)")]
    sizes: Annotated[Floats, Doc("absolute height of each jump; (n,)")]
    total_height: Annotated[Difference, Doc("sum of the absolute heights of all jumps")]
    largest_height: Annotated[Difference, Doc("largest absolute height of a jump")]
    halfway: Annotated[Floats, Doc("y at the middle of each jump; (n,)")]
    least_gap: Annotated[Length, Doc("smallest distance between two jumps; inf for a single jump")]

    # The part that is drawn
    span: Annotated[tuple[Coordinate, Coordinate], Doc("first and last x of the drawing")]
    edges: Annotated[
        Floats, Doc("x at which each level begins, and at which the last one ends; (n + 2,)")
    ]
    corners: Annotated[
        Floats, Doc("both ends of each level as points, from left to right; (2 n + 2, 2)")
    ]

    def at(self, x: Floats) -> Floats:
        """The value at points x (N,), at a jump the level after it; shape (N,)."""
        places = np.searchsorted(np.asarray(self.jumps), x, side="right")
        return np.asarray(np.asarray(self.levels, dtype=float)[places])

    def area_beside(self, x: Floats, y: Floats) -> Floats:
        """The area between the steps and lines through points x (N,), y (..., N); shape (...,).

        `x` must include all jumps.
        """
        level = self.at((x[1:] + x[:-1]) / 2)  # (N - 1,)
        off = np.abs(np.stack([y[..., :-1], y[..., 1:]]) - level)  # (2, ..., N - 1)
        return np.asarray(off.mean(axis=0) @ np.diff(x))


def step_function(
    levels: tuple[float, ...] = (0.0, 1.0, -0.5, 0.5), jumps: tuple[float, ...] = (-0.5, 0.25, 1.0)
) -> StepFunction:
    """The step function of these levels and jumps.

    Raises ValueError unless there is one level more than jumps, the jumps are in increasing order,
    and neighbouring jumps and neighbouring levels differ by at least `LEAST_STEP`.
    """
    y, x = check_array("levels", levels, 1).astype(float), check_array("jumps", jumps, 1)
    n_jumps = len(x)
    if not n_jumps or len(y) != n_jumps + 1:
        raise ValueError(
            f"levels must be one more than the jumps, got {len(y)} levels and {n_jumps} jumps"
        )
    least_gap = float(np.diff(x).min()) if n_jumps > 1 else float("inf")
    if least_gap < LEAST_STEP - 1e-9:
        raise ValueError(f"jumps must rise by {LEAST_STEP} or more each, got {jumps}")
    heights = np.diff(y)
    if np.abs(heights).min() < LEAST_STEP - 1e-9:
        raise ValueError(
            f"levels must each differ by {LEAST_STEP} or more from the one before, got {levels}"
        )
    free = _FREE * (jumps[-1] - jumps[0]) if n_jumps > 1 else 1.0
    left, right = jumps[0] - free, jumps[-1] + free
    edges = np.array([left, *jumps, right])
    return StepFunction(
        levels=levels,
        jumps=jumps,
        n_jumps=n_jumps,
        heights=heights,
        sizes=np.abs(heights),
        total_height=float(np.abs(heights).sum()),
        largest_height=float(np.abs(heights).max()),
        halfway=(y[1:] + y[:-1]) / 2,
        least_gap=least_gap,
        span=(left, right),
        edges=edges,
        corners=np.column_stack([np.repeat(edges, 2)[1:-1], np.repeat(y, 2)]),
    )


WAVE = step_function()
"""The modified square wave: up by 1, down by 1.5, up by 1."""
