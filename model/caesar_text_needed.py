"""A message that is too short, and accuracy against length on the sample text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Annotated

import numpy as np

from model.arrays import Floats, Ints, sealed
from model.caesar import plain
from model.caesar_accuracy import (
    AccuracyByLength,
    accuracy_by_length,
    every_window,
    letter_shares,
    rights,
)
from model.caesar_learned import LearnedColumn, Weights
from model.caesar_scores import Method, scores, unembedding_column
from model.cryptogram import Cryptogram
from model.sample_english import SAMPLE_ENGLISH
from model.units import Characters, Count, Doc, Share

LENGTHS = (4, 8, 16, 32, 64, 128)
METHODS: tuple[Method, ...] = ("dot product", "commonest is e", "log-likelihood")
NEARLY_ALL = 0.95
N_OPENING = 44
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

    def by(self, method: Method) -> Floats:
        """Accuracy of a method at every length; shape (n,)."""
        return self.accuracy.by(method)

    def at_mark(self, method: Method) -> float:
        """Accuracy of a method at the length that is read off."""
        return self.accuracy.at(method, self.mark)

    @property
    def lengths(self) -> Ints:
        """Characters in a stretch; shape (n,)."""
        return self.accuracy.lengths

    @property
    def dot_shares(self) -> Floats:
        """Share of stretches that dot products read right, at every length; shape (n,)."""
        return self.by("dot product")

    @property
    def log_shares(self) -> Floats:
        """Share of stretches that logarithms read right, at every length; shape (n,)."""
        return self.by("log-likelihood")

    @property
    def commonest_shares(self) -> Floats:
        """Share of stretches read right if their commonest letter is taken for e; shape (n,)."""
        return self.by("commonest is e")

    @property
    def dot(self) -> Share:
        """Share of stretches of length `mark` that dot products read right."""
        return self.at_mark("dot product")

    @property
    def log_likelihood(self) -> Share:
        """Share of stretches of length `mark` that logarithms read right."""
        return self.at_mark("log-likelihood")

    @property
    def commonest(self) -> Share:
        """Share of stretches of length `mark` read right if the commonest letter is e."""
        return self.at_mark("commonest is e")

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

    # The sample text

    @property
    def n_words(self) -> Count:
        """How many words the sample text has."""
        return len(SAMPLE_ENGLISH.split())

    @property
    def opening(self) -> str:
        """Its first 44 characters, in lower case and without punctuation."""
        return plain(SAMPLE_ENGLISH)[:N_OPENING]

    @property
    def stretch(self) -> Characters:
        """How many characters of them are taken at once."""
        return STRETCH

    @cached_property
    def opening_right(self) -> Floats:
        """What dot products make of each stretch of 8 of them, from left to right; shape (37,).

        1 if it is read right, 1 / k if k rotations lead and the true one is among them, else 0.
        """
        windows = every_window(self.opening, STRETCH)  # (37, 8)
        return sealed(rights(scores(letter_shares(windows), "dot product")))


def text_needed(message: Cryptogram, mark: int) -> TextNeeded:
    """Everything for one message; what the sample text says is computed once."""
    return TextNeeded(message, _accuracy(METHODS), mark)


def weights(mark: int, learned_length: int) -> Weights:
    """Numbers for the letters, set by hand and learned; fitted once for each length."""
    return Weights(_learned(learned_length), mark, _accuracy(METHODS))


@cache
def _accuracy(methods: tuple[Method, ...]) -> AccuracyByLength:
    return accuracy_by_length(SAMPLE_ENGLISH, LENGTHS, methods)


@cache
def _learned(length: int) -> LearnedColumn:
    return LearnedColumn(SAMPLE_ENGLISH, length)


# For the slide `caesar.how_much_text` alone, until it is made anew

SLIDE_METHODS: tuple[Method, ...] = (
    "dot product",
    "commonest is e",
    "chi-squared",
    "log-likelihood",
)


@dataclass(frozen=True, eq=False)
class TextAndColumn(TextNeeded):
    """`TextNeeded` with chi-squared and the learned column."""

    learned: Annotated[LearnedColumn, Doc("the learned numbers")]

    @property
    def logs(self) -> Floats:
        """What is set by hand: the logarithms of the frequencies; shape (26,)."""
        return unembedding_column("log-likelihood")

    @property
    def standard(self) -> Floats:
        """The learned column and the logarithms, with mean 0 and deviation 1; shape (2, 26)."""
        return np.asarray(self.learned.beside(self.logs))


def text_and_column(message: Cryptogram, mark: int, learned_length: int) -> TextAndColumn:
    """Everything that the slide shows; what the sample text says is computed once."""
    return TextAndColumn(message, _accuracy(SLIDE_METHODS), mark, _learned(learned_length))
