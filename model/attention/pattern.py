"""Softmax attention: from scores to a pattern, and from values to head outputs.

Rows are queries and columns are keys: `pattern[m, n]` is the attention weight of m on n.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Bools, Floats, check_array, check_int


def softmax(scores: ArrayLike, axis: int = -1) -> Floats:
    """The softmax along `axis` of scores in nats; the weight of -inf is 0.

    The largest score is subtracted first, so that no finite score overflows.
    Raises ValueError for NaN, +inf, an empty axis, or a row in which everything is -inf.
    """
    values = np.asarray(scores, dtype=np.float64)  # any shape
    if values.ndim == 0 or values.shape[axis] == 0:
        raise ValueError(f"scores must have an entry along axis {axis}, got shape {values.shape}")
    peak = values.max(axis=axis, keepdims=True)  # NaN if any entry is NaN
    if not np.isfinite(peak).all():
        raise ValueError("scores must be numbers or -inf, with one finite score in every row")
    weights = np.exp(values - peak)  # same shape, largest entry 1
    return np.asarray(weights / weights.sum(axis=axis, keepdims=True))


def causal_mask(n_tokens: int) -> Bools:
    """True where position m may attend to n, that is where n <= m; shape (T, T)."""
    count = check_int("n_tokens", n_tokens, at_least=1)
    return np.tri(count, dtype=np.bool_)  # (T, T)


def pattern_from_scores(scores: ArrayLike, causal: bool = True) -> Floats:
    """The attention pattern of `scores` (..., T, T): every row sums to 1.

    With `causal`, keys after the query are masked before the softmax, so their weight is exactly 0.
    Raises ValueError if the last two axes differ or a score is not finite.
    """
    values = check_array("scores", scores)  # (..., T, T)
    if values.ndim < 2 or values.shape[-1] != values.shape[-2]:
        raise ValueError(f"scores must have shape (..., T, T), got {values.shape}")
    if causal:
        values = np.where(causal_mask(values.shape[-1]), values, -np.inf)  # (..., T, T)
    return softmax(values)


def attend(pattern: ArrayLike, values: ArrayLike) -> Floats:
    """The weighted sum of values for every position, `pattern @ values`; (T, d)."""
    weights = check_array("pattern", pattern, n_axes=2)  # (T, T)
    rows = check_array("values", values, n_axes=2)  # (T, d)
    if weights.shape[1] != rows.shape[0]:
        raise ValueError(
            f"values must have a row for each of the {weights.shape[1]} positions, "
            f"got shape {rows.shape}"
        )
    return np.asarray(weights @ rows)
