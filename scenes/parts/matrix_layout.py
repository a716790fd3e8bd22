"""Layout of cells with names to the left and above: their minimum size, and their position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from manim import ORIGIN
from numpy.typing import NDArray

from clockhead.scenes.parts.cells import Brackets, Lattice
from clockhead.scenes.stage import Size
from clockhead.scenes.stage.shown import Passing, Reading, Value, is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.shape import Shapes
from clockhead.scenes.style.text import Align, Label, text_width
from clockhead.scenes.style.type import LABEL, MIN_SIZE, X_HEIGHT, spread

_SIZES = (LABEL, 20.0, MIN_SIZE)
GAP = 0.12
"""Gap between labels and cells, in units."""
_LINE = 1.05
"""Height of a line of labels, in ems."""
_BETWEEN = 0.08
"""Minimum gap between the labels of two columns, in units."""


@dataclass(kw_only=True)
class MatrixLayout:
    """How the cells of a matrix and the names around them share a region.

    The ratio of a cell's height to its width is within `aspect`, or any if that is None. `turns`
    are the possible angles of the column names, in degrees, the best first.
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
        """The names of the rows and of the columns, if there are any."""
        return [names for names in (self.row_names, self.column_names) if names is not None]

    def spot_in(self, region: Region) -> tuple[Region, float, float]:
        """The region of the cells within a region, and angle and size of the column names."""
        size = next((s for s in _SIZES if self._fits(region, s)), MIN_SIZE)
        width, height, angle = self._fit(region, size)
        left, above = self._room(angle, size)
        right, below = self._room_beyond(angle, size)
        wide, high = self.n_columns * width, self.n_rows * height
        x = region.center[0] - (left + wide) / 2 + left - right
        y = region.center[1] - (above + high) / 2 + below
        return Region(x, y, x + wide, y + high), angle, size

    def angle_over(self, cells: Region) -> float:
        """The angle of the names over columns that fill a region."""
        return self.angle(cells.width / self.n_columns)

    def margins(self, pitch: float, size: float) -> tuple[float, float]:
        """Space for names of this size and brackets, left of and above columns of this width."""
        angle = self.angle(pitch)
        left, above = self._room(angle, size)
        return left - self._room_beyond(angle, size)[0], above

    def angle(self, pitch: float) -> float:
        """The angle of the names over columns of this width."""
        names = self.column_names
        return 0.0 if names is None else names.angle_in(pitch, self.turns)

    def _room(self, angle: float, size: float) -> tuple[float, float]:
        """Space for names and brackets, horizontally and vertically, both sides together."""
        side = Brackets.room if self.has_brackets else 0.0
        left = self.row_names.room(0.0, size) if self.row_names is not None else 0.0
        above = self.column_names.room(angle, size) if self.column_names is not None else 0.0
        return left + side + self._room_beyond(angle, size)[0], above + side

    def _room_beyond(self, angle: float, size: float) -> tuple[float, float]:
        """The part of this space that is to the right of the cells, and below them."""
        side = Brackets.room if self.has_brackets else 0.0
        names = self.column_names
        return side + (names.overhang(angle, size) if names is not None else 0.0), side / 2

    def _fits(self, region: Region, size: float) -> bool:
        """Whether names of this size leave enough space for the cells in a region."""
        width, height, _ = self._fit(region, size)
        return width >= self.least_cell.width and height >= self.least_cell.height

    def _fit(self, region: Region, size: float) -> tuple[float, float, float]:
        """Width and height of a cell in a region, and the angle of the column names."""
        width, height = self._within(region, 0.0, size)
        angle = self.angle(width)
        if angle:
            width, height = self._within(region, angle, size)
        return width, height, angle

    def _within(self, region: Region, angle: float, size: float) -> tuple[float, float]:
        """Width and height of a cell if the column names are at this angle."""
        left, above = self._room(angle, size)
        width = min(self.most_cell, (region.width - left) / self.n_columns)
        height = min(self.most_cell, (region.height - above) / self.n_rows)
        if self.aspect is not None:
            height = min(height, self.aspect[1] * width)
            width = min(width, height / self.aspect[0])
        return width, height


