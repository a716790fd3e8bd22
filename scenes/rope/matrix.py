"""The rotation of all hands as one block-diagonal matrix R_m."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import FadeIn as _In
from manim import FadeOut as _Out
from manim import LaggedStart, VGroup
from pydantic import Field

from clockhead.model.films.rope.matrix import RotatedVector, rotated_vector
from clockhead.scenes.parts.dial import Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.dial_turns import Turns
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.matrix import Matrix as Cells
from clockhead.scenes.parts.product_sum import PairSum
from clockhead.scenes.rope.inputs import WordInputs
from clockhead.scenes.rope.word_line import FORMULA, NUMBER, SPAN, FilmGrid
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    FadeIn,
    FadeOut,
    Room,
    Row,
    Size,
    Stage,
    Steps,
    Value,
    beat,
    fit,
    together,
)
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import fly
from clockhead.scenes.style.text import Formula, Label
from clockhead.scenes.style.theme import Role

_BLOCK = (
    'mat(delim: "[", cos position(m theta_0), -sin position(m theta_0); '
    "sin position(m theta_0), cos position(m theta_0))"
)
_SIGNS = [("turn", "position(R)"), ("m", "_position(m)"), ("vector", "query(q)")]
_CELL = Size(0.5, 0.36)
"""Smallest cell in which a number with two decimals is legible, in units."""
_PLAIN = 3.0
"""End of the cells' colour scale, relative to the largest number, so that shades stay pale."""
_SIGN = Size(0.3, 1.0)
"""Space for the sign between two matrices, in units."""


def _sine(values: RotatedVector) -> str:
    if values.sine_is_negative:
        return "This turn is a small matrix of its cosine and its sine; here the sine is below 0."
    return "This turn is a small matrix of its cosine and its sine."


class NumberCells(Cells):
    """A matrix or vector whose rows and columns belong to pairs; colours run from -most to most."""

    def __init__(self, value: Value, role: Role, most: float, **options: Any) -> None:
        look: dict[str, Any] = {"negative": "negative", "spec": (".3f", ".2f", ".1f")}
        look |= {"most_number": 28, "least_cell": _CELL, "most_cell": 0.85, "aspect": (0.72, 1.3)}
        super().__init__(value, role=role, low=-most, high=most, **look | options)

    def pair(self, i: int) -> Region:
        """The cells of pair i: its block of a matrix, or its two numbers of a vector."""
        column, n_columns = (2 * i, 2) if self.n_columns > 1 else (0, 1)
        return self.block(2 * i, column, 2, n_columns)


