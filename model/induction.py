"""Induction on a text: A B ... A, so B. The repaired head at work, and what it should say.

Source: Chris Wendler's RoPE transformer, sections 4 and 5, with the repairs of
`model.induction_weights`. The last token asks, every position answers with the token before it;
what stands there is copied out. Several earlier occurrences give the distribution of what followed
them, none gives that of the tokens so far. Position 0 has nothing before it and stores itself: BOS
keeps that out of the way.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from model.arrays import Floats, Ints, sealed, sealed_ints
from model.attention import softmax
from model.induction_weights import induction_weights, lanes
from model.tokens import Vocabulary
from model.two_layers import TwoLayerPass, TwoLayerWeights

Case = Literal["unique", "several", "none"]


@dataclass(frozen=True, eq=False)
class Induction:
    """The repaired head on `tokens`, all from `vocabulary`; the last token asks what comes next.

    `codes` (V, w) are the vectors in the lanes, one-hot if None; see `induction_weights` for the
    scales. `layer_0` and `layer_1` switch a layer off.
    Raises ValueError for a token outside the vocabulary, and for scales out of bounds.
    """

    tokens: tuple[str, ...]
    vocabulary: Vocabulary
    d_head: int = 32
    alpha: float = 10.0
    beta: float = 10.0
    gamma: float = 1.0
    look_back: int = 1
    layer_0: bool = True
    layer_1: bool = True
    codes: ArrayLike | None = None

    def __post_init__(self) -> None:
        if self.codes is not None and len(np.asarray(self.codes)) != len(self.vocabulary):
            raise ValueError(
                f"codes must have a row for each of the {len(self.vocabulary)} tokens, "
                f"got shape {np.shape(self.codes)}"
            )
        _ = self.forward

    @cached_property
    def indices(self) -> Ints:
        """The place of every token in the vocabulary; shape (T,)."""
        return sealed_ints(self.vocabulary.encode(self.tokens))

    @cached_property
    def weights(self) -> TwoLayerWeights:
        """Every matrix; the residual stream has 3w + 1 coordinates."""
        return induction_weights(
            len(self.vocabulary) if self.codes is None else self.codes,
            d_head=self.d_head,
            alpha=self.alpha,
            beta=self.beta,
            gamma=self.gamma,
            look_back=self.look_back,
        )

    @cached_property
    def forward(self) -> TwoLayerPass:
        """Keys, queries, scores, patterns and streams of both layers."""
        return TwoLayerPass(self.weights, self.indices, self.layer_0, self.layer_1)

    @property
    def lanes(self) -> dict[str, slice]:
        """Where cur, prev, out and one lie in a residual vector."""
        return lanes((self.weights.d_model - 1) // 3)

    # What the text says

    @property
    def query(self) -> str:
        """The last token, the one that asks."""
        return self.tokens[-1]

    @cached_property
    def earlier(self) -> Ints:
        """The positions before the last that hold the same token; shape (0 to T - 1,)."""
        return sealed_ints(np.flatnonzero(self.indices[:-1] == self.indices[-1]))

    @cached_property
    def followers(self) -> Ints:
        """The positions `look_back` after those, where the answer stands; at most T - 1."""
        places = self.earlier + self.look_back  # (0 to T - 1,)
        return sealed_ints(places[places < len(self.tokens)])

    @property
    def case(self) -> Case:
        """Whether one token, several different ones or none followed the query before."""
        different = len(set(self.indices[self.followers].tolist()))
        return "none" if not different else "unique" if different == 1 else "several"

    @cached_property
    def expected(self) -> Floats:
        """What the head should say, the shares of the followers; of all tokens if there are none.

        Shape (V,), sums to 1.
        """
        places = self.followers if self.followers.size else np.arange(len(self.tokens))
        counts = np.bincount(self.indices[places], minlength=len(self.vocabulary))  # (V,)
        return sealed(counts / len(places))

    @cached_property
    def best_expected(self) -> tuple[str, ...]:
        """The tokens with the largest share in `expected`: one, or several that tie."""
        best = np.flatnonzero(self.expected == self.expected.max())
        return tuple(self.vocabulary.tokens[index] for index in best)

    # What the head says

    @cached_property
    def output(self) -> Floats:
        """Logits of the last position over gamma; shape (V,). Shares of attention if one-hot."""
        return sealed(self.forward.logits[-1] / self.gamma)

    @cached_property
    def probabilities(self) -> Floats:
        """Softmax of the logits of the last position; shape (V,). Sharp only for large gamma."""
        return sealed(softmax(self.forward.logits[-1]))

    @property
    def prediction(self) -> str:
        """The token of the largest logit at the last position, the first of equals."""
        return self.vocabulary.tokens[int(self.forward.predictions[-1])]

    @property
    def error(self) -> float:
        """The largest difference between `output` and `expected`."""
        return float(np.abs(self.output - self.expected).max())

    @property
    def follower_mass(self) -> float:
        """Attention of the last position on `followers`; 0 if there are none."""
        return float(self.forward.pattern_1[-1, self.followers].sum())

    @property
    def is_right(self) -> bool:
        """Whether the prediction is one of `best_expected`."""
        return self.prediction in self.best_expected
