"""Matrices made of blocks: shaded cells under the names of their blocks, in gaps of their own.

A residual stream of lanes, one-hot halves, a weight matrix with one block that is not zero. All
cells of one shade are one path, so that hundreds of cells may change in every frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from manim import LEFT, Rectangle, VGroup, VMobject
from numpy.typing import ArrayLike, NDArray

from scenes.parts.paths import closed
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive
from scenes.style.text import Label, Number, text_width
from scenes.style.theme import mix, theme
from scenes.style.type import LABEL, MIN_SIZE, SMALL, X_HEIGHT

SHADES = 40
_GAP = 0.14
_NAME = 1.5
"""Height of a line of names, in ems."""
_TIGHT = 1.1
"""Size of the name of a row to the row's height: from ascender to descender is 0.9 em."""


@dataclass(frozen=True, slots=True)
class Block:
    """`size` neighbouring columns or rows, their name, and the colour of their cells.

    The blocks of columns colour the cells; without a colour it is the token's.
    """

    name: str
    size: int
    color: str | None = None


class BlockMap(VGroup):
    """A matrix (n_rows, n_columns) in a region, from 0 (empty) to `high` (full colour).

    `columns` and `rows` cut it into blocks; together they must be as many as there are columns and
    rows. `row_names` and `column_names` stand beside and over single ones. `spec` writes the number
    into every cell that is not 0 and has room for it. Values below 0 are drawn in `negative`, full
    at -`high`. `hidden` cells (n_rows, n_columns) are not drawn.
    """

    def __init__(
        self,
        values: ArrayLike,
        region: Region,
        *,
        columns: Sequence[Block] = (),
        rows: Sequence[Block] = (),
        row_names: Sequence[str] = (),
        column_names: Sequence[str] = (),
        high: float = 1.0,
        spec: str | None = None,
        negative: str | None = None,
        hidden: NDArray[np.bool_] | None = None,
        most_cell: float = 0.7,
        square: bool = True,
        name_size: float = SMALL,
    ) -> None:
        super().__init__()
        self.values = np.asarray(values, dtype=float)
        n_rows, n_columns = self.values.shape
        self.high, self.spec, self.negative = high, spec, negative
        self.opacity = 1.0
        self.shown = np.ones(self.values.shape, bool) if hidden is None else ~hidden
        self.column_blocks = list(columns) or [Block("", n_columns)]
        self.row_blocks = list(rows) or [Block("", n_rows)]
        self._name_size = name_size
        self._place(region, row_names, column_names, most_cell, square)
        self._colors = self._block_colors()
        self._paths = {
            (color, k): VMobject(
                stroke_width=0, fill_color=mix(theme().panel, color, k / SHADES), fill_opacity=1
            )
            for color in sorted({*self._colors.ravel().tolist(), *filter(None, [negative])})
            for k in range(SHADES + 1)
        }
        self._squares = self._square_paths()
        self.numbers: dict[tuple[int, int], Number] = {}
        self._numbers = VGroup()
        self.row_names = [self._row_name(i, name) for i, name in enumerate(row_names)]
        self.column_names = [self._column_name(j, name) for j, name in enumerate(column_names)]
        self.block_names = self._block_labels(bool(column_names))
        self.add(*self._paths.values(), self._numbers)
        self.add(*self.row_names, *self.column_names, *self.block_names)
        self.show(self.values)

    # Where things are

    def middle(self, i: int, j: int) -> NDArray[np.float64]:
        """The middle of cell (i, j)."""
        return np.array([self._x[j], self._y[i], 0.0])

    @property
    def area(self) -> Region:
        """The cells, gaps included."""
        half_w, half_h = self.cell_width / 2, self.cell_height / 2
        left, right = float(self._x[0]) - half_w, float(self._x[-1]) + half_w
        return Region(left, float(self._y[-1]) - half_h, right, float(self._y[0]) + half_h)

    def block(self, column_block: int, row_block: int | None = None) -> Region:
        """The cells of a block of columns, in all rows or those of one block of rows."""
        columns = _stretch(self.column_blocks, column_block)
        whole = range(len(self._y))
        rows = whole if row_block is None else _stretch(self.row_blocks, row_block)
        half_w, half_h = self.cell_width / 2, self.cell_height / 2
        return Region(
            float(self._x[columns[0]]) - half_w,
            float(self._y[rows[-1]]) - half_h,
            float(self._x[columns[-1]]) + half_w,
            float(self._y[rows[0]]) + half_h,
        )

    def frame(self, region: Region, color: str | None = None, width: float = 3) -> Rectangle:
        """A frame around cells: `area`, a `block`, a `row` or a `cell`."""
        box = Rectangle(width=region.width + 0.06, height=region.height + 0.06, stroke_width=width)
        return box.set_stroke(color or theme().ink).move_to(region.center)

    def row(self, i: int) -> Region:
        """All cells of row `i`."""
        area, y = self.area, float(self._y[i])
        return Region(area.left, y - self.cell_height / 2, area.right, y + self.cell_height / 2)

    def cell(self, i: int, j: int) -> Region:
        """Cell (i, j)."""
        x, y = self.middle(i, j)[:2]
        half_w, half_h = self.cell_width / 2, self.cell_height / 2
        return Region(x - half_w, y - half_h, x + half_w, y + half_h)

    # What it shows

    def show(self, values: ArrayLike, shown: NDArray[np.bool_] | None = None) -> None:
        """Show other values, and other cells if `shown` (n_rows, n_columns) says which."""
        self.values = np.asarray(values, dtype=float)
        self.shown = self.shown if shown is None else shown
        below = (self.values < 0) if self.negative else np.zeros(self.values.shape, bool)
        full = shade(np.where(below, -self.values, self.values), 0.0, self.high)
        steps = np.rint(full * SHADES).astype(int)
        colors = np.where(below, self.negative or "", self._colors)
        for (color, k), path in self._paths.items():
            cells = (steps == k) & (colors == color) & self.shown
            path.set_points(self._squares[cells].reshape(-1, 3))
        self._write(full, colors)

    def to(self, values: ArrayLike, **options: Any) -> Drive:
        """Let the cells run to other values."""
        return Drive(self, self.show, self.values, values, **options)

    def appear(self, order: ArrayLike, **options: Any) -> Drive:
        """Let hidden cells appear in the order of their numbers; (n_rows, n_columns).

        A number below 0 stands for a cell that stays as it is.
        """
        turn, before = np.asarray(order), self.shown.copy()

        def show(reached: NDArray[np.float64]) -> None:
            self.show(self.values, before | ((turn >= 0) & (turn < float(reached))))

        return Drive(self, show, 0.0, float(turn.max()) + 1, **options)

    def mask(self, **options: Any) -> Drive:
        """In a square map, hide the cells right of the diagonal, the farthest first."""
        before, last = self.shown.copy(), len(self.values) - 1
        ahead = np.arange(last + 1) - np.arange(last + 1)[:, None]  # (T, T)

        def show(gone: NDArray[np.float64]) -> None:
            self.show(self.values, before & ((ahead <= 0) | (ahead <= last - float(gone))))

        return Drive(self, show, 0.0, float(last), **options)

    def _write(self, full: NDArray[np.float64], colors: NDArray[np.str_]) -> None:
        if self.spec is None:
            return
        wanted = self.shown & (self.values != 0)
        for i, j in [place for place in self.numbers if not wanted[place]]:
            gone = self.numbers.pop((i, j)).set_opacity(0.0)  # Manim draws it until the play ends
            self._numbers.remove(gone)
        for i, j in zip(*(axis.tolist() for axis in np.nonzero(wanted)), strict=True):
            number = self.numbers.get((i, j)) or self._number(i, j)
            number.set_value(float(self.values[i, j]))
            fill = mix(theme().panel, str(colors[i, j]), float(full[i, j]))
            number.set_fill(theme().ink_on(mix(theme().ground, fill, self.opacity)))
            number.center_on(self.middle(i, j))
            number.set_opacity(1.0 if number.width < self.cell_width - 0.04 else 0.0)

    def _number(self, i: int, j: int) -> Number:
        size = max(MIN_SIZE, min(LABEL, 0.5 * self.cell_height / PX, self.cell_width / PX / 2))
        number = Number(float(self.values[i, j]), self.spec or "", size=size)
        self.numbers[i, j] = number
        self._numbers.add(number)
        return number

    # How it is laid out

    def _place(
        self,
        region: Region,
        row_names: Sequence[str],
        column_names: Sequence[str],
        most_cell: float,
        square: bool,
    ) -> None:
        n_rows, n_columns = self.values.shape
        line = _NAME * self._name_size * PX
        beside = max((text_width(n, LABEL) for n in row_names), default=0.0)
        left = beside + (0.16 if row_names else 0.0)
        above = line * (bool(column_names) + any(b.name for b in self.column_blocks))
        gaps_x, gaps_y = (_GAP * (len(b) - 1) for b in (self.column_blocks, self.row_blocks))
        width = min(most_cell, (region.width - left - gaps_x) / n_columns)
        height = min(most_cell, (region.height - above - gaps_y) / n_rows)
        if square:
            width = height = min(width, height)
        self.cell_width, self.cell_height = width, height
        x = (np.arange(n_columns) + 0.5) * width + _GAP * _ordinals(self.column_blocks)
        y = (np.arange(n_rows) + 0.5) * height + _GAP * _ordinals(self.row_blocks)
        used_w = left + n_columns * width + gaps_x
        used_h = above + n_rows * height + gaps_y
        self._x = region.center[0] - used_w / 2 + left + x
        self._y = region.center[1] + used_h / 2 - above - y

    def _block_colors(self) -> NDArray[np.str_]:
        names = [block.color or theme().token for block in self.column_blocks]
        row = np.array(names)[_ordinals(self.column_blocks)]
        return np.tile(row, (len(self.values), 1))

    def _square_paths(self) -> NDArray[np.float64]:
        """The cubic curves around every cell; (n_rows, n_columns, 16, 3)."""
        inset = min(0.02, 0.07 * min(self.cell_width, self.cell_height))
        half = np.array([self.cell_width / 2 - inset, self.cell_height / 2 - inset, 0.0])
        turn = np.array([[-1, 1, 0], [1, 1, 0], [1, -1, 0], [-1, -1, 0]]) * half  # (4, 3)
        x, y = np.meshgrid(self._x, self._y)  # (n_rows, n_columns) each
        middles = np.stack([x, y, np.zeros_like(x)], axis=-1)  # (n_rows, n_columns, 3)
        return closed(middles[:, :, None] + turn)

    def _row_name(self, i: int, name: str) -> Label:
        size = max(MIN_SIZE, min(LABEL, self.cell_height / PX * _TIGHT))
        label = Label(name, size=size, color=theme().token, align="right")
        drop = np.array([-self.cell_width / 2 - 0.16, -X_HEIGHT / 2 * size * PX, 0.0])
        return label.put(self.middle(i, 0) + drop)

    def _column_name(self, j: int, name: str) -> Label:
        size = max(MIN_SIZE, min(self._name_size, self.cell_width / PX * 0.85))
        label = Label(name, size=size, color=theme().token, align="center")
        label.put(self.middle(0, j) + np.array([0.0, self.cell_height / 2 + 0.12, 0.0]))
        over = (label.width - self.cell_width) / 2
        return label.shift(LEFT * over) if j == 0 and over > 0 else label

    def _block_labels(self, over_names: bool) -> list[Label]:
        rise = 0.12 + _NAME * self._name_size * PX * over_names
        labels = []
        for k, block in enumerate(self.column_blocks):
            if not block.name:
                continue
            room = self.block(k)
            label = Label(block.name, size=self._name_size, color=theme().muted, align="center")
            labels.append(label.put(np.array([room.center[0], room.top + rise, 0.0])))
        return labels


def _ordinals(blocks: Sequence[Block]) -> NDArray[np.int64]:
    """For every column or row, the number of its block."""
    return np.repeat(np.arange(len(blocks)), [block.size for block in blocks])


def _stretch(blocks: Sequence[Block], which: int) -> range:
    start = sum(block.size for block in blocks[:which])
    return range(start, start + blocks[which].size)


def shade(values: ArrayLike, low: float, high: float) -> NDArray[np.float64]:
    """How full a colour each value gets: 0 at `low` and below, 1 at `high` and above."""
    span = max(high - low, 1e-12)
    return np.clip((np.asarray(values, dtype=float) - low) / span, 0.0, 1.0)
