"""Of the positions of a query and a key, one turn by their offset is left.

Source: Chris Wendler's RoPE transformer, section 2, R_m^T R_n = R_(n - m).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.films.rope.dot_product import RotatedDotProduct, rotated_dot_product
from clockhead.model.films.rope.words import WordScores
from clockhead.model.rope.rotation import composed_rotation, rope_phases, rotation_matrix
from clockhead.model.units import Difference, Doc


@dataclass(frozen=True, kw_only=True, eq=False)
class WordPair(Values):
    """The asking word's query at position m, and the first word's key at position n."""

    words: WordScores
    product: Annotated[RotatedDotProduct, Doc("the query and the key, and their score")]
    unmoved_phases: Annotated[Floats, Doc("radians that position 0 turns each pair; (d_head/2,)")]
    transposed_phases: Annotated[Floats, Doc("radians that R_m^T turns each pair; (d_head/2,)")]
    offset_phases: Annotated[Floats, Doc("radians that R_(n - m) turns each pair; (d_head/2,)")]
    rest_key_phases: Annotated[
        Floats,
        Doc("radians that R_n turns each pair without the steps common to both; (d_head/2,)"),
    ]
    rest_transposed_phases: Annotated[Floats, Doc("the same of R_m^T; (d_head/2,)")]
    largest_difference: Annotated[
        Difference, Doc("the largest entry of R_m^T R_n minus R_(n - m), which is rounding alone")
    ]


def word_pair(words: WordScores, m: int, n: int) -> WordPair:
    """The asking word at position m, and the first word at n."""
    rates, common = words.frequencies, min(m, n)
    composed = composed_rotation(m, n, rates)  # (d_head, d_head)

    def phases(position: int) -> Floats:
        return rope_phases(position, rates) + 0.0  # no negative zero

    return WordPair(
        words=words,
        product=rotated_dot_product(words.query, words.keys[0], rates, m, n),
        unmoved_phases=phases(0),
        transposed_phases=phases(-m),
        offset_phases=phases(n - m),
        rest_key_phases=phases(n - common),
        rest_transposed_phases=phases(common - m),
        largest_difference=float(np.abs(composed - rotation_matrix(n - m, rates)).max()),
    )
