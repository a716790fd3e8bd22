"""The numbers of a word are clock hands, two and two; its position turns each by its own angle."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from manim import Create, FadeIn, FadeOut, VGroup
from pydantic import Field

from model.arrays import Floats, sealed
from model.embedding import demo_embedding
from model.rotated_vector import RotatedVector
from model.tokens import LETTERS
from model.units import Degrees, Doc, Length, Position
from scenes.facts import format_fact
from scenes.parts.dial import Dials
from scenes.parts.dial_hands import Hands
from scenes.parts.dial_numbers import DialNumbers
from scenes.parts.dial_turns import Turns
from scenes.rope.inputs import WordInputs
from scenes.rope.standing import box, line_for, places, stand
from scenes.stage import CAPTION, Claim, Column, Derived, EvenInt, Stage, Steps, beat, fit
from scenes.style.motion import recolor
from scenes.style.type import SMALL

_SEEN = 0.01
"""A change of a number that is seen in two decimals."""
_ASIDE = 0.42
"""How far the numbers before and after the turn stand from the middle of their dial, in units."""
_WIDE = 1.45
"""What both need side by side."""
_MOST, _FEW = 8, 4
"""As many hands are shown, and as many where their numbers have no room."""
_DEGREES = ",.1f"
"""How the angle of a turn is written."""
_STEPS = 20
"""Moments in every position on the way."""


@dataclass(frozen=True)
class Turning:
    """A word among others, and what a position does to its vector."""

    turned: RotatedVector
    words: tuple[str, ...]
    place: Annotated[Position, Doc("where the word stands among the words")]
    unit: Annotated[Length, Doc("length of a hand that reaches the rim")]
    is_letter: Annotated[bool, Doc("whether it is a letter, with its demo embedding")] = False

    @cached_property
    def unmade(self) -> Floats:
        """Hands without any length; shape (d_head/2, 2)."""
        return sealed(np.zeros_like(self.turned.pairs))

    @property
    def first_degrees(self) -> Degrees:
        """How far the position turns the first hand."""
        return float(self.turned.degrees[0])

    @property
    def last_degrees(self) -> Degrees:
        """How far the position turns the last hand."""
        return float(self.turned.degrees[-1])


class ClockHands(Stage):
    """The numbers of a word are clock hands; its position turns each by its own angle."""

    class Inputs(WordInputs):
        d_head: EvenInt = Field(8, ge=2, le=16, description="width of the head; d_head/2 hands")
        m: int = Field(5, ge=1, le=1000, description="position to which the word moves")
        letter: Annotated[str, Field(pattern=r"^[a-z]$")] | None = Field(
            None, description="a letter that takes the word's place, with its demo embedding"
        )

    title = "A position turns the {hands} of a {kind}"
    question = "“{turned.token}” is a list of {inputs.d_head} numbers. What does its position do?"
    caption = "But {unchanged}, so nothing of the {kind} is lost."
    opens = ("line", "tiles", "dials")
    leaves = ("line", "hero", "dials", "numbers")
    claims = (
        Claim(
            "the position changes the numbers",
            lambda v: v.turned.largest_number_change > _SEEN,
            "at position {turned.m} none changes by more than {turned.largest_number_change:.2g}",
        ),
    )
    derived = {
        "kind": Derived("what is turned", lambda v: "letter" if v.is_letter else "word"),
        "n_hands": Derived("number of hands", lambda v: len(v.turned.frequencies)),
        "hands": Derived("the hands", lambda v: "hands" if _n(v) > 1 else "hand"),
        "unchanged": Derived(
            "whose length has not changed",
            lambda v: f"{'no' if _n(v) > 1 else 'the'} hand has {_not(v)}changed its length",
        ),
    }
    renamed = {
        "letter": "turned.token",
        "token": "turned.token",
        "d_head": "inputs.d_head",
        "m": "turned.m",
        "norm": "turned.norm",
        "largest_change": "turned.largest_length_change",
    }

    inputs: Inputs
    values: Turning

    @classmethod
    def compute(cls, inputs: Inputs) -> Turning:
        if inputs.letter is not None:
            embedded = demo_embedding([LETTERS.tokens.index(inputs.letter)], inputs.d_head)[0]
            turned = RotatedVector(
                tuple(embedded.tolist()), inputs.m, inputs.frequencies, inputs.letter
            )
            return Turning(turned, (inputs.letter,), 0, float(turned.lengths.max()), True)
        told = inputs.word_scores()
        query = tuple(told.query.tolist())
        turned = RotatedVector(query, inputs.m, inputs.frequencies, told.asker)
        return Turning(turned, told.words, told.asks, told.unit)

    def layout(self) -> None:
        v = self.values
        self.line = line_for(self.canvas)
        n = _n(v)
        ways = [
            Dials(n, most=most, columns=c, largest=1.25, lines_over=2, lines_under=1, wide=_WIDE)
            for most, c in ((_MOST, (n + 1) // 2), (_MOST, n), (_FEW, min(n, _FEW)))
        ]
        self.faces = ways[fit(self.canvas, *(Column(dials, self.line, gap=0.3) for dials in ways))]
        self.box = box(self.line)
        self.tiles = stand(self["words"], self.line, v.place)
        self.hands = Hands(self["unmade"], self.faces, "query", unit=v.unit)
        self.dials = VGroup(self.faces, self.hands)
        self.hero = self.tiles.tiles[v.place]
        parts = [self._numbers("turned.pairs", part, "+.1f") for part in (0, 1)]
        self.numbers = VGroup(*parts)

    def _numbers(self, path: str, part: int, spec: str, **options: float) -> DialNumbers:
        """The first or second number of every pair, over its dial."""
        color = self.theme.text_color("query")
        return DialNumbers(
            self[path],
            self.faces,
            spec,
            spot="over",
            line=1 - part,
            part=part,
            color=color,
            **options,
        )

    @beat(
        lambda v: (
            "To the model a letter is a list of numbers, here from a formula: its embedding."
            if v.is_letter
            else "To the model a word is a list of numbers, here made up: its query."
        )
    )
    def a_list(self) -> Steps:
        hero = self.values.place
        others = [k for k in range(len(self.values.words)) if k != hero]
        if others:
            yield self.tiles.leave(*others, run_time=0.5)
        start = places(self.line, [0.0] * len(self.values.words))
        yield self.tiles.slide_to(start, self.box, run_time=0.8)
        time = self.reading - 1.5
        yield [part.come_from(self.tiles.middle(hero), run_time=time) for part in self.numbers]

    @beat("Two numbers make a hand: the first says how far up, the second how far right.")
    def pairs(self) -> Steps:
        yield self.hands.up_then_right(self["turned.pairs"], run_time=0.8 * self.reading)

    @beat(
        lambda v: _turn(v),
        ask="Let the {kind} go from position 0 to {turned.m}: what happens to its {hands}?",
    )
    def turn(self) -> Steps:
        turned = self.values.turned
        start, n_tiles = self.hands.ghosts(), len(self.values.words)
        self.way = Turns(self["turned.phases"], self.faces, start, out=0.68)
        now = [self._numbers("turned.pairs", part, "+.2f", aside=_ASIDE) for part in (0, 1)]
        self.start, self.now = start, VGroup(*now)
        last = max(float(self.line.window[1]), 1.1 * turned.m)
        yield (
            self.line.zoom([0, last], run_time=0.8),
            *(part.step_aside(-_ASIDE, run_time=0.8) for part in self.numbers),
            recolor(self.numbers, self.theme.muted, run_time=0.8),
        )
        self.add(start, self.way, self.hands, *now)
        way = np.stack([0 * turned.phases, turned.phases])
        moments = turned.pairs_at(np.linspace(0, turned.m, _STEPS * turned.m + 1))
        time = 1.2 * self.reading
        yield (
            self.tiles.slide_to(places(self.line, [turned.m] * n_tiles), self.box, run_time=time),
            self.hands.turn_to(self["turned.rotated_pairs"], turned.phases, run_time=time),
            self.way.pass_through(self["turned.phases"], way, run_time=time),
            *(
                part.pass_through(self["turned.rotated_pairs"], moments, run_time=time)
                for part in now
            ),
        )
        self.angles = self._degrees()
        yield FadeIn(self.angles, run_time=0.5)

    def _degrees(self) -> DialNumbers:
        color = self.theme.text_color("position")
        return DialNumbers(
            self["turned.degrees"], self.faces, _DEGREES, suffix="°", size=SMALL, color=color
        )

    @beat(CAPTION)
    def length(self) -> Steps:
        circles = self.hands.circles()
        yield FadeOut(self.way, run_time=0.6), Create(circles, run_time=0.5 * self.reading)
        yield 0.3 * self.reading
        yield FadeOut(circles, self.start, self.now, self.angles, run_time=0.6)
        yield [part.step_aside(_ASIDE, run_time=0.6) for part in self.numbers]


def _n(values: Turning) -> int:
    return len(values.turned.frequencies)


def _not(values: Turning) -> str:
    return "" if _n(values) > 1 else "not "


def _turn(values: Turning) -> str:
    if _n(values) == 1:
        return "The hand turns, so the numbers change."
    if values.turned.rotates_alike:
        return "All hands turn by the same angle, so the numbers change."
    if len({format_fact(float(angle), _DEGREES) for angle in values.turned.degrees}) < _n(values):
        return "The hands turn, so the numbers change."
    return "Each hand turns by its own angle, so the numbers change."
