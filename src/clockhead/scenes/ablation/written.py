"""What heads write, read back: blends in their columns, a framed slab, and what all of it makes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.cells import Lattice
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import Picture, Reading, Value
from clockhead.scenes.stage.shown import is_visible

_WITHIN = 1e-6
_OFF = 0.02
"""How far from their cells, in cells, blends still count as lying there."""


class Written(Picture):
    """Watches three matrices: joined blends (T, w), W_O (w, d), and what is `written` (T, d).

    `blends` are those of each head on their way to their columns; a `frame`, once it is set, stands
    around the rows by which what is `framed` (T, d) is written. It draws nothing.
    """

    def __init__(
        self, written: Value, matrices: Sequence[Matrix], blends: Sequence[Matrix], framed: Value
    ) -> None:
        super().__init__(written)
        self._left, self._right, self._out = matrices
        self._joined, self._weights = self._left.value, self._right.value
        self._blends, self._framed = blends, framed
        self.frame: CellFrame | None = None

    def show(self, state: NDArray[np.float64]) -> NoReturn:
        """It does not run."""
        raise NotImplementedError("what is watched runs by itself")

    def readings(self) -> Iterator[Reading]:
        """Blends by the columns they lie in, the framed slab, and the product of what is left."""
        for blend in self._blends:
            first = self._left.lattice.at(blend.lattice.middles[0, 0])
            if is_visible(blend) and np.abs(np.subtract(first, np.rint(first))).max() < _OFF:
                yield from _inside(blend, self._left.lattice, self._joined)
        yield from self._slab()
        parts = self._left, self._right, self._out
        if not all(isinstance(m.shown, Value) and np.isin(m.opened, (0, 1)).all() for m in parts):
            return
        left, right = (matrix.table * matrix.opened for matrix in parts[:2])
        for place in np.argwhere(self._out.opened):
            i, j = place.tolist()
            yield Reading(self._out.value[i, j], float((left @ right)[i, j]), _WITHIN)

    def _slab(self) -> Iterator[Reading]:
        """What the framed rows of W_O write, if rows of it are framed."""
        if self.frame is None or not len(self.frame.points):
            return
        lattice, region = self._right.lattice, self.frame.region
        half = np.array([lattice.cell_width, -lattice.cell_height, 0.0]) / 2
        i, j = lattice.at(region.point(0, 1) + half)
        i_last, _ = lattice.at(region.point(1, 0) - half)
        if max(abs(j), abs(i - round(i)), abs(i_last - round(i_last))) > _OFF:
            return
        rows = slice(round(i), round(i_last) + 1)
        says = self._joined.array[:, rows] @ self._weights.array[rows]  # (T, d)
        for m, n in np.ndindex(says.shape):
            yield Reading(self._framed[m, n], float(says[m, n]), _WITHIN)


def _inside(part: Matrix, lattice: Lattice, whole: Value) -> Iterator[Reading]:
    """The numbers of a matrix, by the cells of another that they lie in."""
    at, inner = part.table, part.lattice
    top, left = lattice.nearest(inner.middles[0, 0])
    for i, j in np.ndindex(at.shape):
        if 0 <= top + i < lattice.n_rows and 0 <= left + j < lattice.n_columns:
            yield Reading(whole[top + i, left + j], float(at[i, j]))
