"""Layer 1 copies the tokens of the rows that it attends to, and so the head predicts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from manim import Create, VGroup
from numpy.typing import NDArray

from clockhead.model.induction.onehot_layers import OneHotLayers
from clockhead.scenes.onehot.focus import focus_on, recast
from clockhead.scenes.onehot.letters import LetterStage, quote_token
from clockhead.scenes.onehot.match import SHARES, SIDES
from clockhead.scenes.onehot.page import ATTENTION, PREVIOUS, TOKEN, LetterPage, halves
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.block_moves import leave_rows, send_cells
from clockhead.scenes.parts.block_panels import TITLE, Block
from clockhead.scenes.parts.blocks import Blocks
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.strip import Strip, slide_to
from clockhead.scenes.parts.strip_typing import answer, ask_next
from clockhead.scenes.spelling import listed
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    Derived,
    Row,
    Size,
    Stage,
    Steps,
    Value,
    beat,
    fit,
)
from clockhead.scenes.style.layout import GAP, Region
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.text import Formula
from clockhead.scenes.style.theme import Role

NAME = "An induction circuit"
_NEXT = "next"
"""Name of the first half of the rows at the end."""
_LETTERS, _FEW = 38.0, 3
"""Letter size on tiles, in pixels, and the largest number of tokens that a sentence lists."""
_AMOUNTS = (".3g", ".0f")
"""Formats of the output in cells."""


def _copied_tokens(head: OneHotLayers) -> str:
    rows = {0: "of every row", 1: "of the row found"}.get(head.n_matches, "of the rows found")
    return f"$V_1$ hands over the token {rows}, times {{g:g}}."


def _prediction(head: OneHotLayers) -> str:
    after = head.text.followed_by
    if not after:
        return "Nothing to repeat, so each token gets the share it has in the text."
    if len(after) == 1:
        return "{prediction_said}: it came after {query} before."
    names = listed(map(quote_token, after)) if len(after) <= _FEW else f"{len(after)} tokens"
    return f"{names}: what came after {{query}} before, each with its share."


def _tile_positions(strip: Strip) -> tuple[NDArray[np.float64], tuple[float, float]]:
    """Middles of a strip's tiles, (n, 3), and width and height of their boxes."""
    box = strip.tiles[0].box
    return np.array([tile.middle for tile in strip.tiles]), (box.width, box.height)


