"""From two letters to all 26: how far each rotation's arrow reaches along the ciphertext's.

Source: Dan Wilhelm, LLM Foundations, chapter 1, which draws two letters as axes. The arrow of a
rotation casts a shadow on the ciphertext's: its length times the cosine of the angle between them.
With all 26 letters the arrows are equally long, so that the longest shadow is the smallest angle.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.caesar.cipher import N_ROTATIONS, PER_UNIT, templates, unit_templates
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.caesar.letter_planes import LetterPlanes, letter_planes
from clockhead.model.tokens import LETTERS
from clockhead.model.units import Doc, Radians


@dataclass(frozen=True, kw_only=True, eq=False)
class Projections(Values):
    """A cryptogram seen along two letters, then three, and so on to all 26: 25 rows."""

    cryptogram: Annotated[Cryptogram, Doc("the message, its ciphertext and its rotation")]
    x: Annotated[str, Doc("the letter along the first axis")]
    y: Annotated[str, Doc("the letter along the second axis")]
    plane: Annotated[LetterPlanes, Doc("the plane of the two letters, which is row 0")]
    order: Annotated[Ints, Doc("the letters as they join: x, y, the others from a to z; (26,)")]
    n_letters: Annotated[Ints, Doc("how many letters have joined, 2 to 26; (25,)")]
    dot_products: Annotated[Floats, Doc("of the ciphertext with each rotation so far; (25, 26)")]
    lengths: Annotated[Floats, Doc("the length of each rotation's arrow; (25, 26)")]
    own_lengths: Annotated[Floats, Doc("the length of the ciphertext's arrow; (25,)")]
    shadows: Annotated[Floats, Doc("how far each rotation reaches along the ciphertext; (25, 26)")]
    heights: Annotated[Floats, Doc("how far each rotation's tip is from its shadow; (25, 26)")]
    angles: Annotated[Floats, Doc("between each rotation and the ciphertext, radians; (25, 26)")]
    slope: Annotated[Radians, Doc("how steep the ciphertext's arrow is in the plane of x and y")]
    tips: Annotated[
        Floats,
        Doc("tips of the rotations and last of the ciphertext, along it and across; (25, 27, 2)"),
    ]


def projections(cryptogram: Cryptogram, x: str, y: str) -> Projections:
    """Let the letters join. Across the ciphertext, arrows keep the sides they have in the plane.

    Raises ValueError unless x and y are different letters a to z and the ciphertext holds one of
    them: without either its arrow has no direction.
    """
    axes = LETTERS.encode((x, y))  # (2,)
    counts, ciphertext = cryptogram.counts, cryptogram.ciphertext  # (26,)
    if x == y:
        raise ValueError(f"x and y must be different letters, got {x!r} twice")
    if not counts[axes].any():
        raise ValueError(
            f"x or y must be a letter of the ciphertext {ciphertext!r}, got {x!r} and {y!r}"
        )
    order = np.concatenate([axes, np.setdiff1d(np.arange(N_ROTATIONS), axes)])
    plane = letter_planes(cryptogram, axes[None])

    def so_far(terms: np.ndarray) -> np.ndarray:
        """Sums over two letters, three, and so on: (..., 26) by letter to (25, ...)."""
        return np.asarray(terms[..., order].cumsum(axis=-1)[..., 1:].T)

    dots = so_far(cryptogram.products)  # (25, 26)
    own_lengths = np.sqrt(so_far(cryptogram.histogram**2))  # (25,)
    shadows = dots / own_lengths[:, None]
    # |c|^2 |f|^2 - (c f)^2 in whole numbers: a difference of floats would lose digits at the line
    units = unit_templates()  # (26, 26)
    own = so_far(counts**2)[:, None]  # (25, 1)
    across = so_far(units**2) * own - so_far(units * counts) ** 2  # (25, 26)
    heights = np.sqrt(across / own) / PER_UNIT
    sides = np.where(plane.crosses[0] >= 0, 1, -1)  # (26,)
    beside = np.stack([shadows, sides * heights], axis=-1)  # (25, 26, 2)
    along = np.stack([own_lengths, np.zeros_like(own_lengths)], axis=-1)  # (25, 2)
    return Projections(
        cryptogram=cryptogram,
        x=x,
        y=y,
        plane=plane,
        order=order,
        n_letters=np.arange(2, N_ROTATIONS + 1),
        dot_products=dots,
        lengths=np.sqrt(so_far(templates() ** 2)),
        own_lengths=own_lengths,
        shadows=shadows,
        heights=heights,
        angles=np.arctan2(heights, shadows),
        slope=float(np.arctan2(*cryptogram.histogram[axes][::-1])),
        tips=np.concatenate([beside, along[:, None]], axis=1),
    )
