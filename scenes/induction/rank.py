"""Two numbers a token: a circle has no ends, so that every note is found; at a price."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from manim import FadeIn, FadeOut

from model.bent_line import BentLine, Crowd
from scenes.induction.bending import Bending
from scenes.induction.crowd import CircleRoom, Notch, Pair, Ring, Spokes
from scenes.induction.rays import Asker, Rays
from scenes.induction.words import CrowdInputs
from scenes.parts.figures import Figure, Readout
from scenes.parts.knob import Knob
from scenes.stage import CAPTION, Column, Row, Stage, Steps, beat, fit
from scenes.style.motion import recolor

_ACROSS = 0.45
"""Where the number of tokens stands: across from the one that asks, in radii."""


@dataclass(frozen=True)
class TwoNumbers:
    """The different tokens of a text on a line that bends, and a fuller circle."""

    bent: BentLine
    crowd: Crowd


def _crowded(values: TwoNumbers) -> str:
    gets = "the note “{bent.asker_name}” gets {crowd.own_large:.1%"
    if values.crowd.is_sharp:
        return f"Its neighbours stand close, but β is large: {gets}-}}."
    return f"Its neighbours stand close now: {gets}}}."


def _price(values: TwoNumbers) -> str:
    needed = "{crowd.beta_large:,.0f+}"
    first = f"For 99 % it takes β = {needed}."
    if values.crowd.is_sharp:
        first = f"For 99 %, β = {needed} would do."
    return first + " With a number for every token, {crowd.beta_one_hot:.1f+} is enough."


class Rank(Stage):
    """Two numbers a token: a circle has no ends, so that every note is found; at a price."""

    class Inputs(CrowdInputs):
        """A text, how sharply its last token looks for itself, and a larger vocabulary."""

    title = "A line has two ends, a circle has none"
    question = "What do two numbers buy?"
    caption = "Two numbers are enough to find a note; more numbers keep its neighbours apart."
    opens = ("line", "beads", "numbers", "looks", "count")

    values: TwoNumbers

    @classmethod
    def compute(cls, inputs: Any) -> TwoNumbers:
        return TwoNumbers(inputs.line(), inputs.crowd())

    def layout(self) -> None:
        self.bent = Bending(self, "bent")
        self.line, self.beads = self.bent.line, self.bent.beads
        self.numbers, self.looks, self.count = self.bent.numbers, self.bent.looks, self.bent.count
        bent = self.values.bent
        code = self["bent.codes"][len(bent.bends) - 1]
        self.room = CircleRoom(code, self.beads)
        self.own = Readout(self["bent.own"], ".1%", words=f"the note “{bent.asker_name}” gets")
        beta = self["inputs.beta"]
        crowd = self.values.crowd
        digits = len(f"{max(crowd.beta, crowd.beta_large):.0f}")
        self.knob = Knob(beta, *crowd.decades, spec=f",.{digits}g", prefix="β = ")
        self.need = Readout(
            self["crowd.beta_one_hot"], ".1f+", words="β with a number for every token",
            color=self.theme.text_color("value"),
        )  # fmt: skip
        side = Column(self.own, self.knob, self.need, weights=(0, 1, 0))
        foot = Row(self.own, self.knob, self.need)
        beside, below = Row(side, self.room, weights=(0, 1)), Column(self.room, foot)
        fit(self.canvas, *((beside, below) if self.canvas.wide else (below, beside)))
        self.asker = Asker(code[bent.asker], self.line, beam=False)
        self.pair = Pair(code[bent.asker], self.line)
        self.rays = Rays(self["bent.circle_shares"][bent.asker], self.beads)
        sizes = self["crowd.sizes"]
        self.ring = Ring(sizes[0], self["crowd.steps"], code[bent.asker], self.line)
        self.spokes = Spokes(self["crowd.filling_shares"][0], self.ring)
        self.notch = Notch(self["crowd.beta_one_hot"], self.knob)
        self.many = Figure(sizes[0], ".0f", suffix=" tokens")
        standing = self.room.standing
        away = np.array([*code.array[bent.asker], 0.0]) * standing.scale
        self.many.number.center_on(standing.origin - _ACROSS * away)

    @beat(
        "As it bends, more and more notes are farthest out in their own direction: found.",
        ask="What if the line is bent into a circle?",
    )
    def bend(self) -> Steps:
        bend = self.bent.bend(self.room.standing, run_time=self.reading)
        yield FadeOut(self.numbers, run_time=0.4), *bend

    @beat(
        "It takes two numbers a token. With β at {inputs.beta:g}, “{bent.asker_name}” gives the "
        "note “{bent.asker_name}” {bent.own:.1%}."
    )
    def two(self) -> Steps:
        label = self.beads.labels[self.values.bent.asker]
        self.add(self.pair, self.beads, self.asker)
        yield (
            FadeIn(self.pair.axes), FadeOut(self.looks), FadeOut(self.count),
            self.asker.point(), recolor(label, self.theme.text_color("query")),
        )  # fmt: skip
        yield self.pair.fall(run_time=1.2)
        yield 0.5
        yield FadeOut(self.pair), self.asker.point(0.0), FadeIn(self.knob), FadeIn(self.own)
        self.remove(self.asker)
        self.add(self.rays, self.beads)
        yield self.rays.rise(run_time=1.0)

    @beat("And with {crowd.n_large} tokens on the circle?")
    def crowd(self) -> Steps:
        asker = self.values.bent.asker
        yield self.beads.fade_names(0.0, asker), FadeIn(self.many)
        self.remove(self.rays)
        self.add(self.spokes, self.ring, self.beads)
        self.beads.grown[[k for k in range(len(self.beads.names)) if k != asker]] = 0
        self.beads.redraw()
        time = {"run_time": 3.2}
        yield (
            self.many.through(self["crowd.sizes"], **time),
            self.ring.through(self["crowd.sizes"], **time),
            self.spokes.through(self["crowd.filling_shares"], **time),
            self.own.through(self["crowd.filling_own"], **time),
        )

    @beat(_crowded)
    def little(self) -> Steps:
        yield 0.4

    @beat(_price)
    def price(self) -> Steps:
        time = {"run_time": 2.4}
        yield (
            self.knob.to(self["crowd.beta_large"], **time),
            self.spokes.through(self["crowd.turned_shares"], **time),
            self.own.through(self["crowd.turned_own"], **time),
        )
        yield self.notch.appear(), FadeIn(self.need)

    @beat(CAPTION)
    def back(self) -> Steps:
        sizes = self["crowd.sizes"]
        yield (
            *(FadeOut(part) for part in (self.knob, self.own, self.need, self.notch, self.spokes)),
            self.ring.to(sizes[0], run_time=1.8),
            self.many.to(sizes[0], run_time=1.8),
        )
        self.beads.grown[:] = 1
        self.beads.redraw()
        self.remove(self.ring)
        label = self.beads.labels[self.values.bent.asker]
        yield self.beads.fade_names(1.0, self.values.bent.asker), recolor(label, self.theme.token)
