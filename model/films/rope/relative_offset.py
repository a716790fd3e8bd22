"""A query and a key that are moved together, and then the key alone.

Source: Chris Wendler's RoPE transformer, section 2. Moved together, they keep their offset n - m
and so their score. Moved alone, the key changes its score, which may yet come back: a pair that is
rotated all the way round stands as before, and the fastest does so after 2 pi / theta positions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, sealed, whole
from clockhead.model.films.rope.pair_series import PairSeries
from clockhead.model.films.rope.position_pair import RotatedDotProduct
from clockhead.model.films.rope.word_scores import WordScores
from clockhead.model.rope.rotation import FULL_TURN, rope_phases
from clockhead.model.rounding import decimals_that_add_up
from clockhead.model.units import (
    Count,
    Difference,
    Doc,
    Position,
    Positions,
    Radians,
    Score,
    SignedPositions,
    Turns,
)

ROUND = 0.3
"""Radians by which a pair that has come round may miss whole turns."""

BACK = 0.1
"""Share of the first score by which a score that is back may miss it."""

DRAG_STEPS = 61
"""Moments of the way of both."""

WALK_STEPS = 24
"""Moments of the key's way from one position to the next."""


@dataclass(frozen=True)
class DraggedPair:
    """`near` moved to (`far_m`, `far_n`), then its key alone by `stray` and `stray_far` positions.

    The key strays away from the query, back if both stand at one position, and forward where it
    would pass position 0. Raises ValueError for positions below 0, a stray below 1, and unless
    `stray_far` lies beyond `stray`.
    """

    near: RotatedDotProduct
    far_m: Annotated[Position, Doc("position of the query after the move")]
    far_n: Annotated[Position, Doc("position of the key after the move")]
    stray: Annotated[Positions, Doc("how far the key moves alone at first")] = 3
    stray_far: Annotated[Positions, Doc("how far the key has moved alone in the end")] = 6

    def __post_init__(self) -> None:
        whole("far_m", self.far_m, at_least=0)
        whole("far_n", self.far_n, at_least=0)
        whole("stray", self.stray, at_least=1)
        if whole("stray_far", self.stray_far, at_least=1) <= self.stray:
            raise ValueError(
                f"stray_far must be above stray, got {self.stray_far} and {self.stray}"
            )

    # Both moved

    @cached_property
    def far(self) -> RotatedDotProduct:
        """Query and key after the move."""
        return self.near.at(self.far_m, self.far_n)

    @property
    def offset(self) -> SignedPositions:
        """The signed offset before the move, n - m."""
        return self.near.pair.offset

    @property
    def far_offset(self) -> SignedPositions:
        """The signed offset after the move."""
        return self.far.pair.offset

    @property
    def keeps_offset(self) -> bool:
        """Whether the move keeps the signed offset."""
        return self.offset == self.far_offset

    @property
    def shift(self) -> SignedPositions:
        """How far the query moves, negative for a move towards the beginning."""
        return self.far_m - self.near.pair.m

    @property
    def distance(self) -> Positions:
        """How far the query moves, in either direction."""
        return abs(self.shift)

    @property
    def near_score(self) -> Score:
        """The score before the move."""
        return self.near.rotated_both

    @property
    def far_score(self) -> Score:
        """The score after the move."""
        return self.far.rotated_both

    @property
    def score_change(self) -> Difference:
        """By how much the move changes the score, which is rounding if it keeps the offset."""
        return abs(self.far_score - self.near_score)

    @cached_property
    def drag(self) -> PairSeries:
        """Query and key on the move, in even steps."""
        return self.near.drag(self.far_m, self.far_n, np.linspace(0, 1, DRAG_STEPS))

    @cached_property
    def shift_phases(self) -> Floats:
        """How far the move rotates every pair, in radians, not reduced; shape (d_head/2,)."""
        return sealed(rope_phases(self.shift, self.near.pair.frequencies))

    @property
    def fast_pair_drag_turns(self) -> Turns:
        """How many full turns the move rotates the first pair, in either direction."""
        return self.distance * self.near.pair.frequencies[0] / FULL_TURN

    # The key alone

    @property
    def stray_direction(self) -> SignedPositions:
        """The direction in which the key strays, -1 for back and 1 for forward."""
        away = -1 if self.far_offset <= 0 else 1
        return 1 if self.far_n + away * self.stray_far < 0 else away

    @cached_property
    def strays(self) -> tuple[RotatedDotProduct, RotatedDotProduct]:
        """Query and key where the key has moved alone by `stray` and by `stray_far`."""
        steps = self.stray, self.stray_far
        first, last = (self.far_n + self.stray_direction * step for step in steps)
        return self.near.at(self.far_m, first), self.near.at(self.far_m, last)

    @property
    def stray_far_n(self) -> Position:
        """The position of the key after `stray_far` positions alone."""
        return self.strays[1].pair.n

    @property
    def stray_score(self) -> Score:
        """The score after `stray` positions of the key alone."""
        return self.strays[0].rotated_both

    @property
    def stray_far_score(self) -> Score:
        """The score after `stray_far` positions of the key alone."""
        return self.strays[1].rotated_both

    @cached_property
    def walk(self) -> PairSeries:
        """The key alone on the way to `stray_far_n`, in `WALK_STEPS` steps from each position."""
        gone = np.arange(WALK_STEPS * self.stray_far + 1) / WALK_STEPS  # (S,)
        return self.far.along(self.far_m, self.far_n + self.stray_direction * gone)

    @property
    def nearest(self) -> Positions:
        """How close query and key come to each other, before and on that way."""
        return round(float(np.abs(self.walk.offsets).min()))

    @property
    def stray_looks_alike(self) -> bool:
        """Whether the score after `stray` positions is the same to two decimals."""
        return _written(self.stray_score) == _written(self.far_score)

    @property
    def is_back(self) -> bool:
        """Whether the last score is that before to two decimals, or within a tenth of it."""
        if _written(self.stray_far_score) == _written(self.far_score):
            return True
        return abs(self.stray_far_score - self.far_score) < BACK * abs(self.far_score)

    @property
    def fast_pair_turn(self) -> Radians:
        """How far the key's first pair is rotated by the `stray_far` positions alone."""
        return self.stray_far * self.near.pair.frequencies[0]

    @property
    def fast_pair_comes_round(self) -> bool:
        """Whether the first pair is the fastest and has gone round, to within .3 radians."""
        first, *others = self.near.pair.frequencies
        turns = round(self.fast_pair_turn / FULL_TURN)
        missing = abs(self.fast_pair_turn - turns * FULL_TURN)
        fastest = bool(others) and first > max(others)
        return fastest and turns >= 1 and missing < ROUND

    @property
    def comes_back_round(self) -> bool:
        """Whether the last score is that before, and the first pair has gone round for it."""
        return self.is_back and self.fast_pair_comes_round

    @property
    def largest_angle_change(self) -> Radians:
        """By how much the move changes the angle between query and key in a pair, at most."""
        apart = np.abs(self.far.pair.difference_angles - self.near.pair.difference_angles)
        return float(np.minimum(apart, math.tau - apart).max())

    @property
    def n_decimals(self) -> Count:
        """The fewest decimals, 2 to 4, at which the terms as written add up to their scores.

        Before the move, and where the key stands after `stray` and `stray_far` positions alone.
        """
        places = self.near, *self.strays
        return decimals_that_add_up([p.terms for p in places], [p.rotated_both for p in places])


@dataclass(frozen=True)
class DraggedWords:
    """The words of a text, and how the query and the key of two of them are moved.

    Raises ValueError unless both are moved, and the key as far as the query.
    """

    words: WordScores
    pair: DraggedPair

    def __post_init__(self) -> None:
        if self.pair.shift == 0:
            raise ValueError(f"far_m must be another position than m, got {self.pair.far_m} twice")
        if not self.pair.keeps_offset:
            raise ValueError(
                f"far_n must be {self.pair.near.pair.n + self.pair.shift}, moved as far from n as "
                f"far_m is from m, got {self.pair.far_n}"
            )


def _written(score: float) -> float:
    """A score to two decimals, of which none is a negative zero."""
    return round(score, 2) + 0.0
