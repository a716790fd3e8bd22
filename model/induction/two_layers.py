"""A transformer of two attention layers of one head, with all its intermediate values.

Source: Chris Wendler's RoPE transformer, section 5. Each layer is one `AttentionHead`, whose output
is added to the residual stream. In the constructions here, layer 0 rotates queries and keys by
position (RoPE) and layer 1 compares content only. No MLP, no bias, no norm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values, check_array, read_only
from clockhead.model.attention.head import AttentionHead, HeadPass
from clockhead.model.tokens import token_indices
from clockhead.model.units import Coordinates, Doc, Tokens


@dataclass(frozen=True, eq=False)
class TwoLayerWeights:
    """All weights of the two layers; ValueError unless the shapes fit together.

    `embedding` and `w_out` are (V, d_model), and both heads have the same d_model. The arrays are
    made read-only.
    """

    embedding: Floats
    head_0: AttentionHead
    head_1: AttentionHead
    w_out: Floats

    def __post_init__(self) -> None:
        n_vocab, d_model = check_array("embedding", self.embedding, n_axes=2).shape
        for name, head in (("head_0", self.head_0), ("head_1", self.head_1)):
            if head.d_model != d_model:
                raise ValueError(f"{name} must have d_model {d_model}, got {head.d_model}")
        if check_array("w_out", self.w_out, n_axes=2).shape != (n_vocab, d_model):
            raise ValueError(
                f"w_out must have shape {(n_vocab, d_model)}, got {np.shape(self.w_out)}"
            )
        read_only(self.embedding)
        read_only(self.w_out)

    @property
    def n_vocab(self) -> Tokens:
        """Size of the vocabulary."""
        return len(self.embedding)

    @property
    def d_model(self) -> Coordinates:
        """Width of the residual stream."""
        return int(self.embedding.shape[1])


@dataclass(frozen=True, kw_only=True, eq=False)
class TwoLayerPass(Values):
    """One forward pass through the two layers, from embedding to prediction."""

    positions: Annotated[Ints, Doc("0 .. T - 1; (T,)")]
    resid_pre: Annotated[Floats, Doc("the residual stream before layer 0; (T, d_model)")]
    head_0: Annotated[HeadPass, Doc("queries, keys, scores, pattern and output of layer 0")]
    resid_mid: Annotated[Floats, Doc("the residual stream between the layers; (T, d_model)")]
    head_1: Annotated[HeadPass, Doc("queries, keys, scores, pattern and output of layer 1")]
    resid_post: Annotated[Floats, Doc("the residual stream after layer 1; (T, d_model)")]
    logits: Annotated[Floats, Doc("resid_post times W_out: a logit for each next token; (T, V)")]
    predictions: Annotated[Ints, Doc("token of the largest logit, the first if several tie; (T,)")]


def two_layers(
    weights: TwoLayerWeights,
    indices: Sequence[int] | Ints,
    *,
    layer_0: bool = True,
    layer_1: bool = True,
) -> TwoLayerPass:
    """Run the two layers on the tokens `indices` (T,).

    A layer that is switched off adds nothing to the stream, but its pattern is still computed.
    Raises ValueError for an index outside the vocabulary.
    """
    text = token_indices(indices, below=weights.n_vocab)  # (T,)
    resid_pre = weights.embedding[text]  # (T, d_model)
    head_0 = weights.head_0.run(resid_pre)
    resid_mid = head_0.resid_post if layer_0 else resid_pre
    head_1 = weights.head_1.run(resid_mid)
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
