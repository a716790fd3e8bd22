"""A message that is too short, and accuracy against length on the sample text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, sealed
from clockhead.model.caesar.accuracy import (
    AccuracyByLength,
    accuracy_by_length,
    every_window,
    letter_shares,
    rights,
    share_right,
)
from clockhead.model.caesar.cipher import plain
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.caesar.scores import Method, scores
from clockhead.model.units import Characters, Count, Doc, Share

LENGTHS = (4, 8, 16, 32, 64, 128)
METHODS: tuple[Method, ...] = ("dot product", "commonest is e", "log-likelihood")
NEARLY_ALL = 0.95
N_OPENING = 45
"""Characters of the sample text that are walked over."""
STRETCH = 8
"""Characters in a stretch of that walk."""


@dataclass(frozen=True, eq=False)
class TextNeeded:
    """How much of the sample text is needed; `mark` is the length that is read off.

    Raises ValueError for a mark that is none of `LENGTHS`.
    """

    short: Annotated[Cryptogram, Doc("a message that is too short")]
    accuracy: Annotated[AccuracyByLength, Doc("accuracy on the sample text, by length")]
    mark: Annotated[Characters, Doc("the length that is read off")]

    def __post_init__(self) -> None:
        if self.mark not in LENGTHS:
            raise ValueError(f"mark must be one of {LENGTHS}, got {self.mark!r}")

    @property
    def lengths(self) -> Ints:
        """Characters in a stretch; shape (n,)."""
        return self.accuracy.lengths

    @property
    def dot_shares(self) -> Floats:
        """Share of stretches that dot products read right, at every length; shape (n,)."""
        return self.accuracy.by("dot product")

    @property
    def log_shares(self) -> Floats:
        """Share of stretches that logarithms read right, at every length; shape (n,)."""
        return self.accuracy.by("log-likelihood")

    @property
    def commonest_shares(self) -> Floats:
        """Share of stretches read right if their commonest letter is taken for e; shape (n,)."""
        return self.accuracy.by("commonest is e")

    @property
    def stream_shares(self) -> Floats:
        """What dot products would read right if attention were added to its rows; shape (n,).

        The book speaks of a residual stream and has none: with X + A X for A X, the last character
        counts as much as the mean of all.
        """
        return _stream_accuracy()

    @property
    def dot(self) -> Share:
        """Share of stretches of length `mark` that dot products read right."""
        return self.accuracy.at("dot product", self.mark)

    @property
    def log_likelihood(self) -> Share:
        """Share of stretches of length `mark` that logarithms read right."""
        return self.accuracy.at("log-likelihood", self.mark)

    @property
    def commonest(self) -> Share:
        """Share of stretches of length `mark` read right if the commonest letter is e."""
        return self.accuracy.at("commonest is e", self.mark)

    @property
    def enough(self) -> Characters:
        """The first length at which dot products read nearly all right, the longest if none."""
        reached = [
            n for n, share in zip(LENGTHS, self.dot_shares, strict=True) if share >= NEARLY_ALL
        ]
        return reached[0] if reached else LENGTHS[-1]

    @property
    def enough_share(self) -> Share:
        """What they read right there."""
        return self.accuracy.at("dot product", self.enough)

    @cached_property
    def corrections(self) -> tuple[str, ...]:
        """From what is read in the short message, its ciphertext if scores tie, to what it was."""
        return self.short.turned_on(0 if self.short.is_tied else self.short.found)

    # The sample text

    @property
    def n_words(self) -> Count:
        """How many words the sample text has."""
        return len(SAMPLE_ENGLISH.split())

    @property
    def opening(self) -> str:
        """Its first 45 characters, in lower case and without punctuation."""
        return plain(SAMPLE_ENGLISH)[:N_OPENING]

    @property
    def opening_ciphertext(self) -> str:
        """The same, turned by the rotation of the short message."""
        return Cryptogram(self.opening, self.short.rotation).ciphertext

    @property
    def stretch(self) -> Characters:
        """How many characters of them are taken at once."""
        return STRETCH

    @property
    def stretch_share(self) -> Share:
        """Share of all stretches of that length that dot products read right."""
        return self.accuracy.at("dot product", STRETCH)

    @cached_property
    def opening_right(self) -> Floats:
        """What dot products make of each stretch of 8 of them, from left to right; shape (38,).

        1 if it is read right, 1 / k if k rotations lead and the true one is among them, else 0: the
        same at every rotation.
        """
        windows = every_window(self.opening, STRETCH)  # (38, 8)
        return sealed(rights(scores(letter_shares(windows), "dot product")))


def text_needed(message: Cryptogram, mark: int) -> TextNeeded:
    """Everything for one message; what the sample text says is computed once."""
    return TextNeeded(message, _accuracy(METHODS), mark)


@cache
def _stream_accuracy() -> Floats:
    found = []
    for length in LENGTHS:
        windows = every_window(SAMPLE_ENGLISH, length)  # (N, L)
        rows = letter_shares(windows) + letter_shares(windows[:, -1:])  # (N, 26)
        found.append(share_right(scores(rows, "dot product")))
    return sealed(np.array(found))


@cache
def _accuracy(methods: tuple[Method, ...]) -> AccuracyByLength:
    return accuracy_by_length(SAMPLE_ENGLISH, LENGTHS, methods)
