"""The sinusoidal demo embedding, whose token vectors form an ellipse in a plane.

Source: Chris Wendler's RoPE transformer, section 1. The source promises every token a unique vector
with its own frequency pattern. In fact all tokens have the same frequency and differ only in phase,
and the matrix has rank 2 at every width. The vector of n is minus that of a, and a 27th token has
the same vector as a.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, check_array, check_int
from clockhead.model.tokens import token_indices

PHASE_STEP = math.pi / 13  # radians between neighbouring tokens
COLUMN_STEP = 0.1  # radians between neighbouring coordinates
AMPLITUDE = 0.5
_ROUNDING = 1e-12  # rounding error, as a fraction of a vector's largest coordinate


def token_phases(indices: Sequence[int] | Ints) -> Floats:
    """The phase of every token, index * pi/13 radians: (T,) to (T,)."""
    return np.asarray(token_indices(indices) * PHASE_STEP)


def ring_points(indices: Sequence[int] | Ints) -> Floats:
    """(sin phase, cos phase) of every token, on the unit circle: (T,) to (T, 2).

    The demo embedding is `ring_points` times a (2, d_model) basis, at every width.
    """
    angles = token_phases(indices)  # (T,)
    return np.stack([np.sin(angles), np.cos(angles)], axis=1)


def demo_embedding(indices: Sequence[int] | Ints, d_model: int) -> Floats:
    """E[i, j] = 0.5 sin(i pi/13 + 0.1 j) for the tokens given: (T,) to (T, d_model)."""
    columns = np.arange(check_int("d_model", d_model, at_least=1)) * COLUMN_STEP  # (d_model,)
    return np.asarray(AMPLITUDE * np.sin(token_phases(indices)[:, None] + columns))


def cosine_similarity(vectors: ArrayLike) -> Floats:
    """Cosine similarity of every pair of rows: (V, d) to (V, V). ValueError for a zero row."""
    rows = check_array("vectors", vectors, n_axes=2)  # (V, d)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)  # (V, 1)
    if not norms.all():
        raise ValueError(f"vectors must not be zero, got a zero row {int(np.argmin(norms))}")
    units = rows / norms  # (V, d)
    return np.asarray(np.clip(units @ units.T, -1, 1))


def opposite_pairs(vectors: ArrayLike) -> Ints:
    """Pairs of rows that are each other's negative, up to rounding: (V, d) to (P, 2).

    The earlier row comes first. A row of zeros has no opposite.
    """
    rows = check_array("vectors", vectors, n_axes=2)  # (V, d)
    sums = np.abs(rows[:, None] + rows).max(axis=-1)  # (V, V)
    largest = np.abs(rows).max(axis=-1)  # (V,)
    opposite = (sums <= _ROUNDING * largest[:, None]) & (largest > 0)[:, None]  # (V, V)
    return np.argwhere(np.triu(opposite, 1))
