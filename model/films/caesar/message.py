"""A solved message, and the counts of some of its letters.

A rotation hides the letters but not their counts: the counts of the ciphertext are those of the
plaintext, rotated.
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
"""Longest default phrase, in characters."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PhraseCounts(Values):
    """A message and a phrase, which may be part of its plaintext, with counts of its letters."""

    message: Annotated[Cryptogram, Doc("the message, its ciphertext and its rotation")]
    phrase: Annotated[str, Doc("words whose letters are counted")]
    n_phrase: Annotated[Characters, Doc("number of characters of the phrase")]
    is_said: Annotated[
        bool, Doc("whether the message contains the phrase, as whole words or at its beginning")
    ]
    start: Annotated[
        Position,
        Doc("position of the phrase in the text, or of the text's first letter if it is not there"),
    ]
    phrase_letters: Annotated[tuple[str, ...], Doc("characters of the phrase, empty for a space")]
    phrase_counts: Annotated[
        Ints, Doc("count of each in the whole plaintext, 0 for a space; (n_phrase,)")
    ]
    text_turned: Annotated[
        tuple[str, ...], Doc("the plaintext rotated by 0, 1 .. the rotation of the message")
    ]
    phrase_turned: Annotated[
        tuple[str, ...], Doc("the phrase rotated by 0, 1 .. the rotation of the message")
    ]
    cipher_counts: Annotated[
        Ints, Doc("count of each letter of the rotated phrase in the ciphertext; (n_phrase,)")
    ]


def phrase_counts(cryptogram: Cryptogram, phrase: str = "") -> PhraseCounts:
    """Count the letters of `phrase` in a message; "" for the default phrase.

    The default is "how often each letter" if the text has these words, else its first words.
    """
    text = cryptogram.text
    words = phrase or (_first_words(text) if _find_words(text, DEFAULT) is None else DEFAULT)
    place = _find_words(text, words)
    turned = rotate(encode(words), cryptogram.turns[:, None])  # (rotation + 1, n_phrase)
    return PhraseCounts(
        message=cryptogram,
        phrase=words,
        n_phrase=len(words),
        is_said=not phrase or place is not None,
        start=len(text) - len(text.lstrip(" ")) if place is None else place,
        phrase_letters=tuple(character.strip() for character in words),
        phrase_counts=_count_tokens(turned[0], encode(text)),
        text_turned=tuple(decode(row) for row in rotate(encode(text), cryptogram.turns[:, None])),
        phrase_turned=tuple(decode(row) for row in turned),
        cipher_counts=_count_tokens(turned[-1], cryptogram.tokens),
    )


def _find_words(text: str, words: str) -> int | None:
    """Position of whole words in the text, None if it does not have them."""
    place = f" {text} ".find(f" {words} ")
    return None if place < 0 else place


def _first_words(text: str) -> str:
    """The first whole words of a text, up to 24 characters, or the beginning of a longer word."""
    text = text.strip(" ")
    if len(text) <= MOST:
        return text
    end = text.rfind(" ", 0, MOST + 1)
    return text[: end if end > 0 else MOST].rstrip(" ")


def _count_tokens(wanted: Ints, tokens: Ints) -> Ints:
    """Count of each `wanted` token (n,) among `tokens` (T,), 0 for a space; (n,)."""
    found = (wanted[:, None] == tokens).sum(axis=1)
    return np.where(wanted == SPACE, 0, found)
