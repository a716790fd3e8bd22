"""Layer 0 gives every token a note of the token before it, in a place of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import VGroup

from clockhead.model.films.induction.lanes import StoredTokens, stored_tokens
from clockhead.scenes.induction.noted import worn
from clockhead.scenes.induction.spread import OVER, letters, standing
from clockhead.scenes.induction.two_places import TwoPlaces
from clockhead.scenes.induction.words import InductionInputs
from clockhead.scenes.parts.clock_row import Clocks
from clockhead.scenes.parts.figures import Readout
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import come_back, dim_tiles, leave, undim_tiles
from clockhead.scenes.parts.strip_moves import slide_to
from clockhead.scenes.parts.strip_notes import close_slots, open_slots, take_off, wear
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Column,
    Derived,
    Layers,
    Row,
    Stage,
    Steps,
    beat,
    fit,
)
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import Role
from clockhead.scenes.style.type import LABEL

_HANDS = 0.4
"""The room for the names of the hands, over the clocks."""
LOST = (
    "a note holds only {head.least_stored:.0%} of the token before: alpha {inputs.alpha:g} is too "
    "small"
)
"""What is said where layer 0 does not note the token before."""


class Lanes(Stage[StoredTokens]):
    """Layer 0 gives every token a note of the token before it, in a place of its own."""

    class Inputs(InductionInputs):
        """A text, and the scales of both layers."""

    title = "A note of the previous token"
    question = "{asked}"
    caption = "So each has its own place: cur for the token, prev for the one before it."
    opens = ("tiles",)
    leaves = ("tiles",)
    claims = (
        Claim(
            "every note holds the token before it",
            lambda noted: noted.head.least_stored >= 0.9,
            LOST,
        ),
        Claim(
            "with both in one place, two words would hardly differ from the same exchanged",
            lambda noted: noted.orders.apart_in_one <= 0.1,
            "they differ by {orders.apart_in_one:.3f}: alpha {inputs.alpha:g} is too small",
        ),
    )
    derived = {
        "asked": Derived(
            "what this shot asks",
            lambda noted: f"How can “{noted.pair[1]}” know what came before it?",
        ),
        "asker": Derived("a word that followed the last one", lambda noted: noted.pair[1]),
        "before": Derived("the last word", lambda noted: noted.pair[0]),
    }

    @classmethod
    def compute(cls, inputs: Any) -> StoredTokens:
        return stored_tokens(inputs.induction())

    def layout(self) -> None:
        look = {"positions": True, "size": letters(self.canvas), **worn(self, "head.")}
        self.tiles, self.n = Strip(**look), self.values.head.n_tokens
        self.tiles.place(self.canvas.inset(0.0, OVER))
        assert self.tiles.layout is not None
        for tile in self.tiles.tiles:
            if tile.note:
                tile.note.set_z_index(-1)  # notes come from behind the words
        self.clocks = Clocks(self.tiles, self["head.key_phases"], self["head.query_phases"])
        over, page = self.canvas.cut_top(_HANDS, gap=0.0)
        self.clocks.place(page)
        names: list[tuple[Role, float]] = [("query", 0.44), ("key", 0.56)]
        self.hands = VGroup(
            Label(name, size=LABEL, color=self.theme.text_color(name)).put(over.point(x, 0.2))
            for name, x in names
        )
        own, one = self["orders.own_subspaces"], self["orders.one_subspace"]
        self.places = TwoPlaces(own, one, self["pair"], self["texts"])
        words = "largest difference of the two"
        red, green = self.theme.text_color("wrong"), self.theme.text_color("value")
        self.lost = Readout(self["orders.apart_in_one"], ".3f", words=words, color=red)
        self.kept = Readout(self["orders.apart"], ".3f", words=words, color=green)
        self.raised = Strip(lines=self.tiles.layout.n_lines, **look)
        said = Layers(self.lost, self.kept)
        beside = Column(self.raised, Row(self.places, said))
        below = Column(self.raised, self.places, said)
        ways = (beside, below) if self.canvas.wide else (below, beside)
        alone = Row(self.places, said), Column(self.places, said)
        self.stays = fit(self.canvas, *ways, *alone) < len(ways)

    @beat("Layer 0 is the previous-token head: clocks tell positions.")
    def clocks_(self) -> Steps:
        rise = self.clocks.rise(run_time=0.5 * self.reading)
        self.add(self.clocks, self.tiles)  # the clocks come from behind the tiles
        yield rise
        yield FadeIn(self.hands)

    @beat("“{asker}” turns its query back a step, to fit the clocks of “{before}”.")
    def ask(self) -> Steps:
        yield from self._ask(self.values.head.text.other_follower)

    @beat("All ask like this, and each finds the one before it.")
    def all_(self) -> Steps:
        hero = self.values.head.text.other_follower
        yield from self._ask(*(m for m in range(1, self.n) if m != hero))

    def _ask(self, *lanes: int) -> Steps:
        yield self.clocks.ask(*lanes)
        yield self.clocks.turn_back(*lanes)
        yield self.clocks.step_left(*lanes)

    @beat("Each gets a note of it. BOS has none before it: it notes itself.")
    def notes(self) -> Steps:
        tiles = self.tiles
        yield *self.clocks.sink(run_time=1.2), open_slots(tiles, run_time=1.2), FadeOut(self.hands)
        self.remove(self.clocks)
        before = [tiles.middle(max(0, m - 1)) for m in range(self.n)]
        yield wear(tiles, source=np.array(before), run_time=2.2)
        hero = self.values.head.text.other_follower
        others = [k for k in range(self.n) if k not in (hero - 1, hero)]
        yield dim_tiles(tiles, *others), close_slots(tiles)

    @beat(
        "Added to the word, the two orders would hardly differ.",
        ask="And where in its vector does the note go?",
    )
    def where(self) -> Steps:
        if self.stays:
            yield slide_to(self.tiles, *standing(self.raised, self.n), run_time=1.0)
        else:
            yield leave(self.tiles, *range(self.n)), take_off(self.tiles)
        self.add(self.places)
        yield self.places.appear(run_time=1.3)
        yield self.places.pour(run_time=1.4)
        yield FadeIn(self.lost, run_time=0.6)

    @beat(CAPTION)
    def own(self) -> Steps:
        parts = self.places.part(run_time=1.5)
        self.add(self.places)  # prev comes from behind cur
        yield *parts, FadeOut(self.lost)
        yield FadeIn(self.kept, run_time=0.6), *([undim_tiles(self.tiles)] if self.stays else [])
        if not self.stays:
            yield 0.4
            yield FadeOut(self.places, self.kept, run_time=0.6)
            yield come_back(self.tiles, *range(self.n)), undim_tiles(self.tiles)
            yield wear(self.tiles, run_time=0.6)
