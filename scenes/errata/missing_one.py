"""A row that should mark two tokens but marks only one, and the errors that follow from it."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create, Line, VGroup

from clockhead.model.films.errata.missing_one import PrintedSlides, printed_slides
from clockhead.scenes.errata.sheets import NUMBER, SMALLER
from clockhead.scenes.parts.cell_outlines import CellFrame, FramedCells, walk
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_moves import slide_cells
from clockhead.scenes.stage import CAPTION, REST, Stage, Steps, beat, together
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import Role

_SIDE, _HEAD, _APART = 0.85, 1.0, 0.5
"""Room for words at the left of the cells and above them, and gap between two tables, in units."""
_LEAST_PITCH = 0.5
"""Least width of a column, in units; with less room, the tables are stacked."""
_CLOSE_HEAD = 0.85
"""Room above stacked tables, in units."""
_HALVES = "its own token", "the one before"
"""Names of the two halves of a row."""
_TALLEST = 0.9
"""Largest height of a cell, in units."""


class MissingOne(Stage[PrintedSlides]):
    """Tables of the slides: a 1 is missing in one, and therefore a score in the next."""

    title = "A missing 1"
    caption = (
        "Put right, {n_wrong} of {n_numbers} numbers of these slides change. The answer does not."
    )
    opens = ("rows", "names")

    compute = printed_slides

    def layout(self) -> None:
        self.n, self.h = len(self.values.tokens), len(self.values.column_names) // 2
        self.alone = self._cells(self.canvas, 2 * self.h)
        self.left, self.right = self._pair_regions()
        shades: dict[str, Any] = {"low": 0.0, "high": 1.0}
        self.rows = self._table("resid_mid", "residual", self.alone, **shades)
        self.answers = self._table("resid_post", "probability", self.alone, **shades)
        self.scores = self._table("scores_2", "score", self.right, low=0.0, high=100.0)
        self.names = self._halves(self.alone)
        numbers = [self.values.column_names.index(token) for token in self.values.tokens]
        self.pairs = [(numbers[i], self.h + numbers[max(i - 1, 0)]) for i in range(self.n)]

    def _table(self, path: str, role: Role, area: Region, **options: Any) -> Matrix:
        wide = self[f"{path}.printed.rows"].array.shape[1] > self.n
        words = {"rows": self["tokens"], "columns": self["column_names" if wide else "tokens"]}
        look: dict[str, Any] = {"spec": ".0f", "plain_zeros": True, "most_number": NUMBER}
        table = Matrix(self[f"{path}.printed.rows"], role=role, **(look | words | options))
        table.place_cells(area, size=SMALLER)
        return table

    def _cells(self, region: Region, n_columns: int, head: float = _HEAD) -> Region:
        """The cells of a table with this number of columns, with words beside and above them."""
        width = (region.width - _SIDE) / n_columns
        height = min(_TALLEST, 1.3 * width, (region.height - head) / self.n)
        left, top = region.left + _SIDE, region.center[1] + (self.n * height - head) / 2
        return Region(left, top - self.n * height, region.right, top)

    def _pair_regions(self) -> tuple[Region, Region]:
        """The cells of both tables, side by side if columns are wide enough, else stacked."""
        canvas = self.canvas
        pitch = (canvas.width - 2 * _SIDE - _APART) / (2 * self.h + self.n)
        if pitch < _LEAST_PITCH:
            upper, lower = canvas.cut_top(canvas.height / 2, gap=0.0)
            first, second = (self._cells(half, 2 * self.h, _CLOSE_HEAD) for half in (upper, lower))
            return first, second.inset(0.25 * second.width, 0.0)
        edge = canvas.left + _SIDE + 2 * self.h * pitch
        first = self._cells(Region(canvas.left, canvas.bottom, edge, canvas.top), 2 * self.h)
        start = edge + _APART + _SIDE
        return first, Region(start, first.bottom, start + self.n * pitch, first.top)

    def _name(self, words: str, x: float, top: float, role: Role) -> Label:
        label = Label(self.say_of(words), size=NUMBER, align="center", color=role)
        return label.put(np.array([x, top + 0.52, 0.0]))

    def _halves(self, area: Region, words: tuple[str, str] = _HALVES) -> VGroup:
        """The names of both halves of the rows, and a line between the halves."""
        roles: tuple[Role, Role] = ("token", "value")
        places = [float(area.point(share, 0)[0]) for share in (0.25, 0.75)]
        names = [
            self._name(word, x, area.top, role)
            for word, x, role in zip(words, places, roles, strict=True)
        ]
        middle = float(area.center[0])
        line = Line((middle, area.bottom, 0), (middle, area.top + 0.9, 0), color=self.theme.muted)
        return VGroup(*names, line.set_stroke(width=2.5))

    @beat(
        "After the first layer, each row names two tokens: in one half its own, "
        "in the other the one before it."
    )
    def two(self) -> Steps:
        roles: tuple[Role, Role] = ("token", "value")
        order = range(self.n - 1, 0, -1)
        ways = [[self.rows.cell(i, self.pairs[i][k]) for i in order] for k in range(2)]
        frames = [CellFrame(way[0], role) for way, role in zip(ways, roles, strict=True)]
        yield from walk(frames, [way[1:] for way in ways], 0.85 * self.reading)

    @beat(
        "All but the first. Nothing stands before it, so it looked at itself, "
        "and should have noted itself.",
        ask="Does every row name two?",
        rest=REST,
    )
    def forgotten(self) -> Steps:
        row, column = self.values.forgotten
        half = self.rows.block(row, self.h, 1, self.h)
        self.lit = CellFrame(half, "wrong")
        yield Create(self.lit)
        yield 0.4 * self.reading
        yield self.lit.trace(self.rows.cell(row, column))

    @beat(
        "In the second layer every token looks for its own name among these notes. "
        "{forgetful} does not find itself: a score of {full_score:g} is missing.",
        rest=REST,
    )
    def unmatched(self) -> Steps:
        row, column = self.values.forgotten
        yield FadeOut(self.names, self.lit, run_time=0.4)
        yield slide_cells(self.rows, self.left, size=SMALLER, run_time=1.2)
        self.names = self._halves(self.left)
        x = float(self.right.center[0])
        self.name = self._name("scores", x, self.right.top, "score")
        yield FadeIn(self.names, self.name, run_time=0.5), self.scores.fill_rows(run_time=1.2)
        self.lit = CellFrame(self.rows.cell(row, column), "wrong")
        yield Create(self.lit)
        self.marks = FramedCells(self["scores_2.wrong"], self.scores.lattice, role="wrong")
        yield self.lit.trace(self.rows.cell(row, self.pairs[row][0]), run_time=0.8)
        yield FadeIn(self.marks)
        yield self.lit.trace(self.rows.cell(row, column), run_time=0.8)

    @beat("Put the 1 back, and the {full_score:g} comes back with it.", rest=REST)
    def mend(self) -> Steps:
        yield self.rows.to(self["resid_mid.true"], run_time=0.8), FadeOut(self.lit)
        yield self.scores.to(self["scores_2.true"], run_time=0.8), FadeOut(self.marks)

    @beat(
        "And what comes out at the end? The last row says “{prediction}”, printed as "
        "{printed_answer:g}. The value matrix makes it {true_answer:g}, and it is "
        "“{prediction}” all the same."
    )
    def answer(self) -> Steps:
        yield self.screen()
        heads = self._halves(self.alone, ("next token", "nothing"))
        yield FadeIn(heads, run_time=0.5), self.answers.fill_rows(run_time=1.2)
        self.lit = self.answers.frame_row(self.n - 1, "right")
        yield Create(self.lit)
        yield 0.3 * self.reading
        change = self.answers.to(self["resid_post.true"], high=100.0, run_time=1.2)
        yield together(change)

    @beat(CAPTION)
    def end(self) -> Steps:
        marks = FramedCells(self["resid_post.wrong"], self.answers.lattice, role="right")
        yield FadeIn(marks), FadeOut(self.lit)
