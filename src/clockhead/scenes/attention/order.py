"""The first two words change places, and no digit of the last row changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from manim import UP, Create, FadeIn, FadeOut, VGroup
from numpy.typing import NDArray

from clockhead.model.worked_head import WorkedHead
from clockhead.scenes.attention.addition import Addition
from clockhead.scenes.attention.inputs import ExampleStage, said
from clockhead.scenes.attention.page import steady
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.spelling import listed
from clockhead.scenes.stage import CAPTION, Column, Derived, Steps, Value, beat, fit
from clockhead.scenes.style.motion import Drive, slide

_SAME = 1e-9
"""What rounding may make of no difference."""
_RISE, _ASIDE, _LETTERS = 0.4, 0.45, 36.0
"""How far tiles rise, and rows go aside, that pass each other; the size of the tiles' letters."""


def _movers(head: WorkedHead) -> list[str]:
    """Which of the two that change places get another row by it."""
    return [said(head, k) for k in (0, 1) if head.changes[k] > _SAME]


def _are_one(head: WorkedHead) -> bool:
    return head.tokens[0] == head.tokens[1]


def _answer(head: WorkedHead) -> str:
    if _are_one(head):
        return "None: it is the same word twice, with the same row."
    return "None: the same rows are added, only in another order."


def _told_of_others(head: WorkedHead) -> str:
    if _are_one(head):
        return "The same word in either order: no row can tell."
    if not (movers := _movers(head)):
        return "Here even {first} and {second} keep their rows: what they take is the same."
    verb = "rows of {movers} do change" if len(movers) > 1 else "row of {movers} does change"
    return f"The {verb}: whichever comes first cannot see the other."


class Order(ExampleStage):
    """Two words change places; the last row is a sum, and a sum has no order."""

    title = "Does the order matter?"
    question = "{first} and {second} change places. What changes for {asker}?"
    caption = (
        "In one layer, {asker} sees which words came before, not in which order: for that, RoPE."
    )
    opens = ("tiles", "given")
    derived = {
        **ExampleStage.derived,
        "first": Derived("the first word", lambda head: said(head, 0)),
        "second": Derived("the second word", lambda head: said(head, 1)),
        "movers": Derived("whose row changes", lambda head: listed(_movers(head) or ["none"])),
    }

    def layout(self) -> None:
        self.tiles = Strip(self["tokens"], size=_LETTERS, lines=1)
        shown = ("weighted_values", "resid_pre", "resid_post", "reordered.resid_post")
        self.table = table = Addition(self, shown)
        fit(steady(self.canvas), Column(self.tiles, table, gap=0.6))
        self.tiles.look([self.values.last], "query")
        self.shares, self.summands = table.shares, table.summands
        self.given = VGroup(*self.shares, *self.summands, table.heads)
        self.sum, self.order = table.sum.empty(), ""

    def _now(self, path: str) -> Value:
        """A table, in the present order of the words."""
        return self[f"{self.order}{path}"]

    def _exchange(self, time: float, *tables: list[Matrix], others: Sequence[Any] = ()) -> Steps:
        """The first two words change places, and with them their rows of some tables."""
        self.order = "" if self.order else "reordered."
        upper, lower = (VGroup(*(table[k] for table in tables)) for k in (0, 1))
        tiles = self.tiles.swap(0, 1, to=self._now("tokens"), rise=_RISE, run_time=time)
        yield tiles, _pass_by(upper, lower, self.table.pitch, run_time=time), *others
        for table in tables:
            table[:2] = table[1::-1]

    @beat("The new row of {asker} is a sum: each value times its share, plus the row it had.")
    def add_up(self) -> Steps:
        table, d = self.table, self.values.d_model
        yield FadeIn(table.own, table.own_word, table.sum_word), Create(table.line)
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

    @beat(_answer, ask="Now the first two words change places. Which digits of the sum change?")
    def swap(self) -> Steps:
        yield from self._exchange(max(2.5, 0.8 * self.reading), self.shares, self.summands)
        last = self.values.last
        self.sum.set_to(self._now("resid_post")[last : last + 1])

    @beat("Keys and values come from a word's row alone, and no row says where its word stands.")
    def alone(self) -> Steps:
        frame = CellFrame(self.table.row_at(0))
        yield Create(frame, run_time=0.5)
        rows = [self.table.row_at(k) for k in range(1, self.values.n_tokens)]
        yield frame.trace(*rows, run_time=self.reading - 1.4)
        yield FadeOut(frame, run_time=0.5)

    @beat("Each word's new row is such a sum of its own.")
    def all_rows(self) -> Steps:
        table, last = self.table, self.values.last
        self.rows = table.rows("resid_post", "residual", self.order)
        for row, old in zip(self.rows, self.summands, strict=True):
            row.empty()
            old.words_to(0.0)
        self.add(*self.rows)
        gone = (*self.shares, table.heads, table.own, table.own_word, table.sum_word, table.line)
        up = table.row_at(last).top - table.row_at(last + 2).top
        yield FadeOut(*gone, *self.summands, run_time=0.8), slide(self.sum, UP * up, run_time=1.2)
        yield [row.fill_rows(labels=False, run_time=1.0) for row in self.rows[:last]]
        self.rows[last].open_to(np.ones_like(self.sum.opened))
        self.remove(self.sum)

    def _exchange_rows(self, time: float, *others: Any) -> Steps:
        """Exchange the first two of the new rows, which then become what they are there."""
        yield from self._exchange(time, self.rows, others=others)
        goals = self._now("resid_post")
        for k, row in enumerate(self.rows):
            row.words_tell_of(self._now("tokens")[k : k + 1])
        yield [self.rows[k].to(goals[k : k + 1], run_time=1.0) for k in (0, 1)]
        self.rows[-1].set_to(goals[-1:])

    @beat(_told_of_others)
    def others(self) -> Steps:
        yield from self._exchange_rows(max(2.0, 0.6 * self.reading))

    @beat(CAPTION)
    def end(self) -> Steps:
        frame = CellFrame(self.table.row_at(self.values.last), "query")
        yield from self._exchange_rows(1.6, Create(frame, run_time=1.2))


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
