"""The stacks become a row, its shifted copies a table, and a knob sharpens its diagonal line."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from manim import Create, VGroup

from clockhead.model.films.previous_token.sub_diagonal import ScaledRow, scaled_row
from clockhead.scenes.parts.figures import Readout
from clockhead.scenes.parts.knob import Knob
from clockhead.scenes.parts.matrix_moves import shift_rows
from clockhead.scenes.parts.table import Table, room_beside
from clockhead.scenes.previous_token.piles import sum_format
from clockhead.scenes.previous_token.sub_diagonal import SubDiagonal
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    Derived,
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
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import recolor
from clockhead.scenes.tour.clock_sum import ClockSum
from clockhead.scenes.tour.inputs import SharpClockInputs

_WEAKEST = "the least a row gives the token before it"
_EXPONENT_FROM = 1000
"""Numbers from here on would be written with an exponent if limited to three digits."""


def _line_sentence(turn: ScaledRow) -> str:
    return {
        "none": "The token before is ahead in every row that has one, but it is no line yet.",
        "blurred": "Every row but the first gives the token before more than half: a blurred line.",
        "sharp": "Every row but the first finds the token before it: a clear line.",
    }[turn.row.head.line]


class Line(Stage[ScaledRow]):
    """The stacks become a row, its shifted copies a table, and softmax brings out its line."""

    Inputs = SharpClockInputs
    title = "One step below the diagonal"
    question = "Where does each token look?"
    caption = "{found}"
    opens = ("tiles", "dials", "query", "groups", "axes", "marks", "stacks")
    leaves = ("tiles", "askers", "grid", "knob")
    claims = SubDiagonal.claims
    derived = {
        "found": Derived(
            "how clearly rows attend to the token before them",
            lambda turn: said(_line_sentence(turn)),
        ),
        "factor": Derived(
            "ratio of the target's weight to the runner-up's at alpha 1: e to the lead",
            lambda turn: math.exp(turn.at_one.gap),
            "factor",
        ),
    }

    handles = (Handle("alpha", "0.3,1:15"),)

    compute = scaled_row

    def layout(self) -> None:
        turn, scores = self.values, self["at_one.head.scores"]
        self.m, self.target = turn.row.m, turn.row.target
        seen = scores.array[np.tri(len(scores), dtype=np.bool_)]
        low = float(seen.min() - 0.25 * np.ptp(seen))  # so that the smallest score is visible too
        look: dict[str, Any] = {"low": low, "high": float(seen.max()), "role": "position"}
        tokens, spec = self["row.tokens"], sum_format(turn.at_one)
        self.scores = Table(scores, tokens, numbered=[self.m], spec=spec, **look)
        self.grid = Table(self["at_one.head.pattern"], tokens, numbered=[self.m], spec=".0%")
        room_beside(self.canvas, self.scores)
        side = room_beside(self.canvas, self.grid)
        self.scores.empty(*(i for i in range(len(scores)) if i != self.m))
        self.sum = ClockSum(self, turn.at_one, "at_one.", grown=True)
        self.sum.place(side, self.grid.lattice)
        self.dials, self.query, self.groups = self.sum.dials, self.sum.query, self.sum.groups
        self.axes, self.marks, self.stacks = self.sum.axes, self.sum.marks, self.sum.stacks
        self.tiles, self.askers = self.grid.tiles, self.grid.askers
        self.askers.labels[self.m].set_fill(self.theme.query)
        self.tiles.labels[self.m].set_fill(self.theme.query)
        self.tiles.labels[self.target].set_fill(self.theme.key)
        digits = ".3g" if turn.row.head.alpha < _EXPONENT_FROM else ""
        self.knob = Knob(self["alphas"][0], *turn.decades, spec=digits)
        lead = self.say_of("lead over {row.runner_up_named}")
        self.lead = Readout(self["leads"][0], digits, words=lead)
        share = self.say_of("share of {row.target_named}")
        self.share = Readout(self["weights"][0], ".1%-", words=share)
        self.worst = Readout(self["worst_weight"], ".1%-", words=said(_WEAKEST))
        below, abreast = Column(self.lead, self.share), Row(self.lead, self.share)
        fit(side, Row(self.knob, below), Column(self.knob, abreast), Column(self.knob, below))
        # At the end, the smallest weight replaces the two other readouts.
        left, top = self.lead.get_left()[0], self.lead.get_top()[1]
        self.worst.place(Region(left, side.bottom, left + self.worst.most.width, top))

    @beat("The stacks become a row: how well each key fits {row.query_named}.")
    def flat(self) -> Steps:
        cells = [self.grid.cell(self.m, int(n)) for n in self.values.row.visible_positions]
        colors = [self.scores.shade_of(self.m, n) for n in range(len(cells))]
        yield (
            self.stacks.lie_down(cells, colors, run_time=0.7 * self.reading),
            FadeOut(self.axes, self.groups, *self.sum.offsets, run_time=1.0),
        )
        yield (
            FadeIn(self.scores, self.askers),
            FadeOut(self.stacks, self.dials, self.query, *self.sum.told),
            recolor(self.tiles.labels[self.m], self.theme.token),
        )

    @beat("Only distance counts: each row is the one above, one cell on. No one looks ahead.")
    def shift(self) -> Steps:
        yield 0.8 * together(shift_rows(self.scores, self.m))
        two = (self.target, self.values.row.runner_up_position)
        self.two = VGroup(*(self.grid.frame(self.grid.cell(self.m, n)) for n in two))
        yield FadeIn(self.two, self.lead)

    @beat("Softmax makes shares that add up to one in each row: how much it looks at every column.")
    def soften(self) -> Steps:
        yield 0.5 * together(FadeOut(self.scores), FadeIn(self.grid))
        self.add(self.two)
        yield FadeIn(self.share, run_time=0.6)

    @beat(
        "A lead of {at_one.gap:.2f} makes a share {factor:.1f} times as large as the next. "
        "A knob α multiplies every lead."
    )
    def turn(self) -> Steps:
        yield FadeIn(self.knob, run_time=0.8), FadeOut(self.two)
        followers = (self.knob, self.grid, self.lead, self.share)
        paths = zip(followers, ("alphas", "patterns", "leads", "weights"), strict=True)
        moves = (part.through(self[path]) for part, path in paths)
        yield together(*moves, run_time=self.reading - 0.8)

    @beat(CAPTION)
    def line(self) -> Steps:
        alone = self.grid.frame(self.grid.cell(0, 0), "key")
        words = self.askers.labels[self.m], self.tiles.labels[self.target]
        plain = [recolor(word, self.theme.token) for word in words]
        yield FadeOut(self.lead, self.share, run_time=0.6), *plain, Create(alone)
        yield FadeIn(self.worst)
