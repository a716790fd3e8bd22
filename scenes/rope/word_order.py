"""Without positions the scores of some words are the same in any order; and the film's name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from manim import VGroup

from clockhead.model.films.rope.word_order import SwappedWords, swapped_words
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.dial import Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import paint
from clockhead.scenes.parts.strip_moves import swap
from clockhead.scenes.rope.inputs import WordInputs
from clockhead.scenes.rope.orders import LONG_NAME, NAME, OrderStage, of_example
from clockhead.scenes.rope.word_line import WordLine
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import CAPTION, Column, Derived, FadeIn, Steps, Value, beat, fit
from clockhead.scenes.style.type import LABEL

_LETTERS, _DIGITS = 60.0, 38.0
_CARD, _BUD = 1.5, 0.02
"""Seconds that the written name stands, and the radius from which a dial opens, in units."""


class WordOrder(OrderStage):
    """Two words change places, and no score moves: the scores do not know the order."""

    class Inputs(WordInputs):
        """The words, and from which queries and keys their scores are made."""

    title = "{heading}"
    question = "Does attention see the order of words?"
    caption = "RoPE gives each word a place: it turns its query and its key like clock hands."
    opens = ("tiles",)
    leaves = ("tiles", "line", "dials")
    derived = OrderStage.derived | {
        "heading": Derived(
            "what this shot is called",
            lambda v: said(of_example("Who bit whom?", "The order of the words")(v)),
        ),
    }

    values: SwappedWords
    compute = swapped_words

    def layout(self) -> None:
        texts, n = self["words.words"], self.values.words.n_words
        self.tiles = Strip(texts, size=_LETTERS)
        self.tiles.place_at(np.array([self.canvas.point((k + 0.5) / n, 0.4) for k in range(n)]))
        self.arcs = self.arcs_over_tiles("words.plain_scores", self.canvas, _DIGITS)
        self.line = WordLine(self.canvas)
        self.faces = Dials(n, labels=texts, largest=1.3)
        self.card = TitleCard(NAME, said(LONG_NAME), said("a method of Su et al."))
        fit(self.canvas, Column(self.faces, self.line))
        self.card.place(self.canvas.cut_bottom(self.canvas.height / 3)[1])
        self.card.hide()
        self.hands = Hands(self["words.first_phases"], self.faces, angles=True)
        self.dials = VGroup(self.faces, self.hands)

    def _swap(self, words: Value, time: float) -> list[Any]:
        """The outer words change places, and the arcs with them."""
        exchange = swap(self.tiles, 0, len(words) - 1, to=words, run_time=time)
        return [exchange, self.arcs.following(run_time=time)]

    @beat("Attention compares words in pairs and gives each pair a score.")
    def scores(self) -> Steps:
        words = self.values.words
        yield paint(self.tiles, words.asks, "query"), paint(self.tiles, words.others, "key")
        yield self.arcs.draw(run_time=1.8)
        yield self.arcs.write(run_time=1.2)

    @beat(
        "None of them: a score comes from the two words, not from where they stand.",
        ask=of_example(
            "Now let the man bite the dog. Which of the scores will change?",
            "Now let “{words.last}” and “{words.first}” change places. "
            "Which of the scores will change?",
        ),
    )
    def swap(self) -> Steps:
        yield self._swap(self["swapped.words"], 0.8 * self.reading)
        self.arcs.rebind(self["swapped.plain_scores"])

    @beat(
        of_example(
            "So these scores cannot say who bit whom. The words need a sense of place.",
            "So these scores cannot tell the orders apart. The words need a sense of place.",
        )
    )
    def riddle(self) -> Steps:
        yield self._swap(self["words.words"], 2.4)
        self.arcs.rebind(self["words.plain_scores"])
        yield self.arcs.sink(run_time=1.6)
        self.remove(self.arcs)

    @beat(CAPTION)
    def a_place(self) -> Steps:
        positions = range(self.values.words.n_words)
        self.tiles.measures = replace(self.tiles.measures, size=LABEL)
        slide = self.line.slide(self.tiles, positions, run_time=1.4)
        yield FadeIn(self.line), slide, self.card.appear(run_time=2.2)
        yield _CARD
        centers, radius = self.faces.centers[0], self.faces.radius
        self.faces.place_at(self.line.places(positions), _BUD)
        self.add(self.dials, self.tiles)
        yield (
            self.card.disappear(run_time=0.8),
            self.faces.go_to(centers, radius, run_time=1.4),
            self.hands.grow(run_time=2.4),
        )
