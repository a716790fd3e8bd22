"""The frames around a row of one factor, a column of the other, and the cell where they meet."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.cell_outlines import draw_around
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import Picture, Reading
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.theme import Role, theme

_WIDTH = 4.0
_CENTRED = 0.02
"""How far from the middle of its cell a frame still counts as standing around it."""
_WITHIN = 1e-6

Spot = tuple[float, float]


class Meeting(Picture):
    """Frames around row i of the left factor, column j of the right one, and cell (i, j).

    What they say is read back: the framed row times the framed column is the framed cell.
    """

    def __init__(self, left: Matrix, right: Matrix, out: Matrix, role: Role) -> None:
        super().__init__(out.value)
        self._matrices = (left, right, out)
        self.paths = [
            Shape(stroke_color=theme().text_color(role), stroke_width=_WIDTH) for _ in range(5)
        ]
        self.row, self.column, self.cell, *self.pair = self.paths
        self.add(*self.paths)
        self.at: Spot | None = None
        self.moving = False

    def show(self, state: NDArray[np.float64]) -> None:
        """Frames do not run; they `stand` elsewhere."""
        raise NotImplementedError("frames do not run to another value")

    def stand(self, spot: Spot) -> None:
        """Stand around a row, a column and the cell where they meet; between two, on the way."""
        left, right, out = self._matrices
        self.at, (i, j) = spot, spot
        draw_around(self.row, left.lattice, [(i, 0, 1, left.n_columns)])
        draw_around(self.column, right.lattice, [(0, j, right.n_rows, 1)])
        draw_around(self.cell, out.lattice, [(i, j, 1, 1)])

    def stand_at_pair(self, k: float | None) -> None:
        """Stand around the numbers of pair k, which may lie between two; None takes both away."""
        left, right, _ = self._matrices
        for path, matrix in zip(self.pair, (left, right), strict=True):
            if k is None or self.at is None:
                path.clear_points()
            else:
                spot = (self.at[0], k) if matrix is left else (k, self.at[1])
                draw_around(path, matrix.lattice, [(*spot, 1, 1)])

    def be_seen(self, share: float) -> None:
        """Be seen so far; gone for good at 0."""
        for path in self.paths:
            path.set_stroke(opacity=share)
        if share == 0:
            self.at = None
            for path in self.paths:
                path.clear_points()

    def readings(self) -> Iterator[Reading]:
        """The framed row times the framed column, for the framed cell, while they stand."""
        left, right, _ = self._matrices
        if self.moving or not all(len(path.points) for path in self.paths[:3]):
            return
        places = [
            np.array(matrix.lattice.at(_middle(path)))
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


def _middle(path: VMobject) -> NDArray[np.float64]:
    return np.asarray((path.points.min(axis=0) + path.points.max(axis=0)) / 2)
