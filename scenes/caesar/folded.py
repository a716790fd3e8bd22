"""The counting head's V and O: only their product matters, and here it changes nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from clockhead.model.films.caesar.folded import FoldedHead, folded_head
from clockhead.scenes.caesar.ciphertext import Ciphertext, place_message
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.cell_outlines import walk
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_moves import slide_cells
from clockhead.scenes.parts.product import Product
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.stage import (
    CAPTION,
    REST,
    Column,
    Row,
    Size,
    Stage,
    StageInputs,
    Steps,
    Value,
    beat,
    fit,
)
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.text import Formula
from clockhead.scenes.style.theme import Role

_SIGN = 32.0
"""Size of the matrices' letters, in pixels at 720p."""
_BAND = 0.5
"""Room for the letter above a matrix, in units."""
_HALF = 4.0
"""Largest half width of the last chart, in units."""
_SEAM = 0.1
"""Gap between the letter X and the letters of its rows, in units."""
_CELL = 0.7
"""Largest side of a cell of V and O, in units."""
_SPEC = (".2g", ".1g")
_INK: Role = "token"
_INK_BELOW: Role = "negative"
"""Colours of positive and of negative numbers in V and O."""
Word = Annotated[str, Field(pattern=r"^[abc]{2,4}$")]


class Signed:
    """A matrix and the letter above it; the stage shows both."""

    def __init__(self, value: Value, sign: str) -> None:
        look: dict[str, Any] = {"role": _INK, "negative": _INK_BELOW, "spec": ".0f"}
        look |= {"low": -1.0, "high": 1.0}
        self.matrix = Matrix(value, aspect=None, plain_zeros=True, **look)
        self.formula = sign

    @property
    def least(self) -> Size:
        side = len(self.matrix.table) * 0.34
        return Size(side, side + _BAND)

    @property
    def most(self) -> Size:
        side = len(self.matrix.table) * _CELL
        return Size(side, side + _BAND)

    def place(self, region: Region) -> None:
        """Centre the matrix and its letter in a region."""
        side = min(self.most.width, region.width, region.height - _BAND)
        x, y = region.center[:2]
        bottom = y - (side + _BAND) / 2
        cells = Region(x - side / 2, bottom, x + side / 2, bottom + side)
        self.matrix.place_cells(cells)
        self.sign = sign_above(cells, self.formula)


def sign_above(cells: Region, formula: str) -> Formula:
    """The letter of a matrix, above its cells."""
    sign = Formula(formula, size=_SIGN, color=_INK)
    return sign.move_to((cells.center[0], cells.top + _BAND / 2, 0.0))


