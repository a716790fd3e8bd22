"""At one speed for all hands a second word looks as good as the word before; at many not."""

from __future__ import annotations

from typing import Any

from manim import Animation, Succession, VGroup, linear
from pydantic import Field

from clockhead.model.films.rope.aliasing import EqualFrequencies, equal_and_scheduled
from clockhead.scenes.hands import HandsInputs
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.dial import Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.dial_numbers import DialNumbers, to_three_digits
from clockhead.scenes.parts.figures import Readout
from clockhead.scenes.parts.scale import Scale, round_ticks
from clockhead.scenes.rope.chart_slots import SlotFrame, Slots
from clockhead.scenes.rope.word_line import turn_unit
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Column,
    Derived,
    FadeIn,
    FadeOut,
    Row,
    Stage,
    Steps,
    beat,
    fit,
    together,
)

_FEW = 3
"""Words of a short sentence, which becomes the short text."""
_NEARLY = 0.9
"""The height at which hands nearly agree."""
_MOST = 4
"""As many hands are shown: they differ in nothing but their speeds."""


def _equal(values: EqualFrequencies) -> str:
    if values.has_near_miss:
        return "Now at one speed: words where hands nearly agree take a share."
    return "Now at one speed: the word before gets {weight_short:.1%}."


def _round(values: EqualFrequencies) -> str:
    if values.comes_round:
        return "{alias} words further back they come round again. That is aliasing."
    if values.returns:
        return "{alias} words further back they have almost come round. That is aliasing."
    return "So slow, they do not come round here. But the words nearby look almost alike."


def _moral(values: EqualFrequencies) -> str:
    if values.splits and values.schedule_holds:
        return said(
            "At one speed, the word before loses attention in a long text; at many, hardly any."
        )
    return said(
        "In the long text, the word before gets {one:.1%} at one speed, and {many:.1%} at many.",
        one=values.weight_long,
        many=values.schedule_weight_long,
    )


