"""A table of products: query numbers down the side, key numbers along the top, and their shape."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Rectangle, VGroup
from numpy.typing import ArrayLike, NDArray

from scenes.parts.charts.bars import Bars
from scenes.parts.matrices.grid import Grid
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive, recolor
from scenes.style.text import Label, Number
from scenes.style.theme import mix, theme
from scenes.style.type import X_HEIGHT

_SIDE = 2.0
"""Room for a token and its number to the left of the cells, in units."""
_MOST_CELL = 1.5
_NAME = 28.0
_NUMBER = 24.0
_WORDS = 20.0


class OuterProduct(VGroup):
    """Scores that are query number times key number, one row under the other.

    Over the columns, in `band`, is room for the shape of a row: the row of keys times one number,
    as bars. Nothing is shown until its part is: names, numbers, rows, frames and bars.
    """

    def __init__(
        self,
        names: Sequence[str],
        queries: ArrayLike,
        keys: ArrayLike,
        scores: ArrayLike,
        region: Region,
    ) -> None:
        super().__init__()
        self.queries = np.asarray(queries, dtype=float)
        self.keys = np.asarray(keys, dtype=float)
        self.scores = np.asarray(scores, dtype=float)
        n = len(self.queries)
        cell = min(_MOST_CELL, (region.width - _SIDE) / n)
        left = region.center[0] - (_SIDE + n * cell) / 2
        columns = Region(left + _SIDE, region.bottom, left + _SIDE + n * cell, region.top)
        shape, below = columns.cut_top(0.3 * region.height, 0.1)
        heading, room = below.cut_top(0.8, 0.08)
        rows = room.cut_top(min(room.height, 0.95 * n), 0)[0]
        self.band = shape
        self.edge = left
        self.columns = columns
        self.key_level = heading.bottom + 0.16
        self.grid = self._cells(rows)
        self.bars = self._bars(shape)
        self._sides(names, heading)
        self.diagonal = [self.grid.outline(k, k, theme().text_color("value")) for k in range(n)]

    def row(self, m: int) -> VGroup:
        """The cells of a row and their numbers."""
        columns = range(len(self.keys))
        cells = [self.grid.cells[m][j] for j in columns]
        return VGroup(*cells, *(self.grid.numbers[m, j] for j in columns))

    def row_frame(self, m: int) -> Rectangle:
        """A frame around a query and its row."""
        grid = self.grid
        right = self.columns.right + 0.06
        frame = Rectangle(width=right - self.edge, height=grid.cell_height + 0.06)
        frame.set_stroke(theme().query, 4)
        return frame.move_to(np.array([(self.edge + right) / 2, grid.middle(m, 0)[1], 0.0]))

    def light(self, m: int, n: int, run_time: float = 0.5) -> Drive:
        """Let cell (m, n) shine: this is where row m looks."""
        cell, number = self.grid.cells[m][n], self.grid.numbers[m, n]
        look = theme()
        cell_to = recolor(cell, look.attention, run_time=run_time)
        number_to = recolor(number, look.ink_on(look.attention), run_time=run_time)

        def show(share: NDArray[np.float64]) -> None:
            cell_to.interpolate_mobject(float(share))
            number_to.interpolate_mobject(float(share))

        return Drive(VGroup(cell, number), show, 0.0, 1.0, run_time=run_time, rate_func=lambda t: t)

    def show_shape(self, factor: float) -> None:
        """Draw the row of keys times `factor`; the highest bar shines."""
        heights = factor * self.keys
        self.bars.show(heights)
        look = theme()
        for k, bar in enumerate(self.bars.bars):
            bar.set_fill(look.attention if k == heights.argmax() else look.muted)

    def _cells(self, rows: Region) -> Grid:
        low, high = float(self.scores.min()), float(self.scores.max())
        quiet = mix(theme().panel, theme().residual, 0.25)
        return Grid(
            self.scores,
            rows,
            color=quiet,
            low=low,
            high=high,
            spec=".2f",
            most_cell=max(rows.width, rows.height),
            square=False,
            most_size=_NUMBER,
        )

    def _bars(self, region: Region) -> Bars:
        high, low = max(0.0, float(self.scores.max())), min(0.0, float(self.scores.min()))
        bars = Bars(self.scores[0], region, high=high, low=low, most_width=region.width)
        self.zero = float(bars.line.get_center()[1])
        return bars

    def _sides(self, names: Sequence[str], heading: Region) -> None:
        look = theme()
        query, key = look.text_color("query"), look.text_color("key")
        drop = np.array([0.0, X_HEIGHT / 2 * _NUMBER * PX, 0.0])
        self.query_names, self.query_numbers = VGroup(), VGroup()
        self.key_names, self.key_numbers = VGroup(), VGroup()
        for k, name in enumerate(names):
            across, down = self.grid.middle(0, k)[0], self.grid.middle(k, 0)[1]
            at = np.array([self.edge + 0.35, down, 0.0])
            number = Number(self.queries[k], size=_NUMBER, color=query, align="right")
            self.query_names.add(Label(name, size=_NAME, weight="semibold").center_on(at))
            self.query_numbers.add(number.put(np.array([self.columns.left - 0.25, down, 0]) - drop))
            level = np.array([across, self.key_level, 0.0])
            self.key_numbers.add(Number(self.keys[k], size=_NUMBER, color=key).center_on(level))
            over = np.array([across, heading.top - 0.2, 0.0])
            self.key_names.add(Label(name, size=_NAME, weight="semibold").center_on(over))
        side = np.array([self.columns.left - 0.25, 0.0, 0.0])
        for words, color, y, group in (
            ("query ↓", query, heading.top - 0.2, self.query_numbers),
            ("key →", key, self.key_level, self.key_numbers),
        ):
            label = Label(words, size=_WORDS, color=color, align="right")
            group.add(label.put(side + np.array([0.0, y, 0.0]) - drop))
