"""Matrices that films share: the table of a head, and rows of numbers, one for each token.

A film makes its `rows` with its own looks, and computes their position once for all shots:
`room_of` is the room that they need on the `steady` canvas, with names, and `cells_in` the region
of the cells in it. A shot passes that to `place_cells`.
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
"""Largest size of numbers in cells, in pixels."""
SHAPE = (0.2, 0.8)
"""Smallest and largest ratio of a cell's height to its width."""
_TOP = 1.16
"""Height of a title with a question of one line, in units."""
_QUESTION = 0.33
"""Height of another line of the question, in units."""
_FOOT = 0.4
"""Height of everything around the sentences in the band, in units."""
_SENTENCE = 0.37
"""Height of a line of a sentence, in units."""


class Table(Matrix):
    """An attention pattern: a row for every query token, a column for every token it may look at.

    The names above the columns (`tiles`) and left of the rows (`askers`) are pictures of their own,
    which a stage carries over separately; the table places them, and reads them back.
    """

    def __init__(self, pattern: Value, tokens: Value, **options: Any) -> None:
        shares: dict[str, Any] = {"low": 0.0, "high": 1.0, "mask": "causal"}
        super().__init__(pattern, rows=tokens, columns=tokens, positions=True, **(shares | options))

    @property
    def tiles(self) -> Headings:
        """The names above the columns, and their positions."""
        assert self.plan.column_names is not None
        return self.plan.column_names

    @property
    def askers(self) -> Headings:
        """The names of the rows, and their positions."""
        assert self.plan.row_names is not None
        return self.plan.row_names

    def _draw(self, area: Region, angle: float, size: float) -> None:
        super()._draw(area, angle, size)
        self.remove(self.tiles, self.askers)


def room_beside(canvas: Region, table: Matrix) -> Region:
    """Place the table at the right, or at the bottom of a tall canvas; returns the remainder."""
    room = Room()
    fit(canvas, beside(room, table))
    return room.region


def steady(canvas: Region) -> Region:
    """The same canvas for all stages of a film, whatever the length of their sentences."""
    frame = Region.frame(config.frame_width, config.frame_height).inset(MARGIN)
    narrow = frame.width < SHORT_SIDE
    bottom = frame.bottom + _FOOT + (3 if narrow else 2) * _SENTENCE
    top = frame.top - _TOP - (_QUESTION if narrow else 0.0)
    return Region(canvas.left, max(bottom, canvas.bottom), canvas.right, min(top, canvas.top))


def bound_of(value: Value) -> float:
    """The largest absolute value, as a symmetric bound for colours."""
    return float(np.abs(value.array).max()) or 1.0


def rows(value: Value, words: Value | None, role: Role = "residual", **options: Any) -> Matrix:
    """A matrix with a row for each token, in two colours, with the tokens as names if given."""
    bound = bound_of(value)
    look: dict[str, Any] = {"low": -bound, "high": bound, "aspect": SHAPE}
    look |= {"rows": words, "role": role, "most_number": MOST_NUMBER}
    return Matrix(value, **(look | options))


def room_of(matrix: Matrix, tokens: Sequence[str], most_cell: float, side: float) -> Room:
    """Room for a matrix with cells at most `side` wide, whose own `most_cell` is given."""
    least, most = matrix.least, matrix.most
    width = most.width - matrix.n_columns * (most_cell - side)
    height = most.height - matrix.n_rows * (most_cell - SHAPE[1] * side)
    larger = _longest(tokens, LABEL) - _longest(tokens, MIN_SIZE)
    return Room(Size(least.width + larger, least.height), Size(width, height))


def cells_in(matrix: Matrix, tokens: Sequence[str], room: Room) -> Region:
    """The region of its cells in a room, leaving space on the left for names of full size."""
    matrix.place(room.region)
    cells, left = matrix.lattice.region, room.region.left + _longest(tokens, LABEL) + WORD_GAP
    return Region(max(cells.left, left), cells.bottom, cells.right, cells.top)


def _longest(tokens: Sequence[str], size: float) -> float:
    """The width of the longest word at this size."""
    return max(text_width(token, size) for token in tokens)
