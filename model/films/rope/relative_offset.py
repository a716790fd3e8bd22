"""A query and a key that are moved together, and then the key alone.

Source: Chris Wendler's RoPE transformer, section 2, (R_m q)^T (R_n k) = q^T R_(n - m) k. Moved
together, query and key keep their offset n - m and so their score; with both rotated back by m,
only the key is rotated, by the offset. If the key moves alone, the score changes, but it may
return, because the fastest pair makes a full turn after 2 pi / theta positions.
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

TURN_TOLERANCE = 0.3
"""Largest difference from whole turns, in radians, of a pair that counts as back at its start."""

SCORE_TOLERANCE = 0.1
"""Largest relative difference between the first score and one that counts as back."""

DRAG_STEPS = 61
"""Number of moments while both move."""

WALK_STEPS = 24
"""Number of moments per position while the key moves alone."""


@dataclass(frozen=True, kw_only=True, eq=False)
class DraggedWords(Values):
    """One word's query and the first word's key, moved together, and then the key alone.

    Both are moved back until the query is at position 0. Then the key moves away from the query,
    backwards if both are at the same position.
    """

    words: WordScores
    near: Annotated[RotatedDotProduct, Doc("query and key before the move")]
    far: Annotated[RotatedDotProduct, Doc("query and key after the move")]
    shift: Annotated[Positions, Doc("number of positions that both move")]
    shift_phases: Annotated[Floats, Doc("radians that the move turns every pair; (d_head/2,)")]
    score_change: Annotated[Difference, Doc("change of the score by the move")]
    drag_terms: Annotated[
        Floats, Doc("part of every pair in the score during the move; (S, d_head/2)")
    ]
    drag_scores: Annotated[Floats, Doc("score during the move; (S,)")]

    home: Annotated[Position, Doc("position of the query after both are moved back, 0")]
    home_phases: Annotated[Floats, Doc("radians that moving back turns every pair; (d_head/2,)")]
    home_terms: Annotated[
        Floats, Doc("part of every pair in the score while both move back; (S, d_head/2)")
    ]
    home_scores: Annotated[Floats, Doc("score while both move back; (S,)")]
    largest_difference: Annotated[
        Difference, Doc("largest entry of R_m^T R_n minus R_(n - m), only rounding")
    ]

    stray: Annotated[Positions, Doc("number of positions that the key moves alone at first")]
    stray_far: Annotated[
        Positions, Doc("number of positions that the key has moved alone at the end")
    ]
    stray_score: Annotated[Score, Doc("score after the key has moved alone by `stray` positions")]
    stray_far_score: Annotated[
        Score, Doc("score after the key has moved alone by `stray_far` positions")
    ]
    walk_offsets: Annotated[Floats, Doc("n - m while the key moves alone; (W,)")]
    walk_key_pairs: Annotated[
        Floats, Doc("pairs of the key while it moves alone; (W, d_head/2, 2)")
    ]
    walk_pair_angles: Annotated[
        Floats, Doc("radians from each pair of the query to the key's, not reduced; (W, d_head/2)")
    ]
    walk_terms: Annotated[
        Floats, Doc("part of every pair in the score while the key moves alone; (W, d_head/2)")
    ]
    walk_scores: Annotated[Floats, Doc("score while the key moves alone; (W,)")]

    nearest: Annotated[Positions, Doc("smallest distance of query and key, in positions")]
    n_decimals: Annotated[
        Count, Doc("number of decimals, 2 to 4, at which rounded terms add up to their scores")
    ]
    stray_looks_alike: Annotated[
        bool, Doc("whether the score after `stray` positions equals the first one to two decimals")
    ]
    is_back: Annotated[
        bool, Doc("whether the last score is close to the first one, or equal to two decimals")
    ]
    fast_pair_comes_round: Annotated[
        bool, Doc("whether the fastest pair is back at its start at the end")
    ]
    comes_back_round: Annotated[bool, Doc("whether both the score and the fastest pair are back")]


def dragged_words(
    words: WordScores, m: int, n: int, shift: int, stray: int, stray_far: int
) -> DraggedWords:
    """Move both words by `shift`; then the key alone by `stray` and by `stray_far` positions.

    Raises ValueError unless `stray_far` is above `stray`.
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
    round_again = turns >= 1 and abs(turn - turns * FULL_TURN) < TURN_TOLERANCE
    before, first, last = (float(score) for score in scores[places])
    is_back = _round_score(last) == _round_score(before) or abs(
        last - before
    ) < SCORE_TOLERANCE * abs(before)
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
        stray_looks_alike=_round_score(first) == _round_score(before),
        is_back=is_back,
        fast_pair_comes_round=round_again,
        comes_back_round=is_back and round_again,
    )


def _terms(words: WordScores, ms: Floats, ns: Floats) -> tuple[Floats, Floats]:
    """Part of every pair in the score at positions (S,) of both, and the key's pairs."""
    queries = rotate(words.query, ms, words.frequencies).reshape(len(ms), -1, 2)
    keys = rotate(words.keys[0], ns, words.frequencies).reshape(len(ns), -1, 2)
    return (queries * keys).sum(axis=-1), keys


def _round_score(score: float) -> float:
    """A score rounded to two decimals, without a negative zero."""
    return round(score, 2) + 0.0
