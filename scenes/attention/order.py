"""The first two words change places, and no digit of the last row changes."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create, VGroup
from numpy.typing import NDArray

from clockhead.model.films.attention.order import ReorderedHead, reordered_head
from clockhead.scenes.attention.addition import Addition
from clockhead.scenes.attention.inputs import ExampleStage, said
from clockhead.scenes.attention.page import steady
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_moves import swap
from clockhead.scenes.stage import CAPTION, Column, Derived, Steps, beat, fit
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut

_RISE, _ASIDE, _LETTERS = 0.4, 0.45, 36.0
"""How far tiles rise, and rows go aside, that pass each other; the size of the tiles' letters."""


class Order(ExampleStage):
    """Two words change places; the last row is a sum, and a sum has no order."""

    title = "Does the order matter?"
    question = "{first} and {second} change places: what then?"
    caption = (
        "In one layer, {asker} sees which words came before, not in which order: for that, RoPE."
    )
    opens = ("tiles", "given")
    derived = ExampleStage.derived | {
        "first": Derived("the first word", lambda head: said(head, 0)),
        "second": Derived("the second word", lambda head: said(head, 1)),
    }

    values: ReorderedHead

    @classmethod
    def compute(cls, inputs: Any) -> ReorderedHead:
        return reordered_head(inputs.example())

    def layout(self) -> None:
        self.tiles, self.table = Strip(self["tokens"], size=_LETTERS, lines=1), Addition(self)
        fit(steady(self.canvas), Column(self.tiles, self.table, gap=0.6))
        self.tiles.look([self.values.last], "query")
        self.sum = self.table.sum.empty()
        self.given = VGroup(*self.table.shares, *self.table.summands, self.table.heads)

    @beat("The new row of {asker} is a sum: each value times its share, plus the row it had.")
    def add_up(self) -> Steps:
        table, d = self.table, self.values.d_model
        yield FadeIn(table.own, table.names), Create(table.line)
        frame = CellFrame(table.column(0), "residual")
        self.add(self.sum)
        yield Create(frame, run_time=0.5)
        time = max(self.reading - 2.0, 0.4 * d)
        when = np.linspace(0, 1, d)[None, :]
        yield (
            frame.trace(*(table.column(j) for j in range(1, d)), run_time=time),
            self.sum.fill(when, each=1 / (d + 1), run_time=time),
        )
        yield FadeOut(frame, run_time=0.4)

    @beat(
        "None: the same rows are added, only in another order.",
        ask="Now the first two words change places. Which digits of the sum change?",
    )
    def swap(self) -> Steps:
        yield self._exchange("reordered.", max(2.5, 0.8 * self.reading))

    @beat("Keys and values come from a word's row alone, and no row says where its word stands.")
    def alone(self) -> Steps:
        frame = CellFrame(self.table.row_at(0))
        yield Create(frame, run_time=0.5)
        rows = [self.table.row_at(k) for k in range(1, self.values.n_tokens)]
        yield frame.trace(*rows, run_time=self.reading - 1.4)
        yield FadeOut(frame, run_time=0.5)

    @beat("They change back, and again not a digit changes.")
    def back(self) -> Steps:
        yield self._exchange("", max(2.0, 0.7 * self.reading))

    @beat(CAPTION)
    def end(self) -> Steps:
        first, *rest = (self.table.row_at(k) for k in range(self.values.last + 1))
        frame = CellFrame(first, "query")
        yield Create(frame, run_time=0.5)
        yield frame.trace(*rest, run_time=0.4 * self.reading)
        yield frame.trace(self.table.row_at(self.values.n_tokens + 1), run_time=0.6)

    def _exchange(self, order: str, run_time: float) -> tuple[Any, Drive]:
        """The first two words change places, and with them their shares and summands.

        The sum is that of the new order from now on.
        """
        last, table = self.values.last, self.table
        self.sum.set_to(self[f"{order}resid_post"][last : last + 1])
        upper, lower = (VGroup(table.shares[k], table.summands[k]) for k in (0, 1))
        for rows in (table.shares, table.summands):
            rows[:2] = rows[1::-1]
        tokens, way = self[f"{order}tokens"], table.row_at(0).height
        tiles = swap(self.tiles, 0, 1, to=tokens, rise=_RISE, run_time=run_time)
        return tiles, _pass_by(upper, lower, way, run_time=run_time)


def _pass_by(upper: VGroup, lower: VGroup, way: float, *, run_time: float) -> Drive:
    """Let two rows, so far apart, pass each other on flattened half-circles."""
    gone = np.zeros(3)

    def show(share: NDArray[np.float64]) -> None:
        turn = np.pi * float(share)
        now = np.array([_ASIDE * np.sin(turn), -way * (1 - np.cos(turn)) / 2, 0.0])
        upper.shift(now - gone)
        lower.shift(gone - now)
        gone[:] = now

    return Drive(VGroup(upper, lower), show, 0.0, 1.0, run_time=run_time)
