"""The numbers of a word are clock hands, two and two; its position turns each by its own angle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from manim import FadeIn, FadeOut, VGroup
from pydantic import Field

from model.rotated_vector import RotatedVector
from model.units import Doc, Position
from scenes.facts import format_fact
from scenes.parts.dial import Dials
from scenes.parts.dial_hands import Hands
from scenes.parts.dial_numbers import DialNumbers
from scenes.parts.dial_turns import Turns
from scenes.rope.inputs import VectorInputs
from scenes.rope.standing import box, line_for, places, stand
from scenes.stage import CAPTION, Claim, Column, Derived, EvenInt, Stage, Steps, Value, beat, fit
from scenes.style.motion import recolor
from scenes.style.type import SMALL

_SEEN = 0.01
"""A change of a number that is seen in two decimals."""
_ASIDE = 0.42
"""How far the numbers before and after the turn stand from the middle of their dial, in units."""
_MOST, _FEW = 8, 4
"""As many hands are shown, and as many where their numbers have no room."""
_DEGREES = ",.1f"
"""How the angle of a turn is written."""
_STEPS = 20
"""Moments in every position on the way."""


@dataclass(frozen=True)
class Turning:
    """What a position does to a vector, and the words among which its own stands."""

    turned: RotatedVector
    words: tuple[str, ...]
    place: Annotated[Position, Doc("where the word stands among the words")]

    @property
    def is_letter(self) -> bool:
        """Whether the vector is that of a letter by itself."""
        return len(self.words) == 1

    @property
    def is_alone(self) -> bool:
        """Whether there is a single hand."""
        return len(self.turned.frequencies) == 1


def _list(values: Turning) -> str:
    if values.is_letter:
        return "To the model a letter is a list of numbers, here from a formula: its embedding."
    return "From a word the head makes a list of numbers, its query; here they are made up."


def _turn(values: Turning) -> str:
    turned = values.turned
    if values.is_alone:
        return "The hand turns, so the numbers change."
    if turned.rotates_alike:
        return "All hands turn by the same angle, so the numbers change."
    angles = {format_fact(float(angle), _DEGREES) for angle in turned.degrees}
    if len(angles) < len(turned.degrees):
        return "The hands turn, so the numbers change."
    return "Each hand turns by its own angle, so the numbers change."


class ClockHands(Stage):
    """The numbers of a word are clock hands; its position turns each by its own angle."""

    class Inputs(VectorInputs):
        d_head: EvenInt = Field(8, ge=2, le=16, description="width of the head; d_head/2 hands")

    title = "A position turns the {hands} of a {kind}"
    question = "What does the position of “{turned.token}” do to its {inputs.d_head} numbers?"
    caption = "But a turn can be turned back, so nothing of the {kind} is lost."
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
        "hands": Derived("the hands", lambda v: "hand" if v.is_alone else "hands"),
    }

    inputs: Inputs
    values: Turning

    @classmethod
    def compute(cls, inputs: Any) -> Turning:
        if inputs.letter is not None:
            return Turning(inputs.turned(), (inputs.letter,), 0)
        return Turning(inputs.turned(), inputs.tokens, inputs.asks)

    def layout(self) -> None:
        v, n = self.values, len(self.values.turned.frequencies)
        self.line = line_for(self.canvas)
        room: dict[str, Any] = {"lines_over": 2, "lines_under": 1, "wide": 1.45}
        ways = [
            Dials(n, most=most, columns=columns, largest=1.25, **room)
            for most, columns in ((_MOST, (n + 1) // 2), (_MOST, n), (_FEW, min(n, _FEW)))
        ]
        self.faces = ways[fit(self.canvas, *(Column(dials, self.line, gap=0.3) for dials in ways))]
        self.tiles = stand(self["words"], self.line, v.place)
        self.hero = self.tiles.tiles[v.place]
        self.hands = Hands(self["turned.origins"], self.faces, "query", unit=self.inputs.unit())
        self.dials = VGroup(self.faces, self.hands)
        self.numbers = VGroup(*self._numbers("+.1f"))

    def _numbers(self, spec: str, **options: Any) -> list[DialNumbers]:
        """Both numbers of every pair, over its dial, the first on top."""
        look = {"spot": "over", "color": self.theme.text_color("query")} | options
        return [
            DialNumbers(self["turned.pairs"], self.faces, spec, line=1 - part, part=part, **look)
            for part in (0, 1)
        ]

    def _go(self, position: float, run_time: float) -> Any:
        """Let the word go to a position."""
        ends = places(self.line, [position] * len(self.values.words))
        return self.tiles.slide_to(ends, box(self.line), run_time=run_time)

    def _travel(self, start: int, end: int, pairs: Value, run_time: float) -> list[Any]:
        """The word goes from a position to another, its hands turn, and their numbers change."""
        turned = self.values.turned
        by = turned.phases if end else -turned.phases
        moments = turned.pairs_at(np.linspace(start, end, _STEPS * turned.m + 1))
        return [
            self._go(end, run_time),
            self.hands.turn_to(pairs, by, run_time=run_time),
            *(part.pass_through(pairs, moments, run_time=run_time) for part in self.now),
        ]

    @beat(_list)
    def a_list(self) -> Steps:
        hero = self.values.place
        others = [k for k in range(len(self.values.words)) if k != hero]
        if others:
            yield self.tiles.leave(*others, run_time=0.5)
        yield self._go(0, run_time=0.8)
        time = self.reading - 1.5
        yield [part.come_from(self.tiles.middle(hero), run_time=time) for part in self.numbers]

    @beat("Two numbers make a hand: the first says how far up, the second how far right.")
    def pairs(self) -> Steps:
        yield self.hands.up_then_right(self["turned.pairs"], run_time=0.8 * self.reading)

    @beat(
        _turn,
        ask="Let the {kind} go from position 0 to {turned.m}: what happens to its {hands}?",
    )
    def turn(self) -> Steps:
        turned, time = self.values.turned, 1.2 * self.reading
        start = self.hands.ghosts()
        way = Turns(self["turned.phases"], self.faces, start, out=0.68)
        self.now = self._numbers("+.2f", aside=_ASIDE)
        last = max(float(self.line.window[1]), 1.1 * turned.m)
        yield (
            self.line.zoom([0, last], run_time=0.8),
            *(part.step_aside(-_ASIDE, run_time=0.8) for part in self.numbers),
            recolor(self.numbers, self.theme.muted, run_time=0.8),
        )
        self.add(start, way, self.hands, *self.now)
        phases = np.stack([0 * turned.phases, turned.phases])
        yield (
            *self._travel(0, turned.m, self["turned.rotated_pairs"], time),
            way.pass_through(self["turned.phases"], phases, run_time=time),
        )
        color = self.theme.text_color("position")
        angles = DialNumbers(
            self["turned.degrees"], self.faces, _DEGREES, suffix="°", size=SMALL, color=color
        )
        yield FadeIn(angles, run_time=0.5)
        self.start, self.turns = start, VGroup(way, angles)

    @beat(CAPTION)
    def back(self) -> Steps:
        """The word goes back, and its numbers are the old ones again."""
        yield FadeOut(self.turns, run_time=0.5)
        yield self._travel(self.values.turned.m, 0, self["turned.pairs"], 0.8 * self.reading)
        yield FadeOut(self.start, *self.now, run_time=0.6)
        yield (
            *(part.step_aside(_ASIDE, run_time=0.6) for part in self.numbers),
            recolor(self.numbers, self.theme.text_color("query"), run_time=0.6),
        )
