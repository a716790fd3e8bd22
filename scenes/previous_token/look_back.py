"""The query is turned back by other numbers of steps, and the line moves along with it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

import numpy as np
from manim import FadeIn, FadeOut
from numpy.typing import NDArray
from pydantic import Field

from model.arrays import Floats
from model.look_back_walk import LookBackWalk
from model.units import Count
from scenes.parts.cell_outlines import Outline
from scenes.parts.dial import Dials
from scenes.parts.dial_hands import Hands
from scenes.parts.dial_turns import Turns
from scenes.parts.equation import Equation
from scenes.parts.figures import Figure
from scenes.previous_token.inputs import HeadInputs
from scenes.previous_token.table import Table, room_beside
from scenes.spelling import listed
from scenes.stage import CAPTION, Claim, Column, Derived, Row, Stage, Steps, beat, fit
from scenes.style.motion import Drive

Backs = Annotated[tuple[Annotated[int, Field(ge=0, le=11)], ...], Field(min_length=1, max_length=4)]

_USUAL = (1, 2, 3)
_MOST_DIALS = 4
_A_STEP, _ALL_STEPS = 2.6, 7.0
"""Seconds for one step back, and for all of them at most."""
_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True, eq=False)
class Looking:
    """The look-backs that are told of, and the whole way: from one step back, and back to it."""

    tokens: tuple[str, ...]
    told: LookBackWalk
    way: LookBackWalk

    @classmethod
    def at(cls, inputs: HeadInputs, backs: tuple[int, ...]) -> Looking:
        stops = [1, *backs, 1]
        way = tuple(b for a, b in pairwise([-1, *stops]) if a != b)
        head = inputs.head()
        return cls(inputs.tokens, LookBackWalk(head, backs), LookBackWalk(head, way))

    @property
    def columns(self) -> Floats:
        """The column that each row looks for along the way; below 0 there is none; (S, T)."""
        return np.arange(len(self.tokens)) - self.way.steps[:, None]

    @property
    def n_hands(self) -> Count:
        """How many hands the query has."""
        return self.way.head.d_head // 2

    @property
    def n_shown(self) -> Count:
        """How many of them are shown, the fastest."""
        return min(_MOST_DIALS, self.n_hands)

    @property
    def further(self) -> tuple[int, ...]:
        """The look-backs after the usual one."""
        return self.told.stops[self.told.stops[0] == 1 :]


class Reach(Outline):
    """Outlines around the cells that rows look for, where there are any."""

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw those that lie in the table; columns, (R,)."""
        super().show(np.where(state < 0, np.nan, state))


def _in_words(steps: int) -> str:
    """“two steps”."""
    word = _WORDS[steps] if steps < len(_WORDS) else str(steps)
    return f"{word} step" if steps == 1 else f"{word} steps"


def _further(values: Looking) -> str:
    further = values.further
    if not further:
        return "Turned back one step, every row but the first finds the token before it."
    if further == (0,):
        return "Not turned back at all, every row looks at itself."
    if further[0] < 2 or any(b <= a for a, b in pairwise(further)):
        return "Turn the query back by other steps: each row that can looks just as far back."
    first, *rest = further
    if not rest:
        away = _in_words(first)
        return f"Turn the query back {away}, and every row that can looks {away} back."
    then = "".join(f", then {_in_words(steps).split()[0]}" for steps in rest)
    return f"Turn the query back {_in_words(first)}{then}: each row that can looks as far back."


def _without_target(values: Looking) -> str:
    """What the rows do that have nothing as far back as they should look."""
    head, steps = values.told.last, values.told.last_stop
    places = sorted({int(head.looks_at[m]) for m in head.rows_without_target})
    if not places:
        return "Every row has itself to look at."
    if steps == 1:
        return "The first row has nothing before it: it looks at itself."
    where = "position " if len(places) == 1 else "positions "
    where += listed(str(place) for place in places)
    count = _in_words(steps).split()[0]
    return f"The first {count} rows have nothing that far back: they look at {where}."


