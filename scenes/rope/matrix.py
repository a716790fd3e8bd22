"""The turns of all hands as one block-diagonal matrix, and the sign for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import numpy as np
from manim import FadeIn, FadeOut, VGroup
from numpy.typing import NDArray
from pydantic import Field

from model.embedding import demo_embedding
from model.rotated_vector import RotatedVector
from model.tokens import LETTERS
from scenes.parts.cells import Brackets, Lattice
from scenes.parts.dial_hands import Hands
from scenes.parts.equation import Equation
from scenes.parts.figures import Figure
from scenes.rope.film_grid import FilmGrid, Space
from scenes.rope.inputs import WordInputs
from scenes.rope.turn_blocks import TurnBlocks, TurnCells
from scenes.stage import CAPTION, Column, Derived, EvenInt, Row, Stage, Steps, beat, fit
from scenes.style.layout import Region
from scenes.style.motion import Drive, in_turn
from scenes.style.text import Formula

_BLOCK = (
    'mat(delim: "[", cos position(m theta_i), -sin position(m theta_i); '
    "sin position(m theta_i), cos position(m theta_i))"
)
_SIZE = 48.0
"""Of the sign that the matrix gets, in pixels at 720p."""


class Matrix(Stage):
    """The turns of all hands as one block-diagonal matrix, and the sign for it."""

    class Inputs(WordInputs):
        d_head: EvenInt = Field(
            8, ge=4, le=8, description="width of the head; d_head/2 blocks of the matrix"
        )
        m: int = Field(5, ge=1, le=1000, description="the position it stands at")
        letter: Annotated[str, Field(pattern=r"^[a-z]$")] | None = Field(
            None, description="a letter whose demo embedding is turned instead of a word's query"
        )

        def vector(self) -> RotatedVector:
            """The asking word's query, or the letter's embedding, at its position."""
            if self.letter is None:
                words = self.word_scores()
                found, token = words.query, words.asker
            else:
                found = demo_embedding([LETTERS.tokens.index(self.letter)], self.d_head)[0]
                token = self.letter
            return RotatedVector(tuple(found.tolist()), self.m, self.frequencies, token=token)

    title = "The same turn, as one matrix"
    question = "Each hand turns by itself. What does that look like in matrix form?"
    caption = "We write $R_m$ for all of it: a turn by position $m$ that keeps the length."
    opens = ("dials", "line", "numbers", "hero")
    leaves = ("dials", "line", "hero", "formula")
    renamed = {"letter": "token", "turned_norm": "rotated_norm", "d_head": "inputs.d_head"}
    derived = {"n_hands": Derived("number of hands", lambda v: len(v.frequencies))}

    inputs: Inputs
    values: RotatedVector

    @classmethod
    def compute(cls, inputs: Inputs) -> RotatedVector:
        return inputs.vector()

    def layout(self) -> None:
        """The picture of the shots around it, and the arrangement of matrix, vector and dials."""
        n_hands, m = len(self.values.frequencies), self.values.m
        first = max(0, m - 6)
        self.grid = FilmGrid(self.canvas, n_hands, (first, first + 12))
        self.line, of_word = self.grid.line, self.inputs.letter is None
        self.hero = self.grid.tile(self["token"], m, "query" if of_word else None)
        unit = self.inputs.word_scores().unit if of_word else float(self.values.lengths.max())
        hands = Hands(self["rotated_pairs"], self.grid.dials, "query", unit=unit)
        self.dials = VGroup(self.grid.dials, hands.set_z_index(2))
        self.figures = list(self._start_numbers("+.1f" if of_word else "+.2f"))
        self.numbers = VGroup(*self.figures).set_z_index(6)
        x, y = self.canvas.center[0], self.grid.spot(m)[1]
        self.block = Formula(_BLOCK, size=36).move_to(np.array([x, y, 0.0]))
        sign = "query(q)" if of_word else "x"
        self.formula = self.grid.write(
            Equation([("turn", "position(R)"), ("m", "_position(m)"), ("vector", sign)], size=_SIZE)
        )
        self._arrange(sign)

    def _start_numbers(self, spec: str) -> Iterator[Figure]:
        """The vector before its turn, two numbers over each dial, the first on top."""
        for j in range(len(self.values.vector)):
            figure = Figure(self["vector"][j], spec, color=self.theme.query)
            yield figure.put(self.grid.dials.over(j // 2, 1 - j % 2))

    def _arrange(self, sign: str) -> None:
        """Matrix times vector; the hands that this gives stand behind it, or below."""
        self.cells = TurnCells(self["matrix"], brackets=True, plain_zeros=True)
        self.column, self.result, self.foot = Space(0.8, 1), Space(1.0, 1), Space(4, 0.45)
        equals, beside, below = Space(0.3, 1), Space(1.0, 1), Space(6, 0.75)
        wide = Row(self.cells, self.column, equals, self.result, beside, gap=0.12)
        tall = Column(Row(self.cells, self.column, gap=0.12), below, gap=0.1)
        alternatives = [Column(part, self.foot, gap=0.15) for part in (wide, tall)]
        n_hands = len(self.values.frequencies)
        self.is_wide = fit(self.canvas, *alternatives) == 0
        self.cells.empty()
        pairs = [self._block(i) for i in range(n_hands)]
        self.brackets = VGroup(self._brackets(self.column))
        if self.is_wide:
            equal = Formula("=", size=34).move_to(equals.region.center)
            self.brackets.add(self._brackets(self.result), equal)
            x = beside.region.center[0]
            self.radius = min(beside.region.width, pairs[0].height) * 0.45
            self.spots = [np.array([x, pair.center[1], 0.0]) for pair in pairs]
        else:
            cells = below.region.columns(*[1.0] * n_hands)
            self.radius = min(below.region.height / 2, 0.5)
            self.spots = [cell.point(0.27, 0.5) for cell in cells]
        self.blocks = TurnBlocks(self["blocks"], pairs)
        self.results = VGroup(*self._results())
        lengths = {"norm": self["norm"], "rotated": self["rotated_norm"]}
        terms = [
            ("before", f"norm({sign}) = {{norm:.4f}}"),
            ("after", f"quad norm(position(R_m) {sign}) = {{rotated:.4f}}"),
        ]
        self.lengths = Equation(terms, values=lengths, size=32)
        self.lengths.place(self.foot.region)

    def _brackets(self, column: Space) -> Brackets:
        """Around the numbers of a column."""
        return Brackets(Lattice(self._inside(column), len(self.values.vector), 1))

    def _inside(self, column: Space) -> Region:
        region, cells = column.region.inset(0.14, 0), self.cells.lattice.region
        return Region(region.left, cells.bottom, region.right, cells.top)

    def _in_column(self, column: Space, j: int) -> NDArray[np.float64]:
        row = self.cells.cell(j, 0)
        return np.array([column.region.center[0], row.center[1], 0.0])

    def _results(self) -> Iterator[Figure]:
        """The turned vector, in a column of its own or beside the dials."""
        for j in range(len(self.values.vector)):
            figure = Figure(self["product"][j], "+.2f", size=20, color=self.theme.query)
            aside = np.array([self.radius + 0.36, 0.19 * (1 - 2 * (j % 2)), 0.0])
            point = self._in_column(self.result, j) if self.is_wide else self.spots[j // 2] + aside
            figure.number.center_on(point)
            yield figure

    # What is told

    @beat("For one hand, a turn is a small matrix: the cosine and the sine of its angle.")
    def unfold(self) -> Steps:
        """Every face unfolds into the block of its hand."""
        yield FadeOut(self.line, self.hero, run_time=0.6)
        yield self.blocks.unfold(self.grid.dials, run_time=2.4), FadeIn(self.block)

    @beat("Together they make one large matrix, with a block on its diagonal for every hand.")
    def line_up(self) -> Steps:
        """Blocks go to the diagonal, numbers into the vector, dials to the side."""
        self.home = self.grid.dials.centers.reshape(-1, 3), self.grid.dials.radius
        seconds = self.reading - 1
        yield (
            FadeOut(self.block, run_time=0.5),
            FadeIn(self.cells, run_time=seconds),
            self.grid.dials.go_to(self.spots, self.radius, labeled=False, run_time=seconds),
            self.blocks.line_up(run_time=seconds),
            self._drop(run_time=seconds),
        )
        yield FadeIn(self.brackets, run_time=0.6)

    @beat(
        "Zeros: no hand ever touches the numbers of another.",
        ask="And what stands in the other {n_zeros} cells?",
    )
    def zeros(self) -> Steps:
        """The other cells fill from the diagonal on; then pair by pair, two in and two out."""
        self.remove(self.blocks)
        yield self.cells.fill(self._away(), run_time=1.6, labels=False)
        frames = [self.cells.frame(region, "attention") for region in self._pair(0)]
        yield *(FadeIn(frame, run_time=0.5) for frame in frames), FadeIn(*self.results[:2])
        for i in range(1, len(self.values.frequencies)):
            yield FadeOut(*frames, run_time=0.2)
            frames = [self.cells.frame(region, "attention") for region in self._pair(i)]
            results = FadeIn(*self.results[2 * i : 2 * i + 2], run_time=0.6)
            yield *(FadeIn(frame, run_time=0.2) for frame in frames), results
        yield FadeOut(*frames, run_time=0.4)

    @beat(CAPTION)
    def symbol(self) -> Steps:
        """The lengths; then the matrix contracts into its sign, and the dials return."""
        yield self.lengths.appear(run_time=1.2)
        yield 1.5
        sign, vector = self.formula.term("turn"), self.formula.term("vector")
        yield (
            FadeOut(self.cells, target_position=sign.get_center(), scale=0.1, run_time=1.5),
            FadeOut(self.numbers, target_position=vector.get_center(), scale=0.1, run_time=1.5),
            FadeOut(self.brackets, self.results, self.lengths, run_time=0.6),
            self.grid.dials.go_to(*self.home, run_time=1.5),
            FadeIn(self.formula, run_time=1.5),
        )
        yield FadeIn(self.line, self.hero)

    def _drop(self, run_time: float) -> Drive:
        """The numbers fall into the vector, one after another, behind their blocks."""
        ways = [
            (figure, figure.number.middle, self._in_column(self.column, j))
            for j, figure in enumerate(self.figures)
        ]

        def show(share: NDArray[np.float64]) -> None:
            come = in_turn(max(0.0, (float(share) - 0.25) / 0.75), len(ways), 0.5)
            for part, (figure, start, end) in zip(come, ways, strict=True):
                figure.number.center_on(end if part == 1 else start + (end - start) * part)

        return Drive(self.numbers, show, 0.0, 1.0, run_time=run_time)

    def _block(self, i: int) -> Region:
        """The cells of hand i."""
        return self.cells.block(2 * i, 2 * i, 2, 2)

    def _away(self) -> NDArray[np.float64]:
        """When the cells off the blocks come, from the diagonal outward; blocks are there."""
        pair = np.arange(len(self.values.vector)) // 2  # (d_head,)
        away = np.abs(pair[:, None] - pair).astype(float)
        return np.where(away == 0, -np.inf, (away - 1) / max(1.0, away.max() - 1))

    def _pair(self, i: int) -> list[Region]:
        """What hand i has: its block, its two numbers of the vector, and of the result."""
        block = self._block(i)
        columns = [self.column, self.result] if self.is_wide else [self.column]
        sides = [self._inside(column) for column in columns]
        return [block, *(Region(s.left, block.bottom, s.right, block.top) for s in sides)]
