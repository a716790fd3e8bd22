"""One hand that turns with the position soon repeats itself; several, each slower, count on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from manim import FadeIn, FadeOut, VGroup
from pydantic import Field

from model.arrays import Floats, sealed
from model.rope import BASE, FULL_TURN
from model.schedule import Schedule
from model.units import Position
from model.word_scores import WordScores
from scenes.facts import format_fact
from scenes.parts.dial import Dials
from scenes.parts.dial_hands import Hands
from scenes.parts.dial_numbers import DialNumbers, to_three_digits
from scenes.parts.dial_turns import Turns, Wedges
from scenes.parts.equation import Equation
from scenes.parts.figures import Figure
from scenes.rope.inputs import WordInputs
from scenes.rope.standing import HEAD, line_for, stand
from scenes.stage import CAPTION, Column, Derived, EvenInt, Stage, Steps, beat, fit
from scenes.style.layout import Region
from scenes.style.text import Label
from scenes.style.type import SMALL

MOST = 8
"""As many hands are shown."""

_RIM = 0.45
"""The room for numbers around a dial, in units."""


@dataclass(frozen=True)
class Counting:
    """The hands of a head, and the fastest of them at the positions of a few words."""

    schedule: Schedule
    told: WordScores

    @cached_property
    def upright(self) -> Floats:
        """Every hand at position 0; shape (d_head/2,)."""
        return sealed(self.schedule.phases_at(0))

    @cached_property
    def once_round(self) -> Floats:
        """A hand that has been round once, as every one will; shape (d_head/2,)."""
        return sealed(np.full(self.schedule.n_pairs, FULL_TURN))

    @property
    def here(self) -> Position:
        """The position at which all hands stand upright."""
        return 0

    @property
    def next_door(self) -> Position:
        """The position after it."""
        return 1


class Frequencies(Stage):
    """One hand that turns with the position soon repeats itself; several, each slower, count on."""

    class Inputs(WordInputs):
        d_head: EvenInt = Field(8, ge=4, le=256, description="width of the head; d_head/2 hands")
        base: float = Field(BASE, ge=2, le=1e7, description="how far apart the hands' speeds are")
        m: int = Field(44, ge=4, le=1000, description="position that is compared with position 0")

    title = "One hand is not enough"
    question = "A hand that turns with the position: how far can it count?"
    caption = "The fast hand tells neighbours apart, {reach}."
    opens = leaves = ("line", "tiles", "dials")
    derived = {
        "base": Derived("the base, as a sentence says it", lambda v: _plain(v.schedule.base)),
        "reach": Derived("what the slower hands are good for", lambda v: _reach(v.schedule)),
    }
    renamed = {
        name: f"schedule.{name}"
        for name in (
            *("d_head", "m", "factor", "fastest_period", "slowest_period"),
            *("first_degrees", "last_degrees", "first_turns", "last_turns"),
        )
    } | {"n_hands": "schedule.n_pairs"}

    inputs: Inputs
    values: Counting

    @classmethod
    def compute(cls, inputs: Inputs) -> Counting:
        schedule = Schedule(inputs.d_head, inputs.base, inputs.m)
        return Counting(schedule, inputs.word_scores())

    def layout(self) -> None:
        self.line = line_for(self.canvas)
        self.window = self.line.window
        self.faces = Dials(self.values.schedule.n_pairs, most=MOST, largest=1.25, lines_under=2)
        self.formula = Equation(
            [
                ("turn", "position(theta_i)"),
                ("power", "= {base:,.12g}^(-2 i \\/ {width})"),
                ("unit", '"  radians per position"'),
            ],
            values={"base": self["schedule.base"], "width": self["schedule.d_head"]},
        )
        fit(self.canvas, Column(self.formula, self.faces, self.line, gap=0.2))
        self.formula.hide()
        self.tiles = stand(self["told.words"], self.line, self.inputs.asks)
        self._lay_single_dials()
        self.hands = Hands(self["upright"], self.faces, angles=True)
        self.upright = self.hands.ghosts()
        self.wedges = Wedges(self["upright"], self.faces)
        self.periods = self._numbers("schedule.periods")
        self.unit = Label("positions per turn", size=SMALL, color=self.theme.muted, align="center")
        self.unit.put(self._under_row())
        self.mark = self.line.mark(self["here"])

    def _under_row(self) -> Floats:
        """The middle of the line under the numbers of the last dials."""
        last = self.faces.shown_rows - 1
        middle = self.faces.centers[0, :, 0].min() + self.faces.centers[0, :, 0].max()
        return np.array([middle / 2, self.faces.under(last, 1)[1], 0.0])

    def _lay_single_dials(self) -> None:
        """A dial for every word, and the one in which they will meet."""
        foot = self.line.x(0)[1] + HEAD
        room = Region(self.canvas.left, foot, self.canvas.right, self.canvas.top)
        self.of_words = Dials(len(self.values.told.words), labels=self["told.words"], largest=1.1)
        self.one = Dials(1, labels=None, largest=2.0)
        self.of_words.place(room)
        self.one.place(room.inset(_RIM))
        hands = Hands(self["told.first_phases"], self.of_words, angles=True)
        self.met = Hands(self["told.first_phases"], self.of_words, angles=True, ghost=True)
        self.dials = VGroup(self.of_words, hands)
        self.hand = Hands(self["upright"], self.one, angles=True)
        self.way = Turns(self["upright"], self.one)

    @beat("Every position turns the hand on; at {fastest_period:.2f} it has been round once.")
    def round(self) -> Steps:
        yield self.of_words.shrink_to(self.one.centers[0, 0], self.one.radius, run_time=1.0)
        self.remove(self.dials)
        self.add(self.of_words.faces, self.one, self.met, self.way, self.hand)
        self.tips = VGroup(*(self._at_rim(k) for k in range(len(self.values.told.words))))
        yield FadeIn(self.tips, run_time=0.4), self.mark.appear(run_time=0.4)
        self.end = self.line.mark(self["schedule.fastest_period"], ".2f")
        yield (
            self.hand.to(self["once_round"], run_time=2.2),
            self.way.to(self["once_round"], run_time=2.2),
            self.mark.to(self["schedule.fastest_period"], run_time=2.2),
        )
        yield self.end.appear(run_time=0.4)

    def _at_rim(self, k: int) -> Figure:
        """The number of a word's position, outside the dial where the hand then points."""
        figure = Figure(self["told.positions"][k], "d")
        figure.number.center_on(self.one.rim(0, float(self.values.told.first_phases[k]), 1.18))
        return figure

    @beat(lambda v: _more(v.schedule), ask="How can it count further?")
    def more(self) -> Steps:
        yield (
            FadeOut(self.met, self.tips, self.way, self.of_words.faces, run_time=0.4),
            *(mark.vanish(run_time=0.4) for mark in (self.mark, self.end)),
        )
        yield self.one.go_to([self.faces.centers[0, 0]], self.faces.radius, run_time=0.8)
        self.faces.fan(0, 0.0)
        self.remove(self.one, self.hand)
        self.add(self.faces, self.wedges, self.upright, self.hands)
        yield self.faces.spread_from(0, run_time=1.6)
        yield FadeIn(self.periods, self.unit, run_time=0.6)

    @beat(lambda v: _near(v.schedule))
    def near(self) -> Steps:
        self.mark.set_to(self["here"])
        self.degrees = self._numbers("schedule.near_degrees")
        yield FadeOut(self.periods, self.unit, run_time=0.4), self.mark.appear(run_time=0.4)
        yield (
            self.hands.to(self["schedule.frequencies"], run_time=2.4),
            self.wedges.to(self["schedule.frequencies"], run_time=2.4),
            self.mark.to(self["next_door"], run_time=2.4),
        )
        yield FadeIn(self.degrees, run_time=0.5)

    @beat(
        lambda v: (
            "Not the fast one: it is almost back. A slower hand has moved."
            if v.schedule.slower_pair_tells
            else "Together they do: each has turned by an angle of its own."
        ),
        ask="Which hand tells position {schedule.m} from 0?",
    )
    def far(self) -> Steps:
        last = max(float(self.line.window[1]), 1.1 * self.values.schedule.m)
        time = self.reading * 0.8
        yield (
            FadeOut(self.degrees, run_time=0.5),
            self.tiles.leave(*range(1, len(self.values.told.words)), run_time=0.5),
            self.line.zoom([0, last], run_time=time),
            self.hands.to(self["schedule.far_phases"], run_time=time),
            self.wedges.to(self["schedule.far_phases"], run_time=time),
            self.mark.to(self["schedule.m"], run_time=time),
        )
        self.degrees = self._numbers("schedule.far_wedges")
        self.there = self.line.mark(self["schedule.m"], "d")
        yield FadeIn(self.degrees, run_time=0.5), self.there.appear(run_time=0.5)

    @beat("{base} sets how slow the slowest hand is.")
    def base(self) -> Steps:
        yield FadeOut(self.degrees, self.wedges, self.upright, run_time=0.5)
        yield FadeIn(self.periods, self.unit, run_time=0.8), self.formula.appear(run_time=1.6)

    @beat(CAPTION)
    def back(self) -> Steps:
        """Everything runs back to position 0, and the line to the window it had."""
        time = 0.5 * self.reading
        yield (
            self.there.vanish(run_time=0.4),
            self.line.zoom(self.window, run_time=time),
            self.hands.to(self["upright"], run_time=time),
            self.mark.to(self["here"], run_time=time),
        )
        yield (
            self.tiles.come_back(*range(1, len(self.values.told.words)), run_time=0.5),
            self.mark.vanish(run_time=0.5),
            FadeOut(self.formula, run_time=0.5),
        )
        self.dials = VGroup(self.faces, self.hands)

    def _numbers(self, path: str) -> DialNumbers:
        """Periods or degrees under the dials, to three digits."""
        suffix = "°" if "period" not in path else ""
        color = self.theme.text_color("position")
        return DialNumbers(
            self[path], self.faces, to_three_digits, size=SMALL, color=color, suffix=suffix
        )


def _more(schedule: Schedule) -> str:
    if schedule.n_pairs == 2:
        return (
            "So a head has two hands. The second takes {schedule.factor} times as long for a turn."
        )
    rest = f"; here are {MOST} of them" if schedule.n_pairs > MOST else ""
    return (
        "So a head has {schedule.n_pairs} hands. Each next one takes {schedule.factor} times as "
        f"long{rest}."
    )


def _near(schedule: Schedule) -> str:
    if schedule.slowest_is_still:
        return "At position 1 the fast hand has moved far, the slowest hardly at all."
    return "At position 1 the fast hand has moved most, and every slower one less."


def _reach(schedule: Schedule) -> str:
    ones = "one" if schedule.n_pairs == 2 else "ones"
    if schedule.outlasts_long_text:
        return f"the slow {ones} {'tells' if ones == 'one' else 'tell'} far places apart"
    return f"the slower {ones} places further apart"


def _plain(number: float) -> str:
    return format_fact(number, ",.4g" if number < 1000 else ",.0f")
