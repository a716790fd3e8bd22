"""The query of a word as pairs of coordinates, each rotated by the word's position.

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
"""Smallest visible change of a number: one in its first decimal."""
STEPS = 20
"""Number of steps per position."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TurnedWord(Values):
    """The query of one word, rotated to position `m`."""

    words: WordScores
    m: Annotated[Position, Doc("position of the query")]
    n_pairs: Annotated[Count, Doc("number of pairs of the query")]
    n_numbers: Annotated[Count, Doc("number of coordinates of the query")]
    pairs: Annotated[Floats, Doc("pairs before the rotation, as points; (d_head/2, 2)")]
    raised: Annotated[Floats, Doc("the same pairs with 0 as their second number; (d_head/2, 2)")]
    origins: Annotated[Floats, Doc("centre of each pair's rotation, 0; (d_head/2, 2)")]
    phases: Annotated[Floats, Doc("radians that each pair is rotated, not reduced; (d_head/2,)")]
    moments: Annotated[Floats, Doc("pairs on the way to position m; (S, d_head/2, 2)")]
    rotated_pairs: Annotated[Floats, Doc("pairs at position m, as points; (d_head/2, 2)")]
    largest_number_change: Annotated[
        Difference, Doc("largest change of a coordinate by the rotation")
    ]
    rotation_is_seen: Annotated[bool, Doc("whether that is more than a tenth, and so visible")]
    largest_length_change: Annotated[
        Difference, Doc("largest change of a pair's length by the rotation")
    ]


def turned_word(words: WordScores, m: int) -> TurnedWord:
    """Rotate the query from position 0 to m."""
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
