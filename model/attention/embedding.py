"""The sinusoidal demo embedding, whose tokens lie on an ellipse in two dimensions.

Source: Chris Wendler's RoPE transformer, section 1. The text promises a unique vector with its own
frequency pattern for every token; in truth all share one frequency, only the phase differs, and
the matrix has rank 2 at every width. Letter n is minus letter a, and a 27th token is a again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, finite, sealed, whole
from clockhead.model.tokens import token_indices
from clockhead.model.units import Coordinates, Count, Doc, Tokens

PHASE_STEP = math.pi / 13  # radians between neighbouring tokens
COLUMN_STEP = 0.1  # radians between neighbouring coordinates
AMPLITUDE = 0.5
_ROUNDING = 1e-12  # of the largest coordinate of a vector


def token_phases(indices: Sequence[int] | Ints) -> Floats:
    """The phase of every token, index * pi/13 radians: (T,) to (T,)."""
    return np.asarray(token_indices(indices) * PHASE_STEP)


def demo_embedding(indices: Sequence[int] | Ints, d_model: int) -> Floats:
    """E[i, j] = 0.5 sin(i pi/13 + 0.1 j) for the tokens given: (T,) to (T, d_model)."""
    columns = np.arange(whole("d_model", d_model, at_least=1)) * COLUMN_STEP  # (d_model,)
    return np.asarray(AMPLITUDE * np.sin(token_phases(indices)[:, None] + columns))


def cosine_similarity(vectors: ArrayLike) -> Floats:
    """Cosine of the angle between every two rows: (V, d) to (V, V). ValueError for a zero row."""
    rows = finite("vectors", vectors, n_axes=2)  # (V, d)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)  # (V, 1)
    if not norms.all():
        raise ValueError(f"vectors must not be zero, got a zero row {int(np.argmin(norms))}")
    units = rows / norms  # (V, d)
    return np.asarray(np.clip(units @ units.T, -1, 1))


def distances(vectors: ArrayLike) -> Floats:
    """Euclidean distance between every two rows: (V, d) to (V, V)."""
    rows = finite("vectors", vectors, n_axes=2)  # (V, d)
    return np.asarray(np.linalg.norm(rows[:, None] - rows, axis=-1))


def opposite_pairs(vectors: ArrayLike) -> Ints:
    """The pairs of rows that are each other's negative, but for rounding: (V, d) to (P, 2).

    The earlier row first; a row of zeros has no opposite.
    """
    rows = finite("vectors", vectors, n_axes=2)  # (V, d)
    sums = np.abs(rows[:, None] + rows).max(axis=-1)  # (V, V)
    largest = np.abs(rows).max(axis=-1)  # (V,)
    opposite = (sums <= _ROUNDING * largest[:, None]) & (largest > 0)[:, None]  # (V, V)
    return np.argwhere(np.triu(opposite, 1))


@dataclass(frozen=True)
class DemoEmbedding:
    """The demo embedding of tokens 0 .. n_vocab - 1 at width d_model, taken apart.

    Raises ValueError unless both are whole numbers of at least 1.
    """

    n_vocab: Annotated[Tokens, Doc("how many tokens there are")] = 26
    d_model: Annotated[Coordinates, Doc("width of the embedding")] = 32

    def __post_init__(self) -> None:
        whole("n_vocab", self.n_vocab, at_least=1)
        whole("d_model", self.d_model, at_least=1)

    @cached_property
    def matrix(self) -> Floats:
        """E, one row per token; shape (V, d_model)."""
        return sealed(demo_embedding(np.arange(self.n_vocab), self.d_model))

    @cached_property
    def codes(self) -> Floats:
        """(sin phase, cos phase) of every token, a point on the unit circle; shape (V, 2)."""
        angle = token_phases(np.arange(self.n_vocab))  # (V,)
        return sealed(np.stack([np.sin(angle), np.cos(angle)], axis=1))

    @cached_property
    def basis(self) -> Floats:
        """The two rows that every token is mixed from, E = codes @ basis; shape (2, d_model)."""
        column = np.arange(self.d_model) * COLUMN_STEP  # (d_model,)
        return sealed(AMPLITUDE * np.stack([np.cos(column), np.sin(column)]))

    @cached_property
    def singular_values(self) -> Floats:
        """Singular values of E, largest first; shape (min(V, d_model),)."""
        return sealed(np.asarray(np.linalg.svd(self.matrix, compute_uv=False), float))

    @property
    def rank(self) -> Count:
        """How many singular values are not rounding: 2, or 1 for a single token or column."""
        return int((self.singular_values > 1e-10 * self.singular_values[0]).sum())

    @property
    def condition(self) -> float:
        """Length over width of the ellipse, s1 / s2. ValueError where the rank is 1."""
        if self.rank < 2:
            raise ValueError(
                f"condition needs n_vocab and d_model of at least 2, "
                f"got {self.n_vocab} and {self.d_model}"
            )
        return float(self.singular_values[0] / self.singular_values[1])

    @cached_property
    def plane(self) -> Floats:
        """Coordinates of the tokens along the two leading singular directions; shape (V, 2).

        Distances in this plane are the distances of the embedding. The sign of a direction is
        free: the token furthest along it is made positive.
        """
        left, values, _ = np.linalg.svd(self.matrix, full_matrices=False)
        points = np.zeros((self.n_vocab, 2))  # (V, 2)
        kept = min(2, values.size)
        points[:, :kept] = left[:, :kept] * values[:kept]
        furthest = np.take_along_axis(points, np.abs(points).argmax(axis=0)[None], axis=0)  # (1, 2)
        return sealed(np.where(furthest < 0, -points, points))

    @cached_property
    def norms(self) -> Floats:
        """Length of every row; shape (V,)."""
        return sealed(np.linalg.norm(self.matrix, axis=1))

    @cached_property
    def similarity(self) -> Floats:
        """Cosine between every two tokens; shape (V, V)."""
        return sealed(cosine_similarity(self.matrix))

    @cached_property
    def distance(self) -> Floats:
        """Distance between every two tokens; shape (V, V)."""
        return sealed(distances(self.matrix))

    @property
    def nearest_pair(self) -> tuple[int, int]:
        """The two different tokens of largest cosine, the earlier first; ValueError for one."""
        if self.n_vocab < 2:
            raise ValueError("nearest_pair needs n_vocab of at least 2, got 1")
        rivals = np.where(np.tri(self.n_vocab, dtype=np.bool_), -np.inf, self.similarity)  # (V, V)
        first, second = np.unravel_index(np.argmax(rivals), rivals.shape)
        return int(first), int(second)