class Aliasing(Stage[EqualFrequencies]):
    """At one speed for all hands a second word looks as good as the word before; at many not."""

    class Inputs(HandsInputs):
        theta: float = Field(
            1.0, ge=0.05, le=3, description="the one speed, in radians per position"
        )
        alpha: float = Field(
            40.0, ge=1, le=1000, description="scale of the scores; larger is sharper"
        )
        short: int = Field(32, ge=_FEW + 1, le=63, description="tokens in the short text")
        long: int = Field(46, ge=_FEW + 2, le=64, description="tokens in the long text")

    title = "Why the hands need different speeds"
    question = "What if all hands turned at one speed?"
    caption = "{moral}"
    opens = ("dials", "key_hands", "line", "scale", "slots")
    leaves = ("dials",)
    claims = (
        Claim(
            "at one speed the hands nearly agree again somewhere in the long text",
            lambda v: v.alias_cosine > _NEARLY,
            "they agree best {alias} positions back, where their height is only "
            "{alias_cosine:.2f}; let long be larger",
        ),
        Claim(
            "at many speeds the last hand is visibly slower, and the hands are not up again there",
            lambda v: v.speeds_differ and v.schedule_disagrees,
            "it takes {slowdown:.3f} times as long, and the lowest is at {schedule_lowest:.3f}",
        ),
        Claim(
            "in the long text the word before gets visibly more at many speeds than at one",
            lambda v: v.schedule_leads,
            "it gets {schedule_weight_long:.1%} at many and {weight_long:.1%} at one; "
            "change alpha or long",
        ),
    )
    derived = {
        "few": Derived("words of a short sentence", lambda _: _FEW),
        "moral": Derived("what one speed and many make of it", _moral),
    }

    compute = equal_and_scheduled

    def layout(self) -> None:
        """What the word before gets, and dials, over the words, the asking one on the right."""
        v, look = self.values, {"spec": ".1%", "color": self.theme.text_color("value")}
        ticks, name = round_ticks(0, v.long - 1), said("words back from the one that asks")
        back = Scale(v.long - 0.5, -0.5, ticks=ticks, spec="d", name=name)
        attention = Scale(0, 1, ticks=(0, 0.5, 1), spec=".0%", name=said("attention"))
        self.chart = Chart(back, attention, least=(3.0, 1.5))
        self.line, self.scale = self.chart.x, self.chart.y
        self.slots = Slots(self["few"], self.chart)
        self.bars = Bars(self["schedule_rows"][0], self.chart, at=v.back, grown=False)
        self.asker = SlotFrame(self["back"][v.long - 1], self.chart, "query")
        self.lens = SlotFrame(self["back"][v.target], self.chart, "key")
        self.own = Readout(
            self["schedule_weight_short"], words=said("word before, many speeds"), **look
        )
        self.one = Readout(self["weight_short"], words=said("word before, one speed"), **look)
        faces = Dials(v.n_pairs, most=_MOST, largest=0.85, lines_under=2)
        wide = Row(self.own, self.one, faces.in_rows(1), weights=(0, 0, 1))
        narrow = Row(Column(self.own, self.one, gap=0.1), faces.in_rows(1))
        fit(
            self.canvas,
            Column(Row(self.own, self.one), faces.in_rows(2), self.chart, weights=(0, 1, 1)),
            Column(wide, self.chart, gap=0.2, weights=(1, 1.5)),
            Column(narrow, self.chart, gap=0.2, weights=(1, 2)),
        )
        upright = self["schedule_phases"][v.target]
        query = Hands(upright, faces, "query", angles=True)
        self.key_hands = Hands(upright, faces, "key", angles=True)
        self.dials = VGroup(faces, query)
        color = self.theme.text_color("position")
        self.own_periods, self.one_period = (
            DialNumbers(self[path], faces, to_three_digits, color=color)
            for path in ("schedule_periods", "equal_periods")
        )
        self.unit = turn_unit(faces)

    @beat("In a long text, this head wants the word before: there all hands agree.")
    def wanted(self) -> Steps:
        """The text grows, the word before gets its bar, and the hands go on to the oldest word."""
        v = self.values
        yield self.slots.to(self["short"], run_time=1.6), FadeIn(self.own_periods, self.unit)
        yield (
            FadeIn(self.asker, self.lens, self.own),
            self.bars.grow(),
            self.bars.recolor(v.target, "value"),
        )
        yield together(self._compare("schedule", v.oldest), run_time=2.6)

    @beat(_equal)
    def equal(self) -> Steps:
        """All hands turn to one angle, and the bars follow."""
        hands = self.key_hands.to(self["equal_phases"][self.values.oldest])
        bars = self.bars.to(self["equal_rows"][0])
        yield (
            Succession(FadeOut(self.own_periods), FadeIn(self.one_period)),
            together(hands, bars, FadeIn(self.one), run_time=0.8 * self.reading),
        )

    @beat(_round)
    def alias(self) -> Steps:
        """Text and lens go on to the word at which the hands are up again."""
        time = {"run_time": max(4.5, self.reading), "rate_func": linear}
        yield (
            self.slots.to(self["long"], **time),
            self.bars.through(self["equal_rows"], **time),
            self.one.through(self["equal_weights"], **time),
            *self._compare("equal", self.values.alias_place, **time),
        )

    @beat("Wrong words now get {missed:.0%} of the attention.")
    def split(self) -> Steps:
        """The wrong words' bars."""
        wrong = [k for k in range(self.values.long) if k != self.values.target]
        yield self.bars.recolor(wrong, "wrong", run_time=1.0)

    @beat("Now they disagree at the wrong word.", ask="And with a speed of its own for each?")
    def mend(self) -> Steps:
        """The hands fan out, and the wrong bar sinks."""
        v = self.values
        hands = self.key_hands.to(self["schedule_phases"][v.alias_place])
        bars = self.bars.to(self["schedule_rows"][len(v.schedule_rows) - 1])
        own = self.own.to(self["schedule_weight_long"])
        yield (
            Succession(FadeOut(self.one_period), FadeIn(self.own_periods)),
            together(hands, bars, own, run_time=max(2.6, self.reading)),
        )

    @beat(CAPTION)
    def right(self) -> Steps:
        """Back at the word before all hands agree."""
        yield 0.7 * together(self._compare("schedule", self.values.target))
        yield FadeOut(self.key_hands, self.own_periods, self.unit, run_time=0.4)

    def _compare(self, speeds: str, place: int, **options: Any) -> tuple[Animation, Animation]:
        """The lens goes to the word at a place, and the key's hands turn to where it has them."""
        phases = self[f"{speeds}_phases"][place]
        return self.lens.to(self["back"][place], **options), self.key_hands.to(phases, **options)
