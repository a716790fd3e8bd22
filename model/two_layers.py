"""A transformer of two attention layers, with everything it computes on the way.

Source: Chris Wendler's RoPE transformer, section 5. Layer 0 turns its keys and queries by position
(RoPE), layer 1 compares content alone; both add what they find to the residual stream. Neither has
an MLP, a bias or a norm. Vectors are rows, weights multiply from the left: a key is W_k x.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from model.arrays import Floats, Ints, finite, sealed, sealed_ints
from model.attention import attend, pattern_from_scores
from model.rope import rotate, speeds
from model.tokens import token_indices


@dataclass(frozen=True, eq=False)
class TwoLayerWeights:
    """Every weight of the two layers; ValueError unless the shapes fit together.

    `theta` (d_head/2,) are the clock hands of layer 0. `embedding` and `w_out` are
    (V, d_model), `w_q0` and `w_k0` (d_head, d_model), `w_q1` and `w_k1` (r, d_model), and `v0`
    and `v1`, value and output in one, (d_model, d_model). The arrays are made read-only.
    """

    theta: Floats
    embedding: Floats
    w_q0: Floats
    w_k0: Floats
    v0: Floats
    w_q1: Floats
    w_k1: Floats
    v1: Floats
    w_out: Floats

    def __post_init__(self) -> None:
        n_vocab, d_model = finite("embedding", self.embedding, n_axes=2).shape
        d_head, rank = 2 * len(speeds(self.theta)), len(self.w_q1)
        shapes = {
            "w_q0": (d_head, d_model),
            "w_k0": (d_head, d_model),
            "v0": (d_model, d_model),
            "w_q1": (rank, d_model),
            "w_k1": (rank, d_model),
            "v1": (d_model, d_model),
            "w_out": (n_vocab, d_model),
        }
        for name, shape in shapes.items():
            if finite(name, getattr(self, name), n_axes=2).shape != shape:
                found = np.shape(getattr(self, name))
                raise ValueError(f"{name} must have shape {shape}, got {found}")
        for field in fields(self):
            sealed(getattr(self, field.name))

    @property
    def n_vocab(self) -> int:
        """How many tokens have a vector."""
        return len(self.embedding)

    @property
    def d_model(self) -> int:
        """The width of the residual stream."""
        return int(self.embedding.shape[1])

    @cached_property
    def qk1(self) -> Floats:
        """W_q1^T W_k1, what layer 1 compares; shape (d_model, d_model)."""
        return sealed(self.w_q1.T @ self.w_k1)


@dataclass(frozen=True, eq=False)
class TwoLayerPass:
    """One text through the two layers, from embedding to prediction.

    `indices` names the token at every position. A layer that is off adds nothing to the stream;
    its pattern is what it would have been. Raises ValueError for an index without a vector.
    """

    weights: TwoLayerWeights
    indices: Sequence[int] | Ints
    layer_0: bool = True
    layer_1: bool = True

    def __post_init__(self) -> None:
        token_indices(self.indices, below=self.weights.n_vocab)

    @cached_property
    def positions(self) -> Ints:
        """0 .. T - 1; shape (T,)."""
        return sealed_ints(np.arange(len(self.indices)))

    @cached_property
    def embedded(self) -> Floats:
        """h(0), the vector of every token; shape (T, d_model)."""
        return sealed(self.weights.embedding[np.asarray(self.indices)])

    # Layer 0

    @cached_property
    def queries_0(self) -> Floats:
        """R_m W_q0 x_m; shape (T, d_head)."""
        queries = self.embedded @ self.weights.w_q0.T  # (T, d_head)
        return sealed(rotate(queries, self.positions, self.weights.theta))

    @cached_property
    def keys_0(self) -> Floats:
        """R_n W_k0 x_n; shape (T, d_head)."""
        keys = self.embedded @ self.weights.w_k0.T  # (T, d_head)
        return sealed(rotate(keys, self.positions, self.weights.theta))

    @cached_property
    def scores_0(self) -> Floats:
        """Query m times key n, before the mask; shape (T, T)."""
        return sealed(self.queries_0 @ self.keys_0.T)

    @cached_property
    def pattern_0(self) -> Floats:
        """Causal softmax of the scores; shape (T, T)."""
        return sealed(pattern_from_scores(self.scores_0))

    @cached_property
    def output_0(self) -> Floats:
        """What layer 0 adds to the stream; shape (T, d_model)."""
        return self._output(self.pattern_0, self.embedded, self.weights.v0, self.layer_0)

    @cached_property
    def middle(self) -> Floats:
        """h(1) = h(0) + output of layer 0; shape (T, d_model)."""
        return sealed(self.embedded + self.output_0)

    # Layer 1

    @cached_property
    def queries_1(self) -> Floats:
        """W_q1 h(1), not turned; shape (T, r)."""
        return sealed(self.middle @ self.weights.w_q1.T)

    @cached_property
    def keys_1(self) -> Floats:
        """W_k1 h(1), not turned; shape (T, r)."""
        return sealed(self.middle @ self.weights.w_k1.T)

    @cached_property
    def scores_1(self) -> Floats:
        """Query m times key n, before the mask; shape (T, T)."""
        return sealed(self.queries_1 @ self.keys_1.T)

    @cached_property
    def pattern_1(self) -> Floats:
        """Causal softmax of the scores; shape (T, T)."""
        return sealed(pattern_from_scores(self.scores_1))

    @cached_property
    def output_1(self) -> Floats:
        """What layer 1 adds to the stream; shape (T, d_model)."""
        return self._output(self.pattern_1, self.middle, self.weights.v1, self.layer_1)

    @cached_property
    def final(self) -> Floats:
        """h(2) = h(1) + output of layer 1; shape (T, d_model)."""
        return sealed(self.middle + self.output_1)

    # Readout

    @cached_property
    def logits(self) -> Floats:
        """W_out h(2), a score for every next token; shape (T, V)."""
        return sealed(self.final @ self.weights.w_out.T)

    @cached_property
    def predictions(self) -> Ints:
        """The token of the largest logit, the first of equals; shape (T,)."""
        return sealed_ints(self.logits.argmax(axis=1))

    def _output(self, pattern: Floats, stream: Floats, value: Floats, on: bool) -> Floats:
        if not on:
            return sealed(np.zeros_like(stream))
        return sealed(attend(pattern, stream @ value.T))
