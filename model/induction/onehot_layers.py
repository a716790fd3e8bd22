"""The one-hot induction head: two layers whose matrices are blocks of 0, 1 and one scale.

Source: lecture slides on a one-hot induction head. A row is [one-hot token | one-hot position].
Layer 0 attends to the position before and overwrites the position with its token. Layer 1 attends
to positions where this previous token equals the current token of the query, and copies their
current token. The slides count layers from 1 and have no residual stream: a skip matrix per layer
selects what is passed on. Equation (3) of the slides divides by a sum over all positions, including
later ones; causal attention masks first. This module has both readings: they differ in rows with a
match in the future, and agree in the last row. On the slides, token and position have d/2
coordinates each; in general h = max(V, T) and d = 2h.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values, check_float, check_int
from clockhead.model.attention.head import AttentionHead, Mask
from clockhead.model.induction.continuation import Case, Continuation, continuation
from clockhead.model.induction.prompts import BOS_TOKEN, LETTER_TOKENS, letter_vocabulary
from clockhead.model.tokens import Vocabulary, one_hot, token_name
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
"""The example text of the slides, in which `!` is BOS."""
SCALE_LIMIT = 1e6
_MASKS: dict[Reading, Mask] = {"causal": "before softmax", "literal": "after softmax"}


def onehot_vocabulary(tokens: Sequence[str]) -> Vocabulary:
    """The six tokens of the slides if they include all `tokens`, otherwise the different tokens.

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
        Floats, Doc("compares positions: c for the position that is found, -c for others; (d, d)")
    ]
    w_ov_0: Annotated[
        Floats, Doc("copies the token of the attended position into the second half; (d, d)")
    ]
    w_skip_0: Annotated[Floats, Doc("passes the current token on; (d, d)")]
    w_qk_1: Annotated[
        Floats,
        Doc("compares the query's current token with the key's previous token, c if equal; (d, d)"),
    ]
    w_ov_1: Annotated[
        Floats, Doc("copies the current token of the attended position, times g; (d, d)")
    ]
    w_skip_1: Annotated[Floats, Doc("passes nothing on: all 0; (d, d)")]
    n_blocks: Annotated[
        Count, Doc("number of blocks that are not all 0, five of the 24 in the six matrices")
    ]


