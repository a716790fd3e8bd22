"""Attention patterns of a trained model on a text, read from a user's data and checked.

The user may have taken them from the wrong hook, truncated them or swapped their axes. The numbers
allow two checks: every row is a distribution over the tokens, and the softmax of the scores, if
given, is the pattern.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Bools, Floats, Ints, Values, check_array
from clockhead.model.attention.pattern import causal_mask
from clockhead.model.heads.token_labels import token_labels
from clockhead.model.units import Count, Difference, Doc, Tokens

MAX_LAYERS, MAX_HEADS, MAX_TOKENS = 48, 64, 512
MAX_WEIGHTS = 1 << 23
"""Largest number of attention weights: 12 layers of 12 heads over 240 tokens."""
MAX_LOGITS = 1 << 23
"""Largest number of logits: GPT-2's vocabulary over 166 tokens."""
MAX_TOKEN = 256
"""Largest number of characters of a token."""
ROW_TOLERANCE = 5e-3
"""Largest difference of a row's sum from 1: rounding to float16 or bfloat16 can cause this much."""
SCORE_TOLERANCE = 0.05
"""Largest difference between a pattern and the softmax of its rounded scores."""
_NO_LOOK_AHEAD = 1e-6
"""Largest weight on a later token in a causal pattern; zero up to rounding."""
_MASKED = -1e9
"""Scores below this are masked: libraries write -inf, or the lowest float of the type."""


@dataclass(frozen=True, kw_only=True, eq=False)
class AttentionPatterns(Values):
    """Attention patterns of all heads of a model in one text; L layers of H heads, T tokens."""

    tokens: Annotated[tuple[str, ...], Doc("the text, as the tokenizer spells it; T tokens")]
    labels: Annotated[tuple[str, ...], Doc("readable label of each token; T of them")]
    patterns: Annotated[Floats, Doc("attention weights, [m, n] of row m on column n; (L, H, T, T)")]
    scores: Annotated[
        Floats | None, Doc("attention scores, in nats, -inf where masked; (L, H, T, T)")
    ]
    logits: Annotated[Floats | None, Doc("logits of the next token at each position; (T, V)")]
    vocabulary: Annotated[tuple[str, ...] | None, Doc("tokens of the logits; V of them")]
    n_layers: Annotated[Count, Doc("number of layers, L")]
    n_heads: Annotated[Count, Doc("number of heads in each layer, H")]
    n_tokens: Annotated[Tokens, Doc("length of the text, T")]
    is_causal: Annotated[bool, Doc("whether no token attends to a later one")]
    row_error: Annotated[
        Difference, Doc("largest difference of a row's sum from 1, before rows were normalized")
    ]

    @property
    def visible(self) -> Bools:
        """True where token m may attend to n; shape (T, T)."""
        if self.is_causal:
            return causal_mask(self.n_tokens)
        return np.ones((self.n_tokens, self.n_tokens), dtype=np.bool_)


@dataclass(frozen=True, kw_only=True, eq=False)
class OffsetMeans(Values):
    """Mean attention weight and score of a head at each of D offsets between query and key."""

    offsets: Annotated[Ints, Doc("how many positions the key is before the query; (D,)")]
    n_pairs: Annotated[Ints, Doc("number of pairs of tokens at each offset; (D,)")]
    attention: Annotated[Floats, Doc("mean attention weight of these pairs; (D,)")]
    scores: Annotated[Floats | None, Doc("mean score of these pairs, NaN if all are masked; (D,)")]


