"""A row of a previous-token head's scores, and its keys on their way to their positions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from clockhead.model.arrays import Floats, sealed
from clockhead.model.previous_token.score_row import ScoreRow
from clockhead.model.rope.rotation import rope_phases


@dataclass(frozen=True)
class TickingRow(ScoreRow):
    """A row whose keys all start upright and turn a step at a time, each as often as it must."""

    @cached_property
    def ticks(self) -> Floats:
        """The phases of all keys after 0, 1, and so on to T - 1 steps; shape (T, T, d_head/2)."""
        steps = np.minimum.outer(self.head.positions, self.head.positions)  # (T, T)
        return sealed(rope_phases(steps, self.head.frequencies))
