"""Scores that are computed step by step: cells come, and shrink and swell if they come again."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from manim import linear
from numpy.typing import NDArray

from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import Reading, Value
from clockhead.scenes.stage.shown import Readings
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive

_LEAST, _MOST = 1.9, 4.9
"""The sides of the triangle."""
_FAINTEST = 0.3
"""How bright a cell is that was computed once, where the brightest is 1."""
_SHRINK = 0.45
"""How much a cell shrinks before it is computed again."""


class Counted(Matrix):
    """How often each score has been computed, (steps, T, T); one that never was is not there.

    `rows` (steps, T) says whose rows each step computes. It begins with the first step done.
    """

    def __init__(self, times: Value, rows: Value) -> None:
        n_steps, n = rows.array.shape
        super().__init__(
            times[0],
            role="token",
            low=1 - (n_steps - 1) * _FAINTEST / (1 - _FAINTEST),
            high=float(n_steps),
            mask="causal",
            least_cell=_LEAST / n,
            most_cell=_MOST / n,
            aspect=(1.0, 1.0),
        )
        self._times, self._rows = times, rows.array.astype(bool)
        self.open_to(times[0].array)

    def run(self, start: int, end: int, *, run_time: float) -> Drive:
        """Go on from step to step."""
        ways = float(start), float(end)
        return Drive(
            self, lambda at: self._go_to(float(at)), *ways, run_time=run_time, rate_func=linear
        )

    def regions(self) -> list[Region]:
        """The rows that each step computes, up to the cell of their own key."""
        rows = [np.flatnonzero(step) for step in self._rows]
        return [self.block(int(row[0]), 0, len(row), int(row[-1]) + 1) for row in rows]

    def read_together(self) -> Iterator[Reading | Readings]:
        """The shades, and that cells which are there, and no others, have been computed."""
        yield from super().read_together()
        sizes, counts = self.opened, self.table
        for i, j in np.argwhere(np.where(counts > 0, sizes == 0, sizes == 1)):
            yield Reading(self.meant(int(i), int(j)), "there" if sizes[i, j] else "not there")

    def _go_to(self, place: float) -> None:
        """Be so far: 0 after the first step, and so on."""
        last, share = int(place), place - int(place)
        self.set_to(self._times[last])
        known: NDArray[np.float64] = self._times.array[last] > 0
        sizes = known.astype(float)
        if share:
            again = 1 - _SHRINK * np.sin(np.pi * share)
            computed = self._rows[last + 1][:, None] & np.tri(self.n_rows, dtype=np.bool_)
            sizes = np.where(computed, np.where(known, again, share), sizes)
        self.open_to(sizes)
