"""The query is turned back by other numbers of steps, and the line moves along with it."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated

from pydantic import Field

from clockhead.model.films.previous_token.look_back import Offsets, offset_walk
from clockhead.scenes.parts.dial import Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.dial_turns import Turns
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.table import Table, room_beside
from clockhead.scenes.previous_token.inputs import HeadInputs
from clockhead.scenes.spelling import counted, listed
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Column,
    Derived,
    FadeIn,
    FadeOut,
    Row,
    Stage,
    Steps,
    beat,
    fit,
    together,
)
from clockhead.scenes.style.motion import Moves

Backs = Annotated[tuple[Annotated[int, Field(ge=0, le=11)], ...], Field(min_length=1, max_length=4)]

_FURTHER = (
    "Turn the query back {back_1} steps: each row looks just as far back, if it can.",
    "Turn the query back {back_1} steps, then {back_2}: "
    "each row looks just as far back, if it can.",
    "Turn the query back {back_1} steps, then {back_2}, then {back_3}: "
    "each row looks just as far back, if it can.",
    "Turn the query back {back_1} steps, then {back_2}, then {back_3}, then {back_4}: "
    "each row looks just as far back, if it can.",
)
_USUAL = (1, 2, 3)
_MOST_DIALS = 4
_A_STEP, _ALL_STEPS = 2.6, 7.0
"""Seconds for one step back, and for all of them at most."""


def _further(values: Offsets) -> str:
    stops = values.told.stops
    further = stops[stops[0] == 1 :]
    if min(further, default=0) < 2 or list(further) != sorted(further):
        return "However far the query is turned back, each row looks just as far back, if it can."
    return _FURTHER[len(further) - 1]


def _back(n: int) -> Derived:
    """The n-th number of steps beyond one, from 0."""

    def count(values: Offsets) -> str:
        stops = values.told.stops
        further = stops[stops[0] == 1 :]
        if n >= len(further):
            raise ValueError(f"the query is turned back {len(further)} times only")
        return counted(further[n])

    return Derived(f"how many steps the query is turned back at stop {n + 1} beyond one", count)


def _without_target(values: Offsets) -> str:
    """What the rows do that have nothing as far back as they should look."""
    if values.told.last_stop == 1:
        return "The first row has nothing before it: it sees only itself, and looks at itself."
    if _places(values) == [0]:
        return (
            "The first {n_lost} rows have nothing that far back: "
            "they look at 0, the nearest they see."
        )
    return "The first {n_lost} rows have nothing that far back: they look at positions {places}."


def _places(values: Offsets) -> list[int]:
    """The positions at which those rows look."""
    head = values.told.last
    return sorted({int(head.looks_at[m]) for m in head.rows_without_target})


class LookBack(Stage[Offsets]):
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
    opens = ("tiles", "askers", "grid", "dials", "turns", "hands")
    leaves = ("tiles", "askers", "grid")
    claims = (
        Claim(
            "at every number of steps, each row that has a token that far back finds it",
            lambda values: values.told.finds_target,
            "{told.n_missed} rows look elsewhere",
        ),
    )

    derived = {
        **{f"back_{n + 1}": _back(n) for n in range(len(_FURTHER))},
        "n_lost": Derived(
            "how many rows have nothing that far back, spelled",
            lambda values: counted(values.told.last_stop),
        ),
        "places": Derived(
            "where those rows look", lambda values: listed(map(str, _places(values)))
        ),
    }

    @classmethod
    def compute(cls, inputs: Inputs) -> Offsets:
        n, head = len(inputs.tokens), inputs.head
        usual = tuple(b for b in _USUAL if b < n) if n > 2 else (1, 0)
        backs = usual if inputs.look_backs is None else inputs.look_backs
        if max(backs) >= n or any(a == b for a, b in pairwise(backs)):
            raise ValueError(
                f"look_backs must stay below the {n} words of the text, "
                f"and change from stop to stop, got {list(backs)}"
            )
        legs = tuple(b for a, b in pairwise([-1, 1, *backs, 1]) if a != b)
        told, way = offset_walk(head, backs), offset_walk(head, legs)
        return Offsets(tokens=inputs.tokens, told=told, way=way)

    def layout(self) -> None:
        told = self.values.told
        phases = self["way.query_phases"][0]
        self.grid = Table(self["way.patterns"][0], self["tokens"])
        self.tiles, self.askers = self.grid.tiles, self.grid.askers
        self.query = Equation(
            [("query", "query(q_m)"), ("on", "= R_m"), ("back", "R_(-position(b)) key(c)")]
        )
        self.shown = Equation([("back", "R_(-position(b)) key(c)")])
        mauve = self.theme.text_color("position")
        self.steps = Figure(self["way.steps"][0], ".0f", size=32, prefix="b = ", color=mauve)
        n_dials = min(_MOST_DIALS, told.last.n_pairs)
        self.dials = Dials(n_dials, columns=min(2, n_dials), largest=0.9)
        fit(
            room_beside(self.canvas, self.grid),
            Column(self.query, Row(self.shown, self.steps), self.dials, weights=(1.0, 1.0, 4.0)),
            Column(self.query, self.shown, self.steps, self.dials, weights=(1.0, 1.0, 0.0, 4.0)),
        )
        self.hands = Hands(phases, self.dials, "query", angles=True)
        self.turns = Turns(phases, self.dials)
        self.query.hide()
        self.shown.hide()
        self.reach = self.grid.outline(self["way.nearest_columns"][0])
        self.lost = self.grid.outline(
            self["told.last.looks_at"], role="key", rows=range(told.last_stop)
        )

    @beat(_further)
    def further(self) -> Steps:
        yield self.query.appear(run_time=1.0)
        yield self.shown.appear(), FadeIn(self.steps, run_time=0.8)
        way = self.values.way
        stops = way.stops if self.values.told.last_stop == 1 else way.stops[:-1]
        if len(stops) == 1:
            yield self.reach.trace(run_time=3.0)
        else:
            yield FadeIn(self.reach, run_time=0.4)
        distances = [abs(b - a) for a, b in pairwise(stops)]
        pace = min(_A_STEP, _ALL_STEPS / max(sum(distances), 1))
        for leg, distance in enumerate(distances):
            yield together(self._walk(leg), run_time=pace * distance)
            yield 0.4

    @beat(_without_target, when=lambda values: values.told.last_stop > 0)
    def start(self) -> Steps:
        yield self.lost.trace(run_time=max(1.6, 0.8 * self.reading))

    @beat(CAPTION, when=lambda values: values.told.last_stop != 1)
    def home(self) -> Steps:
        leg = self.values.way.n_stops - 2
        walk = together(self._walk(leg), run_time=max(2.2, 0.8 * self.reading))
        yield walk, FadeOut(self.lost, run_time=0.6)
        yield FadeOut(self.reach, run_time=0.6)

    def _walk(self, leg: int) -> Moves:
        """Everything on its way from one stop to the next."""
        first, last = self.values.way.stop_indices[leg : leg + 2].tolist()
        pictures = (self.hands, self.turns, self.grid, self.reach, self.steps)
        names = ("query_phases", "query_phases", "patterns", "nearest_columns", "steps")
        return together(
            *(
                picture.through(self[f"way.{name}"][first : last + 1])
                for picture, name in zip(pictures, names, strict=True)
            )
        )
