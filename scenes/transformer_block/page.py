"""The place of the residual stream (the tape) in this film, the same in every shot.

`page.x` is the region of the cells of the stream (T, d_model): at the left of a wide canvas or at
the top of a tall one, with its names to the left. `page.rest` is the region beside or below it.
Matrices are placed in such a region with `place_cells`. `page.is_wide` says which layout is used.
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

NUMBERS = (".2f", ".1f")
"""Formats of numbers, the best first: two decimals, as in the primer."""
LARGE_NUMBERS = (".2f", ".1f", ".0f", ".1e", ".0e")
"""Formats of large numbers, the best first."""
SHARES = (".1%", ".0%")
"""Formats of attention weights."""
LEAST_CELL = Size(0.6, 0.24)
"""Smallest cell with a number, in units."""

_LARGE = 5.0
"""Numbers from this size on may be written without decimals."""
_WIDE = 0.68
"""Largest width of a cell of the tape at the left of the canvas, in units."""
_TALL = 0.9
"""Largest width of a cell of the tape at the top of the canvas, in units."""
_PAUSE = 0.6
"""Seconds for which two numbers are framed before they are added, and then their sum."""
_REST = Size(4.4, 2.4)
"""Smallest region for everything but the tape."""


def numbers_of(value: Value) -> tuple[str, ...]:
    """The formats of a value's numbers; without decimals only if they are large enough."""
    return LARGE_NUMBERS if bound_of(value) >= _LARGE else NUMBERS


def rows_of(
    stage: Stage, value: str | Value, role: Role = "residual", *, named: bool = True, **options: Any
) -> Matrix:
    """A matrix with a row for every token, in two colours; `value` or its path.

    The tape itself is `rows_of(self, "resid_pre")` in `page.x`; `to(value, low=-bound, high=bound)`
    changes it to a later stream.
    """
    value = stage[value] if isinstance(value, str) else value
    look = {"spec": numbers_of(value), "least_cell": LEAST_CELL, "most_cell": _TALL} | options
    return matrix_rows(value, stage["tokens"] if named else None, role, **look)


def add_copy(rows: Matrix, more: Matrix, total: Value, run_time: float) -> Steps:
    """Slide a copy of `more` onto `rows`, where it vanishes, and change `rows` to the sum of both.

    A number of the last row is framed in both, if possible one whose sum is correct as written.
    Raises ValueError if `total` is not the sum.
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
    yield _PAUSE
    yield (
        rows.to(total, low=-bound, high=bound, run_time=run_time),
        slide_cells(copy, rows.lattice.region, run_time=run_time),
        Drive(copy, close, 0.0, 1.0, run_time=run_time, rate_func=rush_into),
    )
    yield _PAUSE
    yield [FadeOut(frame, run_time=0.4) for frame in frames]


class TapePage:
    """The layout of a stage of this film, as described for the module."""

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
        """The tape in its place, with this stream (T, d_model)."""
        tape = rows_of(self._stage, value, **options)
        tape.place_cells(self.x)
        return tape
