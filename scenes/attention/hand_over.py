"""Keys only help to find a word; values are what is scaled and added to the last word's vector."""

from __future__ import annotations

from typing import Any

from manim import LaggedStart

from clockhead.scenes.attention.arrows import NamedPlane, PlaneArrow
from clockhead.scenes.attention.share_bar import ShareBar
from clockhead.scenes.attention.topic import KEY_NAMES, KEYS, PLANE, TopicStage, turn_over
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.strip_looks import paint
from clockhead.scenes.parts.strip_typing import answer
from clockhead.scenes.stage import CAPTION, REST, Steps, beat, fit
from clockhead.scenes.style.motion import FadeIn, FadeOut

_NUMBERS = 40.0
"""Size of the vectors' numbers, in pixels at 720p."""


class HandOver(TopicStage):
    """With another topic the key stays the same; it is the value that moves the last word."""

    title = "What is handed over?"
    caption = (
        "Each next word has a vector, too. To the new “{noun}”, “{guess}” fits best: "
        "{first.next.greedy_share:.0%}."
    )
    opens = ("tiles", "keys_plane", "query", "first_key", "topic_key", "own_key", "shares")
    leaves = ("tiles", "plane", "shares", "before", "noun", "links", "chart", "bars")

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
        key = self["first.key_arrows"][1]
        self.guesses = [PlaneArrow(key, self.plane, "residual", width=5) for _ in "ab"]
        self._lay_topics()
        self.shares = ShareBar(self["first.weights"], names, lit=1)
        self.shares.place(self.bar_room)
        self.plane = NamedPlane(self["features"][:2], *PLANE)
        self.plane.place(self.plane_room)
        self.noun = PlaneArrow(self["asker"], self.plane, "query", names[2], turned=90)
        self.before = PlaneArrow(self["asker"], self.plane, "residual", width=5)
        self.links = self.value_arrows("first.value_arrows")
        self.bars = self.next_bars("alone.probabilities")
        self.chart = self.bars.chart

    def _lay_topics(self) -> None:
        """Make the vectors of both topics, and the key that they share if there is room."""
        places, key, names = self["places"], self["first.keys"][1], self.values.nouns
        values = {"a": places[0][0], "b": places[0][1], "c": places[1][0], "d": places[1][1]}
        values |= {"e": key[0], "f": key[1]}
        terms = [
            ("word", f'"{names[0]}" = vec({{a:.2g}}, {{b:.2g}})'),
            ("other", f'quad "{names[1]}" = vec({{c:.2g}}, {{d:.2g}})'),
            ("key", 'quad key("key" = vec({e:.2g}, {f:.2g}))'),
        ]
        whole, words = (Equation(some, values=values, size=_NUMBERS) for some in (terms, terms[:2]))
        self.topics = (whole, words)[fit(self.room, whole, words)]
        self.topics.hide()

    @beat(
        "“{noun}” has found “{word}” by its key. Which way will this key point if “{word}” becomes "
        "“{other_word}”?"
    )
    def which(self) -> Steps:
        yield 0.3 * self.reading
        for way, guess in enumerate(self.guesses):
            yield guess.to(self["guesses"][way], run_time=0.2 * self.reading)
        yield 0.3 * self.reading

    @beat("Neither: it stays. Both words offer a topic, and so they have the same key.")
    def same(self) -> Steps:
        yield self._replace_topic("other")
        yield [FadeOut(guess, run_time=0.8) for guess in self.guesses]

    @beat(
        "So a key is only there to be found. The words have different vectors, but their key does "
        "not say which topic it is."
    )
    def found(self) -> Steps:
        yield self.topics.appear(run_time=0.6 * self.reading)

    def _replace_topic(self, text: str) -> tuple[Any, ...]:
        """Turn the topic's tile over to the other word, and rename its key and its share."""
        tokens = self[f"{text}.tokens"]
        names = self.topic_key.rename(tokens[1], run_time=1.4)
        return turn_over(self.tiles, 1, tokens), names, self.shares.rename(tokens, run_time=1.4)

    @beat(
        "Back to “{word}”. Each word hands over a third vector, its value: “{word}” says nature, "
        "the others say little."
    )
    def value(self) -> Steps:
        yield self._replace_topic("first")
        yield [
            FadeOut(part, run_time=0.6)
            for part in (
                self.keys_plane,
                self.query,
                self.first_key,
                self.topic_key,
                self.own_key,
                self.topics,
            )
        ]
        yield FadeIn(self.plane, self.noun, run_time=0.8)
        yield paint(self.tiles, [0, 1], "value")
        topic = self.links[1]
        yield topic.grow(run_time=1.0)
        yield LaggedStart(*(self.links[k].grow() for k in (0, 2)), lag_ratio=0.5, run_time=1.5)

    @beat(
        "Every value is scaled by its attention weight: that of “{word}” stays long, the others "
        "shrink."
    )
    def scale(self) -> Steps:
        for k in (1, 2, 0):
            yield self.links[k].to(self["first.scaled"][k], run_time=0.8)

    @beat("Then all of them are added to “{noun}”, tip to tail.")
    def chain(self) -> Steps:
        yield self.links[1].to(self["first.chain"][1], run_time=1.2)
        yield self.look_at(self.noun, *self.links)
        for k in (2, 0):
            yield self.links[k].to(self["first.chain"][k], run_time=1.2)
        yield 0.8
        yield self.look_back()

    @beat("And “{noun}” has moved to the side of nature.", rest=REST)
    def move(self) -> Steps:
        self.add(self.before, self.noun, *self.links)
        name = self.noun.rename(self["first.tokens"][2], turned=-45, run_time=1.8)
        yield self.noun.to(self["first.moved"], run_time=1.8), name

    @beat(CAPTION)
    def read(self) -> Steps:
        yield FadeIn(self.chart, run_time=0.6)
        self.add(self.bars)
        yield self.bars.grow(run_time=0.8)
        yield self.bars.unwrite(run_time=0.3)
        yield self.bars.to(self["first.next.probabilities"], run_time=1.2)
        yield self.bars.write(range(len(self.bars.places)), ".0%", run_time=0.3)
        self.add(self.tiles)  # the answer flies over bars and numbers
        yield answer(self.tiles, self["first.next.greedy_word"], self.bars.tip(0))
