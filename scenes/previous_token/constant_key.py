"""The same key for every token: a linear map needs a constant coordinate to give it."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import DOWN, RIGHT, VGroup
from pydantic import Field

from clockhead.model.films.previous_token.constant_key import STEPS, OneKey, one_key
from clockhead.scenes.parts.figures import Figure, Readout
from clockhead.scenes.parts.plane import Arrow, Names, Plane, Shadows
from clockhead.scenes.parts.strip import slide_to
from clockhead.scenes.parts.strip_looks import paint
from clockhead.scenes.previous_token.inputs import AskingInputs
from clockhead.scenes.previous_token.key_lanes import KeyLanes
from clockhead.scenes.previous_token.tiles import ONE, ROW
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Derived,
    FadeIn,
    FadeOut,
    Stage,
    Steps,
    beat,
    beside,
    fit,
    together,
)
from clockhead.scenes.stage.camera import region_of
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.motion import Moves, slide

_ROUNDING = 1e-12
"""Largest rounding error."""
_LARGEST = 2.1
"""Largest radius of the ring, in units."""
_AROUND = 0.15
"""Margin of the camera around the ring and the numbers beside it, in units."""
_LEANING, _SQUARE = 12, STEPS // 4
"""Steps of the arrow's turn: where it starts, and where it is orthogonal to the first vector."""


def _pair(values: OneKey) -> tuple[str, str]:
    """The query's token, and the token with the opposite vector, or "the opposite" without one."""
    there, tokens = values.opposite_positions.tolist(), values.row.tokens
    return values.row.query_token, tokens[there[0]] if there else said("the opposite")


class Shadow(Readout):
    """A readout of the length of a vector's projection."""

    figure_size = 48.0


