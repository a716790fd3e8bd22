"""The linear probe w that comes closest to reading 1 from the vector of every token.

There are two measures of the best w: least squares, and the smallest worst error max_i |E w - 1|.
The second is 1, as bad as with w = 0, as soon as two tokens have opposite vectors, because their
readings are opposite as well. The demo embedding has such a pair from 14 letters on.
Source: Chris Wendler's RoPE transformer, section 3, which takes a constant W_k x for granted.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Values, check_array
from clockhead.model.attention.embedding import opposite_pairs
from clockhead.model.units import Difference, Doc

_CUTOFF = 1e-10
"""Singular values below this fraction of the largest are rounding errors."""

_SLACK = 1e-9
"""How far a solution may exceed its bound because of rounding."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LinearProbe(Values):
    """A linear probe w, whose reading of every token should be 1."""

    direction: Annotated[Floats, Doc("w; (d_model,)")]
    readings: Annotated[
        Floats,
        Doc("E w, all 1 for a perfect probe; the keys of W_k = c w^T are these times c; (V,)"),
    ]
    residual: Annotated[
        Difference,
        Doc("largest error of a reading, 0 for a perfect probe and 1 for one that reads only 0"),
    ]
    reads_nothing: Annotated[bool, Doc("whether every reading is 0 up to rounding")]


def _probe(rows: Floats, direction: Floats) -> LinearProbe:
    readings = rows @ direction
    return LinearProbe(
        direction=direction,
        readings=readings,
        residual=float(np.abs(readings - 1).max()),
        reads_nothing=bool(np.abs(readings).max() < _SLACK),
    )


def best_linear_probe(embedding: ArrayLike) -> LinearProbe:
    """The least-squares probe for the rows of `embedding` (V, d_model).

    Raises ValueError for an embedding without rows or columns.
    """
    rows = _rows(embedding)  # (V, d_model)
    # The cutoff drops singular values that are rounding errors: the demo embedding has rank 2.
    solution = np.linalg.lstsq(rows, np.ones(len(rows)), rcond=_CUTOFF)[0]
    direction = np.asarray(solution, dtype=float)  # (d_model,)
    return _probe(rows, direction)


def best_worst_case_probe(embedding: ArrayLike) -> LinearProbe:
    """The probe with the smallest worst error, min over w of max_i |E w - 1|.

    For rows p_i of rank 2, the dual of this linear program is max |sum l_i| over weights with
    sum l_i p_i = 0 and sum |l_i| = 1. The maximum is attained by three points, and the weight of
    each is the cross product of the other two. At these points the error equals the bound, with the
    sign of l. If two rows are opposite, the error is 1 at any rank. Raises ValueError for an
    embedding without rows or columns, and for a rank above 2 unless the rows are independent, where
    the error is 0.
    """
    rows = _rows(embedding)  # (V, d_model)
    if len(opposite_pairs(rows)):
        # w x = -w (-x): one of the two errors is at least 1, and w = 0 has error 1 for all rows.
        return _probe(rows, np.zeros(rows.shape[1]))
    left, values, right = np.linalg.svd(rows, full_matrices=False)
    rank = int((values > _CUTOFF * values[0]).sum())
    if rank == len(rows):
        return best_linear_probe(rows)
    if rank > 2:
        raise ValueError(f"embedding must have rank at most 2 or independent rows, got rank {rank}")
    points = np.zeros((len(rows), 2))  # (V, 2)
    points[:, :rank] = left[:, :rank] * values[:rank]
    in_plane = _minimax_point(points)  # (2,)
    direction = np.asarray(in_plane[:rank] @ right[:rank])  # (d_model,)
    return _probe(rows, direction)


def _minimax_point(points: Floats) -> Floats:
    """The u (2,) with the smallest max_i |p_i u - 1| for dependent points (V, 2)."""
    groups, weights = _dependencies(points)  # (G, k) each
    sums, sizes = weights.sum(axis=1), np.abs(weights).sum(axis=1)  # (G,) each
    used = sizes > _CUTOFF * np.abs(points).max() ** (weights.shape[1] - 1)  # (G,)
    bounds = np.where(used, np.abs(sums) / np.where(used, sizes, 1.0), 0.0)  # (G,)
    best = np.zeros(2)
    for place in np.argsort(-bounds, kind="stable"):
        active = np.abs(weights[place]) > _CUTOFF * sizes[place]  # (k,)
        signs = np.sign(weights[place][active]) * np.sign(sums[place])  # (k,) or fewer
        wanted = 1 - bounds[place] * signs
        best = np.linalg.lstsq(points[groups[place][active]], wanted, rcond=_CUTOFF)[0]
        if np.abs(points @ best - 1).max() <= bounds[place] + _SLACK:
            break
    return best


def _dependencies(points: Floats) -> tuple[np.ndarray, Floats]:
    """All triples (pairs if the points are on a line), and their weights l with sum l_i p_i = 0.

    Shape (G, k) each, with k = 3 or 2.
    """
    if not points[:, 1].any():
        pairs = np.array(list(itertools.combinations(range(len(points)), 2)))  # (G, 2)
        x = points[pairs, 0]  # (G, 2)
        return pairs, np.stack([x[:, 1], -x[:, 0]], axis=1)
    triples = np.array(list(itertools.combinations(range(len(points)), 3)))  # (G, 3)
    p, q, r = (points[triples[:, k]] for k in range(3))  # (G, 2) each
    return triples, np.stack([_cross(q, r), _cross(r, p), _cross(p, q)], axis=1)


def _cross(a: Floats, b: Floats) -> Floats:
    return np.asarray(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])


def _rows(embedding: ArrayLike) -> Floats:
    rows = check_array("embedding", embedding, n_axes=2)  # (V, d_model)
    if rows.size == 0:
        raise ValueError(f"embedding must have a row per token, got shape {rows.shape}")
    return rows
