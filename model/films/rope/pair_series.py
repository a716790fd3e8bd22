"""One query and one key at a series of positions: their pairs, what each adds, and the score."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from clockhead.model.arrays import Floats, finite, sealed
from clockhead.model.rope.rotation import checked_frequencies, rope_phases, rotate
from clockhead.model.units import Difference, Score


@dataclass(frozen=True, eq=False)
class PairSeries:
    """`query` and `key` (d_head,) at `query_positions` and `key_positions` (S,), step by step.

    Positions may be fractional, and negative. Raises ValueError for series of different lengths,
    without a step, and for vectors that do not have two coordinates to a frequency.
    """

    query: tuple[float, ...]
    key: tuple[float, ...]
    frequencies: tuple[float, ...]
    query_positions: Floats
    key_positions: Floats

    def __post_init__(self) -> None:
        width = 2 * len(checked_frequencies(self.frequencies))
        for name, vector in (("query", self.query), ("key", self.key)):
            if finite(name, vector, n_axes=1).size != width:
                raise ValueError(f"{name} must have {width} coordinates, got {len(vector)}")
        steps = finite("query_positions", self.query_positions, n_axes=1).size
        others = finite("key_positions", self.key_positions, n_axes=1).size
        if steps == 0 or others != steps:
            raise ValueError(
                f"key_positions must be as many as query_positions, at least 1, "
                f"got {others} and {steps}"
            )

    @cached_property
    def offsets(self) -> Floats:
        """Key position minus query position; shape (S,)."""
        return sealed(self.key_positions - self.query_positions)

    @cached_property
    def query_pairs(self) -> Floats:
        """The pairs of the rotated query; shape (S, d_head/2, 2)."""
        return sealed(self._pairs(self.query, self.query_positions))

    @cached_property
    def key_pairs(self) -> Floats:
        """The pairs of the rotated key; shape (S, d_head/2, 2)."""
        return sealed(self._pairs(self.key, self.key_positions))

    @cached_property
    def query_phases(self) -> Floats:
        """How far the query's pairs are rotated, in radians, not reduced; shape (S, d_head/2)."""
        return sealed(rope_phases(self.query_positions, self.frequencies))

    @cached_property
    def key_phases(self) -> Floats:
        """How far the key's pairs are rotated, in radians, not reduced; shape (S, d_head/2)."""
        return sealed(rope_phases(self.key_positions, self.frequencies))

    @cached_property
    def offset_phases(self) -> Floats:
        """Key phase minus query phase, in radians, not reduced; shape (S, d_head/2)."""
        return sealed(self.key_phases - self.query_phases)

    @cached_property
    def pair_angles(self) -> Floats:
        """The angle from each pair of the query to the key's, without a jump; (S, d_head/2).

        In (-pi, pi] at the first step; 0 at every step where one of the two has length 0.
        """
        (a, b), (c, d) = self.query_pairs[0].T, self.key_pairs[0].T
        first = np.arctan2(a * d - b * c, a * c + b * d)  # (d_head/2,)
        lengths = np.hypot(a, b) * np.hypot(c, d)  # (d_head/2,)
        since = self.offset_phases - self.offset_phases[0]  # (S, d_head/2)
        return sealed(np.where(lengths > 0, first + since, 0.0))

    @cached_property
    def terms(self) -> Floats:
        """What every pair adds to the score; shape (S, d_head/2)."""
        return sealed((self.query_pairs * self.key_pairs).sum(axis=-1))

    @cached_property
    def scores(self) -> Floats:
        """The score at every step; shape (S,)."""
        return sealed(self.terms.sum(axis=-1))

    @property
    def first_score(self) -> Score:
        """The score at the first step."""
        return float(self.scores[0])

    @property
    def last_score(self) -> Score:
        """The score at the last step."""
        return float(self.scores[-1])

    @property
    def largest_score_change(self) -> Difference:
        """By how much the score at a step differs from that at the first, at most."""
        return float(np.abs(self.scores - self.scores[0]).max())

    def _pairs(self, vector: tuple[float, ...], positions: Floats) -> Floats:
        return rotate(vector, positions, self.frequencies).reshape(len(positions), -1, 2)
