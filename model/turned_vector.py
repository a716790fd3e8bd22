"""One vector at one position: its pairs as clock hands, turned by hand and by the matrix.

Source: Chris Wendler's RoPE transformer, section 2 (rotation matrix at position m).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from model.arrays import Floats, finite, sealed, whole
from model.rope import rotate, rotation_matrix, speeds, turns


@dataclass(frozen=True)
class TurnedVector:
    """`vector` at position `m` of a head whose hands have speeds `thetas`.

    Hand i is the pair (vector[2i], vector[2i + 1]); `token` says whose vector it is.
    Raises ValueError unless m is a whole number of at least 0, the speeds are above 0, and there
    are two coordinates to a speed.
    """

    vector: tuple[float, ...]
    m: int
    thetas: tuple[float, ...]
    token: str = ""

    def __post_init__(self) -> None:
        whole("m", self.m, at_least=0)
        width = 2 * len(speeds(self.thetas))
        if finite("vector", self.vector, n_axes=1).size != width:
            raise ValueError(
                f"vector must have {width} coordinates, two to a hand, got {len(self.vector)}"
            )

    @cached_property
    def pairs(self) -> Floats:
        """The hands before they turn, as points; shape (d_head/2, 2)."""
        return sealed(np.reshape(self.vector, (-1, 2)))

    @cached_property
    def lengths(self) -> Floats:
        """How long each hand is; shape (d_head/2,)."""
        return sealed(np.hypot(self.pairs[:, 0], self.pairs[:, 1]))

    @cached_property
    def start_angles(self) -> Floats:
        """Where each hand stands at position 0, in (-pi, pi]; shape (d_head/2,)."""
        return sealed(np.arctan2(self.pairs[:, 1], self.pairs[:, 0]))

    @cached_property
    def turns(self) -> Floats:
        """How far each hand turns from position 0 to m, not reduced; shape (d_head/2,)."""
        return sealed(turns(self.m, self.thetas))

    @cached_property
    def turned(self) -> Floats:
        """R_m v, hand by hand; shape (d_head,)."""
        return sealed(rotate(self.vector, self.m, self.thetas))

    @cached_property
    def turned_pairs(self) -> Floats:
        """The hands at position m, as points; shape (d_head/2, 2)."""
        return sealed(self.turned.reshape(-1, 2))

    @cached_property
    def pairs_along(self) -> Floats:
        """The hands at every position from 0 to m; shape (m + 1, d_head/2, 2)."""
        positions = np.arange(self.m + 1)  # (m + 1,)
        return sealed(rotate(self.vector, positions, self.thetas).reshape(self.m + 1, -1, 2))

    @cached_property
    def turns_along(self) -> Floats:
        """How far each hand has turned at every position from 0 to m; shape (m + 1, d_head/2)."""
        return sealed(turns(np.arange(self.m + 1), self.thetas))

    @cached_property
    def matrix(self) -> Floats:
        """R_m, a 2 x 2 block per hand on the diagonal; shape (d_head, d_head)."""
        return sealed(rotation_matrix(self.m, self.thetas))

    @cached_property
    def product(self) -> Floats:
        """R_m v, the matrix times the vector; shape (d_head,). The same as `turned`."""
        return sealed(self.matrix @ np.array(self.vector))

    @property
    def norm(self) -> float:
        """The length of the vector before it is turned."""
        return float(np.linalg.norm(self.vector))

    @property
    def turned_norm(self) -> float:
        """The length of the matrix product: that of the vector, but for rounding."""
        return float(np.linalg.norm(self.product))

    @property
    def off_blocks(self) -> Floats:
        """The entries of the matrix off its blocks, all exactly 0; (d_head (d_head - 2),)."""
        hand = np.arange(len(self.vector)) // 2  # (d_head,)
        return np.asarray(self.matrix[hand[:, None] != hand])
