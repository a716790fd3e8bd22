"""Two numbers a token: a circle has no ends, so that every note is found; at a price."""

from __future__ import annotations

from typing import Any

from clockhead.model.films.induction.rank import TwoNumbers, crowd
from clockhead.scenes.induction.crowd import Pair, Ring
from clockhead.scenes.induction.line import NAME_SIZE, OnLine
from clockhead.scenes.induction.looks import Rays
from clockhead.scenes.induction.words import CrowdInputs
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.figures import Figure, Readout
from clockhead.scenes.parts.knob import Knob
from clockhead.scenes.parts.plane import Arrow, spatial
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import CAPTION, Column, Row, Steps, beat, fit, together
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.motion import FadeIn, FadeOut, recolor

_ACROSS = 0.45
"""Where the number of tokens stands: across from the one that asks, in radii."""
_BAR = 0.8
"""How high a bar is that says 1, in radii."""


def _crowded(two: TwoNumbers) -> str:
    if two.crowd.is_sharp:
        return (
            "Neighbours are close now, but with so large a β “{bent.asker_name}” still gives "
            "itself {crowd.own_large:.1%}."
        )
    return "Neighbours are close now. “{bent.asker_name}” gives itself only {crowd.own_large:.1%}."


class Rank(OnLine):
    """Two numbers a token: a circle has no ends, so that every note is found; at a price."""

    class Inputs(CrowdInputs):
        """A text, how sharply its last token looks for itself, and a larger vocabulary."""

    title = "A line has two ends, a circle has none"
    question = ""
    caption = "Two numbers crowd the words. Many numbers keep them apart without so large a factor."
    opens = ("line", "numbers", "looks", "count")

    values: TwoNumbers

    @classmethod
    def compute(cls, inputs: Any) -> TwoNumbers:
        full = crowd(len(inputs.vocabulary), inputs.n_large, inputs.beta)
        return TwoNumbers(bent=inputs.line(), crowd=full)

    def layout(self) -> None:
        bent, crowd, line = self.values.bent, self.values.crowd, self.make_line()
        code = self["bent.codes"][len(bent.bends) - 1][bent.asker]
        itself = self.say_of("“{bent.asker_name}” gives itself")
        self.own = Readout(self["bent.own"], ".1%", words=itself)
        digits = len(f"{max(crowd.beta, crowd.beta_large):.0f}")
        self.knob = Knob(self["inputs.beta"], *crowd.decades, spec=f",.{digits}g", prefix="β = ")
        beside = Row(Column(self.own, self.knob, weights=(0, 1)), line, weights=(0, 1))
        below = Column(line, Row(self.knob, self.own))
        fit(self.canvas, *((beside, below) if self.canvas.wide else (below, beside)))
        self.circle, high, sizes = line.standing, _BAR * line.radius, self["crowd.sizes"]
        self.many = Figure(sizes[0], ".0f", size=NAME_SIZE, suffix=" words")
        away = spatial(code.array[None])[0]
        self.many.number.center_on(line.middle - _ACROSS * line.radius * away)
        self.asker, self.pair = Arrow(code, line, "query"), Pair(code, line)
        self.rays = Rays(self["bent.circle_shares"][bent.asker], line, high)
        self.ring = Ring(sizes[0], self["crowd.steps"], code, line)
        self.spokes = Rays(self["crowd.filling_shares"][0], self.ring, high)
        names = (said("two numbers per word"), self.say_of("{crowd.n_large} numbers per word"))
        longest = Scale(0.0, crowd.beta_large)
        self.chart = Chart(longest, slots(names, down=True), size=NAME_SIZE)
        self.betas = Bars(
            self["crowd.betas"], self.chart, "token", spec=",.1f+", numbered=(), grown=False,
            size=NAME_SIZE,
        )  # fmt: skip
        self.chart.place(self.canvas.inset(0.0, 0.8))
        self.lay_line()
        self.name = line.labels[bent.asker]

    @beat(
        "As it bends, more and more words stand farthest out in some direction, and find "
        "themselves.",
        ask="What if we bend the line?",
    )
    def bend_(self) -> Steps:
        time = max(7.0, self.reading)
        yield FadeOut(self.numbers, run_time=0.4), *self.bend(self.circle, run_time=time)

    @beat(
        "On the circle, every word is farthest out in its own direction: all {bent.n_vocab} find "
        "themselves.",
        rest=REST,
    )
    def all_(self) -> Steps:
        yield 1.0

    @beat("So two numbers per word are enough: how far right it stands, and how far up.", rest=REST)
    def two(self) -> Steps:
        ink = self.theme.text_color("query")
        yield FadeOut(self.looks), FadeOut(self.count), recolor(self.name, ink)
        yield together(self.asker.grow(), self.pair.grow(), run_time=1.4)

    @beat("“{bent.asker_name}” gives itself {bent.own:.1%} of its attention.", rest=REST)
    def own_(self) -> Steps:
        yield FadeOut(self.pair), FadeOut(self.asker)
        yield FadeIn(self.knob), FadeIn(self.own)
        yield self.rays.grow()

    @beat(_crowded, ask="And with {crowd.n_large} words on the circle?", rest=REST)
    def crowd(self) -> Steps:
        yield self.line.see_names(0.0, self.values.bent.asker), FadeIn(self.many)
        self.line.dots.set_fill(opacity=0)
        self.remove(self.rays)
        self.add(self.spokes, self.ring)
        yield together(
            self.many.through(self["crowd.sizes"]),
            self.ring.through(self["crowd.sizes"]),
            self.spokes.through(self["crowd.filling_shares"]),
            self.own.through(self["crowd.filling_own"]),
            run_time=4.5,
        )

    @beat("For {crowd.mass:.0%}, scores must be multiplied by {crowd.beta_large:,.0f+}.", rest=REST)
    def louder(self) -> Steps:
        yield together(
            self.knob.to(self["crowd.beta_large"]),
            self.spokes.through(self["crowd.turned_shares"]),
            self.own.through(self["crowd.turned_own"]),
            run_time=4.0,
        )

    @beat("With a number for every word, {crowd.beta_one_hot:.1f+} is enough.", rest=REST)
    def price(self) -> Steps:
        yield self.screen(self.chart, self.betas.paths)
        yield self.betas.grow(run_time=2.5, lag=0.6)
        self.add(self.betas)
        yield self.betas.write(range(2), ",.1f+")

    @beat(CAPTION)
    def many_(self) -> Steps:
        yield 2.0
