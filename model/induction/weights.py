"""The repaired induction circuit: exact weights, with a separate subspace for each content.

Source: Chris Wendler's RoPE transformer, sections 3 to 5, whose structure is kept: a RoPE
previous-token head, then a head that compares content, each adding to the stream. The source adds
all content in one subspace. Here the current and the previous token have subspaces of their own, so
that the query of layer 1 can be the current token and its key the previous one:

    x = [cur | prev | out | 1]
    layer 0   W_k0 = c e_last^T,  W_q0 = alpha R_(-1) W_k0,  W_OV0: prev <- cur
    layer 1   W_q1 = sqrt(beta) [I 0 0 0],  W_k1 = sqrt(beta) [0 I 0 0],  W_OV1: out <- cur
    W_out = gamma [0 0 I 0]
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, check_array, check_float, check_int
from clockhead.model.attention.constant_key import ALPHA_LIMIT, offset_head, with_constant
from clockhead.model.attention.head import AttentionHead, ResidualStream
from clockhead.model.induction.two_layers import TwoLayerWeights
from clockhead.model.rope.rotation import BASE, rope_frequencies

SCALE_LIMIT = 1e9  # far beyond any use, and far from overflow


def induction_stream(width: int) -> ResidualStream:
    """The subspaces cur, prev and out of `width` coordinates each, and the constant `one`."""
    return ResidualStream.of(cur=width, prev=width, out=width, one=1)


def induction_weights(
    codes: int | ArrayLike,
    *,
    d_head: int = 32,
    alpha: float = 10.0,
    beta: float = 10.0,
    gamma: float = 1.0,
    offset: int = 1,
    base: float = BASE,
    keep_current: float = 0.0,
) -> TwoLayerWeights:
    """The weights for tokens with the given `codes` (V, w); d_model is 3w + 1.

    A whole number V means one-hot codes of V tokens: then layer 1 has rank V, and its output is
    exact. `alpha` and `beta` sharpen the attention of layers 0 and 1, `gamma` scales the logits.
    With `offset` 2, layer 0 copies the token two before. `keep_current` is the weight with which
    the logits also read the current token, which then competes with its follower.
    Raises ValueError for an odd d_head, scales not above 0, offset < 1 or empty codes.
    """
    rows = _rows(codes)  # (V, w)
    scale = check_float("beta", beta, above=0, at_most=SCALE_LIMIT)
    gain = check_float("gamma", gamma, above=0, at_most=SCALE_LIMIT)
    width = rows.shape[1]
    stream = induction_stream(width)
    return TwoLayerWeights(
        embedding=with_constant(np.pad(rows, ((0, 0), (0, 2 * width)))),  # (V, d_model)
        head_0=offset_head(
            stream.d_model,
            rope_frequencies(d_head, base),
            check_float("alpha", alpha, at_most=ALPHA_LIMIT),
            check_int("offset", offset, at_least=1),
            w_ov=stream.copy_matrix("cur", "prev"),
        ),
        head_1=match_head(stream, "cur", "prev", stream.copy_matrix("cur", "out"), scale),
        w_out=gain * rows @ stream.projection("out")
        + check_float("keep_current", keep_current)
        * rows
        @ stream.projection("cur"),  # (V, d_model)
    )


def one_subspace_weights(
    n_vocab: int, *, d_head: int = 32, alpha: float = 10.0, beta: float = 10.0, base: float = BASE
) -> TwoLayerWeights:
    """The same circuit with one subspace: the previous token is added to the current one.

    The residual stream is [cur | 1], both layers write to cur, and layer 1 compares it with itself,
    as in section 5 ("contains both"). So after layer 0, "ab" and "ba" end in the same vector.
    """
    stream = ResidualStream.of(cur=check_int("n_vocab", n_vocab, at_least=1), one=1)
    adds = stream.copy_matrix("cur", "cur")  # (V + 1, V + 1)
    scale = check_float("beta", beta, above=0, at_most=SCALE_LIMIT)
    return TwoLayerWeights(
        embedding=with_constant(np.eye(n_vocab)),  # (V, V + 1)
        head_0=offset_head(
            stream.d_model,
            rope_frequencies(d_head, base),
            check_float("alpha", alpha, at_most=ALPHA_LIMIT),
            w_ov=adds,
        ),
        head_1=match_head(stream, "cur", "cur", adds, scale),
        w_out=stream.projection("cur"),
    )


def match_head(
    stream: ResidualStream, query: str, key: str, w_ov: ArrayLike, beta: float
) -> AttentionHead:
    """The head that matches the subspace `query` of one position with `key` of another.

    W_q and W_k read the two subspaces, times sqrt(beta) each, so that equal unit codes score beta.
    Raises ValueError for subspaces of different widths or a beta that is not above 0.
    """
    scale = math.sqrt(check_float("beta", beta, above=0))
    return AttentionHead(
        w_q=scale * stream.projection(query),
        w_k=scale * stream.projection(key),
        w_v=check_array("w_ov", w_ov, n_axes=2),
    )


def _rows(codes: int | ArrayLike) -> Floats:
    if isinstance(codes, int):
        return np.eye(check_int("codes", codes, at_least=1))
    rows = check_array("codes", codes, n_axes=2)  # (V, w)
    if not rows.size:
        raise ValueError(f"codes must hold a row for every token, got shape {rows.shape}")
    return rows
