"""Animate a weighted mean as areas: rows shrink to their weights and fill one row together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts import cells
from clockhead.scenes.parts.cells import Lattice, ShadedCells
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import Picture, Reading, Value
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.shape import fill_of

_SEAM = 0.028
"""Gap between two cells, in units."""
_RECTANGLE = 16
"""Number of points of a rectangle."""
_HAIR = 2e-3
"""Height up to which a piece is invisible, and not drawn, in units."""
_EXACT = 1e-6
"""Tolerance of the readings of heights."""


class Pour(Picture):
    """The weighted mean of a matrix's rows (R, C), with weights `shares` (R,) that add up to 1.

    It is drawn over the matrix, in place of its cells. `shrink` scales each row's height by its
    weight, `stack` moves the rows into `goal`, the region of one row, which they fill exactly, and
    `mix` blends their colours into those of `out` (C,), the weighted mean.

    Raises:
        ValueError: if the weights do not add up to 1, or `out` is not the weighted mean.
    """

    def __init__(self, source: Matrix, shares: Value, out: Value, goal: Region) -> None:
        super().__init__(source.value)
        blend = shares.array @ source.table
        if not (np.isclose(shares.array.sum(), 1) and np.allclose(out.array, blend)):
            raise ValueError(
                f"{out.name} is not the rows of {source.value.name} times their shares"
            )
        self._source, self._shares, self._out = source, shares, out
        self._from, self._to = source.lattice, Lattice(goal, 1, source.n_columns)
        self._cells = ShadedCells(source.ramp)
        self._shrunk, self._stacked, self._mixed = 0.0, 0.0, 0.0
        self.add(self._cells)
        source.open_to(np.zeros(source.table.shape))
        self._draw()

    def shrink(self, **options: Any) -> Drive:
        """Scale the height of every row by its weight."""

        def show(share: float) -> None:
            self._shrunk = share

        return self._drive(show, **options)

    def stack(self, **options: Any) -> Drive:
        """Move the rows on top of each other, so that they fill one row."""

        def show(share: float) -> None:
            self._stacked = share

        return self._drive(show, **options)

    def mix(self, **options: Any) -> Drive:
        """Blend the stacked colours into one."""

        def show(share: float) -> None:
            self._mixed = share

        return self._drive(show, **options)

    def show(self, state: NDArray[np.float64]) -> None:
        """Not supported: the matrix has to keep its values."""
        raise NotImplementedError("pouring rows cannot be animated to other values")

    def _drive(self, show: Callable[[float], None], **options: Any) -> Drive:
        def draw(share: NDArray[np.float64]) -> None:
            show(float(share))
            self._draw()

        return Drive(self, draw, 0.0, 1.0, **options)

    def _draw(self) -> None:
        table, shares = self._source.table, self._shares.array
        middle, half = self._boxes(shares)
        mixed = table + (self._out.array - table) * self._mixed
        scale = self._source.scale_now
        step = cells.steps(mixed, scale.low, scale.high)
        there = 2 * half[..., 1] > _HAIR
        self._cells.draw_between(middle - half, middle + half, step, there)

    def _boxes(self, shares: NDArray[np.float64]) -> tuple[Any, Any]:
        """Centres and half sizes of all pieces, (R, C, 2) each."""
        start, end, gone = self._from, self._to, self._stacked
        below = 1 - np.cumsum(shares) + shares / 2  # (R,), from the bottom of the row
        stripes = np.repeat(end.middles, len(shares), axis=0)  # (R, C, 2)
        stripes[..., 1] = (end.region.bottom + below * end.region.height)[:, None]
        middle = start.middles + (stripes - start.middles) * gone
        first = start.cell_height * (1 + (shares - 1) * self._shrunk) - _SEAM * (1 - self._shrunk)
        high = first + (end.cell_height * shares - first) * self._stacked  # (R,)
        wide = start.cell_width + (end.cell_width - start.cell_width) * self._stacked - _SEAM
        sizes = np.stack([np.full_like(high, wide), np.maximum(high, 0.0)], axis=-1)[
            :, None
        ]  # (R, 1, 2)
        return middle, np.broadcast_to(sizes / 2, middle.shape)

    def readings(self) -> Iterator[Reading]:
        """Compare the shade of every piece, and its height relative to a whole row."""
        scale = self._source.scale_now
        span = scale.high - scale.low
        middles, _ = self._boxes(self._shares.array)
        whole = (self._to if self._stacked else self._from).cell_height
        whole *= self._shrunk >= 1 and self._stacked in (0, 1)
        rows = np.repeat(np.arange(len(middles)), middles.shape[1])
        for path in self._cells.submobjects:
            step = self._cells.ramp.step_of(fill_of(path))
            for corners in path.points.reshape(-1, _RECTANGLE, 3)[..., :2]:
                low, high = corners.min(axis=0), corners.max(axis=0)
                away = np.abs(middles - (low + high) / 2).sum(axis=-1).ravel()
                near = int(away.argmin())
                n, j = int(rows[near]), near % middles.shape[1]
                says = scale.low + span * step / cells.SHADES
                if (meant := self._value_of(n, j)) is not None:
                    yield Reading(meant, says, span / cells.SHADES * 0.501)
                if whole and j == 0:
                    yield Reading(self._shares[n], (high[1] - low[1]) / whole, _EXACT)

    def _value_of(self, n: int, j: int) -> Value | None:
        """The value whose shade a piece should have; None while colours are blended."""
        if self._mixed in (0, 1):
            return self._out[j] if self._mixed else self._source.value[n, j]
        return None