class Matrix(Stage[RotatedVector]):
    """The rotation of all hands as one block-diagonal matrix R_m."""

    class Inputs(WordInputs):
        m: int = Field(5, ge=1, le=SPAN, description="position of the query")

    title = "The same turn in numbers"
    caption = "We write $R_m$ for all of it: the turn by position $m$."
    opens = ("dials", "line", "hero")
    leaves = ("dials", "line", "hero", "formula")

    inputs: Inputs

    @classmethod
    def compute(cls, inputs: Inputs) -> RotatedVector:
        words = inputs.words
        return rotated_vector(words.query, inputs.m, words.frequencies, words.asker)

    def layout(self) -> None:
        """Lay out the dials and the line, one clock with its small matrix, and the whole matrix."""
        v, unit = self.values, self.inputs.words.unit
        self.grid = FilmGrid(self.canvas, v.n_pairs, (0, SPAN))
        self.line = self.grid.line
        self.hero = self.grid.tile(self["token"], v.m, "query")
        self.hands = Hands(self["rotated_pairs"], self.grid.dials, "query", unit=unit)
        self.dials = VGroup(self.grid.dials, self.hands)
        self.formula = self.grid.write(Equation(_SIGNS, size=FORMULA)).hide()
        above: dict[str, Any] = {"prefix": "m = ", "rise": self.grid.over_tiles, "size": NUMBER}
        self.mark = self.line.mark(self["m"], "d", **above)
        foot = float(self.line.x(0)[1]) + self.grid.over_tiles + 0.35
        self._lay_one(Region(self.canvas.left, foot, self.canvas.right, self.canvas.top))
        self._lay_all()

    def _lay_one(self, region: Region) -> None:
        """Lay out the first clock, large, with its small matrix times its two numbers."""
        unit, plain = self.inputs.words.unit, _PLAIN * self.values.longest
        self.big = Dials(1, labels=None, largest=2.2)
        look: dict[str, Any] = {"brackets": True, "most_cell": 1.3, "most_number": 34}
        self.small = NumberCells(self["blocks"][0], "position", _PLAIN, **look)
        self.two = NumberCells(self["vector"][0:2], "query", plain, spec="+.1f", **look)
        self.made = NumberCells(self["product"][0:2], "query", plain, spec="+.2f", **look)
        factors = self.small, self.two, self.made
        roles: tuple[Role, Role, Role] = "position", "query", "query"
        self.sums = [
            PairSum(factors, (i, 0), roles, spec=".3g", out_spec=".2f", plain=False, size=34)
            for i in (0, 1)
        ]
        self.block, equals = Formula(_BLOCK, size=40), Room(_SIGN, _SIGN)
        line = Room(Size(1.0, 1.0), Size(9.0, 1.3))
        aside = Room(Size(0.9, 0.4), Size(0.9, 0.4))  # space for the names of the two numbers
        parts = self.small, self.two, equals, self.made, aside
        product = Row(*parts, gap=0.15, weights=(2, 1, 0, 1, 0))
        side = Column(line, product, *self.sums, gap=0.15, weights=(1, 2, 0, 0))
        wide = Row(self.big, side, weights=(2, 3))
        tall = Column(self.big, side)
        fit(self.canvas, *((wide, tall) if self.canvas.wide else (tall,)))
        self.block.move_to(line.region.center)
        self.equals = Formula("=", size=40).move_to(equals.region.center)
        self.made.empty()
        self.ways = VGroup()
        for row, words in enumerate((said("up"), said("right"))):
            cell = self.made.row(row)
            label = Label(words, size=NUMBER, color="muted", align="left")
            self.ways.add(
                label.center_on(
                    np.array([cell.right + 0.25 + label.width / 2, cell.center[1], 0.0])
                )
            )
        self.home = self.big.centers[0], self.big.radius
        self.big.place(region)
        self.alone = self.big.centers[0], self.big.radius
        self.big.place_at(self.grid.dials.centers[0, :1], self.grid.dials.radius)
        first = slice(0, 1)
        self.before = Hands(self["pairs"][first], self.big, "query", unit=unit, ghost=True)
        self.hand = Hands(self["rotated_pairs"][first], self.big, "query", unit=unit)
        self.way = Turns(self["phases"][first], self.big, self.before, out=0.72)
        for depth, part in enumerate((self.before, self.way, self.hand), start=1):
            part.set_z_index(depth)

    def _lay_all(self) -> None:
        """Lay out matrix times vector equals rotated vector, in one line or two, and its hands."""
        n, plain, specs = self.values.n_pairs, _PLAIN * self.values.longest, ("+.2f", "+.1f")
        self.cells = NumberCells(
            self["matrix"], "position", _PLAIN, brackets=True, plain_zeros=True
        )
        look: dict[str, Any] = {"brackets": True, "least_cell": Size(0.74, _CELL.height)}
        self.vector = NumberCells(self["vector"], "query", plain, spec="+.1f", **look)
        self.result = NumberCells(self["product"], "query", plain, spec=specs, **look)
        self.aside = Dials(n, labels=None, largest=0.62)
        beside, below = self.aside.in_rows(n), self.aside.in_rows(1)
        equals = Room(_SIGN, _SIGN)
        factors, product = (self.cells, self.vector), (equals, self.result)
        wide = Row(*factors, *product, beside, gap=0.12)
        tall = Column(self.cells, Row(self.vector, *product, beside, gap=0.12), gap=0.15)
        square = Column(Row(*factors, *product, gap=0.04), below, gap=0.1)
        fit(self.canvas, wide, tall, square)
        self.product = VGroup(self.result, Formula("=", size=34).move_to(equals.region.center))
        self.turning = Hands(self["pairs"], self.aside, "query", unit=self.inputs.words.unit)
        self.cells.empty()
        self.result.empty()
        self.blocks = [NumberCells(self["blocks"][i], "position", _PLAIN) for i in range(n)]
        for i, block in enumerate(self.blocks):
            block.place_cells(self.cells.pair(i))
            block.set_z_index(5)

    @beat(
        "Let us write this turn in numbers. "
        "Position {m} has turned the first hand by {first_degrees:.1f} degrees."
    )
    def one_hand(self) -> Steps:
        """Enlarge the first clock, with its hand before the turn, and the arc of the turn."""
        self.add(self.big, self.hand)
        yield FadeOut(self.dials, run_time=0.6), self.mark.appear(run_time=0.6)
        yield self.big.go_to(*self.alone, run_time=1.4)
        yield FadeIn(self.before, run_time=0.4)
        self.add(self.way, self.hand)
        yield self.way.grow(run_time=2.0)

    @beat(_sine)
    def small_matrix(self) -> Steps:
        """Show the small matrix in symbols, and below in numbers."""
        yield FadeOut(self.line, self.hero, self.mark, run_time=0.5)
        yield self.big.go_to(*self.home, run_time=1.2)
        yield FadeIn(self.block, run_time=0.8)
        yield FadeIn(self.small, run_time=0.8)

    @beat("Row by row: the top row times both numbers says how far up the hand now reaches.")
    def up(self) -> Steps:
        """Write the products of the top row, and grow the hand up to their sum."""
        yield FadeIn(self.two, run_time=0.6)
        yield (
            FadeIn(self.equals, self.made, self.ways, run_time=0.4),
            FadeOut(self.hand, run_time=0.4),
        )
        self.hand.set_to(self["halfway"])
        self.lit = self.small.frame_row(0, "attention")
        yield _In(self.lit, run_time=0.4), self.sums[0].write(run_time=2.0)
        yield (
            self.made.fill(np.array([[0.0], [np.inf]]), run_time=0.8),
            self.hand.grow(run_time=1.2),
        )

    @beat("And the row below, how far to the right: there is the turned hand.")
    def right(self) -> Steps:
        """Write the products of the row below, and move the hand to the side."""
        yield self.lit.trace(self.small.row(1), run_time=0.6)
        yield self.sums[1].write(run_time=2.0)
        turned = self["rotated_pairs"][slice(0, 1)]
        yield (
            self.made.fill(np.array([[-np.inf], [0.0]]), run_time=0.8),
            self.hand.to(turned, run_time=1.2),
        )
        yield _Out(self.lit, run_time=0.3)

    @beat("Every hand has such a matrix. Side by side on a diagonal, they make one large matrix.")
    def line_up(self) -> Steps:
        """Move the small matrix to its place on the large diagonal, and show all others."""
        first, *others = self.blocks
        gone = self.big, self.hand, self.before, self.way
        yield FadeOut(
            *gone, self.block, self.two, self.equals, self.made, self.ways, *self.sums, run_time=0.6
        )
        home = first.get_center()
        scale = self.small.cell(0, 0).width / self.cells.cell(0, 0).width
        first.scale(scale).move_to(self.small.get_center())
        self.remove(self.small)
        self.add(first)
        yield fly(first, home, scale=1 / scale, run_time=1.4)
        yield FadeIn(self.cells, run_time=0.6)
        yield LaggedStart(*(_In(block) for block in others), lag_ratio=0.4, run_time=1.6)
        yield FadeIn(self.vector, self.product, self.aside, self.turning, run_time=0.8)

    @beat(
        "Zeros: no hand ever touches the numbers of another.",
        ask="And what is in the other {n_zeros} cells?",
    )
    def zeros(self) -> Steps:
        """Fill the other cells from the diagonal on, and then multiply pair by pair."""
        self.remove(*self.blocks)
        away, last = self.values.blocks_away, self.values.n_pairs - 1
        when = np.where(away == 0, -np.inf, (away - 1) / max(1, last - 1))  # blocks are visible
        yield self.cells.fill(when, run_time=1.6, labels=False)
        factors, time = (self.cells, self.vector, self.result), 1.4 * last
        ways = [[part.pair(i) for i in range(last + 1)] for part in factors]
        frames = [self.cells.frame(first, "attention") for first, *_ in ways]
        yield together(*(_In(frame) for frame in frames), run_time=0.5)
        come = np.repeat(np.linspace(0, 1, last + 1), 2)[:, None]
        yield (
            self.result.fill(come, each=0.5 / last, run_time=time),
            self.turning.turn_to(self["rotated_pairs"], self.values.phases, run_time=time),
            *(
                frame.trace(*way[1:], run_time=time)
                for frame, way in zip(frames, ways, strict=True)
            ),
        )
        yield together(*(_Out(frame) for frame in frames), run_time=0.4)

    @beat(CAPTION)
    def symbol(self) -> Steps:
        """Shrink the matrix into its symbol, and show the clocks again."""
        sign, vector = self.formula.term("turn"), self.formula.term("vector")
        yield FadeOut(self.product, self.aside, self.turning, run_time=0.5)
        yield (
            _Out(self.cells, target_position=sign.get_center(), scale=0.1, run_time=1.4),
            _Out(self.vector, target_position=vector.get_center(), scale=0.1, run_time=1.4),
        )
        yield (
            self.formula.appear(run_time=0.5),
            FadeIn(self.dials, self.line, self.hero, run_time=0.8),
        )
