"""A dot product is a shadow: how far an arrow reaches along the message's."""

from __future__ import annotations

from typing import Annotated, Any

from manim import linear
from pydantic import Field

from clockhead.model.films.caesar.angle import Shadows, shadows
from clockhead.scenes.caesar.fan import Axes, Fan
from clockhead.scenes.caesar.fan_marks import Bows, Rim, Shades
from clockhead.scenes.caesar.inputs import CryptogramInputs
from clockhead.scenes.caesar.panels import HEAD, Legend
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.stage import CAPTION, REST, Row, Stage, Steps, beat
from clockhead.scenes.style.motion import FadeIn, FadeOut

Axis = Annotated[str, Field(pattern=r"^[a-z]?$")]
_MOST_LONGER = 1.25
"""How many times as long as all others the message's arrow may be, to be seen as a whole."""
_LARGE = 30.0
"""The size of the number of letters, in pixels."""
_MOST_LIT = 3
"""Of rotations that share the largest dot product, as many are lit."""


def _rival(values: Shadows) -> str:
    if values.misleads and not values.cryptogram.is_tied:
        return "No: it is only longer. Rotation {rival}, found before, points closer."
    if values.rules_differ:
        return "No: rotation {rival} points closer, but its arrow is shorter."
    return "With these two letters, yes: no arrow points closer than rotation {longest}."


class Angle(Stage[Shadows]):
    """A dot product is a shadow: how far an arrow reaches along the message's."""

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
    caption = (
        "With all {n_all} letters, the arrows are equally long: the same numbers in another order. "
        "So the longest shadow is the smallest angle."
    )
    opens = ("plane",)
    leaves = ("plane",)

    compute = shadows

    def layout(self) -> None:
        values = self.values
        text = values.cryptogram
        is_near = text.own_square < _MOST_LONGER**2 * text.length_squared
        self.plane = Fan(self["tips"][0], whole=is_near)
        self.won = [int(r) for r in values.cryptogram.leaders[:_MOST_LIT]]
        self.count = Figure(self["n_letters"][0], ".0f", size=_LARGE, suffix=" letters")
        self.words = Legend(("message", "residual"), ("rotations of English", "position"))
        top, rest = self.canvas.cut_top(HEAD)
        Row(self.words, self.count, gap=0.6).place(top)
        self.plane.place(rest)
        self.axes = Axes((self["x"], self["y"]), self["slope"], self.plane)
        leaders = self["cryptogram.leaders"]
        picks = [self["longest"], self["rival"], *(leaders[k] for k in range(len(self.won)))]
        for rotation in picks:
            self.plane.pick(rotation)
        at = [int(p.content) for p in picks]
        self.shades = Shades(self["shadows"][0], self.plane, at)
        self.bows = Bows(self["angles"][0], self.plane, at)

    @beat(
        "Why does that work? Keep two letters, “{x}” and “{y}”. Two heights make an arrow: one for "
        "the message, and one for each rotation of English."
    )
    def two(self) -> Steps:
        yield FadeIn(self.axes, run_time=0.8)
        yield FadeIn(self.words, self.count, run_time=0.8)

    @beat("The dot product measures a shadow: how far an arrow reaches along the message's arrow.")
    def shadow(self) -> Steps:
        longest = self.values.longest
        self.add(self.shades, self.plane)
        yield self.plane.light(longest)
        yield 0.5 * self.shades.light(longest)

    @beat(
        _rival,
        ask="No shadow is longer than that of rotation {longest}. "
        "Does it also point closest to the message?",
        rest=REST,
    )
    def rival(self) -> Steps:
        two = (self.values.longest, self.values.rival)
        self.add(self.bows, self.plane)
        yield self.plane.light(*two), self.bows.light(*two)
        yield 0.4 * self.shades.light(*two)

    @beat(
        "Now let the other letters join. We cannot draw so many directions. But we can draw how "
        "long each arrow is, and its angle to the message."
    )
    def join(self) -> Steps:
        yield FadeOut(self.axes, run_time=0.6), self.bows.light(run_time=0.6)
        self.plane.followers.remove(self.axes)
        options: dict[str, Any] = {"run_time": 0.8 * self.reading, "rate_func": linear}
        yield (
            self.plane.through(self["tips"], **options),
            self.shades.through(self["shadows"], **options),
            self.count.through(self["n_letters"], **options),
        )

    @beat(CAPTION, rest=REST)
    def found(self) -> Steps:
        self.rim = Rim(self["lengths"][len(self["lengths"]) - 1][0], self.plane)
        self.bows.set_to(self["angles"][len(self["angles"]) - 1])
        self.add(self.rim, self.bows, self.plane)
        time = 0.3 * self.reading
        yield self.rim.light(0, run_time=time)
        yield (
            self.plane.light(*self.won, run_time=time),
            self.shades.light(*self.won, run_time=time),
            self.bows.light(*self.won, run_time=time),
        )
