"""A message that has been read, and how often the letters of some words come in it.

A rotation hides which letter it is and not how often it comes: the counts of the plaintext are
those of the ciphertext, turned.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Ints, sealed_ints
from clockhead.model.caesar.cipher import SPACE, decode, encode, rotate
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.units import Characters, Doc, Position

DEFAULT = "how often each letter"
MOST = 24
"""Characters that a phrase may have."""


@dataclass(frozen=True)
class Opened:
    """`message`, and a phrase, of its plaintext or not: `asked`, or the default if that is "".

    The default is "how often each letter" if the text has these words, else its first words.
    Raises ValueError unless `asked` is words of at most 24 characters with one space between.
    """

    message: Annotated[Cryptogram, Doc("the message, its ciphertext and its rotation")]
    asked: Annotated[str, Doc("words whose letters are counted, or none")] = ""

    def __post_init__(self) -> None:
        if len(self.asked) > MOST:
            raise ValueError(
                f"phrase must have at most {MOST} characters, "
                f"got {self.asked!r} with {len(self.asked)}"
            )
        if self.asked != " ".join(self.asked.split()):
            raise ValueError(f"phrase must be words with one space between, got {self.asked!r}")

    @property
    def text(self) -> str:
        """The plaintext."""
        return self.message.text

    @property
    def is_said(self) -> bool:
        """Whether the message says the phrase, as whole words or as its beginning."""
        return not self.asked or self._place_of(self.asked) is not None

    @property
    def phrase(self) -> str:
        """The words whose letters are looked at."""
        if self.asked:
            return self.asked
        return self._first_words if self._place_of(DEFAULT) is None else DEFAULT

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
        """Where the phrase begins in the text, where it could if it is not said."""
        place = self._place_of(self.phrase)
        return self._first_letter if place is None else place

    @property
    def n_phrase(self) -> Characters:
        """How many characters the phrase has."""
        return len(self.phrase)

    def _place_of(self, words: str) -> int | None:
        """Where whole words begin in the text, None if it does not have them."""
        place = f" {self.text} ".find(f" {words} ") if words.strip() == words != "" else -1
        return None if place < 0 else place

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
