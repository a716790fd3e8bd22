"""The first characters of a ciphertext on their way through the Caesar transformer.

Source: Dan Wilhelm, LLM Foundations, chapter 1. One-hot rows, equal attention to each, their mean,
which is a histogram with a bin for the space, and its products with the templates: the logits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Bools, Floats, Ints, sealed, sealed_ints, whole
from clockhead.model.caesar.cipher import N_TOKENS
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.caesar.transformer import CaesarTransformer
from clockhead.model.tokens import LETTERS_AND_SPACE, one_hot
from clockhead.model.units import Characters, Count, Doc

N_FIRST = 8
"""How many characters are followed if nobody says, or all of a shorter text."""


@dataclass(frozen=True)
class FirstCharacters:
    """The first `n` characters that `transformer` reads, one-hot.

    Raises ValueError unless 1 <= n <= T, and for a transformer whose tokens are not one-hot.
    """

    transformer: Annotated[CaesarTransformer, Doc("the transformer that reads them")]
    n: Annotated[Characters, Doc("how many characters there are so far")]

    def __post_init__(self) -> None:
        n_tokens = self.transformer.n_tokens
        if whole("n", self.n, at_least=1) > n_tokens:
            raise ValueError(f"n must be from 1 to {n_tokens}, the characters read, got {self.n}")
        if self.transformer.embedding is not None:
            raise ValueError(
                "transformer must have one-hot tokens (embedding None), got an embedding of shape "
                f"{np.shape(self.transformer.embedding)}"
            )

    @cached_property
    def tokens(self) -> Ints:
        """The characters as tokens, space = 26; shape (n,)."""
        return sealed_ints(np.array(self.transformer.tokens[: self.n], dtype=np.int64))

    @property
    def characters(self) -> tuple[str, ...]:
        """The characters themselves, " " for a space."""
        return tuple(LETTERS_AND_SPACE.tokens[token] for token in self.tokens)

    @cached_property
    def one_hot(self) -> Floats:
        """A row for each character with a single 1; shape (n, 27)."""
        return sealed(one_hot(self.tokens, N_TOKENS))

    @cached_property
    def attention(self) -> Floats:
        """What the last of them pays to each, 1 / n; shape (n,)."""
        return sealed(self.transformer.pattern[self.n - 1, : self.n].copy())

    @cached_property
    def occurrences(self) -> Ints:
        """How often each character came before; shape (n,)."""
        same = self.tokens[:, None] == self.tokens  # (n, n)
        return sealed_ints(np.tril(same, -1).sum(axis=1))

    @cached_property
    def marks(self) -> Floats:
        """The share of every token's k-th occurrence, 0 where there is none; shape (27, K).

        K is how often the most frequent of them comes.
        """
        shares = np.zeros((N_TOKENS, int(self.occurrences.max()) + 1))  # (27, K)
        shares[self.tokens, self.occurrences] = self.attention
        return sealed(shares)

    @cached_property
    def mean(self) -> Floats:
        """The mean of the one-hot rows, a histogram with a bin for the space; shape (27,)."""
        return sealed(self.marks.sum(axis=1))

    @property
    def unembed(self) -> Floats:
        """A column for each rotation, and a last row for the space; shape (27, 26)."""
        return self.transformer.classes

    @cached_property
    def templates(self) -> Floats:
        """The unembedding by rotation: a row for each, a last column for the space; (26, 27)."""
        return sealed(self.unembed.T.copy())

    @cached_property
    def logits(self) -> Floats:
        """A score for every rotation after these characters; shape (26,)."""
        return sealed(self.transformer.logits[self.n - 1].copy())

    @cached_property
    def leaders(self) -> Ints:
        """The rotations that share the largest of these scores, nearly always one; shape (k,)."""
        scores = self.transformer.exact_scores[self.n - 1]
        return sealed_ints(np.flatnonzero(scores == scores.max()))


@dataclass(frozen=True)
class Reading:
    """A ciphertext, the transformer that reads it, and its first characters."""

    cryptogram: Annotated[Cryptogram, Doc("the message and its rotation")]
    transformer: Annotated[CaesarTransformer, Doc("the transformer that reads the ciphertext")]
    first: Annotated[FirstCharacters, Doc("the first characters on their way through it")]

    @classmethod
    def of(cls, cryptogram: Cryptogram, n_first: int = N_FIRST) -> Reading:
        """The handmade transformer on a ciphertext; `n_first` of its characters, or all it has."""
        transformer = CaesarTransformer(cryptogram.tokens)
        first = FirstCharacters(transformer, min(n_first, transformer.n_tokens))
        return cls(cryptogram, transformer, first)

    @cached_property
    def is_right(self) -> Bools:
        """Whether the true rotation is predicted after every character; shape (T,)."""
        return self.transformer.is_right(self.cryptogram.rotation)

    @property
    def n_wrong(self) -> Count:
        """After how many characters another rotation than the true one is predicted."""
        return self.transformer.n_wrong(self.cryptogram.rotation)
