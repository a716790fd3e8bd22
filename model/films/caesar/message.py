"""A message that has been read, and how often the letters of some words come in it.

A rotation hides which letter it is and not how often it comes: the counts of the plaintext are
those of the ciphertext, turned.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Ints, Values
from clockhead.model.caesar.cipher import SPACE, decode, encode, rotate
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.units import Characters, Doc, Position

DEFAULT = "how often each letter"
MOST = 24
"""Characters that a phrase may have."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PhraseCounts(Values):
    """A message and a phrase, of its plaintext or not."""

    message: Annotated[Cryptogram, Doc("the message, its ciphertext and its rotation")]
    phrase: Annotated[str, Doc("the words whose letters are looked at")]
    n_phrase: Annotated[Characters, Doc("how many characters the phrase has")]
    is_said: Annotated[
        bool, Doc("whether the message says the phrase, as whole words or as its beginning")
    ]
    start: Annotated[
        Position, Doc("where the phrase begins in the text, where it could if it is not said")
    ]
    phrase_letters: Annotated[tuple[str, ...], Doc("the phrase's characters, nothing for a space")]
    phrase_counts: Annotated[
        Ints, Doc("how often each comes in the whole plaintext, 0 for a space; (n_phrase,)")
    ]
    text_turned: Annotated[
        tuple[str, ...], Doc("the plaintext turned by 0, 1 .. to the rotation of the message")
    ]
    phrase_turned: Annotated[
        tuple[str, ...], Doc("the phrase turned by 0, 1 .. to the rotation of the message")
    ]
    cipher_counts: Annotated[
        Ints, Doc("how often each letter of the turned phrase comes in the ciphertext; (n_phrase,)")
    ]


def phrase_counts(cryptogram: Cryptogram, phrase: str = "") -> PhraseCounts:
    """Count the letters of the words `phrase`, or of the default phrase if that is "".

    The default is "how often each letter" if the text has these words, else its first words.
    """
    text = cryptogram.text
    words = phrase or (_first_words(text) if _place(text, DEFAULT) is None else DEFAULT)
    place = _place(text, words)
    turned = rotate(encode(words), cryptogram.turns[:, None])  # (rotation + 1, n_phrase)
    return PhraseCounts(
        message=cryptogram,
        phrase=words,
        n_phrase=len(words),
        is_said=not phrase or place is not None,
        start=len(text) - len(text.lstrip(" ")) if place is None else place,
        phrase_letters=tuple(character.strip() for character in words),
        phrase_counts=_counts(turned[0], encode(text)),
        text_turned=tuple(decode(row) for row in rotate(encode(text), cryptogram.turns[:, None])),
        phrase_turned=tuple(decode(row) for row in turned),
        cipher_counts=_counts(turned[-1], cryptogram.tokens),
    )


def _place(text: str, words: str) -> int | None:
    """Where whole words begin in the text, None if it does not have them."""
    place = f" {text} ".find(f" {words} ")
    return None if place < 0 else place


def _first_words(text: str) -> str:
    """As many whole words as 24 characters hold, or the beginning of a longer one."""
    text = text.strip(" ")
    if len(text) <= MOST:
        return text
    end = text.rfind(" ", 0, MOST + 1)
    return text[: end if end > 0 else MOST].rstrip(" ")


def _counts(wanted: Ints, tokens: Ints) -> Ints:
    """How often each of some tokens (n,) comes among others (T,), 0 for a space; (n,)."""
    found = (wanted[:, None] == tokens).sum(axis=1)
    return np.where(wanted == SPACE, 0, found)
