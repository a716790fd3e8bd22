"""A key that is the same for every token, and why no linear map makes one.

Source: Chris Wendler's RoPE transformer, section 3: W_k x = c = (1, 0, 1, 0, ...) for all x.
A linear map sends 0 to 0, so it cannot be constant. It can read a constant: either a coordinate
that is 1 in every residual vector, as here, or a direction w with E w = 1 for all tokens, which
one-hot vectors have and the demo embedding of 26 letters does not (its best w is 0).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from model.arrays import Floats, even, finite, real, sealed, whole
from model.embedding import demo_embedding
from model.rope import BASE, frequencies, rotate, speeds, turns
from model.tokens import token_indices


def constant_key(d_head: int) -> Floats:
    """c = (1, 0, 1, 0, ..., 1, 0): every clock hand at angle 0; shape (d_head,)."""
    return np.tile([1.0, 0.0], even("d_head", d_head) // 2)  # (d_head,)


def with_constant(vectors: ArrayLike) -> Floats:
    """The vectors with a last coordinate of 1 added: (T, d_model) to (T, d_model + 1)."""
    rows = finite("vectors", vectors, n_axes=2)  # (T, d_model)
    return np.concatenate([rows, np.ones((len(rows), 1))], axis=1)  # (T, d_model + 1)


def key_weights(d_head: int, d_model: int) -> Floats:
    """W_k = c e_last^T, of rank 1: reads only the constant coordinate.

    Shape (d_head, d_model + 1). W_k @ x is c for every x that `with_constant` made.
    """
    weights = np.zeros((even("d_head", d_head), whole("d_model", d_model, at_least=0) + 1))
    weights[:, -1] = constant_key(d_head)  # (d_head,)
    return weights


def query_weights(w_k: ArrayLike, alpha: float, theta: ArrayLike, look_back: int = 1) -> Floats:
    """W_q = alpha R_(-look_back) W_k (section 3, the boxed equation); the shape of `w_k`."""
    keys = finite("w_k", w_k, n_axes=2)  # (d_head, d_model + 1)
    steps = whole("look_back", look_back, at_least=0)
    return real("alpha", alpha, above=0) * rotate(keys.T, -steps, speeds(theta)).T


@dataclass(frozen=True, eq=False)
class LinearReader:
    """The direction w that comes closest, in least squares, to reading 1 from every token.

    `direction` (d_model,) is w; `readings` (V,) is E w, all 1 if the reader succeeds;
    `residual` is the largest |E w - 1|: 0 for a perfect reader, 1 for one that reads nothing.
    The keys a linear W_k = c w^T would give are `readings` times c.
    """

    direction: Floats
    readings: Floats
    residual: float


def best_linear_reader(embedding: ArrayLike) -> LinearReader:
    """Without a constant coordinate: the best w for the rows of `embedding` (V, d_model)."""
    rows = finite("embedding", embedding, n_axes=2)  # (V, d_model)
    if rows.size == 0:
        raise ValueError(f"embedding must have a row per token, got shape {rows.shape}")
    # The cutoff drops singular values that are rounding: the demo embedding has rank 2.
    solution = np.linalg.lstsq(rows, np.ones(len(rows)), rcond=1e-10)[0]
    direction = np.asarray(solution, dtype=float)  # (d_model,)
    readings = rows @ direction  # (V,)
    return LinearReader(direction, readings, float(np.abs(readings - 1).max()))


@dataclass(frozen=True)
class TextKeys:
    """The keys of a text: by the best linear map, and by one that reads a constant coordinate.

    `indices` are the tokens' places in a vocabulary of `n_vocab` with the demo embedding of width
    `d_model`. Raises ValueError for an index outside the vocabulary or an odd d_head.
    """

    indices: tuple[int, ...]
    n_vocab: int = 26
    d_model: int = 32
    d_head: int = 32
    base: float = BASE

    def __post_init__(self) -> None:
        token_indices(self.indices, below=whole("n_vocab", self.n_vocab, at_least=1))
        even("d_head", self.d_head)

    @cached_property
    def vectors(self) -> Floats:
        """The tokens' vectors, without the constant; shape (T, d_model)."""
        return sealed(demo_embedding(self.indices, self.d_model))

    @cached_property
    def reader(self) -> LinearReader:
        """The best w without a constant, for the whole vocabulary."""
        return best_linear_reader(demo_embedding(np.arange(self.n_vocab), self.d_model))

    @cached_property
    def linear_readings(self) -> Floats:
        """w x for the tokens of the text, 0 where it is rounding; shape (T,). All should be 1."""
        readings = self.reader.readings[list(self.indices)]  # (T,)
        return sealed(np.where(np.abs(readings) < 1e-12, 0.0, readings))

    @cached_property
    def linear_keys(self) -> Floats:
        """The keys that the best linear map gives, `linear_readings` times c; (T, d_head)."""
        return sealed(self.linear_readings[:, None] * constant_key(self.d_head))

    @cached_property
    def keys(self) -> Floats:
        """W_k x with the constant coordinate, before position turns it; shape (T, d_head)."""
        weights = key_weights(self.d_head, self.d_model)  # (d_head, d_model + 1)
        return sealed(with_constant(self.vectors) @ weights.T)

    @property
    def error(self) -> float:
        """The largest distance of a coordinate of `keys` from c: exactly 0."""
        return float(np.abs(self.keys - constant_key(self.d_head)).max())

    @cached_property
    def theta(self) -> Floats:
        """Speed of every clock hand in radians per position; shape (d_head/2,)."""
        return sealed(frequencies(self.d_head, self.base))

    @cached_property
    def turned(self) -> Floats:
        """How far position n has turned every hand, in radians, not reduced; (T, d_head/2)."""
        return sealed(turns(np.arange(len(self.indices)), self.theta))

    @cached_property
    def turned_keys(self) -> Floats:
        """k_n = R_n W_k x_n; shape (T, d_head)."""
        return sealed(rotate(self.keys, np.arange(len(self.indices)), self.theta))
