"""Without positions, attention scores do not depend on the order of the words; and RoPE's name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from manim.utils.rate_functions import rush_into

from clockhead.model.films.rope.word_order import SwappedWords, swapped_words
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.strip import Strip, slide_to
from clockhead.scenes.parts.strip_looks import paint
from clockhead.scenes.rope.inputs import WordInputs
from clockhead.scenes.rope.orders import SCORES, OrderStage, example_or
from clockhead.scenes.rope.swap import swap
from clockhead.scenes.rope.word_line import WordLine, large_clock
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    FadeIn,
    FadeOut,
    Passage,
    Steps,
    Value,
    beat,
    fit,
)
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.type import LABEL

_LETTERS = 84.0
"""Letter size of the words, in pixels at 720p."""
_NAME, _LONG_NAME = "RoPE", "rotary position embedding: position as rotation"
_CARD = 1.6
"""Seconds for which the written name stays."""


class WordOrder(OrderStage):
    """Two words swap places, and no score changes: attention does not know the order."""

    Inputs = WordInputs
    title = "{heading}"
    caption = "RoPE gives them one: it turns every word, like the hands of a clock."
    opens = ("tiles",)
    leaves = ("tiles", "line", "one", "hand")
    values: SwappedWords
    compute = swapped_words

    def layout(self) -> None:
        texts, n = self["words.words"], self.values.words.n_words
        self.tiles = Strip(texts, size=_LETTERS)
        self.tiles.place_at(np.array([self.canvas.point((k + 0.5) / n, 0.4) for k in range(n)]))
        self.arcs = self.arcs_over_tiles(self.tiles, "words.plain_scores", self.canvas, SCORES)
        self.line = WordLine(self.canvas)
        self.card = TitleCard(_NAME, said(_LONG_NAME), said("a method of Su et al."))
        fit(self.canvas, Column(self.card, self.line))
        self.one = large_clock(self.canvas, self.line)
        self.hand = Hands(self["words.phases"][0][:1], self.one, angles=True)

    def _swap_outer(self, words: Value, time: float) -> list[Any]:
        """Swap the outer words, with their arcs."""
        exchange = swap(self.tiles, 0, len(words) - 1, to=words, run_time=time)
        return [exchange, self.arcs.follow_motion(run_time=time)]

    @beat(
        example_or(
            "A dog bites a man. A model has only these words, and has to find out who bit whom.",
            "Here are {n_words} words. What they mean together hangs on their order.",
        ),
        focus="tiles",
    )
    def story(self) -> Steps:
        """Bump each word into the next, from the first to the last."""
        tiles, n = self.tiles, len(self.tiles.tiles)
        home = np.array([tiles.middle(k) for k in range(n)])
        ways = [tiles.left(k + 1) - tiles.right(k) for k in range(n - 1)]
        pushed = home.copy()
        yield 0.6
        for k, way in enumerate(ways):
            pushed[k] = home[k] + 0.95 * way
            yield slide_to(self.tiles, pushed, run_time=0.35, rate_func=rush_into)
            pushed[k] = home[k]
            yield slide_to(self.tiles, pushed, run_time=0.5)

    @beat(
        "In attention, “{words.asker}” looks at all the others, and each pair gets a score.",
        focus="tiles",
    )
    def scores(self) -> Steps:
        """Colour the query and the keys, and draw arcs with scores."""
        words = self.values.words
        yield paint(self.tiles, words.asks, "query"), paint(self.tiles, words.others, "key")
        yield self.arcs.draw(run_time=1.8)
        yield self.arcs.write(run_time=1.2)

    @beat(
        example_or(
            "Neither. A score comes from the two words alone, not from where they stand.",
            "None. A score comes from the two words alone, not from where they stand.",
        ),
        ask=example_or(
            "Now the man bites the dog. Which of the two scores will change?",
            "Let “{words.last}” and “{words.first}” trade places. Which scores will change?",
        ),
        rest=REST,
        focus="tiles",
    )
    def swap(self) -> Steps:
        """Swap the outer words, which keep their scores."""
        yield self._swap_outer(self["swapped.words"], 4.0)
        self.arcs.rebind(self["swapped.plain_scores"])

    @beat("So for attention, both orders are one and the same.", focus="tiles")
    def riddle(self) -> Steps:
        """Swap the words back; the scores stay the same again."""
        yield self._swap_outer(self["words.words"], 3.0)
        self.arcs.rebind(self["words.plain_scores"])

    @beat("The words need a sense of place.")
    def sink(self) -> Steps:
        """Sink the arcs into the tiles, and move these onto a line of positions."""
        yield self.arcs.sink(run_time=1.4)
        self.remove(self.arcs)
        positions = range(self.values.words.n_words)
        self.tiles.measures = replace(self.tiles.measures, size=LABEL)
        yield FadeIn(self.line), self.line.slide(self.tiles, positions, run_time=1.6)

    @beat(CAPTION)
    def a_place(self) -> Steps:
        """Show the name RoPE, and then a clock whose hand turns once."""
        yield self.card.appear(run_time=1.4)
        yield _CARD
        yield FadeOut(self.card, run_time=0.5)
        yield FadeIn(self.one, self.hand, run_time=0.7)
        turn = np.linspace(0, 2 * np.pi, 40)[:, None]
        yield Passage(self.hand, self["words.phases"][0][:1], turn[::-1] * -1, run_time=2.0)
