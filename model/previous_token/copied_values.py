"""What a previous-token head hands on when the value of a token is its one-hot vector.

Source: Chris Wendler's RoPE transformer, section 3: every position receives the token before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from clockhead.model.arrays import Floats, Ints, sealed, sealed_ints
from clockhead.model.previous_token.head import PreviousTokenHead
from clockhead.model.tokens import Vocabulary, named, one_hot
from clockhead.model.units import Position, Share


@dataclass(frozen=True)
class CopiedValues:
    """The tokens of a text, each with what `head` brings it of the others.

    Raises ValueError unless there are as many tokens as the head has positions.
    """

    head: PreviousTokenHead
    tokens: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.tokens) != self.head.n_tokens:
            raise ValueError(
                f"tokens must be {self.head.n_tokens}, one for each position, "
                f"got {len(self.tokens)}"
            )

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The different tokens of the text, in order of first appearance."""
        return Vocabulary.of(self.tokens)

    @cached_property
    def indices(self) -> Ints:
        """The place of every token in the vocabulary; shape (T,)."""
        return sealed_ints(self.vocabulary.encode(self.tokens))

    @cached_property
    def received(self) -> Floats:
        """The share of every token of the vocabulary in what each position gets; shape (T, V)."""
        return sealed(self.head.head_out(one_hot(self.indices, len(self.vocabulary))))

    @cached_property
    def sources(self) -> Ints:
        """The position whose token is wanted: look_back before it, or its own; shape (T,)."""
        back = self.head.positions - self.head.look_back  # (T,)
        return sealed_ints(np.where(back < 0, self.head.positions, back))

    @property
    def wanted(self) -> tuple[str, ...]:
        """The token that each position is to get: the one before it, or its own; T of them."""
        return tuple(self.tokens[n] for n in self.sources.tolist())

    @cached_property
    def shares(self) -> Floats:
        """The share of the wanted token, wherever it stands, in what each gets; shape (T,)."""
        return sealed(self.received[self.head.positions, self.indices[self.sources]])

    @property
    def worst_share(self) -> Share:
        """The smallest share of the wanted token in a row with a target. ValueError without one."""
        return float(self.shares[self.worst_share_row])

    @property
    def worst_share_row(self) -> Position:
        """The row of the smallest share, the first of equals. ValueError without a target."""
        rows = self.head.target_rows  # (R,)
        if not rows.size:
            raise ValueError(
                f"head must have a row with a target, got {self.head.n_tokens} tokens "
                f"and look_back {self.head.look_back}"
            )
        return int(rows[self.shares[rows].argmin()])

    def shares_of(self, token: str) -> Floats:
        """The share of one token in what each position gets; shape (T,).

        Raises ValueError for a token that the text does not have.
        """
        return self.received[:, self.vocabulary.encode([token])[0]]

    def named(self, n: int) -> str:
        """The token at n in quotes, with its position if the text has it more than once."""
        return named(self.tokens, n)
