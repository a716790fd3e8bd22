"""How rows leave the table of a vocabulary for the words of a text, and the arcs of a question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from manim import VGroup, VMobject, linear, partial_bezier_points
from numpy.typing import NDArray

from model.arrays import Ints
from scenes.parts.cell_outlines import CellFrame, in_steps
from scenes.parts.matrix import Matrix
from scenes.parts.paths import rectangles
from scenes.parts.strip import Strip
from scenes.stage import Picture, Reading, Value
from scenes.stage.shown import is_visible
from scenes.style.layout import Region
from scenes.style.motion import Drive, along, in_turn
from scenes.style.text import Label
from scenes.style.theme import Role, theme

Point = NDArray[np.float64]

_WIDTH = 3.5
_HEAD = 0.13
"""The length of the tip of an arc, in units."""
_FLAT, _EACH = 0.4, 0.6
"""How high the arc from nearby is, in heights of the one from afar; an arc's share of the time."""
_RESTS = 0.02
"""How far from the middle of its row a frame still counts as resting there, in rows."""


class Arcs(VGroup):
    """Bent arrows from several points to one, which grow one after another.

    `bow` is the way by which the one from afar is bent aside.
    """

    def __init__(self, sources: Sequence[Point], goal: Point, bow: Point, role: Role) -> None:
        color = theme().text_color(role)
        far = [float(np.linalg.norm(goal - start)) for start in sources]
        bows = [bow * (_FLAT + (1 - _FLAT) * way / max(far)) for way in far]
        self._curves = [
            np.array([start, start + high, goal + high, goal], dtype=float)
            for start, high in zip(sources, bows, strict=True)
        ]
        self.lines = [VMobject(stroke_color=color, stroke_width=_WIDTH) for _ in sources]
        self.tip = VMobject(stroke_width=0, fill_color=color, fill_opacity=0)
        back = bow / np.linalg.norm(bow) * _HEAD
        side = 0.5 * np.array([-back[1], back[0], 0.0])
        self.tip.set_points_as_corners([goal, goal + back + side, goal + back - side, goal])
        super().__init__(*self.lines, self.tip)

    def grow(self, *, run_time: float = 1.5) -> Drive:
        """Let every arc run from its source to the goal."""

        def show(share: NDArray[np.float64]) -> None:
            come = in_turn(float(share), len(self.lines), _EACH)
            for line, curve, part in zip(self.lines, self._curves, come, strict=True):
                line.set_points(partial_bezier_points(curve, 0.0, float(part)))
            self.tip.set_fill(opacity=float(come.max(initial=0.0) == 1))

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def sink(self, *, run_time: float = 0.8) -> Drive:
        """Let what has come run on into the goal."""

        def show(share: NDArray[np.float64]) -> None:
            for line, curve in zip(self.lines, self._curves, strict=True):
                line.set_points(partial_bezier_points(curve, float(share), 1.0))
            self.tip.set_fill(opacity=1 - float(share))

        return Drive(self, show, 0.0, 1.0, run_time=run_time)


class WordsToRows(VGroup):
    """The words of a strip on their way to the rows of a matrix, out of their boxes."""

    def __init__(self, tiles: Strip, matrix: Matrix) -> None:
        self._homes = matrix.row_labels
        self._starts = [tiles.tiles[k].label for k in range(len(self._homes))]
        super().__init__(*(Label(home.text) for home in self._homes))

    def go(self, *, run_time: float = 1.5) -> Drive:
        """Let them go; the words that they come from are to be gone by then."""
        ends = [
            (a.points.copy(), b.points.copy())
            for a, b in zip(self._starts, self._homes, strict=True)
        ]

        def show(share: NDArray[np.float64]) -> None:
            for label, (start, end) in zip(self.submobjects, ends, strict=True):
                label.points = start + (end - start) * float(share)

        show(np.zeros(()))
        return Drive(self, show, 0.0, 1.0, run_time=run_time)


class RowMark(Picture):
    """A frame around the row of a table that a token fetches: one token (T,) after another."""

    def __init__(self, tokens: Value, rows: Ints, table: Matrix) -> None:
        super().__init__(tokens)
        self._tokens, self._rows, self._table = tokens, rows, table
        self._at: int | None = 0
        self.frame = CellFrame(self.row(0))
        self.add(self.frame)

    def row(self, token: int) -> Region:
        """The row that a token fetches."""
        return self._table.row(int(self._rows[token]))

    def go(self, *, run_time: float) -> Drive:
        """Let it go on from the row of the first token to that of the second, and so on."""
        n = len(self._tokens)
        regions = [self.row(token) for token in range(n)]
        edges = np.array([[r.left, r.bottom, r.right, r.top] for r in regions])  # (T, 4)
        rate = in_steps(n - 1)

        def show(share: NDArray[np.float64]) -> None:
            place = rate(float(share)) * (n - 1)
            self._at = round(place) if place == round(place) else None
            self.frame.set_points(rectangles(*along(edges, place)))

        return Drive(self, show, 0.0, 1.0, run_time=run_time, rate_func=linear)

    def show(self, state: NDArray[np.float64]) -> None:
        """It does not run to other rows."""
        raise NotImplementedError("a mark goes from token to token")

    def readings(self) -> Iterator[Reading]:
        """The word of the row that it stands around, while it rests."""
        if self._at is None or not is_visible(self.frame):
            return
        row, _ = self._table.lattice.at(self.frame.region.center)
        rests = abs(row - round(row)) < _RESTS
        word = self._table.row_labels[round(row)].text if rests else "between two rows"
        yield Reading(self._tokens[self._at], word)


def unroll(table: Matrix, known: NDArray[np.int64], *, run_time: float = 1.5) -> Drive:
    """Let the words of a table come from the top down, and with them the cells of known rows."""
    share_of = np.zeros(table.n_rows)
    share_of[known] = 1.0

    def show(share: NDArray[np.float64]) -> None:
        come = in_turn(float(share), table.n_rows, 0.3)
        table.fade_lines(float(share))
        table.open_to(np.repeat((come * share_of)[:, None], table.n_columns, axis=1))
        for label, seen in zip(table.row_labels, come, strict=True):
            label.set_fill(opacity=float(seen))

    return Drive(table, show, 0.0, 1.0, run_time=run_time, introducer=True)


def only_row(matrix: Matrix, i: int, row: Region) -> Matrix:
    """The matrix with nothing to be seen but row i, which lies on a row of another one."""
    high, n = row.height, matrix.n_rows
    top = row.top + i * high
    matrix.place_cells(Region(row.left, top - n * high, row.right, top))
    matrix.fade_lines(0.0)
    return matrix.empty(*(k for k in range(n) if k != i))
