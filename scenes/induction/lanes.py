"""Layer 0, the previous-token head: every token notes the token before it."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import VGroup

from clockhead.model.films.induction.lanes import StoredTokens, stored_tokens
from clockhead.scenes.induction.note_bars import strip_values
from clockhead.scenes.induction.spread import LARGE, NOTES, OVER, tile_size
from clockhead.scenes.induction.words import InductionInputs
from clockhead.scenes.parts.clock_row import Clocks
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import close_slots, open_slots, paint, wear
from clockhead.scenes.stage import CAPTION, Claim, Derived, Stage, Steps, beat
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import Role

_HANDS, _NAMES = 0.5, 32.0
"""Space over the clocks for the hands' names, in units, and the names' letter size, in pixels."""
_CLOCK = 0.95
"""Largest radius of a clock, in units."""
WEAK_NOTE = (
    "a note holds only {head.least_stored:.0%} of the token before: alpha {inputs.alpha:g} is too "
    "small"
)
"""The message of a claim if layer 0 does not attend to the previous token sharply enough."""


class Lanes(Stage[StoredTokens]):
    """Layer 0, the previous-token head: every token notes the token before it."""

    Inputs = InductionInputs
    title = "A note of the previous token"
    question = ""
    caption = "That was the first head, the previous-token head."
    opens = ("tiles",)
    leaves = ("tiles",)
    claims = (
        Claim(
            "nearly all of every note is the token before it",
            lambda noted: noted.head.least_stored >= 0.9,
            WEAK_NOTE,
        ),
    )
    derived = {
        "asker": Derived("a word that followed the last word", lambda noted: noted.pair[1]),
        "before": Derived("the word before it: the last word", lambda noted: noted.pair[0]),
    }

    compute = stored_tokens

    def layout(self) -> None:
        look: dict[str, Any] = {"positions": True, "number_size": 30.0, "note_size": NOTES}
        look |= {"size": 1.2 * tile_size(self.canvas, LARGE)} | strip_values(self, "head.")
        self.tiles, self.n = Strip(**look), self.values.head.n_tokens
        self.tiles.place(self.canvas.inset(0.0, OVER))
        for tile in self.tiles.tiles:
            if tile.note:
                tile.note.set_z_index(-1)  # notes slide out from behind the words
        phases = self["head.key_phases"], self["head.query_phases"]
        self.clocks = Clocks(self.tiles, *phases, most=1, largest=_CLOCK)
        over, page = self.canvas.cut_top(_HANDS, gap=0.0)
        self.clocks.place(page)
        names: list[tuple[Role, float]] = [("query", 0.42), ("key", 0.58)]
        self.hands = VGroup(
            Label(name, size=_NAMES, color=name).put(over.point(x, 0.2)) for name, x in names
        )

    @beat("An extra token, BOS, marks the beginning. Every token has a position.", focus="tiles")
    def positions(self) -> Steps:
        yield 1.5
        yield paint(self.tiles, self.values.head.text.other_follower, "query")

    @beat(
        "Queries and keys are turned by their position, like the hands of a clock.",
        ask="How could “{asker}” know that it came after “{before}”?",
        focus=("tiles", "clocks"),
    )
    def clocks_(self) -> Steps:
        rise = self.clocks.rise(run_time=0.4 * self.reading)
        self.add(self.clocks, self.tiles)  # the clocks rise from behind the tiles
        yield rise
        yield FadeIn(self.hands[1])

    @beat("“{asker}” turns its query one step back. Now it fits the key of “{before}”.",
          focus=("tiles", "clocks"))  # fmt: skip
    def ask(self) -> Steps:
        asker = self.values.head.text.other_follower
        near = [self.tiles.tiles[m] for m in (asker - 1, asker)]
        yield self.look_at(*near, self.hands, closest=1.8)
        yield FadeIn(self.hands[0], run_time=0.5)
        yield from self._ask(asker)

    @beat("All tokens do the same, and each finds the one before it.",
          focus=("tiles", "clocks"))  # fmt: skip
    def all_(self) -> Steps:
        hero = self.values.head.text.other_follower
        yield self.look_back(), paint(self.tiles, hero, None)
        yield from self._ask(*(m for m in range(1, self.n) if m != hero))

    def _ask(self, *lanes: int) -> Steps:
        yield self.clocks.ask(*lanes)
        yield self.clocks.turn_back(*lanes)
        yield self.clocks.step_left(*lanes)

    @beat("Each takes a note of what it found. BOS has nothing before it, so it notes itself.",
          focus="tiles")  # fmt: skip
    def notes(self) -> Steps:
        tiles = self.tiles
        yield open_slots(tiles, run_time=0.8)
        before = [tiles.middle(max(0, m - 1)) for m in range(self.n)]
        yield wear(tiles, source=np.array(before), run_time=2.6)
        yield *self.clocks.sink(run_time=1.2), FadeOut(self.hands)
        self.remove(self.clocks)
        yield close_slots(tiles)

    @beat(CAPTION, focus="tiles")
    def named(self) -> Steps:
        yield 1.0
