"""One key for every token: no linear map makes it, one constant coordinate does."""

from __future__ import annotations

import numpy as np
from manim import RIGHT, VGroup
from pydantic import Field

from clockhead.model.films.previous_token.constant_key import OneKey, one_key
from clockhead.scenes.parts.dial import Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.plane import Names, Plane
from clockhead.scenes.parts.plane_arrows import Arrow, Shadows
from clockhead.scenes.parts.strip_looks import paint
from clockhead.scenes.previous_token.inputs import AskingInputs
from clockhead.scenes.previous_token.key_lanes import KeyLanes
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Derived,
    FadeIn,
    FadeOut,
    Row,
    Stage,
    Steps,
    beat,
    beside,
    fit,
    together,
)
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.type import FORMULA, LABEL, SMALL

_ROUNDING = 1e-12
_ASIDE, _EDGE = 0.3, 0.2
"""From the name between two dials, and from the edge, to the sign that compares them, in units."""


def _half(name: str) -> float:
    """Half the width of a name under a dial."""
    return text_width(name, SMALL) / 2


def _pair(values: OneKey) -> tuple[str, str]:
    """The token that will ask, and the one with the opposite vector, if the text has it."""
    there, tokens = values.opposite_positions.tolist(), values.row.tokens
    return values.row.query_token, tokens[there[0]] if there else said("its opposite")


