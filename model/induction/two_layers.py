"""A transformer of two attention layers, with everything it computes on the way.

Source: Chris Wendler's RoPE transformer, section 5. Each layer is one `AttentionHead`, which adds
what it finds to the residual stream; in the constructions here the first rotates its queries and
keys by position (RoPE) and the second compares content alone. No MLP, no bias, no norm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values, finite, sealed
from clockhead.model.attention.head import AttentionHead, HeadPass
from clockhead.model.tokens import token_indices
from clockhead.model.units import Coordinates, Doc, Tokens


@dataclass(frozen=True, eq=False)
class TwoLayerWeights:
    """Every weight of the two layers; ValueError unless the shapes fit together.

    `embedding` and `w_out` are (V, d_model); `head_0` and `head_1` read and write d_model
    coordinates. The arrays are made read-only.
    """

    embedding: Floats
    head_0: AttentionHead
    head_1: AttentionHead
    w_out: Floats

    def __post_init__(self) -> None:
        n_vocab, d_model = finite("embedding", self.embedding, n_axes=2).shape
        for name, head in (("head_0", self.head_0), ("head_1", self.head_1)):
            if head.d_model != d_model:
                raise ValueError(f"{name} must have d_model {d_model}, got {head.d_model}")
        if finite("w_out", self.w_out, n_axes=2).shape != (n_vocab, d_model):
            raise ValueError(
                f"w_out must have shape {(n_vocab, d_model)}, got {np.shape(self.w_out)}"
            )
        sealed(self.embedding)
        sealed(self.w_out)

    @property
    def n_vocab(self) -> Tokens:
        """How many tokens have a vector."""
        return len(self.embedding)

    @property
    def d_model(self) -> Coordinates:
        """Width of the residual stream."""
        return int(self.embedding.shape[1])


@dataclass(frozen=True, kw_only=True, eq=False)
class TwoLayerPass(Values):
    """One text through the two layers, from embedding to prediction."""

    positions: Annotated[Ints, Doc("0 .. T - 1; (T,)")]
    resid_pre: Annotated[Floats, Doc("the stream before layer 0: a vector a token; (T, d_model)")]
    head_0: Annotated[HeadPass, Doc("queries, keys, scores, pattern and output of layer 0")]
    resid_mid: Annotated[Floats, Doc("the residual stream between the layers; (T, d_model)")]
    head_1: Annotated[HeadPass, Doc("queries, keys, scores, pattern and output of layer 1")]
    resid_post: Annotated[Floats, Doc("the residual stream after layer 1; (T, d_model)")]
    logits: Annotated[Floats, Doc("W_out times the last stream, a score a next token; (T, V)")]
    predictions: Annotated[Ints, Doc("the token of the largest logit, the first of equals; (T,)")]


def two_layers(
    weights: TwoLayerWeights,
    indices: Sequence[int] | Ints,
    *,
    layer_0: bool = True,
    layer_1: bool = True,
) -> TwoLayerPass:
    """Run a text through the layers; `indices` names the token at every position.

    A layer that is off adds nothing to the stream; its pattern is what it would have been. Raises
    ValueError for an index without a vector.
    """
    text = token_indices(indices, below=weights.n_vocab)  # (T,)
    resid_pre = weights.embedding[text]  # (T, d_model)
    head_0 = weights.head_0.on(resid_pre)
    resid_mid = head_0.resid_post if layer_0 else resid_pre
    head_1 = weights.head_1.on(resid_mid)
    resid_post = head_1.resid_post if layer_1 else resid_mid
    logits = resid_post @ weights.w_out.T  # (T, V)
    return TwoLayerPass(
        positions=np.arange(len(text)),
        resid_pre=resid_pre,
        head_0=head_0,
        resid_mid=resid_mid,
        head_1=head_1,
        resid_post=resid_post,
        logits=logits,
        predictions=logits.argmax(axis=1),
    )
