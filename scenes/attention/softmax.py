"""Scores become attention weights: later tokens are masked, the rest go through softmax."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from manim import Create, Transform, VGroup, VMobject
from numpy.typing import NDArray

from clockhead.model.films.attention.softmax import WorkedSoftmax, worked_softmax
from clockhead.scenes.attention.ahead import Ahead
from clockhead.scenes.attention.desk import SIGNS, Desk, grid_of
from clockhead.scenes.attention.inputs import ExampleStage, quoted_token
from clockhead.scenes.attention.share_bar import ShareBar
from clockhead.scenes.facts import format_fact
from clockhead.scenes.parts import word_bars
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.paths import rectangles
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.spelling import listed
from clockhead.scenes.stage import CAPTION, REST, Column, Derived, Steps, beat, fit
from clockhead.scenes.stage.layout import Layers
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut, in_turn
from clockhead.scenes.style.shape import fill_of
from clockhead.scenes.style.text import text_width

_SIZE, _LARGE = 32.0, 48.0
"""Sizes of text at the bars, and of the formula above them, in pixels at 720p."""
_AIR = 0.2
"""Gap beside a bar's number, in units."""


def _exponential_sentence(head: WorkedSoftmax) -> str:
    if head.is_lowered:
        return (
            "Softmax takes e to the power of each score. To keep the numbers small, the largest "
            "score is taken off first: the shares stay the same."
        )
    return "Softmax takes e to the power of each score: all of these are above 0."


def _answer_sentence(head: WorkedSoftmax) -> str:
    if head.n_most == head.n_tokens:
        return "{asker} looks at all of them alike."
    return "{asker} looks most at {most}."


def _most_looked_at_names(head: WorkedSoftmax) -> str:
    places = head.most_looked_at.tolist()
    return listed("itself" if n == head.last else quoted_token(head, n) for n in places)


