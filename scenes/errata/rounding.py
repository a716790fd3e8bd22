"""One wrong number in 290, in a row whose sum is right; and the remainders of rounding."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from manim import Create, Line
from numpy.typing import NDArray

from clockhead.model.films.errata.rounding import RoundedShares, rounded_shares
from clockhead.scenes.errata.sheets import NUMBER
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_moves import slide_cells
from clockhead.scenes.parts.paths import rectangle_edges, rectangles
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import (
    CAPTION,
    REST,
    Picture,
    Reading,
    Stage,
    Steps,
    Value,
    beat,
    together,
)
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut, slide
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import Role, theme

_LINE = 0.62, 0.9
"""Largest distance between numbers of a sum on a wide and on a tall canvas, in units."""
_LARGE = 38.0
"""Largest size of the numbers in a sum, in pixels at 720p."""
_WIDE, _NARROW, _APART = 2.3, 1.4, 0.3
"""Width of a column of numbers on a wide and on a tall canvas, and gap between them, in units."""


class Leftovers(Picture):
    """What rounding took from each number, (n,), as bars to the right of a line.

    What it added is to the left of the line. `chain` lines the bars up end to end.
    """

    def __init__(self, cut: Value, places: NDArray[np.float64], height: float, unit: float) -> None:
        super().__init__(cut)
        self._places, self._height, self._unit, self._chained = places, height, unit, 0.0
        roles: tuple[Role, Role] = ("probability", "negative")
        self.paths = [Shape(stroke_width=0, fill_color=getattr(theme(), r)) for r in roles]
        self.add(*(path.set_fill(opacity=1) for path in self.paths))
        self.show(self.state)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw bars with these lengths (n,)."""
        before = np.concatenate([[0.0], state.cumsum()[:-1]]) * self._chained
        x, y = self._places[:, 0] + before * self._unit, self._places[:, 1]
        ends = x + state * self._unit
        edges = np.stack([np.minimum(x, ends), y - self._height / 2, np.maximum(x, ends)])
        edges = np.concatenate([edges, (y + self._height / 2)[None]])  # (4, n)
        for path, chosen in zip(self.paths, (state >= 0, state < 0), strict=True):
            path.set_points(rectangles(*edges[:, chosen]))

    def chain(self, *, run_time: float = 3.0) -> Drive:
        """Move each bar to begin where the one above it ends."""
        return self.drive("_chained", 0.0, 1.0, run_time=run_time)

    def readings(self) -> Iterator[Reading]:
        """Compare the length of each bar."""
        if not is_visible(self.paths[0]):
            return
        for path, sign in zip(self.paths, (1, -1), strict=True):
            for k, (left, _, right, _) in enumerate(rectangle_edges(path.points)):
                index = int(np.flatnonzero(np.sign(self.state) == sign)[k])
                length = float(right - left) / self._unit
                yield Reading(self.shown[index], sign * length, 1e-5)


