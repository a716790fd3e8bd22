"""Where the tape stands in this film, so that it does not jump from shot to shot.

`page.x` is the place of the cells of the stream (T, d_model), at the left of a wide canvas and at
the top of a tall one, its words to their left; `page.rest` is all the room beside or below it.
Matrices go into such a place with `place_cells`. `page.is_wide` says which of the two it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create, rush_into
from numpy.typing import NDArray

from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_moves import slide_cells
from clockhead.scenes.parts.table import bound_of, cells_in, room_of, steady
from clockhead.scenes.parts.table import rows as matrix_rows
from clockhead.scenes.stage import Column, Room, Row, Size, Stage, Steps, Value, fit
from clockhead.scenes.style.motion import Drive, FadeOut
from clockhead.scenes.style.theme import Role

NUMBERS, LARGE_NUMBERS = (".2f", ".1f"), (".2f", ".1f", ".0f", ".1e", ".0e")
"""How numbers are written, the best first: two decimals, as the primer does."""
SHARES = (".1%", ".0%")
"""How shares of attention are written."""
LEAST_CELL = Size(0.6, 0.24)
"""The least cell with a number in it, in units."""

_LARGE = 5.0
"""Numbers of at least this size can be written without decimals."""
_WIDE, _TALL = 0.68, 0.9
"""How wide a cell of the tape is at most where it stands at the left, and at the top."""
_HOLD = 0.6
"""Seconds that two numbers stand framed before they are added, and then their sum."""
_REST = Size(4.4, 2.4)
"""The least room for all that is not the tape."""


def numbers_of(value: Value) -> tuple[str, ...]:
    """The formats of a value's numbers; without decimals only where they are large enough."""
    return LARGE_NUMBERS if bound_of(value) >= _LARGE else NUMBERS


def rows_of(
    stage: Stage, value: str | Value, role: Role = "residual", *, named: bool = True, **options: Any
) -> Matrix:
    """A matrix with a row for every token, in two colours; `value` or its path.

    The tape itself is `rows_of(self, "resid_pre")` in `page.x`; to stand for a later stream it
    goes on with `to(value, low=-bound, high=bound)`.
    """
    value = stage[value] if isinstance(value, str) else value
    look = {"spec": numbers_of(value), "least_cell": LEAST_CELL, "most_cell": _TALL} | options
    return matrix_rows(value, stage["tokens"] if named else None, role, **look)


def add_copy(rows: Matrix, more: Matrix, total: Value, run_time: float) -> Steps:
    """Let a copy of `more` slide onto `rows` and vanish there; these become the sum of both.

    In both a number of the last row is framed, if possible one whose sum is true as it is written.
    Raises ValueError where `total` is not that sum.
    """
    if not np.allclose(rows.table + more.table, total.array):
        raise ValueError(f"{rows.value.name} and {more.value.name} do not add up to {total.name}")
    low, high = more.scale_now.low, more.scale_now.high
    copy = matrix_rows(more.value, None, low=low, high=high, spec=more.scale_now.spec)
    copy.place_cells(more.lattice.region)

    def close(share: NDArray[np.float64]) -> None:
        copy.open_to(np.full(copy.table.shape, 1 - float(share)))
        copy.fade_lines(1 - float(share))

    bound, last = bound_of(total), rows.n_rows - 1
    one, other, both = (np.round(table[last], 2) for table in (rows.table, more.table, total.array))
    column = int(np.isclose(one + other, both).argmax())
    frames = [CellFrame(matrix.cell(last, column)) for matrix in (rows, more)]
    yield [Create(frame, run_time=0.4) for frame in frames]
    yield _HOLD
    yield (
        rows.to(total, low=-bound, high=bound, run_time=run_time),
        slide_cells(copy, rows.lattice.region, run_time=run_time),
        Drive(copy, close, 0.0, 1.0, run_time=run_time, rate_func=rush_into),
    )
    yield _HOLD
    yield [FadeOut(frame, run_time=0.4) for frame in frames]


class TapePage:
    """The places on the canvas of a stage of this film. See the module."""

    def __init__(self, stage: Stage) -> None:
        self._stage, self.canvas, tokens = stage, steady(stage.canvas), stage.values.tokens
        tape, rest = rows_of(stage, "resid_pre"), Room(_REST)
        beside, above = (room_of(tape, tokens, _TALL, side) for side in (_WIDE, _TALL))
        row, column = Row(beside, rest, weights=(3, 1)), Column(above, rest, weights=(1, 2))
        ways = (row, column) if self.canvas.wide else (column, row)
        self.is_wide = ways[fit(self.canvas, *ways)] is row
        self.x = cells_in(tape, tokens, beside if self.is_wide else above)
        self.rest = rest.region

    def tape(self, value: str | Value, **options: Any) -> Matrix:
        """The tape in its place; it shows this stream (T, d_model)."""
        tape = rows_of(self._stage, value, **options)
        tape.place_cells(self.x)
        return tape
