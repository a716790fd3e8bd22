"""A ciphertext with a random embedding, and how many dimensions an embedding needs.

Source: Dan Wilhelm, LLM Foundations, chapter 1, which promises that nearly any embedding will do.
See `model.caesar.embedding` for why a random one needs 27 dimensions, and a chosen one only 25.
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
from clockhead.model.caesar.embedding import (
    agreement_by_width,
    matching_unembedding,
    random_embedding,
)
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.caesar.transformer import unembedding
from clockhead.model.units import Count, Dimensions, Doc, DotProduct, Share, Shares

WIDTHS = tuple(range(1, 33))
"""Widths of the random embeddings that are compared with one-hot tokens."""
FEWER = 20
"""A width below the number of tokens, which shows the loss."""
N_WINDOWS, WINDOW, N_DRAWS = 1000, 32, 8
"""Number of texts, their length in characters, and number of embeddings of each width."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RandomVectors(Values):
    """A ciphertext with a random embedding of at least 27 dimensions, and accuracy with fewer."""

    cryptogram: Annotated[Cryptogram, Doc("the message, its ciphertext and its rotation")]
    n_vocab: Annotated[Count, Doc("size of the vocabulary")]
    n_dimensions: Annotated[Dimensions, Doc("width of the embedding, D")]
    n_spare: Annotated[Dimensions, Doc("number of dimensions beyond one for each token")]

    # One-hot embedding, with spare dimensions
    one_hot: Annotated[Floats, Doc("one-hot embedding, 0 in the spare dimensions; (27, D)")]
    one_hot_unembed: Annotated[
        Floats,
        Doc("its unembedding, templates as columns, 0 for the space and spare rows; (D, 26)"),
    ]
    one_hot_product: Annotated[
        Floats, Doc("F, the product of both, templates as columns; (27, 26)")
    ]
    one_hot_logits: Annotated[Floats, Doc("logits with the one-hot embedding; (26,)")]

    # The random embedding
    embedding: Annotated[Floats, Doc("E, the random embedding; (27, D)")]
    unread_product: Annotated[
        Floats, Doc("E times the unembedding of one-hot tokens, which does not match; (27, 26)")
    ]
    unread_logits: Annotated[Floats, Doc("logits with this wrong unembedding; (26,)")]
    unembed: Annotated[Floats, Doc("U, the unembedding that inverts E; (D, 26)")]
    product: Annotated[Floats, Doc("E U, equal to F up to rounding; (27, 26)")]
    logits: Annotated[Floats, Doc("logits with E and U; (26,)")]
    difference: Annotated[DotProduct, Doc("largest difference of a logit from the one-hot one")]
    rank: Annotated[Dimensions, Doc("rank of the random embedding")]

    # Fewer dimensions
    widths: Annotated[Ints, Doc("widths of the random embeddings that are compared; (32,)")]
    agreement: Annotated[
        Shares,
        Doc("how often random embeddings of these widths predict the same as one-hot; (32,)"),
    ]
    fewer: Annotated[Dimensions, Doc("a width below the number of tokens")]
    fewer_agreement: Annotated[
        Share, Doc("how often random embeddings of that width predict the same as one-hot")
    ]


def random_vectors(cryptogram: Cryptogram, n_dimensions: int, seed: int) -> RandomVectors:
    """Solve a cryptogram with a random embedding of at least 27 dimensions."""
    shares = counts(cryptogram.tokens) / cryptogram.n_tokens  # (27,)
    f = unembedding()  # (27, 26)
    spare = n_dimensions - N_TOKENS
    one_hot_unembed = np.pad(f, ((0, spare), (0, 0)))  # (D, 26)
    one_hot_logits = shares @ f  # (26,)

    e = random_embedding(n_dimensions, seed)  # (27, D)
    u = matching_unembedding(e, f)  # (D, 26)
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
    """The agreement of random embeddings of `WIDTHS`, which depends on no input; (32,)."""
    windows, _ = rotated_windows(SAMPLE_ENGLISH, WINDOW, N_WINDOWS, seed=0)
    return agreement_by_width(windows, WIDTHS, N_DRAWS)
