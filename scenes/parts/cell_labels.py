"""Labels of rows and columns: tokens, and in mauve their positions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from manim import ORIGIN
from numpy.typing import NDArray

from clockhead.scenes.parts.cells import Lattice
from clockhead.scenes.stage.shown import Passing, Reading, Value, is_visible
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.shape import Shapes
from clockhead.scenes.style.text import Align, Label, text_width
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import LABEL, MIN_SIZE, X_HEIGHT, spread

GAP = 0.12
"""Between labels and cells, in units."""
_LINE = 1.05
"""The height of a line of labels, in ems."""
_BETWEEN = 0.08
"""At least between the labels of two columns."""


class TurnedLabel(Label):
    """A line of words that runs upwards, at an angle in degrees, from the foot on."""

    def __init__(self, text: str, angle: float, *, size: float, color: str | None = None) -> None:
        self.angle = np.radians(angle)
        super().__init__(text, size=size, color=color)
        self.rotate(self.angle, about_point=ORIGIN)

    @property
    def em(self) -> float:
        """The em as it stands, whatever its angle."""
        return spread(self.points) / max(self._outline.spread, 1e-9)

    @property
    def anchor(self) -> NDArray[np.float64]:
        """The beginning of the line, on its baseline."""
        x, y, _ = self._outline.points[0] * self.em
        along, across = self._axes
        return np.array(self.points[0] - x * along - y * across)

    @property
    def middle(self) -> NDArray[np.float64]:
        """The middle of the line, half the x-height over its baseline."""
        along, across = self._axes
        half = self._outline.advance / 2 * self.em
        return np.array(self.anchor + half * along + X_HEIGHT / 2 * self.em * across)

    @property
    def foot(self) -> NDArray[np.float64]:
        """Where the line begins, half the x-height over its baseline."""
        return np.array(self.anchor + X_HEIGHT / 2 * self.em * self._axes[1])

    @property
    def _axes(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        cos, sin = np.cos(self.angle), np.sin(self.angle)
        return np.array([cos, sin, 0.0]), np.array([-sin, cos, 0.0])


class Headings(Shapes):
    """The labels of the rows or the columns, in order; with `positions` their numbers as well.

    `words` are read back: what stands beside a row must be the word of that row.
    """

    def __init__(self, words: Value, *, positions: bool, is_row: bool) -> None:
        super().__init__()
        self.words, self._positions, self._is_row = words, positions, is_row
        self._texts = [str(word) for word in words.content]
        self.labels: list[Label] = []
        self.places: list[Label] = []

    def room(self, angle: float, size: float = LABEL) -> float:
        """How far the labels reach from the cells, in units."""
        longest = max(text_width(text, size) for text in self._texts)
        line = _LINE * size * PX
        if self._is_row:
            return longest + GAP + self._room_of_places(size)
        slope = np.radians(angle)
        turned = float(longest * np.sin(slope) + line * np.cos(slope))
        return GAP + turned + self._room_of_places(size)

    def overhang(self, angle: float, size: float = LABEL) -> float:
        """How far slanting labels may reach beyond the last column."""
        if self._is_row or angle in (0, 90):
            return 0.0
        return max(text_width(t, size) for t in self._texts) * float(np.cos(np.radians(angle)))

    def angle_in(self, pitch: float, turns: Sequence[float]) -> float:
        """The first angle at which labels of columns so wide do not touch."""
        for angle in turns:
            if self._need(MIN_SIZE, angle) <= pitch:
                return angle
        return turns[-1]

    def place(self, lattice: Lattice, angle: float, most: float) -> None:
        """Write the labels beside the rows, or over the columns at an angle in degrees.

        They are at most so large, in pixels at 720p.
        """
        size = self._size(lattice, angle, most)
        for index, text in enumerate(self._texts):
            if self._is_row:
                self._place_row(lattice, index, text, size)
            else:
                self._place_column(lattice, index, text, size, angle)
        self.add(*self.labels, *self.places)

    def show(self, share: float) -> None:
        """Make the labels more or less visible."""
        for label in self.submobjects:
            label.set_fill(opacity=share)

    def readings(self, lattice: Lattice) -> Iterator[Reading]:
        """Which word, and which position, stands at which row or column."""
        for label in self.labels:
            if is_visible(label):
                yield Reading(self.words[self._nearest(lattice, label)], label.text)
        for label in self.places:
            if is_visible(label):
                index = self._nearest(lattice, label)
                word, at = self.words[index], np.array(float(index))
                # A position is no value of the model, but the index of the row it stands at.
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
        """As large as rows are high, or as columns are wide, allow."""
        if self._is_row:
            return float(np.clip(lattice.cell_height / PX / _LINE, MIN_SIZE, most))
        sizes = (
            s
            for s in np.arange(most, MIN_SIZE, -1.0)
            if self._need(s, angle) <= (lattice.cell_width)
        )
        return float(next(sizes, MIN_SIZE))

    def _need(self, size: float, angle: float) -> float:
        """How wide columns must be for labels of a size, at an angle in degrees."""
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
    color = theme().text_color("position")
    return Label(str(index), size=size, color=color, align=align)
