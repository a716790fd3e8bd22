"""One attention head that is small enough to compute by hand, from embedding to residual stream.

It is an `AttentionHead` with square W_Q, W_K and W_V, a scale of 1/sqrt(d_head), a causal mask,
W_O = I, and no position encoding. Matrices are given as on paper: the query of a row x is x W_Q.
Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, section 5.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values, check_array
from clockhead.model.attention.head import AttentionHead, HeadPass
from clockhead.model.tokens import Vocabulary
from clockhead.model.units import Coordinates, Doc, Factor, Place, Position, Share, Tokens

_ROUNDING = 4e-15
"""Rounding error of a dot product, as a fraction of the sum of its terms' absolute values."""


@dataclass(frozen=True, kw_only=True, eq=False)
class WorkedHead(Values):
    """A head over `tokens`, of which the last makes the query of interest."""

    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    n_tokens: Annotated[Tokens, Doc("length of the text")]
    vocabulary: Annotated[
        Vocabulary, Doc("the different words of the text in order of appearance; W of them")
    ]
    places: Annotated[Ints, Doc("index of each token in the vocabulary; (T,)")]
    last: Annotated[Position, Doc("position of the last token, which makes the query")]
    d_model: Annotated[Coordinates, Doc("width of the residual stream, queries, keys and values")]
    embedding: Annotated[Floats, Doc("embedding of each different word; (W, d_model)")]
    w_q: Annotated[Floats, Doc("W_Q, from the stream to queries; (d_model, d_model)")]
    w_k: Annotated[Floats, Doc("W_K, from the stream to keys; (d_model, d_model)")]
    w_v: Annotated[Floats, Doc("W_V, from the stream to values; (d_model, d_model)")]

    resid_pre: Annotated[Floats, Doc("X, the embedding of every token; (T, d_model)")]
    head_pass: Annotated[HeadPass, Doc("the forward pass of the head")]
    queries: Annotated[Floats, Doc("queries X W_Q; (T, d_model)")]
    keys: Annotated[Floats, Doc("keys X W_K; (T, d_model)")]
    values: Annotated[Floats, Doc("values X W_V; (T, d_model)")]
    entry_column: Annotated[
        Place, Doc("column of W_Q with the most nonzero products with the last row of X")
    ]
    dots: Annotated[Floats, Doc("dot product of query m and key n; (T, T)")]
    rounding: Annotated[Floats, Doc("rounding error of the dot products in the last row; (T,)")]
    best_keys: Annotated[
        Ints, Doc("positions with the largest dot product in the last row, all that tie; (best,)")
    ]
    divisor: Annotated[Factor, Doc("divisor of the dot products, sqrt(d_head)")]
    scores: Annotated[Floats, Doc("attention scores, dot products over sqrt(d_head); (T, T)")]
    pattern: Annotated[
        Floats, Doc("attention weights: each exponential divided by the sum of its row; (T, T)")
    ]
    last_weights: Annotated[Floats, Doc("attention weights of the last row; (T,)")]
    most_weight: Annotated[Share, Doc("largest attention weight of the last row")]
    weighted_values: Annotated[
        Floats, Doc("every value times its attention weight in the last row; (T, d_model)")
    ]
    z: Annotated[Floats, Doc("head outputs, weighted sums of values; (T, d_model)")]
    resid_post: Annotated[Floats, Doc("the residual stream after the head, X + z; (T, d_model)")]


def compute_head(
    tokens: tuple[str, ...], embedding: Floats, w_q: Floats, w_k: Floats, w_v: Floats
) -> WorkedHead:
    """Run the head on `tokens`. Raises ValueError for shapes that do not fit."""
    vocabulary = Vocabulary.of(tokens)
    width = check_array("embedding", embedding, n_axes=2).shape[1]
    given = {"embedding": (embedding, len(vocabulary))}
    given |= {"w_q": (w_q, width), "w_k": (w_k, width), "w_v": (w_v, width)}
    for name, (matrix, n_rows) in given.items():
        shape = check_array(name, matrix, n_axes=2).shape
        if shape != (n_rows, width):
            found = " x ".join(map(str, shape))
            raise ValueError(f"{name} must be {n_rows} x {width}, got {found}")
    places = vocabulary.encode(tokens)  # (T,)
    x, last = embedding[places], len(tokens) - 1  # (T, d_model)
    scale = 1 / math.sqrt(width)
    head = AttentionHead(w_q.T.copy(), w_k.T.copy(), w_v.T.copy(), scale=scale).run(x)
    products = x[last][:, None] * w_q  # (d_model, d_model)
    sizes = np.abs(x)  # (T, d_model)
    rounding = _ROUNDING * (sizes[last] @ np.abs(w_q)) @ (sizes @ np.abs(w_k)).T  # (T,)
    dots = head.dots[last]  # (T,)
    weight = head.pattern[last].copy()  # (T,)
    return WorkedHead(
        tokens=tokens,
        n_tokens=len(tokens),
        vocabulary=vocabulary,
        places=places,
        last=last,
        d_model=width,
        embedding=embedding,
        w_q=w_q,
        w_k=w_k,
        w_v=w_v,
        resid_pre=x,
        head_pass=head,
        queries=head.queries,
        keys=head.keys,
        values=head.values,
        entry_column=int(np.argmax((products != 0).sum(axis=0))),
        dots=head.dots,
        rounding=rounding,
        best_keys=np.flatnonzero(dots >= dots.max() - rounding.max()),
        divisor=math.sqrt(width),
        scores=head.scores,
        pattern=head.pattern,
        last_weights=weight,
        most_weight=float(weight.max()),
        weighted_values=weight[:, None] * head.values,
        z=head.z,
        resid_post=head.resid_post,
    )
