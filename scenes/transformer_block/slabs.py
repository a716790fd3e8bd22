"""The slab of W_O that each head has: its name, and frames around what it meets and makes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

import numpy as np
from manim import Animation, Create
from numpy.typing import NDArray

from scenes.parts.cell_outlines import CellFrame
from scenes.parts.cells import Lattice
from scenes.parts.matrix import Matrix
from scenes.stage import Picture, Reading, Value
from scenes.stage.shown import Passing
from scenes.style.layout import PX, Region
from scenes.style.text import Label
from scenes.style.theme import theme
from scenes.style.type import LABEL, X_HEIGHT

_BESIDE = 0.12
"""Between a slab and its name, in units."""
_CENTRED, _WITHIN = 0.02, 1e-6


class SlabNames(Picture):
    """Beside the rows of W_O that a head has, (h d_head, d_model): which head it is."""

    def __init__(self, weights: Matrix, n_heads: int) -> None:
        super().__init__(weights.value)
        self._weights, self._n = weights, n_heads
        for k in range(n_heads):
            slab = self._slabs.block(k, 0)
            label = Label(f"head {k}", size=LABEL, color=theme().muted, align="right")
            middle = np.array([slab.left - _BESIDE, slab.center[1], 0.0])
            self.add(label.put(middle - np.array([0.0, X_HEIGHT / 2 * LABEL * PX, 0.0])))

    def show(self, state: NDArray[np.float64]) -> NoReturn:
        """They do not run."""
        raise NotImplementedError("names do not run to another value")

    def readings(self) -> Iterator[Reading]:
        """Which head has the slab that a name stands beside."""
        for label in self.submobjects:
            assert isinstance(label, Label)
            slab = self._slabs.nearest(label.middle)[0]
            rows, at = self._weights.value, np.array(float(slab))
            # The number of a head is no value of the model, but the index of its slab.
            yield Reading(Passing(rows, rows, at, at, at), float(label.text.split()[-1]))

    @property
    def _slabs(self) -> Lattice:
        return Lattice(self._weights.lattice.region, self._n, 1)


class SlabFrames(Picture):
    """Around some columns of a row of `left`, so many rows of `right`, and a row of `out`.

    What they say is read back: the framed parts, multiplied, are added to what is there `before`,
    (n, p), which gives the framed row of `total`.
    """

    def __init__(
        self,
        matrices: tuple[Matrix, Matrix, Matrix],
        columns: slice,
        total: Value,
        before: NDArray[np.float64] | None = None,
    ) -> None:
        super().__init__(total)
        self._matrices, self._total = matrices, total
        self._before = np.zeros(total.array.shape) if before is None else before
        left, right, out = matrices
        first, many = columns.start, columns.stop - columns.start
        self._parts = [left.block(m, first, 1, many) for m in range(left.n_rows)]
        self._rows = [out.row(m) for m in range(out.n_rows)]
        slab = right.block(first, 0, many, right.n_columns)
        self._frames = [CellFrame(region) for region in (self._parts[0], slab, self._rows[0])]
        self.add(*self._frames)

    def come(self) -> list[Animation]:
        """Let them be drawn."""
        return [Create(frame, run_time=0.4) for frame in self._frames]

    def go_down(self, *, run_time: float) -> list[Animation]:
        """Let them go down the rows."""
        part, _, row = self._frames
        return [
            frame.trace(*stops[1:], run_time=run_time)
            for frame, stops in ((part, self._parts), (row, self._rows))
        ]

    def show(self, state: NDArray[np.float64]) -> NoReturn:
        """They do not run."""
        raise NotImplementedError("frames do not run to another value")

    def readings(self) -> Iterator[Reading]:
        """The framed row of the total, from what the frames stand around."""
        stands = [
            _cells(matrix.lattice, frame.region)
            for matrix, frame in zip(self._matrices, self._frames, strict=True)
            if len(frame.points)
        ]
        if len(stands) < len(self._frames) or any(stand is None for stand in stands):
            return
        part, slab, row = (stand for stand in stands if stand is not None)
        left, right, _ = (matrix.table for matrix in self._matrices)
        if right[slab].shape[0] != left[part].shape[1]:
            yield Reading(self._total[row[0].start, 0], "parts that do not fit")
            return
        says = left[part] @ right[slab] + self._before[part[0]]  # (1, p)
        for j, number in enumerate(says[0]):
            yield Reading(self._total[row[0].start, j], float(number), _WITHIN)


def _cells(lattice: Lattice, region: Region) -> tuple[slice, slice] | None:
    """The rows and the columns that a region holds; None where it cuts through cells."""
    half = np.array([lattice.cell_width, -lattice.cell_height, 0.0]) / 2
    first = np.array(lattice.at(region.point(0, 1) + half))
    last = np.array(lattice.at(region.point(1, 0) - half))
    whole = [np.rint(first).astype(int), np.rint(last).astype(int)]
    if max(np.abs(first - whole[0]).max(), np.abs(last - whole[1]).max()) > _CENTRED:
        return None
    (i, j), (i_last, j_last) = whole[0].tolist(), whole[1].tolist()
    return slice(i, i_last + 1), slice(j, j_last + 1)
