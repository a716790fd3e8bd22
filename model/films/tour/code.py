"""An induction circuit on a text in a Caesar cipher, which it continues without reading it.

Rotating all letters maps equal words to equal words and different ones to different ones. The codes
of the circuit are one-hot, so its attention does not change.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.caesar.cipher import decode, encode, rotate, rotation_number
from clockhead.model.induction.circuit import Induction, induction
from clockhead.model.tokens import Vocabulary
from clockhead.model.units import Difference, Doc, Rotation


@dataclass(frozen=True, kw_only=True, eq=False)
class CodedText:
    """The circuit on BOS and words of a to z, and on these words rotated."""

    plain: Annotated[Induction, Doc("the circuit on the text as it is")]
    rotation: Annotated[Rotation, Doc("rotation of every letter")]
    turned: Annotated[tuple[tuple[str, ...], ...], Doc("tokens rotated by 0, 1 .. `rotation`")]
    stored: Annotated[
        tuple[tuple[str, ...], ...], Doc("stored tokens rotated by 0, 1 .. `rotation`")
    ]
    coded: Annotated[Induction, Doc("the circuit on the rotated text")]
    ciphertext: Annotated[str, Doc("rotated text without BOS, with spaces between words")]
    typed: Annotated[str, Doc("last word of the rotated text, which the head looks for")]
    answer: Annotated[str, Doc("word of the rotated text at the first position that stores it")]
    difference: Annotated[
        Difference, Doc("largest change of an attention weight of the last row by the cipher, 0")
    ]


def coded_text(plain: Induction, rotation: int) -> CodedText:
    """Rotate the text of `plain`, and run the same circuit on it.

    Raises ValueError for words of other characters, and for a rotation that is not from 0 to 25.
    """
    rotation_number("rotation", rotation)
    turned = _rotations(plain.tokens, rotation)
    tokens = turned[-1]
    coded = induction(tokens, Vocabulary.of(tokens), alpha=plain.alpha, beta=plain.beta)
    return CodedText(
        plain=plain,
        rotation=rotation,
        turned=turned,
        stored=_rotations(plain.stored_tokens, rotation),
        coded=coded,
        ciphertext=" ".join(tokens[1:]),
        typed=tokens[-1],
        answer=tokens[int(plain.matches[0])],
        difference=float(np.abs(plain.row - coded.row).max()),
    )


def _rotations(tokens: tuple[str, ...], rotation: int) -> tuple[tuple[str, ...], ...]:
    """The tokens rotated by 0, 1 .. `rotation`; the first, BOS, does not change."""
    bos, *words = tokens
    return tuple(
        (bos, *(word if word == bos else decode(rotate(encode(word), by)) for word in words))
        for by in range(rotation + 1)
    )
