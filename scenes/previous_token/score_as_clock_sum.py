"""The score adds up the heights of the clock hands; only at the target do all point up."""

from __future__ import annotations

from typing import Any

from manim import FadeIn, rate_functions

from model.score_row import ScoreRow
from scenes.previous_token.clock_sum import ClockSum
from scenes.previous_token.inputs import AskingInputs
from scenes.previous_token.table import Table, room_beside
from scenes.stage import CAPTION, Claim, Derived, Stage, Steps, beat
from scenes.style.motion import recolor

_WALK = 5.5
"""Seconds in which the query is held against all further keys, however many."""


def _walked(row: ScoreRow) -> str:
    if row.n_visible_steady == 0:
        return "Key by key the hands turn on, and each key gets its own stack."
    if row.n_visible_steady == 1:
        return "Key by key. The slowest hand hardly moves: it always adds nearly one."
    return (
        "The {n_visible_steady} slow hands hardly move: together they always add nearly "
        "{n_visible_steady}."
    )


class ScoreAsClockSum(Stage):
    """The score adds up the heights of the clock hands; only at the target do all point up."""

    class Inputs(AskingInputs):
        """A position that asks."""

    title = "A score is a stack of clock hands"
    question = "How well does the query of {query_named} fit each key?"
    caption = "Only for {target_named}, right before it, does every hand stand upright at once."
    opens = ("tiles", "dials", "query", "groups")
    leaves = ("tiles", "dials", "query", "groups", "axes", "marks", "stacks")
    claims = (
        Claim(
            "of the keys that the query sees, only the token before it has the largest sum",
            lambda row: row.target_stands_out,
            "{visible_runner_up_named} has {visible_runner_up:.6g}, the target {target_sum:.6g}",
        ),
    )
    renamed = {
        "asker": "query_token",
        "answer": "target_token",
        "best": "target_sum",
        "lead": "gap",
        "n_tokens": "head.n_tokens",
        "n_slow": "n_steady",
        "n_shown": "n_groups",
    }
    derived = {
        "n_hands": Derived("how many clock hands there are", lambda row: row.head.d_head // 2),
    }

    inputs: Inputs
    values: ScoreRow

    @classmethod
    def compute(cls, inputs: Inputs) -> ScoreRow:
        return inputs.row()

    def layout(self) -> None:
        row = self.values
        self.table = Table(self["head.scores"], self["tokens"])
        side = room_beside(self.canvas, self.table)
        self.sum = ClockSum(self, row, grown=False)
        self.sum.place(side, self.table.lattice)
        self.tiles, self.dials, self.query = self.table.tiles, self.sum.dials, self.sum.query
        self.axes, self.stacks = self.sum.axes, self.sum.stacks
        self.marks, self.groups = self.sum.marks, self.sum.groups
        first, *self.later = map(int, row.walk)
        self.first = first
        for k, color in self._colors(first).items():
            self.tiles.labels[k].set_fill(color)

    @beat("Hold the query upright: the key's hands show how many steps off it is.")
    def hold(self) -> Steps:
        row, both = self.values, {"run_time": self.reading}
        yield (
            self.query.to(self["phases"][row.target], **both),
            self.sum.keys.to(self["phases"][self.first], **both),
        )
        yield FadeIn(*self.sum.told)

    @beat("Each hand adds its height, and a hand below the middle takes away.")
    def stack(self) -> Steps:
        chart = FadeIn(self.axes, self.sum.offsets[self.first], run_time=1.2)
        yield self.sum.heights.grow(run_time=1.2), chart
        yield self.stacks.fly(self.first, self.sum.points(), run_time=self.reading)

    @beat(_walked, when=lambda row: len(row.walk) > 1)
    def walk(self) -> Steps:
        each = _WALK / len(self.later)
        for n in self.later:
            yield self._turn_to(n, run_time=0.6 * each)
            self.sum.apart.set_to(self["offsets"][n])
            yield (
                self.stacks.fly(n, self.sum.points(), lag=0.0, run_time=0.4 * each),
                FadeIn(self.sum.offsets[n], run_time=0.2),
            )

    @beat(CAPTION)
    def upright(self) -> Steps:
        target = self.values.target
        yield self._turn_to(target, run_time=1.0, rate_func=rate_functions.rush_into)
        self.sum.apart.set_to(self["offsets"][target])
        yield FadeIn(self.sum.offsets[target], run_time=0.3)
        yield self.stacks.fly(target, self.sum.points(), lag=0.0, run_time=1.6)
        yield recolor(self.sum.top, self.theme.ink)

    def _turn_to(self, n: int, **options: Any) -> tuple[Any, ...]:
        """Turn the hands to those of another key, and light its word."""
        return self.sum.keys.to(self["phases"][n], **options), *self._light(n)

    def _light(self, n: int) -> list[Any]:
        """Let the word of key n have the colour of keys."""
        return [
            recolor(self.tiles.labels[k], color, run_time=0.4)
            for k, color in self._colors(n).items()
        ]

    def _colors(self, n: int) -> dict[int, str]:
        """A colour for the word that asks, for key n, for other keys, and for those not seen."""
        look, row = self.theme, self.values
        rest = {k: look.token if row.visible[k] else look.muted for k in range(len(row.tokens))}
        return rest | {row.m: look.query, n: look.key}