class TurnedLabel(Label):
    """A line of text at an angle in degrees, running upwards from its start."""

    def __init__(self, text: str, angle: float, *, size: float, color: str | None = None) -> None:
        self.angle = np.radians(angle)
        super().__init__(text, size=size, color=color)
        self.rotate(self.angle, about_point=ORIGIN)

    @property
    def em(self) -> float:
        """The em, whatever the angle."""
        return spread(self.points) / max(self._outline.spread, 1e-9)

    @property
    def anchor(self) -> NDArray[np.float64]:
        """The start of the line, on its baseline."""
        x, y, _ = self._outline.points[0] * self.em
        along, across = self._axes
        return np.array(self.points[0] - x * along - y * across)

    @property
    def middle(self) -> NDArray[np.float64]:
        """The middle of the line, half the x-height above its baseline."""
        along, across = self._axes
        half = self._outline.advance / 2 * self.em
        return np.array(self.anchor + half * along + X_HEIGHT / 2 * self.em * across)

    @property
    def foot(self) -> NDArray[np.float64]:
        """The start of the line, half the x-height above its baseline."""
        return np.array(self.anchor + X_HEIGHT / 2 * self.em * self._axes[1])

    @property
    def _axes(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        cos, sin = np.cos(self.angle), np.sin(self.angle)
        return np.array([cos, sin, 0.0]), np.array([-sin, cos, 0.0])


class Headings(Shapes):
    """The labels of the rows or the columns, in order; with `positions`, also their numbers.

    They are read back: the label at a row must be that row's element of `words`.
    """

    def __init__(self, words: Value, *, positions: bool, is_row: bool) -> None:
        super().__init__()
        self.words, self._positions, self._is_row = words, positions, is_row
        self._texts = [str(word) for word in words.content]
        self.labels: list[Label] = []
        self.places: list[Label] = []

    def room(self, angle: float, size: float = LABEL) -> float:
        """Space that the labels need next to the cells, in units."""
        longest = max(text_width(text, size) for text in self._texts)
        line = _LINE * size * PX
        if self._is_row:
            return longest + GAP + self._room_of_places(size)
        slope = np.radians(angle)
        turned = float(longest * np.sin(slope) + line * np.cos(slope))
        return GAP + turned + self._room_of_places(size)

    def overhang(self, angle: float, size: float = LABEL) -> float:
        """Width by which slanted labels may extend beyond the last column."""
        if self._is_row or angle in (0, 90):
            return 0.0
        return max(text_width(t, size) for t in self._texts) * float(np.cos(np.radians(angle)))

    def angle_in(self, pitch: float, turns: Sequence[float]) -> float:
        """The first angle at which labels over columns of this width do not touch."""
        for angle in turns:
            if self._need(MIN_SIZE, angle) <= pitch:
                return angle
        return turns[-1]

    def place(self, lattice: Lattice, angle: float, most: float) -> None:
        """Write the labels at the rows, or at the columns at an angle in degrees.

        `most` is their largest size, in pixels at 720p.
        """
        size = self._size(lattice, angle, most)
        for index, text in enumerate(self._texts):
            if self._is_row:
                self._place_row(lattice, index, text, size)
            else:
                self._place_column(lattice, index, text, size, angle)
        self.add(*self.labels, *self.places)

    def show(self, share: float) -> None:
        """Set the opacity of the labels."""
        for label in self.submobjects:
            label.set_fill(opacity=share)

    def readings(self, lattice: Lattice) -> Iterator[Reading]:
        """The word and the position that is written at each row or column."""
        for label in self.labels:
            if is_visible(label):
                yield Reading(self.words[self._nearest(lattice, label)], label.text)
        for label in self.places:
            if is_visible(label):
                index = self._nearest(lattice, label)
                word, at = self.words[index], np.array(float(index))
                # A position is no value of the model, but the index of its row.
                yield Reading(Passing(word, word, at, at, at), float(label.text))

    def _nearest(self, lattice: Lattice, label: Label) -> int:
        point = label.foot if isinstance(label, TurnedLabel) else label.middle
        return lattice.nearest(point)[0 if self._is_row else 1]

    def _room_of_places(self, size: float) -> float:
        if not self._positions:
            return 0.0
        if self._is_row:
            return text_width(str(len(self._texts) - 1), size) + GAP
        return _LINE * size * PX

    def _size(self, lattice: Lattice, angle: float, most: float) -> float:
        """The size of the labels that the height of rows or the width of columns allows."""
        if self._is_row:
            return float(np.clip(lattice.cell_height / PX / _LINE, MIN_SIZE, most))
        sizes = (
            s
            for s in np.arange(most, MIN_SIZE, -1.0)
            if self._need(s, angle) <= (lattice.cell_width)
        )
        return float(next(sizes, MIN_SIZE))

    def _need(self, size: float, angle: float) -> float:
        """Minimum width of columns for labels of a size, at an angle in degrees."""
        if angle == 0:
            return max(text_width(text, size) for text in self._texts) + _BETWEEN
        return float(_LINE * size * PX / np.sin(np.radians(angle)))

    def _place_row(self, lattice: Lattice, index: int, text: str, size: float) -> None:
        cell = lattice.block(index, 0)
        base = cell.center[1] - X_HEIGHT / 2 * size * PX
        right = np.array([cell.left - GAP, base, 0.0])
        if self._positions:
            self.places.append(_place_label(index, size, "right").put(right))
            right = right - np.array([self._room_of_places(size), 0.0, 0.0])
        self.labels.append(Label(text, size=size, align="right").put(right))

    def _place_column(
        self, lattice: Lattice, index: int, text: str, size: float, angle: float
    ) -> None:
        cell = lattice.block(0, index)
        foot = np.array([cell.center[0], cell.top + GAP, 0.0])
        if self._positions:
            self.places.append(_place_label(index, size, "center").put(foot))
            foot = foot + np.array([0.0, self._room_of_places(size), 0.0])
        if angle == 0:
            self.labels.append(Label(text, size=size, align="center").put(foot))
            return
        label = TurnedLabel(text, angle, size=size)
        rise = np.array([0.0, X_HEIGHT / 2 * size * PX * np.cos(np.radians(angle)), 0.0])
        self.labels.append(label.shift(foot + rise - label.foot))


def _place_label(index: int, size: float, align: Align) -> Label:
    return Label(str(index), size=size, color="position", align=align)
