"""The turns of all hands as one block-diagonal matrix, and the sign for it."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import FadeIn, FadeOut, LaggedStart, VGroup
from pydantic import Field

from clockhead.model.films.rope.matrix import RotatedVector, rotated_vector
from clockhead.scenes.parts.dial import Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.matrix import Matrix as Cells
from clockhead.scenes.parts.table import Room
from clockhead.scenes.rope.inputs import WordInputs
from clockhead.scenes.rope.word_line import FORMULA, FilmGrid
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    EvenInt,
    Row,
    Size,
    Stage,
    Steps,
    Value,
    beat,
    fit,
)
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import fly
from clockhead.scenes.style.text import Formula
from clockhead.scenes.style.theme import Role

_BLOCK = (
    'mat(delim: "[", cos position(m theta_i), -sin position(m theta_i); '
    "sin position(m theta_i), cos position(m theta_i))"
)
_SIGNS = [("turn", "position(R)"), ("m", "_position(m)"), ("vector", "query(q)")]
_LENGTHS = [
    ("before", "norm(query(q)) = {norm:.4f}"),
    ("after", "quad norm(position(R_m) query(q)) = {rotated:.4f}"),
]
_CELL = Size(0.5, 0.36)
"""The smallest cell in which a number of two decimals can be read, in units."""
_SIGN = Size(0.3, 1.0)
"""The room for the sign between two matrices."""


class NumberCells(Cells):
    """Numbers from `-most` to `most`, in which two and two belong together."""

    def __init__(self, value: Value, role: Role, most: float, **options: Any) -> None:
        look: dict[str, Any] = {"negative": "residual", "spec": (".3f", ".2f", ".1f")}
        look |= {"least_cell": _CELL, "most_cell": 0.85, "aspect": (0.72, 1.3)}
        super().__init__(value, role=role, low=-most, high=most, **look | options)

    def pair(self, i: int) -> Region:
        """The cells of pair i: its block of a matrix, its two numbers of a vector."""
        column, n_columns = (2 * i, 2) if self.n_columns > 1 else (0, 1)
        return self.block(2 * i, column, 2, n_columns)


class Matrix(Stage[RotatedVector]):
    """The turns of all hands as one block-diagonal matrix, and the sign for it."""

    class Inputs(WordInputs):
        d_head: EvenInt = Field(8, ge=4, le=8, description="width of the head; d_head/2 blocks")
        m: int = Field(5, ge=1, le=1000, description="position to which the query is turned")

    title = "The same turn, as one matrix"
    question = "What does a turn look like as a matrix?"
    caption = "We write $R_m$ for all of it: a turn by position $m$ that keeps the length."
    opens = ("dials", "line", "numbers", "hero")
    leaves = ("dials", "line", "there as hero", "formula")

    inputs: Inputs

    @classmethod
    def compute(cls, inputs: Inputs) -> RotatedVector:
        words = inputs.words
        return rotated_vector(words.query, inputs.m, words.frequencies, words.asker)

    def layout(self) -> None:
        """The picture of the shots around it; then matrix, vector and what they make."""
        v, unit = self.values, self.inputs.words.unit
        self.grid = FilmGrid(self.canvas, v.n_pairs, (0, max(12, 1.1 * v.m)))
        self.line = self.grid.line
        self.hero, self.there = (self.grid.tile(self["token"], at, "query") for at in (0, v.m))
        self.hands = Hands(self["pairs"], self.grid.dials, "query", unit=unit)
        self.dials = VGroup(self.grid.dials, self.hands.set_z_index(2))
        over, color = self.grid.dials.over, self.theme.query
        self.numbers = VGroup(  # two over each dial, the first on top
            Figure(self["vector"][j], "+.1f", color=color).put(over(j // 2, 1 - j % 2))
            for j in range(len(v.vector))
        )
        foot = np.array([self.canvas.center[0], self.grid.spot(0)[1], 0.0])
        self.block = Formula(_BLOCK, size=36).move_to(foot)
        self.formula = self.grid.write(Equation(_SIGNS, size=FORMULA))
        self._lay_product()

    def _lay_product(self) -> None:
        """Matrix times vector equals the turned vector, here or in the next line; its hands."""
        n, most, specs = self.values.n_pairs, self.values.longest, ("+.2f", "+.1f")
        self.cells = NumberCells(self["matrix"], "position", 1.0, brackets=True, plain_zeros=True)
        self.vector = NumberCells(self["vector"], "query", most, spec="+.1f", brackets=True)
        self.result = NumberCells(self["product"], "query", most, spec=specs, brackets=True)
        self.aside = Dials(n, labels=None, largest=0.5)
        beside, below = self.aside.in_rows(n), self.aside.in_rows(1)
        equals = Room(_SIGN, _SIGN)
        lengths = {"norm": self["norm"], "rotated": self["rotated_norm"]}
        self.lengths = Equation(_LENGTHS, values=lengths, size=32)
        factors, product = (self.cells, self.vector), (equals, self.result)
        wide = Row(*factors, *product, beside, gap=0.12)
        tall = Column(Row(*factors, weights=(1, 0)), Row(*product, beside, gap=0.12), gap=0.15)
        square = Column(Row(*factors, *product, gap=0.04), below, gap=0.1)
        ways = (Column(part, self.lengths, gap=0.15) for part in (wide, tall, square))
        fit(self.canvas, *ways)
        self.product = VGroup(self.result, Formula("=", size=34).move_to(equals.region.center))
        self.lengths.hide()
        self.cells.empty()
        self.result.empty()
        self.blocks = [NumberCells(self["blocks"][i], "position", 1.0) for i in range(n)]
        for i, block in enumerate(self.blocks):
            block.place_cells(self.cells.pair(i))
            block.set_z_index(5)

    @beat("For one hand, a turn is a small matrix: the cosine and the sine of its angle.")
    def unfold(self) -> Steps:
        """Every face unfolds into the block of its hand."""
        faces, home = self.grid.dials, self.cells.pair(0)
        self.growth = max(1.0, 2 * faces.radius / float(np.hypot(home.width, home.height)))
        for block, middle in zip(self.blocks, faces.centers[0], strict=True):
            block.scale(self.growth).move_to(middle)
        yield FadeOut(self.line, self.hero, run_time=0.6)
        unfolding = [FadeIn(block, scale=0.02) for block in self.blocks]
        yield LaggedStart(*unfolding, lag_ratio=0.3, run_time=2.4), FadeIn(self.block)

    @beat("Together they make one large matrix, with a block on its diagonal for every hand.")
    def line_up(self) -> Steps:
        """Blocks go to the diagonal, numbers into the vector, dials to the side."""
        self.home, seconds = (self.grid.dials.centers, self.grid.dials.radius), self.reading - 1
        lining_up = [
            fly(block, self.cells.pair(i).center, scale=1 / self.growth)
            for i, block in enumerate(self.blocks)
        ]
        dropping = [
            fly(number, self.vector.cell(j, 0).center) for j, number in enumerate(self.numbers)
        ]
        aside = self.aside.centers, self.aside.radius
        yield (
            FadeOut(self.block, run_time=0.5),
            FadeIn(self.cells, run_time=seconds),
            self.grid.dials.go_to(*aside, labeled=False, run_time=seconds),
            LaggedStart(*lining_up, lag_ratio=0.3, run_time=seconds),
            LaggedStart(*dropping, lag_ratio=0.1, run_time=seconds),
        )
        yield FadeIn(self.vector, self.product), FadeOut(self.numbers)

    @beat(
        "Zeros: no hand ever touches the numbers of another.",
        ask="And what stands in the other {n_zeros} cells?",
    )
    def zeros(self) -> Steps:
        """The other cells fill from the diagonal on; then pair by pair, two in and two out."""
        self.remove(*self.blocks)
        away, last = self.values.blocks_away, self.values.n_pairs - 1
        when = np.where(away == 0, -np.inf, (away - 1) / max(1, last - 1))  # blocks are there
        yield self.cells.fill(when, run_time=1.6, labels=False)
        factors, time = (self.cells, self.vector, self.result), 0.9 * last
        ways = [[part.pair(i) for i in range(last + 1)] for part in factors]
        frames = [self.cells.frame(first, "attention") for first, *_ in ways]
        yield FadeIn(*frames, run_time=0.5)
        come = np.repeat(np.linspace(0, 1, last + 1), 2)[:, None]
        yield (
            self.result.fill(come, each=0.5 / last, run_time=time),
            self.hands.turn_to(self["rotated_pairs"], self.values.phases, run_time=time),
            *(
                frame.trace(*way[1:], run_time=time)
                for frame, way in zip(frames, ways, strict=True)
            ),
        )
        yield FadeOut(*frames, run_time=0.4)

    @beat(CAPTION)
    def symbol(self) -> Steps:
        """The lengths; then the matrix contracts into its sign, and the dials return."""
        yield self.lengths.appear(run_time=1.2)
        yield 1.5
        sign, vector = self.formula.term("turn"), self.formula.term("vector")
        yield (
            FadeOut(self.cells, target_position=sign.get_center(), scale=0.1, run_time=1.5),
            FadeOut(self.vector, target_position=vector.get_center(), scale=0.1, run_time=1.5),
            FadeOut(self.product, self.lengths, run_time=0.6),
            self.grid.dials.go_to(*self.home, run_time=1.5),
            FadeIn(self.formula, run_time=1.5),
        )
        yield FadeIn(self.line, self.there)
