"""A small lead in scores is a small lead in attention; alpha multiplies it."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from manim import VGroup

from clockhead.model.films.previous_token.sub_diagonal import ScaledRow, scaled_row
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Rule
from clockhead.scenes.parts.figures import Readout
from clockhead.scenes.parts.knob import Knob
from clockhead.scenes.parts.paths import rectangle_edges
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.table import Table, room_beside
from clockhead.scenes.previous_token.inputs import AskingInputs, HeadInputs
from clockhead.scenes.previous_token.piles import Piles, bar_area, share_chart, sum_format
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Column,
    FadeIn,
    FadeOut,
    Handle,
    Row,
    Stage,
    Steps,
    beat,
    fit,
    together,
)
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.layout import GAP, Region
from clockhead.scenes.style.motion import Moves
from clockhead.scenes.style.text import Number, text_width
from clockhead.scenes.style.type import SMALL

_LARGE = 1000
"""Alpha from which three significant digits would need an exponent."""
_ROOM = 0.7
"""Smallest pitch of the bars at which several have numbers, in units."""
_TOLD = 0.1
"""Smallest initial attention weight of a bar with a number."""
_NUMBER = 30.0
"""Letter size of the numbers at bars, in pixels."""
_HANGING = 0.6
"""Share of the chart's height that the largest gap fills, so that no gap meets the bar below it."""
_LEAST_GAP = 1.0
"""If the largest gap is below this, it fills less: then all bars are high."""


def _gap(turn: ScaledRow) -> str:
    spec = sum_format(turn.at_one)
    best, second = (f"{{at_one.{of}:{spec}}}" for of in ("target_sum", "runner_up"))
    return f"The runner-up has {second}, the winner {best}."


def _answer(turn: ScaledRow) -> str:
    return {
        "none": "No. {row.target_named} gets {weight_at_one:.1%} of the attention, no majority.",
        "blurred": "Barely. {row.target_named} gets {weight_at_one:.1%} of the attention.",
        "sharp": "Yes. {row.target_named} gets {weight_at_one:.1%} of the attention.",
    }[turn.at_one.line]


def _scale_effect(turn: ScaledRow) -> str:
    if turn.row.head.alpha > 1:
        return "So we multiply all scores by a number, α. The order stays, but the gaps get wider."
    return "We can multiply all scores by a number, α. The order stays, but the gaps change."


class Large(Readout):
    """A large number with its words, for half of the picture."""

    figure_size = 64.0


