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
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values, real, whole
from clockhead.model.attention.head import AttentionHead, Mask
from clockhead.model.induction.continuation import Case, Continuation, continuation
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


def onehot_vocabulary(tokens: Sequence[str]) -> Vocabulary:
    """The six tokens of the slides if they hold all of `tokens`; otherwise the different ones.

    Raises ValueError for a token that is neither BOS nor a letter nor the space.
    """
    LETTER_TOKENS.encode(tokens)
    known = set(tokens) <= set(SLIDE_LETTERS.tokens)
    return SLIDE_LETTERS if known else letter_vocabulary(tokens)


@dataclass(frozen=True, kw_only=True, eq=False)
class OneHotBlocks(Values):
    """W_QK, W_OV and the skip matrix of both layers, in blocks of (h, h); d = 2h.

    The slides call them A, V and W.
    """

    half: Annotated[Coordinates, Doc("width of each half, h")]
    d_model: Annotated[Coordinates, Doc("width of a row, 2h")]
    sharpness: Annotated[ScoreScale, Doc("scale of the scores of both layers, c")]
    gain: Annotated[Factor, Doc("scale of the output, g")]
    w_qk_0: Annotated[
        Floats, Doc("position to position: c for the one found, -c elsewhere; (d, d)")
    ]
    w_ov_0: Annotated[
        Floats, Doc("the token of the attended position, to where positions stand; (d, d)")
    ]
    w_skip_0: Annotated[Floats, Doc("the current token, passed through; (d, d)")]
    w_qk_1: Annotated[
        Floats, Doc("current token of the query to previous token of the key, c if equal; (d, d)")
    ]
    w_ov_1: Annotated[Floats, Doc("the current token of the attended position, times g; (d, d)")]
    w_skip_1: Annotated[Floats, Doc("nothing is passed through: all 0; (d, d)")]
    n_blocks: Annotated[
        Count, Doc("how many of the 24 blocks of the six matrices are not all 0, five")
    ]


