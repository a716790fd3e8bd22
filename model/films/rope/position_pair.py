"""A query and a key at two positions: their phases, and what is left between them.

Source: Chris Wendler's RoPE transformer, section 2, R_m^T R_n = R_(n - m). The text says that
scores depend on the distance alone; it is the signed offset n - m, and the vectors count as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, finite, real, sealed, whole
from clockhead.model.attention.constant_key import constant_key
from clockhead.model.films.rope.pair_series import PairSeries
from clockhead.model.rope.rotation import (
    FULL_TURN,
    checked_frequencies,
    composed_rotation,
    rope_phases,
    rotate,
    rotation_matrix,
    wrapped_phases,
)
from clockhead.model.rounding import decimals_that_add_up
from clockhead.model.units import Count, Difference, Doc, Position, Score, SignedPositions


@dataclass(frozen=True)
class PositionPair:
    """A query at position `m` and a key at `n`, of a head with the given `frequencies`.

    Raises ValueError unless m and n are whole numbers of at least 0 and the frequencies above 0.
    """

    m: Annotated[Position, Doc("position of the query")]
    n: Annotated[Position, Doc("position of the key")]
    frequencies: tuple[float, ...]

    def __post_init__(self) -> None:
        whole("m", self.m, at_least=0)
        whole("n", self.n, at_least=0)
        checked_frequencies(self.frequencies)

    @property
    def offset(self) -> SignedPositions:
        """The signed offset n - m, negative where the key stands before the query."""
        return self.n - self.m

    @cached_property
    def query_angles(self) -> Floats:
        """The phases of position m, in [0, 2 pi); shape (d_head/2,)."""
        return sealed(wrapped_phases(self.m, self.frequencies))

    @cached_property
    def key_angles(self) -> Floats:
        """The phases of position n, in [0, 2 pi); shape (d_head/2,)."""
        return sealed(wrapped_phases(self.n, self.frequencies))

    @cached_property
    def query_phases(self) -> Floats:
        """How far R_m rotates each pair, in radians, not reduced; shape (d_head/2,)."""
        return sealed(rope_phases(self.m, self.frequencies))

    @cached_property
    def key_phases(self) -> Floats:
        """How far R_n rotates each pair, in radians, not reduced; shape (d_head/2,)."""
        return sealed(rope_phases(self.n, self.frequencies))

    @cached_property
    def transposed_phases(self) -> Floats:
        """How far R_m^T rotates each pair, back by position m, not reduced; shape (d_head/2,)."""
        return sealed(rope_phases(-self.m, self.frequencies) + 0.0)  # no negative zero

    @cached_property
    def offset_phases(self) -> Floats:
        """How far R_(n - m) rotates each pair, in radians, not reduced; shape (d_head/2,)."""
        return sealed(rope_phases(self.offset, self.frequencies))

    @property
    def without_common_steps(self) -> PositionPair:
        """The pair of the same offset of which one stands at position 0."""
        common = min(self.m, self.n)
        return PositionPair(self.m - common, self.n - common, self.frequencies)

    @property
    def unmoved(self) -> PositionPair:
        """Query and key both at position 0."""
        return PositionPair(0, 0, self.frequencies)

    @cached_property
    def difference_angles(self) -> Floats:
        """Key phase minus query phase, in (-pi, pi]; shape (d_head/2,).

        Computed from the two phases and not from the offset, so that a comparison of two pairs
        shows that it depends on the offset alone.
        """
        apart = np.mod(self.key_angles - self.query_angles, FULL_TURN)  # (d_head/2,)
        return sealed(np.where(apart > FULL_TURN / 2, apart - FULL_TURN, apart))

    @cached_property
    def product(self) -> Floats:
        """R_m^T R_n multiplied out: back by m, then on by n; shape (d_head, d_head)."""
        return sealed(composed_rotation(self.m, self.n, self.frequencies))

    @cached_property
    def single_rotation(self) -> Floats:
        """R_(n - m), one rotation by the signed offset; shape (d_head, d_head)."""
        return sealed(rotation_matrix(self.offset, self.frequencies))

    @property
    def largest_difference(self) -> Difference:
        """The largest entry of R_m^T R_n minus R_(n - m), which is rounding alone."""
        return float(np.max(np.abs(self.product - self.single_rotation)))

    @cached_property
    def of_constant(self) -> RotatedDotProduct:
        """The dot product of the vector (1, 0, 1, 0, ...) with itself across the two positions."""
        same = tuple(constant_key(2 * len(self.frequencies)).tolist())
        return RotatedDotProduct(self, same, same)

    def score(self, query: ArrayLike | None = None, key: ArrayLike | None = None) -> float:
        """(R_m query)^T (R_n key); both (d_head,), by default (1, 0, 1, 0, ...).

        With the defaults it is the kernel f(n - m), at most d_head/2.
        """
        same = constant_key(2 * len(self.frequencies))  # (d_head,)
        query_and_key = (same if x is None else finite("vectors", x, 1) for x in (query, key))
        return RotatedDotProduct(self, *(tuple(x.tolist()) for x in query_and_key)).rotated_both


@dataclass(frozen=True)
class RotatedDotProduct:
    """The score of `query` and `key` (d_head,) at the positions of `pair`, computed in three ways.

    (R_m q)^T (R_n k) = q^T R_m^T R_n k = q^T R_(n - m) k. Raises ValueError for a vector of another
    width than two coordinates to a frequency.
    """

    pair: PositionPair
    query: tuple[float, ...]
    key: tuple[float, ...]

    def __post_init__(self) -> None:
        width = 2 * len(self.pair.frequencies)
        for name, vector in (("query", self.query), ("key", self.key)):
            if finite(name, vector, n_axes=1).size != width:
                raise ValueError(f"{name} must have {width} coordinates, got {len(vector)}")

    @cached_property
    def rotated_query(self) -> Floats:
        """R_m q; shape (d_head,)."""
        return sealed(rotate(self.query, self.pair.m, self.pair.frequencies))

    @cached_property
    def rotated_key(self) -> Floats:
        """R_n k; shape (d_head,)."""
        return sealed(rotate(self.key, self.pair.n, self.pair.frequencies))

    @cached_property
    def query_pairs(self) -> Floats:
        """The pairs of q before its rotation; shape (d_head/2, 2)."""
        return sealed(np.reshape(self.query, (-1, 2)).astype(float))

    @cached_property
    def key_pairs(self) -> Floats:
        """The pairs of k before its rotation; shape (d_head/2, 2)."""
        return sealed(np.reshape(self.key, (-1, 2)).astype(float))

    @cached_property
    def rotated_query_pairs(self) -> Floats:
        """The pairs of R_m q; shape (d_head/2, 2)."""
        return sealed(self.rotated_query.reshape(-1, 2))

    @cached_property
    def rotated_key_pairs(self) -> Floats:
        """The pairs of R_n k; shape (d_head/2, 2)."""
        return sealed(self.rotated_key.reshape(-1, 2))

    @cached_property
    def key_by_offset(self) -> Floats:
        """R_(n - m) k, the key rotated by the signed offset alone; shape (d_head,)."""
        return sealed(rotate(self.key, self.pair.offset, self.pair.frequencies))

    @cached_property
    def key_pairs_by_offset(self) -> Floats:
        """The pairs of R_(n - m) k; shape (d_head/2, 2)."""
        return sealed(self.key_by_offset.reshape(-1, 2))

    @cached_property
    def query_lengths(self) -> Floats:
        """The length of every pair of q; shape (d_head/2,)."""
        return sealed(np.linalg.norm(self.query_pairs, axis=-1))

    @cached_property
    def key_lengths(self) -> Floats:
        """The length of every pair of k; shape (d_head/2,)."""
        return sealed(np.linalg.norm(self.key_pairs, axis=-1))

    @cached_property
    def pair_angles(self) -> Floats:
        """The angle from every pair of R_m q to that of R_n k, in (-pi, pi]; shape (d_head/2,).

        It is 0 where one of the two pairs has length 0.
        """
        (a, b), (c, d) = self.rotated_query_pairs.T, self.rotated_key_pairs.T
        return sealed(np.arctan2(a * d - b * c, a * c + b * d))

    @cached_property
    def terms(self) -> Floats:
        """What every pair adds to the score, the product of the rotated pairs; (d_head/2,)."""
        return sealed((self.rotated_query_pairs * self.rotated_key_pairs).sum(axis=-1))

    @property
    def n_decimals(self) -> Count:
        """The fewest decimals, 2 to 4, at which the terms as written add up to the score."""
        return decimals_that_add_up(self.terms, self.rotated_both)

    @property
    def terms_difference(self) -> Difference:
        """The difference between the sum of the terms and the score, which is rounding alone."""
        return abs(float(self.terms.sum()) - self.rotated_both)

    @property
    def rotated_both(self) -> Score:
        """The score with query and key rotated by their own positions, (R_m q)^T (R_n k)."""
        return float(self.rotated_query @ self.rotated_key)

    @property
    def rotated_between(self) -> Score:
        """The score with both rotation matrices between the vectors, q^T R_m^T R_n k."""
        return float(np.array(self.query) @ self.pair.product @ np.array(self.key))

    @property
    def rotated_once(self) -> Score:
        """The score with the key rotated by the signed offset alone, q^T R_(n - m) k."""
        return float(np.array(self.query) @ self.key_by_offset)

    @property
    def unrotated(self) -> Score:
        """The score of the two vectors without any rotation."""
        return float(np.array(self.query) @ np.array(self.key))

    @property
    def largest_disagreement(self) -> Difference:
        """The largest difference between the three ways, which is rounding alone."""
        ways = (self.rotated_both, self.rotated_between, self.rotated_once)
        return max(ways) - min(ways)

    # The same two vectors at other positions, fractional ones too

    def at(self, m: int, n: int) -> RotatedDotProduct:
        """The same query and key at other whole positions."""
        return RotatedDotProduct(PositionPair(m, n, self.pair.frequencies), self.query, self.key)

    def along(self, query_positions: ArrayLike, key_positions: ArrayLike) -> PairSeries:
        """The two at every step of a series: (S,) and (S,), or one number for all steps."""
        queries, keys = np.broadcast_arrays(
            np.atleast_1d(finite("query_positions", query_positions)),
            np.atleast_1d(finite("key_positions", key_positions)),
        )
        return PairSeries(self.query, self.key, self.pair.frequencies, queries, keys)

    def drag(self, far_m: float, far_n: float, shares: ArrayLike) -> PairSeries:
        """Both on the way to (far_m, far_n), at the given shares (S,) of it, 0 to 1."""
        way = finite("shares", shares, n_axes=1)  # (S,)
        m, n = self.pair.m, self.pair.n
        to_m, to_n = real("far_m", far_m), real("far_n", far_n)
        return self.along(m + way * (to_m - m), n + way * (to_n - n))