class ConstantKey(Stage[OneKey]):
    """One key for every token: no linear map makes it, one constant coordinate does."""

    class Inputs(AskingInputs):
        d_model: int = Field(32, ge=2, le=64, description="length of a token's vector")

    title = "One key for every token"
    question = "How can a head see only where a token stands?"
    caption = "RoPE turns each key by its position: the same clock at another time."
    opens = ("tiles", "ring")
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
        both, indices = (v.hero, v.opposite), v.indices
        self._lay_lanes()
        named = (*v.row.tokens, *pair.content)
        self.ring = Plane(self["flat"], named, (*indices, *both))
        wish = said("wanted: both keys up")
        wide = text_width(wish, LABEL) / 2
        abreast = Dials(2, labels=pair, largest=0.95, columns=2, lines_over=1, wide=wide)
        stacked = Dials(2, labels=pair, largest=0.95, columns=1)
        chosen = fit(self.open, beside(self.ring, abreast), Row(self.ring, stacked))
        self.faces = (abreast, stacked)[chosen]
        is_narrow = self.faces is stacked
        self.aside = self.ring.middle
        self.ring.stand(self.open.center)
        self.words = Names(self["row.tokens"], self.ring, indices)
        self.both = Names(pair, self.ring, both, bold=True)
        self.arrow = Arrow(self["maps"][0], self.ring, "key", said("map"))
        self.shadows = Shadows(self["readings"][0], self.arrow, both)
        self.rays = Shadows(self["heights"], self.arrow, range(v.n_vocab))
        self.wanted = Hands(self["height_pairs"], self.faces, "key", ghost=True)
        self.read = Hands(self["read_pairs"][0], self.faces, "key")
        between = self.faces.centers[0].mean(axis=0)
        self.wish = VGroup()
        """What is wanted of both keys; there is no room for it over dials that are stacked."""
        if is_narrow:
            beside_names = between[0] + max(map(_half, pair.content)) + _ASIDE
            between = np.array([min(beside_names, self.open.right - _EDGE), between[1], 0.0])
        else:
            label = Label(wish, color=self.theme.muted, align="center")
            self.wish.add(label.put((self.faces.over(0) + self.faces.over(1)) / 2))
        self.unlike, self.alike = (
            Label(sign, size=FORMULA, color=color, align="center").center_on(between)
            for sign, color in (("≠", self.theme.wrong), ("=", self.theme.value))
        )

    def _lay_lanes(self) -> None:
        """The tiles, and the clocks, which come later."""
        lanes = KeyLanes.fitting(self, self.values.row, "row.")
        self.tiles, self.clocks, self.open = lanes.tiles, lanes.dials, lanes.open
        self.hands = Hands(self["key_pairs"], self.clocks, "key")
        self.dials = VGroup(self.clocks, self.hands)
        self.tags, self.note = lanes.tags(), lanes.note()
        self.constants = lanes.tags("c")
        self.speeds = lanes.speeds(self["degrees"])

    @beat("If all have the same key, only their places count.")
    def same(self) -> Steps:
        tiles = range(len(self.values.row.tokens))
        yield 0.6 * together(paint(self.tiles, tiles, "key"))

    @beat("Tokens are vectors: here {n_vocab}, on a ring.")
    def vectors(self) -> Steps:
        tiles = [self.tiles.middle(n) for n in range(len(self.values.row.tokens))]
        plain = paint(self.tiles, range(len(tiles)), None)
        yield self.words.fly_from(tiles, run_time=self.reading), plain

    @beat(
        "No: opposite vectors always get opposite keys.",
        ask="Can a linear map give all one key that is not zero?",
    )
    def opposite(self) -> Steps:
        shown = FadeIn(self.faces, self.wanted, self.read, self.wish)
        yield together(self.ring.go_to(self.aside), shown, run_time=0.8)
        named = FadeOut(self.words, run_time=0.5), FadeIn(self.both, run_time=0.5)
        yield *named, FadeIn(self.shadows, self.arrow, run_time=0.5)
        yield together(
            self.arrow.through(self["maps"]),
            self.shadows.through(self["readings"]),
            self.read.through(self["read_pairs"]),
            run_time=2.8,
        )
        yield FadeIn(self.unlike, run_time=0.4)

    @beat("So give every vector one more coordinate: 1.")
    def lift(self) -> Steps:
        yield self.ring.tip_over(run_time=1.3), FadeOut(self.shadows, run_time=0.5)
        yield self.ring.to(self["lifted"], run_time=1.5)
        self._write_one()
        yield FadeIn(self.one, run_time=0.4)

    def _write_one(self) -> None:
        """A 1 at an outer stalk, on the side where no name hangs in front."""
        points = self.values.plane
        x, y = points[self.values.hero]
        side = 1 if x * y >= 0 else -1
        outer = int((side * points[:, 0]).argmax())
        self.one = Figure(self["lifted"][outer, 2], ".0f")
        beside = self.ring.project([[*points[outer], 0.5]])[0] + 0.2 * side * RIGHT
        self.one.number.center_on(beside)

    @beat("A map that reads only this height gives all one key, c.")
    def height(self) -> Steps:
        yield (
            self.arrow.to(self["height_map"], run_time=1.6),
            self.read.to(self["height_pairs"], run_time=1.6),
            FadeOut(self.unlike, self.one, run_time=0.6),
        )
        yield together(self.rays.fall(), FadeIn(self.alike), run_time=0.8)
        yield from self._become_all()

    def _become_all(self) -> Steps:
        """Both keys become those of all tokens, each out of the face that is nearer."""
        homes, radius = self.clocks.centers, self.clocks.radius
        big = self.faces.centers.reshape(-1, 3)
        far = np.linalg.norm(homes[:, :, None] - big, axis=-1)  # (T, shown, 2)
        self.clocks.place_at(big[far.argmin(axis=-1)], self.faces.radius)
        self.remove(self.faces, self.wanted, self.read)
        self.add(self.dials)
        shrink = self.clocks.go_to(self.clocks.centers, radius)
        yield together(shrink, self.screen(self.tiles, self.dials), run_time=0.7)
        yield self.clocks.go_to(homes, radius, run_time=1.3)
        yield FadeIn(self.constants, self.note, run_time=0.6)

    @beat(CAPTION)
    def turn(self) -> Steps:
        keys = self["rotated_key_pairs"]
        by = self.values.phases
        yield (
            self.hands.turn_to(keys, by, run_time=self.reading - 0.5),
            FadeOut(self.constants, run_time=0.5),
            FadeIn(self.tags, self.speeds, run_time=1.0),
        )