def onehot_blocks(
    half: int, sharpness: float = 100.0, gain: float = 100.0, offset: int = 1
) -> OneHotBlocks:
    """The matrices for `half` = h; `sharpness` is the c of A_0 and A_1, `gain` the g of V_1.

    The slides have 100 for both. A_0 looks `offset` positions back, 1 on the slides; those that
    have none there take position 0. Raises ValueError for half or offset < 1 and for scales not
    above 0.
    """
    whole("offset", offset, at_least=1)
    size = whole("half", half, at_least=1)
    c = real("sharpness", sharpness, above=0, at_most=SCALE_LIMIT)
    g = real("gain", gain, above=0, at_most=SCALE_LIMIT)
    unit = np.eye(size)
    found = np.eye(size, k=-offset)  # (h, h)
    found[1:offset, 0] = 1

    def block(row: int, column: int, entries: Floats) -> Floats:
        matrix = np.zeros((2, size, 2, size))  # (d, d), by halves
        matrix[row, :, column] = entries
        return matrix.reshape(2 * size, 2 * size)

    layer_0 = block(1, 1, c * (2 * found - 1)), block(1, 0, unit), block(0, 0, unit)
    layer_1 = block(0, 1, c * unit), block(0, 0, g * unit), np.zeros((2 * size, 2 * size))
    blocks = np.stack([*layer_0, *layer_1]).reshape(6, 2, size, 2, size)
    return OneHotBlocks(
        half=size,
        d_model=2 * size,
        sharpness=c,
        gain=g,
        w_qk_0=layer_0[0],
        w_ov_0=layer_0[1],
        w_skip_0=layer_0[2],
        w_qk_1=layer_1[0],
        w_ov_1=layer_1[1],
        w_skip_1=layer_1[2],
        n_blocks=int((blocks != 0).any(axis=(2, 4)).sum()),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class OneHotLayers(Values):
    """The slides' two layers at work on a text, under one of two readings."""

    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    vocabulary: Annotated[Vocabulary, Doc("the tokens there are; V of them")]
    gain: Annotated[Factor, Doc("scale of the output, g")]
    offset: Annotated[Positions, Doc("how many positions back layer 0 looks, 1 on the slides")]

    # The text
    text: Annotated[Continuation, Doc("where the last token stood before, and what followed it")]
    case: Annotated[
        Case, Doc("whether one token, several different ones or none followed the last one before")
    ]
    n_tokens: Annotated[Tokens, Doc("length of the text, BOS counted")]
    n_vocab: Annotated[Tokens, Doc("how many tokens the vocabulary has")]
    last: Annotated[Position, Doc("the position of the last token, which asks")]
    absent: Annotated[
        tuple[str, ...], Doc("the tokens that the text does not have, whose columns stay empty")
    ]
    n_absent: Annotated[Count, Doc("how many tokens of the vocabulary the text does not have")]
    repeated: Annotated[
        tuple[int, int], Doc("the first and last position of the last token that stands twice")
    ]
    has_repeated: Annotated[bool, Doc("whether a token stands twice")]

    # Layer 0
    weights: Annotated[OneHotBlocks, Doc("the matrices of both layers, for h = max(V, T)")]
    positions: Annotated[Ints, Doc("0 .. T - 1; (T,)")]
    resid_pre: Annotated[Floats, Doc("Y(0) = [one-hot token | one-hot position]; (T, 2h)")]
    resid_tokens: Annotated[Floats, Doc("Y(0) with only its tokens: its second half is 0; (T, 2h)")]
    scores_0: Annotated[
        Floats, Doc("Y(0) A_0 Y(0)^T, equation (4): c at the position before, -c elsewhere; (T, T)")
    ]
    pattern_0: Annotated[Floats, Doc("attention of layer 0, equation (5); (T, T)")]
    sources: Annotated[Ints, Doc("the position that layer 0 finds for every one; (T,)")]
    worst_weight: Annotated[Share, Doc("the least attention of layer 0 on what it looks for")]
    resid_mid: Annotated[Floats, Doc("Y(1) = [current token | previous token], (6); (T, 2h)")]
    stored: Annotated[
        tuple[str, ...], Doc("the token that every position holds as its previous one; T of them")
    ]

    # Layer 1
    passed_1: Annotated[Floats, Doc("what W_1 lets through of Y(1): nothing; (T, 2h)")]
    scores_1: Annotated[
        Floats, Doc("Y(1) A_1 Y(1)^T, equation (9): c where token i is the one before j; (T, T)")
    ]
    pattern_1: Annotated[Floats, Doc("attention of layer 1, equation (10); (T, T)")]
    matches: Annotated[Ints, Doc("the positions whose stored token is the last one; (0 to T,)")]
    n_matches: Annotated[Count, Doc("how many positions store the last token")]
    copied: Annotated[tuple[str, ...], Doc("the different tokens that stand there, in their order")]
    hero: Annotated[Position, Doc("the position that is followed: the first match, or the last")]
    hero_named: Annotated[str, Doc("its token in quotes, with its position where it stands again")]
    resid_post: Annotated[Floats, Doc("Y(2), (11): g times the share of every token; (T, 2h)")]
    shares: Annotated[Floats, Doc("Y(2) over g at the tokens of the vocabulary; (T, V)")]
    output: Annotated[Floats, Doc("the shares of the last row; (V,)")]
    predictions: Annotated[
        Ints, Doc("the token of the largest share in every row, the first of equals; (T,)")
    ]
    prediction: Annotated[str, Doc("what comes after the last token")]
    leaders: Annotated[
        tuple[str, ...], Doc("the tokens of the largest share in the last row, several if they tie")
    ]
    n_leaders: Annotated[Count, Doc("how many tokens have the largest share in the last row")]


def onehot_layers(
    tokens: tuple[str, ...],
    vocabulary: Vocabulary,
    reading: Reading = "causal",
    *,
    sharpness: float = 100.0,
    gain: float = 100.0,
    offset: int = 1,
) -> OneHotLayers:
    """Run both layers on `tokens`, all from `vocabulary`.

    `causal` masks before the softmax; `literal` is equation (3), whose rows need not sum to 1.
    Raises ValueError for a token outside the vocabulary and scales out of bounds.
    """
    text, n, n_vocab = continuation(tokens, vocabulary), len(tokens), len(vocabulary)
    w = onehot_blocks(max(n_vocab, n), sharpness, gain, offset)
    positions, half = np.arange(n), w.half
    again = [place for place in range(n) if tokens[place] in tokens[:place]]
    repeated = (tokens.index(tokens[again[-1]]), again[-1]) if again else (n - 1, n - 1)
    absent = tuple(token for token in vocabulary.tokens if token not in tokens)

    resid_pre = np.hstack([one_hot(text.indices, half), one_hot(positions, half)])  # (T, 2h)
    head_0 = AttentionHead.from_qk(w.w_qk_0, w.w_ov_0, _MASKS[reading]).on(resid_pre)
    sources = np.maximum(positions - offset, 0)  # (T,)
    resid_mid = head_0.head_out + resid_pre @ w.w_skip_0.T  # (T, 2h)
    stored = tuple(vocabulary.tokens[place] for place in resid_mid[:, half:].argmax(axis=1))

    head_1 = AttentionHead.from_qk(w.w_qk_1, w.w_ov_1, _MASKS[reading]).on(resid_mid)
    passed_1 = resid_mid @ w.w_skip_1.T  # (T, 2h)
    resid_post = head_1.head_out + passed_1
    matches = np.flatnonzero(vocabulary.encode(stored) == text.indices[-1])
    hero = int(matches[0]) if matches.size else n - 1
    shares = resid_post[:, :n_vocab] / gain  # (T, V)
    predictions = shares.argmax(axis=1)  # (T,)
    best = np.flatnonzero(np.isclose(shares[-1], shares[-1].max()))
    return OneHotLayers(
        tokens=tokens,
        vocabulary=vocabulary,
        gain=gain,
        offset=offset,
        text=text,
        case=text.case,
        n_tokens=n,
        n_vocab=n_vocab,
        last=n - 1,
        absent=absent,
        n_absent=len(absent),
        repeated=repeated,
        has_repeated=bool(again),
        weights=w,
        positions=positions,
        resid_pre=resid_pre,
        resid_tokens=resid_pre * (np.arange(2 * half) < half),
        scores_0=head_0.scores,
        pattern_0=head_0.pattern,
        sources=sources,
        worst_weight=float(head_0.pattern[positions, sources].min()),
        resid_mid=resid_mid,
        stored=stored,
        passed_1=passed_1,
        scores_1=head_1.scores,
        pattern_1=head_1.pattern,
        matches=matches,
        n_matches=len(matches),
        copied=tuple(dict.fromkeys(tokens[match] for match in matches)),
        hero=hero,
        hero_named=named(tokens, hero),
        resid_post=resid_post,
        shares=shares,
        output=shares[-1],
        predictions=predictions,
        prediction=vocabulary.tokens[int(predictions[-1])],
        leaders=tuple(vocabulary.tokens[place] for place in best),
        n_leaders=len(best),
    )
