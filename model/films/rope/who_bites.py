"""A text as first told, with its outer words swapped, and both further on: scores with position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.films.rope.words import WordScores, score_words, shifted, swapped
from clockhead.model.rope.rotation import rope_phases
from clockhead.model.units import Difference, Doc, Positions, Score

SEEN = 0.01
"""A score that changes by less reads the same to two decimals."""

SWAP_STEPS = 193
"""Steps in which the outer words change places: odd, so that they meet in one of them."""


@dataclass(frozen=True, kw_only=True, eq=False)
class WordOrders(Values):
    """A text as first told, with its outer words swapped, and both moved on by `shift` positions.

    On the way to the other order, words go in even steps from position to position.
    """

    words: WordScores
    swapped: WordScores
    swapped_and_shifted: WordScores
    shift: Annotated[Positions, Doc("how far the text is moved on")]
    swap_scores: Annotated[Floats, Doc("every word's score on the way to the other order; (S, T)")]
    swap_angles: Annotated[
        Floats, Doc("radians from the query to its key on this way, on and on; (S, T, d_head/2)")
    ]
    swap_phases: Annotated[
        Floats, Doc("radians that this way turns the pairs of every word; (T, d_head/2)")
    ]
    first_before: Annotated[Score, Doc("the score of the first word, before the asking one")]
    first_after: Annotated[Score, Doc("its score after the swap, behind the asking one")]
    shift_phases: Annotated[Floats, Doc("radians that the shift turns every pair; (d_head/2,)")]
    smallest_change: Annotated[
        Difference, Doc("the smaller change that the swap makes to the scores of the outer words")
    ]
    swap_is_seen: Annotated[bool, Doc("whether both scores change by a hundredth or more")]
    shifted_change: Annotated[
        Difference, Doc("by how much the shift changes a score of either order at most")
    ]


def word_orders(words: WordScores, shift: int) -> WordOrders:
    """The orders of a text, here and `shift` positions further on."""
    other = swapped(words)
    back = [len(words.words) - 1, *range(1, len(words.words) - 1), 0]  # where each word goes
    way = np.linspace(0, 1, SWAP_STEPS)[:, None]  # (S, 1)
    start = words.positions.astype(float)  # (T,)
    positions = (1 - way) * start + way * start[back]  # (S, T)
    scores = score_words(words, positions)  # (S, T)
    turns = (positions - start)[..., None] * words.frequencies  # (S, T, d_head/2)
    moved, moved_other = shifted(words, shift), shifted(other, shift)
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
