"""A ciphertext read through random vectors, and how many dimensions reading it takes.

Source: Dan Wilhelm, LLM Foundations, chapter 1, which promises that nearly any embedding will do.
See model/caesar_embedding.py for why 27 dimensions are needed at random and 25 if they are chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, sealed, sealed_ints
from clockhead.model.caesar.accuracy import rotated_windows
from clockhead.model.caesar.cipher import ENGLISH, N_ROTATIONS, N_TOKENS, counts
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.caesar.embedding import (
    ArbitraryEmbedding,
    agreement_by_width,
    centred_embedding,
    letters_only_embedding,
    random_embedding,
)
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.units import Characters, Count, Dimensions, Doc, DotProduct, Share

WIDTHS = tuple(range(1, 33))
"""Of the random embeddings that are compared with one-hot tokens."""
FEWER = 20
"""A width below the number of tokens, to see what is lost."""
N_WINDOWS, WINDOW, N_DRAWS = 1000, 32, 8
"""Texts, their length in characters, and embeddings of each width."""


@dataclass(frozen=True)
class Embedded:
    """A ciphertext read through an embedding of at least 27 dimensions, and what fewer read.

    Raises ValueError for an embedding with fewer dimensions than tokens.
    """

    cryptogram: Annotated[Cryptogram, Doc("the message, its ciphertext and its rotation")]
    solver: Annotated[ArbitraryEmbedding, Doc("the embedding and the unembedding that undoes it")]

    def __post_init__(self) -> None:
        if self.n_dimensions < N_TOKENS:
            raise ValueError(
                f"solver must have an embedding of at least {N_TOKENS} dimensions, one for each "
                f"token, got {self.n_dimensions}"
            )

    @classmethod
    def random(cls, cryptogram: Cryptogram, n_dimensions: int, seed: int) -> Embedded:
        """Through vectors of which every number is drawn at random."""
        return cls(cryptogram, ArbitraryEmbedding(random_embedding(n_dimensions, seed)))

    @property
    def n_vocab(self) -> Count:
        """How many tokens there are."""
        return N_TOKENS

    @property
    def n_rotations(self) -> Count:
        """How many rotations there are."""
        return N_ROTATIONS

    @property
    def n_dimensions(self) -> Dimensions:
        """How many numbers the vector of a token has, D."""
        return int(np.shape(self.solver.embedding)[1])

    # One-hot, with dimensions to spare

    @cached_property
    def one_hot(self) -> Floats:
        """One-hot rows, 0 in the dimensions to spare; shape (27, D)."""
        return sealed(np.eye(N_TOKENS, self.n_dimensions))

    @cached_property
    def one_hot_unembed(self) -> Floats:
        """The templates as columns, 0 for the space and in the dimensions to spare; (D, 26)."""
        spare = self.n_dimensions - N_TOKENS
        return sealed(np.pad(self.solver.one_hot_unembed, ((0, spare), (0, 0))))

    @cached_property
    def one_hot_logits(self) -> Floats:
        """A score for every rotation, through one-hot rows; shape (26,)."""
        return sealed(self.solver.one_hot_logits(self.cryptogram.tokens))

    # The embedding given

    @property
    def embedding(self) -> Floats:
        """A row for every token, E; shape (27, D)."""
        return self.solver.embedding

    @cached_property
    def unread_product(self) -> Floats:
        """The embedding times the unembedding of one-hot rows, which does not fit; (27, 26)."""
        return sealed(self.embedding @ self.one_hot_unembed)

    @cached_property
    def unread_logits(self) -> Floats:
        """The scores that come of that; shape (26,)."""
        shares = counts(self.cryptogram.tokens) / self.cryptogram.n_tokens  # (27,)
        return sealed(shares @ self.unread_product)

    @property
    def unembed(self) -> Floats:
        """The unembedding that undoes it, U; shape (D, 26)."""
        return self.solver.unembed

    @property
    def product(self) -> Floats:
        """E U, which is the templates as columns, but for rounding; shape (27, 26)."""
        return self.solver.product

    @cached_property
    def logits(self) -> Floats:
        """A score for every rotation, through the embedding; shape (26,)."""
        return sealed(self.solver.logits(self.cryptogram.tokens))

    @property
    def difference(self) -> DotProduct:
        """By how much it changes a logit, at most."""
        return self.solver.logit_error(self.cryptogram.tokens)

    @property
    def error(self) -> DotProduct:
        """By how much it changes an entry of the product, at most."""
        return self.solver.error

    @property
    def rank(self) -> Dimensions:
        """The rank of the embedding."""
        return self.solver.rank

    @property
    def finds_the_same(self) -> bool:
        """Whether its largest logit is that of the rotation that one-hot tokens find."""
        return int(self.logits.argmax()) == self.cryptogram.found

    # Fewer dimensions

    @cached_property
    def widths(self) -> Ints:
        """Dimensions of the random embeddings that are compared; shape (32,)."""
        return sealed_ints(np.array(WIDTHS, dtype=np.int64))

    @property
    def agreement(self) -> Floats:
        """How often random embeddings of these widths find what one-hot tokens do; (32,)."""
        return _agreements()[0]

    @property
    def n_windows(self) -> Count:
        """On how many texts they are compared."""
        return N_WINDOWS

    @property
    def window(self) -> Characters:
        """Characters in each of these texts."""
        return WINDOW

    @property
    def fewer(self) -> Dimensions:
        """A width below the number of tokens."""
        return FEWER

    @property
    def fewer_agreement(self) -> Share:
        """How often random embeddings of that width find what one-hot tokens do."""
        return float(self.agreement[WIDTHS.index(FEWER)])

    @property
    def n_spare(self) -> Dimensions:
        """How many dimensions there are beyond one for each token."""
        return self.n_dimensions - N_TOKENS

    @property
    def n_without_space(self) -> Dimensions:
        """How many dimensions are enough if the space, which adds to no score, is at 0."""
        return N_ROTATIONS

    @property
    def n_chosen(self) -> Dimensions:
        """How many dimensions are enough if they are chosen: letters around 0, the space at 0."""
        return N_ROTATIONS - 1

    @cached_property
    def chosen_widths(self) -> Ints:
        """Dimensions of one-hot rows, of those without the space, and of the fewest; shape (3,)."""
        return sealed_ints(np.array([N_TOKENS, self.n_without_space, self.n_chosen]))

    @property
    def chosen_shares(self) -> Floats:
        """How often each of these finds what one-hot rows do; shape (3,)."""
        return _agreements()[1]

    @property
    def chosen_agreement(self) -> Share:
        """How often the fewest chosen dimensions find what one-hot tokens do."""
        return float(self.chosen_shares[-1])

    @property
    def common(self) -> DotProduct:
        """What letters add to every logit alike, which the chosen dimensions leave out."""
        return self.cryptogram.n_letters / self.cryptogram.n_tokens * self._mean_frequency

    @cached_property
    def chosen_logits(self) -> Floats:
        """A score for every rotation, through the chosen dimensions; shape (26,)."""
        chosen = ArbitraryEmbedding(centred_embedding())
        return sealed(chosen.logits(self.cryptogram.tokens))

    @property
    def _mean_frequency(self) -> float:
        return float(ENGLISH.sum()) / N_ROTATIONS


@cache
def _agreements() -> tuple[Floats, Floats]:
    """Of random embeddings of `WIDTHS` (32,), and of chosen ones (3,); they depend on no input."""
    windows, _ = rotated_windows(SAMPLE_ENGLISH, WINDOW, N_WINDOWS, seed=0)
    chosen = [np.eye(N_TOKENS), letters_only_embedding(), centred_embedding()]
    shares = [ArbitraryEmbedding(rows).agreement(windows) for rows in chosen]
    return sealed(agreement_by_width(windows, WIDTHS, N_DRAWS)), sealed(np.array(shares))
