"""A dot product is a shadow: how far an arrow reaches along the ciphertext's."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from manim import linear
from pydantic import Field

from clockhead.model.caesar.cipher import N_ROTATIONS
from clockhead.model.films.caesar.angle import Shadows, shadows
from clockhead.scenes.caesar.fan import Axes, Fan
from clockhead.scenes.caesar.fan_marks import Bows, Rim, Shades
from clockhead.scenes.caesar.inputs import CryptogramInputs
from clockhead.scenes.caesar.panels import Legend, beside
from clockhead.scenes.caesar.scores import Found, score_bars, score_chart
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.stage import CAPTION, Row, Stage, Steps, beat
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.type import SUBTITLE

Axis = Annotated[str, Field(pattern=r"^[a-z]?$")]
_MOST_LIT = 3
"""Of rotations that share the largest dot product, as many are lit."""


def _rival(values: Shadows) -> str:
    if values.misleads and not values.cryptogram.is_tied:
        return (
            "No: rotation {longest} is only longer. Rotation {rival}, found before, points closer."
        )
    if values.rules_differ:
        return "No: rotation {rival} points closer, but its arrow is shorter."
    return "With these two letters, yes: no arrow points closer than rotation {longest}."


class Angle(Stage[Shadows]):
    """A dot product is a shadow: how far an arrow reaches along the ciphertext's."""

    class Inputs(CryptogramInputs):
        x: Axis = Field(
            "",
            description="one of the letters a to z, the one along the first axis; left out, the "
            "one that shows best that shadow and angle differ",
        )
        y: Axis = Field(
            "", description="one of the letters a to z, the one along the second axis, likewise"
        )

    title = "Every dot product is a shadow"
    question = "What does a dot product measure?"
    caption = (
        "The same {n_all} numbers make all rotations equally long: longest shadow means smallest "
        "angle."
    )
    opens = ("rotations", "scores")
    leaves = ("plane", "rotations", "scores")

    compute = shadows

    def layout(self) -> None:
        values, scores = self.values, self["dot_products"]
        self.plane = Fan(self["tips"][0], whole=False)
        self.rotations = score_chart(self)
        self.won = [int(r) for r in values.cryptogram.leaders[:_MOST_LIT]]
        others = np.setdiff1d(np.arange(N_ROTATIONS), self.won)
        last = scores[len(scores) - 1]
        self.scores = score_bars(last, self.rotations, dimmed=others.tolist())
        self.count = Figure(self["n_letters"][0], ".0f", size=SUBTITLE, suffix=" letters")
        self.words = Legend(("ciphertext", "residual"), ("rotations of English", "position"))
        head = Row(self.words, self.count, gap=0.6)
        beside(self.canvas, head, self.plane, self.rotations)
        self.axes = Axes((self["x"], self["y"]), self["slope"], self.plane)
        leaders = self["cryptogram.leaders"]
        picks = [self["longest"], self["rival"], *(leaders[k] for k in range(len(self.won)))]
        for rotation in picks:
            self.plane.pick(rotation)
        at = [int(p.content) for p in picks]
        self.shades = Shades(self["shadows"][0], self.plane, at)
        self.bows = Bows(self["angles"][0], self.plane, at)

    @beat("Keep two letters: the ciphertext and all rotations become arrows.")
    def two(self) -> Steps:
        yield (
            FadeIn(self.words, self.count, self.axes, run_time=0.8),
            FadeIn(self.plane, run_time=0.3 * self.reading),
            self.scores.recolor(range(N_ROTATIONS), "value"),
        )
        yield 0.4 * self.scores.to(self["dot_products"][0])

    @beat("A dot product is the length of the ciphertext's arrow, times a shadow on it.")
    def shadow(self) -> Steps:
        longest = self.values.longest
        self.add(self.shades, self.plane)
        others = [r for r in range(N_ROTATIONS) if r != longest]
        yield self.plane.light(longest), self.scores.dim_bars(others)
        yield 0.65 * self.shades.light(longest)

    @beat(_rival, ask="Does this arrow point closest to the ciphertext?")
    def rival(self) -> Steps:
        two = (self.values.longest, self.values.rival)
        self.add(self.bows, self.plane)
        yield (
            self.plane.light(*two),
            self.bows.light(*two, run_time=1.0),
            self.scores.recolor(two, "value"),
        )
        yield 0.6 * self.shades.light(*two)

    @beat("As the other letters join, only lengths and angles to the ciphertext are true.")
    def join(self) -> Steps:
        yield FadeOut(self.axes, run_time=0.6), self.bows.light(run_time=0.6)
        self.plane.followers.remove(self.axes)
        options: dict[str, Any] = {"run_time": 0.9 * self.reading, "rate_func": linear}
        yield (
            self.plane.through(self["tips"], **options),
            self.shades.through(self["shadows"], **options),
            self.scores.through(self["dot_products"], **options),
            self.count.through(self["n_letters"], **options),
        )

    @beat(CAPTION)
    def found(self) -> Steps:
        self.rim = Rim(self["lengths"][len(self["lengths"]) - 1][0], self.plane)
        self.bows.set_to(self["angles"][len(self["angles"]) - 1])
        self.add(self.rim, self.bows, self.plane)
        time = 0.3 * self.reading
        yield self.rim.light(0, run_time=time)
        lost = [r for r in (self.values.longest, self.values.rival) if r not in self.won]
        yield (
            self.plane.light(*self.won, run_time=time),
            self.shades.light(*self.won, run_time=time),
            self.bows.light(*self.won, run_time=time),
            self.scores.dim_bars(lost),
            self.scores.recolor(self.won, "value"),
        )
        if len(self.won) == 1:
            self.label = Found(self["narrowest"], self.scores)
            self.label.redraw()
            yield FadeIn(self.label)
