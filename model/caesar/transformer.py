"""The cryptogram solver as a transformer: embedding, one uniform attention head, unembedding.

Source: Dan Wilhelm, LLM Foundations, chapter 1. One-hot tokens; attention whose scores are all
equal, since W_Q = 0, and which therefore averages all tokens so far; an unembedding whose columns
are the 26 templates. The logits of position m are the dot products for the first m + 1 characters.
Its predictions follow from whole numbers, so that equals are equal, whatever rounding does.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Bools, Floats, Ints, finite, sealed, sealed_ints, whole
from clockhead.model.attention.head import AttentionHead, HeadPass
from clockhead.model.caesar.cipher import (
    ENGLISH,
    N_ROTATIONS,
    N_TOKENS,
    rotation_number,
    templates,
    unit_templates,
)
from clockhead.model.tokens import LETTERS_AND_SPACE, one_hot, token_indices
from clockhead.model.units import Characters, Count, Doc, Rotation, Unit

Settled = Literal["first", "between", "last"]


def unembedding(column: ArrayLike = ENGLISH) -> Floats:
    """The templates of `column` (26,) as columns, with a row of zeros for the space: (27, 26)."""
    return np.pad(templates(column).T, ((0, 1), (0, 0)))  # (27, 26)


def uniform_head(d_model: int) -> AttentionHead:
    """The head with W_q = 0: all scores are 0, and a position takes the mean of those so far."""
    width = whole("d_model", d_model, at_least=1)
    return AttentionHead(np.zeros((1, width)), np.zeros((1, width)), np.eye(width))


def triangular_mean(n_tokens: int) -> Floats:
    """Row m takes 1 / (m + 1) of each position up to m; shape (T, T)."""
    count = whole("n_tokens", n_tokens, at_least=1)
    return np.tri(count) / np.arange(1, count + 1)[:, None]


def running_mean(rows: ArrayLike) -> Floats:
    """The mean of the first m + 1 rows for every m, without a T x T matrix: (T, d) to (T, d)."""
    values = finite("rows", rows, n_axes=2)  # (T, d)
    return np.asarray(values.cumsum(axis=0) / np.arange(1, len(values) + 1)[:, None])


def folded(w_v: ArrayLike, b_v: ArrayLike, w_o: ArrayLike, b_o: ArrayLike) -> tuple[Floats, Floats]:
    """Value and output as one map: (d, k), (k,), (k, d), (d,) to VO (d, d) and its bias (d,).

    pattern (x V + b_v) O + b_o = pattern x VO + bias, as long as every row of the pattern sums to
    1; vectors are rows. This is why V O can be chosen as the identity.
    """
    value, output = finite("w_v", w_v, n_axes=2), finite("w_o", w_o, n_axes=2)
    bias = finite("b_v", b_v, n_axes=1) @ output + finite("b_o", b_o, n_axes=1)  # (d,)
    return np.asarray(value @ output), np.asarray(bias)


@dataclass(frozen=True, eq=False)
class CaesarTransformer:
    """The solver on a ciphertext given as `tokens` 0 .. 26 (T,).

    `embedding` (27, D) is one-hot and `unembed` (D, 26) the templates, if None.
    Raises ValueError for another token or for shapes that do not fit together.
    """

    tokens: Annotated[Ints, Doc("the ciphertext, a to z = 0 to 25 and space = 26; shape (T,)")]
    embedding: Annotated[Floats | None, Doc("a row for every token, (27, D), or one-hot")] = None
    unembed: Annotated[Floats | None, Doc("a column for every rotation, or the templates")] = None

    def __post_init__(self) -> None:
        token_indices(self.tokens, below=N_TOKENS)
        vectors, classes = self.vectors.shape, self.classes.shape
        if len(vectors) != 2 or vectors[0] != N_TOKENS:
            raise ValueError(f"embedding must have shape (27, D), got {vectors}")
        if len(classes) != 2 or classes[0] != vectors[1]:
            raise ValueError(f"unembed must have shape ({vectors[1]}, 26), got {classes}")

    @property
    def is_handmade(self) -> bool:
        """Whether tokens are one-hot and the unembedding holds the templates."""
        return self.embedding is None and self.unembed is None

    @property
    def n_tokens(self) -> Characters:
        """How many characters the ciphertext has."""
        return len(self.tokens)

    @property
    def n_vocabulary(self) -> Count:
        """How many different tokens there are."""
        return N_TOKENS

    @property
    def alphabet(self) -> tuple[str, ...]:
        """The tokens there are, a to z and the space, in the order of their bins."""
        return LETTERS_AND_SPACE.tokens

    @cached_property
    def vectors(self) -> Floats:
        """A row for every token; shape (27, D)."""
        return np.eye(N_TOKENS) if self.embedding is None else finite("embedding", self.embedding)

    @cached_property
    def classes(self) -> Floats:
        """A column for every rotation; shape (D, 26)."""
        return unembedding() if self.unembed is None else finite("unembed", self.unembed)

    @cached_property
    def resid_pre(self) -> Floats:
        """The residual stream before attention; shape (T, D)."""
        return sealed(one_hot(self.tokens, N_TOKENS) @ self.vectors)

    @cached_property
    def head(self) -> HeadPass:
        """The one head, with W_q = 0 and W_OV the identity, at work on the ciphertext."""
        return uniform_head(self.vectors.shape[1]).on(self.resid_pre)

    @property
    def scores(self) -> Floats:
        """Queries times keys with W_q = 0: zeros; shape (T, T)."""
        return self.head.scores

    @property
    def pattern(self) -> Floats:
        """Causal softmax of equal scores: row m has 1 / (m + 1) up to m; shape (T, T)."""
        return self.head.pattern

    @property
    def head_out(self) -> Floats:
        """What the head gives: the mean of all tokens so far; shape (T, D)."""
        return self.head.head_out

    @cached_property
    def logits(self) -> Floats:
        """A score for every rotation after every token; shape (T, 26)."""
        return sealed(self.head_out @ self.classes)

    @cached_property
    def exact_scores(self) -> Ints:
        """Running counts times frequencies in units of 1e-5; shape (T, 26).

        For one-hot tokens and the templates, 1e5 (m + 1) times the logits of position m.
        """
        counted = np.eye(N_TOKENS, N_ROTATIONS, dtype=np.int64)[self.tokens].cumsum(axis=0)
        return sealed_ints(counted @ unit_templates().T)  # (T, 26) @ (26, 26)

    @cached_property
    def exact_predictions(self) -> Ints:
        """The rotation of the largest exact score after every token, the first of equals; (T,)."""
        return sealed_ints(self.exact_scores.argmax(axis=1))

    @cached_property
    def predictions(self) -> Ints:
        """The rotation of the largest logit after every token, the first of equals; (T,).

        Exact for one-hot tokens and the templates; with other weights, logits are compared.
        """
        if self.is_handmade:
            return self.exact_predictions
        return sealed_ints(self.logits.argmax(axis=1))

    @property
    def found(self) -> Rotation:
        """The rotation predicted after the last token."""
        return int(self.predictions[-1])

    @property
    def first_guess(self) -> Rotation:
        """The rotation predicted after the first token."""
        return int(self.predictions[0])

    @property
    def logit(self) -> Annotated[float, Unit("logit")]:
        """The logit of the rotation that is predicted after the last token."""
        return float(self.logits[-1, self.found])

    @property
    def settled_after(self) -> Characters:
        """How many tokens it takes until the prediction no longer changes."""
        other = np.flatnonzero(self.predictions != self.found)  # (0 to T - 1,)
        return int(other[-1]) + 2 if other.size else 1

    @property
    def settled(self) -> Settled:
        """Which token the prediction settles with: the `first`, the `last` or one `between`.

        A text of one character settles with the first.
        """
        if self.settled_after == 1:
            return "first"
        return "last" if self.settled_after == self.n_tokens else "between"

    @property
    def n_changes(self) -> Count:
        """How often the prediction changes from one token to the next."""
        return int((np.diff(self.predictions) != 0).sum())

    @property
    def n_tied(self) -> Count:
        """After how many tokens several rotations share the largest exact score."""
        largest = self.exact_scores.max(axis=1, keepdims=True)  # (T, 1)
        return int(((self.exact_scores == largest).sum(axis=1) > 1).sum())

    @property
    def n_different(self) -> Count:
        """How many different rotations are predicted."""
        return len(np.unique(self.predictions))

    def is_right(self, rotation: int) -> Bools:
        """Whether `rotation` is predicted after every token; (T,). ValueError if not 0 to 25."""
        return np.asarray(self.predictions == rotation_number("rotation", rotation))

    def n_wrong(self, rotation: int) -> int:
        """After how many tokens another rotation is predicted. ValueError if not 0 to 25."""
        return int((~self.is_right(rotation)).sum())
