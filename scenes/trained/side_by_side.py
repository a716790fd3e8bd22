"""Two handmade heads and two heads found by training, side by side."""

from __future__ import annotations

import math

from manim import VGroup

from clockhead.model.films.trained.side_by_side import HeadPairs, side_by_side
from clockhead.scenes.parts.cell_outlines import Outline
from clockhead.scenes.parts.cells import Lattice, region_between
from clockhead.scenes.parts.head_sheet import name_of
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_moves import slide_cells
from clockhead.scenes.parts.strip_looks import paint
from clockhead.scenes.parts.strip_typing import answer
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
from clockhead.scenes.trained.tiles import EYE, eye_over, letter_tiles

_NAME = 30.0
_LETTERS = 30.0
"""Size of the letters of the text if there is room, in pixels."""
_FILLS = 0.9
"""Largest size of a letter, as a fraction of the distance to the next one."""
_LINE = 1.4 * _NAME * PX
"""Height of a name above a pattern, in units."""
_FLIGHT = 1.5
"""Seconds in which frames move from one pattern to the other."""


class SideBySide(Stage[HeadPairs]):
    """Two handmade heads and two heads found by training, side by side."""

    class Inputs(LateMoment):
        """A text, and a training step."""

    title = "By hand and by training"
    caption = "Nobody told it to look back. It does, and “{riddle.answer}” gets {share:.0%}."
    opens = ("built", "built_name", "learned", "learned_name")
    handles = (
        Handle("late_moment", LATE_MOMENTS, beat="one back"),
        Handle("text", OTHER_TEXTS, beat="one back"),
    )

    @classmethod
    def compute(cls, inputs: Inputs) -> HeadPairs:
        return side_by_side(inputs.text, inputs.late_moment)

    def layout(self) -> None:
        self.tiles = letter_tiles(self)
        self.tiles.place(self.canvas.inset(0.0, EYE))
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
        heads = [f"{said('head')} {name_of(head)}" for head in self.values.heads]
        texts = [said("by hand"), heads[0], *(t for head in heads for t in (said("by hand"), head))]
        labels = [
            Label(text, size=_NAME, weight="semibold", align="center").center_on(name.region.center)
            for text, name in zip(texts, names, strict=True)
        ]
        self.built_name, self.learned_name = labels[:2]
        self.second_name = Label(heads[1], size=_NAME, weight="semibold", align="center")
        self.second_name.center_on(names[1].region.center)
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
        """A pattern over the text, placed in a room."""
        tokens = self["tokens"] if words else None
        pattern = Matrix(
            self[path],
            rows=tokens,
            columns=tokens,
            low=0,
            high=1,
            least_cell=0.1,
            aspect=(1.0, 1.0),
        )
        cells = pattern.plan.spot_in(room.region)[0]
        pitch = min(cells.width / pattern.n_columns, cells.height / pattern.n_rows)
        pattern.place_cells(cells, size=max(MIN_SIZE, min(_LETTERS, _FILLS * pitch / PX)))
        return pattern

    @beat("By hand, and as training found it: a line one step below the diagonal.")
    def one_back(self) -> Steps:
        yield self.before.trace(run_time=1.8)
        yield self.before.fly(run_time=_FLIGHT)
        yield FadeIn(self.amiss, run_time=0.5)

    @beat(
        "The second hop: {n_found} of {n_finding} letters that come again look at what followed "
        "them."
    )
    def second_hop(self) -> Steps:
        yield FadeOut(self.before, self.amiss, self.learned_name, run_time=0.4)
        yield together(
            self.built.to(self["built_second"]),
            self.learned.to(self["learned_second"]),
            run_time=1.6,
        )
        yield self.followers.trace(run_time=1.0), FadeIn(self.second_name)
        yield self.followers.fly(run_time=_FLIGHT)
        yield FadeIn(self.not_found, run_time=0.5)

    @beat("Pieces come again in what it read. So looking back pays.")
    def all_four(self) -> Steps:
        words = self.followers, self.not_found, self.built_name, self.second_name
        yield FadeOut(*words, run_time=0.4)
        # One after the other, so that neither passes over the other on a tall canvas.
        for pattern, place in ((self.learned, self.all[3]), (self.built, self.all[2])):
            yield slide_cells(pattern, place.lattice.region, words=False, run_time=0.9)
        yield FadeIn(*self.all[:2], self.names, run_time=0.8)

    @beat()
    def again(self) -> Steps:
        """Show the text once more, with its “?”."""
        yield self.screen(self.tiles, run_time=0.8)

    @beat(ask="What comes next?")
    def typed(self) -> Steps:
        """Move the eye from the “?” back to the earlier occurrence of the end of the text."""
        riddle = self.values.riddle
        source, found = riddle.source, riddle.answer_at
        eye = eye_over(self, self.tiles, len(riddle.shown))
        yield eye.open()
        yield eye.sweep([source], run_time=1.3)
        yield paint(self.tiles, range(source, found), "attention"), eye.sweep([found], run_time=1.3)
        if self.values.is_right:
            yield answer(self.tiles, self["riddle.answer"], self.tiles.middle(found))

    @beat(CAPTION, rest=REST, focus="tiles")
    def end(self) -> Steps:
        yield 1.0


class MovingOutline(Outline):
    """Frames in each row of a pattern, which can move to the same cells of another one."""

    def __init__(self, columns: object, start: Matrix, end: Matrix) -> None:
        self._share = 0.0

        def lattice() -> Lattice:
            now = region_between(start.lattice.region, end.lattice.region, self._share)
            return Lattice(now, start.n_rows, start.n_columns)

        super().__init__(columns, lattice, role="key", width=3.5)  # type: ignore[arg-type]

    def fly(self, *, run_time: float) -> Drive:
        """Move all frames to the other pattern."""
        return self.drive("_share", 0.0, 1.0, run_time=run_time)
