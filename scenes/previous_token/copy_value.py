"""Values flow along the pattern, and every token gets a note with the one before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, cast

from manim import FadeIn, FadeOut, Group, Mobject, VGroup, VMobject

from model.copied_values import CopiedValues
from model.score_row import ScoreRow
from model.units import Doc
from scenes.parts.cell_labels import Headings
from scenes.parts.figures import Figure
from scenes.parts.strip import Strip
from scenes.previous_token.crossing import Crossing
from scenes.previous_token.inputs import AskingInputs, HeadInputs
from scenes.previous_token.riddle import LETTERS, OVER
from scenes.previous_token.table import Table, room_beside
from scenes.stage import CAPTION, Derived, Picture, Stage, Steps, beat, fit
from scenes.stage.carry import TakeOver
from scenes.style.motion import Drive, recolor
from scenes.style.theme import faint


@dataclass(frozen=True, eq=False)
class Copying:
    """What a head brings to every token of a text, and the row of the token that is followed."""

    copied: Annotated[CopiedValues, Doc("what every position gets")]
    row: Annotated[ScoreRow, Doc("the row of the position that asks")]

    @property
    def goes_on(self) -> bool:
        """Whether other tokens than the first and the one that asks get something."""
        return len(self.copied.tokens) > 2


def _arriving(values: Copying) -> str:
    others = "itself" if values.row.m == 1 else "others"
    what = {
        "sharp": "{row.target_named}, and almost nothing else",
        "blurred": f"mostly {{row.target_named}}, with some of {others}",
        "none": "a blend of several tokens",
    }[values.row.line]
    return f"What reaches {{row.query_named}} is {what}."


def _all(values: Copying) -> str:
    got = {
        "sharp": ": each gets a note with the token before it",
        "blurred": ": each gets a note that is mostly the token before it",
        "none": ", but not every note is mostly the token before it",
    }[values.copied.head.line]
    return f"All but the first do this at once{got}."


class CopyValue(Stage):
    """Values flow along the pattern, and every token gets a note with the one before it."""

    class Inputs(HeadInputs, AskingInputs):
        """A whole head, and the position that is followed."""

    title = "The value comes along"
    question = "What does a token know once it has looked?"
    caption = "The word itself stays: the residual stream now carries both."
    opens = ("tiles", "askers", "grid")
    leaves = ("tiles",)
    renamed = {
        "n_tokens": "copied.head.n_tokens",
        "example": "row.m",
        "word": "row.query_token",
        "word_before": "row.target_token",
        "worst_share": "copied.worst_share",
    }
    derived = {
        "share": Derived(
            "the share of the token before it in what the example gets",
            lambda v: float(v.copied.shares[v.row.m]),
            "share",
        ),
        "mean_share": Derived(
            "the share of the token before, on average over all but the first",
            lambda v: float(v.copied.shares[1:].mean()),
            "share",
        ),
        "worst_word": Derived(
            "the token that gets the least of the one before it",
            lambda v: v.copied.tokens[v.copied.worst_share_row],
        ),
        "first_word": Derived("the first token", lambda v: v.copied.tokens[0]),
        "first_share": Derived(
            "the share of itself in what the first gets",
            lambda v: float(v.copied.shares[0]),
            "share",
        ),
    }

    inputs: Inputs
    values: Copying
    tiles: Picture | Headings
    """The words over the table; at the end, the tiles that have got their notes."""

    @classmethod
    def compute(cls, inputs: Any) -> Copying:
        return Copying(CopiedValues(inputs.head(), inputs.tokens), inputs.row(inputs.alpha))

    def layout(self) -> None:
        tokens = self["copied.tokens"]
        self.grid = Table(self["copied.head.pattern"], tokens)
        room_beside(self.canvas, self.grid)
        self.tiles, self.askers = self.grid.tiles, self.grid.askers
        rows, columns = (Crossing(self, down=down) for down in (False, True))
        ways = (rows, columns) if self.canvas.wide else (columns, rows)
        self.crossing = ways[fit(self.canvas, *ways)]
        self.goal = Strip(
            tokens,
            notes=self["copied.wanted"],
            positions=True,
            beside=self.crossing.down,
            size=LETTERS,
        )
        self.goal.place(self.canvas.inset(0.0, OVER))
        self.figure = Figure(self["row.mass"], ".1%-", color=self.theme.text_color("attention"))

    @beat("Each cell is a path for a value: the more attention, the broader.")
    def paths(self) -> Steps:
        givers, takers = self.crossing.givers, self.crossing.takers
        old, new = [self.grid, self.tiles, self.askers], [givers, takers]
        carried = [(self.tiles, givers), (self.askers, takers)]
        numbers = [[tile.number for tile in strip.tiles if tile.number] for strip in new]
        yield [_seen(part, part.places, 1.0, 0.0) for part in (self.grid.tiles, self.grid.askers)]
        for number in (*numbers[0], *numbers[1]):  # they come when every word stands
            number.set_fill(opacity=0.0)
        become = TakeOver(old, new, carried, ([], []), run_time=2.4)
        become.mobject = cast("Any", Group(*old, *new))  # whole pictures, which can be read
        for strip in new:
            strip.moving.update(range(len(strip.tiles)))
        yield become, self.crossing.ribbons.unfold(self.grid.cell, run_time=2.8)
        for strip in new:
            strip.moving.clear()
        self.remove(*old)
        self.add(*new)
        yield [_seen(*both, 0.0, 1.0) for both in zip(new, numbers, strict=True)]

    @beat(_arriving)
    def hero(self) -> Steps:
        m = self.values.row.m
        yield (
            self._dim_other_paths(),
            self.crossing.takers.paint(m, "query"),
            *self.crossing.open_slots(),
        )
        yield self.crossing.deliver(m, run_time=2.2)
        if self.values.row.mass < 1:  # a share that rounds to all of it would read as all of it
            self.figure.number.center_on(self.crossing.figure_spot(m))
            yield FadeIn(self.figure)

    @beat(_all, when=lambda values: values.goes_on)
    def all_(self) -> Steps:
        others = [m for m in range(1, self.crossing.n) if m != self.values.row.m]
        if self.figure in self.mobjects:
            yield FadeOut(self.figure), self._light_all_paths()
        else:
            yield self._light_all_paths()
        yield self.crossing.deliver(*others, run_time=3.4)

    @beat("The first has no one before it, so its note is its own word.")
    def first(self) -> Steps:
        yield self.crossing.deliver(0, run_time=1.8)

    @beat(CAPTION)
    def keeps(self) -> Steps:
        crossing, m = self.crossing, self.values.row.m
        everyone = range(crossing.n)
        drop = crossing.takers.middle(0) - crossing.givers.middle(0)
        self.remove(self.figure)
        yield crossing.ribbons.draw_back(run_time=1.0)
        yield (
            crossing.givers.leave(*everyone, by=drop, run_time=1.4),
            crossing.takers.paint(m, None),
        )
        yield *crossing.gather(self.goal, run_time=1.6), crossing.takers.close_slots()
        crossing.takers.show_notes()
        self.remove(crossing.ribbons, crossing.givers, *crossing.parcels)
        self.tiles = crossing.takers

    def _dim_other_paths(self) -> Any:
        ribbons = self.crossing.ribbons
        others = [k for k in range(self.crossing.n) if k != self.values.row.m]
        pieces = VGroup(*(ribbons.rows[k] for k in others), *(ribbons.hairs[k] for k in others))
        return recolor(pieces, faint(self.theme.attention))

    def _light_all_paths(self) -> Any:
        ribbons = self.crossing.ribbons
        return recolor(VGroup(*ribbons.rows, *ribbons.hairs), self.theme.attention)


def _seen(picture: Mobject, pieces: Sequence[VMobject], start: float, end: float) -> Drive:
    """Let pieces of a picture come or go where they are."""

    def show(now: Any) -> None:
        for piece in pieces:
            piece.set_fill(opacity=float(now))

    return Drive(picture, show, start, end, run_time=0.4)
