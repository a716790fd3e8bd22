"""Attention weights as a row, rows as a table, and its line one step below the diagonal."""

from __future__ import annotations

import numpy as np
from manim import Create

from clockhead.model.films.previous_token.sub_diagonal import ScaledRow, scaled_row
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.table import Table, room_beside
from clockhead.scenes.previous_token.inputs import AskingInputs, HeadInputs
from clockhead.scenes.previous_token.piles import bar_area, share_chart
from clockhead.scenes.previous_token.tiles import TurnedBack
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    FadeIn,
    FadeOut,
    Handle,
    Stage,
    Steps,
    beat,
)
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.motion import recolor


def _line(turn: ScaledRow) -> str:
    if turn.row.head.line == "none":
        return "Every query is turned back by one step. So row by row, a band appears."
    return "Every query is turned back by one step. So row by row, a line appears."


class SubDiagonal(Stage[ScaledRow]):
    """Attention weights as a row, rows as a table, and its line one step below the diagonal."""

    class Inputs(AskingInputs, HeadInputs):
        """A head, and the query position of the first row to show."""

    title = "One step below the diagonal"
    caption = "At itself. Everything later is masked, so there is nothing else it can see."
    opens = ("tiles", "bars", "shares")
    leaves = ("tiles", "askers", "grid", "dials", "turns", "hands", "steps")
    claims = (
        Claim(
            "every row but the first attends most to the token before it",
            lambda turn: turn.row.head.finds_target,
            "{row.head.n_missed} rows do not",
        ),
        Claim(
            "the first token attends only to itself",
            lambda turn: turn.row.head.pattern[0, 0] == 1,
            "it attends to other tokens, too",
        ),
    )

    handles = (
        Handle("alpha", "1:20", beat="below"),
        Handle(
            "text",
            ("to be or not to be", "I think therefore I am", "ha ha ha ha ha ha"),
            beat="below",
        ),
    )

    compute = scaled_row

    def layout(self) -> None:
        turn = self.values
        row = turn.row
        self.m, self.target = row.m, row.target
        self.grid = Table(self["row.head.pattern"], self["row.tokens"])
        side = room_beside(self.canvas, self.grid)
        self.grid.empty(*(i for i in range(self.grid.n_rows) if i != self.m))
        self.tiles, self.askers = self.grid.tiles, self.grid.askers
        self.tiles.labels[self.m].set_fill(self.theme.query)
        self.tiles.labels[self.target].set_fill(self.theme.key)
        self.askers.labels[self.m].set_fill(self.theme.query)
        cells = self.grid.lattice.region
        self.shares = share_chart(row.head.n_tokens, cells, self.canvas)
        self.bars = Bars(self["shares"][-1], self.shares)
        self.shares.place_area(bar_area(cells))
        query = TurnedBack(self["row.query_phases"][0], self["row.head.offset"], side)
        self.dials, self.hands, self.turns, self.steps = (
            query.dials,
            query.hands,
            query.turns,
            query.steps,
        )

    @beat(
        "Write these weights as a row: the brighter a cell, the more attention it gets.",
        focus="grid",
    )
    def row(self) -> Steps:
        yield FadeOut(self.bars, self.shares, run_time=0.6)
        yield FadeIn(self.grid, run_time=0.8)
        yield FadeIn(self.askers)
        cells = self.grid.block(self.m, 0, 1, self.grid.n_columns)
        yield self.look_at(cells, self.tiles, self.askers.labels[self.m])

    @beat(_line, rest=REST, focus="grid")
    def rows(self) -> Steps:
        yield self.look_back()
        yield FadeIn(self.dials, self.hands, self.steps, run_time=0.6)
        yield FadeIn(self.turns, run_time=0.6)
        when = np.repeat(np.linspace(0, 1, self.grid.n_rows)[:, None], self.grid.n_columns, axis=1)
        when[self.m] = -1.0  # already visible
        yield self.grid.fill(when, labels=False, run_time=4.0)

    @beat("On the diagonal, each token would look at itself.", focus="grid")
    def diagonal(self) -> Steps:
        self.line = self.grid.outline(self["row.head.positions"])
        yield self.line.trace(run_time=2.4)

    @beat("Our line lies one step below it: on the sub-diagonal.", rest=REST, focus="grid")
    def below(self) -> Steps:
        yield self.line.to(self["row.head.looks_at"], run_time=2.0)

    @beat(
        CAPTION,
        ask="And the first token? Nothing stands before it. What will it look at?",
        focus="grid",
    )
    def first(self) -> Steps:
        plain = [
            recolor(label, self.theme.token)
            for label in (self.askers.labels[self.m], self.tiles.labels[self.m],
                          self.tiles.labels[self.target])
        ]  # fmt: skip
        yield FadeOut(self.line, run_time=0.6), *plain
        around = self.grid.block(0, 0, min(3, self.grid.n_rows), min(4, self.grid.n_columns))
        yield self.look_at(around, self.tiles.labels[0], self.askers.labels[0])
        alone = self.grid.frame(self.grid.cell(0, 0), "key", 6.0)
        self.alone = alone
        yield Create(alone, run_time=1.0)
        yield REST
        yield self.look_back()
