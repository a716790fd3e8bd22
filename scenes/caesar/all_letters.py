"""All 26 letters: the arrows have one length, so the longest shadow has the smallest angle."""

from __future__ import annotations

from typing import Any

from clockhead.model.caesar.cipher import N_ROTATIONS
from clockhead.scenes.caesar.angle import Angle
from clockhead.scenes.caesar.ciphertext import Ciphertext
from clockhead.scenes.caesar.fan import HEAD
from clockhead.scenes.caesar.fan_marks import Rim
from clockhead.scenes.stage import CAPTION, REST, Steps, beat, together
from clockhead.scenes.style.motion import FadeIn, FadeOut

_ONE_BY_ONE = 3
"""Number of letters that join one at a time; the others join in one movement."""
_FIRST = 2.0
"""Duration of the first of them, in seconds."""


class AllLetters(Angle):
    """From two letters to all 26, until the arrows have one length and differ only in angle."""

    Inputs = Angle.Inputs
    title = "Only length and angle"
    caption = "So the longest shadow is the smallest angle."
    opens = ("plane", "axes", "words", "shades", "bows")
    leaves = ("plane",)
    tells = ("third", "chart", "join", "equal", "found")

    def layout(self) -> None:
        super().layout()
        two = (self.values.longest, self.values.rival)
        self.plane.growth[:], self.plane.upright, self.plane.dimmed = 1.0, 1.0, 1.0
        for part in (self.plane, self.shades, self.bows):
            part.light(*two).interpolate(1.0)
        self.joined = Ciphertext(self["joining"])
        self.joined.place(self.canvas.cut_top(HEAD)[0])
        self.joined.light_to(2).interpolate(1.0)

    @beat(
        "Two letters are too few. But a third needs a third axis, and more cannot be drawn.",
        focus="plane",
    )
    def third(self) -> Steps:
        yield FadeOut(self.axes, self.words, run_time=1.0), self.plane.dim_thin(0.0)
        self.plane.followers.remove(self.axes)
        yield self.bows.light(), self.shades.light()

    @beat("So keep only how long each arrow is, and its angle to the message.", focus="plane")
    def chart(self) -> Steps:
        two = (self.values.longest, self.values.rival)
        yield 0.3 * self.bows.light(*two)
        yield FadeIn(self.joined, run_time=0.8)

    @beat(
        "Now the other letters join. Left and right of the message no longer mean anything.",
        focus="plane",
    )
    def join(self) -> Steps:
        """Add letters one at a time at first, then faster and faster."""
        yield 0.25 * self.shades.light(self.values.longest, self.values.rival)
        parts = ((self.plane, "tips"), (self.shades, "shadows"), (self.bows, "angles"))
        for k in range(1, _ONE_BY_ONE + 1):
            yield together(
                self.joined.light_to(2 + k, start=1 + k),
                *(part.to(self[name][k]) for part, name in parts),
                run_time=_FIRST if k == 1 else 1.0,
            )
            yield 0.6
        rest: dict[str, Any] = {"run_time": 5.0, "rate_func": lambda s: min(s, 1.0) ** 1.3}
        yield (
            self.joined.light_to(N_ROTATIONS, start=2 + _ONE_BY_ONE, **rest),
            *(part.through(self[name][_ONE_BY_ONE:], **rest) for part, name in parts),
        )

    @beat(
        "With all {n_all} letters, all rotations are equally long: the same numbers in another "
        "order.",
        rest=REST,
        focus="plane",
    )
    def equal(self) -> Steps:
        self.rim = Rim(self["lengths"][len(self["lengths"]) - 1][0], self.plane)
        self.add(self.rim, self.bows, self.plane)
        lit = (*self.won, self.values.longest)
        yield self.plane.light(*lit), self.bows.light(), self.shades.light()
        yield 0.5 * self.rim.light(0)

    @beat(CAPTION, rest=REST, focus="plane")
    def found(self) -> Steps:
        yield 0.4 * self.shades.light(*self.won)
        yield 0.4 * self.bows.light(*self.won)
