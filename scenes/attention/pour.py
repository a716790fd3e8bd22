"""Rows that shrink to their shares and pour into one row: a weighted mean, made of areas."""

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
_RECTANGLE = 16
"""Points of a rectangle."""
_HAIR, _EXACT = 2e-3, 1e-6
"""Heights, in units: of what cannot be seen, and what cannot be told apart."""


class Pour(Picture):
    """The rows of a matrix (R, C), each of which has a share (R,); the shares add up to 1.

    It lies over the matrix, whose cells it takes away. Rows `shrink` until they are as high as
    their shares, `go` to lie on each other in the region `goal`, of one row, which they fill since
    the shares add up to 1, and `mix` into `out` (C,), the sum of rows times shares.

    Raises:
        ValueError: where the shares do not add up to 1, or `out` is not that sum.
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
        self._shrunk, self._gone, self._mixed = 0.0, 0.0, 0.0
        self.add(self._cells)
        source.open_to(np.zeros(source.table.shape))
        self._draw()

    # How it moves

    def shrink(self, **options: Any) -> Drive:
        """Let every row become as high as its share."""

        def show(share: float) -> None:
            self._shrunk = share

        return self._drive(show, **options)

    def go(self, **options: Any) -> Drive:
        """Let the rows go to where they fill one row together."""

        def show(share: float) -> None:
            self._gone = share

        return self._drive(show, **options)

    def mix(self, **options: Any) -> Drive:
        """Let what lies on each other become one colour."""

        def show(share: float) -> None:
            self._mixed = share

        return self._drive(show, **options)

    def show(self, state: NDArray[np.float64]) -> None:
        """They do not run."""
        raise NotImplementedError("rows that pour do not run to other values")

    def _drive(self, show: Callable[[float], None], **options: Any) -> Drive:
        def draw(share: NDArray[np.float64]) -> None:
            show(float(share))
            self._draw()

        return Drive(self, draw, 0.0, 1.0, **options)

    # How it is drawn

    def _draw(self) -> None:
        table, shares = self._source.table, self._shares.array
        middle, half = self._boxes(shares)
        mixed = table + (self._out.array - table) * self._mixed
        scale = self._source.scale_now
        step = cells.steps(mixed, scale.low, scale.high)
        there = 2 * half[..., 1] > _HAIR
        self._cells.draw_between(middle - half, middle + half, step, there)

    def _boxes(self, shares: NDArray[np.float64]) -> tuple[Any, Any]:
        """The middle and half the size of every piece, (R, C, 2) each."""
        start, end, gone = self._from, self._to, self._gone
        below = 1 - np.cumsum(shares) + shares / 2  # (R,), from the foot of the row
        stripes = np.repeat(end.middles, len(shares), axis=0)  # (R, C, 2)
        stripes[..., 1] = (end.region.bottom + below * end.region.height)[:, None]
        middle = start.middles + (stripes - start.middles) * gone
        first = start.cell_height * (1 + (shares - 1) * self._shrunk) - _SEAM * (1 - self._shrunk)
        high = first + (end.cell_height * shares - first) * self._gone  # (R,)
        wide = start.cell_width + (end.cell_width - start.cell_width) * self._gone - _SEAM
        sizes = np.stack([np.full_like(high, wide), np.maximum(high, 0.0)], axis=-1)[
            :, None
        ]  # (R, 1, 2)
        return middle, np.broadcast_to(sizes / 2, middle.shape)

    def readings(self) -> Iterator[Reading]:
        """The shade of every piece, and its height against that of a whole row."""
        scale = self._source.scale_now
        span = scale.high - scale.low
        middles, _ = self._boxes(self._shares.array)
        whole = (self._to if self._gone else self._from).cell_height
        whole *= self._shrunk >= 1 and self._gone in (0, 1)
        rows = np.repeat(np.arange(len(middles)), middles.shape[1])
        for path in self._cells.submobjects:
            step = self._cells.ramp.step_of(fill_of(path))
            for corners in path.points.reshape(-1, _RECTANGLE, 3)[..., :2]:
                low, high = corners.min(axis=0), corners.max(axis=0)
                away = np.abs(middles - (low + high) / 2).sum(axis=-1).ravel()
                near = int(away.argmin())
                n, j = int(rows[near]), near % middles.shape[1]
                says = scale.low + span * step / cells.SHADES
                if (meant := self._meant(n, j)) is not None:
                    yield Reading(meant, says, span / cells.SHADES * 0.501)
                if whole and j == 0:
                    yield Reading(self._shares[n], (high[1] - low[1]) / whole, _EXACT)

    def _meant(self, n: int, j: int) -> Value | None:
        """What a piece stands for, unless it is being mixed."""
        if self._mixed in (0, 1):
            return self._out[j] if self._mixed else self._source.value[n, j]
        return None
