"""The schedule of frequencies, and how far its pairs are rotated at position 1 and at position m.

Source: Su et al. (2021); Chris Wendler's RoPE transformer, section 2, theta_i = base^(-2i/d_head).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.films.rope.words import WordScores
from clockhead.model.rope.rotation import periods, phase_cosines, rope_frequencies, rope_phases
from clockhead.model.units import Coordinates, Count, Doc, Factor, Period, Position

CAME_ROUND = 0.99
"""A pair whose cosine is above this is almost where it began."""

MOVED = 0.9
"""A pair whose cosine is below this has been rotated visibly."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Schedule(Values):
    """The pairs of a head at positions 1 and `m`, all at angle 0 at position 0."""

    words: Annotated[WordScores, Doc("the words of a text, by which positions are counted")]
    d_head: Annotated[Coordinates, Doc("width of the head, two coordinates to a pair")]
    base: Annotated[float, Doc("base of the schedule; 1 makes all frequencies equal")]
    m: Annotated[Position, Doc("position that is compared with position 0")]
    n_pairs: Annotated[Count, Doc("how many pairs, and so frequencies, the head has")]
    frequencies: Annotated[Floats, Doc("radians per position of every pair; (d_head/2,)")]
    periods: Annotated[Floats, Doc("positions that a full turn of every pair takes; (d_head/2,)")]
    fastest_period: Annotated[Period, Doc("positions that a full turn of the fastest pair takes")]
    slowest_period: Annotated[Period, Doc("positions that a full turn of the slowest pair takes")]
    factor: Annotated[Factor, Doc("how many times as long each takes as the one before it")]
    round_phases: Annotated[
        Floats, Doc("radians of every pair when the fastest has made a full turn; (d_head/2,)")
    ]
    near_degrees: Annotated[Floats, Doc("degrees that position 1 turns every pair; (d_head/2,)")]
    far_phases: Annotated[Floats, Doc("radians that position m turns every pair; (d_head/2,)")]
    far_wedges: Annotated[Floats, Doc("the same in degrees, without whole turns; (d_head/2,)")]
    far_cosines: Annotated[Floats, Doc("the cosine of every pair's phase there; (d_head/2,)")]
    slower_pair_tells: Annotated[
        bool, Doc("whether the fastest pair is almost where it began there, and a slower one not")
    ]


def schedule_of(words: WordScores, d_head: int, base: float, m: int) -> Schedule:
    """The schedule of a head of width `d_head`, and position m. ValueError for a single pair."""
    frequencies = rope_frequencies(d_head, base)  # (d_head/2,)
    if frequencies.size < 2:
        raise ValueError(f"d_head must be at least 4, two pairs or more, got {d_head}")
    turns = periods(frequencies)  # (d_head/2,)
    far, cosines = rope_phases(m, frequencies), phase_cosines(m, frequencies)  # (d_head/2,) each
    return Schedule(
        words=words,
        d_head=d_head,
        base=base,
        m=m,
        n_pairs=frequencies.size,
        frequencies=frequencies,
        periods=turns,
        fastest_period=float(turns[0]),
        slowest_period=float(turns[-1]),
        factor=float(base ** (2 / d_head)),
        round_phases=rope_phases(turns[0], frequencies),
        near_degrees=np.rad2deg(frequencies),
        far_phases=far,
        far_wedges=np.mod(np.rad2deg(far), 360.0),
        far_cosines=cosines,
        slower_pair_tells=bool(cosines[0] > CAME_ROUND and cosines[1:].min() < MOVED),
    )
