"""Where the tape stands in this film, so that it does not jump from shot to shot.

`page.x` is the place of the cells of the stream (T, d_model), at the left of a wide canvas and at
the top of a tall one, its words to their left; `page.rest` is all the room beside or below it.
Matrices go into such a place with `place_cells`. `page.is_wide` says which of the two it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import config

from scenes.parts.matrix import Matrix
from scenes.parts.table import Room
from scenes.stage import Column, Row, Size, Stage, Value, fit
from scenes.style.layout import MARGIN, SHORT_SIDE, Region
from scenes.style.theme import Role

NUMBERS, LARGE_NUMBERS = (".2f", ".1f"), (".2f", ".1f", ".0f", ".1e", ".0e")
"""How numbers are written, the best first: two decimals, as the primer does."""
SHARES = (".1%", ".0%")
"""How shares of attention are written."""
LEAST_CELL = Size(0.6, 0.24)
"""The least cell with a number in it, in units."""

_LARGE = 5.0
"""From here on numbers tell something without their decimals."""
_TOP, _QUESTION = 1.16, 0.33
"""The height of a title with a question of one line, and of one more line of it, in units."""
_FOOT, _SENTENCE = 0.4, 0.37
"""The height of what stands around the sentences, and of a line of them."""
_WIDE, _TALL = 0.64, 0.9
"""How wide a cell of the tape is at most where it stands at the left, and at the top."""
_SHAPE = (0.2, 0.8)
"""How high cells may be, as shares of their width."""
_REST = Size(4.4, 2.4)
"""The least room for all that is not the tape."""


def steady(canvas: Region) -> Region:
    """The same canvas for every stage of the film, however long its sentences are."""
    frame = Region.frame(config.frame_width, config.frame_height).inset(MARGIN)
    narrow = frame.width < SHORT_SIDE
    bottom = frame.bottom + _FOOT + (3 if narrow else 2) * _SENTENCE
    top = frame.top - _TOP - (_QUESTION if narrow else 0.0)
    return Region(canvas.left, max(bottom, canvas.bottom), canvas.right, min(top, canvas.top))


def bound_of(value: Value) -> float:
    """The largest number of a value without its sign, so that shades run from minus to plus it."""
    return float(np.abs(value.array).max()) or 1.0


def numbers_of(value: Value) -> tuple[str, ...]:
    """How the numbers of a value are written; without decimals only if that tells something."""
    return LARGE_NUMBERS if bound_of(value) >= _LARGE else NUMBERS


def rows_of(
    stage: Stage, value: str | Value, role: Role = "residual", *, named: bool = True, **options: Any
) -> Matrix:
    """A matrix with a row for every token, in two colours; `value` or its path.

    The tape itself is `rows_of(self, "resid_pre")` in `page.x`; to stand for a later stream it
    goes on with `to(value, low=-bound, high=bound)`.
    """
    value = stage[value] if isinstance(value, str) else value
    bound = bound_of(value)
    look: dict[str, Any] = {
        "rows": stage["tokens"] if named else None,
        "role": role,
        "low": -bound,
        "high": bound,
        "spec": numbers_of(value),
        "least_cell": LEAST_CELL,
        "most_cell": _TALL,
        "aspect": _SHAPE,
    }
    return Matrix(value, **(look | options))


class Page:
    """The places on the canvas of a stage of this film. See the module."""

    def __init__(self, stage: Stage) -> None:
        self.canvas = steady(stage.canvas)
        tape = rows_of(stage, "resid_pre")
        beside, above, rest = _room(tape, _WIDE), _room(tape, _TALL), Room(_REST)
        row, column = Row(beside, rest, weights=(3, 1)), Column(above, rest, weights=(1, 2))
        ways = (row, column) if self.canvas.wide else (column, row)
        chosen = ways[fit(self.canvas, *ways)]
        self.is_wide = chosen is row
        tape.place((beside if self.is_wide else above).region)
        self.x, self.rest = tape.lattice.region, rest.region


def _room(tape: Matrix, side: float) -> Room:
    """Room for the tape with cells that are at most so wide."""
    least, most = tape.least, tape.most
    width = most.width - tape.n_columns * (_TALL - side)
    return Room(least, Size(width, most.height - tape.n_rows * (_TALL - side * _SHAPE[1])))
