"""Scores become shares: what comes later is masked, the rest goes through the softmax."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from manim import Create, Transform, VGroup, VMobject
from numpy.typing import NDArray

from clockhead.model.films.attention.softmax import WorkedSoftmax, worked_softmax
from clockhead.scenes.attention.ahead import Ahead
from clockhead.scenes.attention.inputs import ExampleStage, said
from clockhead.scenes.attention.page import SHARES, Page, grid_of
from clockhead.scenes.facts import format_fact
from clockhead.scenes.parts import word_bars
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.paths import rectangles
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.term_moves import become
from clockhead.scenes.spelling import counted, listed
from clockhead.scenes.stage import CAPTION, Column, Derived, Steps, beat, fit
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut, in_turn
from clockhead.scenes.style.text import text_width
from clockhead.scenes.style.type import SMALL

_MOST_ZOOM = 1.7
"""How much of the canvas the table fills when it is looked at, and how much larger it gets."""
_AIR = 0.2
"""What the numbers at bars need besides their width."""


def _raising(head: WorkedSoftmax) -> str:
    if head.is_lowered:
        return "Softmax takes off the largest score, then raises e to each: the same shares."
    return "Softmax raises e to each score, so nothing is below 0."


def _answer(head: WorkedSoftmax) -> str:
    if head.n_most == head.n_tokens:
        return "None: {asker} looks at all of them alike."
    return "{asker} looks most at {most}."


def _most(head: WorkedSoftmax) -> str:
    places = head.most_looked_at.tolist()
    return listed("itself" if n == head.last else said(head, n) for n in places)


class Softmax(ExampleStage):
    """Scores of what comes later are masked, and every row of the rest becomes shares."""

    title = "Scores become shares"
    question = "How does {asker} share out its attention?"
    caption = "Softmax makes shares of scores: none is below 0, each row adds up to 1."
    opens = ("grid",)
    leaves = ("pattern as grid",)
    derived = ExampleStage.derived | {
        "n_said": Derived("how many tokens there are", lambda head: counted(head.n_tokens)),
        "most": Derived("whom the last token looks at most", _most),
    }

    values: WorkedSoftmax

    @classmethod
    def compute(cls, inputs: Any) -> WorkedSoftmax:
        return worked_softmax(inputs.example())

    def layout(self) -> None:
        page = Page(self)
        bare: dict[str, Any] = {"rows": None, "columns": None}
        shares: dict[str, Any] = {"low": 0.0, "high": 1.0, "spec": SHARES, "mask": "causal"}
        self.grid = grid_of(self, "scores")
        self.hatched = grid_of(self, "scores", mask="causal", **bare)
        self.filled = grid_of(self, "pattern", **(shares | bare))
        self.pattern = grid_of(self, "pattern", **shares)
        for grid in (self.grid, self.hatched, self.filled, self.pattern):
            grid.place_cells(page.grid)
        self.hatched.empty()
        self.filled.empty()
        self.ahead = Ahead(self["pattern"], self.grid)
        self.seen = np.tri(self.values.n_tokens)
        self._lay_bars(page)

    def _lay_bars(self, page: Page) -> None:
        """A bar for each score of the last token, and over them what is done with it."""
        head, powers = self.values, self["powers"]
        small = max(np.abs([powers.array, head.raised]).max(), head.total) < 100
        self.spec = ".4f" if small else ".2f"
        lying = slots(self["tokens"], down=True)
        self.chart = Chart(word_bars.scale_of(powers.array), lying, least=(0.8, 1.0))
        self.bars = Bars(powers, self.chart, spec=self.spec, grown=False, width=0.5)
        written = [format_fact(x, self.spec) for x in (*powers.array, *head.raised)]
        self.bars.beside = max(text_width(text, SMALL) for text in written) + _AIR
        sign = "s - {off:.4g}" if head.is_lowered else "s"
        terms = [("raised", f"e^({sign})"), ("by", '"/"'), ("total", f"{{total:{self.spec}}}")]
        values = {"off": self["taken_off"], "total": self["total"]}
        self.formula, self.divided = (
            Equation(some, values=values) for some in ([*terms[:1]], terms)
        )
        fit(page.told, Column(self.divided, self.chart))
        assert self.divided.region is not None
        self.formula.place(self.divided.region)

    @beat(
        "No: it has to guess that. Every score ahead becomes minus infinity.",
        ask="Should a token look ahead?",
    )
    def mask(self) -> Steps:
        yield self.look_at(self.grid, closest=_MOST_ZOOM, run_time=1.0)
        self.remove(self.grid)
        self.add(self.hatched, self.grid)
        yield self._close_cells(1 - self.seen, run_time=0.45 * self.reading)
        yield FadeIn(self.ahead, run_time=0.6)
        yield self.look_back(run_time=1.0)

    @beat(_raising, ask="Which of the {n_said} does {asker} look at most?")
    def raise_(self) -> Steps:
        last, time = self.values.last, 0.35 * self.reading
        self.row = self.grid.frame_row(last, "query")
        yield Create(self.row, run_time=0.6), FadeIn(self.chart, run_time=0.6)
        self.add(self.bars)
        yield self.bars.grow(lag=0.5, run_time=time)
        largest = Scale(0.0, float(self.values.raised.max()))
        yield (
            FadeIn(self.formula, run_time=0.6),
            self.bars.to(self["raised"], run_time=time),
            self.chart.rescale(x=largest, run_time=time),
        )

    @beat("Divided by the sum of all of them, each is a share.")
    def divide(self) -> Steps:
        time = 0.5 * self.reading
        yield become(self.formula, self.divided, run_time=0.8), self.bars.unwrite()
        yield (
            self.bars.to(self["last_weights"], run_time=time),
            self.chart.rescale(x=word_bars.SHARES, run_time=time),
        )
        yield self.bars.write(range(self.values.n_tokens), ".1%")

    @beat(_answer)
    def answer(self) -> Steps:
        n, last = self.values.n_tokens, self.values.last
        here = np.arange(n)[:, None] == last
        corners = self.bars.paths[0].points.reshape(n, -1, 3)
        cells = [self.filled.cell(last, j) for j in range(n)]
        edges = [rectangles(c.left, c.bottom, c.right, c.top) for c in cells]
        shades = [self.filled.shade_of(last, j) for j in range(n)]
        pieces = _pieces(corners, [self.theme.attention] * n)
        goal = _pieces(edges, shades)
        time = max(1.2, 0.5 * self.reading)
        closed = self._close_cells(np.where(here, self.seen, 0), run_time=time)
        yield closed, Transform(pieces, goal, run_time=time)
        self.add(self.filled)
        when = np.where(here, 0.0, np.inf) * np.ones_like(self.seen)
        yield self.filled.fill(when, each=0.9, run_time=0.6)
        self.remove(pieces)

    @beat("What lies ahead gets nothing, for e to minus infinity is 0.")
    def others(self) -> Steps:
        n, time = self.values.n_tokens, 1.4
        others = np.arange(n)[:, None] < self.values.last
        yield (
            FadeOut(self.row, run_time=0.4),
            self._close_cells(np.where(others, self.seen, 0), run_time=time),
        )
        at = np.where(others, np.linspace(0, 1, n)[:, None], -np.inf)
        yield self.filled.fill(at * np.ones((n, n)), run_time=time), FadeOut(self.ahead)
        self.remove(self.grid, self.hatched, self.filled)
        self.add(self.pattern)

    @beat(CAPTION)
    def shares(self) -> Steps:
        frame = self.pattern.frame_row(0)
        yield Create(frame, run_time=0.5)
        rows = [self.pattern.row(k) for k in range(1, self.values.n_tokens)]
        yield frame.trace(*rows, run_time=0.4 * self.reading)
        yield FadeOut(frame, run_time=0.4)

    def _close_cells(self, going: NDArray[np.float64], *, run_time: float) -> Drive:
        """Let these cells of the scores shrink to nothing, one after another."""
        grid = self.grid
        start = grid.opened
        here = np.argwhere((going > 0) & (start > 0))

        def show(share: NDArray[np.float64]) -> None:
            opened = start.copy()
            opened[tuple(here.T)] *= 1 - in_turn(float(share), len(here), 0.5)
            grid.open_to(opened)

        return Drive(grid, show, 0.0, 1.0, run_time=run_time)


def _pieces(shapes: Iterable[NDArray[np.float64]], colors: Sequence[str]) -> VGroup:
    """Shapes, each in its colour."""
    look: dict[str, Any] = {"stroke_width": 0, "fill_opacity": 1}
    pairs = zip(shapes, colors, strict=True)
    return VGroup(*(VMobject(fill_color=c, **look).set_points(p) for p, c in pairs))
