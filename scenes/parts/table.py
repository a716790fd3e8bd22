"""Matrices that films share: the table of a head, and rows of numbers, one for each token.

A film makes its `rows` with looks of its own, and finds their place once for all shots: `room_of`
is the room that they need on the `steady` canvas, words and all, and `cells_in` their cells there,
into which a shot puts its matrix by `place_cells`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from manim import config

from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_layout import GAP as WORD_GAP
from clockhead.scenes.parts.matrix_layout import Headings
from clockhead.scenes.stage import Room, Size, Value, beside, fit
from clockhead.scenes.style.layout import MARGIN, SHORT_SIDE, Region
from clockhead.scenes.style.text import text_width
from clockhead.scenes.style.theme import Role
from clockhead.scenes.style.type import LABEL, MIN_SIZE

MOST_NUMBER = 26.0
"""The size of numbers in cells where there is room, in pixels."""
SHAPE = (0.2, 0.8)
"""How high cells may be, as shares of their width."""
_TOP, _QUESTION = 1.16, 0.33
"""The height of a title with a question of one line, and of one more line of it, in units."""
_FOOT, _SENTENCE = 0.4, 0.37
"""The height of what stands around the sentences, and of a line of them."""


class Table(Matrix):
    """Who looks at whom: a row for every token that asks, a column for every token it may look at.

    The words over the columns (`tiles`) and beside the rows (`askers`) are pictures of their own,
    which a stage carries over by themselves; the table places them, and reads them back.
    """

    def __init__(self, pattern: Value, tokens: Value, **options: Any) -> None:
        shares: dict[str, Any] = {"low": 0.0, "high": 1.0, "mask": "causal"}
        super().__init__(pattern, rows=tokens, columns=tokens, positions=True, **(shares | options))

    @property
    def tiles(self) -> Headings:
        """The words over the columns, and their positions."""
        assert self.plan.column_names is not None
        return self.plan.column_names

    @property
    def askers(self) -> Headings:
        """The words beside the rows, and their positions."""
        assert self.plan.row_names is not None
        return self.plan.row_names

    def _draw(self, area: Region, angle: float, size: float) -> None:
        super()._draw(area, angle, size)
        self.remove(self.tiles, self.askers)


def room_beside(canvas: Region, table: Matrix) -> Region:
    """Place the table at the right, or below on a tall canvas; what is left is returned."""
    room = Room()
    fit(canvas, beside(room, table))
    return room.region


def steady(canvas: Region) -> Region:
    """The same canvas for every stage of a film, however long its sentences are."""
    frame = Region.frame(config.frame_width, config.frame_height).inset(MARGIN)
    narrow = frame.width < SHORT_SIDE
    bottom = frame.bottom + _FOOT + (3 if narrow else 2) * _SENTENCE
    top = frame.top - _TOP - (_QUESTION if narrow else 0.0)
    return Region(canvas.left, max(bottom, canvas.bottom), canvas.right, min(top, canvas.top))


def bound_of(value: Value) -> float:
    """The largest number of a value without its sign, so that shades run from minus to plus it."""
    return float(np.abs(value.array).max()) or 1.0


def rows(value: Value, words: Value | None, role: Role = "residual", **options: Any) -> Matrix:
    """A row for every token, in two colours, with the words beside them unless there are none."""
    bound = bound_of(value)
    look: dict[str, Any] = {"low": -bound, "high": bound, "aspect": SHAPE}
    look |= {"rows": words, "role": role, "most_number": MOST_NUMBER}
    return Matrix(value, **(look | options))


def room_of(matrix: Matrix, tokens: Sequence[str], most_cell: float, side: float) -> Room:
    """Room for a matrix of such a `most_cell`, with cells at most `side` wide, and less high."""
    least, most = matrix.least, matrix.most
    width = most.width - matrix.n_columns * (most_cell - side)
    height = most.height - matrix.n_rows * (most_cell - SHAPE[1] * side)
    larger = _longest(tokens, LABEL) - _longest(tokens, MIN_SIZE)
    return Room(Size(least.width + larger, least.height), Size(width, height))


def cells_in(matrix: Matrix, tokens: Sequence[str], room: Room) -> Region:
    """Where its cells lie in a room, with place for words of full size to their left."""
    matrix.place(room.region)
    cells, left = matrix.lattice.region, room.region.left + _longest(tokens, LABEL) + WORD_GAP
    return Region(max(cells.left, left), cells.bottom, cells.right, cells.top)


def _longest(tokens: Sequence[str], size: float) -> float:
    """The width of the longest word, so large."""
    return max(text_width(token, size) for token in tokens)
