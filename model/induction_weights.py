"""The induction head repaired: exact weights in lanes of their own.

Source: Chris Wendler's RoPE transformer, sections 3 to 5, whose structure is kept: a RoPE head on
the previous token, then a head that compares content, each adding to the stream. What the text adds
into one place stands side by side here, so that layer 1 can ask with the current token and answer
with the previous one:

    x = [cur | prev | out | 1]
    layer 0   W_k0 = c e_last^T,  W_q0 = alpha R_(-1) W_k0,  V0: prev <- cur
    layer 1   W_q1 = sqrt(beta) [I 0 0 0],  W_k1 = sqrt(beta) [0 I 0 0],  V1: out <- cur
    W_out = gamma [0 0 I 0]
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from model.arrays import Floats, finite, real, whole
from model.constant_key import key_weights, query_weights, with_constant
from model.rope import BASE, frequencies
from model.sharpness import ALPHA_LIMIT
from model.two_layers import TwoLayerWeights

SCALE_LIMIT = 1e9  # far beyond any use, and far from overflow


def lanes(width: int) -> dict[str, slice]:
    """Where each lane lies in a residual vector of 3 width + 1 coordinates.

    The names are cur, prev, out and one, in this order.
    """
    lane = whole("width", width, at_least=1)
    names = {name: slice(k * lane, (k + 1) * lane) for k, name in enumerate(("cur", "prev", "out"))}
    return {**names, "one": slice(3 * lane, 3 * lane + 1)}


def induction_weights(
    codes: int | ArrayLike,
    *,
    d_head: int = 32,
    alpha: float = 10.0,
    beta: float = 10.0,
    gamma: float = 1.0,
    look_back: int = 1,
    base: float = BASE,
    keep_current: float = 0.0,
) -> TwoLayerWeights:
    """The weights for tokens with the given codes, a row (w,) each; d_model is 3w + 1.

    A whole number V stands for one-hot codes of V tokens: then layer 1 has rank V, and its output
    is exact. `alpha` and `beta` sharpen layers 0 and 1, `gamma` scales the logits. `look_back` 2
    makes layer 0 copy the token two before. `keep_current` reads the current token into the
    logits too, with that weight: follower against current in one block.
    Raises ValueError for an odd d_head, scales not above 0, look_back < 1 or empty codes.
    """
    rows = _rows(codes)  # (V, w)
    sharpness = math.sqrt(real("beta", beta, above=0, at_most=SCALE_LIMIT))
    gain = real("gamma", gamma, above=0, at_most=SCALE_LIMIT)
    width = rows.shape[1]
    lane, d_model = lanes(width), 3 * width + 1
    w_k0 = key_weights(d_head, d_model - 1)  # (d_head, d_model)
    theta = frequencies(d_head, base)  # (d_head/2,)
    steps = whole("look_back", look_back, at_least=1)
    v0, v1 = np.zeros((2, d_model, d_model))  # (d_model, d_model) each
    v0[lane["prev"], lane["cur"]] = v1[lane["out"], lane["cur"]] = np.eye(width)
    w_q1, w_k1 = np.zeros((2, width, d_model))  # (w, d_model) each
    w_q1[:, lane["cur"]] = w_k1[:, lane["prev"]] = sharpness * np.eye(width)
    w_out = np.zeros((len(rows), d_model))  # (V, d_model)
    w_out[:, lane["out"]] = gain * rows
    w_out[:, lane["cur"]] = real("keep_current", keep_current) * rows
    return TwoLayerWeights(
        theta=theta,
        embedding=with_constant(np.pad(rows, ((0, 0), (0, 2 * width)))),  # (V, d_model)
        w_q0=query_weights(w_k0, real("alpha", alpha, at_most=ALPHA_LIMIT), theta, steps),
        w_k0=w_k0,
        v0=v0,
        w_q1=w_q1,
        w_k1=w_k1,
        v1=v1,
        w_out=w_out,
    )


def one_lane_weights(
    n_vocab: int, *, d_head: int = 32, alpha: float = 10.0, beta: float = 10.0, base: float = BASE
) -> TwoLayerWeights:
    """The same with one lane only: the previous token is added on top of the current one.

    The residual is [cur | 1], V0 = V1 = I on the lane, layer 1 compares whole lanes. As section 5
    has it ("contains both"): after layer 0, "ab" and "ba" end in the same vector.
    """
    size = whole("n_vocab", n_vocab, at_least=1)
    lane = np.pad(np.eye(size), ((0, 0), (0, 1)))  # (V, V + 1)
    square = np.pad(np.eye(size), (0, 1))  # (V + 1, V + 1)
    compare = math.sqrt(real("beta", beta, above=0, at_most=SCALE_LIMIT)) * lane  # (V, V + 1)
    theta, w_k0 = frequencies(d_head, base), key_weights(d_head, size)
    return TwoLayerWeights(
        theta=theta,
        embedding=with_constant(np.eye(size)),  # (V, V + 1)
        w_q0=query_weights(w_k0, real("alpha", alpha, at_most=ALPHA_LIMIT), theta),
        w_k0=w_k0,
        v0=square,
        w_q1=compare,
        w_k1=compare,
        v1=square,
        w_out=lane,
    )


def _rows(codes: int | ArrayLike) -> Floats:
    if isinstance(codes, int):
        return np.eye(whole("codes", codes, at_least=1))
    rows = finite("codes", codes, n_axes=2)  # (V, w)
    if not rows.size:
        raise ValueError(f"codes must hold a row for every token, got shape {rows.shape}")
    return rows
