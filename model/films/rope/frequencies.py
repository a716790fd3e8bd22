"""The schedule of frequencies, and how far its pairs are rotated at position 1 and at position m.

Source: Su et al. (2021); Chris Wendler's RoPE transformer, section 2, theta_i = base^(-2i/d_head).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, even, real, sealed, whole
from clockhead.model.films.rope.word_scores import WordScores
from clockhead.model.rope.rotation import (
    BASE,
    FULL_TURN,
    periods,
    phase_cosines,
    rope_frequencies,
    rope_phases,
)
from clockhead.model.units import (
    Coordinates,
    Cosine,
    Count,
    Degrees,
    Doc,
    Factor,
    Pair,
    Period,
    Position,
    Turns,
)

STILL = 6.0
"""Degrees below which a pair has hardly been rotated."""

CAME_ROUND = 0.99
"""A pair whose cosine is above this is almost where it began."""

MOVED = 0.9
"""A pair whose cosine is below this has been rotated visibly."""

LONG_TEXT = 2000.0
"""Positions of a text that is long."""


@dataclass(frozen=True)
class Schedule:
    """The pairs of a head of width `d_head` at positions 1 and `m`, all at angle 0 at position 0.

    Raises ValueError for an odd d_head, one below 4, a base below 1 and an m below 1.
    """

    d_head: Annotated[Coordinates, Doc("width of the head, two coordinates to a pair")] = 8
    base: Annotated[float, Doc("base of the schedule; 1 makes all frequencies equal")] = BASE
    m: Annotated[Position, Doc("position that is compared with position 0")] = 44

    def __post_init__(self) -> None:
        if even("d_head", self.d_head) < 4:
            raise ValueError(f"d_head must be at least 4, two pairs or more, got {self.d_head}")
        real("base", self.base, at_least=1)
        whole("m", self.m, at_least=1)

    @property
    def n_pairs(self) -> Count:
        """How many pairs, and so frequencies, the head has."""
        return self.d_head // 2

    @cached_property
    def frequencies(self) -> Floats:
        """Rotation of every pair from one position to the next, in radians; shape (d_head/2,)."""
        return sealed(rope_frequencies(self.d_head, self.base))

    @cached_property
    def periods(self) -> Floats:
        """How many positions a full turn of every pair takes; shape (d_head/2,)."""
        return sealed(periods(self.frequencies))

    @property
    def fastest_period(self) -> Period:
        """How many positions a full turn of the fastest pair takes, 2 pi."""
        return float(self.periods[0])

    @cached_property
    def round_phases(self) -> Floats:
        """Every pair's phase when the fastest has made a full turn, in radians; (d_head/2,)."""
        return sealed(rope_phases(self.fastest_period, self.frequencies))

    @property
    def slowest_period(self) -> Period:
        """How many positions a full turn of the slowest pair takes."""
        return float(self.periods[-1])

    @property
    def factor(self) -> Factor:
        """How many times as long each pair takes for a full turn as the one before it."""
        return float(self.base ** (2 / self.d_head))

    @property
    def outlasts_long_text(self) -> bool:
        """Whether the slowest pair takes at least 2000 positions for a full turn."""
        return self.slowest_period >= LONG_TEXT

    # At position 1

    @cached_property
    def near_degrees(self) -> Floats:
        """How far position 1 rotates every pair, in degrees; shape (d_head/2,)."""
        return sealed(np.rad2deg(self.frequencies))

    @property
    def first_degrees(self) -> Degrees:
        """How far position 1 rotates the fastest pair."""
        return float(self.near_degrees[0])

    @property
    def last_degrees(self) -> Degrees:
        """How far position 1 rotates the slowest pair."""
        return float(self.near_degrees[-1])

    @property
    def slowest_is_still(self) -> bool:
        """Whether position 1 rotates the slowest pair by less than 6 degrees."""
        return self.last_degrees < STILL

    # At position m

    @cached_property
    def far_phases(self) -> Floats:
        """How far position m rotates every pair, in radians, not reduced; shape (d_head/2,)."""
        return sealed(rope_phases(self.m, self.frequencies))

    @cached_property
    def far_degrees(self) -> Floats:
        """How far position m rotates every pair, in degrees, not reduced; shape (d_head/2,)."""
        return sealed(np.rad2deg(self.far_phases))

    @cached_property
    def far_wedges(self) -> Floats:
        """`far_degrees` without whole turns, in [0, 360); shape (d_head/2,)."""
        return sealed(np.mod(self.far_degrees, 360.0))

    @cached_property
    def far_turns(self) -> Floats:
        """How many full turns every pair has made at position m; shape (d_head/2,)."""
        return sealed(self.far_phases / FULL_TURN)

    @cached_property
    def far_cosines(self) -> Floats:
        """The cosine of every pair's phase at position m; shape (d_head/2,)."""
        return sealed(phase_cosines(self.m, self.frequencies))

    @property
    def first_turns(self) -> Turns:
        """How many full turns the fastest pair has made at position m."""
        return float(self.far_turns[0])

    @property
    def last_turns(self) -> Turns:
        """How many full turns the slowest pair has made at position m."""
        return float(self.far_turns[-1])

    @property
    def first_cosine(self) -> Cosine:
        """The cosine of the fastest pair's phase at position m."""
        return float(self.far_cosines[0])

    @property
    def least_other_cosine(self) -> Cosine:
        """The least cosine of the other pairs' phases at position m."""
        return float(self.far_cosines[1:].min())

    @property
    def most_moved(self) -> Pair:
        """The pair, other than the fastest, whose cosine at position m is least."""
        return 1 + int(self.far_cosines[1:].argmin())

    @property
    def slower_pair_tells(self) -> bool:
        """Whether at m the fastest pair is almost where it began, and a slower one is not."""
        return self.first_cosine > CAME_ROUND and self.least_other_cosine < MOVED


@dataclass(frozen=True)
class CountedWords:
    """The schedule of a head, and the words of a text, by which it counts positions."""

    schedule: Schedule
    told: WordScores
