"""A text as first told and with its outer words swapped: their scores without position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.films.rope.words import WordScores, swapped
from clockhead.model.units import Difference, Doc


@dataclass(frozen=True, kw_only=True, eq=False)
class SwappedWords:
    """A text as first told, and with its first and last word in each other's place."""

    words: WordScores
    swapped: WordScores
    largest_plain_change: Annotated[
        Difference, Doc("by how much the swap changes a score without position at most")
    ]


def swapped_words(words: WordScores) -> SwappedWords:
    """The two orders; word by word, no score without position changes."""
    other = swapped(words)
    back = [len(words.words) - 1, *range(1, len(words.words) - 1), 0]  # where each word went
    changes = other.plain_scores[back] - words.plain_scores  # (T,)
    return SwappedWords(
        words=words, swapped=other, largest_plain_change=float(np.abs(changes).max())
    )
