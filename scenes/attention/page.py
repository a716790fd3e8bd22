"""Where the matrices of this film stand, so that what is carried from shot to shot does not jump.

`page.x` is the place of one matrix of rows (X, the values, the new rows), `page.rest` the room
beside or below it; `page.queries`, `page.keys` and `page.values` are the places of the three
together, one over the other, with `page.aside` beside or below; `page.grid` is the place of the
table of who asks whom, with `page.told` beside or below. Matrices go into their places with
`place_cells`: the places are those of the cells, and the words stand to their left and over them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import config

from model.worked_head import WorkedHead
from scenes.parts.cell_labels import GAP as WORD_GAP
from scenes.parts.matrix import Matrix
from scenes.parts.table import Room
from scenes.stage import Column, Row, Size, Stage, fit
from scenes.stage.layout import Box
from scenes.style.layout import MARGIN, SHORT_SIDE, Region
from scenes.style.text import text_width
from scenes.style.theme import Role
from scenes.style.type import LABEL, MIN_SIZE

GIVEN = (".2f", ".1f", ".0f")
"""How numbers that are given are written, the best first."""
COMPUTED = (".4f", ".3f", ".2f", ".1f", ".0f", ".1e", ".0e")
"""How numbers that are computed are written."""
SHARES = (".1%", ".0%", ".2f", ".1f")
"""How shares of attention are written."""

MOST_NUMBER = 26.0
"""The size of numbers in cells where there is room, in pixels."""

_TOP, _QUESTION = 1.16, 0.33
"""The height of a title with a question of one line, and of one more line of it, in units."""
_FOOT, _SENTENCE = 0.4, 0.37
"""The height of what stands around the sentences, and of a line of them."""
_LEAST_CELL = Size(0.6, 0.22)
_LEAST_GRID = Size(0.5, 0.3)
_MOST_CELL, _MOST_GRID, _SHAPE = 1.05, 1.35, (0.2, 0.8)
"""How wide a cell of rows and of the grid may be, and how high, as shares of its width."""
_TOLD, _LANE = Size(2.9, 1.75), 0.56
"""The least room beside the grid or the rows, and the height of a line for each token in it."""
_COLUMN = 1.4
"""What a column of shares needs beside rows, gaps and all."""


def steady(canvas: Region) -> Region:
    """The same canvas for every stage of the film, however long its sentences are."""
    frame = Region.frame(config.frame_width, config.frame_height).inset(MARGIN)
    narrow = frame.width < SHORT_SIDE
    bottom = frame.bottom + _FOOT + (3 if narrow else 2) * _SENTENCE
    top = frame.top - _TOP - (_QUESTION if narrow else 0.0)
    return Region(canvas.left, max(bottom, canvas.bottom), canvas.right, min(top, canvas.top))


def rows_of(
    stage: Stage, path: str, role: Role = "residual", *, named: bool = True, **options: Any
) -> Matrix:
    """A matrix with a row for every token, (T, d_model), in two colours."""
    value = stage[path]
    bound = float(np.abs(value.array).max()) or 1.0
    look: dict[str, Any] = {
        "rows": stage["tokens"] if named else None,
        "role": role,
        "low": -bound,
        "high": bound,
        "spec": GIVEN if path == "resid_pre" else COMPUTED,
        "least_cell": _LEAST_CELL,
        "most_cell": _MOST_CELL,
        "aspect": _SHAPE,
        "most_number": MOST_NUMBER,
    }
    return Matrix(value, **(look | options))


def grid_of(stage: Stage, path: str, **options: Any) -> Matrix:
    """A table of who asks whom, (T, T), words at its rows and columns; by default in two colours.

    For shares give `low=0.0, high=1.0, spec=SHARES, mask="causal"`.
    """
    value = stage[path]
    bound = float(np.abs(value.array).max()) or 1.0
    look: dict[str, Any] = {
        "rows": stage["tokens"],
        "columns": stage["tokens"],
        "low": -bound,
        "high": bound,
        "spec": COMPUTED,
        "least_cell": _LEAST_GRID,
        "most_cell": _MOST_GRID,
        "aspect": _SHAPE,
        "most_number": MOST_NUMBER,
    }
    return Matrix(value, **(look | options))


class Page:
    """The places on the canvas of a stage about a worked head. See the module."""

    def __init__(self, stage: Stage) -> None:
        assert isinstance(stage.values, WorkedHead)
        self.canvas, self._tokens = steady(stage.canvas), stage.values.tokens
        high = max(_TOLD.height, (stage.values.n_tokens + 1) * _LANE)
        lanes = Size(_TOLD.width, high)
        as_wide = stage.values.d_model * _LEAST_CELL.width
        level = Size(max(_TOLD.width, as_wide + _COLUMN), _TOLD.height)
        self.x, self.rest = self._beside(rows_of(stage, "resid_pre"), _MOST_CELL, level)
        self.grid, self.told = self._beside(grid_of(stage, "scores"), _MOST_GRID, lanes)
        three = [rows_of(stage, path) for path in ("queries", "keys", "values")]
        rooms, aside = [self._room(matrix, _MOST_CELL) for matrix in three], Room(_TOLD)
        fit(self.canvas, *self._ways(Column(*rooms, gap=0.25), aside))
        self.queries, self.keys, self.values = map(self._cells, three, rooms)
        self.aside = aside.region

    def _beside(self, matrix: Matrix, side: float, least: Size) -> tuple[Region, Region]:
        """The place of the cells of a matrix, and the room beside or below it."""
        room, told = self._room(matrix, side), Room(least)
        fit(self.canvas, *self._ways(room, told))
        return self._cells(matrix, room), told.region

    def _ways(self, box: Box, told: Room) -> tuple[Box, ...]:
        row, column = Row(box, told), Column(box, told)
        return (row, column) if self.canvas.wide else (column, row)

    def _room(self, matrix: Matrix, side: float) -> Room:
        """Room for a matrix with cells that are at most so wide, and less high."""
        least, most = matrix.least, matrix.most
        larger = self._word(LABEL) - self._word(MIN_SIZE)
        less = matrix.n_rows * side * (1 - _SHAPE[1])
        return Room(Size(least.width + larger, least.height), Size(most.width, most.height - less))

    def _cells(self, matrix: Matrix, room: Room) -> Region:
        """Where its cells lie in a room."""
        matrix.place(room.region)
        cells, left = matrix.lattice.region, room.region.left + self._word(LABEL) + WORD_GAP
        return Region(max(cells.left, left), cells.bottom, cells.right, cells.top)

    def _word(self, size: float) -> float:
        """The width of the longest word, so large."""
        return max(text_width(token, size) for token in self._tokens)