class LookBack(Stage):
    """The query is turned back by other numbers of steps, and the line moves along with it."""

    class Inputs(HeadInputs):
        look_backs: Backs | None = Field(
            None,
            description="one to four numbers of steps to turn the query back by; if left out, "
            "one, two and three, as far as the text goes",
        )

    title = "Any number of steps back"
    question = "By how many steps can the query be turned back?"
    caption = "Any number of steps will do. One step back is the one we need."
    opens = ("tiles", "askers", "grid")
    leaves = ("tiles", "askers", "grid")
    claims = (
        Claim(
            "at every number of steps, each row that has a token that far back finds it",
            lambda values: values.told.finds_target,
            "{told.n_missed} rows look elsewhere",
        ),
    )
    derived = {
        "without_target": Derived("what the rows without a target do", _without_target),
    }
    renamed = {
        "n_tokens": "told.head.n_tokens",
        "last_k": "told.last_stop",
        "worst_mass": "told.worst_mass",
        "last_worst_mass": "told.last.worst_mass",
        "n_without_target": "told.last_stop",
    }

    values: Looking

    @classmethod
    def compute(cls, inputs: Inputs) -> Looking:
        n = len(inputs.tokens)
        usual = tuple(b for b in _USUAL if b < n) if n > 2 else (1, 0)
        backs = usual if inputs.look_backs is None else inputs.look_backs
        if any(a == b for a, b in pairwise(backs)):
            raise ValueError(f"look_backs must change from stop to stop, got {list(backs)}")
        if max(backs) >= n:
            raise ValueError(
                f"look_backs must stay below the {n} words of the text, got {max(backs)}"
            )
        return Looking.at(inputs, backs)

    def layout(self) -> None:
        self.grid = Table(self["way.patterns"][0], self["tokens"])
        side = room_beside(self.canvas, self.grid)
        self.tiles, self.askers = self.grid.tiles, self.grid.askers
        self.query = Equation(
            [
                ("query", "query(q_m)"),
                ("is", "="),
                ("scale", "alpha"),
                ("turn", "R_(m - position(b))"),
                ("key", "key(c)"),
            ]
        )
        self.steps = Figure(
            self["way.stops"][0],
            "d",
            size=32,
            prefix="b = ",
            color=self.theme.text_color("position"),
        )
        self.dials = Dials(self.values.n_shown, largest=0.9)
        fit(
            side,
            Column(Row(self.query, self.steps, gap=0.8), self.dials, weights=(1.0, 4.0)),
            Column(self.query, self.steps, self.dials, weights=(1.0, 0.0, 4.0)),
        )
        phases = self["way.query_phases"][0]
        self.hands = Hands(phases, self.dials, "query", angles=True)
        self.turns = Turns(phases, self.dials)
        self.reach = Reach(self["columns"][0], lambda: self.grid.lattice)
        self.lost = self.grid.outline(
            self["told.last.looks_at"], role="position", rows=range(self.values.told.last_stop)
        )

    @beat(_further)
    def further(self) -> Steps:
        yield self._grow_dials(), FadeIn(self.steps), self.query.appear(run_time=1.0)
        way = self.values.way
        stops = way.stops if self.values.told.last_stop == 1 else way.stops[:-1]
        if len(stops) == 1:
            yield self.reach.trace(run_time=3.0)
        else:
            yield FadeIn(self.reach, run_time=0.4)
        distance = sum(abs(b - a) for a, b in pairwise(stops))
        pace = min(_A_STEP, _ALL_STEPS / max(distance, 1))
        for leg, (start, end) in enumerate(pairwise(stops)):
            yield self._walk(leg, pace * abs(end - start))
            self.steps.set_to(self["way.stops"][leg + 1])
            yield 0.4

    @beat(_without_target, when=lambda values: values.told.last_stop > 0)
    def start(self) -> Steps:
        yield self.lost.trace(run_time=max(1.6, 0.8 * self.reading))

    @beat(CAPTION, when=lambda values: values.told.last_stop != 1)
    def home(self) -> Steps:
        leg = self.values.way.n_stops - 2
        yield [*self._walk(leg, max(2.2, 0.8 * self.reading)), FadeOut(self.lost, run_time=0.6)]
        self.steps.set_to(self["way.stops"][leg + 1])
        yield FadeOut(self.reach, run_time=0.6)

    def _walk(self, leg: int, run_time: float) -> list[Drive]:
        """Everything on its way from one stop to the next."""
        first, last = (int(self.values.way.stop_indices[leg + k]) for k in (0, 1))
        pictures = (self.hands, self.turns, self.grid, self.reach)
        paths = ("way.query_phases", "way.query_phases", "way.patterns", "columns")
        return [
            picture.through(self[path][first : last + 1], run_time=run_time)
            for picture, path in zip(pictures, paths, strict=True)
        ]

    def _grow_dials(self) -> Drive:
        """The dials grow where they stand."""
        home, radius = self.dials.centers, self.dials.radius
        self.query.hide()
        self.dials.place_at(home, 0.05)
        self.add(self.dials, self.turns, self.hands)
        return self.dials.go_to(home, radius, run_time=1.0)
