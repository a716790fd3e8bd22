"""The frequencies of RoPE, and the angles of all pairs when the fastest has made a full turn.

Source: Su et al. (2021); Chris Wendler's RoPE transformer, section 2, theta_i = base^(-2i/d_head).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.films.rope.words import WordScores
from clockhead.model.rope.rotation import periods, phase_cosines, rope_frequencies, rope_phases
from clockhead.model.units import Coordinates, Count, Degrees, Doc, Factor, Period, Position

BACK_AT_START = 0.9998
"""A pair with a larger cosine, within 1.1 degrees of its start, seems to be back at its start."""

VISIBLY_MOVED = 0.9
"""A pair with a smaller cosine has visibly moved."""

OTHER_BASE = 100.0
"""Factor between the base and the smaller and the larger one."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Schedule(Values):
    """The frequencies of a head, and its pairs' angles at position `m`; all are 0 at position 0."""

    words: Annotated[WordScores, Doc("words of a text, which number the positions")]
    d_head: Annotated[Coordinates, Doc("width of the head, two coordinates to a pair")]
    base: Annotated[float, Doc("base of the schedule; 1 makes all frequencies equal")]
    n_pairs: Annotated[Count, Doc("number of pairs of the head, and of frequencies")]
    frequencies: Annotated[Floats, Doc("radians per position of every pair; (d_head/2,)")]
    periods: Annotated[Floats, Doc("positions per full turn of every pair; (d_head/2,)")]
    doubled: Annotated[Ints, Doc("2i for every pair i; (d_head/2,)")]
    factor: Annotated[Factor, Doc("period of a pair over that of the pair before it")]

    fast_degrees: Annotated[Degrees, Doc("degrees that one position turns the fastest pair")]
    fastest_period: Annotated[Period, Doc("positions per full turn of the fastest pair")]
    counted: Annotated[Ints, Doc("whole positions in the first turn of the fastest pair; (N,)")]
    counted_phases: Annotated[
        Floats, Doc("radians of the fastest pair at each of these positions; (N,)")
    ]
    round_phase: Annotated[Floats, Doc("radians of the fastest pair after a full turn; (1,)")]
    m: Annotated[
        Position, Doc("first position at which the fastest pair seems to be back at its start")
    ]
    fast_phase: Annotated[Floats, Doc("radians of the fastest pair at position m; (1,)")]
    phases: Annotated[Floats, Doc("radians that position m turns every pair; (d_head/2,)")]
    far_cosines: Annotated[Floats, Doc("cosine of every pair's phase at position m; (d_head/2,)")]
    slower_pair_tells: Annotated[bool, Doc("whether a slower pair has visibly moved at position m")]

    one: Annotated[Position, Doc("position 1")]
    low_base: Annotated[float, Doc("a smaller base")]
    low_phases: Annotated[
        Floats, Doc("radians of every pair at position m with the smaller base; (d_head/2,)")
    ]
    low_periods: Annotated[
        Floats, Doc("positions per full turn with the smaller base; (d_head/2,)")
    ]
    high_base: Annotated[float, Doc("a larger base")]
    high_phases: Annotated[
        Floats, Doc("radians of every pair at position m with the larger base; (d_head/2,)")
    ]
    high_periods: Annotated[
        Floats, Doc("positions per full turn with the larger base; (d_head/2,)")
    ]


def rope_schedule(words: WordScores, d_head: int, base: float) -> Schedule:
    """The schedule of a head of width `d_head`. ValueError for a single pair."""
    frequencies = rope_frequencies(d_head, base)  # (d_head/2,)
    if frequencies.size < 2:
        raise ValueError(f"d_head must be at least 4, two pairs or more, got {d_head}")
    fast, turns = float(frequencies[0]), periods(frequencies)  # (), (d_head/2,)
    later = np.arange(1, 1000)  # (L,)
    m = int(later[phase_cosines(later, [fast])[:, 0] > BACK_AT_START][0])
    counted = np.arange(int(turns[0]) + 1)  # (N,)
    cosines = phase_cosines(m, frequencies)  # (d_head/2,)
    low, high = base / OTHER_BASE, base * OTHER_BASE
    slow, quick = rope_frequencies(d_head, high), rope_frequencies(d_head, low)  # (d_head/2,) each
    return Schedule(
        words=words,
        d_head=d_head,
        base=base,
        n_pairs=frequencies.size,
        frequencies=frequencies,
        periods=turns,
        doubled=2 * np.arange(frequencies.size),
        factor=float(base ** (2 / d_head)),
        fast_degrees=float(np.rad2deg(fast)),
        fastest_period=float(turns[0]),
        counted=counted,
        counted_phases=np.asarray(counted * fast),
        round_phase=turns[:1] * fast,
        m=m,
        fast_phase=np.array([m * fast]),
        phases=rope_phases(m, frequencies),
        far_cosines=cosines,
        slower_pair_tells=bool(cosines[1:].min() < VISIBLY_MOVED),
        one=1,
        low_base=low,
        low_phases=rope_phases(m, quick),
        low_periods=periods(quick),
        high_base=high,
        high_phases=rope_phases(m, slow),
        high_periods=periods(slow),
    )
