"""A query and a key that are moved together, and then the key alone.

Source: Chris Wendler's RoPE transformer, section 2, (R_m q)^T (R_n k) = q^T R_(n - m) k. Moved
together, query and key keep their offset n - m and so their score; both turned back by m, only the
key is rotated, by the offset. Moved alone, the key changes its score, which may yet come back: a
pair that is rotated all the way round stands as before, and the fastest does so after 2 pi / theta
positions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.films.rope.dot_product import RotatedDotProduct, rotated_dot_product
from clockhead.model.films.rope.words import WordScores
from clockhead.model.rope.rotation import (
    FULL_TURN,
    composed_rotation,
    rope_phases,
    rotate,
    rotation_matrix,
)
from clockhead.model.rounding import decimals_that_add_up
from clockhead.model.units import Count, Difference, Doc, Position, Positions, Score

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

    Both are turned back until the query stands at 0; then the key strays away from it, back if both
    stand at one position.
    """

    words: WordScores
    near: Annotated[RotatedDotProduct, Doc("query and key before the move")]
    far: Annotated[RotatedDotProduct, Doc("query and key after the move")]
    shift: Annotated[Positions, Doc("how far both move")]
    shift_phases: Annotated[Floats, Doc("radians that the move turns every pair; (d_head/2,)")]
    score_change: Annotated[Difference, Doc("by how much the move changes the score")]
    drag_terms: Annotated[
        Floats, Doc("what every pair adds to the score on the move; (S, d_head/2)")
    ]
    drag_scores: Annotated[Floats, Doc("the score on the move; (S,)")]

    home: Annotated[Position, Doc("where the query stands once both are turned back")]
    home_phases: Annotated[Floats, Doc("radians that turns every pair; (d_head/2,)")]
    home_terms: Annotated[Floats, Doc("what every pair adds on the way; (S, d_head/2)")]
    home_scores: Annotated[Floats, Doc("the score on the way; (S,)")]
    largest_difference: Annotated[
        Difference, Doc("the largest entry of R_m^T R_n minus R_(n - m), which is rounding alone")
    ]

    stray: Annotated[Positions, Doc("how far the key moves alone at first")]
    stray_far: Annotated[Positions, Doc("how far the key has moved alone in the end")]
    stray_score: Annotated[Score, Doc("the score after `stray` positions of the key alone")]
    stray_far_score: Annotated[Score, Doc("the score after `stray_far` positions of the key alone")]
    walk_offsets: Annotated[Floats, Doc("n - m as the key goes alone, step by step; (W,)")]
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
        bool, Doc("whether the score after `stray` positions is written like the first one")
    ]
    is_back: Annotated[
        bool, Doc("whether the last score is about the first one, or written like it")
    ]
    fast_pair_comes_round: Annotated[
        bool, Doc("whether the fastest pair of several has come round in the end")
    ]
    comes_back_round: Annotated[bool, Doc("whether both are so")]


def dragged_words(
    words: WordScores, m: int, n: int, shift: int, stray: int, stray_far: int
) -> DraggedWords:
    """Both words moved by `shift`; then the key alone by `stray` and by `stray_far` positions.

    Raises ValueError unless stray_far lies beyond stray.
    """
    if stray_far <= stray:
        raise ValueError(f"stray_far must be above stray, got {stray_far} and {stray}")
    query, key, rates = words.query, words.keys[0], words.frequencies
    near = rotated_dot_product(query, key, rates, m, n)
    far = rotated_dot_product(query, key, rates, m + shift, n + shift)
    share = np.linspace(0, 1, DRAG_STEPS)  # (S,)
    drag_terms, _ = _terms(words, m + shift * share, n + shift * share)  # (S, d_head/2)
    back = (m + shift) * share  # (S,)
    home_terms, _ = _terms(words, m + shift - back, n + shift - back)  # (S, d_head/2)
    composed = composed_rotation(m, n, rates)  # (d_head, d_head)

    way = -1 if near.offset <= 0 else 1
    gone = way * np.arange(WALK_STEPS * stray_far + 1) / WALK_STEPS  # (W,)
    offsets = near.offset + gone  # (W,)
    walk_terms, key_pairs = _terms(words, 0 * offsets, offsets)
    scores = walk_terms.sum(axis=-1)  # (W,)
    lengths = np.linalg.norm(near.query_pairs, axis=-1) * np.linalg.norm(near.key_pairs, axis=-1)
    angles = near.pair_angles + rope_phases(gone, rates)  # (W, d_head/2)

    places = WALK_STEPS * np.array([0, stray, stray_far])
    turn = float(stray_far * rates[0])
    turns = round(turn / FULL_TURN)
    round_again = turns >= 1 and abs(turn - turns * FULL_TURN) < ROUND
    before, first, last = (float(score) for score in scores[places])
    is_back = _written(last) == _written(before) or abs(last - before) < BACK * abs(before)
    return DraggedWords(
        words=words,
        near=near,
        far=far,
        shift=shift,
        shift_phases=rope_phases(shift, rates),
        score_change=abs(far.score - near.score),
        drag_terms=drag_terms,
        drag_scores=drag_terms.sum(axis=-1),
        home=0,
        home_phases=rope_phases(m + shift, rates),
        home_terms=home_terms,
        home_scores=home_terms.sum(axis=-1),
        largest_difference=float(np.abs(composed - rotation_matrix(n - m, rates)).max()),
        stray=stray,
        stray_far=stray_far,
        stray_score=first,
        stray_far_score=last,
        walk_offsets=offsets,
        walk_key_pairs=key_pairs,
        walk_pair_angles=np.where(lengths > 0, angles, 0.0),
        walk_terms=walk_terms,
        walk_scores=scores,
        nearest=round(float(np.abs(offsets).min())),
        n_decimals=decimals_that_add_up([*walk_terms[places]], [*scores[places]]),
        stray_looks_alike=_written(first) == _written(before),
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
