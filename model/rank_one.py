"""The rank-1 head: every score is a product of two numbers, so rows peak in at most two columns.

Source: Chris Wendler's RoPE transformer, section 4: W_q = u_q v_q^T and W_k = u_k v_k^T, hence the
score (u_q u_k)(v_q x_m)(v_k x_n). The text has it that v_q = v_k lets identical tokens find each
other. In truth row m is a multiple of the one row v_k x: it peaks where v_k x is largest, or, if
its own factor is negative, smallest. At most two tokens of any vocabulary find themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from model.arrays import Bools, Floats, Ints, finite, real, sealed, sealed_ints, whole
from model.head import HeadPass, rank_one_head
from model.units import Doc


@dataclass(frozen=True, eq=False)
class RankOneHead:
    """Scores between all tokens of a vocabulary with `vectors` (V, d), read along v_q and v_k (d,).

    `gain` is u_q u_k, the one number that the broadcasting vectors amount to.
    Raises ValueError for directions of another width.
    """

    vectors: ArrayLike
    v_q: ArrayLike
    v_k: ArrayLike
    gain: Annotated[float, Doc("product of the two broadcasting vectors, u_q u_k")] = 1.0

    def __post_init__(self) -> None:
        width = finite("vectors", self.vectors, n_axes=2).shape[1]
        real("gain", self.gain)
        for name, direction in (("v_q", self.v_q), ("v_k", self.v_k)):
            if finite(name, direction, n_axes=1).size != width:
                raise ValueError(f"{name} must have {width} coordinates, got {np.size(direction)}")

    @cached_property
    def query_projections(self) -> Floats:
        """v_q x, the one number that a query keeps of its token; shape (V,)."""
        return sealed(np.asarray(self.vectors) @ np.asarray(self.v_q))

    @cached_property
    def key_projections(self) -> Floats:
        """v_k x, the one number that a key keeps of its token; shape (V,)."""
        return sealed(np.asarray(self.vectors) @ np.asarray(self.v_k))

    @cached_property
    def head(self) -> HeadPass:
        """The head with W_QK = gain v_q v_k^T, every token against all tokens, without a mask."""
        head = rank_one_head(self.v_q, self.v_k, self.gain, mask="none")
        return head.on(self.vectors)

    @property
    def scores(self) -> Floats:
        """gain (v_q x_m)(v_k x_n), of rank 1; shape (V, V)."""
        return self.head.scores

    @property
    def pattern(self) -> Floats:
        """Softmax of the scores, every token against all tokens; shape (V, V)."""
        return self.head.pattern

    @cached_property
    def looks_at(self) -> Ints:
        """The column in which each row peaks, the first of equals; shape (V,)."""
        return sealed_ints(self.scores.argmax(axis=1))

    @property
    def peaks(self) -> tuple[int, ...]:
        """The different columns in which rows peak: one, two, or all tied in a row of zeros."""
        return tuple(int(column) for column in np.unique(self.looks_at))

    @cached_property
    def self_matches(self) -> Ints:
        """The tokens whose score with themselves is above all others; shape (0 to 2,)."""
        return sealed_ints(np.flatnonzero(strict_self_matches(self.scores)))


def strict_self_matches(scores: ArrayLike) -> Bools:
    """Whether each row of `scores` (..., V, V) has its largest entry on the diagonal, and alone.

    Shape (..., V). With a single token the diagonal is all there is, and counts.
    """
    table = finite("scores", scores)  # (..., V, V)
    if table.ndim < 2 or table.shape[-1] != table.shape[-2]:
        raise ValueError(f"scores must have shape (..., V, V), got {table.shape}")
    own = np.diagonal(table, axis1=-2, axis2=-1)  # (..., V)
    others = np.where(np.eye(table.shape[-1], dtype=np.bool_), -np.inf, table)  # (..., V, V)
    return np.asarray(own > others.max(axis=-1))


def self_match_counts(vectors: ArrayLike, v_q: ArrayLike, v_k: ArrayLike) -> Ints:
    """How many tokens find themselves, for many directions at once: at most 2 each.

    `vectors` (V, d), `v_q` and `v_k` (N, d); shape (N,). Needs no table of V x V: a token with a
    positive factor finds itself if its key projection is the one maximum, with a negative factor
    if it is the one minimum.
    """
    rows = finite("vectors", vectors, n_axes=2)  # (V, d)
    factors = finite("v_q", v_q, n_axes=2) @ rows.T  # (N, V)
    readings = finite("v_k", v_k, n_axes=2) @ rows.T  # (N, V)
    ends = np.sort(readings, axis=1)  # (N, V)
    if len(rows) == 1:
        return np.ones(len(factors), dtype=np.int64)
    top = (readings == ends[:, -1:]) & (ends[:, -1:] > ends[:, -2:-1])  # (N, V)
    bottom = (readings == ends[:, :1]) & (ends[:, :1] < ends[:, 1:2])  # (N, V)
    found = (top & (factors > 0)) | (bottom & (factors < 0))  # (N, V)
    return np.asarray(found.sum(axis=1))


def random_self_matches(vectors: ArrayLike, n_directions: int, seed: int) -> Ints:
    """In how many of random pairs of directions k tokens find themselves, k = 0 to V; (V + 1,).

    `vectors` (V, d); v_q and v_k are drawn apart from each other, normally distributed.
    """
    rows = finite("vectors", vectors, n_axes=2)  # (V, d)
    count = whole("n_directions", n_directions, at_least=1)
    v_q, v_k = np.random.default_rng(seed).normal(size=(2, count, rows.shape[1]))  # (N, d) each
    found = self_match_counts(rows, v_q, v_k)  # (N,)
    return np.bincount(found, minlength=len(rows) + 1)
