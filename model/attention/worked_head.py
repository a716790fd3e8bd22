"""One attention head small enough to be worked by hand, from embedding rows to new rows.

It is an instance of the head of `model.attention.head`: W_Q, W_K and W_V are square, dot products
are divided by sqrt(d_head), later tokens are masked, W_O is the identity, nothing knows positions.
Matrices are given as on paper: the query of a row x is x W_Q. Source: Luca Erzegovesi, Transformers
and QKV Attention: A Primer, section 5.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values, finite
from clockhead.model.attention.head import AttentionHead, HeadPass
from clockhead.model.tokens import Vocabulary
from clockhead.model.units import Coordinates, Doc, Factor, Place, Position, Share, Tokens

_ROUNDING = 4e-15
"""The error of a dot product, as a share of what its terms add up to without their signs."""


@dataclass(frozen=True, kw_only=True, eq=False)
class WorkedHead(Values):
    """A head over `tokens`, whose last token asks; each different word has one row."""

    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    n_tokens: Annotated[Tokens, Doc("length of the text")]
    vocabulary: Annotated[Vocabulary, Doc("the different words of the text, W of them, in order")]
    places: Annotated[Ints, Doc("which of the different words each token is; (T,)")]
    last: Annotated[Position, Doc("the position of the last token, which asks")]
    d_model: Annotated[Coordinates, Doc("width of a row, of a query, of a key and of a value")]
    embedding: Annotated[Floats, Doc("a row for each different word of the text; (W, d_model)")]
    w_q: Annotated[Floats, Doc("W_Q, by which a row becomes its query; (d_model, d_model)")]
    w_k: Annotated[Floats, Doc("W_K, by which a row becomes its key; (d_model, d_model)")]
    w_v: Annotated[Floats, Doc("W_V, by which a row becomes its value; (d_model, d_model)")]

    resid_pre: Annotated[Floats, Doc("X, the row of every token; (T, d_model)")]
    head_pass: Annotated[HeadPass, Doc("the head at work")]
    queries: Annotated[Floats, Doc("X W_Q, what each token asks with; (T, d_model)")]
    keys: Annotated[Floats, Doc("X W_K, what each token is found by; (T, d_model)")]
    values: Annotated[Floats, Doc("X W_V, what each token hands over; (T, d_model)")]
    entry_column: Annotated[
        Place, Doc("the column of W_Q of whose products with the last row most are not 0")
    ]
    dots: Annotated[Floats, Doc("dot product of query m and key n; (T, T)")]
    rounding: Annotated[Floats, Doc("by how much rounding may move the last row of these; (T,)")]
    best_keys: Annotated[Ints, Doc("the tokens whose keys fit the last query best; (best,)")]
    divisor: Annotated[Factor, Doc("sqrt(d_head), by which dot products are divided")]
    scores: Annotated[Floats, Doc("dot products divided by sqrt(d_head); (T, T)")]
    pattern: Annotated[Floats, Doc("each exponential divided by the sum of its row; (T, T)")]
    last_weights: Annotated[Floats, Doc("the attention weights of the last token; (T,)")]
    most_weight: Annotated[Share, Doc("the largest attention weight of the last token")]
    weighted_values: Annotated[Floats, Doc("every value times its last weight; (T, d_model)")]
    z: Annotated[Floats, Doc("what each token takes, the sum of weighted values; (T, d_model)")]
    resid_post: Annotated[Floats, Doc("the rows with what was taken added to them; (T, d_model)")]


def compute_head(
    tokens: tuple[str, ...], embedding: Floats, w_q: Floats, w_k: Floats, w_v: Floats
) -> WorkedHead:
    """The head over `tokens`. Raises ValueError for shapes that do not fit."""
    vocabulary = Vocabulary.of(tokens)
    width = finite("embedding", embedding, n_axes=2).shape[1]
    given = {"embedding": (embedding, len(vocabulary))}
    given |= {"w_q": (w_q, width), "w_k": (w_k, width), "w_v": (w_v, width)}
    for name, (matrix, n_rows) in given.items():
        shape = finite(name, matrix, n_axes=2).shape
        if shape != (n_rows, width):
            found = " x ".join(map(str, shape))
            raise ValueError(f"{name} must be {n_rows} x {width}, got {found}")
    places = vocabulary.encode(tokens)  # (T,)
    x, last = embedding[places], len(tokens) - 1  # (T, d_model)
    scale = 1 / math.sqrt(width)
    head = AttentionHead(w_q.T.copy(), w_k.T.copy(), w_v.T.copy(), scale=scale).on(x)
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
