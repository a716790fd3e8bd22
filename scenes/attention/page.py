"""Where the matrices of this film stand, so that what is carried from shot to shot does not jump.

`page.x` is the place of one matrix of rows (X, the values, the new rows), `page.rest` the room
beside or below it; `page.queries`, `page.keys` and `page.values` are the places of the three
together, one over the other, with `page.aside` beside or below; `page.grid` is the place of the
table of who asks whom, with `page.told` beside or below. Matrices go into their places with
`place_cells`: the places are those of the cells, and the words stand to their left and over them.
"""

from __future__ import annotations

from typing import Any

from clockhead.model.attention.worked_head import WorkedHead
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.table import Room
from clockhead.scenes.parts.token_rows import (
    MOST_NUMBER,
    cells_in,
    room_of,
    rows,
    steady,
)
from clockhead.scenes.stage import Column, Row, Size, Stage, fit
from clockhead.scenes.stage.layout import Box
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.theme import Role

__all__ = ["COMPUTED", "GIVEN", "MOST_NUMBER", "SHARES", "Page", "grid_of", "rows_of", "steady"]

GIVEN = (".2f", ".1f", ".0f")
"""How numbers that are given are written, the best first."""
COMPUTED = (".4f", ".3f", ".2f", ".1f", ".0f", ".1e", ".0e")
"""How numbers that are computed are written."""
SHARES = (".1%", ".0%", ".2f", ".1f")
"""How shares of attention are written."""

_LEAST_CELL = Size(0.6, 0.22)
_LEAST_GRID = Size(0.5, 0.3)
_MOST_CELL, _MOST_GRID = 1.05, 1.35
"""How wide a cell of rows and of the grid may be."""
_TOLD, _LANE = Size(2.9, 1.75), 0.56
"""The least room beside the grid or the rows, and the height of a line for each token in it."""
UNDER = 0.7
"""Between queries, keys and values on a page that is higher than wide, in units: there is room for
a line under each."""
_COLUMN = 1.4
"""What a column of shares needs beside rows, gaps and all."""


def rows_of(
    stage: Stage, path: str, role: Role = "residual", *, named: bool = True, **options: Any
) -> Matrix:
    """A matrix with a row for every token, (T, d_model), in two colours."""
    look: dict[str, Any] = {
        "spec": GIVEN if path == "resid_pre" else COMPUTED,
        "least_cell": _LEAST_CELL,
        "most_cell": _MOST_CELL,
    }
    return rows(stage[path], stage["tokens"] if named else None, role, **(look | options))


def grid_of(stage: Stage, path: str, **options: Any) -> Matrix:
    """A table of who asks whom, (T, T), words at its rows and columns; by default in two colours.

    For shares give `low=0.0, high=1.0, spec=SHARES, mask="causal"`.
    """
    look: dict[str, Any] = {
        "columns": stage["tokens"],
        "spec": COMPUTED,
        "least_cell": _LEAST_GRID,
        "most_cell": _MOST_GRID,
    }
    return rows(stage[path], stage["tokens"], "attention", **(look | options))


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
        rooms = [room_of(matrix, self._tokens, _MOST_CELL, _MOST_CELL) for matrix in three]
        aside = Room(_TOLD)
        gap = 0.25 if self.canvas.wide else UNDER
        fit(self.canvas, *self._ways(Column(*rooms, gap=gap), aside))
        self.queries, self.keys, self.values = (
            cells_in(matrix, self._tokens, room) for matrix, room in zip(three, rooms, strict=True)
        )
        self.aside = aside.region

    def _beside(self, matrix: Matrix, side: float, least: Size) -> tuple[Region, Region]:
        """The place of the cells of a matrix, and the room beside or below it."""
        room, told = room_of(matrix, self._tokens, side, side), Room(least)
        fit(self.canvas, *self._ways(room, told))
        return cells_in(matrix, self._tokens, room), told.region

    def _ways(self, box: Box, told: Room) -> tuple[Box, ...]:
        row, column = Row(box, told), Column(box, told)
        return (row, column) if self.canvas.wide else (column, row)
