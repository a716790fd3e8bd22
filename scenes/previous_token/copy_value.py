"""Values move along the attention pattern, and every token gets a note of the one before it."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from manim import Group, Mobject, VGroup

from clockhead.model.films.previous_token.copy_value import CopiedText, copied_text
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.strip_looks import close_slots, leave, paint, show_notes
from clockhead.scenes.parts.table import Table, room_beside
from clockhead.scenes.previous_token.crossing import Crossing
from clockhead.scenes.previous_token.inputs import AskingInputs, HeadInputs
from clockhead.scenes.previous_token.tiles import riddle_tiles
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import CAPTION, FadeIn, FadeOut, Stage, Steps, beat, fit
from clockhead.scenes.stage.carry import TakeOver
from clockhead.scenes.style.motion import Drive, recolor
from clockhead.scenes.style.theme import faint
from clockhead.scenes.style.type import LABEL


def _arrival(values: CopiedText) -> str:
    return {
        "sharp": "What reaches {row.query_named} is {row.target_named}, and almost nothing else.",
        "blurred": (
            "What reaches {row.query_named} is mostly {row.target_named}, with some of the rest."
        ),
        "none": "What reaches {row.query_named} is a blend of several tokens.",
    }[values.row.line]


def _all_notes(values: CopiedText) -> str:
    return {
        "sharp": ("All but the first do the same: each gets a note with the token before it."),
        "blurred": (
            "All but the first do the same: each gets a note that is mostly the token before it."
        ),
        "none": (
            "All but the first do the same, but not every note is mostly the token before it."
        ),
    }[values.copied.head.line]


class CopyValue(Stage[CopiedText]):
    """Values move along the attention pattern, and every token gets a note of the one before it."""

    class Inputs(HeadInputs, AskingInputs):
        """A head, and the position of the query to follow."""

    title = "The value comes along"
    caption = "The word itself stays: the residual stream now carries both, the word and its note."
    large: ClassVar[bool] = True
    """Whether the tiles fill the canvas; the thinnest paths are then left out."""
    opens = ("tiles", "askers", "grid")
    leaves = ("takers as tiles",)

    compute = copied_text

    def layout(self) -> None:
        tokens, pattern = self["copied.tokens"], self["copied.head.pattern"]
        self.grid = Table(pattern, tokens)
        room_beside(self.canvas, self.grid)
        self.tiles, self.askers = self.grid.tiles, self.grid.askers
        notes, shares, wide = self["copied.wanted"], self["copied.shares"], self.canvas.wide
        ways = [
            Crossing(tokens, pattern, notes, shares, down=down, large=self.large)
            for down in (not wide, wide)
        ]
        self.crossing = ways[fit(self.canvas, *ways)]
        self.takers = self.crossing.takers
        if self.large:
            self.takers.set_z_index(1)  # notes slide out from behind the tiles
        self.goal = riddle_tiles(self, "look.", notes=notes)
        words = "" if self.crossing.down else f"{said('attention')} "
        self.figure = Figure(
            self["row.weight"],
            ".1%" if self.large else ".1%-",
            size=36 if self.large else LABEL,
            prefix=words,
            color="attention",
        )

    @beat("A token has found another. Now it gets its value, on a path as wide as the attention.")
    def paths(self) -> Steps:
        crossing = self.crossing
        old: list[Mobject] = [self.tiles]
        new = [crossing.givers]
        if self.large:  # the table leaves first, and the takers appear once the paths are drawn
            yield FadeOut(self.askers, run_time=0.4)
            gone = [FadeOut(self.grid, run_time=0.3)]
        else:
            old, new = [self.grid, *old, self.askers], [*new, crossing.takers]
            gone = []
        pairs = [*zip(old[not self.large :], new, strict=True)]
        become = TakeOver(old, new, pairs, run_time=2.4)
        become.mobject = cast("Any", Group(*old, *new))  # whole pictures, which have readings
        for strip in new:
            strip.moving.update(range(crossing.n))
        yield crossing.ribbons.unfold(self.grid.cell, run_time=2.8), become, *gone
        for strip in new:
            strip.moving.clear()
        self.remove(*old)
        self.add(*new)
        if self.large:
            yield FadeIn(crossing.takers, run_time=0.5)
        yield *self._highlight(*range(self.crossing.n)), *self.crossing.open_slots()

    @beat(_arrival)
    def hero(self) -> Steps:
        crossing, m = self.crossing, self.values.row.m
        yield *self._highlight(m), paint(crossing.takers, m, "query")
        yield crossing.deliver(m, run_time=2.2)
        if self.values.row.weight < 1:  # a weight that rounds to 1 would read 100%
            spot, number = crossing.figure_spot(m), self.figure.number
            room = self.canvas.inset(number.width / 2, 0.0)
            spot[0] = min(max(spot[0], room.left), room.right)
            number.center_on(spot)
            yield FadeIn(self.figure)

    @beat(_all_notes, when=lambda values: len(values.copied.tokens) > 2)
    def all_(self) -> Steps:
        everyone = range(self.crossing.n)
        gone = [FadeOut(self.figure)] if self.figure in self.mobjects else []
        yield (
            *self._highlight(*everyone),
            *gone,
            paint(self.crossing.takers, self.values.row.m, None),
        )
        others = [m for m in everyone if m not in (0, self.values.row.m)]
        yield self.crossing.deliver(*others, run_time=3.4)

    @beat("The first has no one before it, so its note is its own word.")
    def first(self) -> Steps:
        yield self.crossing.deliver(0, run_time=1.8)

    @beat(CAPTION)
    def keeps(self) -> Steps:
        crossing, takers, givers = self.crossing, self.crossing.takers, self.crossing.givers
        self.remove(self.figure)
        yield crossing.ribbons.draw_back(run_time=1.0)
        drop = takers.middle(0) - givers.middle(0)
        gone = leave(givers, *range(crossing.n), by=drop, run_time=1.4)
        yield gone, paint(takers, self.values.row.m, None)
        numbers = VGroup(*(tile.number for tile in takers.tiles if tile.number))
        yield Drive(takers, lambda seen: numbers.set_fill(opacity=float(seen)), 1, 0, run_time=0.4)
        yield *crossing.gather(self.goal, run_time=2.2 if self.large else 1.6), close_slots(takers)
        show_notes(takers)
        self.remove(crossing.ribbons, givers, *crossing.parcels)

    def _highlight(self, *takers: int) -> list[Drive]:
        """Brighten the paths to these tokens, and dim all others, including the thinnest."""
        bright, dim = self.theme.attention, faint(self.theme.attention)
        rows, hairs = self.crossing.ribbons.rows, self.crossing.ribbons.hairs
        lit = [recolor(row, bright if m in takers else dim) for m, row in enumerate(rows)]
        return [*lit, *(recolor(hair, dim) for hair in hairs)]
