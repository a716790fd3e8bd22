"""Why the template with the largest dot product also has the smallest squared error.

Source: Dan Wilhelm, LLM Foundations, chapter 1, Theorem 1. |f - c|^2 = |f|^2 + |c|^2 - 2 f c: if
all templates have the same length, only the dot product differs between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from clockhead.model.arrays import Floats, Values
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.films.caesar.angle import shadows
from clockhead.model.units import Doc, Rotation


@dataclass(frozen=True, kw_only=True, eq=False)
class EqualLengths(Values):
    """A cryptogram and templates of equal length."""

    cryptogram: Annotated[Cryptogram, Doc("the message, its ciphertext and its rotation")]
    tips: Annotated[
        Floats, Doc("vectors along and across the ciphertext, whose own is last; (27, 2)")
    ]
    sums: Annotated[
        Floats,
        Doc("twice the dot product plus the squared error of every rotation, all equal; (26,)"),
    ]
    nearest: Annotated[
        Rotation, Doc("rotation with the smallest squared error, the first if several tie")
    ]


def equal_lengths(cryptogram: Cryptogram) -> EqualLengths:
    """Vectors with all letters, on their sides of the ciphertext in the clearest plane.

    All templates have the same length, so that exact dot products decide which error is smallest.
    """
    return EqualLengths(
        cryptogram=cryptogram,
        tips=shadows(cryptogram).tips[-1],
        sums=cryptogram.twice + cryptogram.squared_errors,
        nearest=cryptogram.found,
    )
