"""How rows leave the table of a vocabulary for the words of a text."""

from __future__ import annotations

from collections.abc import Iterator

from clockhead.model.arrays import Ints
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import Picture, Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import Region

_RESTS = 0.02
"""How far from the middle of its row a frame still counts as resting there, in rows."""


class RowMark(Picture):
    """A frame around the row of a table that a token fetches: the tokens (T,), and their `rows`."""

    def __init__(self, tokens: Value, rows: Ints, table: Matrix) -> None:
        super().__init__(tokens)
        self._rows, self._table = rows.tolist(), table
        self.regions = [table.row(row) for row in self._rows]
        self.frame = CellFrame(self.regions[0])
        self.add(self.frame)

    def readings(self) -> Iterator[Reading]:
        """The word of the row that it stands around, while it rests on one that is fetched."""
        row, _ = self._table.lattice.at(self.frame.region.center)
        at = round(row)
        if is_visible(self.frame) and abs(row - at) < _RESTS and at in self._rows:
            yield Reading(self.shown[self._rows.index(at)], self._table.row_labels[at].text)


def only_row(matrix: Matrix, i: int, row: Region) -> Matrix:
    """The matrix with nothing to be seen but row i, which lies on a row of another one."""
    high, n = row.height, matrix.n_rows
    top = row.top + i * high
    matrix.place_cells(Region(row.left, top - n * high, row.right, top))
    matrix.fade_lines(0.0)
    return matrix.empty(*(k for k in range(n) if k != i))
