"""Two heads that were set by hand and two that training found, side by side."""

from __future__ import annotations

import math
from typing import Literal

from manim import VGroup

from clockhead.model.films.trained.side_by_side import HeadPairs, side_by_side
from clockhead.scenes.parts.cell_outlines import Outline
from clockhead.scenes.parts.cells import Lattice, region_between
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    FadeIn,
    FadeOut,
    Handle,
    Room,
    Row,
    Size,
    Stage,
    Steps,
    beat,
    beside,
    fit,
    together,
    wide_or_tall,
)
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.type import MIN_SIZE
from clockhead.scenes.trained.inputs import LATE_MOMENTS, OTHER_TEXTS, LateMoment

_NAME = 30.0
_LETTERS = 30.0
"""The size of the letters of the text where they have room, in pixels."""
_FILLS = 0.9
"""How large a letter may be, as a share of the way to the next."""
_LINE = 1.4 * _NAME * PX
"""The room of a name over a pattern, in units."""
_FLIGHT = 2.5
"""Seconds in which frames go from one pattern to the other."""


def _alike(pairs: HeadPairs) -> str:
    if not pairs.n_alike:
        return "None of {n_rows} fits."
    return "{n_alike} of {n_rows} fit: there, too, the letter before gets most."


def _found(pairs: HeadPairs) -> str:
    if pairs.n_waiting and pairs.n_waiting == pairs.n_finding - pairs.n_found:
        return (
            "{n_found} of {n_finding} fit. The other letters are not sure yet: they look at the "
            "start."
        )
    return "{n_found} of {n_finding} fit."


class SideBySide(Stage[HeadPairs]):
    """Two heads that were set by hand and two that training found, side by side."""

    class Inputs(LateMoment):
        """A text, and a moment of the training."""

    title = "By hand and by training"
    caption = "Nobody told it to do this. Looking back is simply what pays."
    opens = ("built", "built_name", "learned", "learned_name")
    handles = (
        Handle("late_moment", LATE_MOMENTS, beat="laid over"),
        Handle("text", OTHER_TEXTS, beat="laid over"),
    )

    @classmethod
    def compute(cls, inputs: Inputs) -> HeadPairs:
        return side_by_side(inputs.text, inputs.late_moment)

    def layout(self) -> None:
        rooms = [Room(Size(1.5, 1.5)) for _ in range(6)]
        names = [Room(Size(0.0, _LINE), Size(math.inf, _LINE)) for _ in range(6)]
        each = [
            Column(name, room, gap=0.1, weights=(0, 1))
            for name, room in zip(names, rooms, strict=True)
        ]
        fit(self.canvas, beside(*each[:2]))
        feet = [Room(Size(0.0, _LINE), Size(math.inf, _LINE)) for _ in range(2)]
        pairs = [
            Column(Row(*each[at : at + 2], gap=0.25), foot, gap=0.1, weights=(1, 0))
            for at, foot in zip((2, 4), feet, strict=True)
        ]
        fit(self.canvas, wide_or_tall(Row(*pairs, gap=0.25), Column(*pairs, gap=0.15)))
        paths = ("built_first", "learned_first", "built_second", "learned_second")
        self.built = self._pattern(paths[0], rooms[0])
        self.learned = self._pattern(paths[1], rooms[1])
        self.all = [
            self._pattern(path, room, words=False)
            for path, room in zip(paths, rooms[2:], strict=True)
        ]
        labels = [
            Label(text, size=_NAME, weight="semibold", align="center").center_on(name.region.center)
            for text, name in zip(3 * (said("by hand"), said("trained")), names, strict=True)
        ]
        self.built_name, self.learned_name = labels[:2]
        kinds = said("the letter before"), said("what followed")
        self.names = VGroup(
            *labels[2:],
            *(
                Label(kind, size=_NAME, color="muted", align="center").center_on(foot.region.center)
                for kind, foot in zip(kinds, feet, strict=True)
            ),
        )
        self.before, self.followers = (
            MovingOutline(self[path], self.built, self.learned) for path in ("before", "followers")
        )
        self.amiss = self.learned.outline(self["amiss_before"], role="wrong")
        self.not_found = self.learned.outline(self["amiss_followers"], role="wrong")

    def _pattern(self, path: str, room: Room, *, words: bool = True) -> Matrix:
        """A pattern over the text, in a room."""
        tokens = self["tokens"] if words else None
        mask: Literal["causal"] | None = "causal" if words else None
        pattern = Matrix(
            self[path], rows=tokens, columns=tokens, low=0, high=1, mask=mask, least_cell=0.1
        )
        cells = pattern.plan.spot_in(room.region)[0]
        pitch = min(cells.width / pattern.n_columns, cells.height / pattern.n_rows)
        pattern.place_cells(cells, size=max(MIN_SIZE, min(_LETTERS, _FILLS * pitch / PX)))
        return pattern

    @beat(
        "Here is the previous-token head that we set by hand, and head {first}, which training "
        "found."
    )
    def both(self) -> Steps:
        yield 1.0

    @beat("By hand, every letter looks at the one before it.")
    def by_hand(self) -> Steps:
        yield self.before.trace(run_time=2.5)

    @beat(
        _alike,
        ask="Lay these frames over the other. How many will fit?",
        rest=REST,
    )
    def laid_over(self) -> Steps:
        yield self.before.fly(run_time=_FLIGHT)
        yield FadeIn(self.amiss, run_time=0.6)

    @beat(
        "Now the second hop, and head {second}: a letter that stood before looks at what followed "
        "it."
    )
    def second_hop(self) -> Steps:
        yield FadeOut(self.before, self.amiss, run_time=0.5)
        yield together(
            self.built.to(self["built_second"]),
            self.learned.to(self["learned_second"]),
            run_time=2.0,
        )
        yield self.followers.trace(run_time=1.5)

    @beat(_found, rest=REST)
    def found(self) -> Steps:
        yield self.followers.fly(run_time=_FLIGHT)
        yield FadeIn(self.not_found, run_time=0.6)

    @beat(CAPTION, rest=REST)
    def all_four(self) -> Steps:
        yield self.screen(*self.all, self.names, run_time=1.2)


class MovingOutline(Outline):
    """Frames in each row of a pattern, which can fly to the same cells of another one."""

    def __init__(self, columns: object, start: Matrix, end: Matrix) -> None:
        self._share = 0.0

        def lattice() -> Lattice:
            now = region_between(start.lattice.region, end.lattice.region, self._share)
            return Lattice(now, start.n_rows, start.n_columns)

        super().__init__(columns, lattice, role="key", width=3.5)  # type: ignore[arg-type]

    def fly(self, *, run_time: float) -> Drive:
        """Let all frames go to the other pattern."""
        return self.drive("_share", 0.0, 1.0, run_time=run_time)
