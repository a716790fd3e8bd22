"""The layout of this film: the picture is always in one place, with room beside it for the rest.

The room is to the right of the picture, or below it on a tall canvas.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts import cells
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.cells import ShadedCells
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import Column, Reading, Room, Row, Size, Stage, Value, fit, wide_or_tall
from clockhead.scenes.stage.shown import Passing, Readings
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.type import LABEL, X_HEIGHT

NUMBER = 32.0
"""Largest size of numbers in cells, in pixels at 720p."""
_LEAST = Size(3.6, 3.0)
"""Least room beside the picture, in units."""
_BESIDE, _BELOW = (1.0, 2.0), (1.0, 1.5)
"""Weights of the picture and the room beside it, and of the picture and the room below it."""
_HEAD = 2.2 * LABEL * PX
"""Height of a title, in units."""
_LEAST_CELL = 0.2
"""Least side of a cell, in units."""


_SEAM = 0.028
"""Gap between two cells, in units."""
_NUMBER, _SQUARE = 34.0, (0.95, 1.05)
"""Largest size of pixels' numbers, in pixels at 720p, and the range of a pixel's aspect ratio."""
_NEAR = 0.02
"""Tolerance for the position of sliding ink, in cells."""


class PixelSheet(Matrix):
    """A picture, (H, W), as shades from blank to the largest amount of ink."""

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
        """Slide the ink of `source` from an offset of `start` columns to the right to one of `end`.

        At the end, it is the ink of `goal`. Ink outside the sheet is cut off.
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
        """The readings of a matrix, and of sliding ink in pixels that are wholly on the sheet."""
        yield from super().read_together()
        if self._ink is None or not self._ink.submobjects:
            return
        lattice, scale = self.lattice, self.scale_now
        area, half = lattice.region, lattice.cell_width / 2
        for middle, step in zip(*self._ink.seen(), strict=True):
            if area.left + half < middle[0] < area.right - half:
                row, column = lattice.at(middle)
                column -= self._columns
                meant = self._source[round(row), min(max(round(column), 0), self.n_columns - 1)]
                yield Reading(meant, float(scale.values_of(step)), scale.within)
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


class PicturePage:
    """The picture at a fact path, its `place`, and the `room` left beside it.

    With `middle`, the picture starts large in the middle of the canvas, with its numbers.
    """

    def __init__(self, stage: Stage, path: str = "image", *, middle: bool = False) -> None:
        self.image, room = PixelSheet(stage[path], digits=middle), Room(_LEAST)
        place = Room(self.image.least, self.image.most)
        below = Column(place, room, weights=_BELOW)
        fit(stage.canvas, wide_or_tall(Row(place, room, weights=_BESIDE), below))
        self.place: Region = place.region
        self.room: Region = room.region
        self.image.place(stage.canvas if middle else self.place)


class TitledMatrix(Column):
    """A matrix with a title above, as a box for `fit`; `write` makes the title after placement.

    There is room for any of the titles `instead`, and for additional `air` below the title.
    """

    def __init__(self, words: str, matrix: Matrix, *instead: str, air: float = 0.0) -> None:
        self.words, self.matrix, self._air = words, matrix, air
        width = max(text_width(one, LABEL) for one in (words, *instead))
        head = Room(Size(width, _HEAD + air), Size(np.inf, _HEAD + air))
        super().__init__(head, matrix, gap=0.0, weights=(0, 1))

    def write(self, color: str | None = None) -> Label:
        """The title, centred above the matrix."""
        area = self.matrix.lattice.region
        tops = [float(label.get_top()[1]) for label in self.matrix.column_labels]
        rise = max([area.top, *tops]) + self._air + _HEAD / 2 - X_HEIGHT / 2 * LABEL * PX
        over = np.array([area.center[0], rise, 0.0])
        return Label(self.words, align="center", color=color).center_on(over)


def signed_matrix(value: Value, most: float, **options: Any) -> Matrix:
    """A matrix of weights or sums, with different colours for positive and negative numbers."""
    look: dict[str, Any] = {"least_cell": _LEAST_CELL, "low": -most, "high": most}
    look |= {"spec": number_specs(value), "most_number": NUMBER}
    return Matrix(value, role="value", **(look | options))


def number_specs(value: Value) -> tuple[str, ...]:
    """Number formats of weights or sums: integers as they are, others with up to four digits."""
    whole = bool((value.array == np.rint(value.array)).all())
    return (".0f",) if whole else ("", ".1f", ".0f")


def bound(*values: Value) -> float:
    """The largest absolute value; 1 if all are 0."""
    return max(float(np.abs(value.array).max()) for value in values) or 1.0


class Lane:
    """A filter, its feature map and its pooled map side by side, in a `box` for `fit`.

    `side` is the fact path of the filter's pass, `names` are its own name and the other filter's;
    `most` is the sum with the strongest shade.
    """

    def __init__(self, stage: Stage, side: str, names: tuple[str, str], most: float) -> None:
        weights = stage[f"{side}.weights"]
        self.filter = signed_matrix(weights, bound(weights))
        self.map = signed_matrix(stage[f"{side}.feature_map"], most)
        self.pool = signed_matrix(stage[f"{side}.pooled"], most)
        self.matrices = self.filter, self.map, self.pool
        words = names, (said("feature map"),), (said("pooled"),)
        self._headed = [
            TitledMatrix(own, matrix, *rest)
            for (own, *rest), matrix in zip(words, self.matrices, strict=True)
        ]
        self.box = Row(*self._headed, gap=0.3, weights=[m.n_columns for m in self.matrices])
        self.heads: list[Label] = []

    def write(self) -> None:
        """Make the titles above the matrices, after these are placed."""
        colors = "ink", "muted", "muted"
        self.heads = [one.write(color) for one, color in zip(self._headed, colors, strict=True)]

    def frame(self) -> CellFrame:
        """A frame around the pooled map."""
        return CellFrame(self.pool.lattice.region)
