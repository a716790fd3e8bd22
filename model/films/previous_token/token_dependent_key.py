"""A text whose tokens leak into their keys more and more, until rows turn to other tokens.

Source: Chris Wendler's RoPE transformer, section 3 ("What if W_k depended on the token?").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, sealed
from clockhead.model.previous_token.head import PreviousTokenHead
from clockhead.model.previous_token.token_dependent_key import TokenDependentKeyHead
from clockhead.model.tokens import LETTERS, named, spread_over_vocabulary
from clockhead.model.units import Doc, Length, Pair, Score, Strength

_AROUND = (0.96, 1.04)
"""The strengths before and after the first loss at which the leak halts, as shares of it."""
_STEPS = 24
"""From one halt to the next."""


@dataclass(frozen=True)
class TokenLeak:
    """`torn` over `tokens`, and the way of its strength from 0 to its own.

    The way halts just before the first row loses its target, and just after.
    """

    tokens: tuple[str, ...]
    torn: Annotated[TokenDependentKeyHead, Doc("the head at the last strength")]

    @classmethod
    def into(cls, head: PreviousTokenHead, tokens: Sequence[str], strength: float) -> TokenLeak:
        """The tokens are vectors of the demo embedding, far from each other on its ring."""
        indices = spread_over_vocabulary(tokens, len(LETTERS))
        return cls(tuple(tokens), TokenDependentKeyHead(head, indices, strength))

    # The row that loses its target first

    @property
    def is_torn(self) -> bool:
        """Whether a row loses its target on the way to the strength."""
        return not self.torn.finds_target and self.torn.first_loss_at < self.torn.strength

    @property
    def asker(self) -> str:
        """The token whose row loses its target first, named. ValueError if none ever does."""
        return named(self.tokens, self.torn.first_loss_row)

    @property
    def target(self) -> str:
        """The token that it should look at, named. ValueError if no row ever loses its target."""
        return named(self.tokens, self.torn.first_loss_target)

    @property
    def rival(self) -> str:
        """The token to which it turns, named. ValueError if no row ever loses its target."""
        return named(self.tokens, self.torn.first_loss_rival)

    @cached_property
    def leads(self) -> Floats:
        """What position gives the target over the rival, and words the rival; shape (2,)."""
        return sealed(np.array([self.torn.position_lead, self.torn.token_lead]))

    @property
    def most_lead(self) -> Score:
        """The larger of the two leads. ValueError if no row ever loses its target."""
        return float(self.leads.max())

    # The way of the strength

    @property
    def halts(self) -> tuple[Strength, ...]:
        """The strengths at which the way halts: 0, before and after the first loss, the last."""
        last = self.torn.strength
        near, past = (min(share * self.torn.first_loss_at, last) for share in _AROUND)
        return 0.0, near, past, last

    @property
    def goes_on(self) -> bool:
        """Whether the way goes on after the first row has lost its target."""
        return self.is_torn and self.halts[2] < self.torn.strength

    @cached_property
    def strengths(self) -> Floats:
        """The strengths of the way, in equal steps from halt to halt; shape (S,)."""
        ways = [np.linspace(a, b, _STEPS, endpoint=False) for a, b in pairwise(self.halts)]
        return sealed(np.concatenate([*ways, [self.torn.strength]]))

    def between(self, start: int, end: int) -> slice:
        """Where in the way it goes from one halt to another, 0 to 3, forwards or backwards."""
        if start <= end:
            return slice(start * _STEPS, end * _STEPS + 1)
        return slice(start * _STEPS, end * _STEPS - 1 if end else None, -1)

    @cached_property
    def patterns(self) -> Floats:
        """The pattern at every strength; shape (S, T, T)."""
        return sealed(self.torn.patterns_over(self.strengths))

    @cached_property
    def looks_at(self) -> Floats:
        """The position that gets most of each row at every strength; shape (S, T)."""
        return sealed(self.patterns.argmax(axis=-1).astype(float))

    # One pair of coordinates of every key

    @property
    def telling_pair(self) -> Pair:
        """The pair in which the rival gains most; the most bent one if no row loses its target."""
        return self.torn.most_gaining_pair if self.is_torn else self.torn.most_bent_pair

    @cached_property
    def pairs(self) -> Floats:
        """That pair of every key before the rotation, at every strength; shape (S, T, 2)."""
        return sealed(self.torn.key_pairs_over(self.strengths)[:, :, self.telling_pair].copy())

    @property
    def longest(self) -> Length:
        """The length of the longest of them."""
        return float(np.linalg.norm(self.pairs, axis=-1).max())

    @cached_property
    def seen_turns(self) -> Floats:
        """How far that pair of each key is from that of the first query to lose, in radians; (T,).

        A query held upright sees unbent keys so. ValueError if no row ever loses its target.
        """
        head = self.torn.constant
        steps = head.positions - self.torn.first_loss_target  # (T,)
        return sealed(steps * head.frequencies[self.telling_pair])

    @cached_property
    def seen_pairs(self) -> Floats:
        """That pair of every key at the last strength, from that query held upright; (T, 2).

        The first number is what it adds to the score at alpha 1. ValueError as for `seen_turns`.
        """
        cos, sin = np.cos(self.seen_turns), np.sin(self.seen_turns)  # (T,)
        up, right = self.pairs[-1].T
        return sealed(np.stack([cos * up - sin * right, sin * up + cos * right], axis=1))

    @property
    def reaches(self) -> Floats:
        """How high these hands reach, what each adds to its score at alpha 1; shape (T,)."""
        return sealed(self.seen_pairs[:, 0].copy())
