"""What is handed over is no key: values are, scaled, laid tip to tail, and added to the asker."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import LaggedStart

from clockhead.scenes.attention.arrows import NamedPlane, PlaneArrow
from clockhead.scenes.attention.share_bar import ShareBar
from clockhead.scenes.attention.topic import KEY_NAMES, KEYS, PLANE, TopicStage, turn_over
from clockhead.scenes.parts.strip_looks import paint
from clockhead.scenes.parts.strip_typing import answer
from clockhead.scenes.stage import CAPTION, REST, Steps, beat
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeIn, FadeOut

_NEAR = 0.8
"""Half the width of what the camera looks at where the small values are added, in units."""


class HandOver(TopicStage):
    """With another topic the key stays; the value, which differs, is what moves the last word."""

    title = "What is handed over?"
    caption = "From there, the next word is clear: “{guess}”, with {first.next.greedy_share:.0%}."
    opens = ("tiles", "keys_plane", "query", "first_key", "topic_key", "own_key", "shares")
    leaves = ("tiles", "plane", "shares", "noun", "before", "links", "chart", "bars")

    def layout(self) -> None:
        self.make_page(*KEYS, KEY_NAMES)
        self.keys_plane, names = self.plane, self["first.tokens"]
        for k, role in enumerate(("key", "attention", "query")):
            self.tiles.look([k], role)  # type: ignore[arg-type]
        self.query = PlaneArrow(self["first.query_arrow"], self.plane, "query", names[2])
        keys = [
            PlaneArrow(self["first.key_arrows"][k], self.plane, "key", names[k], turned=turned)
            for k, turned in enumerate((-70.0, 0.0, 0.0))
        ]
        self.first_key, self.topic_key, self.own_key = keys
        self.shares = ShareBar(self["first.weights"], names, lit=1)
        self.shares.place(self.bar_room)
        self.plane = NamedPlane(self["features"][:2], *PLANE)
        self.plane.place(self.plane_room)
        self.noun = PlaneArrow(self["asker"], self.plane, "query", names[2], turned=90)
        self.before = PlaneArrow(self["asker"], self.plane, "residual", width=5)
        self.links = self.value_arrows("first.value_arrows")
        self.bars = self.next_bars("alone.probabilities")
        self.chart = self.bars.chart

    @beat(
        "It does not move at all. Both words offer the same thing, a topic, so both have the same "
        "key.",
        ask="“{noun}” has found “{word}” by its key. Replace “{word}” with “{other_word}”: "
        "which way will that key point now?",
        rest=REST,
    )
    def same(self) -> Steps:
        yield self._exchange("other")

    @beat(
        "So a key is only there to be found. It cannot be what is handed over, for it does not say "
        "which topic.",
    )
    def found(self) -> Steps:
        yield 0.5 * self.reading

    def _exchange(self, text: str) -> tuple[Any, ...]:
        """Turn the tile of the topic over; its key and its share are called by the other word."""
        tokens = self[f"{text}.tokens"]
        names = self.topic_key.rename(tokens[1], run_time=1.4)
        return turn_over(self.tiles, 1, tokens), names, self.shares.rename(tokens, run_time=1.4)

    @beat(
        "Back to “{word}”. What a word hands over is a third vector, its value. That of “{word}” "
        "says: nature.",
    )
    def value(self) -> Steps:
        yield self._exchange("first")
        yield [
            FadeOut(part, run_time=0.6)
            for part in (
                self.keys_plane,
                self.query,
                self.first_key,
                self.topic_key,
                self.own_key,
            )
        ]
        yield FadeIn(self.plane, self.noun, run_time=0.8)
        yield paint(self.tiles, [0, 1], "value")
        topic = self.links[1]
        yield topic.grow(run_time=1.0)
        yield LaggedStart(*(self.links[k].grow() for k in (0, 2)), lag_ratio=0.5, run_time=1.5)

    @beat(
        "Every value is scaled by its attention weight: that of “{word}” stays long, the others "
        "shrink.",
    )
    def scale(self) -> Steps:
        for k in (1, 2, 0):
            yield self.links[k].to(self["first.scaled"][k], run_time=0.8)

    @beat("Then all of them are added to “{noun}”, tip to tail.")
    def chain(self) -> Steps:
        yield self.links[1].to(self["first.chain"][1], run_time=1.2)
        feet = self.plane.at(np.vstack([self["first.chain"][k].array for k in (0, 2)]))
        x, y, _ = feet.mean(axis=0)
        yield self.look_at(Region(x - _NEAR, y - _NEAR, x + _NEAR, y + _NEAR))
        for k in (2, 0):
            yield self.links[k].to(self["first.chain"][k], run_time=1.2)
        yield 0.8
        yield self.look_back()

    @beat("And “{noun}” has moved to the side of nature.", rest=REST)
    def move(self) -> Steps:
        self.add(self.before, *self.links, self.noun)
        name = self.noun.rename(self["first.tokens"][2], turned=-25, run_time=1.8)
        yield self.noun.to(self["first.moved"], run_time=1.8), name

    @beat(CAPTION)
    def read(self) -> Steps:
        yield FadeIn(self.chart, run_time=0.6)
        self.add(self.bars)
        yield self.bars.grow(run_time=0.8)
        yield self.bars.unwrite(run_time=0.3)
        yield self.bars.to(self["first.next.probabilities"], run_time=1.2)
        yield self.bars.write(range(len(self.bars.places)), ".0%", run_time=0.3)
        yield answer(self.tiles, self["first.next.greedy_word"], self.bars.tip(0))
