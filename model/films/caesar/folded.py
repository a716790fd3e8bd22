"""Value and output folded into one matrix, on a word of three letters.

Source: Dan Wilhelm, LLM Foundations, chapter 1. Rows of a word are one-hot vectors; attention that
asks for nothing takes the mean of the rows so far, a triangular matrix; its own example is "bab".
Between attention and rows stands V, behind them O: A (X V) O = A X (V O). Here O undoes V, so that
A X is left. Biases of V reach the end whole, because every row of A adds up to 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, sealed
from clockhead.model.caesar.transformer import triangular_mean
from clockhead.model.tokens import Vocabulary, one_hot
from clockhead.model.units import Characters, Doc

THREE = Vocabulary(("a", "b", "c"))
"""The tokens of the chapter's example."""
VALUE = ((1.0, 1.0, 0.0), (0.0, 1.0, 1.0), (1.0, 1.0, 1.0))
"""Some V that changes the row of every letter, and can be undone by whole numbers."""


@dataclass(frozen=True)
class FoldedHead:
    """A head that counts the letters of `word`, with a V, and an O that undoes it.

    Raises ValueError for a word that is empty or has other letters than a, b and c.
    """

    word: Annotated[str, Doc("the word, of letters a to c")]

    def __post_init__(self) -> None:
        if not self.word:
            raise ValueError("word must have at least one letter")
        _ = self.one_hot

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters of the word; n of them."""
        return tuple(self.word)

    @property
    def alphabet(self) -> tuple[str, ...]:
        """The tokens there are, which columns stand for."""
        return THREE.tokens

    @property
    def n_letters(self) -> Characters:
        """How many letters the word has."""
        return len(self.word)

    @cached_property
    def one_hot(self) -> Floats:
        """X, a row for each letter with a single 1; shape (n, 3)."""
        return sealed(one_hot(THREE.encode(self.letters), len(THREE)))

    @cached_property
    def pattern(self) -> Floats:
        """A, attention of each letter: even over the letters so far; shape (n, n)."""
        return sealed(triangular_mean(self.n_letters))

    @cached_property
    def means(self) -> Floats:
        """A X, the share of every letter among those so far; shape (n, 3)."""
        return sealed(self.pattern @ self.one_hot)

    @cached_property
    def value(self) -> Floats:
        """V, what is made of a row before it is handed over; shape (3, 3)."""
        return sealed(np.array(VALUE))

    @cached_property
    def output(self) -> Floats:
        """O, what is made of what was handed over: it undoes V; shape (3, 3)."""
        return sealed(np.rint(np.linalg.inv(self.value)) + 0.0)

    @cached_property
    def folded(self) -> Floats:
        """V O, one matrix that says what a head writes; shape (3, 3)."""
        return sealed(self.value @ self.output)

    @cached_property
    def values(self) -> Floats:
        """X V, what each letter hands over; shape (n, 3)."""
        return sealed(self.one_hot @ self.value)

    @cached_property
    def mixed(self) -> Floats:
        """A X V, what each letter is handed; shape (n, 3)."""
        return sealed(self.pattern @ self.values)

    @cached_property
    def written(self) -> Floats:
        """A X V O, what the head writes, one product after another; shape (n, 3)."""
        return sealed(np.round(self.mixed @ self.output, 12) + 0.0)
