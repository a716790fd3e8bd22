"""The ways that two words go on the line: both dragged along, and the key alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from model.arrays import Floats, sealed
from model.dragged_pair import DraggedPair
from model.pair_series import PairSeries
from model.rope import rope_phases
from model.word_scores import WordScores

STEPS = 24
"""Moments of a walk from one position to the next."""


@dataclass(frozen=True)
class Dragged:
    """The asking word's query and the first word's key, and the ways that they go."""

    words: WordScores
    pair: DraggedPair

    @cached_property
    def drag(self) -> PairSeries:
        """Both words on their way to the far places."""
        return self.pair.drag(np.linspace(0, 1, 61))

    @cached_property
    def walk(self) -> PairSeries:
        """The key on its way alone, `STEPS` steps to a position."""
        return self.pair.key_walk(np.linspace(0, 1, 1 + STEPS * self.pair.stray_far))

    @cached_property
    def turn(self) -> Floats:
        """How far the drag turns every hand, in radians; shape (d_head/2,)."""
        return sealed(rope_phases(self.pair.shift, self.words.frequencies))

    @cached_property
    def offsets(self) -> Floats:
        """The key's offset at every whole position of its way alone; shape (stray_far + 1,)."""
        steps = np.arange(1 + self.pair.stray_far)
        return sealed(
            np.asarray(self.pair.far_offset + self.pair.stray_direction * steps, dtype=float)
        )

    @property
    def nearest(self) -> int:
        """How close the two words come to each other, in positions."""
        return round(float(min(np.abs(self.walk.offsets).min(), abs(self.pair.offset))))

    @property
    def windows(self) -> tuple[Floats, Floats]:
        """The positions that are seen before and after the drag; (2,) each."""
        pair = self.pair
        length = abs(pair.offset) + pair.stray_far + 3.0
        far = max(-0.5, min(pair.far_m, pair.far_n, pair.stray_far_n) - 1.5)
        near = max(-0.5, far - pair.shift)
        return near + np.array([0, length]), far + np.array([0, length])