class ConstantKey(Stage[OneKey]):
    """The same key for every token: a linear map needs a constant coordinate to give it."""

    class Inputs(AskingInputs):
        d_model: int = Field(32, ge=2, le=64, description="width of a token's vector")

    title = "One key for every token"
    caption = (
        "An arrow along this new direction gets the same shadow from every vector: that is our key."
    )
    opens = ("tiles",)
    leaves = ("tiles", "ones")
    claims = (
        Claim(
            "opposite vectors add up to zero",
            lambda v: v.opposite_sum <= _ROUNDING,
            "they add up to {opposite_sum}",
        ),
    )

    derived = {"pair": Derived("the query's token, and one with the opposite vector", _pair)}

    compute = one_key

    def layout(self) -> None:
        v, pair = self.values, self["pair"]
        both = (v.hero, v.opposite)
        lanes = KeyLanes.choose(self, v.row, "row.", size=ROW)
        self.tiles = lanes.tiles
        self.homes = np.array([tile.middle for tile in self.tiles.tiles])
        self.box = (self.tiles.tiles[0].box.width, self.tiles.tiles[0].box.height)
        width, height = self.box
        self.aside = (width / 2 + 0.6) * RIGHT if lanes.down else (height + 0.6) * DOWN
        self.tiles.place(self.canvas)
        self.ring = Plane(
            self["flat"], (*v.row.tokens, *pair.content), (*v.indices, *both), most=_LARGEST
        )
        first, second = (self["shadows"][k][_LEANING] for k in (0, 1))
        self.shadow, self.other = (self._readout(value, name)
                                   for value, name in zip((first, second), pair.content,
                                                          strict=True))  # fmt: skip
        fit(lanes.free_region, beside(self.shadow, self.ring, self.other, weights=(0.0, 1.0, 0.0)))
        self.ones = VGroup(
            *(Figure(self["heights"][k], ".0f", size=ONE, color="key") for k in v.indices)
        )
        self.firsts = [lanes.dial_at(n, 0) for n in range(len(v.indices))]
        self.words = Names(self["row.tokens"], self.ring, v.indices)
        self.both = Names(pair, self.ring, both, bold=True)
        self.arrow = Arrow(self["maps"][_LEANING], self.ring, "key")
        self.shadows = Shadows(self["readings"][_LEANING], self.arrow, both)
        self.rays = Shadows(self["heights"], self.arrow, range(v.n_vocab))

    def _readout(self, value: Any, name: str) -> Shadow:
        color = self.theme.text_color("key")
        return Shadow(value, ".2f", words=name, color=color)

    @beat(
        "A query finds a token by its key. If all keys are the same, only RoPE can tell them apart."
    )
    def same(self) -> Steps:
        m = self.values.row.m
        others = [n for n in range(len(self.values.row.tokens)) if n != m]
        yield paint(self.tiles, m, "query", run_time=0.6)
        yield 0.6
        yield paint(self.tiles, others, "key", run_time=0.6)
        yield 0.25 * together(paint(self.tiles, m, "key"))
        yield slide_to(self.tiles, self.homes, self.box, run_time=1.4)

    @beat(
        "Every token is a vector: here one of {n_vocab} points on a ring. These are our words.",
        focus="ring",
    )
    def vectors(self) -> Steps:
        tiles = [self.tiles.middle(n) + self.aside for n in range(len(self.values.row.tokens))]
        yield FadeIn(self.ring), paint(self.tiles, range(len(tiles)), None)
        yield self.words.fly_from(tiles, run_time=2.4)
        around = region_of(self.ring, self.shadow, self.other).inset(-_AROUND, -2 * _AROUND)
        yield FadeOut(self.tiles, run_time=0.5)
        yield self.look_at(around, closest=1.6)

    @beat(
        "A linear map makes the key: each of its numbers is the shadow of the vector on an arrow.",
        rest=REST,
        focus="ring",
    )
    def shadow_(self) -> Steps:
        yield FadeOut(self.words, run_time=0.5), FadeIn(self.both, run_time=0.5)
        yield FadeIn(self.arrow, run_time=0.6)
        self.add(self.shadows, self.arrow, self.both)
        yield self.shadows.fall(run_time=1.0)
        yield FadeIn(self.shadow, self.other)

    @beat(
        "Only where both are zero. But a key of zeros is no use: it scores zero with every query.",
        ask="Can one arrow give {row.query_named} and the vector right opposite the same shadow?",
        rest=REST,
        focus="ring",
    )
    def zero(self) -> Steps:
        yield self._turn(_LEANING, _SQUARE, 2.4)

    @beat("Everywhere else, opposite vectors cast opposite shadows.", rest=REST, focus="ring")
    def opposite(self) -> Steps:
        yield self._turn(_SQUARE, STEPS, 4.0)

    def _turn(self, start: int, end: int, run_time: float) -> Moves:
        """Turn the arrow from one step to another, with the projections on it."""
        way = slice(start, end + 1)
        return together(
            self.arrow.through(self["maps"][way]),
            self.shadows.through(self["readings"][way]),
            self.shadow.through(self["shadows"][0][way]),
            self.other.through(self["shadows"][1][way]),
            run_time=run_time,
        )

    @beat("So we give every vector one more number, and let it be 1 for all of them.")
    def lift(self) -> Steps:
        yield FadeOut(self.shadows, self.shadow, self.other, run_time=0.5)
        yield self.ring.tip_over(run_time=1.5)
        yield self.ring.to(self["lifted"], run_time=1.8)
        self._write_one()
        yield FadeIn(self.one, run_time=0.4)

    def _write_one(self) -> None:
        """Write a 1 beside one of the outer stalks, on the side where no name is in front of it."""
        points = self.values.plane
        x, y = points[self.values.hero]
        side = 1 if x * y >= 0 else -1
        outer = int((side * points[:, 0]).argmax())
        self.one = Figure(self["lifted"][outer, 2], ".0f", size=48)
        beside = self.ring.project([[*points[outer], 0.5]])[0] + 0.3 * side * RIGHT
        self.one.number.center_on(beside)

    @beat(CAPTION)
    def height(self) -> Steps:
        yield self.arrow.to(self["height_map"], run_time=1.6), FadeOut(self.one, run_time=0.6)
        yield self.rays.fall(run_time=1.4)
        yield REST
        yield self.look_back(), FadeIn(self.tiles), FadeOut(self.both, run_time=0.5)
        tip = self.ring.project([[0.0, 0.0, 1.0]])[0]
        for one in self.ones:
            one.put(tip)
        self.add(self.ones)
        ways = zip(self.ones, self.firsts, strict=True)
        fall = [slide(one, end - tip, run_time=1.6) for one, end in ways]
        ring, one = region_of(self.ring), self.ones[0]
        overlaps = any(
            ring.left < x + one.width / 2 and x - one.width / 2 < ring.right
            and ring.bottom < y + one.height and y < ring.top
            for x, y, _ in self.firsts
        )  # fmt: skip
        if overlaps:
            yield self.screen(self.tiles, self.ones, run_time=0.8), *fall
        else:  # the ring stays as long as the sentence is read
            yield together(*fall)
