"""Cells with words beside and over them: how large they must be, and where they come to lie."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.cell_labels import Headings
from clockhead.scenes.parts.cells import Brackets, Hatching, Lattice, Rules
from clockhead.scenes.stage import Picture, Size, Value
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.type import LABEL, MIN_SIZE

_SIZES = (LABEL, 20.0, MIN_SIZE)


class MatrixLayout(Picture):
    """The rules between the cells, the hatching of those that are `hidden`, and the words.

    Cells are between `aspect` times as high as wide, whatever it takes where that is None. `turns`
    are the angles, in degrees, at which the words over the columns may stand, the best first.
    """

    def __init__(
        self,
        value: Value,
        hidden: NDArray[np.bool_],
        *,
        rows: Value | None,
        columns: Value | None,
        positions: bool,
        brackets: bool,
        least_cell: float | Size,
        most_cell: float,
        aspect: tuple[float, float] | None,
        turns: Sequence[float],
    ) -> None:
        super().__init__(value)
        self.hidden = hidden
        self.n_rows, self.n_columns = hidden.shape
        self._row_names: Headings | None = None
        self._column_names: Headings | None = None
        if rows is not None:
            self._row_names = Headings(rows, positions=positions, is_row=True)
        if columns is not None:
            self._column_names = Headings(columns, positions=positions, is_row=False)
        self._has_brackets = brackets
        least = least_cell if isinstance(least_cell, Size) else Size(least_cell, least_cell)
        self._least_cell, self._most_cell, self._aspect = least, most_cell, aspect
        self._turns = tuple(turns)
        self._rules: Rules | None = None

    @property
    def least(self) -> Size:
        cell = self._least_cell
        left, above = self._room(self._angle(cell.width), MIN_SIZE)
        return Size(left + self.n_columns * cell.width, above + self.n_rows * cell.height)

    @property
    def most(self) -> Size:
        side = self._most_cell
        left, above = self._room(self._angle(side), LABEL)
        return Size(left + self.n_columns * side, above + self.n_rows * side)

    def place(self, region: Region) -> None:
        """Stand in the middle of a region, words and all."""
        self._draw(*self.spot_in(region))

    def spot_in(self, region: Region) -> tuple[Region, float, float]:
        """Where in a region the cells would stand, the angle of the words over them, their size."""
        size = next((s for s in _SIZES if self._fits(region, s)), MIN_SIZE)
        width, height, angle = self._fit(region, size)
        left, above = self._room(angle, size)
        right, below = self._room_beyond(angle, size)
        wide, high = self.n_columns * width, self.n_rows * height
        x = region.center[0] - (left + wide) / 2 + left - right
        y = region.center[1] - (above + high) / 2 + below
        return Region(x, y, x + wide, y + high), angle, size

    def place_cells(self, region: Region, *, size: float = LABEL) -> None:
        """Let the cells fill a region; the words, at most so large, stand outside of it."""
        self._draw(region, self.angle_over(region), size)

    def angle_over(self, cells: Region) -> float:
        """The angle of the words over columns that fill a region."""
        return self._angle(cells.width / self.n_columns)

    def margins(self, pitch: float, size: float) -> tuple[float, float]:
        """What words, so large, and brackets need beside and over columns that are so wide."""
        angle = self._angle(pitch)
        left, above = self._room(angle, size)
        return left - self._room_beyond(angle, size)[0], above

    def lie(self, cells: Region) -> None:
        """Let rules, hatching and brackets move to where the cells fill a region."""
        for old, new in zip(self._lines, self._lines_in(cells), strict=True):
            for piece, other in zip(old.get_family(), new.get_family(), strict=True):
                piece.set_points(other.points)

    @property
    def placed(self) -> bool:
        """Whether it has been drawn."""
        return self._rules is not None

    @property
    def lattice(self) -> Lattice:
        """Where its cells are now, wherever it has been moved.

        Raises:
            RuntimeError: when it has not been placed.
        """
        if self._rules is None:
            raise RuntimeError("the matrix has no cells before it is placed")
        return Lattice(self._rules.region, self.n_rows, self.n_columns)

    def cell(self, i: int, j: int) -> Region:
        """Cell (i, j)."""
        return self.lattice.block(i, j)

    def row(self, i: int) -> Region:
        """All cells of row i."""
        return self.lattice.block(i, 0, 1, self.n_columns)

    def column(self, j: int) -> Region:
        """All cells of column j."""
        return self.lattice.block(0, j, self.n_rows, 1)

    def block(self, i: int, j: int, n_rows: int, n_columns: int) -> Region:
        """The cells from (i, j) on, so many down and to the right."""
        return self.lattice.block(i, j, n_rows, n_columns)

    @property
    def row_labels(self) -> list[Label]:
        """The words beside the rows, so that they can be coloured."""
        return self._row_names.labels if self._row_names is not None else []

    @property
    def column_labels(self) -> list[Label]:
        """The words over the columns."""
        return self._column_names.labels if self._column_names is not None else []

    @property
    def _names(self) -> list[Headings]:
        return [names for names in (self._row_names, self._column_names) if names is not None]

    def _draw(self, area: Region, angle: float, size: float) -> None:
        """Draw rules, hatching and words, the cells filling an area."""
        self._lines = self._lines_in(area)
        self._rules = self._lines[0]
        self.add(*self._lines)
        lattice = self.lattice
        for names in self._names:
            names.place(lattice, angle, size)
            self.add(names)

    def _lines_in(self, area: Region) -> tuple[Rules, *tuple[VMobject, ...]]:
        """Rules, hatching and brackets of cells that fill an area."""
        lattice = Lattice(area, self.n_rows, self.n_columns)
        brackets = (Brackets(lattice),) if self._has_brackets else ()
        return Rules(lattice), Hatching(lattice, self.hidden), *brackets

    def _angle(self, pitch: float) -> float:
        names = self._column_names
        return 0.0 if names is None else names.angle_in(pitch, self._turns)

    def _room(self, angle: float, size: float) -> tuple[float, float]:
        """All that words and brackets need beside and over the cells, on both sides."""
        side = Brackets.room if self._has_brackets else 0.0
        left = self._row_names.room(0.0, size) if self._row_names is not None else 0.0
        above = self._column_names.room(angle, size) if self._column_names is not None else 0.0
        return left + side + self._room_beyond(angle, size)[0], above + side

    def _room_beyond(self, angle: float, size: float) -> tuple[float, float]:
        """What of it lies to the right of the cells, and below them."""
        side = Brackets.room if self._has_brackets else 0.0
        names = self._column_names
        return side + (names.overhang(angle, size) if names is not None else 0.0), side / 2

    def _fits(self, region: Region, size: float) -> bool:
        """Whether words of a size leave the cells their least room in a region."""
        width, height, _ = self._fit(region, size)
        return width >= self._least_cell.width and height >= self._least_cell.height

    def _fit(self, region: Region, size: float) -> tuple[float, float, float]:
        """Width and height of a cell in a region, and the angle of the words over them."""
        width, height = self._within(region, 0.0, size)
        angle = self._angle(width)
        if angle:
            width, height = self._within(region, angle, size)
        return width, height, angle

    def _within(self, region: Region, angle: float, size: float) -> tuple[float, float]:
        """Width and height of a cell if the words over the columns stand at an angle."""
        left, above = self._room(angle, size)
        width = min(self._most_cell, (region.width - left) / self.n_columns)
        height = min(self._most_cell, (region.height - above) / self.n_rows)
        if self._aspect is not None:
            height = min(height, self._aspect[1] * width)
            width = min(width, height / self._aspect[0])
        return width, height
