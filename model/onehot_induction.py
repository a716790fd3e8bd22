"""`model.onehot_layers` as it was: layers counted from 1, BOS written `!` or left out.

Goes with the last slide that uses it. Source: lecture slides on a one-hot induction head.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

from model.arrays import Bools, Floats, Ints
from model.continuation import Continuation, HeadCase
from model.head import HeadPass
from model.onehot_layers import SCALE_LIMIT, SLIDE_TEXT, OneHotBlocks, OneHotLayers, Reading
from model.prompts import BOS, PROMPT_TOKENS, prompt_vocabulary
from model.tokens import Vocabulary
from model.units import Doc, ScoreScale

__all__ = [
    "SCALE_LIMIT",
    "SLIDE_TEXT",
    "SLIDE_VOCABULARY",
    "OneHotInduction",
    "OneHotWeights",
    "Reading",
    "slide_vocabulary",
]

SLIDE_VOCABULARY = Vocabulary((BOS, "a", "b", "c", "d", "e"))


def slide_vocabulary(tokens: Sequence[str]) -> Vocabulary:
    """The six tokens of the slides if they hold all of `tokens`; otherwise the different ones.

    Raises ValueError for a token that is neither BOS nor a letter nor a space.
    """
    PROMPT_TOKENS.encode(tokens)
    known = set(tokens) <= set(SLIDE_VOCABULARY.tokens)
    return SLIDE_VOCABULARY if known else prompt_vocabulary(tokens)


@dataclass(frozen=True, eq=False)
class OneHotWeights:
    """W_QK, W_OV and the skip matrix of layers 1 and 2: those of `OneHotBlocks`, one number up."""

    half: int
    sharpness: float = 100.0
    gain: float = 100.0

    def __post_init__(self) -> None:
        _ = self._blocks

    @cached_property
    def _blocks(self) -> OneHotBlocks:
        return OneHotBlocks(self.half, self.sharpness, self.gain)

    @property
    def w_qk_1(self) -> Floats:
        """Position to position: c one below the diagonal, -c elsewhere; lower right block."""
        return self._blocks.w_qk_0

    @property
    def w_ov_1(self) -> Floats:
        """The token of the attended position, moved to where positions stand."""
        return self._blocks.w_ov_0

    @property
    def w_skip_1(self) -> Floats:
        """The current token, passed through."""
        return self._blocks.w_skip_0

    @property
    def w_qk_2(self) -> Floats:
        """Current token of the query to previous token of the key, c where they are the same."""
        return self._blocks.w_qk_1

    @property
    def w_ov_2(self) -> Floats:
        """The current token of the attended position, times g."""
        return self._blocks.w_ov_1

    @property
    def w_skip_2(self) -> Floats:
        """Nothing is passed through."""
        return self._blocks.w_skip_1


@dataclass(frozen=True, eq=False)
class OneHotInduction:
    """`OneHotLayers` with layers 1 and 2, and with texts that may begin without BOS.

    Raises the errors of `OneHotLayers`.
    """

    tokens: tuple[str, ...]
    vocabulary: Vocabulary
    reading: Annotated[Reading, Doc("which reading of equation (3)")] = "causal"
    sharpness: Annotated[ScoreScale, Doc("scale of the scores of both layers")] = 100.0
    gain: Annotated[float, Doc("scale of the output")] = 100.0

    def __post_init__(self) -> None:
        _ = self._layers

    @cached_property
    def _layers(self) -> OneHotLayers:
        return OneHotLayers(self.tokens, self.vocabulary, self.reading, self.sharpness, self.gain)

    @property
    def text(self) -> Continuation:
        """Where the last token stood before, what followed it, and what the head should say."""
        return self._layers.text

    @property
    def case(self) -> HeadCase:
        """What the text asks of this head: see `Continuation.head_case`."""
        return self.text.head_case

    @cached_property
    def weights(self) -> OneHotWeights:
        """The matrices of both layers, for h = max(V, T)."""
        return OneHotWeights(self._layers.weights.half, self.sharpness, self.gain)

    @property
    def resid_pre(self) -> Floats:
        """Y(0) = [one-hot token | one-hot position]; shape (T, 2h)."""
        return self._layers.resid_pre

    @property
    def head_1(self) -> HeadPass:
        """Layer 1 at work: attention to the position before."""
        return self._layers.head_0

    @property
    def scores_1(self) -> Floats:
        """Scores of layer 1, equation (4); shape (T, T)."""
        return self._layers.scores_0

    @property
    def pattern_1(self) -> Floats:
        """Attention of layer 1, equation (5); shape (T, T)."""
        return self._layers.pattern_0

    @property
    def resid_mid(self) -> Floats:
        """Y(1) = [current token | previous token], equation (6); shape (T, 2h)."""
        return self._layers.resid_mid

    @property
    def stored(self) -> tuple[str, ...]:
        """The token that every position holds as its previous one after layer 1; (T,)."""
        return self._layers.stored

    @property
    def head_2(self) -> HeadPass:
        """Layer 2 at work: attention to the match."""
        return self._layers.head_1

    @property
    def scores_2(self) -> Floats:
        """Scores of layer 2, equation (9); shape (T, T)."""
        return self._layers.scores_1

    @property
    def pattern_2(self) -> Floats:
        """Attention of layer 2, equation (10); shape (T, T)."""
        return self._layers.pattern_1

    @property
    def unmasked_2(self) -> Floats:
        """Layer 2's softmax over all positions, later ones too; shape (T, T)."""
        return self._layers.unmasked_1

    @property
    def matches(self) -> Ints:
        """The positions whose stored token is the last one, which asks; (0 to T,)."""
        return self._layers.matches

    @property
    def resid_post(self) -> Floats:
        """Y(2), equation (11): g times the share of every token; shape (T, 2h)."""
        return self._layers.resid_post

    @property
    def shares(self) -> Floats:
        """Y(2) over g at the tokens of the vocabulary, a row per position; shape (T, V)."""
        return self._layers.shares

    @property
    def predictions(self) -> Ints:
        """The token of the largest share in every row, the first of equals; shape (T,)."""
        return self._layers.predictions

    @property
    def prediction(self) -> str:
        """What comes after the last token."""
        return self._layers.prediction

    @property
    def leaders(self) -> tuple[str, ...]:
        """The tokens with the largest share in the last row: one, or several that tie."""
        return self._layers.leaders

    @property
    def row_sums(self) -> Floats:
        """Sums of the rows of layer 2's pattern: 1, or less where it leaks; shape (T,)."""
        return self._layers.row_sums

    @property
    def lost(self) -> Bools:
        """The cells of later keys that get over 1 % of attention without a mask; (T, T)."""
        return self._layers.lost

    @property
    def leaks(self) -> Ints:
        """The rows of layer 2 that lose over 1 % of attention to the future; (0 to T,)."""
        return self._layers.leaks
