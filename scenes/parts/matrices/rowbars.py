"""Patterns with their tokens along the sides, and bars that stand beside the rows of a grid."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Rectangle, VGroup, VMobject
from numpy.typing import ArrayLike, NDArray

from scenes.parts.matrices.grid import Grid
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive
from scenes.style.text import Label, Number, text_width
from scenes.style.theme import mix, theme
from scenes.style.type import LABEL, MIN_SIZE, X_HEIGHT

_POSITION = 0.42
"""Room for a position beside a token, in units."""


class TokenGrid(VGroup):
    """A causal pattern with tokens and positions along its rows, and along its columns too.

    Where the tokens are too wide to stand over the columns, their positions stand there alone.
    """

    def __init__(
        self, pattern: ArrayLike, tokens: Sequence[str], region: Region, *, tallest: float = 1.0
    ) -> None:
        values = np.asarray(pattern, dtype=float)
        n = len(tokens)
        widest = max(text_width(token, LABEL) for token in tokens)
        left, above = widest + _POSITION + 0.1, 0.42
        cell = min(1.1, (region.width - left) / n)
        height = min(cell * tallest, (region.height - above) / n)
        cell = min(cell, height) if tallest == 1 else cell
        corner = region.center + np.array([(left - n * cell) / 2, (n * height - above) / 2, 0.0])
        room = Region(corner[0], corner[1] - n * height, corner[0] + n * cell, corner[1])
        hidden = ~np.tri(n, dtype=np.bool_)
        self.grid = Grid(values, room, hidden=hidden, most_cell=max(cell, height), square=False)
        self.size = max(MIN_SIZE, min(LABEL, height / PX * 0.7))
        self.rows = [self._row(k, token) for k, token in enumerate(tokens)]
        self.columns = [self._column(k, token, widest) for k, token in enumerate(tokens)]
        super().__init__(self.grid, *self.rows, *self.columns)

    @property
    def area(self) -> Region:
        """The cells."""
        grid, n = self.grid, len(self.rows)
        left, top = grid.get_corner_of_cells()[:2]
        return Region(left, top - n * grid.cell_height, left + n * grid.cell_width, top)

    def _row(self, k: int, token: str) -> VGroup:
        edge = self.grid.middle(k, 0) - np.array([self.grid.cell_width / 2, 0.0, 0.0])
        ink = theme()
        word = Label(token, size=self.size, color=ink.token, align="right")
        place = Number(k, "d", size=self.size, color=ink.text_color("position"))
        drop = np.array([0.0, -X_HEIGHT / 2 * self.size * PX, 0.0])
        word.put(edge + drop - np.array([_POSITION, 0.0, 0.0]))
        place.put(edge + drop - np.array([0.2, 0.0, 0.0]))
        return VGroup(word, place)

    def _column(self, k: int, token: str, widest: float) -> Label:
        room = self.grid.cell_width - 0.1
        size = min(LABEL, self.grid.cell_width / PX * 0.7, LABEL * room / widest)
        over = self.grid.middle(0, k) + np.array([0.0, self.grid.cell_height / 2 + 0.14, 0.0])
        if size >= MIN_SIZE:
            return Label(token, size=size, color=theme().token, align="center").put(over)
        place = max(MIN_SIZE, min(LABEL, self.grid.cell_width / PX * 0.7))
        return Number(k, "d", size=place, color=theme().text_color("position")).put(over)


class RowBars(VGroup):
    """How much each row gives its target: a bar a row, over what it would be at best.

    `rows` are the rows that have a bar and `before` the masses they start with. What a bar loses
    shows in the colour of what is wrong.
    """

    def __init__(
        self, grid: TokenGrid, rows: Sequence[int], before: ArrayLike, left: float, length: float
    ) -> None:
        look = theme()
        self.before = np.asarray(before, dtype=float)
        self.values = self.before
        self._left, self._length = left, length
        self._middles = [float(grid.grid.middle(m, 0)[1]) for m in rows]
        self._height = min(0.34, 0.66 * grid.grid.cell_height)
        size = grid.size
        self.tracks = VGroup(*(self._bar(mix(look.ground, look.wrong, 0.75)) for _ in rows))
        self.bars = VGroup(*(self._bar(look.attention) for _ in rows))
        self.numbers = [
            Number(v, ".1%", size=size, color=look.ink, align="left") for v in self.before
        ]
        super().__init__(self.tracks, self.bars, *self.numbers)
        for k, track in enumerate(self.tracks):
            self._draw(track, k, float(self.before[k]))
            drop = X_HEIGHT / 2 * size * PX
            self.numbers[k].put(np.array([left + length + 0.14, self._middles[k] - drop, 0.0]))
        self.show(self.before)

    def show(self, masses: ArrayLike) -> None:
        """Set every bar."""
        self.values = np.asarray(masses, dtype=float)
        for k, mass in enumerate(self.values):
            self._draw(self.bars[k], k, float(mass))
            self.numbers[k].set_value(float(mass))

    def to(self, masses: ArrayLike, *, run_time: float = 1.0) -> Drive:
        """Let the bars run to other masses."""
        return Drive(self, self.show, self.values, masses, run_time=run_time)

    def _bar(self, color: str) -> Rectangle:
        return Rectangle(width=1.0, height=0.1, stroke_width=0, fill_color=color, fill_opacity=1)

    def _draw(self, bar: VMobject, k: int, mass: float) -> None:
        right, half = self._left + max(0.02, mass * self._length), self._height / 2
        y = self._middles[k]
        corners: list[NDArray[np.float64]] = [
            np.array([x, y + dy, 0.0])
            for x, dy in (
                (right, half),
                (self._left, half),
                (self._left, -half),
                (right, -half),
                (right, half),
            )
        ]
        bar.set_points_as_corners(corners)
