"""One vector at one position, rotated pair by pair and by the rotation matrix.

Source: Chris Wendler's RoPE transformer, section 2 (rotation matrix at position m).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, Values, check_array
from clockhead.model.rope.rotation import rope_phases, rotate, rotation_matrix
from clockhead.model.units import Count, Degrees, Difference, Doc, Length, Position


@dataclass(frozen=True, kw_only=True, eq=False)
class RotatedVector(Values):
    """The vector of a token at position `m`; pair i is its coordinates 2i and 2i + 1."""

    token: Annotated[str, Doc("token whose vector it is")]
    m: Annotated[Position, Doc("position of the vector")]
    n_pairs: Annotated[Count, Doc("number of pairs of the vector")]
    vector: Annotated[Floats, Doc("v, before the rotation; (d_head,)")]
    pairs: Annotated[Floats, Doc("pairs of v, as points; (d_head/2, 2)")]
    longest: Annotated[Length, Doc("length of the longest pair, which does not change")]
    phases: Annotated[Floats, Doc("radians that each pair is rotated, not reduced; (d_head/2,)")]
    first_degrees: Annotated[Degrees, Doc("degrees that the first pair is rotated, not reduced")]
    sine_is_negative: Annotated[bool, Doc("whether the sine of that angle is below 0")]
    rotated: Annotated[Floats, Doc("R_m v, pair by pair; (d_head,)")]
    rotated_pairs: Annotated[Floats, Doc("pairs of R_m v, as points; (d_head/2, 2)")]
    halfway: Annotated[Floats, Doc("the first of these pairs, with 0 as its second number; (1, 2)")]
    matrix: Annotated[Floats, Doc("R_m, a 2 x 2 block per pair on its diagonal; (d_head, d_head)")]
    blocks: Annotated[Floats, Doc("the 2 x 2 blocks of R_m, one per pair; (d_head/2, 2, 2)")]
    blocks_away: Annotated[
        Ints, Doc("distance of every entry from the diagonal, in blocks; (d_head, d_head)")
    ]
    n_zeros: Annotated[Count, Doc("number of entries outside the blocks")]
    product: Annotated[Floats, Doc("R_m v, the matrix times the vector; (d_head,)")]
    largest_difference: Annotated[
        Difference, Doc("largest difference between rotating pair by pair and by the matrix")
    ]
    norm_change: Annotated[
        Difference,
        Doc("change of the vector's length by the rotation, only rounding"),
    ]


def rotated_vector(
    vector: ArrayLike, m: int, frequencies: ArrayLike, token: str = ""
) -> RotatedVector:
    """Rotate a vector (d_head,) to position m, with frequencies (d_head/2,)."""
    v = check_array("vector", vector, n_axes=1)  # (d_head,)
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