class Softmax(ExampleStage):
    """Scores of later tokens are masked, and softmax turns every row into attention weights."""

    title = "Scores become shares"
    caption = (
        "In every row the shares add up to 1. What is masked gets 0: that is e to minus infinity."
    )
    opens = ("formula", "grid")
    leaves = ("formula", "pattern as grid")
    derived = ExampleStage.derived | {
        "most": Derived("the tokens that the last token looks at most", _most_looked_at_names)
    }

    values: WorkedSoftmax

    compute = worked_softmax

    def layout(self) -> None:
        lit = [name for name in SIGNS if name not in ("softmax", "open", "close")]
        self.desk = desk = Desk(self, *lit, root=True)
        self.formula = desk.formula
        bare: dict[str, Any] = {"rows": None, "columns": None}
        self.grid, self.pattern = grid_of(self, "scores"), grid_of(self, "pattern")
        self.hatched = grid_of(self, "scores", mask="causal", **bare)
        self.filled = grid_of(self, "pattern", **bare)
        desk.place_grids(self.grid, self.hatched, self.filled, self.pattern)
        self.filled.shift(-desk.to_middle)  # it appears after the others have moved aside
        self.hatched.empty()
        self.filled.empty()
        self.ahead = Ahead(self["pattern"], self.grid)
        self.zeros = Ahead(self["pattern"], self.grid, "0")
        self.zeros.shift(-desk.to_middle)
        self.seen = np.tri(self.values.n_tokens)
        self._lay_bars(desk.side)

    def _lay_bars(self, side: Region) -> None:
        """Make a bar for each score of the last token, and the formulas above the bars."""
        head, powers = self.values, self["powers"]
        small = max(np.abs([powers.array, head.raised]).max(), head.total) < 100
        self.spec = ".4f" if small else ".2f"
        lying = slots(self["tokens"], down=True)
        self.chart = Chart(word_bars.scale_of(powers.array), lying, least=(0.8, 1.0), size=_SIZE)
        self.bars = Bars(
            powers, self.chart, "score", spec=self.spec, grown=False, width=0.6, size=_SIZE
        )
        written = [format_fact(x, self.spec) for x in (*powers.array, *head.raised)]
        self.bars.beside = max(text_width(text, _SIZE) for text in written) + _AIR
        sign = "s - {off:.4g}" if head.is_lowered else "s"
        values = {"off": self["taken_off"], "total": self["total"]}
        self.power = Equation([("raised", f"e^({sign})")], values=values, size=_LARGE)
        self.sum = Equation(
            [("sum", '"sum" ='), ("total", f"{{total:{self.spec}}}")], values=values, size=_LARGE
        )
        lit = int(head.most_looked_at[0])
        self.shares = ShareBar(self["last_weights"], self["tokens"], lit=lit, spec=".3f")
        fit(side, Column(Layers(self.power, self.sum), self.chart, weights=(1, 4)))
        middle = self.chart.area.center[1]
        self.shares.place(Region(side.left, middle - 0.8, side.right, middle + 0.8))

    @beat(
        "No: those are the words that it is supposed to guess. We set these scores to minus "
        "infinity.",
        ask="Should a word look at the words after it?",
    )
    def mask(self) -> Steps:
        self.remove(self.grid)
        self.add(self.hatched, self.grid)
        yield self._close_cells(1 - self.seen, run_time=0.45 * self.reading)
        yield FadeIn(self.ahead, run_time=0.6)

    @beat(_exponential_sentence)
    def raise_(self) -> Steps:
        last, time = self.values.last, 0.3 * self.reading
        yield self.desk.move_aside(self.grid, self.hatched, self.ahead)
        self.row = self.grid.frame_row(last, "query")
        yield Create(self.row, run_time=0.6), FadeIn(self.chart, run_time=0.6)
        self.add(self.bars)
        yield self.bars.grow(lag=0.5, run_time=time)
        yield self.bars.unwrite(run_time=0.3)
        largest = Scale(0.0, float(self.values.raised.max()))
        yield (
            FadeIn(self.power, run_time=0.6),
            self.bars.to(self["raised"], run_time=time),
            self.chart.rescale(x=largest, run_time=time),
        )
        yield self.bars.write(range(self.values.n_tokens), self.spec, run_time=0.3)

    @beat("Laid end to end they make their sum, {total:.4f}. Divided by it, each is a share of 1.")
    def divide(self) -> Steps:
        apart = self.bars.boxes
        yield FadeOut(self.power, run_time=0.4), self.bars.unwrite()
        self.remove(self.bars)
        self.chart.marks.remove(self.bars)
        self.add(self.shares)
        joined = self.shares.join(apart, run_time=0.35 * self.reading)
        yield joined, FadeOut(self.chart, run_time=0.6), FadeIn(self.sum, run_time=0.8)

    @beat(_answer_sentence, rest=REST)
    def answer(self) -> Steps:
        n, last = self.values.n_tokens, self.values.last
        here = np.arange(n)[:, None] == last
        cells = [self.filled.cell(last, j) for j in range(n)]
        edges = [rectangles(c.left, c.bottom, c.right, c.top) for c in cells]
        shades = [self.filled.shade_of(last, j) for j in range(n)]
        paths = self.shares.paths
        pieces = _pieces((p.points for p in paths), [fill_of(p) for p in paths])
        goal = _pieces(edges, shades)
        time = max(1.2, 0.5 * self.reading)
        closed = self._close_cells(np.where(here, self.seen, 0), run_time=time)
        yield closed, Transform(pieces, goal, run_time=time)
        self.add(self.filled)
        when = np.where(here, 0.0, np.inf) * np.ones_like(self.seen)
        yield self.filled.fill(when, each=0.9, run_time=0.6)
        self.remove(pieces)

    @beat(CAPTION)
    def others(self) -> Steps:
        told = self.shares, self.sum, self.row
        yield [FadeOut(part, run_time=0.5) for part in told]
        self.remove(self.grid)
        self.add(self.hatched, self.filled, self.grid, self.ahead)
        time = max(2.0, 0.5 * self.reading)
        rows = self.filled.opened[:, :1] < 1
        at = np.where(rows, np.linspace(0, 1, self.values.n_tokens)[:, None], -np.inf)
        fill = self.filled.fill(at * np.ones_like(self.seen), run_time=time)
        yield self._close_cells(self.grid.opened * rows, run_time=0.7 * time), fill
        yield FadeOut(self.ahead, run_time=0.5)
        yield FadeIn(self.zeros, run_time=0.5), *self.desk.light_terms("softmax", "open", "close")
        there = self.grid, self.hatched, self.filled, self.zeros
        yield self.desk.move_aside(*there, back=True)

    def _close_cells(self, going: NDArray[np.float64], *, run_time: float) -> Drive:
        """Shrink these cells of the scores to nothing, one after another."""
        grid = self.grid
        start = grid.opened
        here = np.argwhere((going > 0) & (start > 0))

        def show(share: NDArray[np.float64]) -> None:
            opened = start.copy()
            opened[tuple(here.T)] *= 1 - in_turn(float(share), len(here), 0.5)
            grid.open_to(opened)

        return Drive(grid, show, 0.0, 1.0, run_time=run_time)


def _pieces(shapes: Iterable[NDArray[np.float64]], colors: Sequence[str]) -> VGroup:
    """A group of shapes with these colours."""
    look: dict[str, Any] = {"stroke_width": 0, "fill_opacity": 1}
    pairs = zip(shapes, colors, strict=True)
    return VGroup(*(VMobject(fill_color=c, **look).set_points(p) for p, c in pairs))
