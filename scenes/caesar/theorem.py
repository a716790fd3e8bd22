"""The smallest squared error is the largest dot product if all templates have one length."""

from __future__ import annotations

from dataclasses import astuple

import numpy as np
from manim import Create, smooth
from numpy.typing import NDArray

from clockhead.model.caesar.cipher import N_ROTATIONS
from clockhead.model.films.caesar.theorem import EqualLengths, equal_lengths
from clockhead.scenes.caesar.ciphertext import Ciphertext, place_message
from clockhead.scenes.caesar.fan import HEAD, Fan
from clockhead.scenes.caesar.fan_marks import Gaps
from clockhead.scenes.caesar.inputs import CryptogramInputs
from clockhead.scenes.caesar.scores import score_bars, score_chart
from clockhead.scenes.parts.curves import Rule
from clockhead.scenes.parts.equation import Equation, become
from clockhead.scenes.parts.scale import Scale
from clockhead.scenes.stage import CAPTION, REST, Column, Row, Stage, Steps, beat, fit, together
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut

_ERROR = ("error", 'wrong("error")')
_LENGTHS = ("lengths", 'abs(residual("message"))^2 + abs(position("English"))^2')
_TWICE = ("twice", 'score(2 "message" dot "English")')
_EQUALS = ("equals", "=")
_MOST_LIT = 3
"""Most tied rotations that are lit."""
_GUESSED = 0.6
"""How far the errors are stacked before the pause in which viewers can guess, 0 to 1."""
_GAP = 0.15
"""Gap between the parts, in units."""


class Theorem(Stage[EqualLengths]):
    """The smallest squared error is the largest dot product if all templates have one length."""

    Inputs = CryptogramInputs
    title = "Two rules, one winner"
    caption = "So the smallest error is the largest dot product: both rules choose the same."
    opens = ("plane",)
    leaves = ("message",)

    compute = equal_lengths

    def layout(self) -> None:
        self.square = Equation([_ERROR, _EQUALS, _LENGTHS, ("minus", "-"), _TWICE], size=40)
        self.sum = Equation([_ERROR, ("plus", "+"), _TWICE, _EQUALS, _LENGTHS], size=40)
        self.plane = Fan(self["tips"])
        self.rotations = score_chart(self, "cryptogram.dot_products")
        leaders = self["cryptogram.leaders"]
        self.winners = [int(r) for r in leaders.content[:_MOST_LIT]]
        self.others = [r for r in range(N_ROTATIONS) if r not in self.winners]
        self.scores = score_bars(self["cryptogram.twice"], self.rotations, grown=False)
        self.square.place(self.canvas.cut_top(HEAD, _GAP)[0])
        row = Row(self.plane, self.rotations)
        column = Column(self.plane, self.rotations, gap=_GAP, weights=(3, 2))
        both = (row, column) if self.canvas.wide else (column, row)
        fit(self.canvas.cut_top(HEAD, _GAP)[1], *both)
        self.aside, self.alone = self.plane.room, self.canvas.cut_top(HEAD)[1]
        self.plane.place(self.alone)
        self.rotations.y.rescale(Scale(0.0, self.values.cryptogram.level, line=False))
        self.rotations.place_area(self.rotations.area)
        self.square.hide()
        self.message = Ciphertext(self["cryptogram.ciphertext"])
        place_message(self.canvas, self.message)
        for k, winner in enumerate(self.winners):
            self.plane.pick(leaders[k])
            self.plane.shares[winner] = 1.0
        self.plane.redraw()
        self.gaps = Gaps(self["cryptogram.squared_errors"], self.plane, range(N_ROTATIONS))

    @beat(
        "Another rule: take the tip nearest to the message's. Its distance, squared, is called the "
        "error.",
        focus="plane",
    )
    def nearest(self) -> Steps:
        self.add(self.gaps)
        yield 0.4 * self.gaps.light(*range(N_ROTATIONS))
        yield 0.3 * self.gaps.light(*self.winners)

    @beat(
        "Multiplied out, the error is both squared lengths, minus twice the dot product.",
        focus="plane",
    )
    def multiply_out(self) -> Steps:
        self.add(self.square)
        yield self.square.appear("error", "equals", run_time=0.8)
        yield 0.3 * self.square.appear("lengths", "minus", "twice")

    @beat(
        "The squared lengths are the same for every rotation. Only the dot product tells them "
        "apart.",
        rest=REST,
        focus="plane",
    )
    def same(self) -> Steps:
        yield 0.3 * self.square.pulse("lengths")
        yield 0.3 * self.square.pulse("twice")

    @beat("Stack them: twice the dot product below, the error on top. How high does it get?")
    def stack(self) -> Steps:
        """Stack the errors most of the way, and pause for viewers to guess the rest."""
        yield (
            self._step_aside(run_time=1.0),
            become(self.square, self.sum, hops={"twice": -0.4}, run_time=1.0),
        )
        self.add(self.scores)
        yield FadeIn(self.rotations, run_time=0.5), self.scores.grow(lag=0.2, run_time=1.5)
        self.errors = score_bars(self["cryptogram.twice"], self.rotations, "wrong")
        self.rule = Rule(self["cryptogram.level"], self.rotations, "the same for all")
        for mark in (self.errors, self.rule):
            mark.redraw()
        self.add(self.errors, self.scores)
        yield self.errors.to(self["sums"], run_time=1.5, rate_func=lambda s: _GUESSED * smooth(s))
        yield 2.0

    @beat("All reach one height: a larger dot product means a smaller error.", rest=REST)
    def level(self) -> Steps:
        yield self.errors.to(self["sums"], run_time=2.0)
        yield Create(self.rule)

    def _step_aside(self, *, back: bool = False, run_time: float) -> Drive:
        """Move the arrows from the middle to make room for the scores, or back."""
        start, end = (np.array(astuple(region)) for region in (self.alone, self.aside))
        start, end = (end, start) if back else (start, end)

        def show(share: NDArray[np.float64]) -> None:
            self.plane.place(Region(*(start + (end - start) * float(share)).tolist()))

        return Drive(self.plane, show, 0.0, 1.0, run_time=run_time)

    @beat(CAPTION, rest=REST, focus="plane")
    def both(self) -> Steps:
        bars = (self.scores, self.errors)
        yield 0.3 * together(*(mark.dim_bars(self.others) for mark in bars))
        yield 0.3 * self.square.pulse("twice")
        yield 0.3 * self.square.pulse("error")
        chart = (self.rotations, self.scores, self.errors, self.rule)
        yield FadeOut(self.square, self.gaps, *chart, run_time=0.6)
        yield self._step_aside(back=True, run_time=1.0), FadeIn(self.message, run_time=1.0)
