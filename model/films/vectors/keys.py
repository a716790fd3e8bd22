"""Tokens as arrows that are compared with each other, and what it does if one of them grows.

Source: Dan Wilhelm, LLM Foundations, appendix B: by the cosine each embedding fits itself best; by
the dot product many fit a longer one better. Here all arrows have length 1 but for the one that
grows: at length L it is the best match of each token at an angle a with L cos a > 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Bools, Floats, Ints, sealed, sealed_ints
from clockhead.model.units import Count, Doc, Length, Place

_STEPS = 61
_ROUNDING = 1e-9
"""By how much a dot product has to be larger than another, so that rounding decides nothing."""


@dataclass(frozen=True)
class TokenMatches:
    """Tokens as arrows of length 1 in a plane, one of which grows.

    Raises:
        ValueError: when two tokens are one, or point the same way.
    """

    tokens: Annotated[tuple[str, ...], Doc("the tokens; the last one grows")]
    angles: Annotated[tuple[int, ...], Doc("the direction of each in whole degrees")]
    length: Annotated[Length, Doc("how long the last one becomes")]

    def __post_init__(self) -> None:
        if len(set(self.tokens)) < len(self.tokens):
            raise ValueError(f"tokens must be different, got {' '.join(self.tokens)}")
        if len({angle % 360 for angle in self.angles}) < len(self.angles):
            raise ValueError("angles must be different, or two tokens would be alike")

    @property
    def grower(self) -> Place:
        """The token that grows."""
        return len(self.tokens) - 1

    @property
    def grown_token(self) -> str:
        """The token that grows, as it is written."""
        return self.tokens[-1]

    @cached_property
    def directions(self) -> Floats:
        """The arrows at length 1; shape (T, 2)."""
        turns = np.radians(self.angles)
        return sealed(np.stack([np.cos(turns), np.sin(turns)], axis=1))

    @cached_property
    def lengths(self) -> Floats:
        """How long the last one is at every step; shape (S,)."""
        return sealed(np.linspace(1.0, self.length, _STEPS))

    @cached_property
    def points(self) -> Floats:
        """The tips of all arrows at every step, in a plane of space; shape (S, T, 3)."""
        tips = np.repeat(np.pad(self.directions, ((0, 0), (0, 1)))[None], _STEPS, axis=0)
        tips[:, -1] *= self.lengths[:, None]
        return sealed(tips)

    @cached_property
    def dots(self) -> Floats:
        """Dot products of each token with each, at every step; shape (S, T, T)."""
        return sealed(self.points @ self.points.transpose(0, 2, 1))

    @cached_property
    def cosines(self) -> Floats:
        """Cosines of each token with each, whatever their lengths; shape (T, T)."""
        return sealed(self.directions @ self.directions.T)

    @cached_property
    def best(self) -> Ints:
        """Which token fits each best by the dot product, at every step; shape (S, T)."""
        own = np.arange(len(self.tokens))
        return sealed_ints(np.where(self._taken, self.grower, own))

    @cached_property
    def shrunk_points(self) -> Floats:
        """The tips while the last one shrinks again; shape (S, T, 3)."""
        return sealed(self.points[::-1])

    @cached_property
    def shrunk_dots(self) -> Floats:
        """Dot products meanwhile; shape (S, T, T)."""
        return sealed(self.dots[::-1])

    @cached_property
    def shrunk_best(self) -> Ints:
        """Which token fits each best meanwhile; shape (S, T)."""
        return sealed_ints(self.best[::-1])

    @property
    def taken(self) -> tuple[int, ...]:
        """The tokens which the longer arrow fits better than they fit themselves."""
        return tuple(int(k) for k in np.flatnonzero(self._taken[-1]))

    @property
    def n_taken(self) -> Count:
        """How many tokens the longer arrow fits better than they fit themselves."""
        return len(self.taken)

    @property
    def next_taken(self) -> Place:
        """Of the others, the one that the arrow that grows points closest to, of equals the first.

        It is the first whose best match it becomes.
        """
        return int(self.cosines[:-1, -1].argmax())

    @property
    def least_length(self) -> Length:
        """How long the last arrow is when it fits another token as well as this fits itself.

        Infinity if it is at a right angle to all others, or farther.
        """
        cosine = float(self.cosines[self.next_taken, -1])
        return 1 / cosine if cosine > _ROUNDING else float("inf")

    @property
    def n_taken_by_cosine(self) -> Count:
        """How many tokens another fits better than they fit themselves by the cosine, none."""
        return int((self.cosines > np.diag(self.cosines)[:, None] + _ROUNDING).any(axis=1).sum())

    @cached_property
    def room(self) -> Floats:
        """Corners of a floor for all arrows at all lengths, and a height of 1; shape (5, 3)."""
        tips = np.vstack([self.points[-1], self.points[0], np.zeros((1, 3))])
        low, high = np.minimum(tips.min(axis=0), -1.0), np.maximum(tips.max(axis=0), 1.0)
        (left, front, _), (right, back, _) = low, high
        floor = [[left, front, 0], [right, front, 0], [right, back, 0], [left, back, 0]]
        return sealed(np.array([*floor, [0, 0, 1]], dtype=np.float64))

    @cached_property
    def _taken(self) -> Bools:
        """At every step, whether the last arrow fits a token better than itself; shape (S, T)."""
        others = np.arange(len(self.tokens)) != self.grower
        return np.asarray((self.lengths[:, None] * self.cosines[:, -1] > 1 + _ROUNDING) & others)
