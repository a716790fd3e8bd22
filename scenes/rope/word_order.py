"""Without positions the scores of some words are the same in any order; and the film's name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from clockhead.model.films.rope.word_order import SwappedWords, swapped_words
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import paint
from clockhead.scenes.rope.inputs import WordInputs
from clockhead.scenes.rope.orders import LETTERS, LONG_NAME, NAME, SCORES, OrderStage, of_example
from clockhead.scenes.rope.swap import swap
from clockhead.scenes.rope.word_line import WordLine
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import CAPTION, Column, FadeIn, Steps, Value, beat, fit
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.type import LABEL

_CARD = 2.0
"""Seconds that the written name stands."""


class WordOrder(OrderStage):
    """Two words change places, and no score moves: the scores do not know the order."""

    class Inputs(WordInputs):
        """The words, and from which queries and keys their scores are made."""

    title = "{heading}"
    caption = "RoPE gives them one: it turns every word, like the hands of a clock."
    opens = ("tiles",)
    leaves = ("tiles", "line")
    values: SwappedWords
    compute = swapped_words

    def layout(self) -> None:
        texts, n = self["words.words"], self.values.words.n_words
        self.tiles = Strip(texts, size=LETTERS)
        self.tiles.place_at(np.array([self.canvas.point((k + 0.5) / n, 0.4) for k in range(n)]))
        self.arcs = self.arcs_over_tiles("words.plain_scores", self.canvas, SCORES)
        self.line = WordLine(self.canvas)
        self.card = TitleCard(NAME, said(LONG_NAME), said("a method of Su et al."))
        fit(self.canvas, Column(self.card, self.line))
        self.card.hide()

    def _swap(self, words: Value, time: float) -> list[Any]:
        """The outer words change places, and the arcs with them."""
        exchange = swap(self.tiles, 0, len(words) - 1, to=words, run_time=time)
        return [exchange, self.arcs.following(run_time=time)]

    @beat(
        of_example(
            "A dog bites a man. A model has only these words, and has to find out who bit whom.",
            "Here are {n_words} words. What they mean together hangs on their order.",
        ),
        focus="tiles",
    )
    def story(self) -> Steps:
        """The words stand."""
        yield 0.5

    @beat(
        "In attention, “{words.asker}” looks at all the others, and each pair gets a score.",
        focus="tiles",
    )
    def scores(self) -> Steps:
        """One word asks, the others answer."""
        words = self.values.words
        yield paint(self.tiles, words.asks, "query"), paint(self.tiles, words.others, "key")
        yield self.arcs.draw(run_time=1.8)
        yield self.arcs.write(run_time=1.2)

    @beat(
        of_example(
            "Neither. A score comes from the two words alone, not from where they stand.",
            "None. A score comes from the two words alone, not from where they stand.",
        ),
        ask=of_example(
            "Now the man bites the dog. Which of the two scores will change?",
            "Let “{words.last}” and “{words.first}” trade places. Which scores will change?",
        ),
        rest=REST,
        focus="tiles",
    )
    def swap(self) -> Steps:
        """The outer words trade places, and take their scores along."""
        yield self._swap(self["swapped.words"], 4.0)
        self.arcs.rebind(self["swapped.plain_scores"])

    @beat("So for attention, both orders are one and the same.", focus="tiles")
    def riddle(self) -> Steps:
        """Back again, and nothing changes again."""
        yield self._swap(self["words.words"], 3.0)
        self.arcs.rebind(self["words.plain_scores"])

    @beat("The words need a sense of place.")
    def sink(self) -> Steps:
        """The arcs sink into the tiles, which come to stand on a line of positions."""
        yield self.arcs.sink(run_time=1.4)
        self.remove(self.arcs)
        positions = range(self.values.words.n_words)
        self.tiles.measures = replace(self.tiles.measures, size=LABEL)
        yield FadeIn(self.line), self.line.slide(self.tiles, positions, run_time=1.6)

    @beat(CAPTION)
    def a_place(self) -> Steps:
        """The name of what does it."""
        yield self.card.appear(run_time=1.8)
        yield _CARD
