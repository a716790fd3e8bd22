"""An induction head over a text in a Caesar cipher: it continues what it cannot read.

Every letter of every word is turned, which is a map of words onto words: what is equal stays
equal, and the head, whose codes are one-hot, gives the same attention to the same positions.
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
    """The head over BOS and words of a to z, and the same over these words turned."""

    plain: Annotated[Induction, Doc("the head over the text as it is")]
    rotation: Annotated[Rotation, Doc("how far every letter is turned")]
    turned: Annotated[
        tuple[tuple[str, ...], ...], Doc("the tokens after 0, 1 .. to `rotation` places")
    ]
    stored: Annotated[tuple[tuple[str, ...], ...], Doc("what the tokens store, turned likewise")]
    coded: Annotated[Induction, Doc("the head over the turned text")]
    ciphertext: Annotated[str, Doc("the turned words without BOS, a space between them")]
    typed: Annotated[str, Doc("the last word, turned, which the head looks for")]
    answer: Annotated[str, Doc("the turned word at the first position that stores it")]
    difference: Annotated[
        Difference, Doc("by how much the cipher changes the last position's attention at most, 0")
    ]


def coded_text(plain: Induction, rotation: int) -> CodedText:
    """Turn the text of `plain`, and run the same head over it.

    Raises ValueError for words of other characters, and for a rotation that is not from 0 to 25.
    """
    rotation_number("rotation", rotation)
    turned = _turned(plain.tokens, rotation)
    tokens = turned[-1]
    coded = induction(tokens, Vocabulary.of(tokens), alpha=plain.alpha, beta=plain.beta)
    return CodedText(
        plain=plain,
        rotation=rotation,
        turned=turned,
        stored=_turned(plain.stored_tokens, rotation),
        coded=coded,
        ciphertext=" ".join(tokens[1:]),
        typed=tokens[-1],
        answer=tokens[int(plain.matches[0])],
        difference=float(np.abs(plain.row - coded.row).max()),
    )


def _turned(tokens: tuple[str, ...], rotation: int) -> tuple[tuple[str, ...], ...]:
    """The tokens after 0, 1, and so on to `rotation` places; BOS, the first, stays."""
    bos, *words = tokens
    return tuple(
        (bos, *(word if word == bos else decode(rotate(encode(word), by)) for word in words))
        for by in range(rotation + 1)
    )
