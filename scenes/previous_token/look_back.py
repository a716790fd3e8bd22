"""With other offsets of the query, the line of attention moves to other sub-diagonals."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated

from manim import Rectangle, VGroup
from pydantic import Field

from clockhead.model.films.previous_token.look_back import Offsets, offset_walk
from clockhead.scenes.parts.table import Table, room_beside
from clockhead.scenes.previous_token.inputs import HeadInputs
from clockhead.scenes.previous_token.tiles import TurnedBack
from clockhead.scenes.spelling import counted, listed
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Derived,
    FadeIn,
    FadeOut,
    Stage,
    Steps,
    beat,
    together,
)
from clockhead.scenes.style.motion import Moves

Backs = Annotated[tuple[Annotated[int, Field(ge=0, le=11)], ...], Field(min_length=1, max_length=4)]

_FURTHER = (
    "Turn the query back {back_1} steps, and the whole line moves along.",
    "Turn the query back {back_1} steps, then {back_2}: the whole line moves along.",
    "Turn the query back {back_1} steps, then {back_2}, then {back_3}: the whole line moves along.",
    "Turn the query back {back_1} steps, then {back_2}, then {back_3}, then {back_4}: "
    "the whole line moves along.",
)
_USUAL = (1, 2, 3)
"""Default offsets, in tokens."""
_A_STEP, _ALL_STEPS = 2.6, 7.0
"""Seconds for a change of the offset by one, and the most for all changes."""


def _offset_sentence(values: Offsets) -> str:
    stops = values.told.stops
    further = stops[stops[0] == 1 :]
    if min(further, default=0) < 2 or list(further) != sorted(further):
        return "However far the query is turned back, the whole line moves along."
    return _FURTHER[len(further) - 1]


def _offset_fact(n: int) -> Derived:
    """A fact with the n-th offset beyond one, counted from 0."""

    def count(values: Offsets) -> str:
        stops = values.told.stops
        further = stops[stops[0] == 1 :]
        if n >= len(further):
            raise ValueError(f"the query is turned back {len(further)} times only")
        return counted(further[n])

    return Derived(f"offset of the query at stop {n + 1} beyond one, in steps, spelled out", count)


def _lost_rows(values: Offsets) -> str:
    """A sentence about the rows whose target would be before the first token."""
    if values.told.last_stop == 1:
        return "The first row has nothing before it: it sees only itself, and looks at itself."
    if _places(values) == [0]:
        return (
            "The first {n_lost} rows have nothing that far back. They make do with the first token."
        )
    return (
        "The first {n_lost} rows have nothing that far back. They make do with positions {places}."
    )


def _places(values: Offsets) -> list[int]:
    """The positions that these rows attend to most."""
    head = values.told.last
    return sorted({int(head.looks_at[m]) for m in head.rows_without_target})


class LookBack(Stage[Offsets]):
    """With other offsets of the query, the line of attention moves to other sub-diagonals."""

    class Inputs(HeadInputs):
        look_backs: Backs | None = Field(
            None,
            description="one to four offsets, in steps that the query is turned back; if left out, "
            "one, two and three, as far as the text is long enough",
        )

    title = "Any number of steps back"
    caption = "This works for any number of steps. The one we need is one step back."
    opens = ("tiles", "askers", "grid", "dials", "turns", "hands", "steps")
    leaves = ("tiles", "askers", "grid")
    claims = (
        Claim(
            "at every offset, each row with a token that far back attends most to it",
            lambda values: values.told.finds_target,
            "{told.n_missed} rows attend most to another token",
        ),
    )

    derived = {
        **{f"back_{n + 1}": _offset_fact(n) for n in range(len(_FURTHER))},
        "n_lost": Derived(
            "number of rows without a token that far back, spelled out",
            lambda values: counted(values.told.last_stop),
        ),
        "places": Derived(
            "the positions that these rows attend to most",
            lambda values: listed(map(str, _places(values))),
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
        self.grid = Table(self["way.patterns"][0], self["tokens"])
        self.tiles, self.askers = self.grid.tiles, self.grid.askers
        room = room_beside(self.canvas, self.grid)
        query = TurnedBack(self["way.query_phases"][0], self["way.steps"][0], room)
        self.dials, self.hands, self.turns, self.steps = (
            query.dials,
            query.hands,
            query.turns,
            query.steps,
        )
        self.reach = self.grid.outline(self["way.nearest_columns"][0])
        self.lost = VGroup(*(self._veil(m) for m in range(told.last_stop)))

    def _veil(self, m: int) -> Rectangle:
        """A translucent cover that dims row m of the table."""
        row = self.grid.block(m, 0, 1, m + 1)
        veil = Rectangle(width=row.width, height=row.height, stroke_width=0)
        return veil.set_fill(self.theme.ground, 0.6).move_to(row.center)

    @beat(_offset_sentence, focus="grid")
    def further(self) -> Steps:
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

    @beat(_lost_rows, when=lambda values: values.told.last_stop > 0, focus="grid")
    def start(self) -> Steps:
        yield FadeIn(self.lost, run_time=1.0)

    @beat(CAPTION, when=lambda values: values.told.last_stop != 1, focus="grid")
    def home(self) -> Steps:
        leg = self.values.way.n_stops - 2
        walk = together(self._walk(leg), run_time=max(2.2, 0.8 * self.reading))
        yield walk, FadeOut(self.lost, run_time=0.6)
        yield FadeOut(self.reach, run_time=0.6)

    def _walk(self, leg: int) -> Moves:
        """Animate everything from one offset to the next."""
        first, last = self.values.way.stop_indices[leg : leg + 2].tolist()
        pictures = (self.hands, self.turns, self.grid, self.reach, self.steps)
        names = ("query_phases", "query_phases", "patterns", "nearest_columns", "steps")
        return together(
            *(
                picture.through(self[f"way.{name}"][first : last + 1])
                for picture, name in zip(pictures, names, strict=True)
            )
        )
