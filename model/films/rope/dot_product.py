"""A query and a key at two positions: their rotated pairs, and their score pair by pair.

Source: Chris Wendler's RoPE transformer, section 2, (R_m q)^T (R_n k) = q^T R_(n - m) k. The source
says that scores depend only on the distance; in fact they depend on the signed offset n - m and on
both vectors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values, check_int
from clockhead.model.rope.rotation import rope_phases, rotate
from clockhead.model.rounding import decimals_that_add_up
from clockhead.model.units import Count, Doc, Position, Score, SignedPositions


@dataclass(frozen=True, kw_only=True, eq=False)
class RotatedDotProduct(Values):
    """The score of a query at position `m` and a key at `n`."""

    m: Annotated[Position, Doc("position of the query")]
    n: Annotated[Position, Doc("position of the key")]
    offset: Annotated[SignedPositions, Doc("n - m, negative where the key is before the query")]
    query_pairs: Annotated[Floats, Doc("pairs of q before its rotation; (d_head/2, 2)")]
    key_pairs: Annotated[Floats, Doc("pairs of k before its rotation; (d_head/2, 2)")]
    query_phases: Annotated[Floats, Doc("radians that R_m turns each pair; (d_head/2,)")]
    key_phases: Annotated[Floats, Doc("radians that R_n turns each pair; (d_head/2,)")]
    rotated_query_pairs: Annotated[Floats, Doc("pairs of R_m q; (d_head/2, 2)")]
    rotated_key_pairs: Annotated[Floats, Doc("pairs of R_n k; (d_head/2, 2)")]
    key_pairs_by_offset: Annotated[Floats, Doc("pairs of R_(n - m) k; (d_head/2, 2)")]
    pair_angles: Annotated[
        Floats, Doc("radians from every pair of R_m q to that of R_n k; (d_head/2,)")
    ]
    terms: Annotated[Floats, Doc("part of every pair in the score; (d_head/2,)")]
    score: Annotated[Score, Doc("score of the two words")]
    n_decimals: Annotated[
        Count, Doc("number of decimals, 2 to 4, at which the rounded terms add up to the score")
    ]


def rotated_dot_product(
    query: Floats, key: Floats, frequencies: Floats, m: int, n: int
) -> RotatedDotProduct:
    """The score of `query` and `key` (d_head,) at positions m and n."""
    m, n = check_int("m", m, at_least=0), check_int("n", n, at_least=0)
    q = rotate(query, m, frequencies).reshape(-1, 2)  # (d_head/2, 2)
    k = rotate(key, n, frequencies).reshape(-1, 2)  # (d_head/2, 2)
    terms = (q * k).sum(axis=-1)  # (d_head/2,)
    score = float(q.ravel() @ k.ravel())
    return RotatedDotProduct(
        m=m,
        n=n,
        offset=n - m,
        query_pairs=query.reshape(-1, 2),
        key_pairs=key.reshape(-1, 2),
        query_phases=rope_phases(m, frequencies),
        key_phases=rope_phases(n, frequencies),
        rotated_query_pairs=q,
        rotated_key_pairs=k,
        key_pairs_by_offset=rotate(key, n - m, frequencies).reshape(-1, 2),
        pair_angles=np.arctan2(q[:, 0] * k[:, 1] - q[:, 1] * k[:, 0], terms),
        terms=terms,
        score=score,
        n_decimals=decimals_that_add_up(terms, score),
    )
