"""One number a token: beads on a line, of which only the two ends find themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import UP, LaggedStart, linear

from clockhead.model.films.induction.rank_one import OneNumber
from clockhead.scenes.induction.line import NAME_SIZE, OnLine
from clockhead.scenes.induction.looks import Rays
from clockhead.scenes.induction.spread import LARGE, letters
from clockhead.scenes.induction.words import LineInputs
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.plane import Arrow
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.stage import CAPTION, Derived, Steps, beat, together
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeIn, FadeOut, recolor

_FORMULA = [
    *(("score", '"score"'), ("equals", "="), ("beta", "beta"), ("times", "dot")),
    *(("query", 'query(x_"query")'), ("and", "dot"), ("key", 'key(x_"key")')),
]
_SIZE = 48.0


class RankOne(OnLine):
    """One number a token: beads on a line, of which only the two ends find themselves."""

    class Inputs(LineInputs):
        """A text, and how sharply its last token looks for itself."""

    title = "Is one number enough?"
    question = ""
    caption = "Only the two ends find themselves: {bent.n_found_on_line} of {bent.n_vocab} words."
    opens = ("tiles",)
    leaves = ("line", "numbers", "looks", "count")
    derived = {
        "end_share": Derived(
            "what the end of the line gets from the token that asks",
            lambda v: float(v.bent.line_shares[v.bent.asker, v.bent.end]),
            "share",
        ),
    }

    values: OneNumber

    @classmethod
    def compute(cls, inputs: Any) -> OneNumber:
        return OneNumber(tokens=inputs.tokens, bent=inputs.line())

    def layout(self) -> None:
        self.make_line()
        self.lay_line()
        canvas, line, bent = self.canvas, self.line, self.values.bent
        over = Region(canvas.left, float(line.middle[1]) + 0.5, canvas.right, canvas.top)
        self.tiles = Strip(self["tokens"], size=letters(canvas, LARGE))
        self.tiles.place(over)
        self.formula = Equation(_FORMULA, size=_SIZE)
        self.formula.place(over.cut_top(0.7)[0])
        self.shares, self.codes = self["bent.line_shares"], self["bent.codes"][0]
        self.rays = Rays(self.shares[bent.asker], line, line.high)
        self.asker = Arrow(self.codes[bent.asker], line, "query")
        self.most = Figure(self.shares[bent.asker][bent.end], ".1%", size=NAME_SIZE)
        tip, half = self.rays.tip(bent.end) + 0.1 * UP, self.most.number.width / 2
        tip[0] = np.clip(tip[0], canvas.left + half, canvas.right - half)
        self.most.put(tip)
        self.name = line.labels[bent.asker]

    @beat(
        "Suppose that each word has a single number: its place on a line.",
        ask="So far, every word has had a number of its own. Do we need so many?",
    )
    def drop(self) -> Steps:
        """The tiles fall to where their words stand, the same ones onto the same place."""
        tokens, names = self.values.tokens, self.values.bent.names
        falling = [self.tiles.copy_of(k) for k in range(len(tokens))]
        self.add(*falling)
        self.remove(self.tiles)
        goals = [self.line.places[names.index(token)] for token in tokens]
        falls = [tile.fly_to(goal) for tile, goal in zip(falling, goals, strict=True)]
        time = max(3.0, 0.75 * self.reading)
        yield FadeIn(self.line, run_time=time), LaggedStart(*falls, lag_ratio=0.2, run_time=time)
        self.remove(*falling)
        yield FadeIn(self.numbers)

    @beat("“{bent.asker_name}” looks for itself.")
    def asks(self) -> Steps:
        yield recolor(self.name, self.theme.text_color("query"))
        yield self.asker.grow()

    @beat(
        "Not “{bent.asker_name}”: the end of the line, with {end_share:.1%}.",
        ask="Who gets its attention?",
        rest=REST,
    )
    def shout(self) -> Steps:
        yield self.rays.grow(run_time=1.4)
        yield FadeIn(self.most, run_time=0.4)

    @beat("A score is a product of two numbers, and whoever asks, one of the ends has the largest.")
    def along(self) -> Steps:
        yield (
            self.asker.to(self.codes[0]),
            self.rays.to(self.shares[0]),
            FadeOut(self.most),
            recolor(self.name, self.theme.token),
            FadeIn(self.formula),
        )
        turn = self.asker.through(self.codes, rate_func=linear)
        rays = self.rays.through(self.shares, rate_func=linear)
        yield together(turn, rays, run_time=max(5.0, 0.8 * self.reading))

    @beat(CAPTION)
    def found(self) -> Steps:
        yield FadeOut(self.rays), FadeOut(self.asker), FadeOut(self.formula)
        yield self.looks.appear(run_time=2.0)
        yield FadeIn(self.count)
