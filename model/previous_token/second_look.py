"""A token is typed a second time: which notes of a previous-token head hold it, and what they say.

Source: Chris Wendler's RoPE transformer, sections 3 and 5. After the head every token carries the
one before it; who looks for the typed token among these notes finds what followed it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, sealed, sealed_ints
from clockhead.model.previous_token.copied_values import CopiedValues
from clockhead.model.previous_token.head import PreviousTokenHead
from clockhead.model.previous_token.look_back import Line
from clockhead.model.rope.rotation import BASE, rope_phases
from clockhead.model.tokens import Vocabulary, named
from clockhead.model.units import Coordinates, Count, Doc, Position, ScoreScale, Share

MAJORITY = 0.5
"""A note is held to say a token that has more than this share of it."""


@dataclass(frozen=True)
class SecondLook:
    """A text of `tokens` with one of them typed once more, and a head over all T + 1.

    Raises ValueError for fewer than 2 tokens, and for settings that the head refuses.
    """

    tokens: tuple[str, ...]
    d_head: Annotated[Coordinates, Doc("width of queries and keys")] = 32
    alpha: Annotated[ScoreScale, Doc("scale of the scores")] = 10.0
    base: Annotated[float, Doc("base of the schedule; 1 makes all frequencies equal")] = BASE

    def __post_init__(self) -> None:
        if len(self.tokens) < 2:
            raise ValueError(f"tokens must be 2 or more, got {len(self.tokens)}")
        _ = self.head

    # The riddle

    @cached_property
    def source(self) -> Position:
        """The position of the token that is typed again.

        The first strictly inside the text whose token occurs once, else the first inside, else 0.
        """
        inner = self._indices[1:-1]  # (T - 2,)
        if not inner.size:
            return 0
        return 1 + int((np.bincount(self._indices)[inner] == 1).argmax())

    @property
    def typed(self) -> str:
        """The token that is typed again."""
        return self.tokens[self.source]

    @property
    def follower(self) -> str:
        """The token after the source."""
        return self.tokens[self.source + 1]

    @cached_property
    def earlier(self) -> Ints:
        """The positions of the typed token that another token of the text follows; (E,), E > 0."""
        alike = self._indices[:-1] == self._indices[self.source]  # (T - 1,)
        return sealed_ints(np.flatnonzero(alike))

    @property
    def n_earlier(self) -> Count:
        """How often the text has the typed token followed by another."""
        return len(self.earlier)

    @property
    def n_before(self) -> Count:
        """How often the text has the typed token before it is typed again, its end included."""
        return self.tokens.count(self.typed)

    @cached_property
    def continuations(self) -> tuple[str, ...]:
        """The different tokens that follow the typed one in the text, in order."""
        return tuple(dict.fromkeys(self._tokens_at(self.earlier + 1)))

    @property
    def has_one_continuation(self) -> bool:
        """Whether the typed token is followed by the same token wherever it stands."""
        return len(self.continuations) == 1

    # The notes

    @cached_property
    def text(self) -> tuple[str, ...]:
        """The tokens with the typed one at the end; T + 1 of them."""
        return (*self.tokens, self.typed)

    @cached_property
    def head(self) -> PreviousTokenHead:
        """The previous-token head over all T + 1 positions."""
        return PreviousTokenHead(len(self.tokens) + 1, self.d_head, self.alpha, self.base)

    @cached_property
    def copied(self) -> CopiedValues:
        """What the head brings to all T + 1 positions."""
        return CopiedValues(self.head, self.text)

    @property
    def received(self) -> Floats:
        """The share of every token of the vocabulary in each note; shape (T + 1, V)."""
        return self.copied.received

    @cached_property
    def key_phases(self) -> Floats:
        """How far position n turns each pair of its key, not reduced; shape (T + 1, d_head/2)."""
        return sealed(rope_phases(self.head.positions, self.head.frequencies))

    @cached_property
    def query_phases(self) -> Floats:
        """How far each pair of query m is turned, one step less; shape (T + 1, d_head/2)."""
        looked = self.head.positions - self.head.look_back  # (T + 1,)
        return sealed(rope_phases(looked, self.head.frequencies))

    @property
    def line(self) -> Line:
        """Whether the head gives the token before 90 % or more, more than half, or neither."""
        return self.head.line

    @property
    def clear(self) -> bool:
        """Whether every note but the first is more than half the token before."""
        return self.line != "none"

    @property
    def can_be_trusted(self) -> bool:
        """Whether every note is more than half the token before, wherever that token stands."""
        return self.copied.worst_share > MAJORITY

    # The second look

    @cached_property
    def wears(self) -> Floats:
        """The share of the typed token in every note of the text, not in its own; shape (T,)."""
        return sealed(self.copied.shares_of(self.typed)[:-1].copy())

    @cached_property
    def found(self) -> Ints:
        """The positions whose note is more than half the typed token; shape (F,)."""
        return sealed_ints(np.flatnonzero(self.wears > MAJORITY))

    @cached_property
    def expected(self) -> Ints:
        """The positions after the typed token, and 0 if that is where it stands; shape (F',)."""
        after = self.earlier + 1  # (E,)
        starts = self._indices[0] == self._indices[self.source]
        return sealed_ints(np.concatenate([[0], after]) if starts else after)

    @property
    def finds_expected(self) -> bool:
        """Whether the notes that say the typed token are those where it should be."""
        return np.array_equal(self.found, self.expected)

    @property
    def n_found(self) -> Count:
        """How many notes are more than half the typed token."""
        return len(self.found)

    @property
    def first_is_found(self) -> bool:
        """Whether the first token is among them, which carries itself."""
        return bool(self.wears[0] > MAJORITY)

    @cached_property
    def found_after(self) -> Ints:
        """The positions found besides the first; shape (F,) or (F - 1,)."""
        return sealed_ints(self.found[self.found > 0])

    @property
    def n_found_after(self) -> Count:
        """How many positions are found besides the first."""
        return len(self.found_after)

    @property
    def found_tokens(self) -> tuple[str, ...]:
        """The token of every position that is found."""
        return self._tokens_at(self.found)

    @property
    def followers(self) -> tuple[str, ...]:
        """The different tokens that are found, in order, without the first that carries itself."""
        return tuple(dict.fromkeys(self._tokens_at(self.found_after)))

    @property
    def best_share(self) -> Share:
        """The largest share of the typed token in a note of the text."""
        return float(self.wears.max())

    @property
    def best_position(self) -> Position:
        """The position of the note with the largest share of it, the first of equals."""
        return int(self.wears.argmax())

    def named(self, n: int) -> str:
        """The token at n in quotes, with its position if the text has it more than once."""
        return named(self.tokens, n)

    @cached_property
    def _indices(self) -> Ints:
        """A number for every token, alike for equal ones; shape (T,)."""
        return Vocabulary.of(self.tokens).encode(self.tokens)

    def _tokens_at(self, positions: Ints) -> tuple[str, ...]:
        return tuple(self.tokens[n] for n in positions.tolist())
