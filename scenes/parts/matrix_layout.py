"""Cells with words beside and over them: how large they must be, and where they come to lie."""

from __future__ import annotations

from dataclasses import dataclass

from clockhead.scenes.parts.cell_labels import Headings
from clockhead.scenes.parts.cells import Brackets
from clockhead.scenes.stage import Size
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.type import LABEL, MIN_SIZE

_SIZES = (LABEL, 20.0, MIN_SIZE)


@dataclass(kw_only=True)
class MatrixLayout:
    """How the cells of a matrix and the words around them share a region.

    Cells are between `aspect` times as high as wide, whatever it takes where that is None. `turns`
    are the angles, in degrees, at which the words over the columns may stand, the best first.
    """

    n_rows: int
    n_columns: int
    row_names: Headings | None
    column_names: Headings | None
    has_brackets: bool
    least_cell: Size
    most_cell: float
    aspect: tuple[float, float] | None
    turns: tuple[float, ...]

    @property
    def least(self) -> Size:
        cell = self.least_cell
        left, above = self._room(self.angle(cell.width), MIN_SIZE)
        return Size(left + self.n_columns * cell.width, above + self.n_rows * cell.height)

    @property
    def most(self) -> Size:
        side = self.most_cell
        left, above = self._room(self.angle(side), LABEL)
        return Size(left + self.n_columns * side, above + self.n_rows * side)

    @property
    def names(self) -> list[Headings]:
        """The words beside the rows, and those over the columns, where there are any."""
        return [names for names in (self.row_names, self.column_names) if names is not None]

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

    def angle_over(self, cells: Region) -> float:
        """The angle of the words over columns that fill a region."""
        return self.angle(cells.width / self.n_columns)

    def margins(self, pitch: float, size: float) -> tuple[float, float]:
        """What words, so large, and brackets need beside and over columns that are so wide."""
        angle = self.angle(pitch)
        left, above = self._room(angle, size)
        return left - self._room_beyond(angle, size)[0], above

    def angle(self, pitch: float) -> float:
        """The angle of the words over columns that are so wide."""
        names = self.column_names
        return 0.0 if names is None else names.angle_in(pitch, self.turns)

    def _room(self, angle: float, size: float) -> tuple[float, float]:
        """All that words and brackets need beside and over the cells, on both sides."""
        side = Brackets.room if self.has_brackets else 0.0
        left = self.row_names.room(0.0, size) if self.row_names is not None else 0.0
        above = self.column_names.room(angle, size) if self.column_names is not None else 0.0
        return left + side + self._room_beyond(angle, size)[0], above + side

    def _room_beyond(self, angle: float, size: float) -> tuple[float, float]:
        """What of it lies to the right of the cells, and below them."""
        side = Brackets.room if self.has_brackets else 0.0
        names = self.column_names
        return side + (names.overhang(angle, size) if names is not None else 0.0), side / 2

    def _fits(self, region: Region, size: float) -> bool:
        """Whether words of a size leave the cells their least room in a region."""
        width, height, _ = self._fit(region, size)
        return width >= self.least_cell.width and height >= self.least_cell.height

    def _fit(self, region: Region, size: float) -> tuple[float, float, float]:
        """Width and height of a cell in a region, and the angle of the words over them."""
        width, height = self._within(region, 0.0, size)
        angle = self.angle(width)
        if angle:
            width, height = self._within(region, angle, size)
        return width, height, angle

    def _within(self, region: Region, angle: float, size: float) -> tuple[float, float]:
        """Width and height of a cell if the words over the columns stand at an angle."""
        left, above = self._room(angle, size)
        width = min(self.most_cell, (region.width - left) / self.n_columns)
        height = min(self.most_cell, (region.height - above) / self.n_rows)
        if self.aspect is not None:
            height = min(height, self.aspect[1] * width)
            width = min(width, height / self.aspect[0])
        return width, height
