"""Two numbers a token: a circle has no ends, so that every note is found; at a price."""

from __future__ import annotations

from typing import Any

from clockhead.model.films.induction.rank import TwoNumbers, crowd
from clockhead.scenes.induction.crowd import Pair, Ring
from clockhead.scenes.induction.line import OnLine
from clockhead.scenes.induction.looks import Rays
from clockhead.scenes.induction.words import CrowdInputs
from clockhead.scenes.parts.figures import Figure, Readout
from clockhead.scenes.parts.knob import Knob
from clockhead.scenes.parts.plane import spatial
from clockhead.scenes.parts.plane_arrows import Arrow
from clockhead.scenes.stage import CAPTION, Column, Row, Steps, beat, fit, together
from clockhead.scenes.style.motion import FadeIn, FadeOut, recolor

_ACROSS = 0.45
"""Where the number of tokens stands: across from the one that asks, in radii."""
_BAR = 0.8
"""How high a bar is that says 1, in radii."""


def _crowded(two: TwoNumbers) -> str:
    if two.crowd.is_sharp:
        return (
            "Neighbours are close now, but with so large a β the note “{bent.asker_name}” still "
            "gets {crowd.own_large:.1%}."
        )
    return "Neighbours are close now: the note “{bent.asker_name}” gets {crowd.own_large:.1%}."


class Rank(OnLine):
    """Two numbers a token: a circle has no ends, so that every note is found; at a price."""

    class Inputs(CrowdInputs):
        """A text, how sharply its last token looks for itself, and a larger vocabulary."""

    title = "A line has two ends, a circle has none"
    question = "What do two numbers buy?"
    caption = "Two numbers find every note, but crowd them; one for every token keeps them apart."
    opens = ("line", "numbers", "looks", "count")

    values: TwoNumbers

    @classmethod
    def compute(cls, inputs: Any) -> TwoNumbers:
        full = crowd(len(inputs.vocabulary), inputs.n_large, inputs.beta)
        return TwoNumbers(bent=inputs.line(), crowd=full)

    def layout(self) -> None:
        bent, crowd, line = self.values.bent, self.values.crowd, self.make_line()
        code = self["bent.codes"][len(bent.bends) - 1][bent.asker]
        self.own = Readout(self["bent.own"], ".1%", words=f"the note “{bent.asker_name}” gets")
        digits = len(f"{max(crowd.beta, crowd.beta_large):.0f}")
        self.knob = Knob(self["inputs.beta"], *crowd.decades, spec=f",.{digits}g", prefix="β = ")
        self.need = Readout(
            self["crowd.beta_one_hot"], ".1f+", words="β with a number for every token",
            color=self.theme.text_color("value"),
        )  # fmt: skip
        side = Column(self.own, self.knob, self.need, weights=(0, 1, 0))
        beside = Row(side, line, weights=(0, 1))
        below = Column(line, Row(self.knob, Column(self.own, self.need)))
        fit(self.canvas, *((beside, below) if self.canvas.wide else (below, beside)))
        self.circle, high, sizes = line.standing, _BAR * line.radius, self["crowd.sizes"]
        self.many = Figure(sizes[0], ".0f", suffix=" tokens")
        away = spatial(code.array[None])[0]
        self.many.number.center_on(line.middle - _ACROSS * line.radius * away)
        self.asker, self.pair = Arrow(code, line, "query"), Pair(code, line)
        self.rays = Rays(self["bent.circle_shares"][bent.asker], line, high)
        self.ring = Ring(sizes[0], self["crowd.steps"], code, line)
        self.spokes = Rays(self["crowd.filling_shares"][0], self.ring, high)
        self.lay_line()
        self.name = line.labels[bent.asker]

    @beat(
        "As it bends, ever more notes are farthest out in their own direction: found.",
        ask="What if the line is bent into a circle?",
    )
    def bend_(self) -> Steps:
        yield FadeOut(self.numbers, run_time=0.4), *self.bend(self.circle)

    @beat(
        "Two numbers a token: with β at {inputs.beta:g}, “{bent.asker_name}” gives the note "
        "“{bent.asker_name}” {bent.own:.1%}."
    )
    def two(self) -> Steps:
        ink = self.theme.text_color("query")
        yield FadeOut(self.looks), FadeOut(self.count), recolor(self.name, ink)
        yield together(self.asker.grow(), self.pair.grow(), run_time=1.4)
        yield 0.5
        yield FadeOut(self.pair), FadeOut(self.asker), FadeIn(self.knob), FadeIn(self.own)
        yield self.rays.grow()

    @beat(_crowded, ask="And with {crowd.n_large} tokens on the circle?")
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
            run_time=3.2,
        )

    @beat(
        "For {crowd.mass:.0%}, β must be {crowd.beta_large:,.0f+} or more. With a number for every "
        "token, {crowd.beta_one_hot:.1f+} is enough."
    )
    def price(self) -> Steps:
        yield together(
            self.knob.to(self["crowd.beta_large"]),
            self.spokes.through(self["crowd.turned_shares"]),
            self.own.through(self["crowd.turned_own"]),
            run_time=2.4,
        )
        yield FadeIn(self.need)

    @beat(CAPTION)
    def back(self) -> Steps:
        size, time = self["crowd.sizes"][0], {"run_time": 1.8}
        gone = map(FadeOut, (self.knob, self.own, self.need, self.spokes))
        yield *gone, self.ring.to(size, **time), self.many.to(size, **time)
        self.line.dots.set_fill(opacity=1)
        self.remove(self.ring)
        names = self.line.see_names(1.0, self.values.bent.asker)
        yield names, recolor(self.name, self.theme.token)
