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

from model.arrays import Floats, finite, sealed, whole
from model.constant_key import constant_key
from model.rope import (
    FULL_TURN,
    checked_frequencies,
    composed_rotation,
    rotate,
    rotation_matrix,
    wrapped_phases,
)
from model.units import Difference, Doc, Position, Score, SignedPositions


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
        key = rotate(self.key, self.pair.offset, self.pair.frequencies)  # (d_head,)
        return float(np.array(self.query) @ key)

    @property
    def unrotated(self) -> Score:
        """The score of the two vectors without any rotation."""
        return float(np.array(self.query) @ np.array(self.key))

    @property
    def largest_disagreement(self) -> Difference:
        """The largest difference between the three ways, which is rounding alone."""
        ways = (self.rotated_both, self.rotated_between, self.rotated_once)
        return max(ways) - min(ways)
