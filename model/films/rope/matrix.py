"""One vector at one position: its pairs of coordinates, rotated one by one and by the matrix.

Source: Chris Wendler's RoPE transformer, section 2 (rotation matrix at position m).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, Values, finite
from clockhead.model.rope.rotation import rope_phases, rotate, rotation_matrix
from clockhead.model.units import Count, Degrees, Difference, Doc, Length, Position


@dataclass(frozen=True, kw_only=True, eq=False)
class RotatedVector(Values):
    """The vector of a token at position `m`; pair i is its numbers 2i and 2i + 1."""

    token: Annotated[str, Doc("token whose vector it is")]
    m: Annotated[Position, Doc("position of the vector")]
    n_pairs: Annotated[Count, Doc("how many pairs the vector has")]
    vector: Annotated[Floats, Doc("v, before the rotation; (d_head,)")]
    pairs: Annotated[Floats, Doc("its pairs, as points; (d_head/2, 2)")]
    longest: Annotated[Length, Doc("the length of the longest pair, which rotation keeps")]
    phases: Annotated[Floats, Doc("radians that each pair is rotated, not reduced; (d_head/2,)")]
    first_degrees: Annotated[Degrees, Doc("degrees that the first pair is rotated, not reduced")]
    sine_is_negative: Annotated[bool, Doc("whether the sine of that angle is below 0")]
    rotated: Annotated[Floats, Doc("R_m v, pair by pair; (d_head,)")]
    rotated_pairs: Annotated[Floats, Doc("its pairs, as points; (d_head/2, 2)")]
    halfway: Annotated[Floats, Doc("the first of these, its second number still 0; (1, 2)")]
    matrix: Annotated[Floats, Doc("R_m, a 2 x 2 block per pair on its diagonal; (d_head, d_head)")]
    blocks: Annotated[Floats, Doc("its 2 x 2 blocks, one per pair; (d_head/2, 2, 2)")]
    blocks_away: Annotated[
        Ints, Doc("how many blocks every entry lies off the diagonal; (d_head, d_head)")
    ]
    n_zeros: Annotated[Count, Doc("how many entries the matrix has off its blocks")]
    product: Annotated[Floats, Doc("R_m v, the matrix times the vector; (d_head,)")]
    largest_difference: Annotated[
        Difference, Doc("the largest difference between rotating pair by pair and by the matrix")
    ]
    norm_change: Annotated[
        Difference,
        Doc("by how much the rotation changes the length of the vector, which is rounding alone"),
    ]


def rotated_vector(
    vector: ArrayLike, m: int, frequencies: ArrayLike, token: str = ""
) -> RotatedVector:
    """The vector (d_head,) at position m, rotated by frequencies (d_head/2,)."""
    v = finite("vector", vector, n_axes=1)  # (d_head,)
    rotated, matrix = rotate(v, m, frequencies), rotation_matrix(m, frequencies)
    pairs, product = v.reshape(-1, 2), matrix @ v  # (d_head/2, 2), (d_head,)
    pair = np.arange(v.size) // 2  # (d_head,)
    away = np.abs(pair[:, None] - pair)  # (d_head, d_head)
    norm, rotated_norm = float(np.linalg.norm(v)), float(np.linalg.norm(product))
    return RotatedVector(
        token=token,
        m=m,
        n_pairs=len(pairs),
        vector=v,
        pairs=pairs,
        longest=float(np.linalg.norm(pairs, axis=-1).max()),
        phases=rope_phases(m, frequencies),
        first_degrees=float(np.rad2deg(m * np.asarray(frequencies)[0])),
        sine_is_negative=bool(matrix[1, 0] < 0),
        rotated=rotated,
        rotated_pairs=rotated.reshape(-1, 2),
        halfway=np.array([[rotated[0], 0.0]]),
        matrix=matrix,
        blocks=np.stack([matrix[k : k + 2, k : k + 2] for k in range(0, v.size, 2)]),
        blocks_away=away,
        n_zeros=int((away > 0).sum()),
        product=product,
        largest_difference=float(np.abs(product - rotated).max()),
        norm_change=abs(rotated_norm - norm),
    )
