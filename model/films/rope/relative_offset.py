"""A query and a key that are moved together, and then the key alone.

Source: Chris Wendler's RoPE transformer, section 2. Moved together, they keep their offset n - m
and so their score. Moved alone, the key changes its score, which may yet come back: a pair that is
rotated all the way round stands as before, and the fastest does so after 2 pi / theta positions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.films.rope.dot_product import RotatedDotProduct, rotated_dot_product
from clockhead.model.films.rope.words import WordScores
from clockhead.model.rope.rotation import FULL_TURN, rope_phases, rotate
from clockhead.model.rounding import decimals_that_add_up
from clockhead.model.units import (
    Count,
    Difference,
    Doc,
    Position,
    Positions,
    Score,
    SignedPositions,
)

ROUND = 0.3
"""Radians by which a pair that has come round may miss whole turns."""

BACK = 0.1
"""Share of the first score by which a score that is back may miss it."""

DRAG_STEPS = 61
"""Moments of the way of both."""

WALK_STEPS = 24
"""Moments of the key's way from one position to the next."""


@dataclass(frozen=True, kw_only=True, eq=False)
class DraggedWords(Values):
    """The asking word's query and the first word's key, moved together, then the key alone.

    The key strays away from the query, back if both stand at one position, and forward where it
    would pass position 0.
    """

    words: WordScores
    near: Annotated[RotatedDotProduct, Doc("query and key before the move")]
    far: Annotated[RotatedDotProduct, Doc("query and key after the move")]
    shift: Annotated[SignedPositions, Doc("how far both move, negative towards the beginning")]
    distance: Annotated[Positions, Doc("how far both move, in either direction")]
    shift_phases: Annotated[Floats, Doc("radians that the move turns every pair; (d_head/2,)")]
    score_change: Annotated[Difference, Doc("by how much the move changes the score")]
    drag_terms: Annotated[
        Floats, Doc("what every pair adds to the score on the move; (S, d_head/2)")
    ]
    drag_scores: Annotated[Floats, Doc("the score on the move; (S,)")]

    stray: Annotated[Positions, Doc("how far the key moves alone at first")]
    stray_far: Annotated[Positions, Doc("how far the key has moved alone in the end")]
    stray_far_n: Annotated[Position, Doc("the position of the key in the end")]
    stray_score: Annotated[Score, Doc("the score after `stray` positions of the key alone")]
    stray_far_score: Annotated[Score, Doc("the score after `stray_far` positions of the key alone")]
    walk_positions: Annotated[Floats, Doc("the key alone, position by position on its way; (W,)")]
    walk_offsets: Annotated[Floats, Doc("key position minus query position on this way; (W,)")]
    walk_key_pairs: Annotated[Floats, Doc("the pairs of the key on this way; (W, d_head/2, 2)")]
    walk_pair_angles: Annotated[
        Floats, Doc("radians from each pair of the query to the key's, on and on; (W, d_head/2)")
    ]
    walk_terms: Annotated[Floats, Doc("what every pair adds to the score; (W, d_head/2)")]
    walk_scores: Annotated[Floats, Doc("the score on this way; (W,)")]

    nearest: Annotated[Positions, Doc("how close query and key come to each other")]
    n_decimals: Annotated[
        Count, Doc("the fewest decimals, 2 to 4, at which terms as written add up to their scores")
    ]
    stray_looks_alike: Annotated[
        bool, Doc("whether the score after `stray` positions is the same to two decimals")
    ]
    is_back: Annotated[
        bool, Doc("whether the last score is that before to two decimals, or within a tenth")
    ]
    fast_pair_comes_round: Annotated[
        bool, Doc("whether the first pair is the fastest and has gone round, to within .3 radians")
    ]
    comes_back_round: Annotated[bool, Doc("whether both are so")]


def dragged_words(
    words: WordScores, m: int, n: int, shift: int, stray: int, stray_far: int
) -> DraggedWords:
    """Both words moved by `shift`; then the key alone by `stray` and by `stray_far` positions.

    Raises ValueError for no shift, positions below 0, and unless stray_far lies beyond stray.
    """
    if shift == 0:
        raise ValueError(f"far_m must be another position than m, got {m} twice")
    if stray_far <= stray:
        raise ValueError(f"stray_far must be above stray, got {stray_far} and {stray}")
    query, key, rates = words.query, words.keys[0], words.frequencies
    near = rotated_dot_product(query, key, rates, m, n)
    far = rotated_dot_product(query, key, rates, m + shift, n + shift)
    dragged = shift * np.linspace(0, 1, DRAG_STEPS)  # (S,)
    drag_terms, _ = _terms(words, m + dragged, n + dragged)  # (S, d_head/2)

    away = -1 if far.offset <= 0 else 1
    way = 1 if far.n + away * stray_far < 0 else away
    strays = [
        rotated_dot_product(query, key, rates, far.m, far.n + way * steps)
        for steps in (stray, stray_far)
    ]
    gone = way * np.arange(WALK_STEPS * stray_far + 1) / WALK_STEPS  # (W,)
    walk = far.n + gone  # (W,)
    walk_terms, key_pairs = _terms(words, np.full_like(walk, far.m), walk)
    apart = np.linalg.norm(far.query_pairs, axis=-1) * np.linalg.norm(far.key_pairs, axis=-1)
    angles = far.pair_angles + rope_phases(gone, rates)  # (W, d_head/2)

    places = [near, *strays]
    turn = stray_far * rates[0]
    turns = round(float(turn) / FULL_TURN)
    fastest = len(rates) > 1 and bool(rates[0] > rates[1:].max())
    round_again = fastest and turns >= 1 and bool(abs(turn - turns * FULL_TURN) < ROUND)
    first, last = (place.score for place in strays)
    is_back = _written(last) == _written(far.score) or (
        abs(last - far.score) < BACK * abs(far.score)
    )
    return DraggedWords(
        words=words,
        near=near,
        far=far,
        shift=shift,
        distance=abs(shift),
        shift_phases=rope_phases(shift, rates),
        score_change=abs(far.score - near.score),
        drag_terms=drag_terms,
        drag_scores=drag_terms.sum(axis=-1),
        stray=stray,
        stray_far=stray_far,
        stray_far_n=strays[1].n,
        stray_score=first,
        stray_far_score=last,
        walk_positions=walk,
        walk_offsets=walk - far.m,
        walk_key_pairs=key_pairs,
        walk_pair_angles=np.where(apart > 0, angles, 0.0),
        walk_terms=walk_terms,
        walk_scores=walk_terms.sum(axis=-1),
        nearest=round(float(np.abs(walk - far.m).min())),
        n_decimals=decimals_that_add_up([p.terms for p in places], [p.score for p in places]),
        stray_looks_alike=_written(first) == _written(far.score),
        is_back=is_back,
        fast_pair_comes_round=round_again,
        comes_back_round=is_back and round_again,
    )


def _terms(words: WordScores, ms: Floats, ns: Floats) -> tuple[Floats, Floats]:
    """What every pair adds to the score at positions (S,) of both, and the key's pairs."""
    queries = rotate(words.query, ms, words.frequencies).reshape(len(ms), -1, 2)
    keys = rotate(words.keys[0], ns, words.frequencies).reshape(len(ns), -1, 2)
    return (queries * keys).sum(axis=-1), keys


def _written(score: float) -> float:
    """A score to two decimals, of which none is a negative zero."""
    return round(score, 2) + 0.0
