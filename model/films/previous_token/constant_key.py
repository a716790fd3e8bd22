"""One key for every token: a linear map that fails on a ring of letters, and one that reads a 1.

Source: Chris Wendler's RoPE transformer, section 3, which takes a constant W_k x for granted. The
vectors of the demo embedding form a ring in a plane, in which opposite letters have opposite
vectors, so a linear map reads opposite numbers from them. Another coordinate that is 1 for every
letter lifts the ring off its plane, and a linear map can read this height equally from all letters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.attention.constant_key import constant_key, key_weights, with_constant
from clockhead.model.attention.embedding import (
    cosine_similarity,
    demo_embedding,
    opposite_pairs,
    ring_points,
)
from clockhead.model.attention.linear_probe import best_worst_case_probe
from clockhead.model.previous_token.score_row import ScoreRow
from clockhead.model.rope.rotation import FULL_TURN, rope_phases, rotate
from clockhead.model.tokens import LETTERS, spread_over_vocabulary
from clockhead.model.units import Cosine, Count, Difference, Doc, Tokens, Unit

STEPS = 120
"""Number of steps in a full turn of the linear map, 3 degrees each."""
_CUTOFF = 1e-10
"""Singular values below this fraction of the largest are rounding errors."""


@dataclass(frozen=True, kw_only=True, eq=False)
class OneKey(Values):
    """The keys of a text, the ring of letters that they are read from, and the row of one query.

    Every token has the vector of a letter. The hero is the letter of the token that makes the
    query.
    """

    row: ScoreRow
    indices: Annotated[tuple[int, ...], Doc("index of every token's letter; T of them")]
    hero: Annotated[int, Doc("index of the hero in the alphabet, from 0")]
    opposite: Annotated[int, Doc("index of the opposite letter, half the alphabet away")]
    opposite_positions: Annotated[
        Ints, Doc("positions of tokens with the opposite letter; (0 or more,)")
    ]

    n_vocab: Annotated[Tokens, Doc("number of letters")]
    embedding: Annotated[
        Floats, Doc("vectors of the letters, without the constant coordinate; (26, d_model)")
    ]
    rank: Annotated[Count, Doc("rank of the letters' vectors")]
    n_opposite_pairs: Annotated[Count, Doc("number of pairs of letters with opposite vectors")]
    cosine: Annotated[
        Cosine, Doc("cosine of the angle between the hero's vector and the opposite one")
    ]
    opposite_sum: Annotated[Difference, Doc("largest coordinate of the sum of these two vectors")]
    linear_error: Annotated[
        Difference,
        Doc("largest error of a constant key with the best linear map, without the constant"),
    ]

    plane: Annotated[
        Floats, Doc("letters in their plane, in coordinates that make the ring a circle; (26, 2)")
    ]
    flat: Annotated[Floats, Doc("the plane with height 0; (26, 3)")]
    maps: Annotated[Floats, Doc("a linear map as a vector that makes a full turn; (S, 3)")]
    readings: Annotated[
        Floats, Doc("readings of the hero and of the opposite letter by this map; (S, 2)")
    ]
    shadows: Annotated[Floats, Doc("the same readings, letter by letter; (2, S)")]
    lifted: Annotated[Floats, Doc("the plane with the constant coordinate 1 as height; (26, 3)")]
    height_map: Annotated[Floats, Doc("linear map that reads only the height, as a vector; (3,)")]
    heights: Annotated[Floats, Doc("readings of every letter by that map; (26,)")]

    error: Annotated[
        Difference, Doc("largest difference of a coordinate between a key and the constant key")
    ]
    key_pairs: Annotated[Floats, Doc("pairs of the keys before their rotation; (T, d_head/2, 2)")]
    degrees: Annotated[
        Floats, Unit("degrees"), Doc("degrees that one position turns each pair; (d_head/2,)")
    ]
    phases: Annotated[Floats, Doc("radians that position n turns each pair; (T, d_head/2)")]
    rotated_keys: Annotated[Floats, Doc("k_n = R_n W_k x_n; (T, d_head)")]
    rotated_key_pairs: Annotated[Floats, Doc("pairs of the rotated keys; (T, d_head/2, 2)")]


def one_key(row: ScoreRow, d_model: int) -> OneKey:
    """The keys of the row's text, whose tokens get well separated vectors of width `d_model`."""
    head, n_vocab = row.head, len(LETTERS)
    indices = spread_over_vocabulary(row.tokens, n_vocab)
    hero = indices[row.m]
    opposite = (hero + n_vocab // 2) % n_vocab
    both = [hero, opposite]

    embedding = demo_embedding(range(n_vocab), d_model)  # (26, d_model)
    plane = ring_points(range(n_vocab))  # (26, 2)
    flat = np.column_stack([plane, np.zeros(n_vocab)])  # (26, 3)
    x, y = plane[hero]
    angles = np.arctan2(x, y) + np.linspace(0, FULL_TURN, STEPS + 1)  # (S,)
    maps = np.stack([np.sin(angles), np.cos(angles), 0 * angles], axis=1)  # (S, 3)
    readings = maps @ flat[both].T  # (S, 2)

    lifted = with_constant(plane)  # (26, 3)
    height_map = np.array([0.0, 0.0, 1.0])
    heights = lifted @ height_map  # (26,)

    w_k = key_weights(head.d_head, d_model)  # (d_head, d_model + 1)
    keys = with_constant(embedding[list(indices)]) @ w_k.T  # (T, d_head)
    rotated = rotate(keys, head.positions, head.frequencies)  # (T, d_head)
    return OneKey(
        row=row,
        indices=indices,
        hero=hero,
        opposite=opposite,
        opposite_positions=np.flatnonzero(np.equal(indices, opposite)),
        n_vocab=n_vocab,
        embedding=embedding,
        rank=int(np.linalg.matrix_rank(embedding, rtol=_CUTOFF)),
        n_opposite_pairs=len(opposite_pairs(embedding)),
        cosine=float(cosine_similarity(embedding[both])[0, 1]),
        opposite_sum=float(np.abs(embedding[both].sum(axis=0)).max()),
        linear_error=best_worst_case_probe(embedding).residual,
        plane=plane,
        flat=flat,
        maps=maps,
        readings=readings,
        shadows=readings.T.copy(),
        lifted=lifted,
        height_map=height_map,
        heights=heights,
        error=float(np.abs(keys - constant_key(head.d_head)).max()),
        key_pairs=keys.reshape(len(indices), -1, 2),
        degrees=np.rad2deg(head.frequencies),
        phases=rope_phases(head.positions, head.frequencies),
        rotated_keys=rotated,
        rotated_key_pairs=rotated.reshape(len(indices), -1, 2),
    )
