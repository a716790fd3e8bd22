"""When the template of the largest dot product is also the one of the smallest error.

Source: Dan Wilhelm, LLM Foundations, chapter 1, Theorem 1. |f - c|^2 = |f|^2 + |c|^2 - 2 f c: for
templates of one length, only the dot product differs between them.
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
    """A cryptogram whose templates are equally long."""

    cryptogram: Annotated[Cryptogram, Doc("the message, its ciphertext and its rotation")]
    tips: Annotated[
        Floats, Doc("the rotations and last the ciphertext, along its arrow and across; (27, 2)")
    ]
    sums: Annotated[
        Floats, Doc("twice the dot product plus the error of every rotation, all alike; (26,)")
    ]
    nearest: Annotated[
        Rotation, Doc("the rotation of the smallest squared error, the first of equals")
    ]


def equal_lengths(cryptogram: Cryptogram) -> EqualLengths:
    """Seen with all letters, on the sides that the clearest plane of two gives the arrows.

    All lengths are equal, so that exact dot products put the errors in order.
    """
    return EqualLengths(
        cryptogram=cryptogram,
        tips=shadows(cryptogram).tips[-1],
        sums=cryptogram.twice + cryptogram.squared_errors,
        nearest=cryptogram.found,
    )
