"""A query and a key that meet at two positions, and how far their score has come, pair by pair.

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
    """The asking word's query, and the first word's key."""

    words: WordScores
    near: Annotated[RotatedDotProduct, Doc("query and key")]
    sums: Annotated[Floats, Doc("what the first pairs add up to, 1 to all of them; (d_head/2,)")]
    nearest: Annotated[Positions, Doc("how far apart they stand")]
    n_decimals: Annotated[Count, Doc("the number of decimals that are written")]


def meeting_words(words: WordScores, m: int, n: int) -> MeetingWords:
    """The query at position m, the key at n."""
    near = rotated_dot_product(words.query, words.keys[0], words.frequencies, m, n)
    return MeetingWords(
        words=words,
        near=near,
        sums=near.terms.cumsum(),
        nearest=abs(near.offset),
        n_decimals=near.n_decimals,
    )
