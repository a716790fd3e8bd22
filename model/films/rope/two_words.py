"""A query and a key at two positions, and the partial sums of their score, pair by pair.

Source: Chris Wendler's RoPE transformer, section 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from clockhead.model.arrays import Floats, Values
from clockhead.model.films.rope.dot_product import RotatedDotProduct, rotated_dot_product
from clockhead.model.films.rope.words import WordScores
from clockhead.model.units import Count, Doc, Positions


@dataclass(frozen=True, kw_only=True, eq=False)
class MeetingWords(Values):
    """One word's query and the first word's key."""

    words: WordScores
    near: Annotated[RotatedDotProduct, Doc("query, key and score")]
    sums: Annotated[
        Floats, Doc("partial sums of the score over the first 1, 2 .. all pairs; (d_head/2,)")
    ]
    nearest: Annotated[Positions, Doc("distance of the two words")]
    n_decimals: Annotated[Count, Doc("number of decimals that are written")]


def meeting_words(words: WordScores, m: int, n: int) -> MeetingWords:
    """The score of the query at position m and the key at n."""
    near = rotated_dot_product(words.query, words.keys[0], words.frequencies, m, n)
    return MeetingWords(
        words=words,
        near=near,
        sums=near.terms.cumsum(),
        nearest=abs(near.offset),
        n_decimals=near.n_decimals,
    )
