"""The first two words change places, and no digit of the last row changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from manim import Create, FadeIn, FadeOut, VGroup

from model.worked_head import WorkedHead
from scenes.attention.addition import Addition, exchange
from scenes.attention.inputs import ExampleStage, said
from scenes.attention.page import steady
from scenes.parts.cell_outlines import CellFrame
from scenes.parts.matrix import Matrix
from scenes.parts.strip import Strip
from scenes.spelling import listed
from scenes.stage import CAPTION, Claim, Column, Derived, Steps, Value, beat, fit
from scenes.style.motion import slide

_SAME = 1e-9
"""What rounding may make of no difference."""
_RISE, _ASIDE, _LETTERS = 0.4, 0.45, 36.0
"""How far tiles rise, and rows go aside, that pass each other; the size of the tiles' letters."""

Copy = Callable[[int], Matrix]
"""Makes a copy of row k of a table."""


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
    opens = ("tiles", "words", "shares", "summands", "heads")
    claims = (
        Claim(
            "no row changes but those of the first two words",
            lambda head: bool((head.changes[2:] <= _SAME).all()),
            "the last row changes by {order_difference}; give smaller numbers",
        ),
    )
    derived = {
        **ExampleStage.derived,
        "first": Derived("the first word", lambda head: said(head, 0)),
        "second": Derived("the second word", lambda head: said(head, 1)),
        "movers": Derived("whose row changes", lambda head: listed(_movers(head) or ["none"])),
    }

    def layout(self) -> None:
        self.tiles = Strip(self["tokens"], size=_LETTERS, lines=1)
        shown = ("weighted_values", "resid_pre", "resid_post", "reordered.resid_post")
        self.table = Addition(self, shown)
        fit(steady(self.canvas), Column(self.tiles, self.table, gap=0.6))
        self.tiles.look([self.values.last], "query")
        self.shares, self.summands = self.table.shares, self.table.summands
        self.words, self.heads = self.table.words, self.table.heads
        self.words.set_z_index(1)
        self.sum, self.order = self.table.sum.empty(), ""

    def _now(self, path: str) -> Value:
        """A table, in the present order of the words."""
        return self[f"{self.order}{path}"]

    def _exchange(self, parts: Sequence[tuple[Matrix, Copy]], time: float, *others: Any) -> Steps:
        """The first two words change places, and with them copies of their rows of some tables."""
        riders = [VGroup(*(copy(k) for _, copy in parts)) for k in (0, 1)]
        for matrix, _ in parts:
            matrix.empty(0, 1)
        self.order = "" if self.order else "reordered."
        tokens = self._now("tokens")
        yield (
            self.tiles.swap(0, 1, to=tokens, rise=_RISE, run_time=time),
            self.words.swap(0, 1, to=tokens, rise=_ASIDE, run_time=time),
            exchange(riders[0], riders[1], self.table.pitch, _ASIDE, run_time=time),
            *others,
        )
        self.riders = riders

    def _exchange_summands(self, time: float) -> Steps:
        """Exchange the first two of what is added up; all then stands in its new order."""
        table, shares, rows = self.table, self._now("shares"), self._now("weighted_values")

        def share(k: int) -> Matrix:
            return table.column_of_shares(shares[k : k + 1], k)

        def row(k: int) -> Matrix:
            return table.matrix(rows[k : k + 1], k, "value", total=False)

        parts = (self.shares, share), (self.summands, row)
        yield from self._exchange(parts, time)
        last = self.values.last
        self.shares.set_to(self._now("shares"))
        self.summands.set_to(self._now("weighted_values"))
        self._open(self.shares, self.summands)
        self.sum.set_to(self._now("resid_post")[last : last + 1])

    def _open(self, *matrices: Matrix) -> None:
        """Show all rows of these again, in place of the copies that travelled."""
        self.remove(*self.riders)
        for matrix in matrices:
            matrix.open_to(np.ones_like(matrix.opened))

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
        yield from self._exchange_summands(max(2.5, 0.8 * self.reading))

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
        gone = (self.shares, self.heads, table.own, table.own_word, table.sum_word, table.line)
        up = table.row_at(last).top - table.row_at(last + 2).top
        asker = np.arange(last + 1)[:, None] == last
        self.summands.open_to(np.where(asker, 0.0, self.summands.opened))
        yield FadeOut(*gone, run_time=0.8), slide(self.sum, (0.0, up, 0.0), run_time=1.2)
        self.rows = table.matrix(self._now("resid_post"), 0, "residual").empty()
        self.words.beside = (self.rows,)
        yield FadeOut(self.summands, run_time=0.5)
        yield self.rows.fill(np.where(asker, np.inf, 0.0), each=0.9, run_time=1.0)
        self.rows.open_to(np.ones_like(self.rows.opened))
        self.remove(self.sum)

    def _exchange_rows(self, time: float, *others: Any) -> Steps:
        """Exchange the first two of the new rows, which then become what they are there."""
        rows = self._now("resid_post")
        riders = [self.table.matrix(rows[k : k + 1], k, "residual") for k in (0, 1)]
        yield from self._exchange([(self.rows, riders.__getitem__)], time, *others)
        goals = self._now("resid_post")
        yield [rider.to(goals[1 - k : 2 - k], run_time=1.0) for k, rider in enumerate(riders)]
        self.rows.set_to(goals)
        self._open(self.rows)

    @beat(_told_of_others)
    def others(self) -> Steps:
        yield from self._exchange_rows(max(2.0, 0.6 * self.reading))

    @beat(CAPTION)
    def end(self) -> Steps:
        frame = CellFrame(self.rows.row(self.values.last), "query")
        yield from self._exchange_rows(1.6, Create(frame, run_time=1.2))
