"""The induction head as the text states it: one place for everything, and a rank-1 match.

Source: Chris Wendler's RoPE transformer, sections 4 and 5. The demo embedding, both layers added
into the same coordinates (W_OV = I), keys and queries of layer 1 along one direction v. The text
leaves v, the scale and the readout open; none of the choices here does induction. The constant
coordinate that layer 0 needs is granted (see `model.constant_key`).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from model.arrays import Floats, Ints, even, real, sealed, sealed_ints
from model.constant_key import with_constant
from model.embedding import demo_embedding
from model.head import look_back_head, rank_one_head
from model.rank_one import RankOneHead
from model.rope import rope_frequencies
from model.sharpness import ALPHA_LIMIT
from model.tokens import Vocabulary
from model.two_layers import TwoLayerPass, TwoLayerWeights

Direction = Literal["ones", "first component"]
Readout = Literal["tied", "inverse"]
BETAS = (-10.0, -1.0, 1.0, 10.0)


@dataclass(frozen=True)
class StatedInduction:
    """The stated construction on `tokens`, all from `vocabulary`.

    `direction` is v = v_q = v_k: all ones, or the direction in which the embedding spreads most.
    `beta` is u_q u_k. `readout` gives W_out: the embedding itself, or its pseudo-inverse.
    Raises ValueError for a token outside the vocabulary, an odd d_head, or an unknown choice.
    """

    tokens: tuple[str, ...]
    vocabulary: Vocabulary
    d_model: int = 32
    d_head: int = 32
    alpha: float = 100.0
    beta: float = 1.0
    direction: Direction = "ones"
    readout: Readout = "tied"

    def __post_init__(self) -> None:
        even("d_head", self.d_head)
        real("alpha", self.alpha, above=0, at_most=ALPHA_LIMIT)
        real("beta", self.beta, at_least=-1e6, at_most=1e6)
        for name, choices in (("direction", Direction), ("readout", Readout)):
            if getattr(self, name) not in get_args(choices):
                raise ValueError(
                    f"{name} must be one of {get_args(choices)}, got {getattr(self, name)!r}"
                )
        _ = self.forward

    @cached_property
    def indices(self) -> Ints:
        """The place of every token in the vocabulary; shape (T,)."""
        return sealed_ints(self.vocabulary.encode(self.tokens))

    @cached_property
    def embedding(self) -> Floats:
        """The demo embedding, without the constant; shape (V, d_model)."""
        return sealed(demo_embedding(np.arange(len(self.vocabulary)), self.d_model))

    @cached_property
    def v(self) -> Floats:
        """The direction along which layer 1 reads; shape (d_model,)."""
        if self.direction == "ones":
            return sealed(np.ones(self.d_model))
        centred = self.embedding - self.embedding.mean(axis=0)  # (V, d_model)
        component = np.linalg.svd(centred)[2][0]  # (d_model,)
        return sealed(component * np.copysign(1.0, component[np.abs(component).argmax()]))

    @cached_property
    def head(self) -> RankOneHead:
        """Layer 1 between all tokens of the vocabulary, before layer 0 adds anything."""
        return RankOneHead(self.embedding, self.v, self.v, self.beta)

    @cached_property
    def weights(self) -> TwoLayerWeights:
        """Every matrix; the residual has d_model + 1 coordinates, the last is the constant 1."""
        width = self.d_model + 1
        into_stream = np.pad(np.eye(self.d_model), (0, 1))  # (d_model + 1, d_model + 1)
        direction = np.pad(self.v, (0, 1))  # (d_model + 1,)
        out = self.embedding if self.readout == "tied" else np.linalg.pinv(self.embedding).T
        return TwoLayerWeights(
            embedding=with_constant(self.embedding),
            head_0=look_back_head(
                width, rope_frequencies(self.d_head), self.alpha, w_ov=into_stream
            ),
            head_1=rank_one_head(direction, direction, self.beta, w_ov=into_stream),
            w_out=np.pad(out, ((0, 0), (0, 1))),
        )

    @cached_property
    def forward(self) -> TwoLayerPass:
        """Keys, queries, scores, patterns and streams of both layers."""
        return TwoLayerPass(self.weights, self.indices)

    @property
    def prediction(self) -> str:
        """The token of the largest logit at the last position, the first of equals."""
        return self.vocabulary.tokens[int(self.forward.predictions[-1])]


def stated_choices(tokens: tuple[str, ...], vocabulary: Vocabulary) -> tuple[StatedInduction, ...]:
    """The construction with each of 2 directions, 4 scales and 2 readouts: 16 of them."""
    return tuple(
        StatedInduction(tokens, vocabulary, beta=beta, direction=direction, readout=readout)
        for direction, beta, readout in itertools.product(
            get_args(Direction), BETAS, get_args(Readout)
        )
    )
