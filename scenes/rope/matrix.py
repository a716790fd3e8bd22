"""The turns of all hands as one block-diagonal matrix, and the sign for it."""

from __future__ import annotations

import numpy as np
from manim import FadeIn, FadeOut, LaggedStart, VGroup
from numpy.typing import NDArray
from pydantic import Field

from model.rotated_vector import RotatedVector
from scenes.parts.dial import Dials
from scenes.parts.dial_hands import Hands
from scenes.parts.equation import Equation
from scenes.parts.figures import Figure
from scenes.rope.film_grid import FilmGrid, Space
from scenes.rope.inputs import VectorInputs
from scenes.rope.number_cells import NumberCells
from scenes.stage import CAPTION, Column, Derived, EvenInt, Row, Stage, Steps, beat, fit
from scenes.style.motion import fly
from scenes.style.text import Formula
from scenes.style.theme import Role

_BLOCK = (
    'mat(delim: "[", cos position(m theta_i), -sin position(m theta_i); '
    "sin position(m theta_i), cos position(m theta_i))"
)
_SEED = 0.02
"""The size from which a block grows."""


class Matrix(Stage):
    """The turns of all hands as one block-diagonal matrix, and the sign for it."""

    class Inputs(VectorInputs):
        d_head: EvenInt = Field(
            8, ge=4, le=8, description="width of the head; d_head/2 blocks of the matrix"
        )

    title = "The same turn, as one matrix"
    question = "Each hand turns by itself. What does that look like in matrix form?"
    caption = "We write $R_m$ for all of it: a turn by position $m$ that keeps the length."
    opens = ("dials", "line", "numbers", "hero")
    leaves = ("dials", "line", "hero", "formula")
    derived = {"n_hands": Derived("number of hands", lambda v: len(v.frequencies))}

    inputs: Inputs
    values: RotatedVector

    @classmethod
    def compute(cls, inputs: Inputs) -> RotatedVector:
        return inputs.turned()

    def layout(self) -> None:
        """The picture of the shots around it; then matrix, vector and what they make."""
        v, is_word = self.values, self.inputs.letter is None
        self.n_hands = len(v.frequencies)
        self.grid = FilmGrid(self.canvas, self.n_hands, (0, max(12, 1.1 * v.m)))
        self.line = self.grid.line
        role: Role | None = "query" if is_word else None
        self.hero, self.there = (self.grid.tile(self["token"], at, role) for at in (0, v.m))
        faces, unit = self.grid.dials, self.inputs.unit()
        self.hands = Hands(self["pairs"], faces, "query", unit=unit)
        self.dials = VGroup(faces, self.hands.set_z_index(2))
        self.numbers = VGroup(*self._over_dials("+.1f" if is_word else "+.2f"))
        foot = np.array([self.canvas.center[0], self.grid.spot(0)[1], 0.0])
        self.block = Formula(_BLOCK, size=36).move_to(foot)
        sign = "query(q)" if is_word else "x"
        self.formula = self.grid.write(
            Equation([("turn", "position(R)"), ("m", "_position(m)"), ("vector", sign)], size=48.0)
        )
        self._lay_product(sign)

    def _over_dials(self, spec: str) -> list[Figure]:
        """The vector before its turn, two numbers over each dial, the first on top."""
        return [
            Figure(self["vector"][j], spec, color=self.theme.query).put(
                self.grid.dials.over(j // 2, 1 - j % 2)
            )
            for j in range(2 * self.n_hands)
        ]

    def _lay_product(self, sign: str) -> None:
        """Matrix times vector equals the turned vector, here or in the next line; its hands."""
        most, spec = float(self.values.lengths.max()), "+.2f" if self.inputs.letter else "+.1f"
        self.cells = NumberCells(self["matrix"], "position", 1.0, brackets=True, plain_zeros=True)
        self.vector = NumberCells(self["vector"], "query", most, spec=spec, brackets=True)
        self.result = NumberCells(
            self["product"], "query", most, spec=("+.2f", "+.1f"), brackets=True
        )
        beside, below = (
            Dials(self.n_hands, labels=None, columns=n, largest=0.5) for n in (1, self.n_hands)
        )
        equals = Space(0.3, 1)
        terms = [
            ("before", f"norm({sign}) = {{norm:.4f}}"),
            ("after", f"quad norm(position(R_m) {sign}) = {{rotated:.4f}}"),
        ]
        lengths = {"norm": self["norm"], "rotated": self["rotated_norm"]}
        self.lengths = Equation(terms, values=lengths, size=32)
        factors, product = (self.cells, self.vector), (equals, self.result)
        wide = Row(*factors, *product, beside, gap=0.12)
        tall = Column(Row(*factors, weights=(1, 0)), Row(*product, beside, gap=0.12), gap=0.15)
        square = Column(Row(*factors, *product, gap=0.04), below, gap=0.1)
        ways = (Column(part, self.lengths, gap=0.15) for part in (wide, tall, square))
        self.aside = (beside, beside, below)[fit(self.canvas, *ways)]
        equal = Formula("=", size=34).move_to(equals.region.center)
        self.product = VGroup(self.result, equal)
        self.lengths.hide()
        self.cells.empty()
        self.result.empty()
        self.blocks = [NumberCells(self["blocks"][i], "position", 1.0) for i in range(self.n_hands)]
        for i, block in enumerate(self.blocks):
            block.place_cells(self.cells.pair(i))
            block.set_z_index(5)

    # What is told

    @beat("For one hand, a turn is a small matrix: the cosine and the sine of its angle.")
    def unfold(self) -> Steps:
        """Every face unfolds into the block of its hand."""
        faces, home = self.grid.dials, self.cells.pair(0)
        self.growth = max(1.0, 2 * faces.radius / float(np.hypot(home.width, home.height)))
        for block, middle in zip(self.blocks, faces.centers[0], strict=True):
            block.scale(self.growth).move_to(middle)
        yield FadeOut(self.line, self.hero, run_time=0.6)
        unfolding = [FadeIn(block, scale=_SEED) for block in self.blocks]
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
        yield (
            FadeOut(self.block, run_time=0.5),
            FadeIn(self.cells, run_time=seconds),
            self.grid.dials.go_to(
                self.aside.centers, self.aside.radius, labeled=False, run_time=seconds
            ),
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
        yield self.cells.fill(self._away(), run_time=1.6, labels=False)
        pairs = range(self.n_hands)
        ways = [[part.pair(i) for i in pairs] for part in (self.cells, self.vector, self.result)]
        frames = [self.cells.frame(way[0], "attention") for way in ways]
        yield FadeIn(*frames, run_time=0.5)
        last = self.n_hands - 1
        come = np.repeat(np.arange(self.n_hands) / last, 2)[:, None]
        yield (
            self.result.fill(come, each=0.5 / last, run_time=0.9 * last),
            self.hands.turn_to(self["rotated_pairs"], self.values.phases, run_time=0.9 * last),
            *(
                frame.trace(*way[1:], run_time=0.9 * last)
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
        self.hero = self.there
        yield FadeIn(self.line, self.hero)

    def _away(self) -> NDArray[np.float64]:
        """When the cells off the blocks come, from the diagonal outward; blocks are there."""
        pair = np.arange(2 * self.n_hands) // 2  # (d_head,)
        away = np.abs(pair[:, None] - pair).astype(float)
        return np.where(away == 0, -np.inf, (away - 1) / max(1.0, away.max() - 1))
