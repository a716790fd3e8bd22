"""Projections of a cryptogram onto the plane of two letters, for many pairs of letters at once.

Source: Dan Wilhelm, LLM Foundations, chapter 1, which draws two letters as axes. In such a plane,
one rotation may have the largest dot product, and so the longest projection on the ciphertext's
vector, while a shorter vector has the smallest angle. Lengths and angles are compared exactly, on
whole numbers: products of counts and of frequencies in units of 1e-5.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Bools, Floats, Ints, Values
from clockhead.model.caesar.cipher import N_ROTATIONS, PER_UNIT, unit_templates
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.tokens import LETTERS
from clockhead.model.units import Doc


@dataclass(frozen=True, kw_only=True)
class LetterPlanes(Values):
    """P planes, each with the vectors of the ciphertext and of every rotation.

    A rotation is narrower if its angle with the ciphertext is smaller than that of the rotation
    with the longest projection.
    """

    axes: Annotated[Ints, Doc("indices of the letters x and y in the alphabet; (P, 2)")]
    crosses: Annotated[Ints, Doc("cross product of the ciphertext and each rotation; (P, 26)")]
    longest: Annotated[
        Ints,
        Doc("rotation with the longest projection, of several the one at the smallest angle; (P,)"),
    ]
    misleads: Annotated[
        Bools,
        Doc("whether the rotation found with all letters is narrower, but has a shorter one; (P,)"),
    ]
    gaps: Annotated[
        Floats,
        Doc("how much narrower each rotation is, in radians, times its length, else 0; (P, 26)"),
    ]
    clarity: Annotated[Floats, Doc("the largest of these gaps; (P,)")]
    openness: Annotated[
        Floats,
        Doc(
            "if the longest projection misleads, the length of the rotation found times the "
            "smallest angle between it, the ciphertext, the axes and that projection; else 0; (P,)"
        ),
    ]


def letter_planes(cryptogram: Cryptogram, axes: Ints) -> LetterPlanes:
    """Project onto the planes `axes` (P, 2); the ciphertext must have a letter of each plane."""
    found = int(cryptogram.ranking[0])
    own = cryptogram.counts[axes]  # (P, 2)
    across, up = unit_templates()[:, axes].transpose(2, 1, 0)  # (P, 26) each
    scores = own[:, :1] * across + own[:, 1:] * up  # (P, 26)
    crosses = own[:, :1] * up - own[:, 1:] * across  # (P, 26)
    sizes = np.abs(crosses)
    longest = np.lexsort((sizes, -scores))[:, :1]  # (P, 1)

    its_score, its_size = (np.take_along_axis(x, longest, axis=1) for x in (scores, sizes))
    narrower = sizes * its_score < its_size * scores  # (P, 26)
    lengths = np.hypot(across, up) / PER_UNIT  # (P, 26)
    angles = np.arctan2(sizes, scores)  # (P, 26)
    its_angle = np.take_along_axis(angles, longest, axis=1)  # (P, 1)
    gaps = np.where(narrower, np.maximum(its_angle - angles, 0), 0.0) * lengths  # (P, 26)

    slope = np.arctan2(own[:, 1], own[:, 0])  # (P,)
    angle = angles[:, found]
    least = np.minimum.reduce([angle, its_angle[:, 0] - angle, slope, np.pi / 2 - slope])
    return LetterPlanes(
        axes=axes,
        crosses=crosses,
        longest=longest[:, 0],
        misleads=narrower[:, found],
        gaps=gaps,
        clarity=gaps.max(axis=1),
        openness=np.where(narrower[:, found], least * lengths[:, found], 0.0),
    )


def clearest_letters(cryptogram: Cryptogram, x: str = "", y: str = "") -> tuple[str, str]:
    """The two letters whose plane shows best that the longest projection may mislead.

    One of them may be given. At least one is in the ciphertext. If the rotation found with all 26
    letters has the longest projection in every plane, the plane with the largest `clarity` is
    taken, where some other shorter vector is narrower.
    """
    pairs = np.array(list(combinations(range(N_ROTATIONS), 2)))
    if x or y:
        given = LETTERS.tokens.index(x or y)
        others = np.setdiff1d(np.arange(N_ROTATIONS), given)
        pairs = np.stack([np.full_like(others, given), others], axis=1)
        pairs = pairs if x else pairs[:, ::-1]
    planes = letter_planes(cryptogram, pairs[cryptogram.counts[pairs].any(axis=1)])
    best = np.lexsort((-planes.clarity, -planes.openness))[0]  # the first if several tie
    first, second = planes.axes[best]
    return LETTERS.tokens[first], LETTERS.tokens[second]
