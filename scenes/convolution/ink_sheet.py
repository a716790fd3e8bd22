"""The picture that is read: a sheet of pixels, whose ink can slide over it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts import cells
from clockhead.scenes.parts.cells import ShadedCells
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import Reading, Value
from clockhead.scenes.stage.shown import Passing, Readings
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive

_SEAM = 0.028
_NUMBER, _SQUARE = 34.0, (0.95, 1.05)
_NEAR = 0.02


class Sheet(Matrix):
    """Pixels, (H, W), as shades from blank to the most ink there is."""

    def __init__(self, value: Value, *, digits: bool = False) -> None:
        most = float(value.array.max())
        spec = (".0f",) if digits else ()
        look: dict[str, Any] = {"spec": spec, "most_number": _NUMBER, "numbers_in_motion": digits}
        super().__init__(value, role="token", low=0.0, high=most, aspect=_SQUARE, **look)
        self._ink: ShadedCells | None = None
        self._source, self._columns = value, 0.0

    def slide(
        self, source: Value, start: int, end: int, goal: Value, *, run_time: float = 1.2
    ) -> Drive:
        """Let the ink of `source` go on from `start` columns to its right to `end` columns.

        There it is the ink of `goal`; what reaches beyond the sheet is cut off.
        """
        blank = np.zeros_like(goal.array)
        most = np.full_like(blank, max(float(source.array.max()), 0.0))

        def show(share: NDArray[np.float64]) -> None:
            assert self._ink is not None
            self.numbers_in_motion = False
            if share >= 1:
                self._ink.submobjects = []
                self.draw_at(self.scale_now, 1.0)
                self.set_to(goal)
                return
            self.shown = Passing(self.value, goal, blank, most, blank)
            self.draw_at(self.scale_now, 0.0)
            self.show(blank)
            self._draw_ink(source, start + (end - start) * float(share))

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def read_together(self) -> Iterator[Reading | Readings]:
        """As of any matrix; and of ink on its way, where it lies whole on the sheet."""
        yield from super().read_together()
        if self._ink is None or not self._ink.submobjects:
            return
        lattice, scale = self.lattice, self.scale_now
        span = scale.high - scale.low
        area, half = lattice.region, lattice.cell_width / 2
        for middle, step in zip(*self._ink.seen(), strict=True):
            if area.left + half < middle[0] < area.right - half:
                row, column = lattice.at(middle)
                column -= self._columns
                meant = self._source[round(row), min(max(round(column), 0), self.n_columns - 1)]
                says = scale.low + span * step / cells.SHADES
                yield Reading(meant, says, span / cells.SHADES * 0.501)
                if abs(column - round(column)) > _NEAR:
                    yield Reading(meant, "beside its way")

    def _draw(self, area: Region, angle: float, size: float) -> None:
        super()._draw(area, angle, size)
        self._ink = ShadedCells(self.ramp)
        self.add(self._ink)

    def _draw_ink(self, source: Value, columns: float) -> None:
        assert self._ink is not None
        lattice, ink = self.lattice, source.array
        self._source, self._columns = source, columns
        middles = lattice.middles + np.array([columns * lattice.cell_width, 0.0])
        half = np.array([lattice.cell_width - _SEAM, lattice.cell_height - _SEAM]) / 2
        low, high = middles - half, middles + half
        for edge in (low, high):
            edge[..., 0] = np.clip(edge[..., 0], lattice.region.left, lattice.region.right)
        step = cells.steps(ink, self.scale_now.low, self.scale_now.high)
        there = (ink > 0) & (high[..., 0] > low[..., 0])
        self._ink.draw_between(low, high, step, there)
