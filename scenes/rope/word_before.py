"""A key turned back by one position is a query that finds the word before, in a long text."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import VGroup, linear

from clockhead.model.films.rope.word_before import STEPS_PER_TOKEN, LookingBack, word_before
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.dial_turns import Turns
from clockhead.scenes.rope.long_text import LongTextInputs, LongTextStage
from clockhead.scenes.rope.word_line import NUMBER
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import CAPTION, FadeIn, FadeOut, Steps, beat
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.text import Label

_FEW = 4
"""Number of words that the key moves back at the end."""


class WordBefore(LongTextStage):
    """A key turned back by one position is a query that finds the word before."""

    Inputs = LongTextInputs
    title = "Finding the word before"
    caption = "The higher a key reaches, the better it fits. The word right before fits perfectly."
    opens = ("faces", "key_hands", "text", "slots")
    leaves = ("faces", "query", "key_hands", "text", "slots", "asker", "lens")

    values: LookingBack
    compute = word_before

    def layout(self) -> None:
        """Lay out dials in a row over the text, and names of its last two words."""
        self.lay_text()
        way = self["way_phases"]
        self.lay_hands(self["last_phases"], way[len(way) - 1])
        self.own_key = Hands(self["last_phases"], self.faces, "key", angles=True, rim=True)
        self.names = VGroup()
        names = (said("the last word"), "query"), (said("the word before"), "key")
        for line, (words, role) in enumerate(names):
            color = getattr(self.theme, role)
            label = Label(words, size=NUMBER, color=color, align="right")
            x = float(self.text.x.at(line)) + self.text.x.pitch / 2
            label.put(np.array([x, self.text.area.top + 0.6 - 0.5 * line, 0.0]))
            self.names.add(label)

    @beat(
        "Here is a longer text, of {long} words. The last one wants the word right before it.",
        focus="faces",
    )
    def a_text(self) -> Steps:
        """Highlight the last word and the one before it, with their names."""
        yield FadeIn(self.asker, self.names[0], run_time=0.8)
        yield 0.5
        yield FadeIn(self.lens, self.names[1], run_time=0.8)

    @beat(
        "Suppose all words had the same key: then only its turn tells where it stands.",
        focus="faces",
    )
    def same_key(self) -> Steps:
        """Move the key through the text, turned by its position."""
        yield FadeOut(self.names[1], run_time=0.4)
        for step in (-1, 1):
            places, phases = self["way"][::step], self["way_phases"][::step]
            yield self.walk(places, phases, run_time=2.2)
        yield FadeIn(self.names[1], run_time=0.4)

    @beat("The last word's own key points one step further.", focus="faces")
    def further(self) -> Steps:
        """Show the hands of the last word's key."""
        yield FadeIn(self.own_key, run_time=0.8)

    @beat(
        "As its query, take that key turned back by one step: now it lies on the one before.",
        rest=REST,
        focus="faces",
    )
    def one_back(self) -> Steps:
        """Turn the query's hands back from the key's by one position, with an arc behind each."""
        self.way = Turns(self["step_back"], self.faces, self.own_key, out=0.72)
        yield FadeIn(self.query, run_time=0.8)
        self.add(self.way, self.query, self.own_key, self.key_hands)
        yield 0.6
        yield self.query.to(self["query_phases"], run_time=2.4), self.way.grow(run_time=2.4)
        yield 1.0
        yield FadeOut(self.own_key, self.way, run_time=0.5)

    @beat("Now turn the picture, until the query points straight up.", focus="faces")
    def upright(self) -> Steps:
        """Turn the query's and the key's hands together."""
        up, run = self["turned_upright"], {"run_time": 3.0}
        yield self.query.to(up, **run), self.key_hands.to(up, **run)

    @beat(CAPTION, focus="faces")
    def height(self) -> Steps:
        """Move the key a few words back, and then to the word before, where it fits."""
        yield FadeOut(self.names, run_time=0.4)
        run: dict[str, Any] = {"run_time": 2.0, "rate_func": linear}
        for way in (slice(0, _FEW * STEPS_PER_TOKEN + 1), slice(_FEW * STEPS_PER_TOKEN, None, -1)):
            yield self.walk(self["places"][way], self["key_phases"][way], **run)
