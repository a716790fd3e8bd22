"""A previous-token head on a long text: the cosine of every pair, by distance from the query.

Source: Chris Wendler's RoPE transformer, section 3. All tokens have the same key; the query of the
last token is this key, rotated back by one position, so that it agrees with the token before.
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

STEPS_PER_TOKEN = 8
"""Number of steps from one token to the next."""
PAUSE_DISTANCE = 9
"""Distance from the target, in tokens, at which a key on its way back pauses."""

ALMOST_ALL = float(np.nextafter(1.0, 0.0))
"""Upper limit of the target's attention weight: rounding must not make it 1."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LookingBack(Values):
    """The last row of a previous-token head, with scores by distance from the last token."""

    long: Annotated[Tokens, Doc("length of the text")]
    n_pairs: Annotated[Count, Doc("number of pairs of the head")]
    alpha: Annotated[ScoreScale, Doc("scale of the scores: the part of a pair with cosine 1")]
    frequencies: Annotated[Floats, Doc("radians per position of each pair; (d_head/2,)")]
    target: Annotated[Position, Doc("position of the target, before the last token")]
    back: Annotated[Ints, Doc("distance of each token from the last; (long,)")]
    way: Annotated[
        Floats,
        Doc("distance from the last token of a key that moves from the first token on; (W,)"),
    ]
    way_phases: Annotated[Floats, Doc("radians that its position turns this key; (W, d_head/2)")]
    places: Annotated[Floats, Doc("distances from the last token, from 1 on; (X,)")]
    key_phases: Annotated[
        Floats, Doc("radians from the query to the key at each distance; (X, d_head/2)")
    ]
    waves: Annotated[Floats, Doc("cosine of every pair at each distance; (d_head/2, X)")]
    parts: Annotated[
        Floats, Doc("alpha times these cosines, the part of every pair in the score; (d_head/2, X)")
    ]
    piles: Annotated[
        Floats, Doc("sums of each pair's part and those of all slower pairs; (d_head/2, X)")
    ]
    score: Annotated[Floats, Doc("score at each distance, the sum of all parts; (X,)")]
    last_phases: Annotated[
        Floats, Doc("radians that the last token's position turns each pair; (d_head/2,)")
    ]
    query_phases: Annotated[
        Floats, Doc("radians that its query is rotated, one position less; (d_head/2,)")
    ]
    slow_hands_stay: Annotated[
        bool, Doc("whether the slowest pair turns by less than half a radian over the text")
    ]
    step_back: Annotated[Floats, Doc("radians from the last token's key to its query; (d_head/2,)")]
    turned_upright: Annotated[
        Floats,
        Doc("the query's angles after the picture is rotated to point it up, 0; (d_head/2,)"),
    ]

    full: Annotated[Score, Doc("score of the word before")]
    words: Annotated[Ints, Doc("distances of all other tokens from the last; (long - 1,)")]
    word_scores: Annotated[Floats, Doc("scores of these tokens; (long - 1,)")]
    second_back: Annotated[Positions, Doc("how far back the word with the second highest score is")]
    second_score: Annotated[Score, Doc("second highest score")]
    gap: Annotated[Difference, Doc("lead of the word before, in score")]
    times: Annotated[Factor, Doc("how many times less attention the second word gets")]
    row: Annotated[Floats, Doc("attention weights of the last token; (long,)")]
    weight: Annotated[Share, Doc("attention weight on the word before")]


def word_before(long: int, d_head: int, alpha: float, base: float) -> LookingBack:
    """The last row of a head with the frequencies of `base`, on `long` tokens."""
    return looking_back(previous_token_head(long, d_head, alpha, base))


def looking_back(head: PreviousTokenHead) -> LookingBack:
    """The last row of a head."""
    long, own, target = head.n_tokens, head.frequencies, head.n_tokens - 2
    way = np.arange(STEPS_PER_TOKEN * target + 1) / STEPS_PER_TOKEN  # (X,)
    waves = phase_cosines(way, own).T  # (d_head/2, X)
    piles = (head.alpha * waves)[::-1].cumsum(axis=0)[::-1]  # (d_head/2, X)
    word_scores, row = piles[0, ::STEPS_PER_TOKEN], head.pattern[-1]  # (long - 1,), (long,)
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
