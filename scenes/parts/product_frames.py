"""The frames around a row of one factor, a column of the other, and the cell where they meet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts.cell_outlines import draw_around
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.paths import rectangle_middles
from clockhead.scenes.stage import Picture, Reading
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.theme import Role, theme

_WIDTH = 4.0
_CENTRED = 0.02
"""How far from the middle of its cell a frame still counts as standing around it."""
_WITHIN = 1e-6

Spot = tuple[float, float]


@dataclass(frozen=True)
class MeetingState:
    """Where frames stand: around row i, column j and the cell where they meet."""

    at: Spot | None = None
    """Row and column, between two of them on the way; None if there are no frames."""
    pair: float | None = None
    """The place of the two numbers that are framed in the row and the column, if any are."""
    seen: float = 1.0
    """How far frames are to be seen, from 0 to 1."""
    moves: bool = False
    """Whether they are on their way from cell to cell."""


class Meeting(Picture):
    """Frames around row i of the left factor, column j of the right one, and cell (i, j).

    What they say is read back: the framed row times the framed column is the framed cell.
    """

    def __init__(self, left: Matrix, right: Matrix, out: Matrix, role: Role) -> None:
        super().__init__(out.value)
        self._matrices, self.drawn = (left, right, out), MeetingState()
        self.paths = [
            Shape(stroke_color=theme().text_color(role), stroke_width=_WIDTH) for _ in range(5)
        ]
        self.row, self.column, self.cell, *_ = self.paths
        self.add(*self.paths)

    def show(self, state: NDArray[np.float64]) -> None:
        """Frames do not run; they are drawn elsewhere."""
        raise NotImplementedError("frames do not run to another value")

    def draw(self, **changes: Any) -> None:
        """Draw the frames as they are now but for these changes of their state."""
        self.drawn = state = replace(self.drawn, **changes)
        left, right, out = self._matrices
        lattices = [matrix.lattice for matrix in (left, right, out, left, right)]
        blocks: list[tuple[float, float, int, int]] = []
        if state.at is not None:
            i, j = state.at
            blocks = [(i, 0, 1, left.n_columns), (0, j, right.n_rows, 1), (i, j, 1, 1)]
            if state.pair is not None:
                blocks += [(i, state.pair, 1, 1), (state.pair, j, 1, 1)]
        for k, path in enumerate(self.paths):
            path.set_stroke(opacity=state.seen)
            draw_around(path, lattices[k], blocks[k : k + 1])

    def readings(self) -> Iterator[Reading]:
        """The framed row times the framed column, for the framed cell, while they stand."""
        left, right, _ = self._matrices
        if self.drawn.moves or not all(len(path.points) for path in self.paths[:3]):
            return
        places = [
            np.array(matrix.lattice.at(rectangle_middles(path.points)[0]))
            for matrix, path in zip(self._matrices, self.paths, strict=False)
        ]
        last = np.array(np.shape(self.shown.content)) - 1
        i, j = round(places[0][0]), round(places[1][1])
        cell = np.clip(np.rint(places[2]), 0, last).astype(int)
        meant = self.shown[int(cell[0]), int(cell[1])]
        off = np.abs([places[0][0] - i, places[1][1] - j, *(places[2] - cell)])
        if off.max() > _CENTRED:
            yield Reading(meant, "between two rows")
        else:
            says = float(left.table[i] @ right.table[:, j])
            yield Reading(meant, says, _WITHIN * max(1.0, abs(says)))
