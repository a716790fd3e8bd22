"""With one speed for all hands, they all point up again at a wrong word: aliasing."""

from __future__ import annotations

from typing import Any

from manim import DOWN, RIGHT, VGroup, linear
from pydantic import Field

from clockhead.model.films.rope.aliasing import EqualFrequencies, equal_and_scheduled
from clockhead.model.films.rope.word_before import LookingBack
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.rope.long_text import LongTextInputs, LongTextStage
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import CAPTION, Claim, FadeIn, FadeOut, Handle, Steps, beat, together
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.motion import recolor
from clockhead.scenes.style.text import Align

_CLEAR = 0.06
"""Smallest gap between two numbers, in units."""


def _alias_sentence(values: EqualFrequencies) -> str:
    if values.is_full:
        return "{alias_back} words back, {alias} before the right one, all hands are up once more."
    return (
        "{alias_back} words back, {alias} before the right one, all hands are almost up once more."
    )


class Aliasing(LongTextStage):
    """With one speed for all hands, they all point up again at a wrong word: aliasing."""

    class Inputs(LongTextInputs):
        theta: float = Field(
            1.0, ge=0.5, le=2, description="speed of all hands, in radians per position"
        )

    title = "Why the hands need different speeds"
    caption = "Give every hand its own speed again, and there is only one place where all agree."
    opens = ("faces", "query", "key_hands", "text", "slots", "asker", "bars", "figures")
    claims = (
        Claim(
            "with one speed, a wrong word gets some of the attention",
            lambda v: v.alias_weight > 0.01,
            "the word {alias_back} back gets {alias_weight:.1%}; try a smaller alpha",
        ),
        Claim(
            "the right word gets more of the attention with different speeds than with one",
            lambda v: v.schedule_weight > v.weight + 0.01,
            "it gets {schedule_weight:.1%} and {weight:.1%}; try a smaller base",
        ),
    )

    handles = (Handle("theta", "0.5:2:0.1", beat="gather"),)

    values: EqualFrequencies
    compute = equal_and_scheduled

    path = "own."

    @property
    def head(self) -> LookingBack:
        """The head with different speeds."""
        return self.values.own

    def layout(self) -> None:
        """Lay out large dials, the chart of waves and scores, and the text."""
        self.lay_text()
        self.lay_hands(self["own.turned_upright"], self["own.key_phases"][0])
        self.lay_scores(-self.values.own.full, grown=True)
        self.faces.place_at(*self.block)
        self.text.place_area(self.whole)
        for wave in self.parts:
            wave.path.set_stroke(self.theme.hairline)
        self.figures = self.figures_over(
            self.text, ".1%", (self["schedule_weight"], 1, "right", "attention")
        )

    @beat(ask="What if all hands had one speed, and always agreed? Would it work even better?")
    def ask_(self) -> Steps:
        """Show the scores again, and move the key a few words back, where its hands disagree."""
        yield FadeOut(self.bars, self.figures, run_time=0.4)
        yield FadeIn(*self.parts, self.sums, self.sum, self.dots, self.lens, run_time=0.6)
        part = slice(0, self.values.pause_step + 1)
        places, phases = self["own.places"][part], self["own.key_phases"][part]
        yield self.walk(places, phases, run_time=2.4)

    @beat("Now they fall into step, and their waves become one.", focus="sums")
    def equal(self) -> Steps:
        """Animate all speeds to a single one."""
        yield together(*self._mix("pause_phases", slice(None)), run_time=4.0)

    def _mix(self, phases: str, way: slice) -> list[Any]:
        """Animate waves, scores and hands between their own speeds and one speed for all."""
        series = self["mixed_parts"]
        return [
            *(wave.through(series[k][way]) for k, wave in enumerate(self.parts)),
            self.sum.through(self["mixed_scores"][way]),
            self.dots.through(self["mixed_word_scores"][way]),
            self.key_hands.through(self[phases][way]),
        ]

    @beat(_alias_sentence, focus="sums")
    def alias(self) -> Steps:
        """Move the key on to the word where all hands are up again."""
        start, end = self.values.pause_step, self.values.alias_step
        part = slice(start, end + 1) if end >= start else slice(end, start + 1)
        if end < start:
            places, phases = self["own.places"][end], self["equal.key_phases"][end]
            yield self.lens.to(places, run_time=2.0), self.key_hands.to(phases, run_time=2.0)
            return
        run: dict[str, Any] = {"run_time": 5.0, "rate_func": linear}
        yield self.walk(self["own.places"][part], self["equal.key_phases"][part], **run)

    @beat(
        "The dot {alias_back} back is at {alias_score:.2f}, the right one at {own.full:.2f}.",
        focus="sums",
    )
    def dots_(self) -> Steps:
        """Dim the curve, and write the two scores over their dots."""
        waves = (FadeOut(wave) for wave in self.parts)
        yield together(*waves, recolor(self.sum, self.theme.hairline), run_time=0.6)
        right = self.figures_over(self.sums, ".2f", (self["own.full"], 1, "right", "score"))
        self.scores = VGroup(right, self._wrong_number("alias_score", self.sums, ".2f", right))
        yield FadeIn(self.scores, run_time=0.6)

    @beat("So the word {alias_back} back gets {alias_weight:.1%}, the right one {weight:.1%}.")
    def split(self) -> Steps:
        """Show the bars of attention; those of wrong words are red."""
        v = self.values
        over = self.sum, self.sums, self.dots, self.scores, self.lens
        yield FadeOut(*over, run_time=0.6)
        self.bars.set_to(self["equal.row"])
        wrong = [k for k in range(v.own.long) if k not in (v.own.target, v.own.target + 1)]
        yield self.bars.recolor(wrong, "wrong", run_time=0.1)
        yield self.bars.grow(run_time=1.2)
        self.right = self.figures_over(self.text, ".1%", (self["weight"], 1, "right", "attention"))
        self.wrong = self._wrong_number("alias_weight", self.text, ".1%", self.right)
        yield FadeIn(self.right, self.wrong, run_time=0.5)

    def _wrong_number(
        self, path: str, chart: Chart, spec: str, right: VGroup, prefix: str = ""
    ) -> VGroup:
        """The number of the wrong word, on the canvas and clear of the right word's number."""
        number = self[path], self.values.alias_back
        sides: tuple[Align, Align] = ("left", "right")
        for align in sides:
            wrong = self.figures_over(chart, spec, (*number, align, "wrong"), prefix=prefix)
            ends = wrong.get_left()[0], wrong.get_right()[0]
            is_inside = self.whole.left <= ends[0] and ends[1] <= self.canvas.right
            if is_inside and not _overlap(wrong, right):
                return wrong
        wrong.set_x(max(right.get_left()[0] - _CLEAR, self.whole.left + wrong.width), RIGHT)
        if _overlap(wrong, right):
            wrong.set_y(right.get_top()[1] + _CLEAR, DOWN)
        return wrong

    @beat(
        "All wrong words together get {wrong_weight:.1%}. "
        "Positions that look alike: this is called aliasing.",
        rest=REST,
    )
    def gather(self) -> Steps:
        """Pile up the wrong words' bars."""
        yield FadeOut(self.wrong, run_time=0.3)
        yield self.bars.to(self["gathered"], run_time=1.6)
        prefix = f"{said('all wrong words')} "
        self.wrong = self._wrong_number("wrong_weight", self.text, ".1%", self.right, prefix)
        yield FadeIn(self.wrong, run_time=0.4)

    @beat(CAPTION, rest=REST)
    def mend(self) -> Steps:
        """Animate back to different speeds; the hands no longer agree at the wrong word."""
        yield FadeOut(self.bars, self.right, self.wrong, run_time=0.6)
        yield FadeIn(*self.parts, self.sums, self.sum, self.dots, self.lens, run_time=0.8)
        back = slice(None, None, -1)
        yield together(*self._mix("mixed_phases", back), run_time=4.0)
        yield 0.8
        way = slice(self.values.alias_step, None, -1)
        yield self.walk(self["own.places"][way], self["own.key_phases"][way], run_time=3.0)
        over = self.sum, self.sums, self.dots, self.lens, *self.parts
        yield FadeOut(*over, run_time=0.5)
        self.bars.set_to(self["own.row"])
        yield self.bars.grow(run_time=0.8)
        yield FadeIn(self.figures, run_time=0.4)


def _overlap(one: VGroup, two: VGroup) -> bool:
    """Whether two texts overlap, or are closer than `_CLEAR`."""
    apart = abs(one.get_center() - two.get_center())
    return bool(
        apart[0] < (one.width + two.width) / 2 + _CLEAR
        and apart[1] < (one.height + two.height) / 2 + _CLEAR
    )
