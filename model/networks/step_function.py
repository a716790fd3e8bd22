"""A function that is level but for jumps: what a layer of neurons is to draw.

Source: Dan Wilhelm's LLM Foundations, chapter 2, whose modified square wave is not in the text that
we have; the levels and jumps of `WAVE` are ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, TypeAlias

import numpy as np

from clockhead.model.arrays import Floats, finite, sealed
from clockhead.model.units import Coordinate, Count, Difference, Length, Unit

Area: TypeAlias = Annotated[float, Unit("area between two curves")]

LEAST_STEP = 0.1
"""The least that a jump is high, and that two jumps are apart."""
_FREE = 0.5
"""What is seen beyond the outer jumps, as a share of the way between them."""


@dataclass(frozen=True)
class StepFunction:
    """`levels` from left to right, and the `jumps` between them.

    Raises ValueError unless there is one level more than jumps, and unless jumps come in order,
    with `LEAST_STEP` from one to the next and from each level to the next.
    """

    levels: tuple[float, ...] = (0.0, 1.0, -0.5, 0.5)
    jumps: tuple[float, ...] = (-0.5, 0.25, 1.0)

    def __post_init__(self) -> None:
        levels, jumps = finite("levels", self.levels, 1), finite("jumps", self.jumps, 1)
        if not len(jumps) or len(levels) != len(jumps) + 1:
            raise ValueError(
                f"levels must be one more than the jumps, got {len(levels)} levels and "
                f"{len(jumps)} jumps"
            )
        if len(jumps) > 1 and np.diff(jumps).min() < LEAST_STEP - 1e-9:
            raise ValueError(f"jumps must rise by {LEAST_STEP} or more each, got {self.jumps}")
        if np.abs(np.diff(levels)).min() < LEAST_STEP - 1e-9:
            raise ValueError(
                f"levels must each differ by {LEAST_STEP} or more from the one before, got "
                f"{self.levels}"
            )

    @property
    def n_jumps(self) -> Count:
        """How many jumps there are."""
        return len(self.jumps)

    @cached_property
    def heights(self) -> Floats:
        """How high each jump is, below 0 where it goes down; shape (n,)."""
        return sealed(np.diff(np.asarray(self.levels, dtype=float)))

    @property
    def sizes(self) -> Floats:
        """How high each jump is, up or down; shape (n,)."""
        return np.abs(self.heights)

    @property
    def total_height(self) -> Difference:
        """How high all jumps are together, up or down."""
        return float(np.abs(self.heights).sum())

    @property
    def largest_height(self) -> Difference:
        """How high the highest jump is, up or down."""
        return float(np.abs(self.heights).max())

    @property
    def least_gap(self) -> Length:
        """How far apart the two nearest jumps are; without end if there is one alone."""
        return float(np.diff(self.jumps).min()) if self.n_jumps > 1 else float("inf")

    # What is seen of it

    @property
    def span(self) -> tuple[Coordinate, Coordinate]:
        """From where to where it is drawn."""
        first, last = self.jumps[0], self.jumps[-1]
        free = _FREE * (last - first) if self.n_jumps > 1 else 1.0
        return first - free, last + free

    @cached_property
    def edges(self) -> Floats:
        """Where each level begins, and where the last one ends; shape (n + 2,)."""
        left, right = self.span
        return sealed(np.array([left, *self.jumps, right]))

    @cached_property
    def corners(self) -> Floats:
        """The two ends of each level as points, from left to right; shape (2 n + 2, 2)."""
        x = np.repeat(self.edges, 2)[1:-1]
        return sealed(np.column_stack([x, np.repeat(np.asarray(self.levels, dtype=float), 2)]))

    @cached_property
    def halfway(self) -> Floats:
        """The height halfway up, or down, each jump; shape (n,)."""
        levels = np.asarray(self.levels, dtype=float)
        return sealed((levels[1:] + levels[:-1]) / 2)

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


WAVE = StepFunction()
"""The modified square wave: up by 1, down by 1.5, up by 1."""
