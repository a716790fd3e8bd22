"""A previous-token head with a long text: the heights of its clock hands, back through the text.

Source: Chris Wendler's RoPE transformer, section 3. All tokens have one key; the query of the last
token is this key, turned back by one position, so that it agrees with the token before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.previous_token.head import PreviousTokenHead, previous_token_head
from clockhead.model.rope.rotation import phase_cosines, rope_phases
from clockhead.model.units import (
    Count,
    Difference,
    Doc,
    Factor,
    Position,
    Positions,
    Score,
    ScoreScale,
    Share,
    Tokens,
)

EACH = 8
"""Steps from one token to the next."""
PAUSE = 9
"""Tokens before the target at which a key on its way pauses."""

ALMOST_ALL = float(np.nextafter(1.0, 0.0))
"""The most that a target gets, as others are visible too, though it may be lost in rounding."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LookingBack(Values):
    """The last token of a text looks for its target, the one before it. Keys go back from there."""

    long: Annotated[Tokens, Doc("tokens in the text")]
    n_pairs: Annotated[Count, Doc("how many pairs the head has")]
    alpha: Annotated[ScoreScale, Doc("what a pair adds to the score if it agrees")]
    frequencies: Annotated[Floats, Doc("radians per position of each pair; (d_head/2,)")]
    target: Annotated[Position, Doc("the target's place, before the last token")]
    back: Annotated[Ints, Doc("how far each token stands before the last; (long,)")]
    way: Annotated[Floats, Doc("how far a key stands before it from the first on; (W,)")]
    way_phases: Annotated[Floats, Doc("radians that its place turns it; (W, d_head/2)")]
    places: Annotated[Floats, Doc("how far before the last token a key stands, from 1 on; (X,)")]
    key_phases: Annotated[Floats, Doc("radians from the query to it; (X, d_head/2)")]
    waves: Annotated[Floats, Doc("the height of every pair there; (d_head/2, X)")]
    parts: Annotated[Floats, Doc("alpha times these heights; (d_head/2, X)")]
    piles: Annotated[Floats, Doc("the sum of each and of all slower ones; (d_head/2, X)")]
    score: Annotated[Floats, Doc("the sum of all; (X,)")]
    last_phases: Annotated[Floats, Doc("radians that the last token's place turns; (d_head/2,)")]
    query_phases: Annotated[Floats, Doc("radians that its query is turned; (d_head/2,)")]
    slow_hands_stay: Annotated[bool, Doc("whether the slowest turns by less than half a radian")]
    step_back: Annotated[Floats, Doc("radians from the one to the other; (d_head/2,)")]
    turned_upright: Annotated[Floats, Doc("the same once it is held upright; (d_head/2,)")]

    full: Annotated[Score, Doc("the score of the word before")]
    words: Annotated[Ints, Doc("how far before the last token the others stand; (long - 1,)")]
    word_scores: Annotated[Floats, Doc("the scores of these; (long - 1,)")]
    second_back: Annotated[Positions, Doc("how far back the word with the second highest score is")]
    second_score: Annotated[Score, Doc("the second highest score")]
    gap: Annotated[Difference, Doc("the lead of the word before, in score")]
    times: Annotated[Factor, Doc("how many times less attention it gets")]
    row: Annotated[Floats, Doc("attention of the last token; (long,)")]
    weight: Annotated[Share, Doc("the attention that the word before gets")]


def word_before(long: int, d_head: int, alpha: float, base: float) -> LookingBack:
    """A head whose pairs turn with the schedule of `base`."""
    return in_a_long_text(previous_token_head(long, d_head, alpha, base))


def in_a_long_text(head: PreviousTokenHead) -> LookingBack:
    """The last row of a head."""
    long, own, target = head.n_tokens, head.frequencies, head.n_tokens - 2
    way = np.arange(EACH * target + 1) / EACH  # (X,)
    waves = phase_cosines(way, own).T  # (d_head/2, X)
    piles = (head.alpha * waves)[::-1].cumsum(axis=0)[::-1]  # (d_head/2, X)
    word_scores, row = piles[0, ::EACH], head.pattern[-1]  # (long - 1,), (long,)
    second = 1 + int(word_scores[1:].argmax())
    gap = float(word_scores[0] - word_scores[second])
    return LookingBack(
        long=long,
        n_pairs=head.n_pairs,
        alpha=head.alpha,
        frequencies=own,
        target=target,
        back=long - 1 - np.arange(long),
        way=1 + way[::-1],
        way_phases=rope_phases(way, own),
        places=1 + way,
        key_phases=rope_phases(-way, own),
        waves=waves,
        parts=head.alpha * waves,
        piles=piles.copy(),
        score=piles[0].copy(),
        last_phases=rope_phases(target + 1, own),
        query_phases=rope_phases(target, own),
        slow_hands_stay=bool(target * own[-1] < 0.5),
        step_back=-own,
        turned_upright=0 * own,
        full=head.alpha * head.n_pairs,
        words=1 + np.arange(long - 1),
        word_scores=word_scores.copy(),
        second_back=1 + second,
        second_score=float(word_scores[second]),
        gap=gap,
        times=float(np.exp(gap)),
        row=row.copy(),
        weight=min(float(row[target]), ALMOST_ALL),
    )
