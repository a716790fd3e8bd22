"""What a text itself says about its next token, counted without any head.

Induction continues A B ... A with B. Source: Chris Wendler's RoPE transformer, section 4, which
leaves open what several different followers give (their shares) and none (the shares of all tokens
so far, where the text speaks of unigram statistics).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal

import numpy as np

from clockhead.model.arrays import Floats, Ints, sealed, sealed_ints, whole
from clockhead.model.tokens import Vocabulary
from clockhead.model.units import Count, Doc, Position, Positions

Case = Literal["unique", "several", "none"]


@dataclass(frozen=True)
class Continuation:
    """The last of `tokens`, all from `vocabulary`, where it stood before, and what followed.

    `look_back` is how far after an earlier occurrence the target stands: 2 is the token two after.
    Raises ValueError for no token, one outside the vocabulary, or look_back below 1.
    """

    tokens: tuple[str, ...]
    vocabulary: Vocabulary
    look_back: Annotated[Positions, Doc("how far after an occurrence the target stands")] = 1

    def __post_init__(self) -> None:
        if not self.tokens:
            raise ValueError("tokens must hold at least one token, got none")
        whole("look_back", self.look_back, at_least=1)
        _ = self.indices

    @cached_property
    def indices(self) -> Ints:
        """The place of every token in the vocabulary; shape (T,)."""
        return sealed_ints(self.vocabulary.encode(self.tokens))

    @property
    def query_token(self) -> str:
        """The last token, whose continuation is asked for."""
        return self.tokens[-1]

    @cached_property
    def earlier(self) -> Ints:
        """The positions before the last that hold the same token; shape (0 to T - 1,)."""
        return sealed_ints(np.flatnonzero(self.indices[:-1] == self.indices[-1]))

    @cached_property
    def followers(self) -> Ints:
        """The positions `look_back` after those, where the target stands; at most T - 1."""
        places = self.earlier + self.look_back  # (0 to T - 1,)
        return sealed_ints(places[places < len(self.tokens)])

    @property
    def followed_by(self) -> tuple[str, ...]:
        """The different tokens at those positions, in order of first appearance."""
        return tuple(dict.fromkeys(self.tokens[place] for place in self.followers))

    @property
    def case(self) -> Case:
        """Whether one token, several different ones or none followed the query before."""
        different = len(self.followed_by)
        return "none" if not different else "unique" if different == 1 else "several"

    @property
    def n_earlier(self) -> Count:
        """How often the query stood before."""
        return len(self.earlier)

    @property
    def n_followers(self) -> Count:
        """How often a token followed the query before."""
        return len(self.followers)

    @property
    def n_followed_by(self) -> Count:
        """How many different tokens followed the query before."""
        return len(self.followed_by)

    @property
    def says_more_than_copying(self) -> bool:
        """Whether a token other than the query followed it before.

        If not, to continue the text and to repeat its last token are the same, or there is nothing
        to continue.
        """
        return any(token != self.query_token for token in self.followed_by)

    @property
    def other_follower(self) -> Position:
        """The first position after the query that holds another token.

        Raises ValueError if there is none.
        """
        if not self.says_more_than_copying:
            raise ValueError(
                f"tokens must hold another token after an earlier {self.query_token!r}, "
                f"got {self.tokens}"
            )
        places = self.followers[self.indices[self.followers] != self.indices[-1]]  # (1 to T - 2,)
        return int(places[0])

    @property
    def stores_itself(self) -> bool:
        """Whether the first token is the query: it has none before it, and so is noted as its own.

        A head whose first position notes itself then matches there too. BOS in front keeps it from
        doing so.
        """
        return len(self.tokens) > 1 and self.tokens[0] == self.tokens[-1]

    @cached_property
    def expected(self) -> Floats:
        """The shares of the followers, or of all tokens so far if there is none.

        Shape (V,), sums to 1.
        """
        places = self.followers if self.followers.size else np.arange(len(self.tokens))
        counts = np.bincount(self.indices[places], minlength=len(self.vocabulary))  # (V,)
        return sealed(counts / len(places))

    @cached_property
    def best(self) -> tuple[str, ...]:
        """The tokens with the largest expected share: one, or several that tie."""
        winners = np.flatnonzero(self.expected == self.expected.max())
        return tuple(self.vocabulary.tokens[index] for index in winners)
