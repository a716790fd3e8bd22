"""One number a token: beads on a line, of which only the two ends find themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import UP, LaggedStart, linear

from clockhead.model.films.induction.rank_one import OneNumber
from clockhead.scenes.induction.line import OnLine
from clockhead.scenes.induction.looks import Rays
from clockhead.scenes.induction.spread import letters
from clockhead.scenes.induction.words import MatchInputs
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.plane_arrows import Arrow
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.stage import CAPTION, Steps, beat, together
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeIn, FadeOut, recolor
from clockhead.scenes.style.type import SMALL

_FORMULA = [
    *(("score", '"score"'), ("equals", "="), ("beta", "beta"), ("times", "dot")),
    *(("query", 'query(x_"query")'), ("and", "dot"), ("key", 'key(x_"key")')),
]
_SIZE = 40.0


class RankOne(OnLine):
    """One number a token: beads on a line, of which only the two ends find themselves."""

    class Inputs(MatchInputs):
        """A text, and how sharply its last token looks for itself."""

    title = "Is one number enough?"
    question = "{bent.n_vocab} different tokens, {bent.n_vocab} numbers each. So many?"
    caption = (
        "A note is found if the word it names gives it the most attention: "
        "on a line, only the ends are."
    )
    opens = ("tiles",)
    leaves = ("line", "numbers", "looks", "count")

    values: OneNumber

    @classmethod
    def compute(cls, inputs: Any) -> OneNumber:
        return OneNumber(tokens=inputs.tokens, bent=inputs.line())

    def layout(self) -> None:
        self.make_line()
        self.lay_line()
        canvas, line, bent = self.canvas, self.line, self.values.bent
        over = Region(canvas.left, float(line.middle[1]) + 0.5, canvas.right, canvas.top)
        self.tiles = Strip(self["tokens"], size=letters(canvas))
        self.tiles.place(over)
        self.formula = Equation(_FORMULA, size=_SIZE)
        self.formula.place(over.cut_top(0.7)[0])
        self.shares, self.codes = self["bent.line_shares"], self["bent.codes"][0]
        self.rays = Rays(self.shares[bent.asker], line, line.high)
        self.asker = Arrow(self.codes[bent.asker], line, "query")
        self.most = Figure(self.shares[bent.asker][bent.end], ".1%", size=SMALL)
        tip, half = self.rays.tip(bent.end) + 0.1 * UP, self.most.number.width / 2
        tip[0] = np.clip(tip[0], canvas.left + half, canvas.right - half)
        self.most.put(tip)
        self.name = line.labels[bent.asker]

    @beat("Suppose layer 1 compares one number a token: its place on a line.")
    def drop(self) -> Steps:
        """The tiles fall to where their words stand, the same ones onto the same place."""
        tokens, names = self.values.tokens, self.values.bent.names
        falling = [self.tiles.copy_of(k) for k in range(len(tokens))]
        self.add(*falling)
        self.remove(self.tiles)
        goals = [self.line.places[names.index(token)] for token in tokens]
        falls = [tile.fly_to(goal) for tile, goal in zip(falling, goals, strict=True)]
        time = 0.75 * self.reading
        yield FadeIn(self.line, run_time=time), LaggedStart(*falls, lag_ratio=0.2, run_time=time)
        self.remove(*falling)
        yield FadeIn(self.numbers), FadeIn(self.formula)

    @beat("“{bent.asker_name}” asks, with β at {inputs.beta:g}. Who gets the attention?")
    def asks(self) -> Steps:
        yield recolor(self.name, self.theme.text_color("query"))

    @beat("An end: a query can only call “left!” or “right!”, and the ends hear it best.")
    def shout(self) -> Steps:
        yield self.asker.grow()
        yield self.rays.grow(run_time=1.4)
        yield FadeIn(self.most, run_time=0.4)

    @beat("Whoever asks: who gets most depends only on the side of 0 it stands on.")
    def along(self) -> Steps:
        yield (
            self.asker.to(self.codes[0]),
            self.rays.to(self.shares[0]),
            FadeOut(self.most),
            recolor(self.name, self.theme.token),
        )
        turn = self.asker.through(self.codes, rate_func=linear)
        yield 0.8 * together(turn, self.rays.through(self.shares, rate_func=linear))

    @beat(CAPTION)
    def found(self) -> Steps:
        yield FadeOut(self.rays), FadeOut(self.asker), FadeOut(self.formula)
        yield 0.55 * self.looks.appear()
        yield FadeIn(self.count)
