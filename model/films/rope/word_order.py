"""Scores without position of a text, and of the text with its outer words swapped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.films.rope.words import WordScores, swap_outer_words
from clockhead.model.units import Difference, Doc


@dataclass(frozen=True, kw_only=True, eq=False)
class SwappedWords:
    """A text, and the text with its first and last word swapped."""

    words: WordScores
    swapped: WordScores
    largest_plain_change: Annotated[
        Difference, Doc("largest change of a score without position by the swap")
    ]


def swapped_words(words: WordScores) -> SwappedWords:
    """Score both orders; no word's score without position changes."""
    other = swap_outer_words(words)
    back = [len(words.words) - 1, *range(1, len(words.words) - 1), 0]  # where each word went
    changes = other.plain_scores[back] - words.plain_scores  # (T,)
    return SwappedWords(
        words=words, swapped=other, largest_plain_change=float(np.abs(changes).max())
    )
