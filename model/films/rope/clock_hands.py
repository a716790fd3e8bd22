"""The query of a word as pairs of coordinates, each turned by the word's position.

Source: Su et al. (2021); Chris Wendler's RoPE transformer, section 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.films.rope.words import WordScores
from clockhead.model.rope.rotation import rope_phases, rotate
from clockhead.model.units import Count, Difference, Doc, Position

SEEN = 0.1
"""A change of a number that is seen in its first decimal."""
STEPS = 20
"""Moments in every position on the way."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TurnedWord(Values):
    """The asking word's query, turned to position `m`, and the words among which it stands."""

    words: WordScores
    m: Annotated[Position, Doc("position to which the query is turned")]
    n_pairs: Annotated[Count, Doc("how many pairs the query has")]
    n_numbers: Annotated[Count, Doc("how many numbers the query is")]
    pairs: Annotated[Floats, Doc("the pairs before the turn, as points; (d_head/2, 2)")]
    raised: Annotated[Floats, Doc("the first numbers of the pairs, the second ones 0")]
    origins: Annotated[Floats, Doc("the points that they are turned about; (d_head/2, 2)")]
    phases: Annotated[Floats, Doc("radians that each pair is turned, not reduced; (d_head/2,)")]
    moments: Annotated[Floats, Doc("the pairs on the way to position m; (S, d_head/2, 2)")]
    rotated_pairs: Annotated[Floats, Doc("the pairs at position m, as points; (d_head/2, 2)")]
    largest_number_change: Annotated[
        Difference, Doc("by how much the turn changes a number of the query at most")
    ]
    rotation_is_seen: Annotated[bool, Doc("whether that is more than a tenth")]
    largest_length_change: Annotated[
        Difference, Doc("by how much the turn changes the length of a pair at most")
    ]


def turned_word(words: WordScores, m: int) -> TurnedWord:
    """The asking word on its way from position 0 to m."""
    pairs, phases = (
        words.query_pairs,
        rope_phases(m, words.frequencies),
    )  # (d_head/2, 2), (d_head/2,)
    way = np.linspace(0, m, STEPS * m + 1)  # (S,)
    moments = rotate(words.query, way, words.frequencies).reshape(len(way), -1, 2)
    rotated = rotate(words.query, m, words.frequencies).reshape(-1, 2)  # (d_head/2, 2)
    change = float(np.abs(rotated - pairs).max())
    lengths = np.linalg.norm(rotated, axis=-1) - np.linalg.norm(pairs, axis=-1)  # (d_head/2,)
    return TurnedWord(
        words=words,
        m=m,
        n_pairs=words.n_pairs,
        n_numbers=words.query.size,
        pairs=pairs,
        raised=pairs * [1, 0],
        origins=np.zeros_like(pairs),
        phases=phases,
        moments=moments,
        rotated_pairs=rotated,
        largest_number_change=change,
        rotation_is_seen=change > SEEN,
        largest_length_change=float(np.abs(lengths).max()),
    )
