"""Other embeddings that solve the cryptogram, with an unembedding that inverts them.

Source: Dan Wilhelm, LLM Foundations, chapter 1, which promises this but does not show it. An
embedding E (27, D) of full row rank has a right inverse, E pinv(E) = 1, so that with
U = pinv(E) F the logits are those of one-hot tokens. With fewer dimensions information is lost, but
26 are enough if the space is mapped to 0, and 25 keep the order of the logits, because an amount
that all rotations share does not change it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, check_int
from clockhead.model.caesar.cipher import N_ROTATIONS, N_TOKENS, counts
from clockhead.model.caesar.transformer import unembedding


def random_embedding(n_dimensions: int, seed: int) -> Floats:
    """A random embedding with entries from a normal distribution; shape (27, D)."""
    width = check_int("n_dimensions", n_dimensions, at_least=1)
    return np.random.default_rng(seed).normal(size=(N_TOKENS, width))


def letters_only_embedding() -> Floats:
    """The embedding with one-hot letters and the space at 0; shape (27, 26)."""
    return np.eye(N_TOKENS, N_ROTATIONS)


def centred_embedding() -> Floats:
    """The embedding with letters as corners of a simplex around 0, the space at 0; (27, 25)."""
    centred = np.eye(N_ROTATIONS) - 1 / N_ROTATIONS  # (26, 26), of rank 25
    axes = np.linalg.svd(centred)[2][: N_ROTATIONS - 1]  # (25, 26)
    return np.pad(centred @ axes.T, ((0, 1), (0, 0)))


def matching_unembedding(embedding: Floats, unembedding: Floats) -> Floats:
    """U = pinv(E) F (D, 26), so that E (27, D) and U give the logits of one-hot rows and F."""
    return np.asarray(np.linalg.pinv(embedding) @ unembedding)


def mean_logits(windows: ArrayLike, product: Floats) -> Floats:
    """The mean row of `product` = E U (27, 26) over each window: tokens (..., L) to (..., 26)."""
    return np.asarray(counts(windows) / np.shape(windows)[-1] @ product)


def agreement(windows: ArrayLike, embedding: Floats) -> float:
    """Fraction of windows (N, L) for which an embedding (27, D) predicts the same as one-hot."""
    one_hot = unembedding()  # (27, 26)
    ours = mean_logits(windows, embedding @ matching_unembedding(embedding, one_hot)).argmax(
        axis=-1
    )  # (N,)
    return float((ours == mean_logits(windows, one_hot).argmax(axis=-1)).mean())


def agreement_by_width(windows: ArrayLike, widths: Sequence[int], n_draws: int = 4) -> Floats:
    """Mean `agreement` of random embeddings of each width; (n_widths,).

    The mean over `n_draws` embeddings, with seeds 0, 1, ..., and all windows (N, L).
    """
    texts = np.asarray(windows)  # (N, L)
    return np.array(
        [
            np.mean([agreement(texts, random_embedding(width, seed)) for seed in range(n_draws)])
            for width in widths
        ]
    )
