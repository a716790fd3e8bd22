"""At one speed for all hands, a second position looks the same; at many speeds it does not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from manim import Animation, FadeIn, VGroup
from numpy.typing import NDArray
from pydantic import Field

from model.aliases import Rival, best_rival
from model.previous_token import PreviousTokenHead
from model.rope import FULL_TURN, equal_frequencies, phase_cosines, rope_phases
from scenes.facts import Fact, fill
from scenes.parts.tokens.reach import MassTable, Reach
from scenes.rope.common import HandsInputs, part_of, shown_hands
from scenes.stage import Finding, Slide
from scenes.style.layout import Region
from scenes.style.motion import recolor

MOST_DIALS = 3
"""For each of the two tokens."""


@dataclass(frozen=True)
class Speeds:
    """Two previous-token heads over one long text: one speed for all hands, and the schedule."""

    short: int
    equal: PreviousTokenHead
    schedule: PreviousTokenHead

    @property
    def long(self) -> int:
        return self.equal.n_tokens

    @cached_property
    def alias(self) -> Rival:
        """Where the hands of one speed agree most, among the tokens before the wanted one."""
        return best_rival(self.equal.frequencies, self.long - 2)

    def masses(self, head: PreviousTokenHead) -> tuple[float, float]:
        """The attention of the last token on the one before it, in the short and the long text."""
        return float(head.masses[self.short - 2]), float(head.masses[-1])


class Aliasing(Slide):
    """At one speed for all hands, a second position looks the same; at many speeds it does not."""

    class Inputs(HandsInputs):
        theta: float = Field(
            1.0, ge=0.05, le=3, description="the one speed, in radians per position"
        )
        alpha: float = Field(
            10.0, ge=0.01, le=1e4, description="scale of the scores; larger is sharper"
        )
        short: int = Field(32, ge=3, le=63, description="tokens in the short text")
        long: int = Field(46, ge=4, le=64, description="tokens in the long text")

    title = "Why the hands need different speeds"
    question = "What if they all turned at the same speed?"
    caption = (
        "At one speed the previous token keeps {mass_long:.1%} of the attention, "
        "at many speeds {schedule_mass_long:.1%}."
    )

    notes = (
        "The head wants the previous token: all hands up.",
        "For older tokens the hands turn on, all alike.",
        "{alias} positions further back, all are as good as up again.",
        "The head confuses the two: {alias_mass:.1%} goes to the wrong one.",
        "Now each hand has its own speed: they are not up together.",
    )

    inputs: Inputs
    values: Speeds

    @classmethod
    def compute(cls, inputs: Inputs) -> Speeds:
        if inputs.short >= inputs.long:
            raise ValueError(
                f"short must be below long, got {inputs.short} and {inputs.long} tokens"
            )
        equal = tuple(equal_frequencies(inputs.d_head, inputs.theta).tolist())
        heads = (
            PreviousTokenHead(inputs.long, inputs.d_head, inputs.alpha, schedule=frequencies)
            for frequencies in (equal, inputs.frequencies)
        )
        return Speeds(inputs.short, *heads)

    @classmethod
    def facts(cls, values: Speeds) -> dict[str, Fact]:
        equal, schedule = values.masses(values.equal), values.masses(values.schedule)
        alias = values.alias
        n_hands = len(values.equal.frequencies)
        return {
            "short": values.short,
            "long": values.long,
            "n_hands": n_hands,
            "n_shown": len(shown_hands(n_hands, MOST_DIALS)),
            "hands_shown": part_of(len(shown_hands(n_hands, MOST_DIALS)), n_hands),
            "mass_short": equal[0],
            "mass_long": equal[1],
            "schedule_mass_short": schedule[0],
            "schedule_mass_long": schedule[1],
            "alias": alias.offset,
            "alias_cosine": alias.share,
            "alias_turns": alias.offset * float(values.equal.frequencies[0]) / FULL_TURN,
            "alias_mass": float(values.equal.pattern[-1, values.long - 2 - alias.offset]),
            "schedule_lowest": float(
                np.min(phase_cosines(alias.offset, values.schedule.frequencies))
            ),
        }

    @classmethod
    def checks(cls, values: Speeds) -> list[Finding]:
        (short, long), (kept_short, kept_long) = (
            values.masses(head) for head in (values.equal, values.schedule)
        )
        alias = values.alias
        lowest = float(np.min(phase_cosines(alias.offset, values.schedule.frequencies)))
        at = f"at {alias.offset} positions"
        return [
            Finding(
                "at one speed the hands come round to within 1 % of their height",
                alias.share > 0.99 and alias.offset * values.equal.frequencies[0] > FULL_TURN / 2,
                f"{alias.share:.5f} {at}",
            ),
            Finding(
                "they do so in the long text and not in the short one",
                alias.offset > values.short - 2,
                f"already {at}",
            ),
            Finding(
                "at one speed the mass falls by a quarter or more",
                long < 0.75 * short,
                f"from {short:.4f} to {long:.4f}",
            ),
            Finding(
                "at many speeds it loses less than a tenth of what it loses at one",
                kept_short - kept_long < 0.1 * (short - long),
                f"{kept_short - kept_long:.4f} and {short - long:.4f}",
            ),
            Finding(
                "at many speeds not all hands are up again", lowest < 0.9, f"{lowest:.3f} {at}"
            ),
        ]

    @classmethod
    def arrays(cls, values: Speeds) -> dict[str, NDArray[Any]]:
        hands = shown_hands(len(values.equal.frequencies), MOST_DIALS)
        seen = values.equal.offsets[-1]  # (T,), 0 at the wanted token
        return {
            "theta": values.schedule.frequencies,
            "further_back": -seen,
            "attention": values.equal.pattern,
            "schedule_attention": values.schedule.pattern,
            "angles": rope_phases(seen, values.equal.frequencies)[:, hands],
            "schedule_angles": rope_phases(seen, values.schedule.frequencies)[:, hands],
        }

    def construct(self) -> None:
        facts = self.facts(self.values)
        arrays = self.arrays(self.values)
        chart = self._make_table(self.canvas)
        self._reach = Reach(
            arrays["attention"],
            arrays["angles"],
            self.values.alias.offset,
            fill("{hands_shown}", facts),
            chart,
        )
        self._ask()
        self._alias()
        self._mend()

    def _make_table(self, region: Region) -> Region:
        """Room for what the previous token gets; returns what is left of the region."""
        if region.width > 9:
            side = 2.7
            chart, table = region.columns(region.width - side - 0.4, side, gap=0.4)
        else:
            table, chart = region.cut_top(1.25, gap=0.2)
        lengths = self.values.short, self.values.long
        self._table = MassTable(("one speed", "many speeds"), lengths, table)
        return chart

    def _grow(self, k: int, run_time: float, *others: Animation) -> None:
        """The text grows to its short or its long length, and the mass with it."""
        length = (self.values.short, self.values.long)[k]
        self.play(
            *others,
            self._reach.grow(length, run_time=run_time),
            self._table.follow(0, k, self._reach, run_time=run_time),
        )

    def _ask(self) -> None:
        """The wanted token has all hands up; a short text has no other such token."""
        self.beat("wanted")
        self._reach.show(min(5, self.values.short))
        self.play(FadeIn(self._reach), self.say(0), run_time=0.8)
        self.let_read()
        self.beat("short_text")
        self.play(self.say(1), FadeIn(self._table), self._table.open_row(0))
        self._grow(0, 2.4)
        self.let_read(least=0.4)

    def _alias(self) -> None:
        """A longer text has one: all hands are up again, and it takes its share."""
        self.beat("alias")
        self._grow(1, 1.6, self.say(2))
        self.let_read()
        reach, wrong = self._reach, self.theme.text_color("wrong")
        self._found = VGroup(reach.back, reach.link)
        bar = recolor(reach.furthest_bar, self.theme.wrong)
        self.play(self.say(3), recolor(self._found, wrong), bar)
        self.let_read(least=0.6)

    def _mend(self) -> None:
        """With the schedule, the same texts: the hands fan out and the mass stays."""
        self.beat("schedule")
        arrays, table, reach = self.arrays(self.values), self._table, self._reach
        short, _ = self.values.masses(self.values.schedule)
        self.play(self.say(4), table.open_row(1), recolor(self._found, self.theme.muted))
        self.play(
            reach.become(arrays["schedule_attention"], arrays["schedule_angles"], run_time=2.4),
            table.follow(1, 1, reach, run_time=2.4),
        )
        self.play(table.write(1, 0, short))
        self.wait(0.5)
