"""What the trained heads do differently: less tidy, and better, for they compare more."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clockhead.model.films.trained.differences import (
    MOST_AGAIN,
    N_TEXTS,
    HeadDifferences,
    differences,
)
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Dots, Rule, Trace
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.spelling import counted, listed, said
from clockhead.scenes.stage import (
    CAPTION,
    Derived,
    FadeIn,
    FadeOut,
    Handle,
    Stage,
    Steps,
    beat,
    together,
)
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import Role
from clockhead.scenes.style.type import CAP_HEIGHT
from clockhead.scenes.trained.inputs import LATE_MOMENTS, LateMoment

_NUMBER = 30.0
_SHARES = (0.0, 0.5, 1.0)
_AWAY = 0.2
"""From a curve to its name, in units."""


def _named(found: HeadDifferences) -> str:
    numbers = (found.further_0, found.further_1)[: found.n_further]
    return listed([f"0.{number}" for number in numbers]) if numbers else ""


def _owes(found: HeadDifferences) -> str:
    if found.n_further == 1:
        return (
            "For that, head {further_0} of layer 0 looks two or three letters back. Without it, "
            "it gets {without_later:.0%}."
        )
    return (
        "For that, heads {further_0} and {further_1} of layer 0 look two or three letters back. "
        "Without them, it gets {without_later:.0%}."
    )


class Curve(NamedTuple):
    """A curve with its dots, and its name."""

    trace: Trace
    dots: Dots
    name: Label

    def draw(self, run_time: float) -> Steps:
        """Let it be drawn; then come its dots and its name."""
        yield self.trace.draw_to(1, run_time=run_time)
        yield FadeIn(self.dots, self.name, run_time=0.5)


class Differences(Stage[HeadDifferences]):
    """What the trained heads do differently: less tidy, and better, for they compare more."""

    class Inputs(LateMoment):
        """A text, and a moment of the training."""

    title = "What it does differently"
    caption = (
        "It is less tidy than what we built, and better at this: it compares more than one letter."
    )
    opens = ("chart", "built")
    derived = {
        "ahead": Derived("after how many it is ahead", lambda f: counted(f.ahead_from)),
        "heads": Derived("these heads by their names", lambda f: _named(f)),
        "n_texts": Derived("how many texts guesses are averaged over", lambda _: N_TEXTS),
    }
    handles = (Handle("late_moment", LATE_MOMENTS, beat="ahead"),)

    @classmethod
    def compute(cls, inputs: Inputs) -> HeadDifferences:
        return differences(inputs.text, inputs.late_moment)

    def layout(self) -> None:
        found = self.values
        self.chart, self.starts = (
            Chart(slots(self["letters"]), Scale(0, 1, _SHARES, ".0%", name), size=_NUMBER)
            for name in (said("attention on the letter before"), said("attention on the start"))
        )
        self.built = Bars(self["built_before"], self.chart, "attention")
        self.level = Rule(self["built_least"], self.chart)
        again = np.flatnonzero(~found.is_new).tolist()
        self.to_start = Bars(self["to_start"], self.starts, "attention", grown=False, dimmed=again)
        ticks = tuple(range(1, MOST_AGAIN + 1))
        self.guesses = Chart(
            Scale(0.5, MOST_AGAIN + 0.5, ticks, "d", said("letters that have come again")),
            Scale(0, 1, _SHARES, ".0%", said("what the right next letter gets")),
            size=_NUMBER,
        )
        for chart in (self.chart, self.starts, self.guesses):
            chart.place(self.canvas)
        above = found.learned_later - found.built_later > found.built_later - found.without_later
        self.by_hand = self._curve("built_right", "token", said("by hand"), above=above)
        self.trained = self._curve("learned_right", "probability", said("trained"), above=True)
        without = self.say_of("without {heads}")
        self.without = self._curve("without_right", "residual", without, above=False)

    def _curve(self, path: str, role: Role, words: str, *, above: bool) -> Curve:
        """The guesses at a path, with their name at the end."""
        at = self["again"]
        end = self.guesses.at([MOST_AGAIN], self[path].array[-1:])[0]
        drop = _AWAY if above else -_AWAY - CAP_HEIGHT * _NUMBER * PX
        name = Label(words, size=_NUMBER, color=role, align="right")
        dots = Dots(self[path], self.guesses, x=at, role=role)
        dots.redraw()
        return Curve(
            Trace(self[path], self.guesses, x=at, role=role, drawn=0),
            dots,
            name.put(end + np.array([0.0, drop, 0.0])),
        )

    @beat(
        "By hand, with as many clock hands, every letter gives the one before it at least "
        "{built_least:.1%-}.",
        focus="chart",
    )
    def by_hand_(self) -> Steps:
        yield 1.0

    @beat("In the trained head, it is only {learned_mean:.0%} on average.", focus="chart")
    def learned(self) -> Steps:
        yield FadeIn(self.level, run_time=0.4)
        yield self.built.to(self["learned_before"], run_time=2.0)

    @beat(
        "In layer 1, new letters have nothing to find. Head {resting_number} lets them look at the "
        "start: {start_new:.0%}. Those that come again give it {start_again:.0%}.",
        rest=REST,
        focus="starts",
    )
    def resting(self) -> Steps:
        yield self.built.sink(run_time=0.8), FadeOut(self.level)
        yield together(FadeOut(self.chart, self.built), FadeIn(self.starts), run_time=0.6)
        yield self.to_start.grow(lag=0.3, run_time=2.0)

    @beat(
        "Say {n_texts} texts twice, and guess on. By hand, the right letter gets {built_later:.0%} "
        "in the end: it compares one letter, which may have stood in several places.",
        ask="It is less tidy than what we built. So is it worse?",
        focus="guesses",
    )
    def guesses_(self) -> Steps:
        yield self.screen(self.guesses, run_time=0.8)
        yield from self.by_hand.draw(2.5)

    @beat(
        "The trained one begins with {learned_at_first:.0%}. But after {ahead} letters it is "
        "ahead, and in the end it gets {learned_later:.0%}.",
        rest=REST,
        focus="guesses",
    )
    def ahead_(self) -> Steps:
        yield from self.trained.draw(3.0)

    @beat(_owes, rest=REST, focus="guesses")
    def owes(self) -> Steps:
        yield from self.without.draw(2.5)

    @beat(CAPTION)
    def end(self) -> Steps:
        yield FadeOut(*self.without, run_time=0.6)
