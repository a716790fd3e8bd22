"""A linear map that turns over the letters: what it reads of a letter and of the opposite one.

Source: Chris Wendler's RoPE transformer, section 3, which takes a constant W_k x for granted. The
vectors of the demo embedding lie on a ring in a plane, opposite letters face to face, so whatever a
linear map reads of one is minus what it reads of the other. One more coordinate, 1 for every
letter, lifts the ring off its plane, and that height can be read alike from all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, sealed, sealed_ints, whole
from clockhead.model.attention.constant_key import TextKeys, with_constant
from clockhead.model.attention.embedding import DemoEmbedding, cosine_similarity
from clockhead.model.rope.rotation import FULL_TURN
from clockhead.model.tokens import LETTERS
from clockhead.model.units import Cosine, Count, Difference, Doc, Position

STEPS = 120
"""Stops of the map on its turn, 3 degrees apart."""


@dataclass(frozen=True)
class TurningReader:
    """The vectors of `keys` in their plane, and the readings of the letter of the token at `m`.

    Raises ValueError for another vocabulary than that of 26 letters, which alone gives every vector
    its opposite, and unless `m` is a position of the text.
    """

    keys: TextKeys
    m: Annotated[Position, Doc("position of the token whose letter is the hero")] = 0

    def __post_init__(self) -> None:
        if self.keys.n_vocab != len(LETTERS):
            raise ValueError(
                f"n_vocab must be {len(LETTERS)}, so that every vector has its opposite, "
                f"got {self.keys.n_vocab}"
            )
        last = len(self.keys.indices) - 1
        if whole("m", self.m, at_least=0) > last:
            raise ValueError(f"m must be a position of the text, 0 to {last}, got {self.m}")

    @property
    def hero(self) -> int:
        """Place of the hero's letter in the alphabet, from 0."""
        return int(self.keys.indices[self.m])

    @property
    def opposite(self) -> int:
        """Place of the opposite letter in the alphabet, half of it further on."""
        return (self.hero + len(LETTERS) // 2) % len(LETTERS)

    @property
    def opposite_sum(self) -> Difference:
        """The largest coordinate of the sum of the two letters' vectors, 0 but for rounding."""
        rows = self.keys.embedding  # (26, d_model)
        return float(np.abs(rows[self.hero] + rows[self.opposite]).max())

    @cached_property
    def opposite_positions(self) -> Ints:
        """The positions of the text whose token has the opposite letter's vector; (0 or more,)."""
        return sealed_ints(np.flatnonzero(np.equal(self.keys.indices, self.opposite)))

    @property
    def opposite_is_in_text(self) -> bool:
        """Whether a token of the text has the opposite letter's vector."""
        return bool(self.opposite_positions.size)

    # The ring in its plane

    @cached_property
    def plane(self) -> Floats:
        """The letters in their plane, in coordinates in which the ring is round; shape (26, 2).

        They are mixed from two vectors, and these are how much of each; their lengths are 1. What a
        linear map reads of the vectors, another one reads of these, and the other way round.
        """
        return sealed(DemoEmbedding(self.keys.n_vocab, self.keys.d_model).codes.copy())

    @cached_property
    def flat(self) -> Floats:
        """The plane with height 0; shape (26, 3)."""
        return sealed(np.column_stack([self.plane, np.zeros(len(self.plane))]))

    @property
    def n_points(self) -> Count:
        """How many different points the tokens of the text have."""
        return len(set(self.keys.indices))

    @property
    def rank(self) -> Count:
        """How many directions the letters' vectors need, those of the plane."""
        return DemoEmbedding(self.keys.n_vocab, self.keys.d_model).rank

    @property
    def cosine(self) -> Cosine:
        """Cosine of the angle between the two letters' vectors, -1 for opposite ones."""
        rows = self.keys.embedding[[self.hero, self.opposite]]  # (2, d_model)
        return float(cosine_similarity(rows)[0, 1])

    # A map that turns once round the ring, from the hero on

    @cached_property
    def maps(self) -> Floats:
        """The map as a vector of length 1 in the plane, height 0; shape (S, 3)."""
        x, y = self.plane[self.hero]
        angles = np.arctan2(x, y) + np.linspace(0, FULL_TURN, STEPS + 1)  # (S,)
        return sealed(np.stack([np.sin(angles), np.cos(angles), 0 * angles], axis=1))

    @cached_property
    def readings(self) -> Floats:
        """What it reads of the hero and of the opposite, which is minus that; shape (S, 2)."""
        return sealed(self.maps @ self._pair.T)

    @cached_property
    def read_pairs(self) -> Floats:
        """The first pair of the keys that it makes of the two, a reading times c; (S, 2, 2)."""
        return sealed(np.stack([self.readings, 0 * self.readings], axis=-1))

    # Lifted by a constant coordinate

    @cached_property
    def lifted(self) -> Floats:
        """The plane with the constant coordinate 1 as its height; shape (26, 3)."""
        return sealed(with_constant(self.plane))

    @cached_property
    def height_map(self) -> Floats:
        """The map that reads the height alone, as a vector; shape (3,)."""
        return sealed(np.array([0.0, 0.0, 1.0]))

    @cached_property
    def heights(self) -> Floats:
        """What that map reads of every letter, 1; shape (26,)."""
        return sealed(self.lifted @ self.height_map)

    @cached_property
    def height_pairs(self) -> Floats:
        """The first pair of the keys that it makes of hero and opposite; shape (2, 2)."""
        read = self.heights[[self.hero, self.opposite]]  # (2,)
        return sealed(np.stack([read, 0 * read], axis=1))

    @property
    def _pair(self) -> Floats:
        """The hero and its opposite in the plane, height 0; shape (2, 3)."""
        return self.flat[[self.hero, self.opposite]]