def attention_patterns(
    tokens: Sequence[str],
    patterns: ArrayLike,
    *,
    scores: ArrayLike | None = None,
    logits: ArrayLike | None = None,
    vocabulary: Sequence[str] | None = None,
    tolerance: float = ROW_TOLERANCE,
) -> AttentionPatterns:
    """Check patterns (L, H, T, T), scores and logits of a text, and divide rows by their sums.

    `scores` (L, H, T, T) may have any value where they are masked, and are set to -inf there.
    `logits` are (T, V) and need a `vocabulary` of V tokens.

    Raises ValueError for too many layers, heads, tokens or numbers, for shapes that do not fit
    together, for a row with a negative weight or NaN or whose sum differs from 1 by more than
    `tolerance`, and for scores whose softmax is not the pattern. The message names head and row.
    """
    text = _check_tokens("tokens", tokens, MAX_TOKENS)
    weights = _check_patterns(patterns, len(text))  # (L, H, T, T)
    sums = weights.sum(axis=-1)  # (L, H, T)
    wrong = np.argwhere(np.abs(sums - 1) > tolerance)
    if len(wrong):
        layer, head, row = map(int, wrong[0])
        raise ValueError(
            f"patterns must have rows that sum to 1 within {tolerance:g}; "
            f"row {row} of head {layer}.{head} sums to {sums[layer, head, row]:.4g}"
            f"{_hint_for_sums(weights, sums)}"
        )
    row_error = float(np.abs(sums - 1).max())
    weights = weights / sums[..., None]  # (L, H, T, T)
    above = ~causal_mask(len(text))  # (T, T)
    is_causal = not (weights[:, :, above] > _NO_LOOK_AHEAD).any()
    found = None if scores is None else _check_scores(scores, weights, is_causal)
    n_layers, n_heads = weights.shape[:2]
    predicted, names = _check_logits(logits, vocabulary, len(text))
    return AttentionPatterns(
        tokens=text,
        labels=token_labels(text),
        patterns=weights,
        scores=found,
        logits=predicted,
        vocabulary=names,
        n_layers=n_layers,
        n_heads=n_heads,
        n_tokens=len(text),
        is_causal=is_causal,
        row_error=row_error,
    )


def means_by_offset(patterns: AttentionPatterns, layer: int, head: int) -> OffsetMeans:
    """Mean attention weight and mean score of a head by the offset of the key before the query.

    Offsets are 0 to T - 1, and from 1 - T for patterns that are not causal. In a head that uses
    positions only, such as the hand-built previous-token head, all scores of an offset are equal.
    """
    weights = patterns.patterns[layer, head]  # (T, T)
    count = patterns.n_tokens
    offsets = np.arange(0 if patterns.is_causal else 1 - count, count)  # (D,)
    diagonals = [weights.diagonal(-offset) for offset in offsets]
    means = None
    if patterns.scores is not None:
        scores = patterns.scores[layer, head]  # (T, T)
        lines = [scores.diagonal(-offset) for offset in offsets]
        seen = [line[np.isfinite(line)] for line in lines]
        means = np.array([line.mean() if line.size else np.nan for line in seen])  # (D,)
    return OffsetMeans(
        offsets=offsets,
        n_pairs=np.array([len(line) for line in diagonals]),
        attention=np.array([line.mean() for line in diagonals]),
        scores=means,
    )


def check_size(n_layers: int, n_heads: int, n_tokens: int) -> None:
    """Raise ValueError for more layers, heads, tokens or weights than a film can show."""
    for name, number, most in (
        ("layers", n_layers, MAX_LAYERS),
        ("heads in a layer", n_heads, MAX_HEADS),
        ("tokens", n_tokens, MAX_TOKENS),
    ):
        if number > most:
            raise ValueError(f"patterns must have at most {most} {name}, got {number:,}")
    n_weights = n_layers * n_heads * n_tokens**2
    if n_weights > MAX_WEIGHTS:
        longest = int((MAX_WEIGHTS / (n_layers * n_heads)) ** 0.5)
        raise ValueError(
            f"patterns must have at most {MAX_WEIGHTS:,} weights, got {n_weights:,}; "
            f"with {n_layers} layers of {n_heads} heads, a text has at most {longest} tokens"
        )


def _check_tokens(name: str, tokens: Sequence[str], most: int) -> tuple[str, ...]:
    if isinstance(tokens, str) or not all(isinstance(token, str) for token in tokens):
        raise ValueError(f"{name} must be a list of texts, one for each token")
    if len(tokens) > most:
        raise ValueError(f"{name} must be at most {most:,}, got {len(tokens):,}")
    for position, token in enumerate(tokens):
        if len(token) > MAX_TOKEN:
            raise ValueError(
                f"{name} must have at most {MAX_TOKEN} characters each, got {len(token):,} "
                f"at position {position}"
            )
    return tuple(map(str, tokens))


