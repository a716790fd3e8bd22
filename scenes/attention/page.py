"""The map of the worked head, which stays from shot to shot.

On the left, or on top of a high page, stand the rows X, the queries, the keys and the values, one
block over the other: `page.x`, `page.queries`, `page.keys`, `page.values`. They stay; what is
worked out with them is worked beside them, in `page.work`. Of this, `page.grid` is the place of the
table of who asks whom, and `page.told` the room beside or below it. The places are those of cells:
words stand to their left and over them, signs to their right.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import VGroup, config
from numpy.typing import NDArray

from clockhead.model.attention.worked_head import WorkedHead
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.table import (
    MOST_NUMBER,
    cells_in,
    room_of,
    rows,
)
from clockhead.scenes.stage import Column, Room, Row, Size, Stage, fit
from clockhead.scenes.style.layout import MARGIN, SHORT_SIDE, Region
from clockhead.scenes.style.text import Formula, Label
from clockhead.scenes.style.theme import Role, theme

__all__ = ["COMPUTED", "GIVEN", "MOST_NUMBER", "SHARES", "Page", "grid_of", "rows_of", "steady"]

GIVEN = (".2f", ".1f", ".0f")
"""How numbers that are given are written, the best first."""
COMPUTED = (".4f", ".3f", ".2f", ".1f", ".0f", ".1e", ".0e")
"""How numbers that are computed are written."""
SHARES = (".1%", ".0%", ".2f", ".1f")
"""How shares of attention are written."""

_FOOT, _SENTENCE = 0.4, 0.37
"""The height of what stands around the sentences, and of a line of them, in units."""
_LEAST_CELL = Size(0.5, 0.22)
_LEAST_GRID = Size(0.5, 0.3)
_MOST_CELL, _MOST_GRID = 1.05, 1.35
"""How wide a cell of rows and of the grid may be."""
_WORK, _TOLD = Size(3.1, 3.4), Size(2.9, 1.75)
"""The least room for what is worked out, and of it, for what is told beside or below the grid."""
_BLOCKS = "resid_pre", "queries", "keys", "values"
_LETTER, _SIGN, _GAP = 36.0, 0.7, 0.22
"""The size of a sign, in pixels, the room for it, and between two blocks, in units."""


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
    role: Role = "attention" if path == "pattern" else "score"
    return rows(stage[path], stage["tokens"], role, **(look | options))


def steady(canvas: Region) -> Region:
    """The same canvas for every stage of this film, however long its sentences are."""
    frame = Region.frame(config.frame_width, config.frame_height).inset(MARGIN)
    lines = 3 if frame.width < SHORT_SIDE else 2
    bottom = frame.bottom + _FOOT + lines * _SENTENCE
    return Region(canvas.left, max(bottom, canvas.bottom), canvas.right, canvas.top)


class Page:
    """The places on the canvas of a stage about a worked head. See the module."""

    def __init__(self, stage: Stage) -> None:
        head = stage.values
        assert isinstance(head, WorkedHead)
        self.canvas, tokens = steady(stage.canvas), head.tokens
        blocks = [rows_of(stage, path) for path in _BLOCKS]
        rooms = [room_of(block, tokens, _MOST_CELL, _MOST_CELL) for block in blocks]
        work, told, grid = Room(_WORK), Room(_TOLD), grid_of(stage, "scores")
        row, column = (kind(Column(*rooms, gap=_GAP), work, gap=_SIGN) for kind in (Row, Column))
        fit(self.canvas, *((row, column) if self.canvas.wide else (column, row)))
        self.work = work.region
        self.x, self.queries, self.keys, self.values = (
            cells_in(block, tokens, room) for block, room in zip(blocks, rooms, strict=True)
        )
        place = room_of(grid, tokens, _MOST_GRID, _MOST_GRID)
        beside, below = (kind(place, told, weights=(4, 1)) for kind in (Row, Column))
        fit(self.work, *((beside, below) if self.work.wide else (below, beside)))
        self.grid, self.told = cells_in(grid, tokens, place), told.region

    def blocks(self, stage: Stage) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        """X, queries, keys and values, each in its place."""
        roles: tuple[Role, ...] = ("residual", "query", "key", "value")
        places = self.x, self.queries, self.keys, self.values
        x, queries, keys, values = (
            rows_of(stage, path, role) for path, role in zip(_BLOCKS, roles, strict=True)
        )
        for block, place in zip((x, queries, keys, values), places, strict=True):
            block.place_cells(place)
        return x, queries, keys, values

    def signs(self) -> VGroup:
        """What the blocks are called, to their right."""
        roles: tuple[Role, ...] = ("residual", "query", "key", "value")
        places = self.x, self.queries, self.keys, self.values
        return VGroup(
            *(
                Label(
                    letter,
                    size=_LETTER,
                    weight="italic",
                    color=theme().text_color(role),
                    align="center",
                ).center_on(self._beside(place))
                for letter, role, place in zip("XQKV", roles, places, strict=True)
            )
        )

    def sign(self, text: str, role: Role, cells: Region) -> Formula:
        """A sign to the right of cells."""
        sign = Formula(text, size=_LETTER, color=theme().text_color(role))
        return sign.move_to(self._beside(cells))

    @staticmethod
    def _beside(cells: Region) -> NDArray[np.float64]:
        return np.array([cells.right + _SIGN / 2, cells.center[1], 0.0])
