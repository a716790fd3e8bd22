"""Without positions the scores of some words are the same in any order; and the film's name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from manim import FadeIn, VGroup

from model.word_scores import WordOrders
from scenes.parts.card import TitleCard
from scenes.parts.dial import Dials
from scenes.parts.dial_hands import Hands
from scenes.parts.score_arcs import ScoreArcs
from scenes.parts.strip import Strip
from scenes.rope.inputs import WordInputs
from scenes.rope.standing import box, line_for, places
from scenes.stage import CAPTION, Column, Derived, Stage, Steps, beat, fit
from scenes.style.type import LABEL

NAME, LONG_NAME = "RoPE", "rotary position embedding: position as rotation"
_EXAMPLE = ("dog", "bites", "man")
"""The words of which the film asks who bit whom; of others it asks in general words."""
_SPELLED = {3: "three", 4: "four", 5: "five"}
_LETTERS, _DIGITS = 60.0, 38.0
_CARD = 1.5
"""Seconds that the film's name stands once it is written."""
_BUD = 0.02
"""The radius from which a dial opens, in units."""


def is_example(values: WordOrders) -> bool:
    """Whether it is about the dog and the man."""
    return values.told.words == _EXAMPLE


def n_words(values: WordOrders) -> str:
    """How many words there are, spelled."""
    return _SPELLED[len(values.told.words)]


def _heading(values: WordOrders) -> str:
    return "Who bit whom?" if is_example(values) else "The order of the words"


def _riddle(values: WordOrders) -> str:
    if is_example(values):
        return "So these scores cannot say who bit whom. The words need a sense of place."
    return "So these scores cannot tell the orders apart. The words need a sense of place."


def _bet(values: WordOrders) -> str:
    if is_example(values):
        return "Now let the man bite the dog. Which of the scores will change?"
    return "Now let “{last}” and “{first}” change places. Which of the scores will change?"


class WordOrder(Stage):
    """Two words change places, and no score moves: the scores do not know the order."""

    class Inputs(WordInputs):
        """The words, and from which queries and keys their scores are made."""

    title = "{heading}"
    question = "Two sentences, the same {n_words} words. Can the scores tell them apart?"
    caption = "RoPE gives each word a place: it turns its query and its key like clock hands."
    opens = ("tiles",)
    leaves = ("tiles", "line", "dials")
    derived = {
        "heading": Derived("what this shot is called", _heading),
        "n_words": Derived("how many words there are, spelled", n_words),
        "first": Derived("the first word", lambda v: v.told.words[0]),
        "last": Derived("the last word", lambda v: v.told.words[-1]),
    }

    inputs: Inputs
    values: WordOrders

    @classmethod
    def compute(cls, inputs: Any) -> WordOrders:
        return WordOrders(inputs.word_scores())

    def layout(self) -> None:
        words = self["told.words"]
        n = len(words)
        self.outer = 0, n - 1
        self.tiles = Strip(words, size=_LETTERS)
        self.tiles.place_at(np.array([self.canvas.point((k + 0.5) / n, 0.4) for k in range(n)]))
        self.arcs = ScoreArcs(self["told.plain_scores"], self.tiles, self.inputs.asks, size=_DIGITS)
        self.arcs.place(self.canvas)
        self.arcs.set_z_index(-1)  # words that pass hide them
        self.arcs.hide()
        self.line = line_for(self.canvas)
        self.faces = Dials(n, labels=words, largest=1.3)
        self.card = TitleCard(NAME, LONG_NAME, "a method of Su et al.")
        fit(self.canvas, Column(self.faces, self.line))
        self.card.place(self.canvas.cut_bottom(self.canvas.height / 3)[1])
        self.card.hide()
        self.hands = Hands(self["told.first_phases"], self.faces, angles=True)
        self.dials = VGroup(self.faces, self.hands)

    @beat("Attention compares words in pairs and gives each pair a score.")
    def scores(self) -> Steps:
        others = [k for k in range(len(self.tiles.tiles)) if k != self.inputs.asks]
        yield self.tiles.paint(self.inputs.asks, "query"), self.tiles.paint(others, "key")
        yield self.arcs.draw(run_time=1.8)
        yield self.arcs.write(run_time=1.2)

    @beat(
        "None of them: a score comes from the two words, not from where they stand.",
        ask=_bet,
    )
    def swap(self) -> Steps:
        time = 0.8 * self.reading
        yield (
            self.tiles.swap(*self.outer, to=self["swapped.words"], run_time=time),
            self.arcs.following(run_time=time),
        )
        self.arcs.rebind(self["swapped.plain_scores"])

    @beat(_riddle)
    def riddle(self) -> Steps:
        yield (
            self.tiles.swap(*self.outer, to=self["told.words"], run_time=2.4),
            self.arcs.following(run_time=2.4),
        )
        self.arcs.rebind(self["told.plain_scores"])
        yield self.arcs.sink(run_time=1.6)
        self.remove(self.arcs)

    @beat(CAPTION)
    def a_place(self) -> Steps:
        spots = places(self.line, range(len(self.tiles.tiles)))
        self.tiles.measures = replace(self.tiles.measures, size=LABEL)
        slide = self.tiles.slide_to(spots, box(self.line), run_time=1.4)
        yield FadeIn(self.line), slide, self.card.appear(run_time=2.2)
        yield _CARD
        centers, radius = self.faces.centers[0], self.faces.radius
        self.faces.place_at(spots, _BUD)
        self.add(self.dials, self.tiles)
        yield (
            self.card.disappear(run_time=0.8),
            self.faces.go_to(centers, radius, run_time=1.4),
            self.hands.grow(run_time=2.4),
        )
