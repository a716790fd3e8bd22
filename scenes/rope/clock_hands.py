"""The numbers of a word are clock hands, two and two; its position turns each by its own angle."""

from __future__ import annotations

from typing import Any

from manim import VGroup
from pydantic import Field

from clockhead.model.films.rope.clock_hands import TurnedWord, turned_word
from clockhead.scenes.parts.dial import Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.dial_numbers import DialNumbers
from clockhead.scenes.parts.dial_turns import Turns
from clockhead.scenes.parts.strip_looks import leave
from clockhead.scenes.rope.inputs import WordInputs
from clockhead.scenes.rope.word_line import WordLine
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Column,
    Derived,
    EvenInt,
    FadeIn,
    FadeOut,
    Stage,
    Steps,
    Value,
    beat,
    fit,
    together,
)
from clockhead.scenes.style.motion import Moves, recolor
from clockhead.scenes.style.type import SMALL

_ASIDE = 0.42
"""How far the numbers before and after the turn stand from the middle of their dial, in units."""
_MOST, _FEW = 8, 4
"""As many hands are shown, and as many where their numbers have no room."""


def _turn(values: TurnedWord) -> str:
    if values.n_pairs == 1:
        return "The hand turns, so the numbers change."
    if values.rotates_apart:
        return "Each hand turns by its own angle, so the numbers change."
    return "The hands turn, so the numbers change."


def _hands(values: TurnedWord) -> str:
    return said("hands") if values.n_pairs > 1 else said("hand")


class ClockHands(Stage[TurnedWord]):
    """The numbers of a word are clock hands; its position turns each by its own angle."""

    class Inputs(WordInputs):
        d_head: EvenInt = Field(8, ge=2, le=16, description="width of the head; d_head/2 hands")
        m: int = Field(5, ge=1, le=1000, description="position to which the query is turned")

    title = "A position turns the {hands} of a word"
    question = "What does its position do to “{words.asker}”?"
    caption = "But a turn can be turned back, so nothing of the word is lost."
    opens = ("line", "tiles", "dials")
    leaves = ("line", "hero", "dials", "numbers")
    claims = (
        Claim(
            "the position changes the numbers",
            lambda v: v.rotation_is_seen,
            "at position {m} none changes by more than {largest_number_change:.2g}",
        ),
    )
    derived = {"hands": Derived("the hands", _hands)}

    compute = turned_word

    def layout(self) -> None:
        words, n = self.values.words, self.values.words.n_pairs
        self.line = WordLine(self.canvas)
        room: dict[str, Any] = {"lines_over": 2, "lines_under": 1, "wide": 1.45}
        ways = [
            Dials(n, most=most, columns=columns, largest=1.25, **room)
            for most, columns in ((_MOST, (n + 1) // 2), (_MOST, n), (_FEW, min(n, _FEW)))
        ]
        self.faces = ways[fit(self.canvas, *(Column(dials, self.line, gap=0.3) for dials in ways))]
        self.tiles = self.line.stand(self["words.words"], words.asks)
        self.hero = self.tiles.tiles[words.asks]
        self.hands = Hands(self["origins"], self.faces, "query", unit=words.unit)
        self.dials = VGroup(self.faces, self.hands)
        self.numbers = VGroup(*self._numbers("+.1f"))

    def _numbers(self, spec: str, **options: Any) -> list[DialNumbers]:
        """Both numbers of every pair, over its dial, the first on top."""
        look = {"spot": "over", "color": self.theme.text_color("query")} | options
        return [
            DialNumbers(self["pairs"], self.faces, spec, line=1 - part, part=part, **look)
            for part in (0, 1)
        ]

    def _travel(self, end: int, pairs: Value) -> Moves:
        """The word goes to position m or back to 0, its hands turn, and their numbers change."""
        v = self.values
        by, moments = (v.phases, v.moments) if end else (-v.phases, v.moments[::-1])
        return together(
            self.line.slide(self.tiles, [end] * v.words.n_words),
            self.hands.turn_to(pairs, by),
            *(part.pass_through(pairs, moments) for part in self.now),
        )

    @beat("From a word the head makes a list of numbers, its query; these are made up.")
    def a_list(self) -> Steps:
        words = self.values.words
        yield leave(self.tiles, *words.others, run_time=0.5)
        yield self.line.slide(self.tiles, [0] * words.n_words, run_time=0.8)
        point = self.tiles.middle(words.asks)
        come = (part.come_from(point) for part in self.numbers)
        yield together(*come, run_time=self.reading - 1.5)

    @beat("Two numbers make a hand: how far up, and how far right.")
    def pairs(self) -> Steps:
        yield 0.8 * together(self.hands.up_then_right(self["pairs"]))

    @beat(_turn, ask="Let the word go from position 0 to {m}: what happens to its {hands}?")
    def turn(self) -> Steps:
        m, time = self.values.m, 1.2 * self.reading
        start = self.hands.ghosts()
        way = Turns(self["phases"], self.faces, start, out=0.68)
        self.now = self._numbers("+.2f", aside=_ASIDE)
        last = max(float(self.line.window[1]), 1.1 * m)
        aside = (part.step_aside(-_ASIDE) for part in self.numbers)
        muted = recolor(self.numbers, self.theme.muted)
        yield together(self.line.zoom([0, last]), *aside, muted, run_time=0.8)
        self.add(start, way, self.hands, *self.now)
        yield together(self._travel(m, self["rotated_pairs"]), way.grow(), run_time=time)
        color = self.theme.text_color("position")
        look: dict[str, Any] = {"suffix": "°", "size": SMALL, "color": color}
        angles = DialNumbers(self["degrees"], self.faces, ",.1f", **look)
        yield FadeIn(angles, run_time=0.5)
        self.start, self.turns = start, VGroup(way, angles)

    @beat(CAPTION)
    def back(self) -> Steps:
        """The word goes back, and its numbers are the old ones again."""
        yield FadeOut(self.turns, run_time=0.5)
        yield together(self._travel(0, self["pairs"]), run_time=0.8 * self.reading)
        yield FadeOut(self.start, *self.now, run_time=0.6)
        home = (part.step_aside(_ASIDE) for part in self.numbers)
        yield together(*home, recolor(self.numbers, self.theme.text_color("query")), run_time=0.6)
