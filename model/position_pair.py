"""A query and a key at two positions: their clock hands, and what is left between them.

Source: Chris Wendler's RoPE transformer, section 2, R_m^T R_n = R_(n - m). The text says that
scores depend on the distance alone; it is the signed offset n - m, and the vectors count as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from model.arrays import Floats, sealed, whole
from model.constant_key import constant_key
from model.rope import FULL_TURN, composed, hand_angles, rotate, rotation_matrix, speeds


@dataclass(frozen=True)
class PositionPair:
    """The hands of a query at position `m` and a key at `n`, of speeds `thetas`.

    Raises ValueError unless m and n are whole numbers of at least 0 and the speeds are above 0.
    """

    m: int
    n: int
    thetas: tuple[float, ...]

    def __post_init__(self) -> None:
        whole("m", self.m, at_least=0)
        whole("n", self.n, at_least=0)
        speeds(self.thetas)

    @property
    def offset(self) -> int:
        """The signed offset n - m, negative where the key stands before the query."""
        return self.n - self.m

    @cached_property
    def query_angles(self) -> Floats:
        """Where the hands of position m stand, in [0, 2 pi); shape (d_head/2,)."""
        return sealed(hand_angles(self.m, self.thetas))

    @cached_property
    def key_angles(self) -> Floats:
        """Where the hands of position n stand, in [0, 2 pi); shape (d_head/2,)."""
        return sealed(hand_angles(self.n, self.thetas))

    @cached_property
    def difference_angles(self) -> Floats:
        """Key hand minus query hand, in (-pi, pi]; shape (d_head/2,).

        Taken from the two clocks, not from the offset: that it is the same for every pair of one
        offset is what there is to see.
        """
        apart = np.mod(self.key_angles - self.query_angles, FULL_TURN)  # (d_head/2,)
        return sealed(np.where(apart > FULL_TURN / 2, apart - FULL_TURN, apart))

    @cached_property
    def product(self) -> Floats:
        """R_m^T R_n multiplied out: back by m, then on by n; shape (d_head, d_head)."""
        return sealed(composed(self.m, self.n, self.thetas))

    @cached_property
    def single_turn(self) -> Floats:
        """R_(n - m), one turn by the signed offset; shape (d_head, d_head)."""
        return sealed(rotation_matrix(self.offset, self.thetas))

    @property
    def largest_difference(self) -> float:
        """The largest |entry| of `product` minus `single_turn`: rounding, and nothing else."""
        return float(np.max(np.abs(self.product - self.single_turn)))

    def score(self, query: ArrayLike | None = None, key: ArrayLike | None = None) -> float:
        """(R_m query)^T (R_n key); both (d_head,), by default (1, 0, 1, 0, ...).

        With the defaults it is the kernel f(n - m), at most d_head/2.
        """
        same = constant_key(2 * len(self.thetas))  # (d_head,)
        turned_query = rotate(same if query is None else query, self.m, self.thetas)  # (d_head,)
        turned_key = rotate(same if key is None else key, self.n, self.thetas)  # (d_head,)
        return float(turned_query @ turned_key)
