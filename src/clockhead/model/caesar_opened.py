"""A message that has been read, and how often the letters of some of its words come in it.

A rotation hides which letter it is and not how often it comes: the counts of the plaintext are
those of the ciphertext, turned.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Ints, sealed_ints
from clockhead.model.caesar import N_ROTATIONS, SPACE, decode, encode, rotate
from clockhead.model.cryptogram import Cryptogram
from clockhead.model.tokens import LETTERS
from clockhead.model.units import Characters, Doc, Position

DEFAULT = "how often each letter"
MOST = 24
"""Characters that a phrase may have."""


@dataclass(frozen=True)
class Opened:
    """`message`, and a phrase of its plaintext: `asked`, or the default if that is "".

    The default is "how often each letter" if the text has these words, else its first words, which
    count as not told. Raises ValueError unless `asked` is whole words of the text that stand
    together, with at most 24 characters.
    """

    message: Annotated[Cryptogram, Doc("the message, its ciphertext and its rotation")]
    asked: Annotated[str, Doc("words of the text that stand together, or none")] = ""

    def __post_init__(self) -> None:
        if len(self.asked) > MOST:
            raise ValueError(
                f"phrase must have at most {MOST} characters{self._example}, "
                f"got {self.asked!r} with {len(self.asked)}"
            )
        if self.asked and self._place_of(self.asked) is None:
            if not self._example:
                raise ValueError(
                    f"phrase must be left out, as no word of the text has at most {MOST} "
                    f"characters, got {self.asked!r}"
                )
            raise ValueError(
                f"phrase must be words of the text that stand together{self._example}, "
                f"got {self.asked!r}"
            )

    @property
    def text(self) -> str:
        """The plaintext."""
        return self.message.text

    @property
    def phrase_told(self) -> bool:
        """Whether the phrase was asked for or is the default, and not just the first words."""
        return self._place_of(self.asked or DEFAULT) is not None

    @property
    def phrase(self) -> str:
        """The words whose letters are looked at."""
        return (self.asked or DEFAULT) if self.phrase_told else self._first_words

    @property
    def phrase_letters(self) -> tuple[str, ...]:
        """Its letters, "" for a space."""
        return tuple(character.strip() for character in self.phrase)

    @cached_property
    def phrase_counts(self) -> Ints:
        """How often each of them comes in the whole plaintext, 0 for a space; one per character."""
        plain, wanted = encode(self.text), encode(self.phrase)  # (T,) and (len,)
        found = (wanted[:, None] == plain).sum(axis=1)  # (len,)
        return sealed_ints(np.where(wanted == SPACE, 0, found))

    @cached_property
    def phrase_turned(self) -> tuple[str, ...]:
        """The phrase turned by 0, 1, and so on to the rotation of the message."""
        turned = rotate(encode(self.phrase), self.message.turns[:, None])  # (rotation + 1, len)
        return tuple(decode(row) for row in turned)

    @cached_property
    def cipher_counts(self) -> Ints:
        """How often each letter of the turned phrase comes in the ciphertext, 0 for a space."""
        wanted = encode(self.phrase_turned[-1])  # (len,)
        found = (wanted[:, None] == self.message.tokens).sum(axis=1)  # (len,)
        return sealed_ints(np.where(wanted == SPACE, 0, found))

    @property
    def start(self) -> Position:
        """Where the phrase begins in the text."""
        place = self._place_of(self.phrase)
        return self._first_letter if place is None else place

    @property
    def n_phrase(self) -> Characters:
        """How many characters the phrase has."""
        return len(self.phrase)

    @property
    def hero_letter(self) -> str:
        """The plaintext letter behind the message's hero, e where the message is read."""
        return LETTERS.tokens[(self.message.hero - self.message.rotation) % N_ROTATIONS]

    def _place_of(self, words: str) -> int | None:
        """Where whole words begin in the text, None if it does not have them."""
        place = f" {self.text} ".find(f" {words} ") if words.strip() == words != "" else -1
        return None if place < 0 else place

    @property
    def _example(self) -> str:
        """Words that may be asked for, as a message speaks of them; "" if all are too long."""
        words = [self._first_words, *self.text.split()]
        short = [w for w in words if len(w) <= MOST and self._place_of(w) is not None]
        return f", for example “{short[0]}”" if short else ""

    @property
    def _first_letter(self) -> int:
        return len(self.text) - len(self.text.lstrip(" "))

    @property
    def _first_words(self) -> str:
        """As many whole words as 24 characters hold, or the beginning of a longer one."""
        text = self.text.strip(" ")
        if len(text) <= MOST:
            return text
        end = text.rfind(" ", 0, MOST + 1)
        return text[: end if end > 0 else MOST].rstrip(" ")