class Folded(Stage[FoldedHead]):
    """In the counting head, V and O can be one matrix, and it changes nothing."""

    class Inputs(StageInputs):
        """A word short enough to compute the head step by step."""

        word: Word = Field("bab", description="2 to 4 of the letters a, b and c")

    title = "Where are V and O?"
    caption = (
        "Then the last letter would count as much as all of them together: of windows of {window} "
        "characters, {added_share:.0%} are read instead of {replaced_share:.0%}."
    )
    opens = ("message", "product")
    leaves = ("message",)

    compute = folded_head

    def layout(self) -> None:
        self.message = Ciphertext(self["word"])
        below = place_message(self.canvas, self.message)
        roles: tuple[Role, Role, Role] = ("attention", "residual", "residual")
        look: dict[str, Any] = {"rows": self["letters"], "columns": self["alphabet"]}
        look |= {"inner": self["letters"], "bound": 1.0, "out_bound": 1.0, "plain_zeros": True}
        signs = "A", "X V", "A X V O"
        three = self["pattern"], self["one_hot"], self["means"]
        self.product = Product(*three, roles=roles, signs=signs, spec=_SPEC, **look)
        self.v, self.o = Signed(self["value"], "V"), Signed(self["output"], "O")
        pair = Row(self.v, self.o)
        self._lay_shares(below)
        ways = self.product.ways
        kinds = (Row, Column) if self.canvas.wide else (Column, Row)
        fit(below, *(kind(way, pair) for kind in kinds for way in ways))
        self.x, self.out, self.signs = self.product.right, self.product.out, self.product.signs
        self.middles = [sign.get_center() for sign in self.signs]
        self.middles[1] = self.middles[1] + np.array([-_SEAM, 0.0, 0.0])
        for k, sign in ((1, "X"), (2, "A X")):
            self.signs.submobjects[k] = self._sign(k, sign)
        self.product.empty()

    def _lay_shares(self, region: Region) -> None:
        """Make the bars of how many windows are read now, and if rows were added."""
        self.read = Chart(slots(self["ways"]), Scale(0.0, 1.0, line=False), size=_SIGN)
        look: dict[str, Any] = {"spec": ".0%", "size": 1.3 * _SIGN, "grown": False}
        self.shares = Bars(self["shares"], self.read, "right", **look)
        self.shares.recolor(1, "wrong").interpolate(1.0)
        middle = region.center[0]
        half = min(_HALF, region.width / 2)
        self.read.place(replace(region, left=middle - half, right=middle + half))

    def _sign(self, k: int, formula: str) -> Formula:
        """Another letter for one of the three matrices, at the place of the old one."""
        sign = Formula(formula, size=_SIGN, color="residual")
        return sign.move_to(self.middles[k])

    def _rename(self, k: int, formula: str) -> tuple[Any, ...]:
        """Replace the letter of one of the three matrices."""
        old, new = self.signs[k], self._sign(k, formula)
        self.signs.submobjects[k] = new
        return FadeOut(old, run_time=0.5), FadeIn(new, run_time=0.5)

    def _pick(self, i: int) -> Matrix:
        """Add and return a copy of the row of V that row i of X picks, without numbers."""
        k, v = int(self.values.one_hot[i].argmax()), self.v.matrix
        row = self["value"][k : k + 1]
        look: dict[str, Any] = {"role": _INK, "negative": _INK_BELOW, "low": -1.0, "high": 1.0}
        twin = Matrix(row, aspect=None, **look)
        twin.place_cells(v.row(k))
        self.add(twin)
        return twin

    def _meet(self, out: Matrix, of: Matrix, run_time: float) -> Steps:
        """Move frames over every pair of a row of `out` and a column of `of`."""
        n, m = out.n_rows, of.n_columns
        rows = [out.row(i) for i in range(n) for _ in range(m)]
        columns = [of.column(j) for _ in range(n) for j in range(m)]
        frames = out.frame(rows[0]), of.frame(columns[0])
        yield from walk(frames, (rows[1:], columns[1:]), run_time)

    @beat(
        "In a word of {n_letters} letters, each attends evenly to all so far. So its row of $A X$ "
        "has counted them.",
        ask="Which matrices had to be as we wrote them? Take the head that counts.",
    )
    def count(self) -> Steps:
        yield self.product.fill(run_time=max(3.0, 0.9 * self.reading))
        yield self.product.let_go()

    @beat(
        "A value matrix $V$ comes before it: each 1 picks its row of $V$, and attention averages "
        "these."
    )
    def values_(self) -> Steps:
        yield FadeIn(self.v.matrix, self.v.sign, run_time=0.6)
        n = self.x.n_rows
        twins = []
        for i in range(n):
            twins.append(self._pick(i))
            yield slide_cells(twins[-1], self.x.row(i), run_time=max(0.5, 2.1 / n))
        change = self.x.to(self["values"], run_time=0.6)
        yield [FadeOut(twin, run_time=0.6) for twin in twins], change, *self._rename(1, "X V")
        yield self.out.to(self["mixed"], run_time=0.8), *self._rename(2, "A X V")

    @beat("An output matrix $O$ comes after. This one undoes $V$, and the counts are back.")
    def output(self) -> Steps:
        yield FadeIn(self.o.matrix, self.o.sign, run_time=0.6)
        yield from self._meet(self.out, self.o.matrix, 0.35 * self.reading)
        yield self.out.to(self["written"], run_time=0.8), *self._rename(2, "A X V O")

    @beat("Only their product matters: $(X V) O$ is $X (V O)$, so one matrix would do.")
    def fold(self) -> Steps:
        first, second = self.v.matrix, self.o.matrix
        one, other = first.lattice.region, second.lattice.region
        x, width = (one.center[0] + other.center[0]) / 2, one.width
        ends = (replace(one, left=x - width, right=x), replace(other, left=x, right=x + width))
        pairs = zip((first, second), ends, strict=True)
        signs = FadeOut(self.v.sign, self.o.sign, run_time=0.8)
        yield *(slide_cells(m, end, run_time=1.0) for m, end in pairs), signs
        yield first.to(self["folded"], run_time=0.8), FadeOut(second, run_time=0.8)
        middle = replace(one, left=x - width / 2, right=x + width / 2)
        yield (
            slide_cells(first, middle, run_time=0.8),
            FadeIn(sign_above(middle, "V O"), run_time=0.8),
            self.x.to(self["one_hot"], run_time=0.8),
            *self._rename(1, "X"),
        )

    @beat("Here it changes nothing, so the head only counts. In any head, $V O$ is what it writes.")
    def end(self) -> Steps:
        both = self.v.matrix
        diagonal = both.frame(both.cell(0, 0), "token")
        cells = [both.cell(k, k) for k in range(1, both.n_rows)]
        self.add(diagonal)
        yield diagonal.trace(*cells, run_time=0.4 * self.reading)
        yield FadeOut(diagonal), *self._rename(2, "A X")

    @beat(
        CAPTION,
        ask="Most heads add what they write to the row that was there. Ours replaces it. What if "
        "it were added?",
        rest=REST,
    )
    def added(self) -> Steps:
        yield self.screen(self.message, self.read)
        self.add(self.shares)
        yield 0.2 * self.shares.grow([0])
        yield 0.3 * self.shares.grow([1])
