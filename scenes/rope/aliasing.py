"""At one speed for all hands a second word looks as good as the word before; at many not."""

from __future__ import annotations

import numpy as np
from manim import UP, FadeIn, FadeOut, Succession, VGroup, linear
from pydantic import Field

from model.one_speed import OneSpeed
from model.previous_token import PreviousTokenHead
from scenes.parts.bars import Bars
from scenes.parts.chart import Chart
from scenes.parts.dial import Dials
from scenes.parts.dial_hands import Hands
from scenes.parts.dial_numbers import DialNumbers, to_three_digits
from scenes.parts.figures import Figure, Readout
from scenes.parts.scale import Scale, round_ticks
from scenes.rope.inputs import HandsInputs, part_of
from scenes.rope.slots import Frame, Slots
from scenes.stage import CAPTION, Claim, Column, Derived, Row, Stage, Steps, beat, fit

_FEW = 3
"""Words of a short sentence."""
_MOST = 4
"""As many hands are shown: they differ in nothing but their speeds."""
_AIR = 0.08
"""Between a number and a frame, in units."""


def _n_shown(values: OneSpeed) -> int:
    return min(_MOST, values.n_pairs)


class Aliasing(Stage):
    """At one speed for all hands a second word looks as good as the word before; at many not."""

    class Inputs(HandsInputs):
        theta: float = Field(
            1.0, ge=0.05, le=3, description="the one speed, in radians per position"
        )
        alpha: float = Field(
            40.0, ge=0.01, le=1e4, description="scale of the scores; larger is sharper"
        )
        short: int = Field(32, ge=3, le=63, description="tokens in the short text")
        long: int = Field(46, ge=4, le=64, description="tokens in the long text")

    title = "Why the hands need different speeds"
    question = "What if they all turned at the same speed?"
    caption = "One speed loses the word before; many speeds keep it."
    opens = ("dials", "key_hands", "line", "scale", "slots")
    leaves = ("dials",)
    claims = (
        Claim("the head has several hands", lambda v: v.n_pairs > 1, "it has {n_hands}"),
        Claim(
            "at many speeds the last hand is visibly slower than the first",
            lambda v: v.speeds_differ,
            "it takes {slowdown:.3f} times as long",
        ),
        Claim(
            "at one speed the hands come round to within 1 % of their height",
            lambda v: v.comes_round,
            "{alias_cosine:.5f} at {alias} positions",
        ),
        Claim(
            "they agree best where only the long text reaches",
            lambda v: v.alias_is_new,
            "as well at {alias} positions or before, within the short text",
        ),
        Claim(
            "at one speed the mass falls by a quarter or more",
            lambda v: v.splits,
            "from {mass_short:.4f} to {mass_long:.4f}",
        ),
        Claim(
            "at many speeds it loses less than a tenth of what it loses at one",
            lambda v: v.schedule_holds,
            "from {schedule_mass_short:.4f} to {schedule_mass_long:.4f}, "
            "and from {mass_short:.4f} to {mass_long:.4f}",
        ),
        Claim(
            "in the long text many speeds keep visibly more than one speed",
            lambda v: v.schedule_leads,
            "{schedule_mass_long:.4f} and {mass_long:.4f}",
        ),
        Claim(
            "at many speeds not all hands are up again",
            lambda v: v.schedule_lowest < 0.9,
            "{schedule_lowest:.3f} at {alias} positions",
        ),
    )
    renamed = {"n_hands": "n_pairs"}
    derived = {
        "n_shown": Derived("number of hands shown", _n_shown),
        "hands_shown": Derived(
            "which hands are shown, in words", lambda v: part_of(_n_shown(v), v.n_pairs)
        ),
        "few": Derived("words of a short sentence", lambda _: _FEW),
    }

    inputs: Inputs
    values: OneSpeed

    @classmethod
    def compute(cls, inputs: Inputs) -> OneSpeed:
        head = PreviousTokenHead(
            inputs.long, inputs.d_head, inputs.alpha, schedule=inputs.frequencies
        )
        return OneSpeed(inputs.short, inputs.long, inputs.theta, head)

    def layout(self) -> None:
        """Dials and what the word before gets over the words, the asking one on the right."""
        v = self.values
        self.target, self.wrong = v.long - 2, v.long - 2 - v.alias
        self.edge = v.long - v.short
        faces = Dials(v.n_pairs, most=_MOST, largest=0.85, lines_under=1)
        self.chart = Chart(
            Scale(
                v.long - 0.5,
                -0.5,
                ticks=round_ticks(0, v.long - 1),
                spec="d",
                name="words back from the one that asks",
            ),
            Scale(0, 1, ticks=(0, 0.5, 1), spec=".0%", name="attention"),
            least=(3.0, 1.5),
        )
        self.slots = Slots(self["few"], self.chart, first=0)
        green = self.theme.text_color("value")
        self.own, self.one = (
            Readout(self[path], ".1%", words=f"word before, {words}", color=green)
            for path, words in (
                ("schedule_mass_short", "many speeds"),
                ("mass_short", "one speed"),
            )
        )
        self.bars = Bars(self["schedule_rows"][0], self.chart, at=v.back, grown=False)
        self.asker = Frame(self["back"][v.long - 1], self.chart, "query")
        self.lens = Frame(self["back"][self.target], self.chart, "key")
        aside = [self.own, self.one]
        column = Column(*aside, gap=0.1)
        fit(
            self.canvas,
            Column(faces.in_rows(2), Row(*aside), self.chart, weights=(1, 0, 1)),
            Column(
                Row(faces.in_rows(1), *aside, weights=(1, 0, 0)),
                self.chart,
                gap=0.2,
                weights=(1, 1.5),
            ),
            Column(Row(faces.in_rows(1), column), self.chart, gap=0.2, weights=(1, 2)),
            Column(Row(faces.in_rows(2), column), self.chart, gap=0.2, weights=(1, 2)),
        )
        upright = self["schedule_phases"][self.target]
        query = Hands(upright, faces, "query", angles=True)
        self.key_hands = Hands(upright, faces, "key", angles=True)
        self.dials = VGroup(faces, query)
        self.line, self.scale = self.chart.x, self.chart.y
        self.own_periods, self.one_period = (
            DialNumbers(self[path], faces, to_three_digits, color=self.theme.text_color("position"))
            for path in ("schedule_periods", "equal_periods")
        )

    @beat(
        lambda v: (
            ("It takes a longer text to see it. " if v.short > _FEW else "")
            + "This head wants the word before: there all hands agree."
        )
    )
    def wanted(self) -> Steps:
        """The text grows, the word before gets its bar, and the hands go on to the oldest word."""
        yield self.slots.to(self["short"], run_time=1.6), FadeIn(self.own_periods)
        yield (
            FadeIn(self.asker, self.lens, self.own),
            self.bars.grow(),
            self.bars.recolor(self.target, "value"),
        )
        yield (
            self.lens.to(self["back"][self.edge], run_time=2.6),
            self.key_hands.to(self["schedule_phases"][self.edge], run_time=2.6),
        )

    @beat(
        lambda v: (
            "Now all turn at one speed. "
            + (
                "Near misses take a share; the word before gets {mass_short:.1%}."
                if v.has_near_miss
                else "The word before gets {mass_short:.1%}, other words the rest."
            )
        )
    )
    def equal(self) -> Steps:
        """All hands turn to one angle, and the bars follow."""
        time = self.reading * 0.8
        yield (
            Succession(FadeOut(self.own_periods), FadeIn(self.one_period)),
            self.key_hands.to(self["equal_phases"][self.edge], run_time=time),
            self.bars.to(self["equal_rows"][0], run_time=time),
            FadeIn(self.one, run_time=time),
        )

    @beat("{alias} words further back they all come round, and seem to agree again.")
    def alias(self) -> Steps:
        """Text and lens go on to the word at which the hands are up again."""
        time = {"run_time": max(4.5, self.reading), "rate_func": linear}
        yield (
            self.slots.to(self["long"], **time),
            self.bars.through(self["equal_rows"], **time),
            self.one.through(self["equal_masses"], **time),
            self.lens.to(self["back"][self.wrong], **time),
            self.key_hands.to(self["equal_phases"][self.wrong], **time),
        )

    @beat("Wrong words now get {missed:.0%} of the attention.")
    def split(self) -> Steps:
        """How much both get."""
        pitch = self.chart.x.pitch
        own = self._share("mass_long", self.target, -pitch / 2)
        other = self._share("alias_mass", self.wrong, pitch / 2)
        apart = abs(own.number.get_x() - other.number.get_x())
        if apart < own.number.width + 0.2:
            own.shift((own.number.height + 0.15) * UP)
        self.shares = VGroup(own, other)
        yield (
            self.bars.recolor(self.wrong, "wrong", run_time=1.0),
            FadeIn(self.shares, run_time=1.0),
        )

    def _share(self, path: str, k: int, aside: float) -> Figure:
        """A share over its bar; where its slot is narrower, on that side of the slot."""
        figure, tip = Figure(self[path], ".1%"), self.bars.tip(k)
        half = figure.number.width / 2 + _AIR
        fits = half <= abs(aside)
        out = 0.0 if fits else aside + np.sign(aside) * half
        return figure.put(np.array([tip[0] + out, tip[1] + 0.1, 0.0]))

    @beat("Now they disagree at the wrong word.", ask="And with a speed of its own for each?")
    def mend(self) -> Steps:
        """The hands fan out, and the wrong bar sinks."""
        yield FadeOut(self.shares, run_time=0.4)
        time = max(2.6, self.reading)
        yield (
            Succession(FadeOut(self.one_period), FadeIn(self.own_periods)),
            self.key_hands.to(self["schedule_phases"][self.wrong], run_time=time),
            self.bars.to(self["schedule_rows"][len(self.values.lengths) - 1], run_time=time),
            self.own.to(self["schedule_mass_long"], run_time=time),
        )

    @beat(CAPTION)
    def right(self) -> Steps:
        """Back at the word before all hands agree; then the words go."""
        time = max(1.5, self.reading - 2)
        yield (
            self.lens.to(self["back"][self.target], run_time=time),
            self.key_hands.to(self["schedule_phases"][self.target], run_time=time),
        )
        chart = (self.slots, self.bars, self.line, self.scale)
        yield FadeOut(*chart, self.asker, self.lens, self.key_hands, run_time=0.6)
