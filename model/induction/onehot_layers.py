"""The one-hot induction head: two layers whose matrices are blocks of 0, 1 and one scale.

Source: lecture slides on a one-hot induction head. A token is [one-hot token | one-hot position].
Layer 0 attends to the position before and puts its token where the position stood; layer 1 attends
to where that token is the current one, and copies what stands there. The slides count layers from 1
and have no residual stream: a skip matrix says what each layer keeps. Equation (3) of the slides
divides by a sum over all positions, later ones too; causal attention masks first. Both readings
are here: they differ wherever the future holds a match, and agree in the last row. The slides let
token and position share d/2 coordinates each; in general h = max(V, T) and d = 2h.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Literal, get_args

import numpy as np

from clockhead.model.arrays import Bools, Floats, Ints, real, sealed, sealed_ints, whole
from clockhead.model.attention.head import AttentionHead, HeadPass, Mask
from clockhead.model.attention.pattern import pattern_from_scores
from clockhead.model.induction.continuation import Case, Continuation
from clockhead.model.induction.prompts import BOS_TOKEN, LETTER_TOKENS, letter_vocabulary
from clockhead.model.tokens import Vocabulary, named, one_hot
from clockhead.model.units import (
    Coordinates,
    Count,
    Doc,
    Factor,
    Position,
    Positions,
    ScoreScale,
    Share,
    Tokens,
)

Reading = Literal["causal", "literal"]
SLIDE_LETTERS = Vocabulary((BOS_TOKEN, "a", "b", "c", "d", "e"))
SLIDE_TEXT = "!abacb"
"""The text of the slides, in which `!` is BOS."""
SCALE_LIMIT = 1e6
_MASKS: dict[Reading, Mask] = {"causal": "before softmax", "literal": "after softmax"}
_LEAST_LOSS = 0.01
"""Attention lost to the future, of a cell or of a row, that counts as a leak."""


def onehot_vocabulary(tokens: Sequence[str]) -> Vocabulary:
    """The six tokens of the slides if they hold all of `tokens`; otherwise the different ones.

    Raises ValueError for a token that is neither BOS nor a letter nor the space.
    """
    LETTER_TOKENS.encode(tokens)
    known = set(tokens) <= set(SLIDE_LETTERS.tokens)
    return SLIDE_LETTERS if known else letter_vocabulary(tokens)


@dataclass(frozen=True, eq=False)
class OneHotBlocks:
    """W_QK, W_OV and the skip matrix of both layers, all (d, d), d = 2h, for `half` = h.

    The slides call them A, V and W. `sharpness` is the c of A_0 and A_1, `gain` the g of V_1; the
    slides have 100 for both. A_0 looks `back` positions back, 1 on the slides; those that have none
    there take position 0. Raises ValueError for half or back < 1 and for scales not above 0.
    """

    half: Annotated[Coordinates, Doc("width of each half, h")]
    sharpness: Annotated[ScoreScale, Doc("scale of the scores of both layers, c")] = 100.0
    gain: Annotated[Factor, Doc("scale of the output, g")] = 100.0
    back: Annotated[Positions, Doc("how far layer 0 looks back")] = 1

    def __post_init__(self) -> None:
        whole("back", self.back, at_least=1)
        whole("half", self.half, at_least=1)
        real("sharpness", self.sharpness, above=0, at_most=SCALE_LIMIT)
        real("gain", self.gain, above=0, at_most=SCALE_LIMIT)

    @property
    def d_model(self) -> Coordinates:
        """Width of a row, 2h."""
        return 2 * self.half

    @cached_property
    def positions_compared(self) -> Floats:
        """The one block of W_QK in layer 0: c below the diagonal by `back`, -c elsewhere; (h, h).

        And c in column 0 of the rows from 1 on for which there is nothing so far back.
        """
        found = np.eye(self.half, k=-self.back)  # (h, h)
        found[1 : self.back, 0] = 1
        return sealed(self.sharpness * (2 * found - 1))

    @cached_property
    def w_qk_0(self) -> Floats:
        """Position to position: c for the one found, -c elsewhere; lower right block."""
        return self._block(1, 1, self.positions_compared)

    @cached_property
    def w_ov_0(self) -> Floats:
        """The token of the attended position, moved to where positions stand; lower left block."""
        return self._block(1, 0, np.eye(self.half))

    @cached_property
    def w_skip_0(self) -> Floats:
        """The current token, passed through; upper left block."""
        return self._block(0, 0, np.eye(self.half))

    @cached_property
    def w_qk_1(self) -> Floats:
        """Current token of the query to previous token of the key, c if equal; upper right."""
        return self._block(0, 1, self.sharpness * np.eye(self.half))

    @cached_property
    def w_ov_1(self) -> Floats:
        """The current token of the attended position, times g; upper left block."""
        return self._block(0, 0, self.gain * np.eye(self.half))

    @cached_property
    def w_skip_1(self) -> Floats:
        """Nothing is passed through: all 0."""
        return sealed(np.zeros((self.d_model, self.d_model)))

    @property
    def n_blocks(self) -> Count:
        """How many of the 24 (h, h) blocks of the six matrices are not all 0, five."""
        layer_0 = [self.w_qk_0, self.w_ov_0, self.w_skip_0]
        layer_1 = [self.w_qk_1, self.w_ov_1, self.w_skip_1]
        by_halves = (6, 2, self.half, 2, self.half)  # each (d, d)
        blocks = np.stack([*layer_0, *layer_1]).reshape(by_halves)
        return int((blocks != 0).any(axis=(2, 4)).sum())

    def _block(self, row: int, column: int, block: Floats) -> Floats:
        matrix = np.zeros((2, self.half, 2, self.half))  # (d, d), by halves
        matrix[row, :, column] = block
        return sealed(matrix.reshape(self.d_model, self.d_model))


@dataclass(frozen=True, eq=False)
class OneHotLayers:
    """The slides' two layers on `tokens`, all from `vocabulary`, under one of two readings.

    `causal` masks before the softmax; `literal` is equation (3), whose rows need not sum to 1.
    Raises ValueError for a token outside the vocabulary, scales out of bounds, another reading.
    """

    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    vocabulary: Annotated[Vocabulary, Doc("the tokens there are; V of them")]
    reading: Annotated[Reading, Doc("which reading of equation (3)")] = "causal"
    sharpness: Annotated[ScoreScale, Doc("scale of the scores of both layers, c")] = 100.0
    gain: Annotated[Factor, Doc("scale of the output, g")] = 100.0
    back: Annotated[Positions, Doc("how far layer 0 looks back, 1 on the slides")] = 1

    def __post_init__(self) -> None:
        if self.reading not in get_args(Reading):
            raise ValueError(f"reading must be one of {get_args(Reading)}, got {self.reading!r}")
        _ = self.weights, self.resid_pre

    # The text

    @cached_property
    def text(self) -> Continuation:
        """Where the last token stood before, what followed it, and what the head should say."""
        return Continuation(self.tokens, self.vocabulary)

    @property
    def case(self) -> Case:
        """Whether one token, several different ones or none followed the last one before."""
        return self.text.case

    @property
    def n_tokens(self) -> Tokens:
        """Length of the text, BOS counted."""
        return len(self.tokens)

    @property
    def n_vocab(self) -> Tokens:
        """How many tokens the vocabulary has."""
        return len(self.vocabulary)

    @property
    def last(self) -> Position:
        """The position of the last token, which asks."""
        return len(self.tokens) - 1

    @property
    def absent(self) -> tuple[str, ...]:
        """The tokens of the vocabulary that the text does not have, whose columns stay empty."""
        return tuple(token for token in self.vocabulary.tokens if token not in self.tokens)

    @property
    def n_absent(self) -> Count:
        """How many tokens of the vocabulary the text does not have."""
        return len(self.absent)

    @cached_property
    def repeated(self) -> tuple[int, int]:
        """Two positions of the last token that stands twice, the first and the last of them.

        The last position twice if every token is different.
        """
        for place in reversed(range(len(self.tokens))):
            if self.tokens[place] in self.tokens[:place]:
                return self.tokens.index(self.tokens[place]), place
        return self.last, self.last

    @property
    def has_repeated(self) -> bool:
        """Whether a token stands twice."""
        return self.repeated[0] < self.repeated[1]

    # Layer 0

    @cached_property
    def weights(self) -> OneHotBlocks:
        """The matrices of both layers, for h = max(V, T)."""
        half = max(len(self.vocabulary), len(self.tokens))
        return OneHotBlocks(half, self.sharpness, self.gain, self.back)

    @property
    def one_back(self) -> OneHotLayers:
        """The same two layers, of which the first looks at the position before."""
        return replace(self, back=1)

    @cached_property
    def resid_pre(self) -> Floats:
        """Y(0) = [one-hot token | one-hot position]; shape (T, 2h)."""
        half, positions = self.weights.half, np.arange(len(self.tokens))
        return sealed(np.hstack([one_hot(self.text.indices, half), one_hot(positions, half)]))

    @cached_property
    def positions(self) -> Ints:
        """0 .. T - 1; shape (T,)."""
        return sealed_ints(np.arange(len(self.tokens)))

    @cached_property
    def resid_tokens(self) -> Floats:
        """Y(0) with only its tokens written: its second half is 0; shape (T, 2h)."""
        says_token = np.arange(self.weights.d_model) < self.weights.half  # (2h,)
        return sealed(self.resid_pre * says_token)

    @cached_property
    def head_0(self) -> HeadPass:
        """Layer 0 at work: attention to the position before."""
        w = self.weights
        return AttentionHead.from_qk(w.w_qk_0, w.w_ov_0, _MASKS[self.reading]).on(self.resid_pre)

    @property
    def scores_0(self) -> Floats:
        """Y(0) A_0 Y(0)^T, equation (4): c at the position before, -c elsewhere; (T, T)."""
        return self.head_0.scores

    @property
    def pattern_0(self) -> Floats:
        """Attention of layer 0, equation (5); shape (T, T)."""
        return self.head_0.pattern

    @cached_property
    def looked_at(self) -> Ints:
        """The position that layer 0 finds for every one, `back` before it, or the first; (T,)."""
        return sealed_ints(np.maximum(self.positions - self.back, 0))

    @property
    def worst_share(self) -> Share:
        """The least attention of layer 0 on what it looks for; of position 0, on itself."""
        return float(np.take_along_axis(self.pattern_0, self.looked_at[:, None], axis=1).min())

    @cached_property
    def resid_mid(self) -> Floats:
        """Y(1) = [current token | previous token], equation (6); shape (T, 2h)."""
        return sealed(self.head_0.head_out + self.resid_pre @ self.weights.w_skip_0.T)

    @cached_property
    def stored(self) -> tuple[str, ...]:
        """The token that every position holds as its previous one after layer 0; T of them."""
        places = self.resid_mid[:, self.weights.half :].argmax(axis=1)  # (T,)
        return tuple(self.vocabulary.tokens[place] for place in places)

    # Layer 1

    @cached_property
    def head_1(self) -> HeadPass:
        """Layer 1 at work: attention to the match."""
        w = self.weights
        return AttentionHead.from_qk(w.w_qk_1, w.w_ov_1, _MASKS[self.reading]).on(self.resid_mid)

    @cached_property
    def passed_1(self) -> Floats:
        """What W_1 lets through of Y(1): nothing; shape (T, 2h)."""
        return sealed(self.resid_mid @ self.weights.w_skip_1.T)

    @property
    def scores_1(self) -> Floats:
        """Y(1) A_1 Y(1)^T, equation (9): c where token i is the token before j; (T, T)."""
        return self.head_1.scores

    @property
    def pattern_1(self) -> Floats:
        """Attention of layer 1, equation (10); shape (T, T)."""
        return self.head_1.pattern

    @cached_property
    def unmasked_1(self) -> Floats:
        """Layer 1's softmax over all positions, later ones too: no mask at all; (T, T)."""
        return sealed(pattern_from_scores(self.scores_1, causal=False))

    @cached_property
    def matches(self) -> Ints:
        """The positions whose stored token is the last one, which asks; (0 to T,)."""
        indices = self.vocabulary.encode(self.stored)  # (T,)
        return sealed_ints(np.flatnonzero(indices == self.text.indices[-1]))

    @cached_property
    def copied(self) -> tuple[str, ...]:
        """The different tokens that stand there, in their order; none if nothing matches."""
        return tuple(dict.fromkeys(self.tokens[m] for m in self.matches))

    @property
    def n_matches(self) -> Count:
        """How many positions store the last token."""
        return len(self.matches)

    @property
    def hero(self) -> Position:
        """The position that is followed through layer 0: the first match, or else the last."""
        return int(self.matches[0]) if self.matches.size else self.last

    @property
    def hero_named(self) -> str:
        """The token of that position in quotes, with its position where it stands again."""
        return named(self.tokens, self.hero)

    @property
    def answer_named(self) -> str:
        """The token at the first match in quotes, with its position where it stands again.

        Raises ValueError if nothing matches.
        """
        if not self.matches.size:
            raise ValueError(f"tokens must hold a match of the last one, got {self.tokens}")
        return named(self.tokens, int(self.matches[0]))

    @cached_property
    def resid_post(self) -> Floats:
        """Y(2), equation (11): g times the share of every token; shape (T, 2h)."""
        return sealed(self.head_1.head_out + self.resid_mid @ self.weights.w_skip_1.T)

    @cached_property
    def shares(self) -> Floats:
        """Y(2) over g at the tokens of the vocabulary, a row per position; shape (T, V).

        Under the causal reading every row sums to 1.
        """
        return sealed(self.resid_post[:, : len(self.vocabulary)] / self.gain)

    @property
    def output(self) -> Floats:
        """The shares of the last row; shape (V,)."""
        return np.asarray(self.shares[-1])

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
        best = np.flatnonzero(np.isclose(self.output, self.output.max()))
        return tuple(self.vocabulary.tokens[place] for place in best)

    @property
    def n_leaders(self) -> Count:
        """How many tokens have the largest share in the last row."""
        return len(self.leaders)

    @property
    def largest_share(self) -> Share:
        """The largest share in the last row."""
        return float(self.output.max())

    # What the literal reading loses

    @cached_property
    def row_sums(self) -> Floats:
        """Sums of the rows of layer 1's pattern: 1, or less where it leaks; shape (T,)."""
        return sealed(self.pattern_1.sum(axis=1))

    @property
    def lost(self) -> Bools:
        """The cells of later keys that get over 1 % of attention without a mask; (T, T)."""
        return np.triu(self.unmasked_1, 1) > _LEAST_LOSS

    @cached_property
    def leaks(self) -> Ints:
        """The rows of layer 1 that lose over 1 % of attention to the future; (0 to T,)."""
        return sealed_ints(np.flatnonzero(self.row_sums < 1 - _LEAST_LOSS))
