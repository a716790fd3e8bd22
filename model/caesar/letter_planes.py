"""A cryptogram seen along two letters, for many pairs of letters at once.

Source: Dan Wilhelm, LLM Foundations, chapter 1, which draws two letters as axes. There a long arrow
can have the largest dot product, which is the longest shadow on the ciphertext's arrow, and a
shorter one the smallest angle. Counts and frequencies are whole numbers of units, and so are
products of them: which arrow is longest, narrower, or beside the line is decided on these.
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
    """P planes, each with an arrow of the ciphertext and one of every rotation.

    A rotation is narrower if its arrow is at a smaller angle than that of the longest shadow.
    """

    axes: Annotated[Ints, Doc("the places of the letters x and y in the alphabet; (P, 2)")]
    crosses: Annotated[Ints, Doc("cross product of the ciphertext with each rotation; (P, 26)")]
    longest: Annotated[
        Ints, Doc("rotation of the longest shadow, of equals the one at the smallest angle; (P,)")
    ]
    misleads: Annotated[
        Bools, Doc("whether the rotation found with all letters is narrower, but shorter; (P,)")
    ]
    gaps: Annotated[
        Floats, Doc("how much narrower each rotation is, in radians, times its length; (P, 26)")
    ]
    clarity: Annotated[Floats, Doc("the largest of these gaps; (P,)")]
    openness: Annotated[
        Floats,
        Doc(
            "where the longest shadow misleads, the smallest angle between the rotation found, the "
            "ciphertext and the axes, or by which it is narrower, times its length; else 0; (P,)"
        ),
    ]


def letter_planes(cryptogram: Cryptogram, axes: Ints) -> LetterPlanes:
    """Compare planes (P, 2); the ciphertext must hold a letter of each."""
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
    """The two letters that show best that the longest shadow may mislead; one may be given.

    They are letters of the ciphertext, or one of them is. Where no pair hides the rotation found
    with all 26 in this way, they show best that a shorter arrow may point closer.
    """
    pairs = np.array(list(combinations(range(N_ROTATIONS), 2)))
    if x or y:
        given = LETTERS.tokens.index(x or y)
        others = np.setdiff1d(np.arange(N_ROTATIONS), given)
        pairs = np.stack([np.full_like(others, given), others], axis=1)
        pairs = pairs if x else pairs[:, ::-1]
    planes = letter_planes(cryptogram, pairs[cryptogram.counts[pairs].any(axis=1)])
    best = np.lexsort((-planes.clarity, -planes.openness))[0]  # of equals, the first
    first, second = planes.axes[best]
    return LETTERS.tokens[first], LETTERS.tokens[second]
