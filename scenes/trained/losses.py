"""The loss on repeated letters falls, stays, and falls again."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from manim import Rectangle, linear

from clockhead.model.films.trained.losses import TwoFalls, two_falls
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Dots, Trace
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.scale import Scale
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import (
    CAPTION,
    REST,
    FadeIn,
    FadeOut,
    Handle,
    Stage,
    Steps,
    beat,
    beside,
    fit,
    together,
)
from clockhead.scenes.style.text import Align, Label, text_width
from clockhead.scenes.trained.inputs import OTHER_TEXTS, Trained
from clockhead.scenes.trained.tiles import LABELS, Guesses

_FIRST = 800
"""Last step on the chart at first."""
_ALL = 2000
"""Last step on the chart in the end."""
_OVERHANG = 0.5
"""Width by which the last number of the axis may overhang it, in units."""
_NUMBER = 0.3
"""Width for a number beside the last bar, in units."""
_NAMED = 0.5
"""Height for words above all bars, in units."""
_LONG = 4.0
"""Width of a chart from which on curves have their full names, in units."""
_A_LEG = 0.7
"""Seconds from one saved step to the next."""


def _pairs_sentence(falls: TwoFalls) -> str:
    if falls.knows_pairs:
        return "It has learned roughly which letters come after “{riddle.last}” in English."
    return "It has learned roughly which letters come after which, if little about “{riddle.last}”."


def _recall_sentence(falls: TwoFalls) -> str:
    if falls.is_doubled:
        return (
            "But what stood there before, it can say again: "
            "“{riddle.answer}” gets {late_share:.0%}."
        )
    return (
        "But what stood there before, it can mostly say again. Here it is not so sure: "
        "“{riddle.answer}” gets {late_share:.0%}."
    )


class Losses(Stage[TwoFalls]):
    """The loss on repeated letters falls, stays, and falls again."""

    Inputs = Trained
    title = "The loss falls, stands, and falls again"
    caption = "Something happened between step {before_at} and step {after_at}. What?"
    opens = ("meaning",)
    leaves = ("again as curve",)
    handles = (Handle("text", OTHER_TEXTS, beat="recalled"),)

    compute = two_falls

    def layout(self) -> None:
        falls = self.values
        high = 1.08 * max(6.0, falls.first_loss)
        self.meaning = Chart(
            Scale(0.0, 1.0, (0.0, 0.5, 1.0), ".0%", said("what the right letter gets")),
            Scale(0.0, high, (0.0, 2.0, 4.0, 6.0), ".0f", said("loss")),
            size=LABELS,
        )
        self.cost = Trace(self["costs"], self.meaning, x=self["shares"], role="wrong", drawn=0.0)
        self.ends = Dots(
            self["ends"], self.meaning, x=self["ends_at"], role="wrong", spec=".2f", size=40.0,
            radius=0.12, standing=(),
        )  # fmt: skip
        fit(self.canvas.inset(0.3, 0.1), self.meaning)
        self.chart = Chart(
            Scale(0, _FIRST, (0, 400, 800), ",d", said("steps of training")),
            Scale(0.0, 4.0, (0.0, 1.0, 2.0, 3.0, 4.0), ".0f", said("loss")),
            size=LABELS,
        )
        seen = self["seen"]
        self.again = Trace(self["again"], self.chart, x=seen, role="wrong", stroke=6, drawn=0.0)
        self.new = Trace(self["new"], self.chart, x=seen, role="residual", stroke=5, drawn=0.0)
        self.again.beside = _OVERHANG
        shares = (0.0, 0.5, 1.0)
        self.guesses = Guesses(self["guesses"][0], self["letters"], top=1.0, ticks=shares)
        self.bars, self.likely = self.guesses.bars, self.guesses.chart
        self.bars.headroom += _NAMED
        self.bars.beside = _NUMBER
        self.english = Dots(
            self["english"], self.likely, x=np.arange(len(falls.letters)), role=None
        )
        fit(self.canvas, beside(self.chart, self.likely, weights=(3, 2)))
        self._write_names()

    def _write_names(self) -> None:
        """Write the names of the curves, of the hollow dots and of the bars."""
        area, edge = self.likely.area, self.chart.area.right
        names = ("after “{riddle.piece}”", "after “{riddle.last}”")
        room = self.canvas.right - area.left
        fitting = (n for n in names if text_width(self.say_of(n), LABELS) <= room)
        self.after = Label(self.say_of(next(fitting, names[-1])), size=LABELS)
        self.after.put(np.array([area.left, area.top + self.bars.headroom - 0.3, 0.0]))
        self.key = Label(said("circles: in English"), size=28.0, color="muted", align="right")
        self.key.put(np.array([area.right, area.top - 0.1, 0.0]))
        falls, is_wide = self.values, self.chart.area.width > _LONG
        curves = (
            (said("letters that come again" if is_wide else "again"), "wrong", falls.end, 0.42),
            (said("new letters" if is_wide else "new"), "residual", float(falls.new[-1]), 0.2),
        )
        self.names = [
            Label(name, size=28.0, color=role, align="right").put(
                np.array([edge, float(self.chart.y.at(level)) + over, 0.0])
            )
            for name, role, level, over in curves
        ]

    @beat(
        "How wrong is a guess? The loss is minus the logarithm of what the right letter gets. "
        "“{riddle.answer}” got {first_share:.1%}: that is {first_loss:.2f}.",
        rest=REST,
        focus="meaning",
    )
    def meaning_(self) -> Steps:
        yield self.cost.draw_to(1.0, run_time=2.0)
        yield self.ends.appear(1)
        yield 0.8
        yield self.ends.appear(0)

    @beat(
        "On average over all letters that come again, it is {start:.2f} at first. In {early_at} "
        "steps, it falls to {early:.2f}.",
        focus="chart",
    )
    def falls(self) -> Steps:
        yield FadeOut(self.meaning, self.cost, self.ends, run_time=0.6)
        yield FadeIn(self.chart, self.likely, self.bars, self.after, run_time=0.8)
        yield from self._learn(0, self.values.early_at, leg=1.4)

    @beat(_pairs_sentence, focus="likely")
    def learned(self) -> Steps:
        yield FadeIn(self.english, self.key, run_time=0.8)

    @beat("Then hardly anything happens.", focus="chart")
    def stands(self) -> Steps:
        yield FadeOut(self.english, self.key, run_time=0.4)
        self.likely.marks.remove(self.english)
        yield from self._learn(self.values.early_at, self.values.before_at, leg=1.2)

    @beat(ask="Is that all?")
    def drops(self) -> Steps:
        yield from self._learn(self.values.before_at, _ALL, leg=_A_LEG)

    @beat("It falls again, to {end:.2f}.", focus="chart")
    def second(self) -> Steps:
        yield FadeIn(self.names[0], run_time=0.5)

    @beat(
        "It has not learned more English: on letters that are new, the loss stays where it was.",
        ask="What does it know now that it did not know before?",
        rest=REST,
        focus="chart",
    )
    def fresh(self) -> Steps:
        yield self.new.draw_to(1.0, run_time=2.0)
        yield FadeIn(self.names[1], run_time=0.5)

    @beat(_recall_sentence, rest=REST, focus="likely")
    def recalled(self) -> Steps:
        yield self.bars.recolor(self.values.place, "right", run_time=0.6)
        yield self.bars.write([self.values.place], ".0%")

    @beat(CAPTION, focus="chart")
    def when(self) -> Steps:
        falls, area = self.values, self.chart.area
        left, right = (float(self.chart.x.at(step)) for step in (falls.before_at, falls.after_at))
        band = Rectangle(width=right - left, height=area.height, stroke_width=0)
        band.set_fill(self.theme.attention, 0.25)
        band.move_to(np.array([(left + right) / 2, area.center[1], 0.0]))
        edges = [
            Figure(self[name], "d", size=LABELS, align=align, color="attention").put(
                np.array([x + out, area.top - 0.4, 0.0])
            )
            for name, x, out, align in self._edges(left, right)
        ]
        yield FadeIn(band, *edges, run_time=1.2)

    @staticmethod
    def _edges(left: float, right: float) -> tuple[tuple[str, float, float, Align], ...]:
        return ("before_at", left, -0.1, "right"), ("after_at", right, 0.1, "left")

    def _learn(self, start: int, end: int, leg: float) -> Steps:
        """Animate the curve and the bars from one saved step to the next."""
        steps = self.values.steps.tolist()
        places = range(steps.index(start), steps.index(end) + 1)
        for a, b in pairwise(places):
            goes = [
                self.again.draw_to(steps[b] / _ALL),
                self.bars.to(self["guesses"][b], rate_func=linear),
            ]
            if steps[a] == _FIRST:
                ticks = (0, 800, 1600)
                longer = Scale(0, _ALL, ticks, ",d", said("steps of training"))
                goes.append(self.chart.rescale(x=longer))
            yield together(*goes, run_time=leg)
