"""A function that is level but for jumps: what a layer of neurons is to draw.

Source: Dan Wilhelm's LLM Foundations, chapter 2, whose modified square wave is not in the text that
we have; the levels and jumps of `WAVE` are ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

import numpy as np

from clockhead.model.arrays import Floats, Values, finite
from clockhead.model.units import Coordinate, Count, Difference, Doc, Length, Unit

Area: TypeAlias = Annotated[float, Unit("area between two curves")]

LEAST_STEP = 0.1
"""The least that a jump is high, and that two jumps are apart."""
_FREE = 0.5
"""What is seen beyond the outer jumps, as a share of the way between them."""


@dataclass(frozen=True, kw_only=True, eq=False)
class StepFunction(Values):
    """`levels` from left to right, and the n `jumps` between them."""

    levels: Annotated[tuple[float, ...], Doc("the levels, from left to right; (n + 1,)")]
    jumps: Annotated[tuple[float, ...], Doc("where it jumps from one to the next; (n,)")]
    n_jumps: Annotated[Count, Doc("how many jumps there are, n")]
    heights: Annotated[Floats, Doc("how high each jump is, below 0 where it goes down; (n,)")]
    sizes: Annotated[Floats, Doc("how high each jump is, up or down; (n,)")]
    total_height: Annotated[Difference, Doc("how high all jumps are together, up or down")]
    largest_height: Annotated[Difference, Doc("how high the highest jump is, up or down")]
    halfway: Annotated[Floats, Doc("the height halfway up, or down, each jump; (n,)")]
    least_gap: Annotated[
        Length, Doc("how far apart the two nearest jumps are; without end if there is one alone")
    ]

    # What is seen of it
    span: Annotated[tuple[Coordinate, Coordinate], Doc("from where to where it is drawn")]
    edges: Annotated[Floats, Doc("where each level begins, and where the last one ends; (n + 2,)")]
    corners: Annotated[
        Floats, Doc("the two ends of each level as points, from left to right; (2 n + 2, 2)")
    ]

    def at(self, x: Floats) -> Floats:
        """The level at points x (N,), at a jump the one after it; shape (N,)."""
        places = np.searchsorted(np.asarray(self.jumps), x, side="right")
        return np.asarray(np.asarray(self.levels, dtype=float)[places])

    def area_beside(self, x: Floats, y: Floats) -> Floats:
        """The area between it and lines through points (x, y), (N,) and (..., N); shape (...,).

        The jumps must be among x.
        """
        level = self.at((x[1:] + x[:-1]) / 2)  # (N - 1,)
        off = np.abs(np.stack([y[..., :-1], y[..., 1:]]) - level)  # (2, ..., N - 1)
        return np.asarray(off.mean(axis=0) @ np.diff(x))


def step_function(
    levels: tuple[float, ...] = (0.0, 1.0, -0.5, 0.5), jumps: tuple[float, ...] = (-0.5, 0.25, 1.0)
) -> StepFunction:
    """The step function of these levels and jumps.

    Raises ValueError unless there is one level more than jumps, and unless jumps come in order,
    with `LEAST_STEP` from one to the next and from each level to the next.
    """
    y, x = finite("levels", levels, 1).astype(float), finite("jumps", jumps, 1)
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