class Sharpness(Stage[ScaledRow]):
    """A small lead in scores is a small lead in attention; alpha multiplies it."""

    class Inputs(AskingInputs, HeadInputs):
        """A head, and the query position of the row to show."""

    title = "Is a small lead enough?"
    caption = "So α decides how sure the head is. It never decides which word wins."
    opens = ("tiles", "axes", "stacks")
    leaves = ("tiles", "bars", "shares")
    claims = (
        Claim(
            "every row but the first attends most to the token before it",
            lambda turn: turn.row.head.finds_target,
            "{row.head.n_missed} rows do not",
        ),
    )

    handles = (Handle("alpha", "0.5,1:20"),)

    compute = scaled_row

    def layout(self) -> None:
        turn = self.values
        row = turn.row
        table = Table(self["at_one.head.scores"], self["row.tokens"])
        side, cells = room_beside(self.canvas, table), table.lattice.region
        self.tiles = table.tiles
        for n, label in enumerate(self.tiles.labels):
            label.set_fill(self.theme.token if n < row.n_visible else self.theme.muted)
        self.tiles.labels[row.m].set_fill(self.theme.query)
        self.tiles.labels[row.target].set_fill(self.theme.key)
        self.piles = Piles(self, turn.at_one, cells, "at_one.", grown=True)
        self.stacks, self.axes = self.piles.stacks, VGroup(self.piles.chart)
        self.shares = share_chart(row.head.n_tokens, cells, self.canvas)
        is_wide = cells.width / row.head.n_tokens > _ROOM
        told = np.flatnonzero(turn.shares[0] >= _TOLD).tolist() if is_wide else [row.target]
        self.bars = Bars(
            self["shares"][0],
            self.shares,
            spec=".1%",
            numbered=told,
            size=_NUMBER,
        )
        self.shares.place_area(bar_area(cells))
        self._lay_gaps()
        self._lay_readouts(side)

    def _lay_gaps(self) -> None:
        """Make the gaps to the winner: bars that hang from its level over those of attention."""
        n_tokens, target = self.values.row.head.n_tokens, self.values.row.target
        largest = max(_LEAST_GAP, -float(self.values.gaps.min()))
        hanging = Chart(slots(n_tokens), Scale(-largest / _HANGING, 0.0))
        self.gaps = Bars(self["gaps"][0], hanging, "score", grown=False)
        words, at_left = self.say_of("gap to the winner"), target >= n_tokens / 2
        free = (target + 0.5 if at_left else n_tokens - target - 0.5) * self.shares.x.pitch
        if text_width(words, SMALL) + text_width("99.9%", _NUMBER) / 2 + GAP > free:
            words = ""
        align: Literal["left", "right"] = "left" if at_left else "right"
        self.level = Rule(self["gaps"][0][target], hanging, words, role="score", align=align)
        hanging.place_area(self.shares.area)

    def _lay_readouts(self, side: Region) -> None:
        digits = ".3g" if self.values.row.head.alpha < _LARGE else ""
        self.knob = Knob(self["alphas"][0], *self.values.decades, spec=digits, largest=1.1)
        self.lead = Large(
            self["leads"][0],
            digits,
            words=self.say_of("lead over {row.runner_up_named}"),
            color=self.theme.score,
        )
        self.share = Large(
            self["weights"][0],
            ".1%",
            words=self.say_of("attention for {row.target_named}"),
            color=self.theme.text_color("attention"),
        )
        both = Row(self.lead, self.share)
        fit(side, Column(self.knob, both), Row(self.knob, Column(self.lead, self.share)))

    @beat(_gap, rest=REST)
    def close(self) -> Steps:
        yield FadeIn(self.piles.second)
        yield FadeIn(self.lead)

    @beat(_answer, ask="Is that lead enough for softmax to choose the winner?", rest=REST)
    def answer(self) -> Steps:
        sums = [part for part in self.stacks.get_family() if isinstance(part, Number)]
        yield FadeOut(self.axes, self.piles.second, *sums, run_time=0.6)
        ink = [self.theme.attention] * self.values.row.n_visible
        yield self.stacks.lie_down(self._cells(), ink, run_time=1.8), FadeIn(self.shares)
        self.remove(self.stacks)
        self.add(self.bars)
        yield FadeIn(self.share)

    def _cells(self) -> list[Region]:
        """The regions of the bars."""
        edges = rectangle_edges(np.concatenate([path.points for path in self.bars.paths]))
        return [Region(*map(float, edge)) for edge in edges]

    @beat(_scale_effect)
    def scale(self) -> Steps:
        """Grow the gaps to the winner with alpha, and the attention weights with them."""
        yield FadeIn(self.knob, self.level, run_time=0.8)
        yield self.gaps.grow(run_time=1.0)
        yield self._change_alpha(slice(None), 4.0)

    @beat(
        "At {row.head.alpha:g}, {row.target_named} gets {weight:.1%}.",
        rest=REST,
    )
    def turn(self) -> Steps:
        yield REST

    @beat(CAPTION)
    def sure(self) -> Steps:
        yield self._change_alpha(slice(None, None, -1), 2.6)
        yield 0.6
        yield self._change_alpha(slice(None), 2.6)

    def _change_alpha(self, way: slice, run_time: float) -> Moves:
        """Move everything along the way to the head's alpha, or back."""
        paths: dict[Any, str] = {self.knob: "alphas", self.lead: "leads", self.gaps: "gaps"}
        paths |= {self.bars: "shares", self.share: "weights"}
        moves = (part.through(self[path][way]) for part, path in paths.items())
        return together(*moves, run_time=run_time)
