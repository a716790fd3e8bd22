"""Scores become shares: what comes later is masked, the rest goes through the softmax."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create, FadeIn, FadeOut
from numpy.typing import NDArray

from clockhead.model.arrays import Ints
from clockhead.model.worked_softmax import WorkedSoftmax
from clockhead.scenes.attention.inputs import ExampleStage, said
from clockhead.scenes.attention.page import SHARES, Page, grid_of
from clockhead.scenes.attention.raised import Ahead, Raised
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.spelling import counted, listed
from clockhead.scenes.stage import CAPTION, Derived, Steps, beat
from clockhead.scenes.style.motion import Drive, in_turn

_CLOSE = 0.92
"""How much of the canvas the table fills when it is looked at."""
_MOST_ZOOM = 1.7


def _raising(head: WorkedSoftmax) -> str:
    if head.is_lowered:
        return "Softmax takes off the largest score, then raises e to each: the same shares."
    return "Softmax raises e to each score, so nothing is below 0."


def _looked(head: WorkedSoftmax) -> str:
    most, least = head.most_looked_at, head.least_looked_at
    if len(most) == head.n_tokens:
        return "{asker} looks at all of them alike: each gets one share in {n_said}."
    if len(most) > 1:
        return f"{{asker}} looks most at {_named(head, most)}, the same at each."
    return f"{{asker}} looks most at {_named(head, most)}, and least at {_named(head, least)}."


def _named(head: WorkedSoftmax, places: Ints) -> str:
    """Tokens that are looked at, by the last one."""
    return listed("itself" if n == head.last else said(head, n) for n in places.tolist())


class Softmax(ExampleStage):
    """Scores of what comes later are masked, and every row of the rest becomes shares."""

    title = "Scores become shares"
    question = "How does {asker} share out its attention?"
    caption = "Softmax turns scores into shares: none is below 0, and each row adds up to 1."
    opens = ("grid",)
    leaves = ("grid",)
    derived = {
        **ExampleStage.derived,
        "n_said": Derived("how many tokens there are", lambda head: counted(head.n_tokens)),
    }

    values: WorkedSoftmax

    @classmethod
    def compute(cls, inputs: Any) -> WorkedSoftmax:
        return WorkedSoftmax.of(inputs.example())

    def layout(self) -> None:
        page = Page(self)
        bare: dict[str, Any] = {"rows": None, "columns": None}
        shares: dict[str, Any] = {"low": 0.0, "high": 1.0, "spec": SHARES, "mask": "causal"}
        self.grid = grid_of(self, "scores")
        self.hatched = grid_of(self, "scores", mask="causal", **bare)
        most = {"high": float(self.values.shares.max())}
        self.filled = grid_of(self, "pattern", **(shares | bare | most))
        self.pattern = grid_of(self, "pattern", **shares)
        for grid in (self.grid, self.hatched, self.filled, self.pattern):
            grid.place_cells(page.grid)
        self.hatched.empty()
        self.filled.empty()
        self.ahead = Ahead(self["pattern"], self.grid)
        self.raised = Raised(self, page.told)
        self.seen = np.tri(self.values.n_tokens)

    @beat(
        "No: that is what it has to guess. Every score ahead becomes minus infinity.",
        ask="Should a token look at what comes after it?",
    )
    def mask(self) -> Steps:
        room = (self.canvas.width / self.grid.width, self.canvas.height / self.grid.height)
        yield self.look_at(self.grid, max(1.0, min(_MOST_ZOOM, _CLOSE * min(room))))
        self.remove(self.grid)
        self.add(self.hatched, self.grid)
        yield self._close_cells(1 - self.seen, run_time=0.45 * self.reading)
        yield FadeIn(self.ahead, run_time=0.6)
        yield self.look_back()

    @beat(_raising, ask="Which of the {n_said} does {asker} look at most?")
    def raise_(self) -> Steps:
        last, n = self.values.last, self.values.n_tokens
        self.row = self.grid.frame_row(last, "query")
        yield Create(self.row, run_time=0.6)
        frame = self.grid.frame(self.grid.cell(last, 0))
        each = max(0.7, (self.reading - 0.6) / n)
        for k in range(n):
            goes = Create(frame) if k == 0 else frame.trace(self.grid.cell(last, k))
            goes.set_run_time(each)
            yield goes, self.raised.grow(k, run_time=each)
        yield FadeOut(frame, run_time=0.4)

    @beat("Laid end to end, they measure their sum. Divided by it, each is a share.")
    def divide(self) -> Steps:
        yield self.raised.lay(run_time=0.4 * self.reading)
        yield FadeIn(self.raised.sum, run_time=0.4)
        yield self.raised.divide(run_time=0.4 * self.reading)

    @beat(_looked)
    def answer(self) -> Steps:
        last = np.arange(self.values.n_tokens)[:, None] == self.values.last
        yield self._close_cells(np.where(last, self.seen, 0), run_time=0.6)
        land = self.raised.land(self.filled, self.values.last, run_time=0.5 * self.reading)
        yield land, FadeOut(self.raised.sum, run_time=0.5)
        self.add(self.filled)
        when = np.where(last, 0.0, np.inf) * np.ones_like(self.seen)
        yield self.filled.fill(when, each=0.9, run_time=0.6)
        self.raised.remove(self.raised.bars)

    @beat("What lies ahead gets nothing, for e to minus infinity is 0.")
    def others(self) -> Steps:
        n, time = self.values.n_tokens, 1.4
        others = np.arange(n)[:, None] < self.values.last
        yield (
            FadeOut(self.row, run_time=0.4),
            self._close_cells(np.where(others, self.seen, 0), run_time=time),
            self.filled.to(self["pattern"], high=1.0, run_time=time),
        )
        at = np.where(others, np.linspace(0, 1, n)[:, None], -np.inf)
        yield self.filled.fill(at * np.ones((n, n)), run_time=time), FadeOut(self.ahead)
        self.remove(self.grid, self.hatched, self.filled)
        self.grid = self.pattern
        self.add(self.grid)

    @beat(CAPTION)
    def shares(self) -> Steps:
        """Each row stands as it is read."""
        frame = self.grid.frame_row(0)
        yield Create(frame, run_time=0.5)
        rows = [self.grid.row(k) for k in range(1, self.values.n_tokens)]
        yield frame.trace(*rows, run_time=0.4 * self.reading)
        yield FadeOut(frame, run_time=0.4)

    def _close_cells(self, going: NDArray[np.float64], *, run_time: float) -> Drive:
        """Let these cells of the scores shrink to nothing, one after another."""
        grid: Matrix = self.grid
        start = grid.opened
        here = np.argwhere((going > 0) & (start > 0))

        def show(share: NDArray[np.float64]) -> None:
            opened = start.copy()
            opened[tuple(here.T)] *= 1 - in_turn(float(share), len(here), 0.5)
            grid.open_to(opened)

        return Drive(grid, show, 0.0, 1.0, run_time=run_time)
