"""A dot product is a shadow: which arrow reaches farthest, and which points closest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats
from clockhead.model.caesar.cipher import N_ROTATIONS
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.caesar.letter_planes import clearest_letters
from clockhead.model.films.caesar.projections import Projections, projections
from clockhead.model.tokens import LETTERS
from clockhead.model.units import Degrees, Doc, Letters, Rotation


@dataclass(frozen=True, kw_only=True, eq=False)
class Shadows(Projections):
    """The longest shadow in the plane of two letters, and the smallest angle with all 26."""

    pairs: Annotated[
        Floats, Doc("x and y of every rotation of English, and last of the ciphertext; (27, 2)")
    ]
    swept: Annotated[Floats, Doc("the same of rotations from `narrowest` on, once around; (26, 2)")]
    joining: Annotated[str, Doc("the letters in the order in which they join")]
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
    rules_differ: Annotated[bool, Doc("whether the rival is another rotation than the longest")]
    longest_angle: Annotated[
        Degrees, Doc("in the plane, the angle of the longest shadow's arrow to the ciphertext")
    ]
    rival_angle: Annotated[Degrees, Doc("in the plane, the angle of the rival to the ciphertext")]
    n_all: Annotated[Letters, Doc("how many letters have joined in the end")]
    narrowest: Annotated[
        Rotation, Doc("with all letters, the rotation of the smallest angle, the first of equals")
    ]


def shadows(cryptogram: Cryptogram, x: str = "", y: str = "") -> Shadows:
    """Compare shadows and angles along x and y, or along letters that show best how they differ.

    Of several rivals, the one found with all letters is taken, else the one that shows it best: far
    narrower, and not too short to be seen. Raises ValueError as `projections` does.
    """
    if not x or not y:
        x, y = clearest_letters(cryptogram, x, y)
    seen = projections(cryptogram, x, y)
    plane, narrowest = seen.plane, int(cryptogram.ranking[0])
    longest, misleads = int(plane.longest[0]), bool(plane.misleads[0])
    rival = longest
    if misleads:
        rival = narrowest
    elif plane.clarity[0] > 0:
        rival = int(plane.gaps[0].argmax())
    axes = seen.order[:2]
    english = cryptogram.templates[:, axes]  # (26, 2)
    around = (narrowest + np.arange(N_ROTATIONS)) % N_ROTATIONS
    return Shadows(
        **vars(seen),
        pairs=np.vstack([english, cryptogram.histogram[axes]]),
        swept=english[around],
        joining="".join(LETTERS.tokens[k] for k in seen.order),
        longest=longest,
        rival=rival,
        misleads=misleads,
        rules_differ=rival != longest,
        longest_angle=math.degrees(seen.angles[0, longest]),
        rival_angle=math.degrees(seen.angles[0, rival]),
        n_all=N_ROTATIONS,
        narrowest=narrowest,
    )
