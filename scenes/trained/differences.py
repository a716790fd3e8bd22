"""Differences of the trained heads: less tidy, but better, because they compare more."""

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
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import paint
from clockhead.scenes.spelling import listed, said
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    Derived,
    FadeIn,
    FadeOut,
    Handle,
    Stage,
    Steps,
    beat,
    fit,
    together,
)
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import Role
from clockhead.scenes.style.type import CAP_HEIGHT
from clockhead.scenes.trained.inputs import LATE_MOMENTS, LateMoment

_NUMBER = 30.0
_N_UNDER_NAME = 5
"""Number of points of a curve that its name may span."""
_TILE = 64.0
"""Size of the letters of the example, in pixels."""
_TOP = 1.12
"""Upper end of the axis of probabilities, leaving room for words below its name."""
_SHARES = (0.0, 0.5, 1.0)
_NAME_DISTANCE = 0.2
"""Distance from a curve to its name, in units."""


def _head_names(found: HeadDifferences) -> str:
    names = [f"{layer}.{number}" for layer, number in found.further]
    return listed(names) if names else ""


def _pair_sentence(found: HeadDifferences) -> str:
    if found.first_learned <= found.each_built:
        return "The trained one gives “{first_follower}” only {first_learned:.0%} so far."
    return (
        "The trained one gives “{first_follower}” {first_learned:.0%}: it compares “{pair}”, not "
        "“{asker}” alone."
    )


def _loss_sentence(found: HeadDifferences) -> str:
    if found.n_further == 1:
        return "Head {heads} looks two or three letters back: without it, {without_later:.0%}."
    return "Heads {heads} look two or three letters back: without them, {without_later:.0%}."


class Curve(NamedTuple):
    """A curve with its dots and its name."""

    trace: Trace
    dots: Dots
    name: Label


