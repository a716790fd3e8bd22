"""Nearly any embedding solves the cryptogram, if the unembedding undoes it.

Source: Dan Wilhelm, LLM Foundations, chapter 1, which promises this and ends before it. With tokens
as rows, x E, an embedding E (27, D) of full row rank has a right inverse, E pinv(E) = 1; with
U = pinv(E) F the logits are those of one-hot tokens. Fewer dimensions than F needs lose something:
26 are enough if the space is sent to 0, and 25 keep the order of the logits, because what all
rotations have in common drops out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, finite, sealed, whole
from clockhead.model.caesar.cipher import ENGLISH, N_ROTATIONS, N_TOKENS, counts
from clockhead.model.caesar.transformer import unembedding
from clockhead.model.units import Dimensions, Doc, DotProduct, Factor


def random_embedding(n_dimensions: int, seed: int) -> Floats:
    """Every entry drawn from a normal distribution; shape (27, D)."""
    width = whole("n_dimensions", n_dimensions, at_least=1)
    return np.random.default_rng(seed).normal(size=(N_TOKENS, width))


def letters_only_embedding() -> Floats:
    """26 dimensions: one-hot letters, and the space at 0; shape (27, 26)."""
    return np.eye(N_TOKENS, N_ROTATIONS)


def centred_embedding() -> Floats:
    """25 dimensions: letters as corners of a simplex around 0, the space at 0; shape (27, 25)."""
    centred = np.eye(N_ROTATIONS) - 1 / N_ROTATIONS  # (26, 26), of rank 25
    axes = np.linalg.svd(centred)[2][: N_ROTATIONS - 1]  # (25, 26)
    return np.pad(centred @ axes.T, ((0, 1), (0, 0)))


def wave_strengths(column: ArrayLike = ENGLISH) -> Floats:
    """How strong each wave round the alphabet is in a column (26,): |DFT| for 0 .. 13 turns; (14,).

    The templates have rank 26 because none is 0.
    """
    base = finite("column", column, n_axes=1)  # (26,)
    if base.size != N_ROTATIONS:
        raise ValueError(f"column must have 26 entries, got {base.size}")
    return np.asarray(np.abs(np.fft.rfft(base)))


def wave_embedding(n_waves: int, column: ArrayLike = ENGLISH) -> Floats:
    """Letters on `n_waves` circles, those turns that are strongest in `column`, the space at 0.

    A circle is two dimensions, except for 13 turns, which only alternate: (27, 2 n_waves), one
    less with those. The common wave of 0 turns is left out. ValueError unless 1 <= n_waves <= 13.
    """
    if whole("n_waves", n_waves, at_least=1) > N_ROTATIONS // 2:
        raise ValueError(f"n_waves must be from 1 to 13, got {n_waves}")
    turns = 1 + np.argsort(-wave_strengths(column)[1:], kind="stable")[:n_waves]  # (n_waves,)
    angles = 2 * np.pi * np.outer(np.arange(N_ROTATIONS), turns) / N_ROTATIONS  # (26, n_waves)
    circles = np.stack([np.cos(angles), np.sin(angles)], axis=-1)  # (26, n_waves, 2)
    kept = [
        c[:, :1] if k == 13 else c for k, c in zip(turns, np.moveaxis(circles, 1, 0), strict=True)
    ]
    return np.pad(np.hstack(kept), ((0, 1), (0, 0)))


@dataclass(frozen=True, eq=False)
class ArbitraryEmbedding:
    """An embedding (27, D) with the unembedding that undoes it, beside the one-hot solver.

    `column` (26,) is what the one-hot unembedding holds for rotation 0, `ENGLISH` if None.
    Raises ValueError for an embedding of another shape, or one that is all 0.
    """

    embedding: Annotated[Floats, Doc("a row for every token; shape (27, D)")]
    column: Annotated[Floats | None, Doc("one-hot weights of rotation 0, or English")] = None

    def __post_init__(self) -> None:
        rows = finite("embedding", self.embedding, n_axes=2)
        if len(rows) != N_TOKENS or not rows.any():
            raise ValueError(
                f"embedding must have 27 rows, not all of them 0, got shape {rows.shape}"
            )

    @cached_property
    def one_hot_unembed(self) -> Floats:
        """F, the templates as columns; shape (27, 26)."""
        return sealed(unembedding(ENGLISH if self.column is None else self.column))

    @cached_property
    def unembed(self) -> Floats:
        """U = pinv(E) F; shape (D, 26)."""
        return sealed(np.linalg.pinv(self.embedding) @ self.one_hot_unembed)

    @cached_property
    def product(self) -> Floats:
        """E U, which is F where nothing is lost; shape (27, 26)."""
        return sealed(self.embedding @ self.unembed)

    @property
    def error(self) -> DotProduct:
        """The largest |entry| of E U - F: bounds the change of any logit."""
        return float(np.abs(self.product - self.one_hot_unembed).max())

    @property
    def rank(self) -> Dimensions:
        """The rank of the embedding; 27 loses nothing, whatever F."""
        return int(np.linalg.matrix_rank(self.embedding))

    @property
    def condition(self) -> Factor:
        """Largest over smallest of the min(27, D) singular values: how far rounding may grow."""
        return float(np.linalg.cond(self.embedding))

    def logits(self, windows: ArrayLike) -> Floats:
        """Mean embedding of each window times U: tokens (..., L) to (..., 26)."""
        return np.asarray(self._shares(windows) @ self.embedding @ self.unembed)

    def one_hot_logits(self, windows: ArrayLike) -> Floats:
        """What the one-hot solver says of the same windows: (..., L) to (..., 26)."""
        return np.asarray(self._shares(windows) @ self.one_hot_unembed)

    def logit_error(self, windows: ArrayLike) -> float:
        """The largest difference between the two, over all windows and rotations."""
        return float(np.abs(self.logits(windows) - self.one_hot_logits(windows)).max())

    def agreement(self, windows: ArrayLike) -> float:
        """Share of the windows (N, L) for which both find the same rotation."""
        ours = self.logits(windows).argmax(axis=-1)  # (N,)
        return float((ours == self.one_hot_logits(windows).argmax(axis=-1)).mean())

    def _shares(self, windows: ArrayLike) -> Floats:
        return np.asarray(counts(windows) / np.shape(windows)[-1])  # (..., 27)


def agreement_by_width(windows: ArrayLike, widths: Sequence[int], n_draws: int = 4) -> Floats:
    """How often random embeddings of each width find what one-hot tokens do; (n_widths,).

    A mean over `n_draws` embeddings, seeds 0, 1, ..., and over all windows (N, L).
    """
    draws = range(whole("n_draws", n_draws, at_least=1))
    texts = np.asarray(windows)  # (N, L)
    shares = counts(texts) / texts.shape[-1]  # (N, 27)
    templates = unembedding()  # (27, 26)
    found = (shares @ templates).argmax(axis=1)  # (N,)

    def agreement(width: int, seed: int) -> float:
        embedding = random_embedding(width, seed)  # (27, D)
        kept = embedding @ (np.linalg.pinv(embedding) @ templates)  # (27, 26)
        return float(((shares @ kept).argmax(axis=1) == found).mean())

    return np.array([np.mean([agreement(width, seed) for seed in draws]) for width in widths])
