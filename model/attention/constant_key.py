"""A key that is the same for every token, and why no linear map makes one.

Source: Chris Wendler's RoPE transformer, section 3: W_k x = c = (1, 0, 1, 0, ...) for all x.
A linear map sends 0 to 0, so it cannot be constant. It can read a constant: either a coordinate
that is 1 in every residual vector, as here, or a direction w with E w = 1 for all tokens (see
`model.attention.linear_probe`), which the demo embedding of 26 letters does not have.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, even, finite, real, sealed, sealed_ints, whole
from clockhead.model.attention.embedding import demo_embedding, opposite_pairs
from clockhead.model.attention.linear_probe import (
    LinearReader,
    best_linear_reader,
    best_worst_case_reader,
)
from clockhead.model.rope.rotation import (
    BASE,
    checked_frequencies,
    rope_frequencies,
    rope_phases,
    rotate,
)
from clockhead.model.tokens import token_indices
from clockhead.model.units import Coordinates, Count, Difference, Doc, Tokens


def constant_key(d_head: int) -> Floats:
    """c = (1, 0, 1, 0, ..., 1, 0): every pair of coordinates at angle 0; shape (d_head,)."""
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


def query_weights(
    w_k: ArrayLike, alpha: float, frequencies: ArrayLike, look_back: int = 1
) -> Floats:
    """W_q = alpha R_(-look_back) W_k (section 3, the boxed equation); the shape of `w_k`."""
    keys = finite("w_k", w_k, n_axes=2)  # (d_head, d_model + 1)
    steps = whole("look_back", look_back, at_least=0)
    rotated = rotate(keys.T, -steps, checked_frequencies(frequencies)).T  # (d_head, d_model + 1)
    return real("alpha", alpha, above=0) * rotated


@dataclass(frozen=True)
class TextKeys:
    """The keys of a text: by the best linear map, and by one that reads a constant coordinate.

    `indices` are the tokens' places in a vocabulary of `n_vocab` with the demo embedding of width
    `d_model`. Raises ValueError for an index outside the vocabulary or an odd d_head.
    """

    indices: tuple[int, ...]
    n_vocab: Annotated[Tokens, Doc("how many tokens the vocabulary has")] = 26
    d_model: Annotated[Coordinates, Doc("width of the embedding")] = 32
    d_head: Annotated[Coordinates, Doc("width of queries and keys")] = 32
    base: Annotated[float, Doc("base of the schedule; 1 makes all frequencies equal")] = BASE

    def __post_init__(self) -> None:
        token_indices(self.indices, below=whole("n_vocab", self.n_vocab, at_least=1))
        even("d_head", self.d_head)

    @cached_property
    def vectors(self) -> Floats:
        """The tokens' vectors, without the constant; shape (T, d_model)."""
        return sealed(demo_embedding(self.indices, self.d_model))

    @cached_property
    def embedding(self) -> Floats:
        """The vectors of the whole vocabulary, without the constant; shape (V, d_model)."""
        return sealed(demo_embedding(np.arange(self.n_vocab), self.d_model))

    @cached_property
    def reader(self) -> LinearReader:
        """The w without a constant that is best in least squares, for the whole vocabulary."""
        return best_linear_reader(self.embedding)

    @cached_property
    def worst_case_reader(self) -> LinearReader:
        """The w without a constant whose worst error is smallest, for the whole vocabulary."""
        return best_worst_case_reader(self.embedding)

    @cached_property
    def opposite_pairs(self) -> Ints:
        """Tokens of the vocabulary whose vectors are opposite, the earlier first; shape (P, 2)."""
        return sealed_ints(opposite_pairs(self.embedding))

    @property
    def n_opposite_pairs(self) -> Count:
        """How many pairs of the vocabulary have opposite vectors."""
        return len(self.opposite_pairs)

    @cached_property
    def opposite_positions(self) -> Ints:
        """Positions of the text whose vectors are opposite, the earlier first; shape (P, 2)."""
        return sealed_ints(opposite_pairs(self.vectors))

    @property
    def has_opposites(self) -> bool:
        """Whether two tokens of the text have opposite vectors."""
        return bool(len(self.opposite_positions))

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
        """W_k x with the constant coordinate, before its rotation by position; (T, d_head)."""
        weights = key_weights(self.d_head, self.d_model)  # (d_head, d_model + 1)
        return sealed(with_constant(self.vectors) @ weights.T)

    @cached_property
    def key_pairs(self) -> Floats:
        """The pairs of the keys before their rotation, (1, 0) each; shape (T, d_head/2, 2)."""
        return sealed(self.keys.reshape(len(self.indices), -1, 2))

    @cached_property
    def rotated_key_pairs(self) -> Floats:
        """The pairs of the keys rotated by their positions; shape (T, d_head/2, 2)."""
        return sealed(self.rotated_keys.reshape(len(self.indices), -1, 2))

    @property
    def error(self) -> Difference:
        """The largest distance of a coordinate of the keys from the constant key."""
        return float(np.abs(self.keys - constant_key(self.d_head)).max())

    @cached_property
    def frequencies(self) -> Floats:
        """Rotation of every pair from one position to the next, in radians; shape (d_head/2,)."""
        return sealed(rope_frequencies(self.d_head, self.base))

    @cached_property
    def degrees(self) -> Floats:
        """Rotation of every pair from one position to the next, in degrees; shape (d_head/2,)."""
        return sealed(np.rad2deg(self.frequencies))

    @cached_property
    def phases(self) -> Floats:
        """How far position n rotates every pair, in radians, not reduced; shape (T, d_head/2)."""
        return sealed(rope_phases(np.arange(len(self.indices)), self.frequencies))

    @cached_property
    def rotated_keys(self) -> Floats:
        """k_n = R_n W_k x_n; shape (T, d_head)."""
        return sealed(rotate(self.keys, np.arange(len(self.indices)), self.frequencies))