class Differences(Stage[HeadDifferences]):
    """Differences of the trained heads: less tidy, but better, because they compare more."""

    class Inputs(LateMoment):
        """A text, and a training step."""

    title = "What it does differently"
    caption = (
        "It is less tidy than what we built, and better at this: it compares more than one letter."
    )
    opens = ("chart", "built")
    derived = {
        "heads": Derived("names of the heads that look further back", lambda f: _head_names(f)),
        "n_texts": Derived("number of texts over which guesses are averaged", lambda _: N_TEXTS),
    }
    handles = (Handle("late_moment", LATE_MOMENTS, beat="ahead"),)

    @classmethod
    def compute(cls, inputs: Inputs) -> HeadDifferences:
        return differences(inputs.text, inputs.late_moment)

    def layout(self) -> None:
        found = self.values
        self.chart, self.starts = (
            Chart(slots(self["letters"]), Scale(0, _TOP, _SHARES, ".0%", name), size=_NUMBER)
            for name in (
                said("attention on the letter before"),
                self.say_of("head {resting}: attention on the start"),
            )
        )
        self.built = Bars(self["built_before"], self.chart, "attention")
        self.level = Rule(
            self["built_least"], self.chart, said("by hand"), spec=".1%-", size=_NUMBER
        )
        self.mean = Rule(self["learned_mean"], self.chart)
        told = f"{said('mean')} "
        self.mean_number = Figure(
            self["learned_mean"], ".0%", size=_NUMBER, align="left", color="muted", prefix=told
        )
        beside = self.mean_number.number.width + 2 * _NAME_DISTANCE
        self.mean.beside = beside
        again = np.flatnonzero(~found.is_new).tolist()
        self.to_start = Bars(self["to_start"], self.starts, "attention", grown=False, dimmed=again)
        ticks = tuple(range(1, MOST_AGAIN + 1))
        self.guesses = Chart(
            Scale(0.5, MOST_AGAIN + 0.5, ticks, "d", said("letters that have come again")),
            Scale(0, 1, _SHARES, ".0%", said("what the right next letter gets")),
            size=_NUMBER,
        )
        self.to_start.beside = beside
        self.tiles = Strip(self["example"], wonder=True, hidden=0, size=_TILE)
        self.pair = Chart(
            slots(self["followers"]),
            Scale(0, 1, _SHARES, ".0%", said("what each letter gets")),
            size=_NUMBER,
        )
        self.two = Bars(
            self["example_built"],
            self.pair,
            "probability",
            spec=".0%",
            size=_NUMBER,
            most_width=2.0,
            grown=False,
        )
        fit(self.canvas, Column(self.tiles, self.pair, weights=(1, 2)))
        for chart in (self.chart, self.starts, self.guesses):
            chart.place(self.canvas)
        at = self.chart.at([0.0], [found.learned_mean])[0]
        at[0] = self.chart.area.right + _NAME_DISTANCE
        self.mean_number.put(at - np.array([0.0, CAP_HEIGHT * _NUMBER * PX / 2, 0.0]))
        above = found.learned_later - found.built_later > found.built_later - found.without_later
        self.by_hand = self._curve("built_right", "token", said("by hand"), above=above)
        self.trained = self._curve("learned_right", "probability", said("trained"), above=True)
        without = self.say_of("without {heads}")
        self.without = self._curve("without_right", "residual", without, above=False)

    def _curve(self, path: str, role: Role, words: str, *, above: bool) -> Curve:
        """The curve of the guesses at a path, with its name at the end."""
        at = self["again"]
        under = self[path].array[
            -_N_UNDER_NAME:
        ]  # the values above or below which the name is placed
        end = self.guesses.at([MOST_AGAIN], [under.max() if above else under.min()])[0]
        drop = _NAME_DISTANCE if above else -_NAME_DISTANCE - CAP_HEIGHT * _NUMBER * PX
        name = Label(words, size=_NUMBER, color=role, align="right")
        dots = Dots(self[path], self.guesses, x=at, role=role)
        dots.redraw()
        return Curve(
            Trace(self[path], self.guesses, x=at, role=role, drawn=0),
            dots,
            name.put(end + np.array([0.0, drop, 0.0])),
        )

    @beat(
        "By hand, every letter gives the one before it at least {built_least:.1%-}.", focus="chart"
    )
    def by_hand_(self) -> Steps:
        yield FadeIn(self.level, run_time=0.4)

    @beat(ask="And head {previous}, which was trained?")
    def learned(self) -> Steps:
        """Lower the bars to the values of the trained head."""
        yield self.built.to(self["learned_before"], run_time=1.8)

    @beat("On average, it gives the one before {learned_mean:.0%}.", focus="chart")
    def mean_(self) -> Steps:
        yield FadeIn(self.mean, self.mean_number, run_time=0.5)

    @beat()
    def other(self) -> Steps:
        """Replace the axes by those of another head."""
        yield self.built.sink(run_time=0.6), FadeOut(self.level, self.mean, self.mean_number)
        yield together(FadeOut(self.chart, self.built), FadeIn(self.starts), run_time=0.6)

    @beat(ask="New letters find nothing. Where will head {resting} look?")
    def start(self) -> Steps:
        """Grow bars of the attention weights on the start."""
        yield self.to_start.grow(lag=0.3, run_time=1.6)

    @beat(
        "At the start: {start_new:.0%}. Letters that come again give it {start_again:.0%}.",
        focus="starts",
    )
    def resting_(self) -> Steps:
        yield 1.0

    @beat(
        "By hand, “{first_follower}” and “{second_follower}” get {each_built:.0%} each: both once "
        "followed “{asker}”.",
        ask="It is less tidy than ours. Is it worse?",
    )
    def example_(self) -> Steps:
        at = self.values.example_at
        yield self.screen(self.tiles, self.pair, run_time=0.8)
        yield paint(self.tiles, [*at.tolist(), len(self.values.example) - 1], "query")
        yield paint(self.tiles, (at + 1).tolist(), "key")
        yield self.two.grow(run_time=0.8)

    @beat(_pair_sentence)
    def compares(self) -> Steps:
        at, n = self.values.example_at, len(self.values.example)
        yield paint(self.tiles, [int(at[1]), int(at[1]) + 1], None)
        yield (
            paint(self.tiles, [int(at[0]) - 1, n - 2], "query"),
            self.two.to(self["example_learned"], run_time=1.5),
        )

    @beat(
        "{n_texts} texts said twice: after one letter, ours is ahead. In the end, it gets "
        "{built_later:.0%}, the other {learned_later:.0%}.",
        focus="guesses",
    )
    def ahead_(self) -> Steps:
        yield self.screen(self.guesses, run_time=0.8)
        yield self.by_hand.trace.draw_to(1, run_time=1.5)
        yield FadeIn(self.by_hand.dots, self.by_hand.name, run_time=0.4)
        yield self.trained.trace.draw_to(1, run_time=1.5)
        yield FadeIn(self.trained.dots, self.trained.name, run_time=0.4)

    @beat(_loss_sentence, focus="guesses")
    def owes(self) -> Steps:
        yield self.without.trace.draw_to(1, run_time=1.5)
        yield FadeIn(self.without.dots, self.without.name, run_time=0.4)

    @beat(CAPTION)
    def end(self) -> Steps:
        yield FadeOut(*self.without, run_time=0.6)
