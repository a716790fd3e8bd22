"""The stacks become a row, shifted it becomes the table, and softmax finds the sub-diagonal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from manim import Create, FadeIn, FadeOut, VGroup
from numpy.typing import NDArray

from model.score_row import ScoreRow
from model.units import Doc
from scenes.parts.figures import Readout
from scenes.parts.knob import Knob
from scenes.previous_token.clock_sum import ClockSum
from scenes.previous_token.closer import zoom_on
from scenes.previous_token.inputs import AskingInputs, HeadInputs
from scenes.previous_token.table import Table, room_beside
from scenes.stage import CAPTION, Claim, Column, Derived, Row, Stage, Steps, beat, fit
from scenes.style.layout import Region
from scenes.style.motion import recolor

_LOWEST, _HIGHEST = 0.01, 1e4
"""Between what the knob can be set to, as the input says."""
_LARGE = 1000
"""From here on, three digits would be written with an exponent."""
_TURNS = 41


@dataclass(frozen=True)
class Turn:
    """A row of a head at alpha 1 and at its own alpha, and on the way between the two."""

    at_one: Annotated[ScoreRow, Doc("the row at alpha 1")]
    row: Annotated[ScoreRow, Doc("the row at the head's alpha")]

    @cached_property
    def alphas(self) -> NDArray[np.float64]:
        """From 1 to the head's alpha, evenly on a logarithmic scale; to 2 and back if that is 1."""
        if self.row.head.alpha != 1:
            return np.geomspace(1.0, self.row.head.alpha, _TURNS)
        return 2.0 ** (1 - np.abs(np.linspace(-1, 1, _TURNS)))

    @cached_property
    def patterns(self) -> NDArray[np.float64]:
        """The pattern at every one of them; shape (A, T, T)."""
        return np.asarray(self.row.head.patterns_over(self.alphas))

    @cached_property
    def leads(self) -> NDArray[np.float64]:
        """The lead of the target's score over the visible runner-up's; shape (A,)."""
        return self.alphas * self.row.visible_gap

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """Attention on the target, never quite all of it; shape (A,)."""
        return _below_one(self.row.head.masses_over(self.alphas)[:, self.row.target])

    @property
    def worst_share(self) -> float:
        """The least attention that a row gives the token before it, never quite all of it."""
        return float(_below_one(self.row.head.worst_mass))

    @property
    def n_after(self) -> int:
        """How many tokens come after the one that asks."""
        return len(self.row.tokens) - 1 - self.row.m


def _below_one(masses: Any) -> NDArray[np.float64]:
    """Shares of which others always get something, though it may be lost in rounding."""
    return np.asarray(np.minimum(masses, np.nextafter(1.0, 0.0)))


def _shifted(turn: Turn) -> str:
    if turn.n_after:
        return "Only the distance counts: the next token has the same row, one cell further on."
    return "Only the distance counts: the token before has the same row, one cell back."


def _asked(turn: Turn) -> str:
    spec = ".2f" if turn.at_one.visible_gap < 0.1 else ".1f"
    best, second = "at_one.target_sum", "at_one.visible_runner_up"
    return f"{{{second}:{spec}}} against {{{best}:{spec}}}: is that enough?"


def _shared(turn: Turn) -> str:
    target = "{row.target_named}"
    return {
        "none": f"Not yet: in this row, softmax gives {target} no more than half.",
        "blurred": f"In this row, softmax gives {target} more than half, but not nearly all.",
        "sharp": f"It is: in this row, softmax gives {target} nearly everything.",
    }[turn.at_one.line]


def _scaled(turn: Turn) -> str:
    alpha = turn.row.head.alpha
    if alpha == 1:
        return "A knob α multiplies every score; turned to two, it doubles every lead."
    if alpha < 1:
        return "A knob α multiplies every score; turned down, it shrinks every lead."
    return "A knob α multiplies every score, so every lead grows with it."


def _found(turn: Turn) -> str:
    return {
        "none": "The token before is ahead in every row that has one, but it is no line yet.",
        "blurred": "Every row but the first gives the token before more than half: a blurred line.",
        "sharp": "Every row but the first finds the token before it: a clear line.",
    }[turn.row.head.line]


