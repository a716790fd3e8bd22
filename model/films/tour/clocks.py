"""A row of a previous-token head's scores, and its keys while they rotate to their positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats
from clockhead.model.previous_token.head import PreviousTokenHead
from clockhead.model.previous_token.score_row import ScoreRow, score_row
from clockhead.model.rope.rotation import rope_phases
from clockhead.model.units import Doc


@dataclass(frozen=True, kw_only=True, eq=False)
class TickingRow(ScoreRow):
    """A row whose keys start at angle 0 and rotate step by step, each to its own position."""

    ticks: Annotated[Floats, Doc("phases of all keys after 0, 1 .. T - 1 steps; (T, T, d_head/2)")]


def ticking_row(head: PreviousTokenHead, m: int, tokens: tuple[str, ...]) -> TickingRow:
    """Row `m` of `head` on a text, with the rotation of its keys step by step."""
    steps = np.minimum.outer(head.positions, head.positions)  # (T, T)
    ticks = rope_phases(steps, head.frequencies)
    return TickingRow(**vars(score_row(head, m, tokens)), ticks=ticks)
