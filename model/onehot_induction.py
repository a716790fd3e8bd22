"""The one-hot induction head: two layers whose matrices are blocks of 0, 1 and one scale.

Source: lecture slides on a one-hot induction head. A token is [one-hot token | one-hot position].
Layer 1 attends to the position before and puts its token where the position stood; layer 2 attends
to where that token is the current one, and copies what stands there. Equation (3) of the slides
divides by a sum over all positions, later ones too; causal attention masks first. Both readings
are here: they differ wherever the future holds a match, and agree in the last row. The slides let
token and position share d/2 coordinates each; in general h = max(V, T) and d = 2h.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal, get_args

import numpy as np

from model.arrays import Bools, Floats, Ints, real, sealed, sealed_ints, whole
from model.attention import pattern_from_scores
from model.continuation import Continuation, HeadCase
from model.head import AttentionHead, HeadPass, Mask, masked_pattern
from model.prompts import BOS, PROMPT_TOKENS, prompt_vocabulary
from model.tokens import Vocabulary, one_hot
from model.units import Doc, ScoreScale

Reading = Literal["causal", "literal"]
SLIDE_VOCABULARY = Vocabulary((BOS, "a", "b", "c", "d", "e"))
SLIDE_TEXT = "!abacb"
SCALE_LIMIT = 1e6
_MASKS: dict[Reading, Mask] = {"causal": "before softmax", "literal": "after softmax"}
_LEAST_LOSS = 0.01
"""Attention lost to the future, of a cell or of a row, that counts as a leak."""


def slide_vocabulary(tokens: Sequence[str]) -> Vocabulary:
    """The six tokens of the slides if they hold all of `tokens`; otherwise the different ones.

    Raises ValueError for a token that is neither BOS nor a letter nor a space.
    """
    PROMPT_TOKENS.encode(tokens)
    known = set(tokens) <= set(SLIDE_VOCABULARY.tokens)
    return SLIDE_VOCABULARY if known else prompt_vocabulary(tokens)


@dataclass(frozen=True, eq=False)
class OneHotWeights:
    """W_QK, W_OV and the skip matrix of both layers, all (d, d), d = 2h, for `half` = h.

    The slides call them A, V and W. `sharpness` is the c of A1 and A2, `gain` the g of V2; the
    slides have 100 for both.
    """

    half: int
    sharpness: float = 100.0
    gain: float = 100.0

    def __post_init__(self) -> None:
        whole("half", self.half, at_least=1)
        real("sharpness", self.sharpness, above=0, at_most=SCALE_LIMIT)
        real("gain", self.gain, above=0, at_most=SCALE_LIMIT)

    @cached_property
    def w_qk_1(self) -> Floats:
        """Position to position: c one below the diagonal, -c elsewhere; lower right block."""
        before = np.eye(self.half, k=-1)  # (h, h)
        return self._block(1, 1, self.sharpness * (2 * before - 1))

    @cached_property
    def w_ov_1(self) -> Floats:
        """The token of the attended position, moved to where positions stand."""
        return self._block(1, 0, np.eye(self.half))

    @cached_property
    def w_skip_1(self) -> Floats:
        """The current token, passed through."""
        return self._block(0, 0, np.eye(self.half))

    @cached_property
    def w_qk_2(self) -> Floats:
        """Current token of the query to previous token of the key, c where they are the same."""
        return self._block(0, 1, self.sharpness * np.eye(self.half))

    @cached_property
    def w_ov_2(self) -> Floats:
        """The current token of the attended position, times g."""
        return self._block(0, 0, self.gain * np.eye(self.half))

    @cached_property
    def w_skip_2(self) -> Floats:
        """Nothing is passed through."""
        return sealed(np.zeros((2 * self.half, 2 * self.half)))

    def _block(self, row: int, column: int, block: Floats) -> Floats:
        matrix = np.zeros((2, self.half, 2, self.half))  # (d, d), by halves
        matrix[row, :, column] = block
        return sealed(matrix.reshape(2 * self.half, 2 * self.half))


@dataclass(frozen=True, eq=False)
class OneHotInduction:
    """The slides' two layers on `tokens`, all from `vocabulary`, under one of two readings.

    `causal` masks before the softmax; `literal` is equation (3), whose rows need not sum to 1.
    Raises ValueError for a token outside the vocabulary, scales out of bounds, another reading.
    """

    tokens: tuple[str, ...]
    vocabulary: Vocabulary
    reading: Annotated[Reading, Doc("which reading of equation (3)")] = "causal"
    sharpness: Annotated[ScoreScale, Doc("scale of the scores of both layers")] = 100.0
    gain: Annotated[float, Doc("scale of the output")] = 100.0

    def __post_init__(self) -> None:
        if self.reading not in get_args(Reading):
            raise ValueError(f"reading must be one of {get_args(Reading)}, got {self.reading!r}")
        _ = self.weights, self.resid_pre

    @cached_property
    def text(self) -> Continuation:
        """Where the last token stood before, what followed it, and what the head should say."""
        return Continuation(self.tokens, self.vocabulary)

    @property
    def case(self) -> HeadCase:
        """What the text asks of this head: see `Continuation.head_case`."""
        return self.text.head_case

    @cached_property
    def weights(self) -> OneHotWeights:
        """The matrices of both layers, for h = max(V, T)."""
        half = max(len(self.vocabulary), len(self.tokens))
        return OneHotWeights(half, self.sharpness, self.gain)

    @cached_property
    def resid_pre(self) -> Floats:
        """Y(0) = [one-hot token | one-hot position]; shape (T, 2h)."""
        half, positions = self.weights.half, np.arange(len(self.tokens))
        return sealed(np.hstack([one_hot(self.text.indices, half), one_hot(positions, half)]))

    @cached_property
    def head_1(self) -> HeadPass:
        """Layer 1 at work: attention to the position before, W_QK = A1 and W_OV = V1."""
        w = self.weights
        return AttentionHead.from_qk(w.w_qk_1, w.w_ov_1, _MASKS[self.reading]).on(self.resid_pre)

    @property
    def scores_1(self) -> Floats:
        """Y(0) A1 Y(0)^T, equation (4): c at the position before, -c elsewhere; (T, T)."""
        return self.head_1.scores

    @property
    def pattern_1(self) -> Floats:
        """Attention of layer 1, equation (5); shape (T, T)."""
        return self.head_1.pattern

    @cached_property
    def resid_mid(self) -> Floats:
        """Y(1) = [current token | previous token], equation (6); shape (T, 2h)."""
        return sealed(self.head_1.head_out + self.resid_pre @ self.weights.w_skip_1.T)

    @cached_property
    def stored(self) -> tuple[str, ...]:
        """The token that every position holds as its previous one after layer 1; (T,)."""
        places = self.resid_mid[:, self.weights.half :].argmax(axis=1)  # (T,)
        return tuple(self.vocabulary.tokens[place] for place in places)

    @cached_property
    def head_2(self) -> HeadPass:
        """Layer 2 at work: attention to the match, W_QK = A2 and W_OV = V2."""
        w = self.weights
        return AttentionHead.from_qk(w.w_qk_2, w.w_ov_2, _MASKS[self.reading]).on(self.resid_mid)

    @property
    def scores_2(self) -> Floats:
        """Y(1) A2 Y(1)^T, equation (9): c where token i is the token before j; (T, T)."""
        return self.head_2.scores

    @property
    def pattern_2(self) -> Floats:
        """Attention of layer 2, equation (10); shape (T, T)."""
        return self.head_2.pattern

    @cached_property
    def unmasked_2(self) -> Floats:
        """Layer 2's softmax over all positions, later ones too: no mask at all; (T, T)."""
        return sealed(pattern_from_scores(self.scores_2, causal=False))

    @cached_property
    def matches(self) -> Ints:
        """The positions whose stored token is the last one, which asks; (0 to T,)."""
        indices = self.vocabulary.encode(self.stored)  # (T,)
        return sealed_ints(np.flatnonzero(indices == self.text.indices[-1]))

    @cached_property
    def resid_post(self) -> Floats:
        """Y(2), equation (11): g times the share of every token; shape (T, 2h)."""
        return sealed(self.head_2.head_out + self.resid_mid @ self.weights.w_skip_2.T)

    @cached_property
    def shares(self) -> Floats:
        """Y(2) over g at the tokens of the vocabulary, a row per position; shape (T, V).

        Under the causal reading every row sums to 1.
        """
        return sealed(self.resid_post[:, : len(self.vocabulary)] / self.gain)

    @cached_property
    def predictions(self) -> Ints:
        """The token of the largest share in every row, the first of equals; shape (T,)."""
        return sealed_ints(self.shares.argmax(axis=1))

    @property
    def prediction(self) -> str:
        """What comes after the last token."""
        return self.vocabulary.tokens[int(self.predictions[-1])]

    @property
    def leaders(self) -> tuple[str, ...]:
        """The tokens with the largest share in the last row: one, or several that tie."""
        shares = self.shares[-1]  # (V,)
        best = np.flatnonzero(np.isclose(shares, shares.max()))
        return tuple(self.vocabulary.tokens[place] for place in best)

    @cached_property
    def row_sums(self) -> Floats:
        """Sums of the rows of layer 2's pattern: 1, or less where it leaks; shape (T,)."""
        return sealed(self.pattern_2.sum(axis=1))

    @property
    def lost(self) -> Bools:
        """The cells of later keys that get over 1 % of attention without a mask; (T, T)."""
        return np.triu(self.unmasked_2, 1) > _LEAST_LOSS

    @cached_property
    def leaks(self) -> Ints:
        """The rows of layer 2 that lose over 1 % of attention to the future; (0 to T,)."""
        return sealed_ints(np.flatnonzero(self.row_sums < 1 - _LEAST_LOSS))


def attention(scores: Floats, reading: Reading = "causal") -> Floats:
    """The pattern of `scores` (T, T) under a reading of equation (3); shape (T, T).

    `literal` divides by the sum over all positions, and only then sets later ones to 0.
    """
    return masked_pattern(scores, _MASKS[reading])
