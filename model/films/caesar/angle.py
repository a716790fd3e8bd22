"""From two letters to all 26: how far each rotation's arrow reaches along the ciphertext's.

Source: Dan Wilhelm, LLM Foundations, chapter 1, which draws two letters as axes. The arrow of a
rotation casts a shadow on the ciphertext's: its length times the cosine of the angle between them.
With all 26 letters the arrows are equally long, so that the longest shadow is the smallest angle.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.caesar.cipher import N_ROTATIONS, PER_UNIT, templates, unit_templates
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.caesar.letter_planes import LetterPlanes, clearest_letters, letter_planes
from clockhead.model.tokens import LETTERS
from clockhead.model.units import Count, Degrees, Doc, Letters, Radians, Rotation


@dataclass(frozen=True, kw_only=True, eq=False)
class Shadows(Values):
    """A cryptogram seen along two letters, then three, and so on to all 26: 25 rows."""

    cryptogram: Annotated[Cryptogram, Doc("the message, its ciphertext and its rotation")]
    x: Annotated[str, Doc("the letter along the first axis")]
    y: Annotated[str, Doc("the letter along the second axis")]
    plane: Annotated[LetterPlanes, Doc("the plane of the two letters, which is row 0")]
    order: Annotated[Ints, Doc("the letters as they join: x, y, the others from a to z; (26,)")]
    joining: Annotated[str, Doc("these letters by name")]
    n_all: Annotated[Letters, Doc("how many letters have joined in the end")]
    pairs: Annotated[
        Floats, Doc("x and y of every rotation of English, and last of the ciphertext; (27, 2)")
    ]
    swept: Annotated[Floats, Doc("the same of rotations from `narrowest` on, once around; (26, 2)")]
    lengths: Annotated[Floats, Doc("the length of each rotation's arrow; (25, 26)")]
    shadows: Annotated[Floats, Doc("how far each rotation reaches along the ciphertext; (25, 26)")]
    angles: Annotated[Floats, Doc("between each rotation and the ciphertext, radians; (25, 26)")]
    slope: Annotated[Radians, Doc("how steep the ciphertext's arrow is in the plane of x and y")]
    tips: Annotated[
        Floats,
        Doc("tips of the rotations and last of the ciphertext, along it and across; (25, 27, 2)"),
    ]
    longest: Annotated[
        Rotation, Doc("in the plane, the rotation of the longest shadow, the largest dot product")
    ]
    rival: Annotated[
        Rotation,
        Doc("in the plane, a rotation at a smaller angle with a shorter shadow; else the longest"),
    ]
    misleads: Annotated[
        bool, Doc("whether the rotation found with all letters is at a smaller angle in the plane")
    ]
    n_others: Annotated[Count, Doc("how many more rotations than the rival are at such an angle")]
    rules_differ: Annotated[bool, Doc("whether the rival is another rotation than the longest")]
    longest_angle: Annotated[
        Degrees, Doc("in the plane, the angle of the longest shadow's arrow to the ciphertext")
    ]
    rival_angle: Annotated[Degrees, Doc("in the plane, the angle of the rival to the ciphertext")]
    narrowest: Annotated[
        Rotation, Doc("with all letters, the rotation of the smallest angle, the first of equals")
    ]


def shadows(cryptogram: Cryptogram, x: str = "", y: str = "") -> Shadows:
    """Let the letters join, from x and y on, or from those that show best how the rules differ.

    Across the ciphertext, arrows keep the sides they have in the plane. Of several rivals, the one
    found with all letters is taken, else the one that shows it best: far narrower, and not too
    short to be seen. Raises ValueError unless x and y are different letters a to z and the
    ciphertext holds one of them: without either its arrow has no direction.
    """
    if not x or not y:
        x, y = clearest_letters(cryptogram, x, y)
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

    own_lengths = np.sqrt(so_far(cryptogram.histogram**2))  # (25,)
    reach = so_far(cryptogram.products) / own_lengths[:, None]  # (25, 26)
    # |c|^2 |f|^2 - (c f)^2 in whole numbers: a difference of floats would lose digits at the line
    units = unit_templates()  # (26, 26)
    own = so_far(counts**2)[:, None]  # (25, 1)
    across = so_far(units**2) * own - so_far(units * counts) ** 2  # (25, 26)
    heights = np.sqrt(across / own) / PER_UNIT
    sides = np.where(plane.crosses[0] >= 0, 1, -1)  # (26,)
    beside = np.stack([reach, sides * heights], axis=-1)  # (25, 26, 2)
    along = np.stack([own_lengths, np.zeros_like(own_lengths)], axis=-1)  # (25, 2)
    angles = np.arctan2(heights, reach)

    narrowest, longest = int(cryptogram.ranking[0]), int(plane.longest[0])
    rival, misleads = longest, bool(plane.misleads[0])
    if misleads:
        rival = narrowest
    elif plane.clarity[0] > 0:
        rival = int(plane.gaps[0].argmax())
    english = cryptogram.templates[:, axes]  # (26, 2)
    return Shadows(
        cryptogram=cryptogram,
        x=x,
        y=y,
        plane=plane,
        order=order,
        joining="".join(LETTERS.tokens[k] for k in order),
        n_all=N_ROTATIONS,
        pairs=np.vstack([english, cryptogram.histogram[axes]]),
        swept=np.roll(english, -narrowest, axis=0),
        lengths=np.sqrt(so_far(templates() ** 2)),
        shadows=reach,
        angles=angles,
        slope=float(np.arctan2(*cryptogram.histogram[axes][::-1])),
        tips=np.concatenate([beside, along[:, None]], axis=1),
        longest=longest,
        rival=rival,
        misleads=misleads,
        n_others=max(0, int((plane.gaps[0] > 0).sum()) - 1),
        rules_differ=rival != longest,
        longest_angle=math.degrees(angles[0, longest]),
        rival_angle=math.degrees(angles[0, rival]),
        narrowest=narrowest,
    )