def _check_patterns(patterns: ArrayLike, n_tokens: int) -> Floats:
    array = np.asarray(patterns)  # (L, H, T, T)
    if array.ndim != 4 or 0 in array.shape:
        axes = "layers, heads, queries and keys"
        hint = "; a batch of one text is its first axis: leave it out" if array.ndim == 5 else ""
        raise ValueError(f"patterns must have the axes {axes}, got shape {array.shape}{hint}")
    n_layers, n_heads, n_queries, n_keys = array.shape
    if n_queries != n_keys:
        raise ValueError(
            f"patterns must have as many queries as keys, got shape {array.shape}; "
            "run the whole text at once, without a key-value cache"
        )
    if n_queries != n_tokens:
        raise ValueError(
            f"patterns must have a row for each of the {n_tokens} tokens, got shape {array.shape}"
        )
    if n_tokens < 2:
        raise ValueError("tokens must be at least 2, so that one can look at another")
    check_size(n_layers, n_heads, n_tokens)
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        layer, head, row, _ = map(int, np.argwhere(~np.isfinite(array))[0])
        raise ValueError(
            f"patterns must be finite, got NaN or inf in row {row} of head {layer}.{head}"
        )
    weights = check_array("patterns", array)  # (L, H, T, T)
    if (weights < 0).any():
        layer, head, row, key = map(int, np.argwhere(weights < 0)[0])
        raise ValueError(
            "patterns must be attention weights of at least 0, got "
            f"{weights[layer, head, row, key]:.4g} in row {row} of head {layer}.{head}; "
            "are these scores from before the softmax?"
        )
    return weights


def _hint_for_sums(weights: Floats, sums: Floats) -> str:
    """A hint at the likely mistake if rows do not sum to 1."""
    if (np.abs(weights.sum(axis=-2) - 1) < ROW_TOLERANCE).all():
        return "; the columns do, so swap the last two axes"
    if (sums < ROW_TOLERANCE).any():
        return "; leave out tokens that are only padding"
    return "; take them after the softmax, and without dropout"


def _check_scores(scores: ArrayLike, weights: Floats, is_causal: bool) -> Floats:
    """Scores in float64, with -inf where they are masked."""
    array = np.asarray(scores)  # (L, H, T, T)
    if array.dtype.kind not in "iuf":
        raise ValueError(f"scores must be an array of numbers, got {array.dtype} values")
    if array.shape != weights.shape:
        raise ValueError(
            f"scores must have the shape of patterns, {weights.shape}, got {array.shape}"
        )
    values = array.astype(np.float64)  # (L, H, T, T), a copy
    if is_causal:
        values[:, :, ~causal_mask(weights.shape[-1])] = -np.inf
    values[~np.isfinite(values) & (weights == 0)] = -np.inf
    values[values < _MASKED] = -np.inf
    wrong = np.isnan(values) | (values == np.inf)
    wrong |= ~np.isfinite(values).any(axis=-1, keepdims=True)
    if wrong.any():
        layer, head, row, _ = map(int, np.argwhere(wrong)[0])
        raise ValueError(
            f"scores must be finite where the pattern is not 0; row {row} of head {layer}.{head} "
            "has NaN or inf there"
        )
    peak = values.max(axis=-1, keepdims=True)  # finite: each row has a weight
    shares = np.exp(values - peak)
    shares /= shares.sum(axis=-1, keepdims=True)  # (L, H, T, T)
    errors = np.abs(shares - weights).max(axis=(-1, -2))  # (L, H)
    layer, head = map(int, np.unravel_index(errors.argmax(), errors.shape))
    if errors[layer, head] > SCORE_TOLERANCE:
        raise ValueError(
            f"scores must be what the softmax made these patterns of; in head {layer}.{head} their "
            f"softmax is off by {errors[layer, head]:.2g}: take them after they are scaled by "
            "1/sqrt(d_head) and biased"
        )
    return values


def _check_logits(
    logits: ArrayLike | None, vocabulary: Sequence[str] | None, n_tokens: int
) -> tuple[Floats | None, tuple[str, ...] | None]:
    if logits is None:
        return None, None
    if vocabulary is None:
        raise ValueError("logits need a vocabulary, the text of each token that they are for")
    values = np.asarray(logits)  # (T, V)
    if values.ndim != 2 or values.shape != (n_tokens, len(vocabulary)) or not len(vocabulary):
        raise ValueError(
            f"logits must have a row for each of the {n_tokens} tokens and a column for each of "
            f"the {len(vocabulary):,} of the vocabulary, got shape {values.shape}"
        )
    if values.size > MAX_LOGITS:
        raise ValueError(f"logits must be at most {MAX_LOGITS:,} numbers, got {values.size:,}")
    names = _check_tokens("vocabulary", vocabulary, MAX_LOGITS)
    return check_array("logits", values, n_axes=2), names
