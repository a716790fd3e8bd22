"""A clock for every token, turned by its position; a query looks one step back."""

from __future__ import annotations

import numpy as np
from manim import VGroup

from clockhead.model.films.tour.clocks import TickingRow
from clockhead.scenes.parts.dial import Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.strip_looks import paint
from clockhead.scenes.previous_token.key_lanes import KeyLanes
from clockhead.scenes.previous_token.pre_rotated_query import PreRotatedQuery
from clockhead.scenes.stage import CAPTION, Stage, Steps, beat
from clockhead.scenes.style.motion import FadeIn, FadeOut, slide, together
from clockhead.scenes.tour.inputs import ClockInputs

_SEED = 0.03
"""Radius of a dial that is still hidden behind its tile, in units."""


class Clocks(Stage[TickingRow]):
    """A clock for every token, turned by its position; a query looks one step back."""

    class Inputs(ClockInputs):
        """A text."""

    title = "RoPE: every token gets a clock"
    question = "How can {query_named} know what came before it?"
    caption = "All ask like that, and all but the first find the token right before them."
    opens = ("tiles",)
    leaves = ("tiles", "own_dials as dials", "query")
    claims = PreRotatedQuery.claims

    @classmethod
    def compute(cls, inputs: Inputs) -> TickingRow:
        return inputs.row

    def layout(self) -> None:
        self.m, self.target = self.values.m, self.values.target
        lanes, keys = KeyLanes.choose(self, self.values), self["key_phases"]
        self.tiles, clocks = lanes.tiles, lanes.dials
        self.note = lanes.note()
        # position 0 is not rotated yet
        self.query = Hands(keys[0], clocks, "query", angles=True, lane=self.m)
        self.queries = Hands(self["query_phases"], clocks, "query", angles=True)
        self.alone = Dials(clocks.n, labels=None, chosen=clocks.indices)
        self.alone.place_at(clocks.centers[self.m], clocks.radius)
        self.kept = Hands(keys[self.m], self.alone, "key", angles=True).set_z_index(1)
        self.own_dials = VGroup(self.alone, self.kept)
        self.outline, self.veil = lanes.frame(self.m), lanes.veil(self.target).set_z_index(2)
        self.step_back = lanes.dial_at(self.target, 0) - lanes.dial_at(self.m, 0)
        self.hands = Hands(self["ticks"][0], clocks, "key", angles=True).set_z_index(1)
        self.dials = VGroup(clocks, self.hands)
        self.clocks, self.homes, self.radius = clocks, clocks.centers, clocks.radius

    @beat("A word says nothing of its place. So its place turns clock hands, and they are its key.")
    def tick(self) -> Steps:
        """Move the dials out from behind the tiles, and turn them by one step at a time."""
        tiles = np.array([self.tiles.middle(n) for n in range(len(self.values.tokens))])
        behind = np.broadcast_to(tiles[:, None], self.homes.shape)
        self.clocks.place_at(behind, _SEED)
        self.add(self.dials, self.tiles)
        yield self.clocks.go_to(self.homes, self.radius, run_time=1.4)
        ticks = self.hands.through(self["ticks"], run_time=max(3.0, self.reading - 1.4))
        yield ticks, FadeIn(self.note, run_time=0.6)

    @beat("{query_named} asks for the time one step ago: that is its query.")
    def query_(self) -> Steps:
        self.query.set_to(self["key_phases"][self.m])
        seen = FadeIn(self.query, self.outline, run_time=0.6)
        yield paint(self.tiles, self.m, "query"), seen
        yield self.query.to(self["query_phases"][self.m], run_time=self.reading - 0.6)

    @beat("That of {target_named}, right before it.", ask="Whose clock shows this time?")
    def match(self) -> Steps:
        yield together(
            self.query.move_to_lane(self.target), slide(self.outline, self.step_back), run_time=1.6
        )
        key = paint(self.tiles, self.target, "key", run_time=0.8)
        yield FadeIn(self.veil, run_time=0.8), key

    @beat(CAPTION)
    def all_of_them(self) -> Steps:
        yield together(
            FadeOut(self.veil, self.outline), self.query.move_to_lane(self.m), run_time=0.8
        )
        yield FadeIn(self.queries, run_time=0.6)
        yield together(
            self.queries.move_to_lane(-1), self.query.move_to_lane(self.target), run_time=1.6
        )
        yield 0.6
        yield together(FadeOut(self.queries), self.query.move_to_lane(self.m), run_time=0.6)
        self.add(self.alone, self.query, self.kept)
        yield FadeOut(self.dials, self.note, run_time=0.6)