class Answer(LetterStage):
    """Layer 1 copies the tokens of the rows that it attends to, and so the head predicts."""

    title = "What does the head say?"
    question = "{where}"
    caption = "Two layers, five blocks of numbers written down by hand: an induction circuit."
    opens = ("tiles", "rows", "grid", "heading")
    leaves = ("tiles", "grid", "heading")
    derived = {
        **LetterStage.derived,
        "prediction_said": Derived(
            "the predicted token", lambda head: quote_token(head.prediction)
        ),
        "g": Derived("scale of the output", lambda head: head.weights.gain),
        "where": Derived(
            "what layer 1 does with the rows found, in a sentence",
            lambda head: (
                "Layer 1 hands over what stands there."
                if head.n_matches
                else "It has found no row. What does it hand over?"
            ),
        ),
    }

    def layout(self) -> None:
        head = self.values
        self.last, self.own = head.last, head.text.indices.tolist()
        self.tiles = Strip(self["tokens"], wonder=True, positions=True, size=_LETTERS)
        page = LetterPage(self, "resid_mid", PREVIOUS, tiles=self.tiles)
        self.rows, self.first = page.rows, halves(self, PREVIOUS, named=page.named)[0]
        self.found = head.matches.tolist() or list(range(head.n_tokens))
        self.tiles.look([self.last], "query").look(head.matches.tolist(), "correct")
        self.grid = page.pair_table("pattern_1", mask="causal", low=0.0, high=1.0, spec=SHARES)
        self.heading = page.head(ATTENTION, self.grid)
        self.moves = page.weight_grid("weights.w_ov_1", role="value", **SIDES)
        self.keeps = page.weight_grid("weights.w_skip_1", role="token", **SIDES)
        self.signs = [page.sign("V_1", self.moves), page.sign("W_1", self.keeps)]
        for weights in (self.moves, self.keeps):
            weights.hide()
        self._lay_bars(page)
        self._lay_end(page)

    def _lay_bars(self, page: LetterPage) -> None:
        """Lay out the chart of the last row at the end, with a bar for each token."""
        head = self.values
        axis, names = Scale(0.0, head.weights.gain), self["vocabulary.tokens"]
        output = self["resid_post"][self.last, slice(0, head.n_vocab)]
        told = np.flatnonzero(head.text.expected).tolist()
        charts = (
            Chart(axis, slots(names, down=True, name="last row")),
            Chart(slots(names, name="last row"), axis),
        )
        bars = [
            Bars(output, chart, "value", spec=".3g", numbered=told, grown=False) for chart in charts
        ]
        cells, place = page.cells, page.weights_place
        self.is_level = place.left > cells.right and place.right < page.table_place.left
        if self.is_level:
            foot = min(cells.bottom, cells.top + GAP - charts[0].least.height)
            place = Region(place.left, foot, place.right, cells.top + GAP)
        chosen = fit(place, *charts)
        self.chart, self.bars = charts[chosen], bars[chosen]

    def _lay_end(self, page: LetterPage) -> None:
        """Lay out the end: the text as a strip, the five matrices, and the name of the circuit."""
        canvas, place = self.canvas, page.weights_place
        beside = Region(canvas.left, canvas.bottom, place.left - GAP, canvas.top)
        above = Region(canvas.left, place.top + GAP, canvas.right, canvas.top)
        room = beside if place.left > page.cells.right else above
        if not page.named:
            right, top = page.table_place.left - GAP, page.table_place.top
            room = Region(canvas.left, canvas.bottom, right, top)
        self.raised, self.end = (
            Strip(self["tokens"], wonder=True, positions=True, hidden=0, size=_LETTERS)
            for _ in range(2)
        )
        self.raised.place(room)
        self.card = TitleCard(NAME, role="value")
        self.minis = [
            Mini(self, "weights.w_qk_0", "A_0", "attention"),
            Mini(self, "weights.w_ov_0", "V_0", "value"),
            Mini(self, "weights.w_skip_0", "W_0", "token"),
            Mini(self, "weights.w_qk_1", "A_1", "attention"),
            Mini(self, "weights.w_ov_1", "V_1", "value"),
        ]
        three, two = Row(*self.minis[:3], gap=0.2), Row(*self.minis[3:], gap=0.2)
        ways = [
            Column(self.end, Row(*self.minis), weights=(1, 4)),
            Column(self.end, three, two, gap=0.2),
        ]
        if self.is_level:
            room = Region(canvas.left, canvas.bottom, page.table_place.left - GAP, canvas.top)
            ways = [Column(self.card, way, weights=(1, 3)) for way in ways]
        elif not page.named:
            fit(place, Column(self.end, self.card, gap=0.1))
            ways = [Column(three, two, gap=0.1)]
        else:
            self.card.place(place)
        fit(room, *ways)

    @beat(_copied_tokens)
    def value(self) -> Steps:
        last, own = self.last, self.own
        self.lit = self.grid.frame_row(last, "query")
        yield self.moves.draw_in(run_time=1.4), FadeIn(self.signs[0]), Create(self.lit)
        yield focus_on(self.moves, TOKEN, TOKEN)
        rides = [((m, TOKEN, own[m]), (last, TOKEN, own[m])) for m in self.found]
        yield send_cells(self.rows, rides, "value", run_time=1.6)

    @beat("$W_1$ is 0, or the row's own token would be part of the answer, too.")
    def keep(self) -> Steps:
        yield FadeOut(self.moves, run_time=0.5), FadeOut(self.signs[0], run_time=0.5)
        yield self.keeps.draw_in(run_time=1.0), FadeIn(self.signs[1])
        yield self.rows.to(self["passed_1"], run_time=1.0)
        g = self.values.weights.gain
        yield recast(self.rows, TOKEN, replace(self.first, name=_NEXT, role="value"))
        yield self.rows.to(self["resid_post"], high=g, spec=_AMOUNTS, run_time=1.2)

    @beat()
    def bars_(self) -> Steps:
        frame = self.rows.frame(self.last, _NEXT, role="query")
        yield FadeOut(self.keeps), FadeOut(self.signs[1])
        yield Create(frame), FadeIn(self.chart), self.bars.grow(run_time=1.2)
        yield FadeOut(frame, run_time=0.5), FadeOut(self.lit, run_time=0.5)

    @beat(_prediction, ask="So what does the head say?")
    def say(self) -> Steps:
        tiles, is_one = self.tiles, self.values.case == "unique"
        gone = [self.rows, self.chart, self.bars] if is_one else [self.rows]
        yield [FadeOut(part, run_time=0.6) for part in gone]
        yield leave_rows(
            self.rows, *_tile_positions(self.end if is_one else self.raised), run_time=1.6
        )
        yield ask_next(tiles)
        if is_one:
            source = tiles.middle(self.found[-1])
            yield answer(tiles, self["prediction"], source, run_time=1.4)

    @beat(CAPTION)
    def name(self) -> Steps:
        if self.values.case != "unique":
            yield FadeOut(self.chart), FadeOut(self.bars)
            yield slide_to(self.tiles, *_tile_positions(self.end), run_time=1.2)
        for mini in self.minis:
            yield FadeIn(mini, run_time=0.4)
        yield self.card.appear(run_time=1.5)


_MINI_SIGN, _OVER = 30.0, 0.2
"""Letter size of a small matrix's sign, in pixels, and the extra height that it needs, in units."""
_LEAST_CELL, _MOST_CELL = 0.03, 0.13
"""Smallest and largest side of a cell of a small matrix, in units."""


class Mini(VGroup):
    """A small matrix of weights (2h, 2h) in four blocks, without words, with its sign above."""

    def __init__(self, stage: Stage, path: str, sign: str, role: Role) -> None:
        super().__init__()
        value: Value = stage[path]
        h = len(value) // 2
        sides = [Block("", slice(0, h)), Block("", slice(h, 2 * h))]
        cells: dict[str, Any] = {"least_cell": _LEAST_CELL, "most_cell": _MOST_CELL}
        self.grid = Blocks(value, sides, down=sides, role=role, **cells)
        self.sign = Formula(sign, size=_MINI_SIGN)

    @property
    def least(self) -> Size:
        least = self.grid.least
        return Size(least.width, least.height + _OVER)

    @property
    def most(self) -> Size:
        most = self.grid.most
        return Size(most.width, most.height + _OVER)

    def place(self, region: Region) -> None:
        """Place the matrix in a region, and its sign where names of blocks would be."""
        self.grid.place(region.cut_top(_OVER, gap=0.0)[1])
        plan = self.grid.plan
        assert plan is not None
        middle = (plan.regions[0, 0].left + plan.regions[0, 1].right) / 2
        self.sign.move_to((middle, plan.tops[0] + TITLE / 2 + _OVER / 2, 0.0))
        self.add(self.grid, self.sign)
