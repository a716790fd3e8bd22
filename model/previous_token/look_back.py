"""What can be read off a head in which every row is meant to attend `look_back` positions back."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Bools, Floats, Ints, sealed, sealed_ints
from clockhead.model.attention.pattern import attend, causal_mask
from clockhead.model.units import Exponent, Position, Positions, Rows, Score, Share

TIE = 1e-12
"""Scores tie that differ by less than this share of the largest score: that much is rounding."""

SHARP = 0.9
"""The share of a row from which its target gets nearly everything."""

Line: TypeAlias = Literal["sharp", "blurred", "none"]
"""Whether the targets stand out: from 90 %, by more than half, or not."""


def line_of(mass: float, has_majority: bool) -> Line:
    """What a row with this mass on its target shows; without a majority it is no line."""
    if not has_majority:
        return "none"
    return "sharp" if mass >= SHARP else "blurred"


def lost_exponent(lost: float) -> int:
    """The largest whole j with `lost` at most 1 part in 10^j: 4 for 0.00003.

    Raises ValueError unless `lost` lies above 0, where there is a largest.
    """
    if not 0 < lost <= 1:
        raise ValueError(f"lost must be above 0 and at most 1, got {lost:g}")
    return math.floor(-math.log10(lost))


class LookBackHead(ABC):
    """A head in which row m is meant to attend to its target, position m - look_back."""

    @property
    @abstractmethod
    def look_back(self) -> Positions:
        """How many positions before its row the target lies."""

    @property
    @abstractmethod
    def causal(self) -> bool:
        """Whether keys after the query are masked."""

    @property
    @abstractmethod
    def scores(self) -> Floats:
        """Dot product of query m and key n, before any mask; shape (T, T)."""

    @property
    @abstractmethod
    def pattern(self) -> Floats:
        """Row m takes pattern[m, n] of position n, and every row sums to 1; shape (T, T)."""

    # Rows and targets

    @cached_property
    def target_rows(self) -> Ints:
        """The rows m that have a position m - look_back; shape (R,), R = max(T - look_back, 0)."""
        return sealed_ints(np.arange(self.look_back, len(self.pattern)))

    @cached_property
    def targets(self) -> Ints:
        """The target of every row of `target_rows`; shape (R,)."""
        return sealed_ints(self.target_rows - self.look_back)

    @property
    def n_targets(self) -> Rows:
        """How many rows have a target."""
        return len(self.target_rows)

    @cached_property
    def rows_without_target(self) -> Ints:
        """The first rows, m < look_back, which have nothing to look back to."""
        return sealed_ints(np.arange(min(self.look_back, len(self.pattern))))

    @cached_property
    def looks_at(self) -> Ints:
        """The position that gets most of each row, the first of equals; shape (T,)."""
        return sealed_ints(self.pattern.argmax(axis=1))

    @cached_property
    def missed_rows(self) -> Ints:
        """The rows with a target that give another position more; shape (0 to R,)."""
        return sealed_ints(self.target_rows[self.looks_at[self.target_rows] != self.targets])

    @property
    def n_missed(self) -> Rows:
        """How many rows with a target give another position more."""
        return len(self.missed_rows)

    @property
    def finds_target(self) -> bool:
        """Whether no row with a target gives another position more."""
        return not self.missed_rows.size

    # Mass on the target, and what is lost

    @cached_property
    def masses(self) -> Floats:
        """Attention on the target, for every row of `target_rows`; shape (R,)."""
        return sealed(self.pattern[self.target_rows, self.targets])

    @cached_property
    def lost(self) -> Floats:
        """Attention on all other positions, 1 - mass, for every row of `target_rows`; shape (R,).

        Summed over the others, so that it is not 0 where the mass rounds to 1.
        """
        return sealed(np.where(self._is_target, 0.0, self.pattern[self.target_rows]).sum(axis=1))

    @property
    def worst_mass(self) -> Share:
        """The smallest mass that a row gives its target. ValueError if no row has a target."""
        self._require_target()
        return float(np.min(self.masses))

    @property
    def worst_row(self) -> Position:
        """The row of the smallest mass, the first of equals. ValueError if no row has a target."""
        self._require_target()
        return int(self.target_rows[np.argmin(self.masses)])

    @property
    def mean_mass(self) -> Share:
        """The mean mass that a row gives its target. ValueError if no row has a target."""
        self._require_target()
        return float(self.masses.mean())

    @property
    def worst_lost(self) -> Share:
        """The most attention that a row gives away from its target. ValueError if none has one."""
        self._require_target()
        return float(np.max(self.lost))

    @property
    def worst_lost_row(self) -> Position:
        """The row that gives most attention away, the first of equals. ValueError without one.

        It is the row of the smallest mass also where all masses round to 1.
        """
        self._require_target()
        return int(self.target_rows[np.argmax(self.lost)])

    @property
    def mean_lost(self) -> Share:
        """The mean attention given away from the target. ValueError if no row has a target."""
        self._require_target()
        return float(self.lost.mean())

    # The runner-up

    @cached_property
    def runner_up_positions(self) -> Ints:
        """The position with the largest score besides the target, the first of equals; shape (R,).

        Masked keys do not count; -1 in a row that sees no key but its target.
        """
        best = self._rival_scores.argmax(axis=1)  # (R,)
        return sealed_ints(np.where(np.isneginf(self._rival_scores.max(axis=1)), -1, best))

    @cached_property
    def runner_up_masses(self) -> Floats:
        """Attention on the runner-up, 0 where there is none; shape (R,)."""
        places = self.runner_up_positions  # (R,)
        return sealed(np.where(places < 0, 0.0, self.pattern[self.target_rows, places]))

    @cached_property
    def leads(self) -> Floats:
        """Score of the target minus that of the runner-up, inf if there is none; shape (R,)."""
        own = self.scores[self.target_rows, self.targets]  # (R,)
        return sealed(own - self._rival_scores.max(axis=1))

    @property
    def worst_lead(self) -> Score:
        """The smallest lead of a target's score over its runner-up's, negative where it is missed.

        Raises ValueError if no row has a target.
        """
        self._require_target()
        return float(np.min(self.leads))

    @property
    def worst_runner_up_mass(self) -> Share:
        """The most attention that a runner-up gets in any row. ValueError without a target."""
        self._require_target()
        return float(np.max(self.runner_up_masses))

    @property
    def worst_row_runner_up(self) -> Position:
        """The runner-up in the row of the smallest mass, -1 if it sees no other key."""
        self._require_target()
        return int(self.runner_up_positions[np.argmin(self.masses)])

    @property
    def worst_row_runner_up_mass(self) -> Share:
        """Attention on the runner-up in the row of the smallest mass."""
        self._require_target()
        return float(self.runner_up_masses[np.argmin(self.masses)])

    # Majority and strict maximum

    @cached_property
    def has_majority(self) -> Bools:
        """Whether the target gets more than all others together, row by row; shape (R,)."""
        return np.asarray(self.masses - self.lost > TIE)

    @cached_property
    def is_strict_maximum(self) -> Bools:
        """Whether the target's score is above every other, ties not counted; shape (R,)."""
        return np.asarray(self.leads > TIE * np.abs(self.scores).max())

    @property
    def always_majority(self) -> bool:
        """Whether every row with a target gives it more than half of its attention."""
        return bool(self.has_majority.all())

    @property
    def always_strict(self) -> bool:
        """Whether every row with a target gives it strictly more than any other position."""
        return bool(self.is_strict_maximum.all())

    @property
    def n_without_majority(self) -> Rows:
        """How many rows with a target give it at most half of their attention."""
        return int((~self.has_majority).sum())

    @property
    def line(self) -> Line:
        """Whether the targets form a sharp line, of 90 % or more, a blurred one, or none.

        Blurred is more than half in every row. Raises ValueError if no row has a target.
        """
        return line_of(self.worst_mass, self.always_majority)

    @property
    def loses_nothing(self) -> bool:
        """Whether what rows give away from their targets is too little for a float."""
        return not self.lost.any()

    @property
    def worst_lost_exponent(self) -> Exponent:
        """The largest j at which every row loses at most 1 part in 10^j.

        Raises ValueError if no row has a target, or none loses anything.
        """
        return lost_exponent(self.worst_lost)

    def head_out(self, values: ArrayLike) -> Floats:
        """What each position receives of `values`, (T, d) to (T, d): close to its target's row.

        Raises ValueError for another number of rows.
        """
        return attend(self.pattern, values)

    @cached_property
    def _is_target(self) -> Bools:
        """Which key of each row of `target_rows` is its target; shape (R, T)."""
        return np.asarray(np.arange(len(self.pattern)) == self.targets[:, None])

    @cached_property
    def _rival_scores(self) -> Floats:
        """The scores of `target_rows`, -inf at the target and at masked keys; shape (R, T)."""
        hidden = self._is_target  # (R, T)
        if self.causal:
            hidden = hidden | ~causal_mask(len(self.pattern))[self.target_rows]  # (R, T)
        return np.where(hidden, -np.inf, self.scores[self.target_rows])

    def _require_target(self) -> None:
        if not self.target_rows.size:
            raise ValueError(
                f"n_tokens must be above look_back so that some row has a target, "
                f"got {len(self.pattern)} tokens and look_back {self.look_back}"
            )
