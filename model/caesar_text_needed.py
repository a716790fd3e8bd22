"""A message that is too short, accuracy against length, and numbers learned from a text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from model.arrays import Floats
from model.caesar_accuracy import AccuracyByLength, accuracy_by_length
from model.caesar_learned import LearnedColumn
from model.caesar_scores import Method, unembedding_column
from model.cryptogram import Cryptogram
from model.sample_english import SAMPLE_ENGLISH

LENGTHS = (4, 8, 16, 32, 64, 128)
METHODS: tuple[Method, ...] = ("dot product", "commonest is e", "chi-squared", "log-likelihood")
NEARLY_ALL = 0.95


@dataclass(frozen=True, eq=False)
class TextNeeded:
    """How much of the sample text is needed; `mark` is the length that is read off.

    Raises ValueError for a mark that is none of `LENGTHS`.
    """

    short: Cryptogram
    accuracy: AccuracyByLength
    mark: int
    learned: LearnedColumn

    def __post_init__(self) -> None:
        if self.mark not in LENGTHS:
            raise ValueError(f"mark must be one of {LENGTHS}, got {self.mark!r}")

    @property
    def logs(self) -> Floats:
        """What is set by hand: the logarithms of the frequencies; shape (26,)."""
        return unembedding_column("log-likelihood")

    @property
    def standard(self) -> Floats:
        """The learned column and the logarithms, with mean 0 and deviation 1; shape (2, 26)."""
        return self.learned.beside(self.logs)

    def by(self, method: Method) -> Floats:
        """Accuracy of a method at every length; shape (n,)."""
        return np.asarray(self.accuracy.accuracy[METHODS.index(method)])

    def at_mark(self, method: Method) -> float:
        """Accuracy of a method at the length that is read off."""
        return float(self.by(method)[LENGTHS.index(self.mark)])

    @property
    def enough(self) -> int:
        """The first length at which dot products read nearly all right, the longest if none."""
        reached = [
            n
            for n, share in zip(LENGTHS, self.by("dot product"), strict=True)
            if share >= NEARLY_ALL
        ]
        return reached[0] if reached else LENGTHS[-1]

    @property
    def enough_share(self) -> float:
        """What they read right there."""
        return float(self.by("dot product")[LENGTHS.index(self.enough)])


def text_needed(message: Cryptogram, mark: int, learned_length: int) -> TextNeeded:
    """Everything for one message; what the sample text says is computed once."""
    return TextNeeded(message, _accuracy(), mark, _learned(learned_length))


@cache
def _accuracy() -> AccuracyByLength:
    return accuracy_by_length(SAMPLE_ENGLISH, LENGTHS, METHODS)


@cache
def _learned(length: int) -> LearnedColumn:
    return LearnedColumn(SAMPLE_ENGLISH, length)
