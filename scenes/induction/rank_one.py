"""One number a token: beads on a line, of which only the two ends find themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from manim import UP, FadeIn, FadeOut, linear

from model.bent_line import BentLine
from scenes.induction.beads import Drop
from scenes.induction.bending import Bending
from scenes.induction.rays import Asker, Rays
from scenes.induction.spread import letters
from scenes.induction.words import MatchInputs
from scenes.parts.equation import Equation
from scenes.parts.figures import Figure
from scenes.parts.strip import Strip
from scenes.stage import CAPTION, Stage, Steps, beat
from scenes.style.motion import recolor
from scenes.style.type import SMALL

_FORMULA = [
    *(("score", '"score"'), ("equals", "="), ("beta", "beta"), ("times", "dot")),
    *(("query", 'query(x_"query")'), ("and", "dot"), ("key", 'key(x_"key")')),
]
_SIZE = 40.0


@dataclass(frozen=True)
class OneNumber:
    """The different tokens of a text, and where they stand on a line."""

    tokens: tuple[str, ...]
    bent: BentLine


class RankOne(Stage):
    """One number a token: beads on a line, of which only the two ends find themselves."""

    class Inputs(MatchInputs):
        """A text, and how sharply its last token looks for itself."""

    title = "Is one number enough?"
    question = "{bent.n_vocab} different tokens, {bent.n_vocab} numbers each. How few would do?"
    caption = (
        "A note is found if the word it names gives it the most attention: "
        "on a line, only the ends are."
    )
    opens = ("tiles",)
    leaves = ("line", "beads", "numbers", "looks", "count")

    values: OneNumber

    @classmethod
    def compute(cls, inputs: Any) -> OneNumber:
        return OneNumber(inputs.tokens, inputs.line())

    def layout(self) -> None:
        self.bent = Bending(self, "bent")
        self.line, self.beads = self.bent.line, self.bent.beads
        self.numbers, self.looks, self.count = self.bent.numbers, self.bent.looks, self.bent.count
        self.looks.grown = 0.0
        over = self.bent.over_line()
        self.tiles = Strip(self["tokens"], size=letters(self.canvas))
        self.tiles.place(over)
        self.formula = Equation(_FORMULA, size=_SIZE)
        self.formula.place(over.cut_top(0.7)[0])
        bent = self.values.bent
        self.shares, self.codes = self["bent.line_shares"], self["bent.codes"][0]
        self.rays = Rays(self.shares[bent.asker], self.beads)
        self.asker = Asker(self.codes[bent.asker], self.line)
        end = self.shares[bent.asker][bent.end]
        self.most = Figure(end, ".1%-", size=SMALL)
        self.beads.hide()

    @beat("Suppose layer 1 may compare only one number a token: its place on a line.")
    def drop(self) -> Steps:
        self.add(self.line, self.beads, self.tiles)
        yield FadeIn(self.line), Drop(self.tiles, self.beads, run_time=0.75 * self.reading)
        self.remove(self.tiles)
        yield FadeIn(self.numbers), FadeIn(self.formula)

    @beat("“{bent.asker_name}” asks. Who gets the attention?")
    def asks(self) -> Steps:
        label = self.beads.labels[self.values.bent.asker]
        yield recolor(label, self.theme.text_color("query"))

    @beat("An end: a query can only call “left!” or “right!”, and the ends hear it best.")
    def shout(self) -> Steps:
        bent = self.values.bent
        self.add(self.rays, self.beads, self.asker)
        yield self.asker.point(run_time=1.0)
        yield self.rays.rise(run_time=1.4)
        yield FadeIn(self.most.put(self.rays.tip(bent.end) + 0.1 * UP), run_time=0.4)

    @beat("Whoever asks: who gets most depends only on the side of 0 it stands on.")
    def along(self) -> Steps:
        label = self.beads.labels[self.values.bent.asker]
        yield (
            self.asker.to(self.codes[0]),
            self.rays.to(self.shares[0]),
            FadeOut(self.most),
            recolor(label, self.theme.token),
        )
        both: dict[str, Any] = {"run_time": 0.8 * self.reading, "rate_func": linear}
        yield self.asker.through(self.codes, **both), self.rays.through(self.shares, **both)

    @beat(CAPTION)
    def found(self) -> Steps:
        yield (
            self.rays.rise(0.0, run_time=0.8),
            self.asker.point(0.0, run_time=0.8),
            FadeOut(self.formula),
        )
        self.remove(self.rays, self.asker)
        self.add(self.looks, self.beads)
        yield self.looks.grow(run_time=0.55 * self.reading)
        yield FadeIn(self.count)
