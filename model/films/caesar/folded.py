"""The OV circuit: value and output matrix multiplied into one, on a word of the letters a to c.

Source: Dan Wilhelm, LLM Foundations, chapter 1. Rows of a word are one-hot vectors, and uniform
attention averages the rows so far; the chapter's example is "bab". With value and output matrices,
the head writes A (X V) O = A X (V O). Here O inverts V, so that A X remains. Biases of V would
reach the output unchanged, because every row of A sums to 1. The chapter mentions a residual stream
but has none: with X + A X instead of A X, the last character would count as much as the mean of
all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.caesar.accuracy import accuracy, every_window, letter_shares
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.caesar.scores import scores
from clockhead.model.caesar.transformer import triangular_mean
from clockhead.model.tokens import Vocabulary, one_hot
from clockhead.model.units import Characters, Doc, Share, Shares

THREE = Vocabulary(("a", "b", "c"))
"""The tokens of the chapter's example."""
VALUE = ((1.0, 1.0, 0.0), (0.0, 1.0, 1.0), (1.0, 1.0, 1.0))
"""An example of V that changes every row, and whose inverse has whole numbers."""

WINDOW = 32
"""Length in characters of the windows on which accuracy is measured."""


@dataclass(frozen=True, kw_only=True)
class FoldedHead(Values):
    """A head that averages the letters of `word`, with a V and an O that inverts it."""

    word: Annotated[str, Doc("the word, of letters a to c")]
    letters: Annotated[tuple[str, ...], Doc("the letters of the word; n of them")]
    alphabet: Annotated[tuple[str, ...], Doc("the vocabulary, in the order of the columns")]
    n_letters: Annotated[Characters, Doc("number of letters of the word")]
    one_hot: Annotated[Floats, Doc("X, the one-hot letters; (n, 3)")]
    pattern: Annotated[Floats, Doc("A, attention weights, uniform over the letters so far; (n, n)")]
    means: Annotated[Floats, Doc("A X, the frequency of every letter so far; (n, 3)")]
    value: Annotated[Floats, Doc("V, the value matrix; (3, 3)")]
    output: Annotated[Floats, Doc("O, the output matrix, the inverse of V; (3, 3)")]
    folded: Annotated[Floats, Doc("V O, the OV circuit as one matrix; (3, 3)")]
    values: Annotated[Floats, Doc("X V, the value of each letter; (n, 3)")]
    mixed: Annotated[Floats, Doc("A X V, the mean of the values so far; (n, 3)")]
    written: Annotated[Floats, Doc("A X V O, what the head writes; (n, 3)")]

    # Accuracy without and with a residual stream
    window: Annotated[Characters, Doc("length of the windows of the sample text")]
    ways: Annotated[tuple[str, str], Doc("names of both ways: rows are replaced, or added to")]
    shares: Annotated[Shares, Doc("accuracy of either way; (2,)")]
    replaced_share: Annotated[
        Share, Doc("accuracy if the head's output replaces the row, as in the chapter")
    ]
    added_share: Annotated[
        Share, Doc("accuracy if the head's output is added to the row of the last character")
    ]


def folded_head(word: str) -> FoldedHead:
    """Run the head on a word. Raises ValueError if it is empty or has other letters."""
    if not word:
        raise ValueError("word must have at least one letter")
    letters = tuple(word)
    x = one_hot(THREE.encode(letters), len(THREE))  # (n, 3)
    a = triangular_mean(len(letters))  # (n, n)
    v = np.array(VALUE)  # (3, 3)
    o = np.rint(np.linalg.inv(v)) + 0.0
    shares = _accuracies()
    return FoldedHead(
        word=word,
        letters=letters,
        alphabet=THREE.tokens,
        n_letters=len(letters),
        one_hot=x,
        pattern=a,
        means=a @ x,
        value=v,
        output=o,
        folded=v @ o,
        values=x @ v,
        mixed=a @ (x @ v),
        written=np.round(a @ (x @ v) @ o, 12) + 0.0,
        window=WINDOW,
        ways=("replaced", "added to"),
        shares=shares,
        replaced_share=float(shares[0]),
        added_share=float(shares[1]),
    )


@cache
def _accuracies() -> Floats:
    """Accuracy of dot products with A X, and with X + A X; (2,)."""
    windows = every_window(SAMPLE_ENGLISH, WINDOW)  # (N, L)
    mean, last = letter_shares(windows), letter_shares(windows[:, -1:])  # (N, 26)
    return np.array([accuracy(scores(rows, "dot product")) for rows in (mean, last + mean)])
