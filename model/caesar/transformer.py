"""The cryptogram solver as a transformer: embedding, one uniform attention head, unembedding.

Source: Dan Wilhelm, LLM Foundations, chapter 1. Tokens are one-hot. All attention scores are equal,
because W_Q = 0, so that attention averages all tokens so far. The columns of the unembedding are
the 26 templates, so the logits of position m are the dot products for the first m + 1 characters.
Predictions are decided on whole numbers, so that ties are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, Values, check_int
from clockhead.model.attention.head import AttentionHead
from clockhead.model.caesar.cipher import ENGLISH, N_ROTATIONS, N_TOKENS, templates, unit_templates
from clockhead.model.tokens import LETTERS_AND_SPACE, one_hot, token_indices
from clockhead.model.units import Characters, Count, Doc, Rotation, Unit

Settled = Literal["first", "between", "last"]


def unembedding(column: ArrayLike = ENGLISH) -> Floats:
    """Rotations of `column` (26,) as columns, with a row of zeros for the space; (27, 26)."""
    return np.pad(templates(column).T, ((0, 1), (0, 0)))  # (27, 26)


def uniform_head(d_model: int) -> AttentionHead:
    """The head with W_q = 0: all scores are 0, so that it averages all positions so far."""
    width = check_int("d_model", d_model, at_least=1)
    return AttentionHead(np.zeros((1, width)), np.zeros((1, width)), np.eye(width))


def triangular_mean(n_tokens: int) -> Floats:
    """The pattern of uniform causal attention: 1 / (m + 1) in row m up to column m; (T, T)."""
    count = check_int("n_tokens", n_tokens, at_least=1)
    return np.tri(count) / np.arange(1, count + 1)[:, None]


@dataclass(frozen=True, kw_only=True, eq=False)
class CaesarTransformer(Values):
    """One forward pass of the solver on a ciphertext of T tokens."""

    tokens: Annotated[Ints, Doc("the ciphertext, a to z = 0 to 25 and space = 26; (T,)")]
    n_tokens: Annotated[Characters, Doc("number of characters in the ciphertext")]
    n_vocabulary: Annotated[Count, Doc("size of the vocabulary")]
    alphabet: Annotated[
        tuple[str, ...], Doc("the vocabulary, a to z and the space, in the order of the bins")
    ]
    embedding: Annotated[Floats, Doc("embedding, a row for every token; (27, D)")]
    unembed: Annotated[Floats, Doc("unembedding, a column for every rotation; (D, 26)")]
    resid_pre: Annotated[Floats, Doc("the residual stream before attention; (T, D)")]
    scores: Annotated[Floats, Doc("attention scores, all 0 because W_q = 0; (T, T)")]
    pattern: Annotated[
        Floats, Doc("attention weights, 1 / (m + 1) in row m up to column m; (T, T)")
    ]
    head_out: Annotated[Floats, Doc("head output, the mean of all tokens so far; (T, D)")]
    logits: Annotated[Floats, Doc("logits of every rotation after every token; (T, 26)")]
    exact_scores: Annotated[Ints, Doc("running counts times frequencies in units of 1e-5; (T, 26)")]
    predictions: Annotated[
        Ints,
        Doc("rotation with the largest logit after every token, the first if several tie; (T,)"),
    ]
    found: Annotated[Rotation, Doc("rotation predicted after the last token")]
    first_guess: Annotated[Rotation, Doc("rotation predicted after the first token")]
    logit: Annotated[
        float,
        Unit("logit"),
        Doc("logit of the rotation that is predicted after the last token"),
    ]
    settled_after: Annotated[
        Characters, Doc("number of characters after which the prediction no longer changes")
    ]
    settled: Annotated[
        Settled,
        Doc("whether the prediction settles with the first character, the last, or between"),
    ]
    n_changes: Annotated[Count, Doc("number of changes of the prediction")]
    n_tied: Annotated[
        Count,
        Doc("number of positions after which several rotations tie for the largest exact score"),
    ]


def caesar_transformer(
    tokens: Sequence[int] | Ints, embedding: Floats | None = None, unembed: Floats | None = None
) -> CaesarTransformer:
    """Run the solver on tokens 0 .. 26; embedding and unembedding are one-hot and the templates.

    With these defaults, the exact scores are 1e5 (m + 1) times the logits of position m, and decide
    the predictions; with other weights, the logits do. A text of one character settles with the
    first. Raises ValueError for another token.
    """
    text = token_indices(tokens, below=N_TOKENS)  # (T,)
    vectors = np.eye(N_TOKENS) if embedding is None else embedding  # (27, D)
    classes = unembedding() if unembed is None else unembed  # (D, 26)
    resid_pre = one_hot(text, N_TOKENS) @ vectors  # (T, D)
    head = uniform_head(vectors.shape[1]).run(resid_pre)
    logits = head.head_out @ classes  # (T, 26)
    counted = np.eye(N_TOKENS, N_ROTATIONS, dtype=np.int64)[text].cumsum(axis=0)  # (T, 26)
    exact = counted @ unit_templates().T  # (T, 26)
    is_handmade = embedding is None and unembed is None
    predictions = (exact if is_handmade else logits).argmax(axis=1)  # (T,)
    found = int(predictions[-1])
    other = np.flatnonzero(predictions != found)  # (0 to T - 1,)
    settled_after = int(other[-1]) + 2 if other.size else 1
    settled: Settled = "last" if settled_after == len(text) else "between"
    return CaesarTransformer(
        tokens=text,
        n_tokens=len(text),
        n_vocabulary=N_TOKENS,
        alphabet=LETTERS_AND_SPACE.tokens,
        embedding=vectors,
        unembed=classes,
        resid_pre=resid_pre,
        scores=head.scores,
        pattern=head.pattern,
        head_out=head.head_out,
        logits=logits,
        exact_scores=exact,
        predictions=predictions,
        found=found,
        first_guess=int(predictions[0]),
        logit=float(logits[-1, found]),
        settled_after=settled_after,
        settled="first" if settled_after == 1 else settled,
        n_changes=int((np.diff(predictions) != 0).sum()),
        n_tied=int(((exact == exact.max(axis=1, keepdims=True)).sum(axis=1) > 1).sum()),
    )
