"""Projections of the rotations onto the ciphertext, with two letters, three, and so on to all 26.

Source: Dan Wilhelm, LLM Foundations, chapter 1, which draws two letters as axes. The projection (in
the film, the shadow) of a rotation on the ciphertext is its length times the cosine of the angle
between them. With all 26 letters the rotations are equally long, so that the one with the longest
projection also has the smallest angle.
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
    """A cryptogram projected onto two letters, then three, and so on to all 26: 25 rows."""

    cryptogram: Annotated[Cryptogram, Doc("the message, its ciphertext and its rotation")]
    x: Annotated[str, Doc("letter of the first axis")]
    y: Annotated[str, Doc("letter of the second axis")]
    plane: Annotated[LetterPlanes, Doc("the plane of the two letters, which is row 0")]
    order: Annotated[
        Ints, Doc("order in which letters are added: x, y, the others from a to z; (26,)")
    ]
    joining: Annotated[str, Doc("the letters in the order in which they are added")]
    n_all: Annotated[Letters, Doc("number of letters at the end")]
    pairs: Annotated[
        Floats, Doc("x and y of every rotation of English, and of the ciphertext last; (27, 2)")
    ]
    swept: Annotated[Floats, Doc("x and y of all rotations, beginning with `narrowest`; (26, 2)")]
    lengths: Annotated[Floats, Doc("length of each rotation's vector; (25, 26)")]
    shadows: Annotated[
        Floats, Doc("length of each rotation's projection on the ciphertext; (25, 26)")
    ]
    angles: Annotated[
        Floats, Doc("angle between each rotation and the ciphertext, in radians; (25, 26)")
    ]
    slope: Annotated[Radians, Doc("angle of the ciphertext's vector with the x axis")]
    tips: Annotated[
        Floats,
        Doc("vectors along and across the ciphertext, whose own is last; (25, 27, 2)"),
    ]
    longest: Annotated[
        Rotation,
        Doc("in the plane, the rotation with the longest projection and the largest dot product"),
    ]
    rival: Annotated[
        Rotation,
        Doc("in the plane, a rotation with a smaller angle but a shorter projection, or `longest`"),
    ]
    misleads: Annotated[
        bool, Doc("whether the rotation found with all letters has a smaller angle in the plane")
    ]
    n_others: Annotated[
        Count,
        Doc("number of other rotations with a smaller angle than `longest`, without the rival"),
    ]
    rules_differ: Annotated[
        bool, Doc("whether the rival is not the rotation with the longest projection")
    ]
    longest_angle: Annotated[
        Degrees, Doc("in the plane, the angle between the ciphertext and `longest`")
    ]
    rival_angle: Annotated[
        Degrees, Doc("in the plane, the angle between the ciphertext and the rival")
    ]
    narrowest: Annotated[
        Rotation,
        Doc("with all letters, the rotation with the smallest angle, the first if several tie"),
    ]


def shadows(cryptogram: Cryptogram, x: str = "", y: str = "") -> Shadows:
    """Add letters one by one to x and y, by default those that show best how the rules differ.

    Every vector stays on the side of the ciphertext on which it is in the plane. Of several rivals,
    take the one found with all letters, or else the clearest one: at a much smaller angle, and long
    enough to be seen. Raises ValueError unless x and y are different letters a to z and the
    ciphertext has at least one of them, because otherwise its vector has no direction.
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

    def cumulative(terms: np.ndarray) -> np.ndarray:
        """Cumulative sums over two letters, three, and so on: (..., 26) by letter to (25, ...)."""
        return np.asarray(terms[..., order].cumsum(axis=-1)[..., 1:].T)

    own_lengths = np.sqrt(cumulative(cryptogram.histogram**2))  # (25,)
    reach = cumulative(cryptogram.products) / own_lengths[:, None]  # (25, 26)
    # |c|^2 |f|^2 - (c f)^2 in whole numbers: for small angles, floats would lose digits by
    # cancellation
    units = unit_templates()  # (26, 26)
    own = cumulative(counts**2)[:, None]  # (25, 1)
    across = cumulative(units**2) * own - cumulative(units * counts) ** 2  # (25, 26)
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
        lengths=np.sqrt(cumulative(templates() ** 2)),
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
