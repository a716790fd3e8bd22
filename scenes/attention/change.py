"""With another topic only its value changes, and with it the answer; then attention is removed."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Arrow, VGroup
from numpy.typing import NDArray

from clockhead.scenes.attention.arrows import PlaneArrow
from clockhead.scenes.attention.desk import SIGNS, formula_of
from clockhead.scenes.attention.share_bar import ShareBar
from clockhead.scenes.attention.topic import PLANE, TopicStage, turn_over
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import paint
from clockhead.scenes.parts.strip_typing import answer, ask_next
from clockhead.scenes.stage import (
    CAPTION,
    REST,
    Column,
    Handle,
    Room,
    Row,
    Size,
    Steps,
    beat,
    fit,
    said,
)
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.text import Paragraph, text_width
from clockhead.scenes.style.theme import Role

_PURPOSES: dict[Role, str] = {
    "query": "a query to ask with",
    "key": "a key to be found by",
    "value": "a value to hand over",
}
"""What each of a word's three vectors is for."""
_WORDS, _LETTERS, _FORMULA = 44.0, 60.0, 64.0
"""Sizes of the purposes, of the tile's letters and of the formula, in pixels at 720p."""
_ARROW = 1.8
"""Room for the arrows between the tile and the purposes, in units."""
_BROAD = 9.0
"""Width up to which a page has smaller purposes and shorter arrows, in units."""


class Change(TopicStage):
    """The same attention weights give another answer; without attention there is none."""

    title = "Change one word"
    caption = "In one line: compare queries with keys, make shares of the scores, add up values."
    opens = ("tiles", "plane", "shares", "before", "noun", "links", "chart", "bars")
    leaves = ("formula",)

    handles = (Handle("other", ("computer", "laptop", "office", "gaming"), beat="turned"),)

    def layout(self) -> None:
        self.make_page(*PLANE, self["features"][:2])
        names, tiles = self["first.tokens"], self.tiles
        tiles.look([0, 1], "value").look([2], "query")
        self.shares = ShareBar(self["first.weights"], names, lit=1)
        self.shares.place(self.bar_room)
        self.before = PlaneArrow(self["asker"], self.plane, "residual", width=5)
        self.links = self.value_arrows("first.chain")
        self.noun = PlaneArrow(self["first.moved"], self.plane, "query", names[2], turned=-45)
        self.bars = self.next_bars("first.next.probabilities", grown=True)
        self.chart = self.bars.chart
        size, arrow = (
            (_WORDS, _ARROW) if self.canvas.width > _BROAD else (0.8 * _WORDS, 0.6 * _ARROW)
        )
        broad = max(text_width(said(text), size) for text in _PURPOSES.values()) + 0.1
        self.tile = Strip(self["first.tokens"][2:], size=_LETTERS)
        room = Room(Size(broad, 2.4), Size(broad, np.inf))
        self.formula = formula_of(*SIGNS, size=_FORMULA, root=False)
        three = Row(self.tile, room, gap=arrow)
        fit(self.canvas, Column(self.formula, three, weights=(1, 3)))
        self.formula.hide()
        self.purposes = [
            self._purpose(role, text, size, room.region.point(0.0, 1 - (k + 0.5) / 3))
            for k, (role, text) in enumerate(_PURPOSES.items())
        ]

    def _purpose(self, role: Role, text: str, size: float, left: NDArray[np.float64]) -> VGroup:
        """The purpose of a vector, and an arrow from the tile to it."""
        words = Paragraph(said(text), width=9.0, size=size, color=role)
        words.shift(left - words.get_left())
        look: dict[str, Any] = {"stroke_width": 8, "color": getattr(self.theme, role)}
        return VGroup(Arrow(self.tile.right(0), left, buff=0.15, **look), words)

    @beat(
        "Once more we replace “{word}” with “{other_word}”. Query, keys, values: which of them "
        "will change?"
    )
    def which(self) -> Steps:
        yield ask_next(self.tiles, run_time=0.6)
        yield 0.3 * self.reading
        roles: tuple[Role, ...] = ("query", "key", "value")
        for role in roles:
            places = [2] if role == "query" else [0, 1]
            yield paint(self.tiles, places, role, run_time=0.1 * self.reading)
        yield 0.3 * self.reading

    @beat(
        "Query and keys stay, and with them the attention weights. Only this one value changes, "
        "and it takes “{noun}” along."
    )
    def change(self) -> Steps:
        names = self["other.tokens"]
        yield (
            turn_over(self.tiles, 1, names),
            self.shares.rename(names, run_time=1.4),
            self.links[1].rename(names[1], run_time=1.4),
        )
        yield self.bars.unwrite(run_time=0.3)
        links = [self.links[k].to(self["other.chain"][k], run_time=2.4) for k in range(3)]
        moved = self.noun.to(self["other.moved"], run_time=2.4)
        name = self.noun.rename(names[2], turned=-10, run_time=2.4)
        yield *links, moved, name, self.bars.to(self["other.next.probabilities"], run_time=2.4)
        yield self.bars.write(range(len(self.bars.places)), ".0%", run_time=0.3)

    @beat("Now the next word is “{other_guess}”, with {other.next.greedy_share:.0%}.", rest=REST)
    def turned(self) -> Steps:
        best = self["other.next.greedy_word"]
        tip = self.bars.tip(int(self["other.next.greedy"].content))
        self.add(self.tiles)  # the answer flies over bars and numbers
        yield answer(self.tiles, best, tip)

    @beat(
        "“{noun}” goes back to the middle, whatever stands before it. All that is left is to "
        "guess: all four words are equally likely.",
        ask="And without attention?",
    )
    def without(self) -> Steps:
        yield ask_next(self.tiles, run_time=0.6), FadeOut(self.shares, run_time=0.6)
        yield [FadeOut(link, run_time=0.6) for link in self.links]
        self.remove(self.before)
        yield self.bars.unwrite(run_time=0.3)
        alone = self.bars.to(self["alone.probabilities"], run_time=1.2)
        yield self.noun.to(self["asker"], run_time=1.2), alone
        yield self.bars.write(range(len(self.bars.places)), ".0%", run_time=0.3)

    @beat("So every word has three vectors, each for a work of its own.")
    def three(self) -> Steps:
        yield self.screen(self.tile)
        for words in self.purposes:
            yield FadeIn(words, run_time=0.7)
            yield 0.8

    @beat(CAPTION, rest=REST)
    def line(self) -> Steps:
        self.add(self.formula)
        yield self.formula.appear("query", "key", "turned", run_time=0.4 * self.reading)
        yield self.formula.appear("softmax", "open", "close", run_time=0.25 * self.reading)
        yield self.formula.appear("value", run_time=0.25 * self.reading)
