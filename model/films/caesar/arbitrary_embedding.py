"""A ciphertext read through random vectors, and how many dimensions reading it takes.

Source: Dan Wilhelm, LLM Foundations, chapter 1, which promises that nearly any embedding will do.
See model/caesar/embedding.py for why 27 dimensions are needed at random and 25 if they are chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.caesar.accuracy import rotated_windows
from clockhead.model.caesar.cipher import N_TOKENS, counts
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.caesar.embedding import agreement_by_width, random_embedding, undo
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.caesar.transformer import unembedding
from clockhead.model.units import Count, Dimensions, Doc, DotProduct, Share

WIDTHS = tuple(range(1, 33))
"""Of the random embeddings that are compared with one-hot tokens."""
FEWER = 20
"""A width below the number of tokens, to see what is lost."""
N_WINDOWS, WINDOW, N_DRAWS = 1000, 32, 8
"""Texts, their length in characters, and embeddings of each width."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RandomVectors(Values):
    """A ciphertext read through random vectors of at least 27 dimensions, and what fewer read."""

    cryptogram: Annotated[Cryptogram, Doc("the message, its ciphertext and its rotation")]
    n_vocab: Annotated[Count, Doc("how many tokens there are")]
    n_dimensions: Annotated[Dimensions, Doc("how many numbers the vector of a token has, D")]
    n_spare: Annotated[Dimensions, Doc("how many dimensions there are beyond one for each token")]

    # One-hot, with dimensions to spare
    one_hot: Annotated[Floats, Doc("one-hot rows, 0 in the dimensions to spare; (27, D)")]
    one_hot_unembed: Annotated[
        Floats, Doc("the templates as columns, 0 for the space and where it is spare; (D, 26)")
    ]
    one_hot_product: Annotated[Floats, Doc("F, their product, the templates as columns; (27, 26)")]
    one_hot_logits: Annotated[Floats, Doc("a score for every rotation, by one-hot rows; (26,)")]

    # The random embedding
    embedding: Annotated[Floats, Doc("a row for every token, E; (27, D)")]
    unread_product: Annotated[
        Floats, Doc("E times the unembedding of one-hot rows, which does not fit; (27, 26)")
    ]
    unread_logits: Annotated[Floats, Doc("the scores that come of that; (26,)")]
    unembed: Annotated[Floats, Doc("the unembedding that undoes E, U; (D, 26)")]
    product: Annotated[
        Floats, Doc("E U, which is the templates as columns, but for rounding; (27, 26)")
    ]
    logits: Annotated[Floats, Doc("a score for every rotation, through the embedding; (26,)")]
    difference: Annotated[DotProduct, Doc("by how much it changes a logit, at most")]
    rank: Annotated[Dimensions, Doc("the rank of the embedding")]

    # Fewer dimensions
    widths: Annotated[Ints, Doc("dimensions of the random embeddings that are compared; (32,)")]
    agreement: Annotated[
        Floats, Doc("how often random embeddings of these widths find what one-hot ones do; (32,)")
    ]
    fewer: Annotated[Dimensions, Doc("a width below the number of tokens")]
    fewer_agreement: Annotated[
        Share, Doc("how often random embeddings of that width find what one-hot tokens do")
    ]


def random_vectors(cryptogram: Cryptogram, n_dimensions: int, seed: int) -> RandomVectors:
    """Read through vectors of which every number is drawn at random; at least 27 dimensions."""
    shares = counts(cryptogram.tokens) / cryptogram.n_tokens  # (27,)
    f = unembedding()  # (27, 26)
    spare = n_dimensions - N_TOKENS
    one_hot_unembed = np.pad(f, ((0, spare), (0, 0)))  # (D, 26)
    one_hot_logits = shares @ f  # (26,)

    e = random_embedding(n_dimensions, seed)  # (27, D)
    u = undo(e, f)  # (D, 26)
    unread = e @ one_hot_unembed  # (27, 26)
    logits = shares @ e @ u  # (26,)

    by_width = _agreements()
    return RandomVectors(
        cryptogram=cryptogram,
        n_vocab=N_TOKENS,
        n_dimensions=n_dimensions,
        n_spare=spare,
        one_hot=np.eye(N_TOKENS, n_dimensions),
        one_hot_unembed=one_hot_unembed,
        one_hot_product=f,
        one_hot_logits=one_hot_logits,
        embedding=e,
        unread_product=unread,
        unread_logits=shares @ unread,
        unembed=u,
        product=e @ u,
        logits=logits,
        difference=float(np.abs(logits - one_hot_logits).max()),
        rank=int(np.linalg.matrix_rank(e)),
        widths=np.array(WIDTHS),
        agreement=by_width,
        fewer=FEWER,
        fewer_agreement=float(by_width[WIDTHS.index(FEWER)]),
    )


@cache
def _agreements() -> Floats:
    """Of random embeddings of `WIDTHS`, (32,); they depend on no input."""
    windows, _ = rotated_windows(SAMPLE_ENGLISH, WINDOW, N_WINDOWS, seed=0)
    return agreement_by_width(windows, WIDTHS, N_DRAWS)
