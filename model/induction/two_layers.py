"""A transformer of two attention layers, with everything it computes on the way.

Source: Chris Wendler's RoPE transformer, section 5. Each layer is one `AttentionHead`, which adds
what it finds to the residual stream; in the constructions here the first rotates its queries and
keys by position (RoPE) and the second compares content alone. No MLP, no bias, no norm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, finite, sealed, sealed_ints
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


@dataclass(frozen=True, eq=False)
class TwoLayerPass:
    """One text through the two layers, from embedding to prediction.

    `indices` names the token at every position. A layer that is off adds nothing to the stream;
    its pattern is what it would have been. Raises ValueError for an index without a vector.
    """

    weights: TwoLayerWeights
    indices: Sequence[int] | Ints
    layer_0: Annotated[bool, Doc("whether layer 0 adds to the stream")] = True
    layer_1: Annotated[bool, Doc("whether layer 1 adds to the stream")] = True

    def __post_init__(self) -> None:
        token_indices(self.indices, below=self.weights.n_vocab)

    @cached_property
    def positions(self) -> Ints:
        """0 .. T - 1; shape (T,)."""
        return sealed_ints(np.arange(len(self.indices)))

    @cached_property
    def resid_pre(self) -> Floats:
        """The residual stream before layer 0: the vector of every token; shape (T, d_model)."""
        return sealed(self.weights.embedding[np.asarray(self.indices)])

    @cached_property
    def head_0(self) -> HeadPass:
        """Queries, keys, scores, pattern and output of layer 0."""
        return self.weights.head_0.on(self.resid_pre)

    @cached_property
    def resid_mid(self) -> Floats:
        """The residual stream between the layers; shape (T, d_model)."""
        return self.head_0.resid_post if self.layer_0 else self.resid_pre

    @cached_property
    def head_1(self) -> HeadPass:
        """Queries, keys, scores, pattern and output of layer 1."""
        return self.weights.head_1.on(self.resid_mid)

    @cached_property
    def resid_post(self) -> Floats:
        """The residual stream after layer 1; shape (T, d_model)."""
        return self.head_1.resid_post if self.layer_1 else self.resid_mid

    @cached_property
    def logits(self) -> Floats:
        """W_out times the last stream, a score for every next token; shape (T, V)."""
        return sealed(self.resid_post @ self.weights.w_out.T)

    @cached_property
    def predictions(self) -> Ints:
        """The token of the largest logit, the first of equals; shape (T,)."""
        return sealed_ints(self.logits.argmax(axis=1))
