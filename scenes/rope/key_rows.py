"""A row of dials under the name of a word: on each the asking word's query and the word's key."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Animation, FadeIn, VGroup

from scenes.parts.dial import Dials
from scenes.parts.dial_hands import Hands
from scenes.parts.dial_turns import Wedges
from scenes.parts.figures import Figure
from scenes.parts.strip import Strip
from scenes.stage import Column, Row, Stage
from scenes.style.layout import GAP
from scenes.style.theme import theme
from scenes.style.type import SMALL

_MOST, _LARGEST = 4, 0.75
"""How many hands are shown at most, and the largest radius of a dial, in units."""
_OVER = 0.12
"""Between a name and the dials under it, in units."""

Animations = list[Animation]


class KeyRow:
    """The dials in which the query meets the key of the first (0) or the last word (-1)."""

    def __init__(self, stage: Stage, word: int) -> None:
        self._read, self.word = stage.__getitem__, word
        n_hands, unit = len(stage["told.frequencies"]), float(stage["told.unit"].array)
        columns = min(n_hands, _MOST)
        self.dials = Dials(n_hands, most=_MOST, columns=columns, largest=_LARGEST)
        self.query = Hands(stage["told.query_pairs"], self.dials, "query", unit=unit)
        self.key = Hands(stage["told.key_pairs"][word], self.dials, "key", unit=unit)
        angles = stage["told.angles"][word]
        self.wedges = Wedges(angles, self.dials, self.query, end=self.key)
        for depth, part in enumerate((self.wedges, self.query, self.key), start=1):
            part.set_z_index(depth)
        self.name = Strip(stage["told.outer_words"][-word : 1 - word], lines=1).look([0], "key")
        self.before = Figure(
            stage["told.scores"][word],
            ".2f",
            size=SMALL,
            color=theme().muted,
            prefix="was ",
        )
        self.home, self.radius = np.zeros((0, 3)), 0.0

    @property
    def box(self) -> Column:
        """Name and former score over the dials, for a stage to arrange."""
        return Column(Row(self.name, self.before, gap=GAP / 2), self.dials, gap=_OVER)

    @property
    def around_query(self) -> VGroup:
        """All that it shows but the dials and the query's hands."""
        return VGroup(self.name, self.wedges, self.key, self.before)

    # What happens

    def open(self, **options: Any) -> Animations:
        """The dials go to their places under the name, and the hands of the key grow."""
        move = self.dials.go_to(self.home, self.radius, **options)
        return [FadeIn(self.name, **options), move, self.key.grow(**options)]

    def turn(self, **options: Any) -> Animations:
        """Query and key are turned by their positions."""
        phases, asks = self._read("told.phases"), int(self._read("told.asks").content)
        key = self._read("told.rotated_key_pairs")[self.word]
        query = self._read("told.rotated_query_pairs")
        return [
            self.query.turn_to(query, phases[asks].array, **options),
            self.key.turn_to(key, phases[self.word].array, **options),
        ]

    def swap(self, **options: Any) -> Animations:
        """The key turns on, or back, as its word goes to the other end."""
        keys, angles = self._read("swap_key_pairs"), self._read("swap_angles")
        return [
            self.key.through(keys[self.word], **options),
            self.wedges.through(angles[self.word], **options),
            FadeIn(self.before),
        ]

    def shift(self, **options: Any) -> Animations:
        """Both hands turn on by as many positions, and the angles between them with them."""
        by, moved = self._read("shift_phases").array, "swapped_and_shifted.rotated"
        key = self._read(f"{moved}_key_pairs")[-1 - self.word]
        return [
            self.query.turn_to(self._read(f"{moved}_query_pairs"), by, **options),
            self.key.turn_to(key, by, **options),
        ]

    def turn_back(self, **options: Any) -> Animation:
        """The hands of the query turn back by the shift."""
        query = self._read("swapped.rotated_query_pairs")
        return self.query.turn_to(query, -self._read("shift_phases").array, **options)


def gathered(rows: tuple[KeyRow, KeyRow]) -> VGroup:
    """The dials of the last row with the query's hands; those of both rows lie between the two."""
    for row in rows:
        row.home, row.radius = row.dials.centers[0], row.dials.radius
    middle = np.mean([row.home for row in rows], axis=0)
    for row in rows:
        row.dials.place_at(middle, row.radius)
        row.query.redraw()
    return VGroup(rows[-1].dials, rows[-1].query)