class Rounding(Stage[RoundedShares]):
    """All numbers of an example, and one that is wrong although its row adds up."""

    title = "One in {printed.n_numbers}"
    caption = (
        "A sum that fails shows that a table is wrong. A sum that fits does not show that it is "
        "right."
    )
    opens = ("wall",)

    compute = rounded_shares

    def layout(self) -> None:
        canvas, n = self.canvas, self.values.n_shares
        bound = float(np.abs(self.values.wall).max())
        shades: dict[str, Any] = {"low": -bound, "high": bound, "role": "residual"}
        self.wall = Matrix(self["wall"], lying=True, aspect=None, least_cell=0.05, **shades)
        height = min(canvas.height, 0.75 * canvas.width)
        middle = float(canvas.center[1])
        self.area = Region(canvas.left, middle - height / 2, canvas.right, middle + height / 2)
        self.wall.place_cells(self.area)
        wide = canvas.wide
        line = min(_LINE[not wide], canvas.height / (n + 2.2))
        self.width = _WIDE if wide else _NARROW
        bottom = middle - n * line / 2 + 0.2 * line
        shares = (0.5, 0.38, 0.62)
        self.places = [
            Region(x - self.width / 2, bottom, x + self.width / 2, bottom + n * line)
            for x in (float(canvas.point(share, 0)[0]) for share in shares)
        ]
        left = canvas.left + (0.03 if wide else 0.0) * canvas.width
        first = replace(self.places[0], left=left, right=left + self.width)
        start = first.right + _APART
        self.cells = first, replace(first, left=start, right=start + self.width)
        self.row = self._column("shares", "probability", self.places[0], spec=".2f")
        self.last = replace(self.area, left=self.area.right - self.area.width / 29)
        self.line = self._sum_line(self.places[0])
        self.sum = self._sum_figure("printed_sum", self.places[0])
        self._make_remainders(line)

    def _column(self, path: str, role: Role, place: Region, *, spec: str) -> Matrix:
        look: dict[str, Any] = {"low": 0.0, "high": 0.5, "spec": spec, "most_number": _LARGE}
        column = Matrix(self[path], role=role, aspect=None, **look)
        column.place_cells(place)
        return column

    def _sum_line(self, cells: Region) -> Line:
        """The line below the numbers of a sum."""
        return Line(cells.point(0, 0), cells.point(1, 0), color=self.theme.ink, stroke_width=4)

    def _sum_figure(self, path: str, cells: Region, x: float = 0.5) -> Figure:
        """A sum, below its line."""
        down = cells.height / self.values.n_shares
        return Figure(self[path], ".2f", size=_LARGE).put(
            cells.point(x, 0) - np.array([0.0, down, 0.0])
        )

    def _make_remainders(self, line: float) -> None:
        """Make the true numbers and the remainders of rounding, at the right."""
        cells, beside = self.cells
        self.true = self._column("true", "right", self.places[2], spec=".4f")
        ends, missing = self.values.ends, self.values.missing
        low, high = min(0.0, ends.min(), self.values.cut.min()), max(missing, ends.max())
        room = replace(cells, left=beside.right + 2 * _APART, right=self.canvas.right - 0.5)
        unit = room.width / (high - low)
        zero = room.left - low * unit
        ys = [self.row.cell(k, 0).center[1] for k in range(len(ends))]
        places = np.array([(zero, y, 0.0) for y in ys])
        self.cut = Leftovers(self["cut"], places, 0.7 * line, unit)
        self.axes = [
            Line((x, cells.bottom, 0), (x, cells.top, 0), color=theme().muted)
            for x in (zero, zero + missing * unit)
        ]
        self.missing = self._sum_figure("missing", replace(cells, left=self.axes[1].get_x()), x=0.0)

    @beat(
        "These are the {printed.n_numbers} numbers of another example, with two layers of two "
        "heads. All of them are right, but for one."
    )
    def all_(self) -> Steps:
        yield 0.7 * self.reading

    @beat("It is one of the last ten, the probabilities of the next token.")
    def ten(self) -> Steps:
        frame = CellFrame(self.last, "token")
        yield Create(frame)
        yield 0.3 * self.reading
        yield FadeOut(self.wall, run_time=0.8), frame.trace(self.places[0], run_time=1.4)
        yield FadeOut(frame, run_time=0.5), self.row.fill_rows(run_time=1.0)

    @beat("Add them up, and they make {printed_sum:.2f}, as probabilities should.", rest=REST)
    def add_up(self) -> Steps:
        frame = CellFrame(self.row.cell(0, 0), "attention")
        yield Create(frame, run_time=0.3)
        stops = [self.row.cell(k, 0) for k in range(1, self.values.n_shares)]
        yield frame.trace(*stops, run_time=0.6 * self.reading)
        yield Create(self.line), FadeIn(self.sum), FadeOut(frame)

    @beat(
        "The first. It is {true_share:.4f}, which rounds to {corrected:.2f}. "
        "{misprint:.2f} is printed.",
        ask="Then which of them is wrong?",
        rest=REST,
    )
    def wrong(self) -> Steps:
        yield from self._move_column(self.places[0], self.places[1])
        self.lit = CellFrame(self.row.cell(self.values.place, 0), "wrong")
        yield self.true.fill_rows(run_time=0.4 * self.reading)
        yield Create(self.lit)

    @beat("So put {corrected:.2f}. But now they add up to {rounded_sum:.2f}!", rest=REST)
    def mend(self) -> Steps:
        yield self.row.to(self["rounded"], run_time=0.8), FadeOut(self.lit)
        before, self.sum = self.sum, self._sum_figure("rounded_sum", self.places[1])
        yield FadeOut(before, run_time=0.4)
        yield FadeIn(self.sum, run_time=0.6)

    @beat(
        "No. Each was rounded by itself. Here is what that took from each, or added to it.",
        ask="Is this a mistake, then?",
    )
    def leftovers(self) -> Steps:
        yield from self._move_column(self.places[1], self.cells[0])
        yield FadeIn(self.axes[0], run_time=0.4)
        yield 0.5 * together(FadeIn(self.cut))

    @beat("Lay these pieces end to end: they are the missing {missing:.2f}.", rest=REST)
    def collect(self) -> Steps:
        yield self.cut.chain(run_time=3.0)
        yield FadeIn(self.axes[1], self.missing)

    @beat(CAPTION)
    def end(self) -> Steps:
        gone = self.cut, *self.axes, self.missing, self.true, self.line, self.sum
        yield FadeOut(*gone, run_time=0.6)
        first, second = self.places[1:]
        again = self._column("shares", "probability", first, spec=".2f")
        yield slide_cells(self.row, second, run_time=0.8)
        yield FadeIn(again, run_time=0.5)
        pairs = (("printed_sum", first), ("rounded_sum", second))
        sums = [self._sum_figure(path, place) for path, place in pairs]
        names = [self._name("printed", first), self._name("right", second)]
        yield FadeIn(self._sum_line(first), self._sum_line(second), *sums, *names)
        yield Create(CellFrame(first, "wrong")), Create(CellFrame(second, "right"))

    def _name(self, words: str, cells: Region) -> Label:
        label = Label(said(words), size=NUMBER, align="center", color="muted")
        return label.put(cells.point(0.5, 1.0) + np.array([0.0, 0.15, 0.0]))

    def _move_column(self, start: Region, end: Region) -> Steps:
        """Move the column with its line and its sum, and the true numbers with it."""
        way = end.center - start.center
        moves: list[Any] = [slide_cells(self.row, end, run_time=1.0)]
        moves += [slide(part, way, run_time=1.0) for part in (self.line, self.sum)]
        if end is self.cells[0]:
            moves.append(slide_cells(self.true, self.cells[1], run_time=1.0))
        yield moves
