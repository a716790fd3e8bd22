"""Scores with RoPE of a text, of the text with its outer words swapped, and of both shifted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.films.rope.words import WordScores, score_words, shift_words, swap_outer_words
from clockhead.model.rope.rotation import rope_phases
from clockhead.model.units import Difference, Doc, Positions, Score

SEEN = 0.01
"""Smallest visible change of a score, which has two decimals."""

SWAP_STEPS = 193
"""Number of moments of the swap: odd, so that the words meet in one of them."""


@dataclass(frozen=True, kw_only=True, eq=False)
class WordOrders(Values):
    """A text, the text with its outer words swapped, and this text `shift` positions later.

    During the swap, the words move in equal steps from one position to the other.
    """

    words: WordScores
    swapped: WordScores
    swapped_and_shifted: WordScores
    shift: Annotated[Positions, Doc("number of positions that the text is shifted")]
    swap_scores: Annotated[Floats, Doc("score of every word during the swap; (S, T)")]
    swap_angles: Annotated[
        Floats, Doc("radians from the query to every word's key during the swap; (S, T, d_head/2)")
    ]
    swap_phases: Annotated[
        Floats, Doc("radians that the swap turns every word's pairs; (T, d_head/2)")
    ]
    first_before: Annotated[Score, Doc("score of the first word, before the query's word")]
    first_after: Annotated[Score, Doc("score of this word after the swap, behind the query's word")]
    shift_phases: Annotated[Floats, Doc("radians that the shift turns every pair; (d_head/2,)")]
    smallest_change: Annotated[
        Difference, Doc("smaller of the changes of both outer words' scores by the swap")
    ]
    swap_is_seen: Annotated[bool, Doc("whether both scores change by at least a hundredth")]
    shifted_change: Annotated[
        Difference, Doc("largest change of a score by the shift, in either order")
    ]


def word_orders(words: WordScores, shift: int) -> WordOrders:
    """Score both orders of a text, here and `shift` positions later."""
    other = swap_outer_words(words)
    back = [len(words.words) - 1, *range(1, len(words.words) - 1), 0]  # where each word goes
    way = np.linspace(0, 1, SWAP_STEPS)[:, None]  # (S, 1)
    start = words.positions.astype(float)  # (T,)
    positions = (1 - way) * start + way * start[back]  # (S, T)
    scores = score_words(words, positions)  # (S, T)
    turns = (positions - start)[..., None] * words.frequencies  # (S, T, d_head/2)
    moved, moved_other = shift_words(words, shift), shift_words(other, shift)
    smallest = float(np.abs((other.scores[back] - words.scores)[[0, -1]]).min())
    return WordOrders(
        words=words,
        swapped=other,
        swapped_and_shifted=moved_other,
        shift=shift,
        swap_scores=scores,
        swap_angles=words.angles + turns,
        swap_phases=turns[-1],
        first_before=float(words.scores[0]),
        first_after=float(other.scores[-1]),
        shift_phases=rope_phases(shift, words.frequencies),
        smallest_change=smallest,
        swap_is_seen=smallest >= SEEN,
        shifted_change=max(
            float(np.abs(far.scores - near.scores).max())
            for near, far in ((words, moved), (other, moved_other))
        ),
    )
