"""A key that is the same for every token, and how a linear map can compute it.

Source: Chris Wendler's RoPE transformer, section 3: W_k x = c = (1, 0, 1, 0, ...) for all x.
A linear map sends 0 to 0, so it cannot be constant. But it can read a constant: either a coordinate
that is 1 in every residual vector, as here, or a direction w with E w = 1 for all tokens (see
`model.attention.linear_probe`), which the demo embedding of 26 letters does not have.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, check_array, check_even, check_float, check_int
from clockhead.model.attention.head import AttentionHead, Mask
from clockhead.model.rope.rotation import check_frequencies, rotate

ALPHA_LIMIT = 1e15  # beyond it, float64 cannot separate the scores of near-aliases


def constant_key(d_head: int) -> Floats:
    """c = (1, 0, 1, 0, ..., 1, 0): angle 0 in every pair of coordinates; shape (d_head,)."""
    return np.tile([1.0, 0.0], check_even("d_head", d_head) // 2)  # (d_head,)


def with_constant(vectors: ArrayLike) -> Floats:
    """Append a coordinate of 1 to every vector: (T, d_model) to (T, d_model + 1)."""
    rows = check_array("vectors", vectors, n_axes=2)  # (T, d_model)
    return np.concatenate([rows, np.ones((len(rows), 1))], axis=1)  # (T, d_model + 1)


def key_weights(d_head: int, d_model: int) -> Floats:
    """W_k = c e_last^T, of rank 1, which reads only the constant coordinate.

    Shape (d_head, d_model + 1). W_k @ x is c for every row x of `with_constant`.
    """
    weights = np.zeros(
        (check_even("d_head", d_head), check_int("d_model", d_model, at_least=0) + 1)
    )
    weights[:, -1] = constant_key(d_head)  # (d_head,)
    return weights


def query_weights(w_k: ArrayLike, alpha: float, frequencies: ArrayLike, offset: int = 1) -> Floats:
    """W_q = alpha R_(-offset) W_k (section 3, the boxed equation); shape of `w_k`."""
    keys = check_array("w_k", w_k, n_axes=2)  # (d_head, d_model + 1)
    steps = check_int("offset", offset, at_least=0)
    rotated = rotate(keys.T, -steps, check_frequencies(frequencies)).T  # (d_head, d_model + 1)
    return check_float("alpha", alpha, above=0) * rotated


def offset_head(
    d_model: int,
    frequencies: ArrayLike,
    alpha: float,
    offset: int = 1,
    w_ov: ArrayLike | None = None,
    mask: Mask = "before softmax",
) -> AttentionHead:
    """The head that attends `offset` positions back (section 3 of Wendler's document).

    W_k = c e_last^T reads the last coordinate, which has to be 1 in every vector. The query is the
    same vector rotated back, W_q = alpha R_(-offset) W_k. `w_ov` is the identity if None.
    """
    schedule = check_frequencies(frequencies)  # (d_head/2,)
    width = check_int("d_model", d_model, at_least=1)
    w_k = key_weights(2 * schedule.size, width - 1)  # (d_head, d_model)
    return AttentionHead(
        w_q=query_weights(w_k, alpha, schedule, offset),
        w_k=w_k,
        w_v=np.eye(width) if w_ov is None else check_array("w_ov", w_ov, n_axes=2),
        frequencies=schedule.copy(),
        mask=mask,
    )
