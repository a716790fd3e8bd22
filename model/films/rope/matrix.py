"""One vector at one position: its pairs of coordinates, rotated one by one and by the matrix.

Source: Chris Wendler's RoPE transformer, section 2 (rotation matrix at position m).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, finite, sealed, sealed_ints, whole
from clockhead.model.rope.rotation import checked_frequencies, rope_phases, rotate, rotation_matrix
from clockhead.model.units import Count, Difference, Doc, Length, Position

SEEN = 0.01
"""A change of a number that is seen in two decimals."""


@dataclass(frozen=True)
class RotatedVector:
    """`vector` at position `m` of a head with the given `frequencies` in radians per position.

    Pair i is (vector[2i], vector[2i + 1]); `token` says whose vector it is.
    Raises ValueError unless m is a whole number of at least 0, the frequencies are above 0, and
    there are two coordinates to a frequency.
    """

    vector: tuple[float, ...]
    m: Annotated[Position, Doc("position of the vector")]
    frequencies: tuple[float, ...]
    token: Annotated[str, Doc("token whose vector it is, empty if none")] = ""

    def __post_init__(self) -> None:
        whole("m", self.m, at_least=0)
        width = 2 * len(checked_frequencies(self.frequencies))
        if finite("vector", self.vector, n_axes=1).size != width:
            raise ValueError(
                f"vector must have {width} coordinates, two to a frequency, got {len(self.vector)}"
            )

    @cached_property
    def pairs(self) -> Floats:
        """The pairs before the rotation, as points; shape (d_head/2, 2)."""
        return sealed(np.reshape(self.vector, (-1, 2)))

    @cached_property
    def origins(self) -> Floats:
        """The points that the pairs are rotated about, all (0, 0); shape (d_head/2, 2)."""
        return sealed(np.zeros_like(self.pairs))

    @cached_property
    def lengths(self) -> Floats:
        """Distance of each pair from the origin, which rotation keeps; shape (d_head/2,)."""
        return sealed(np.hypot(self.pairs[:, 0], self.pairs[:, 1]))

    @cached_property
    def start_angles(self) -> Floats:
        """Angle of each pair before the rotation, in (-pi, pi]; shape (d_head/2,)."""
        return sealed(np.arctan2(self.pairs[:, 1], self.pairs[:, 0]))

    @cached_property
    def phases(self) -> Floats:
        """How far position m rotates each pair, in radians, not reduced; shape (d_head/2,)."""
        return sealed(rope_phases(self.m, self.frequencies))

    @cached_property
    def rotated(self) -> Floats:
        """R_m v, pair by pair; shape (d_head,)."""
        return sealed(rotate(self.vector, self.m, self.frequencies))

    @cached_property
    def rotated_pairs(self) -> Floats:
        """The pairs at position m, as points; shape (d_head/2, 2)."""
        return sealed(self.rotated.reshape(-1, 2))

    @cached_property
    def degrees(self) -> Floats:
        """How far position m rotates each pair, in degrees, not reduced; shape (d_head/2,)."""
        return sealed(np.rad2deg(self.phases))

    @property
    def largest_number_change(self) -> Difference:
        """By how much the rotation changes a number of the vector at most."""
        return float(np.abs(self.rotated - np.array(self.vector)).max())

    @property
    def rotation_is_seen(self) -> bool:
        """Whether the rotation changes a number of the vector by more than a hundredth."""
        return self.largest_number_change > SEEN

    @property
    def largest_length_change(self) -> Difference:
        """By how much the rotation changes the length of a pair at most, which is rounding."""
        rotated = np.linalg.norm(self.rotated_pairs, axis=-1)  # (d_head/2,)
        return float(np.abs(rotated - self.lengths).max())

    @property
    def n_pairs(self) -> Count:
        """How many pairs the vector has."""
        return len(self.frequencies)

    @property
    def rotates_apart(self) -> bool:
        """Whether every pair is rotated by another angle, to a tenth of a degree."""
        return len(set(np.round(self.degrees, 1))) == self.n_pairs

    def pairs_at(self, positions: ArrayLike) -> Floats:
        """The pairs at any positions, fractional ones too: (...) to (..., d_head/2, 2)."""
        rotated = rotate(self.vector, positions, self.frequencies)  # (..., d_head)
        return rotated.reshape(*rotated.shape[:-1], -1, 2)

    @cached_property
    def matrix(self) -> Floats:
        """R_m, a 2 x 2 block per pair on the diagonal; shape (d_head, d_head)."""
        return sealed(rotation_matrix(self.m, self.frequencies))

    @cached_property
    def blocks(self) -> Floats:
        """The 2 x 2 blocks of R_m, one per pair; shape (d_head/2, 2, 2)."""
        first = np.arange(0, len(self.vector), 2)  # (d_head/2,) of each pair
        both = first[:, None] + [0, 1]  # (d_head/2, 2)
        return sealed(self.matrix[both[:, :, None], both[:, None, :]])

    @cached_property
    def product(self) -> Floats:
        """R_m v, the matrix times the vector; shape (d_head,). Equals `rotated`."""
        return sealed(self.matrix @ np.array(self.vector))

    @property
    def norm(self) -> Length:
        """The length of the vector before the rotation."""
        return float(np.linalg.norm(self.vector))

    @property
    def rotated_norm(self) -> Length:
        """The length of the vector after the rotation."""
        return float(np.linalg.norm(self.product))

    @property
    def norm_change(self) -> Difference:
        """The difference of the lengths before and after, which is rounding alone."""
        return abs(self.rotated_norm - self.norm)

    @property
    def largest_difference(self) -> Difference:
        """The largest difference between rotating pair by pair and by the matrix."""
        return float(np.max(np.abs(self.product - self.rotated)))

    @cached_property
    def blocks_away(self) -> Ints:
        """How many blocks every entry of the matrix lies off the diagonal; (d_head, d_head)."""
        pair = np.arange(len(self.vector)) // 2  # (d_head,)
        return sealed_ints(np.abs(pair[:, None] - pair))

    @property
    def off_blocks(self) -> Floats:
        """The entries of the matrix off its blocks, all exactly 0; (d_head (d_head - 2),)."""
        return np.asarray(self.matrix[self.blocks_away > 0])

    @property
    def n_zeros(self) -> Count:
        """How many entries the matrix has off its blocks."""
        return self.off_blocks.size
