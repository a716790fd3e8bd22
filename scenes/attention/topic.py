"""Inputs and layout of the stages about the two mice: the text, a plane, and a side room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from manim import Animation, VGroup
from pydantic import Field

from clockhead.model.films.attention.topic import Article, Natural, Technical, TwoTopics, two_topics
from clockhead.scenes.attention.arrows import NamedPlane, PlaneArrow, Span, least_plane
from clockhead.scenes.attention.desk import fixed_canvas
from clockhead.scenes.attention.share_bar import ShareBar
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.strip import Motion, Show, Strip
from clockhead.scenes.stage import (
    Claim,
    Column,
    Derived,
    Room,
    Row,
    Size,
    Stage,
    StageInputs,
    Value,
    fit,
)

SIZE, _LETTERS = 28.0, 60.0
"""Sizes of text at bars, and of the letters on tiles if there is room, in pixels at 720p."""
_SIDE = Size(3.3, 2.9)
"""Least room beside the plane, in units."""
_BROAD = 11.0
"""Width above which a page has the tiles beside the plane, in units."""
WORDS = (-0.12, 1.5), (-0.2, 1.2)
"""Ranges (across, up) of the plane of words, before it has values."""
PLANE = (-0.75, 2.1), (-0.6, 1.8)
"""Ranges (across, up) of the plane of words and values."""
KEYS = (-0.2, 2.5), (-0.55, 1.3)
"""Ranges (across, up) of the plane of queries and keys."""
KEY_NAMES = "topic", "grammar"
"""Names of the axes of queries and keys."""


class TopicInputs(StageInputs):
    """Two texts that differ in one word, and the length of the query."""

    article: Article = Field("the", description="the first word, an article")
    topic: Natural = Field("field", description="the second word, about nature")
    other: Technical = Field("computer", description="the word that replaces it, about technology")
    strength: float = Field(
        1.0,
        ge=0.6,
        le=1.4,
        description="length of the query: a longer one gives more uneven weights",
    )


class TopicStage(Stage[TwoTopics]):
    """A stage with the text, a plane of two features, and room beside them."""

    Inputs = TopicInputs
    derived = {
        "word": Derived("the topic", lambda both: both.first.topic),
        "other_word": Derived("the other topic", lambda both: both.other.topic),
        "guess": Derived("the likeliest next word", lambda both: both.first.next.greedy_word),
        "other_guess": Derived(
            "the likeliest next word of the other text", lambda both: both.other.next.greedy_word
        ),
    }
    claims: ClassVar[tuple[Claim, ...]] = (
        Claim(
            "with another topic, another word comes next",
            lambda both: both.first.next.greedy_word != both.other.next.greedy_word,
            "it is {guess} both times",
        ),
    )

    compute = two_topics

    def make_page(self, across: Span, up: Span, names: Sequence[str] | Value) -> None:
        """Place the tiles and a plane beside or below them; the rest of the page is `side`."""
        self.tiles = Strip(self["widest"], wonder=True, hidden=0, size=_LETTERS, lines=1)
        self.plane = NamedPlane(names, across, up)
        side, tiles = Room(_SIDE), self.tiles
        plane = Room(least_plane(WORDS, PLANE, KEYS))
        wide = Row(plane, Column(tiles, side), weights=(2, 1))
        tall = Column(tiles, plane, side, weights=(1, 3, 1))
        square = Column(tiles, Row(plane, side, weights=(5, 4)))
        canvas = fixed_canvas(self.canvas)
        ways = (wide, square, tall) if canvas.width > _BROAD else (square, wide, tall)
        fit(canvas, *(ways if canvas.wide else (tall, square, wide)))
        self.side, self.plane_room = side.region, plane.region
        self.bar_room, self.room = side.region.cut_top(ShareBar.most.height, gap=0.15)
        self.plane.place(plane.region)
        self.tiles.set_to(self["first.tokens"])

    def next_bars(self, path: str, *, grown: bool = False) -> Bars:
        """A horizontal bar for each possible next word, in the room below the shares."""
        words = slots(self["next_words"], down=True)
        chart = Chart(Scale(0.0, 1.0), words, size=SIZE)
        bars = Bars(self[path], chart, "probability", spec=".0%", size=SIZE, grown=grown)
        chart.place(self.room)
        return bars

    def value_arrows(self, path: str) -> VGroup:
        """An arrow in the plane for the value of each word."""
        names, value = self["first.tokens"], self[path]
        return VGroup(
            *(
                PlaneArrow(value[k], self.plane, "value", names[k], beside=True)
                for k in range(len(names))
            )
        )


def turn_over(strip: Strip, k: int, to: Value, *, run_time: float = 1.4) -> Animation:
    """Turn tile k over to its word in `to`."""

    def prepare() -> Show:
        start, turned = strip.tiles[k].state, [False]
        strip.moving.add(k)

        def at(share: float) -> None:
            if share >= 0.5 and not turned[0]:
                turned[0] = True
                strip.set_to(to)
            flat = max(0.02, abs(float(np.cos(np.pi * share))))
            strip.tiles[k].draw(start * np.array([1, 1, 1, flat, flat]))

        return at

    return Motion(strip, prepare, lambda: strip.moving.discard(k), run_time=run_time)
