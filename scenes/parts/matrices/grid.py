"""Matrices on screen: cells whose colour and number say the same thing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from manim import Rectangle, VGroup
from numpy.typing import ArrayLike, NDArray

from scenes.style.layout import PX, Region
from scenes.style.motion import Drive
from scenes.style.text import Label, Number, text_width
from scenes.style.theme import mix, theme
from scenes.style.type import LABEL, MIN_SIZE, SMALL

_SEAM = 0.03


def shade(values: ArrayLike, low: float, high: float) -> NDArray[np.float64]:
    """How full a colour each value gets: 0 at `low` and below, 1 at `high` and above."""
    span = max(high - low, 1e-12)
    return np.clip((np.asarray(values, dtype=float) - low) / span, 0.0, 1.0)


class Grid(VGroup):
    """A matrix of cells in a region: darker or fuller colour for larger values.

    `spec` writes the number into each cell that is at least `write_above` of the way from `low` to
    `high`; `hidden` marks cells that do not exist, such as those the causal mask forbids. Rows and
    columns may carry labels. Numbers are as large as fits, up to `most_size`.
    """

    def __init__(
        self,
        values: ArrayLike,
        region: Region,
        *,
        color: str | None = None,
        low: float = 0.0,
        high: float = 1.0,
        spec: str | None = None,
        write_above: float = 0.0,
        hidden: NDArray[np.bool_] | None = None,
        rows: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        most_cell: float = 0.85,
        square: bool = True,
        most_size: float = SMALL,
    ) -> None:
        super().__init__()
        self.values = np.asarray(values, dtype=float)
        self._most_size = most_size
        n_rows, n_columns = self.values.shape
        self.low, self.high = low, high
        self.color_of_cells = color or theme().attention
        self._spec, self._write_above = spec, write_above
        self.hidden = np.zeros(self.values.shape, bool) if hidden is None else hidden
        left, above = _label_room(rows, columns)
        cell_w = min(most_cell, (region.width - left) / n_columns)
        cell_h = min(most_cell, (region.height - above) / n_rows)
        if square:
            cell_w = cell_h = min(cell_w, cell_h)
        self.cell_width, self.cell_height = cell_w, cell_h
        corner = region.center + np.array(
            [(left - n_columns * cell_w) / 2, (n_rows * cell_h - above) / 2, 0.0]
        )
        self._corner = corner
        self.cells = [[self._cell(i, j) for j in range(n_columns)] for i in range(n_rows)]
        self.numbers: dict[tuple[int, int], Number] = {}
        self.row_labels = self._row_labels(rows)
        self.column_labels = self._column_labels(columns)
        self.add(*(c for row in self.cells for c in row), *self.row_labels, *self.column_labels)
        self._numbers = VGroup()
        self.add(self._numbers)
        self.show(self.values)

    def middle(self, i: int, j: int) -> NDArray[np.float64]:
        """The middle of cell (i, j)."""
        step = np.array([(j + 0.5) * self.cell_width, -(i + 0.5) * self.cell_height, 0.0])
        return np.array(self.get_corner_of_cells() + step)

    def get_corner_of_cells(self) -> NDArray[np.float64]:
        """The upper left corner of the cells, wherever the grid has been moved."""
        first = self.cells[0][0]
        half = np.array([-self.cell_width / 2, self.cell_height / 2, 0.0])
        return np.array(first.get_center() + half)

    def show(self, values: ArrayLike) -> None:
        """Show other values: colours, and numbers where they are written."""
        self.values = np.asarray(values, dtype=float)
        fullness = shade(self.values, self.low, self.high)
        for (i, j), share in np.ndenumerate(fullness):
            if self.hidden[i, j]:
                continue
            fill = mix(theme().panel, self.color_of_cells, float(share))
            self.cells[i][j].set_fill(fill, 1)
            self._write(i, j, fill, float(share))

    def to(self, values: ArrayLike, **options: Any) -> Drive:
        """Let the cells run to other values."""
        return Drive(self, self.show, self.values, values, **options)

    def row_to(self, i: int, values: ArrayLike, **options: Any) -> Drive:
        """Let one row run to other values, the rest staying as it is."""

        def show(row: NDArray[np.float64]) -> None:
            whole = self.values.copy()
            whole[i] = row
            self.show(whole)

        return Drive(self, show, self.values[i].copy(), values, **options)

    def rescale(
        self, low: float, high: float, *, spec: str | None, write_above: float = 0.0
    ) -> None:
        """From the next `show` on, shade between other bounds and write numbers in another way."""
        self.low, self.high = low, high
        self._spec, self._write_above = spec, write_above

    def outline(self, i: int, j: int, color: str | None = None, width: float = 4) -> Rectangle:
        """A frame around a cell."""
        frame = Rectangle(width=self.cell_width, height=self.cell_height, stroke_width=width)
        return frame.set_stroke(color or theme().ink).move_to(self.middle(i, j))

    def _cell(self, i: int, j: int) -> Rectangle:
        cell = Rectangle(
            width=self.cell_width - _SEAM,
            height=self.cell_height - _SEAM,
            stroke_width=0,
            fill_color=theme().panel,
            fill_opacity=0 if self.hidden[i, j] else 1,
        )
        step = np.array([(j + 0.5) * self.cell_width, -(i + 0.5) * self.cell_height, 0.0])
        if self.hidden[i, j]:
            cell.set_stroke(theme().hairline, 1)
        return cell.move_to(self._corner + step)

    def _write(self, i: int, j: int, fill: str, share: float) -> None:
        if self._spec is None or share < self._write_above:
            if (i, j) in self.numbers:
                self._numbers.remove(self.numbers.pop((i, j)))
            return
        number = self.numbers.get((i, j))
        if number is None:
            number = Number(self.values[i, j], self._spec, size=self._number_size())
            self.numbers[i, j] = number
            self._numbers.add(number)
        number.set_value(float(self.values[i, j]))
        number.set_fill(theme().ink_on(fill)).center_on(self.middle(i, j))

    def _number_size(self) -> float:
        """The largest legible size at which the widest number fits a cell."""
        return float(max(MIN_SIZE, min(self._most_size, self.cell_width / PX / 3.0)))

    def _row_labels(self, rows: Sequence[str] | None) -> list[Label]:
        labels = []
        for i, text in enumerate(rows or []):
            middle = self.middle(i, 0)
            label = Label(
                text, size=_label_size(self.cell_height), color=theme().muted, align="right"
            )
            drop = np.array([-self.cell_width / 2 - 0.15, -0.243 * label.em, 0.0])
            labels.append(label.put(middle + drop))
        return labels

    def _column_labels(self, columns: Sequence[str] | None) -> list[Label]:
        labels = []
        for j, text in enumerate(columns or []):
            label = Label(
                text, size=_label_size(self.cell_width), color=theme().muted, align="center"
            )
            rise = np.array([0.0, self.cell_height / 2 + 0.16, 0.0])
            labels.append(label.put(self.middle(0, j) + rise))
        return labels


def _label_size(cell: float) -> float:
    return max(MIN_SIZE, min(LABEL, cell / PX * 0.7))


def _label_room(rows: Sequence[str] | None, columns: Sequence[str] | None) -> tuple[float, float]:
    left = max((text_width(text, LABEL) for text in rows), default=0.0) + 0.2 if rows else 0.0
    return left, LABEL * PX * 1.5 if columns else 0.0
