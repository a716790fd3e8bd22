"""An induction head over a text in a Caesar cipher: it continues what it cannot read.

Every letter of every word is turned, which is a map of words onto words: what is equal stays
equal, and the head, whose codes are one-hot, gives the same attention to the same positions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.caesar.cipher import decode, encode, rotate, rotation_number
from clockhead.model.induction.circuit import Induction
from clockhead.model.tokens import Vocabulary
from clockhead.model.units import Difference, Doc, Rotation


@dataclass(frozen=True, eq=False)
class CodedText:
    """The head `plain` over BOS and words of a to z, and the same over these words turned.

    Raises ValueError for words of other characters, and for a rotation that is not from 0 to 25.
    """

    plain: Annotated[Induction, Doc("the head over the text as it is")]
    rotation: Annotated[Rotation, Doc("how far every letter is turned")]

    def __post_init__(self) -> None:
        rotation_number("rotation", self.rotation)
        _ = self.turned

    @cached_property
    def turned(self) -> tuple[tuple[str, ...], ...]:
        """The tokens after 0, 1, and so on to `rotation` places; rotation + 1 texts of T tokens."""
        return self._turned(self.plain.tokens)

    @cached_property
    def noted(self) -> tuple[tuple[str, ...], ...]:
        """What the tokens note, turned likewise."""
        return self._turned(self.plain.noted_tokens)

    @cached_property
    def coded(self) -> Induction:
        """The head over the turned text."""
        tokens = self.turned[-1]
        return replace(self.plain, tokens=tokens, vocabulary=Vocabulary.of(tokens))

    @property
    def ciphertext(self) -> str:
        """The turned words without BOS, a space between them."""
        return " ".join(self.turned[-1][1:])

    @property
    def plaintext(self) -> str:
        """The words without BOS."""
        return " ".join(self.turned[0][1:])

    @property
    def typed(self) -> str:
        """The last word, turned: the head looks for the note of it."""
        return self.turned[-1][-1]

    @property
    def answer(self) -> str:
        """The turned word at the first note that matches."""
        return self.turned[-1][int(self.plain.matches[0])]

    @property
    def difference(self) -> Difference:
        """The largest difference that the cipher makes to the last position's attention, 0."""
        return float(np.abs(self.plain.row - self.coded.row).max())

    def _turned(self, tokens: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
        bos, *words = tokens
        return tuple(
            (bos, *(word if word == bos else _turn(word, by) for word in words))
            for by in range(self.rotation + 1)
        )


def _turn(word: str, by: int) -> str:
    return decode(rotate(encode(word), by))
