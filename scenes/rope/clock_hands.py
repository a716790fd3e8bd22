"""Pairs of a word's numbers are clock hands, and its position turns each by its own angle."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import DashedLine, VGroup
from numpy.typing import NDArray
from pydantic import Field

from clockhead.model.films.rope.clock_hands import TurnedWord, turned_word
from clockhead.scenes.parts.dial import REACH, Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.dial_turns import Turns
from clockhead.scenes.rope.dial_numbers import DialNumbers
from clockhead.scenes.rope.inputs import WordInputs
from clockhead.scenes.rope.word_line import NUMBER, SPAN, FilmGrid
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    FadeIn,
    FadeOut,
    Passage,
    Stage,
    Steps,
    beat,
    together,
)
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.motion import recolor


class ClockHands(Stage[TurnedWord]):
    """Pairs of a word's numbers are clock hands, and its position turns each by its own angle."""

    class Inputs(WordInputs):
        m: int = Field(5, ge=1, le=SPAN, description="position of the query")

    title = "A word becomes hands"
    caption = "And a turn can always be turned back, so nothing of the word is lost."
    crosses = {"a list": "numbers come out of the word that they describe"}
    opens = ("line", "dials")
    leaves = ("line", "hero", "turned as dials")
    claims = (
        Claim(
            "the position visibly changes the numbers",
            lambda v: v.rotation_is_seen,
            "at position {m} none changes by more than {largest_number_change:.2g}",
        ),
    )

    compute = turned_word

    def layout(self) -> None:
        """Lay out dials over the line, with both numbers of every pair over its dial."""
        words = self.values.words
        self.grid = FilmGrid(self.canvas, words.n_pairs, (0, SPAN), lines_over=2)
        self.line, faces = self.grid.line, self.grid.dials
        self.hero = self.grid.tile(self["words.words"][words.asks], 0, "query")
        self.positions = Hands(self["words.phases"][0], faces, angles=True)
        self.dials = VGroup(faces, self.positions)
        self.hands = Hands(self["origins"], faces, "query", unit=words.unit)
        self.turned = VGroup(faces, self.hands)
        color = self.theme.text_color("query")
        self.numbers = [  # the first number of a pair is above the second
            DialNumbers(
                self["pairs"], faces, "+.1f", spot="over", line=1 - part, part=part, size=NUMBER,
                color=color,
            )
            for part in (0, 1)
        ]  # fmt: skip

    @beat(
        "“{words.asker}” has a query, which says what it is looking for: "
        "a list of numbers, here {n_numbers}.",
        focus="dials",
    )
    def a_list(self) -> Steps:
        """Replace the hands of the position by the word, and fly its numbers to the dials."""
        yield FadeOut(self.positions, run_time=0.6)
        yield FadeIn(self.hero, run_time=0.8)
        yield 1.0
        point, aside = self.hero.middle(0), np.array([0.0, 0.2, 0.0])
        self.add(*self.numbers)
        starts = zip(self.numbers, (point + aside, point - aside), strict=True)
        yield together(*(part.fly_from(start) for part, start in starts), run_time=2.4)

    @beat(
        "Two numbers make one hand: how far up it reaches, and how far to the right; "
        "a minus turns that round.",
        focus="dials",
    )
    def pairs(self) -> Steps:
        """Zoom in on the first dial, and draw its hand up and to the side; then draw all others."""
        faces, first = self.grid.dials, slice(0, 1)
        one = Dials(1, labels=None)
        one.place_at(faces.centers[0, first], faces.radius)
        hand = Hands(self["origins"][first], one, "query", unit=self.values.words.unit)
        up, right = (part.figures[0] for part in self.numbers)
        others = [figure for part in self.numbers for figure in part.figures[1:]]
        self.add(one, hand)
        yield FadeOut(self.line, self.hero, faces, *others, run_time=0.5)
        yield self.look_at(one, up, right, run_time=1.4)
        lit, plain = (self.theme.text_color(role) for role in ("attention", "query"))
        yield recolor(up, lit, run_time=0.3), hand.to(self["raised"][first], run_time=1.2)
        yield recolor(right, lit, run_time=0.3), hand.to(self["pairs"][first], run_time=1.2)
        legs = self._legs(one, self.values.pairs[0])
        yield FadeIn(legs, run_time=0.5)
        yield 1.2
        yield FadeOut(legs, run_time=0.3), recolor(VGroup(up, right), plain, run_time=0.3)
        yield self.look_back(run_time=1.2)
        yield FadeIn(self.line, self.hero, faces, *others, run_time=0.5)
        self.hands.set_to(self["origins"])
        self.add(one, hand, self.hands)
        yield self.hands.up_then_right(self["pairs"], run_time=2.4)
        self.remove(one, hand)

    def _legs(self, dial: Dials, pair: NDArray[np.float64]) -> VGroup:
        """Dashed lines as long as the two numbers: up or down, then to the side."""
        center, scale = dial.centers[0, 0], REACH * dial.radius / self.values.words.unit
        corner = center + scale * np.array([0.0, pair[0], 0.0])
        ends = (center, corner), (corner, corner + scale * np.array([pair[1], 0.0, 0.0]))
        look: dict[str, Any] = {"color": self.theme.attention, "dash_length": 0.07}
        return VGroup(*(DashedLine(*end, stroke_width=5, **look) for end in ends))

    @beat(
        "Every hand turns on from where it was, the fast one far, the slow ones less.",
        ask="This is “{words.asker}” at position 0. What happens to its hands at position {m}?",
        rest=REST,
        focus="dials",
    )
    def turn(self) -> Steps:
        """Move the word to position m, with an arc behind every hand, and update the numbers."""
        m, v, run = self.values.m, self.values, dict[str, Any](run_time=4.0)
        self.start = self.hands.ghosts()
        self.way = Turns(self["phases"], self.grid.dials, self.start, out=0.72)
        self.add(self.start, self.way, self.hands)
        window = self.line.window
        yield (
            self.grid.slide(self.hero, m, window, **run),
            self.hands.turn_to(self["rotated_pairs"], v.phases, **run),
            self.way.grow(**run),
            *(Passage(part, self["rotated_pairs"], v.moments, **run) for part in self.numbers),
        )

    @beat("They point elsewhere now, but no hand has become longer or shorter.", focus="dials")
    def length(self) -> Steps:
        """Fade out the arcs; thin lines show the old hands beside the new ones."""
        yield FadeOut(self.way, run_time=0.6)

    @beat(CAPTION, focus="dials")
    def back(self) -> Steps:
        """Move the word back to position 0, and to m again."""
        v, run, window = self.values, dict[str, Any](run_time=1.6), self.line.window
        for m, pairs, by in ((0, "pairs", -v.phases), (v.m, "rotated_pairs", v.phases)):
            moments = v.moments if m else v.moments[::-1]
            yield (
                self.grid.slide(self.hero, m, window, **run),
                self.hands.turn_to(self[pairs], by, **run),
                *(Passage(part, self[pairs], moments, **run) for part in self.numbers),
            )
            yield 0.8
        yield FadeOut(self.start, *self.numbers, run_time=0.6)