def onehot_blocks(
    half: int, sharpness: float = 100.0, gain: float = 100.0, offset: int = 1
) -> OneHotBlocks:
    """The matrices for `half` = h; `sharpness` is the c of A_0 and A_1, `gain` the g of V_1.

    The slides have 100 for both. A_0 attends `offset` positions back, 1 on the slides; the first
    `offset` positions attend to position 0. Raises ValueError for half or offset < 1 and for scales
    not above 0.
    """
    check_int("offset", offset, at_least=1)
    size = check_int("half", half, at_least=1)
    c = check_float("sharpness", sharpness, above=0, at_most=SCALE_LIMIT)
    g = check_float("gain", gain, above=0, at_most=SCALE_LIMIT)
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
    """One pass of the two layers on a text, under one of the two readings."""

    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    vocabulary: Annotated[Vocabulary, Doc("all tokens of the model; V of them")]
    gain: Annotated[Factor, Doc("scale of the output, g")]
    offset: Annotated[Positions, Doc("how many positions back layer 0 attends, 1 on the slides")]

    # The text
    text: Annotated[
        Continuation, Doc("earlier positions of the last token, and what followed it there")
    ]
    case: Annotated[
        Case,
        Doc("whether one token, several different ones or none followed the last token before"),
    ]
    n_tokens: Annotated[Tokens, Doc("length of the text, BOS counted")]
    n_vocab: Annotated[Tokens, Doc("size of the vocabulary")]
    last: Annotated[Position, Doc("position of the last token, which makes the query")]
    absent: Annotated[
        tuple[str, ...],
        Doc("tokens of the vocabulary that are not in the text, whose columns stay empty"),
    ]
    n_absent: Annotated[Count, Doc("number of tokens of the vocabulary that are not in the text")]
    repeated: Annotated[
        tuple[int, int],
        Doc("two positions of the token whose repeat is latest: its first one and that repeat"),
    ]
    has_repeated: Annotated[bool, Doc("whether a token is repeated in the text")]

    # Layer 0
    weights: Annotated[OneHotBlocks, Doc("the matrices of both layers, for h = max(V, T)")]
    positions: Annotated[Ints, Doc("0 .. T - 1; (T,)")]
    resid_pre: Annotated[Floats, Doc("Y(0) = [one-hot token | one-hot position]; (T, 2h)")]
    resid_tokens: Annotated[
        Floats, Doc("Y(0) without its positions: the second half is 0; (T, 2h)")
    ]
    scores_0: Annotated[
        Floats, Doc("Y(0) A_0 Y(0)^T, equation (4): c at the position before, -c elsewhere; (T, T)")
    ]
    pattern_0: Annotated[Floats, Doc("attention weights of layer 0, equation (5); (T, T)")]
    sources: Annotated[Ints, Doc("position that each row of layer 0 attends to; (T,)")]
    worst_weight: Annotated[
        Share, Doc("smallest attention weight of layer 0 on the position it looks for")
    ]
    resid_mid: Annotated[Floats, Doc("Y(1) = [current token | previous token], (6); (T, 2h)")]
    stored: Annotated[
        tuple[str, ...], Doc("token that every position stores as its previous one; T of them")
    ]

    # Layer 1
    passed_1: Annotated[Floats, Doc("what W_1 passes on of Y(1): nothing, all 0; (T, 2h)")]
    scores_1: Annotated[
        Floats,
        Doc("Y(1) A_1 Y(1)^T, equation (9): c where token i equals the one before j; (T, T)"),
    ]
    pattern_1: Annotated[Floats, Doc("attention weights of layer 1, equation (10); (T, T)")]
    matches: Annotated[Ints, Doc("positions that store the last token; (0 to T,)")]
    n_matches: Annotated[Count, Doc("number of positions that store the last token")]
    copied: Annotated[
        tuple[str, ...], Doc("different tokens at the matches, in order of first appearance")
    ]
    hero: Annotated[
        Position,
        Doc("position to highlight: the first match, or the last position if there is none"),
    ]
    hero_named: Annotated[
        str, Doc("token at that position in quotes, with its position if the text repeats it")
    ]
    resid_post: Annotated[
        Floats, Doc("Y(2), (11): g times the attention weight on every token; (T, 2h)")
    ]
    shares: Annotated[Floats, Doc("Y(2) over g, for the tokens of the vocabulary; (T, V)")]
    output: Annotated[Floats, Doc("last row of these; (V,)")]
    predictions: Annotated[
        Ints, Doc("token of the largest output in every row, the first if several tie; (T,)")
    ]
    prediction: Annotated[str, Doc("predicted token after the last one")]
    leaders: Annotated[
        tuple[str, ...], Doc("tokens of the largest output in the last row, several if they tie")
    ]
    n_leaders: Annotated[Count, Doc("number of tokens with the largest output in the last row")]


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
    head_0 = AttentionHead.from_qk(w.w_qk_0, w.w_ov_0, _MASKS[reading]).run(resid_pre)
    sources = np.maximum(positions - offset, 0)  # (T,)
    resid_mid = head_0.head_out + resid_pre @ w.w_skip_0.T  # (T, 2h)
    stored = tuple(vocabulary.tokens[place] for place in resid_mid[:, half:].argmax(axis=1))

    head_1 = AttentionHead.from_qk(w.w_qk_1, w.w_ov_1, _MASKS[reading]).run(resid_mid)
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
        hero_named=token_name(tokens, hero),
        resid_post=resid_post,
        shares=shares,
        output=shares[-1],
        predictions=predictions,
        prediction=vocabulary.tokens[int(predictions[-1])],
        leaders=tuple(vocabulary.tokens[place] for place in best),
        n_leaders=len(best),
    )
