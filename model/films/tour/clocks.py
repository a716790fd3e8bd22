"""A row of a previous-token head's scores, and its keys on their way to their positions."""

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
    """A row whose keys all start upright and turn a step at a time, each as often as it must."""

    ticks: Annotated[
        Floats, Doc("the phases of all keys after 0, 1, and so on to T - 1 steps; (T, T, d_head/2)")
    ]


def ticking_row(head: PreviousTokenHead, m: int, tokens: tuple[str, ...]) -> TickingRow:
    """Row `m` of `head` over a text, with its keys on their way."""
    steps = np.minimum.outer(head.positions, head.positions)  # (T, T)
    ticks = rope_phases(steps, head.frequencies)
    return TickingRow(**vars(score_row(head, m, tokens)), ticks=ticks)
