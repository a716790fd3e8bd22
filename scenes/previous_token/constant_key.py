"""One key for every token: no linear map makes it, one constant coordinate does."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import DOWN, RIGHT, VGroup
from pydantic import Field

from clockhead.model.films.previous_token.constant_key import OneKey, one_key
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.figures import Figure, Readout
from clockhead.scenes.parts.plane import Arrow, Names, Plane, Shadows
from clockhead.scenes.parts.strip import slide_to
from clockhead.scenes.parts.strip_looks import paint
from clockhead.scenes.previous_token.inputs import AskingInputs
from clockhead.scenes.previous_token.key_lanes import KeyLanes
from clockhead.scenes.previous_token.tiles import ROW
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
from clockhead.scenes.stage.rhythm import REST

_ROUNDING = 1e-12
_LARGEST = 2.1
"""The radius of the ring, in units."""


def _pair(values: OneKey) -> tuple[str, str]:
    """The token that will ask, and the one with the opposite vector, if the text has it."""
    there, tokens = values.opposite_positions.tolist(), values.row.tokens
    return values.row.query_token, tokens[there[0]] if there else said("its opposite")


class ConstantKey(Stage[OneKey]):
    """One key for every token: no linear map makes it, one constant coordinate does."""

    class Inputs(AskingInputs):
        d_model: int = Field(32, ge=2, le=64, description="length of a token's vector")

    title = "One key for every token"
    caption = "Then RoPE turns each key by its position: the same clock, but each at another time."
    opens = ("tiles",)
    leaves = ("tiles", "dials", "tags", "note")
    claims = (
        Claim(
            "every token gets the same key",
            lambda v: v.error == 0,
            "off by {error}",
        ),
        Claim(
            "opposite vectors add up to nothing",
            lambda v: v.opposite_sum <= _ROUNDING,
            "they add up to {opposite_sum}",
        ),
    )

    derived = {"pair": Derived("the token that will ask, and one with the opposite vector", _pair)}

    compute = one_key

    def layout(self) -> None:
        v, pair = self.values, self["pair"]
        both = (v.hero, v.opposite)
        lanes = KeyLanes.fitting(self, v.row, "row.", size=ROW)
        self.tiles, self.clocks = lanes.tiles, lanes.dials
        self.homes = np.array([tile.middle for tile in self.tiles.tiles])
        self.box = (self.tiles.tiles[0].box.width, self.tiles.tiles[0].box.height)
        width, height = self.box
        self.aside = (width / 2 + 0.6) * RIGHT if lanes.down else (height + 0.6) * DOWN
        self.tiles.place(self.canvas)
        self.hands = Hands(self["key_pairs"], self.clocks, "key")
        self.dials = VGroup(self.clocks, self.hands)
        self.tags, self.note = lanes.tags(), lanes.note()
        self.constants, self.speeds = lanes.tags("c"), lanes.speeds(self["degrees"])

        self.ring = Plane(
            self["flat"], (*v.row.tokens, *pair.content), (*v.indices, *both), most=_LARGEST
        )
        first, second = self["shadows"][0][0], self["shadows"][1][0]
        self.shadow, self.other = (self._readout(value, name)
                                   for value, name in zip((first, second), pair.content,
                                                          strict=True))  # fmt: skip
        fit(lanes.open, beside(self.shadow, self.ring, self.other, weights=(0.0, 1.0, 0.0)))
        self.words = Names(self["row.tokens"], self.ring, v.indices)
        self.both = Names(pair, self.ring, both, bold=True)
        self.arrow = Arrow(self["maps"][0], self.ring, "key")
        self.shadows = Shadows(self["readings"][0], self.arrow, both)
        self.rays = Shadows(self["heights"], self.arrow, range(v.n_vocab))

    def _readout(self, value: Any, name: str) -> Readout:
        color = self.theme.text_color("key")
        return Readout(value, ".2f", words=said("{name}: shadow", name=name), color=color)

    @beat("A query finds a token by its key. To find a place, let us give all the same key.")
    def same(self) -> Steps:
        m = self.values.row.m
        others = [n for n in range(len(self.values.row.tokens)) if n != m]
        yield paint(self.tiles, m, "query", run_time=0.6)
        yield 0.6
        yield paint(self.tiles, others, "key", run_time=0.6)
        yield 0.25 * together(paint(self.tiles, m, "key"))
        yield slide_to(self.tiles, self.homes, self.box, run_time=1.4)

    @beat("Each token is a vector. Here they are {n_vocab} points on a ring; these are our words.")
    def vectors(self) -> Steps:
        tiles = [self.tiles.middle(n) + self.aside for n in range(len(self.values.row.tokens))]
        yield FadeIn(self.ring), paint(self.tiles, range(len(tiles)), None)
        yield self.words.fly_from(tiles, run_time=2.4)

    @beat(
        "A linear map makes the key: each of its numbers is the shadow of that vector on an arrow.",
        rest=REST,
    )
    def shadow_(self) -> Steps:
        yield FadeOut(self.words, run_time=0.5), FadeIn(self.both, run_time=0.5)
        yield FadeIn(self.arrow, run_time=0.8)
        self.add(self.shadows, self.arrow, self.both)
        yield self.shadows.fall(run_time=1.2)
        yield FadeIn(self.shadow, self.other)

    @beat(
        "No. Wherever the arrow points, opposite vectors cast opposite shadows.",
        ask="Can one arrow give both of them the same shadow, if it must not be zero?",
        rest=REST,
    )
    def opposite(self) -> Steps:
        yield together(
            self.arrow.through(self["maps"]),
            self.shadows.through(self["readings"]),
            self.shadow.through(self["shadows"][0]),
            self.other.through(self["shadows"][1]),
            run_time=5.0,
        )

    @beat("So we give every vector one more number, and let it be 1 for all of them.")
    def lift(self) -> Steps:
        yield FadeOut(self.shadows, self.shadow, self.other, run_time=0.5)
        yield self.ring.tip_over(run_time=1.5)
        yield self.ring.to(self["lifted"], run_time=1.8)
        self._write_one()
        yield FadeIn(self.one, run_time=0.4)

    def _write_one(self) -> None:
        """A 1 at an outer stalk, on the side where no name hangs in front."""
        points = self.values.plane
        x, y = points[self.values.hero]
        side = 1 if x * y >= 0 else -1
        outer = int((side * points[:, 0]).argmax())
        self.one = Figure(self["lifted"][outer, 2], ".0f", size=32)
        beside = self.ring.project([[*points[outer], 0.5]])[0] + 0.3 * side * RIGHT
        self.one.number.center_on(beside)

    @beat("An arrow along this new direction gets the same shadow from all. That is our key.")
    def height(self) -> Steps:
        yield self.arrow.to(self["height_map"], run_time=1.6), FadeOut(self.one, run_time=0.6)
        yield self.rays.fall(run_time=1.4)

    @beat("Now all tokens have the same key. We draw it as clock hands: all show the same time.")
    def clocks_(self) -> Steps:
        yield self.screen(self.tiles, self.dials, run_time=1.4)
        yield FadeIn(self.constants, self.note, run_time=0.8)

    @beat(CAPTION)
    def turn(self) -> Steps:
        keys = self["rotated_key_pairs"]
        by = self.values.phases
        yield (
            self.hands.turn_to(keys, by, run_time=self.reading),
            FadeOut(self.constants, run_time=0.5),
            FadeIn(self.tags, self.speeds, run_time=1.0),
        )