class SubDiagonal(Stage):
    """The stacks become a row, the row shifted becomes the table, softmax finds its line."""

    class Inputs(AskingInputs, HeadInputs):
        """A head, and the row of it that is looked at."""

    title = "One step below the diagonal"
    question = "Each row is one token asking. Where does it look?"
    caption = "{found}"
    opens = ("tiles", "dials", "query", "groups", "axes", "marks", "stacks")
    leaves = ("tiles", "askers", "grid", "knob")
    claims = (
        Claim(
            "every row but the first gives the token before it most",
            lambda turn: turn.row.head.finds_target,
            "{row.head.n_missed} rows do not",
        ),
        Claim(
            "the first token attends to itself alone",
            lambda turn: turn.row.head.pattern[0, 0] == 1,
            "it gives itself {first_mass}",
        ),
    )
    renamed = {
        "alpha": "row.head.alpha",
        "n_tokens": "row.head.n_tokens",
        "m": "row.m",
        "asker": "row.query_token",
        "target": "row.target",
        "answer": "row.target_token",
        "mass": "row.mass",
        "worst_mass": "row.head.worst_mass",
        "worst_row": "row.head.worst_row",
        "mean_mass": "row.head.mean_mass",
        "alpha_99": "row.head.alpha_99",
    }
    derived = {
        "n_hands": Derived("how many hands there are", lambda turn: turn.row.head.d_head // 2),
        "found": Derived("how clearly rows look at the token before them", _found),
        "first": Derived("the first token", lambda turn: turn.row.tokens[0]),
        "first_mass": Derived(
            "what the first token gives itself",
            lambda turn: float(turn.row.head.pattern[0, 0]),
            "share",
        ),
    }

    inputs: Inputs
    values: Turn

    @classmethod
    def compute(cls, inputs: Inputs) -> Turn:
        return Turn(inputs.row(), inputs.row(inputs.alpha))

    def layout(self) -> None:
        turn = self.values
        self.target, self.rival = turn.row.target, turn.row.visible_runner_up_position
        self.m, scores = turn.row.m, turn.at_one.head.scores
        seen = scores[np.tri(len(scores), dtype=np.bool_)]
        spec = ".2f" if turn.at_one.visible_gap < 0.1 else ".1f"
        self.grid = Table(
            self["at_one.head.scores"],
            self["row.tokens"],
            low=float(seen.min() - 0.25 * np.ptp(seen)),
            high=float(seen.max()),
            spec=spec,
            numbered=[self.m],
        )
        side = room_beside(self.canvas, self.grid)
        self.grid.empty(*(i for i in range(len(scores)) if i != self.m))
        self.sum = ClockSum(self, turn.at_one, "at_one.", grown=True)
        self.sum.place(side, self.grid.lattice)
        self.dials, self.query, self.axes = self.sum.dials, self.sum.query, self.sum.axes
        self.marks, self.stacks = self.sum.marks, self.sum.stacks
        self.groups = self.sum.groups
        self.tiles, self.askers = self.grid.tiles, self.grid.askers
        self.askers.labels[self.m].set_fill(self.theme.query)
        self.tiles.labels[self.m].set_fill(self.theme.query)
        self.tiles.labels[self.target].set_fill(self.theme.key)
        digits = ".3g" if turn.row.head.alpha < _LARGE else ""
        self.knob = Knob(self["alphas"][0], _LOWEST, _HIGHEST, spec=digits)
        self.lead = Readout(self["leads"][0], digits, words="lead, times α")
        self.share = Readout(self["shares"][0], ".1%-",
                             words=self.say_of("share of {row.target_named}"))  # fmt: skip
        self.worst = Readout(self["worst_share"], ".1%-", words="in every row, at least")
        below, abreast = Column(self.lead, self.share), Row(self.lead, self.share)
        fit(side, Row(self.knob, below), Column(self.knob, abreast), Column(self.knob, below))
        left, top = self.lead.get_left()[0], self.lead.get_top()[1]
        self.worst.place(Region(left, side.bottom, left + self.worst.most.width, top))

    @beat("Laid flat, the stacks are one row: how well each key fits {row.query_named}.")
    def flat(self) -> Steps:
        cells = [self.grid.cell(self.m, int(n)) for n in self.values.row.visible_positions]
        colors = [self.grid.shade_of(self.m, n) for n in range(len(cells))]
        yield (
            self.stacks.lie_down(cells, colors, run_time=0.7 * self.reading),
            FadeOut(self.axes, self.groups, *self.sum.offsets, run_time=1.0),
        )
        yield (
            FadeIn(self.grid, self.askers),
            FadeOut(self.stacks),
            recolor(self.tiles.labels[self.m], self.theme.token),
        )

    @beat(_shifted)
    def shift(self) -> Steps:
        yield self.grid.shift_rows(self.m, run_time=self.reading)
        two = [self.grid.cell(self.m, n) for n in (self.target, self.rival)]
        self.two = VGroup(*(self.grid.frame(cell) for cell in two))
        row = VGroup(self.grid.frame_row(self.m), self.askers.labels[self.m], self.tiles)
        zoom = zoom_on(self, row, VGroup(self.tiles, self.askers, self.grid), whole=True)
        self.is_close = zoom > 1
        look = [self.look_at(row, zoom)] if self.is_close else []
        yield FadeIn(self.two), *self._no_dials, *look

    @beat(_shared, ask=_asked)
    def softmax(self) -> Steps:
        long = {"run_time": self.reading}
        shares = self.grid.to(self["at_one.head.pattern"], low=0.0, high=1.0, spec=".0%", **long)
        yield shares, *([self.look_back(**long)] if self.is_close else [])

    @beat(_scaled)
    def turn(self) -> Steps:
        come = FadeIn(self.knob, self.lead, self.share, run_time=0.8)
        yield come, FadeOut(self.two)
        long = {"run_time": self.reading - 0.4}
        yield (
            self.knob.through(self["alphas"], **long),
            self.grid.through(self["patterns"], **long),
            self.lead.through(self["leads"], **long),
            self.share.through(self["shares"], **long),
        )

    @beat(CAPTION)
    def line(self) -> Steps:
        others = range(1, self.grid.n_rows)
        line = self.grid.outline(self["row.head.looks_at"], rows=list(others))
        alone = self.grid.frame(self.grid.cell(0, 0), "position")
        yield FadeOut(self.lead, self.share, run_time=0.6), *self._plain_words, Create(alone)
        yield line.trace(run_time=2.4), FadeIn(self.worst)

    @property
    def _no_dials(self) -> list[Any]:
        return [FadeOut(self.dials, self.query, *self.sum.told, run_time=0.6)]

    @property
    def _plain_words(self) -> list[Any]:
        """The words that ask and answer in the ink of all others."""
        words = self.askers.labels[self.m], self.tiles.labels[self.target]
        return [recolor(word, self.theme.token) for word in words]
