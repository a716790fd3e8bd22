"""Value and output folded into one matrix, on a word of three letters.

Source: Dan Wilhelm, LLM Foundations, chapter 1. Rows of a word are one-hot vectors; attention that
asks for nothing takes the mean of the rows so far, a triangular matrix; its own example is "bab".
Between attention and rows stands V, behind them O: A (X V) O = A X (V O). Here O undoes V, so that
A X is left. Biases of V reach the end whole, because every row of A adds up to 1. The chapter
speaks of a residual stream and has none: with X + A X for A X, the last character counts as much as
the mean of all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.caesar.accuracy import every_window, letter_shares, share_right
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.caesar.scores import scores
from clockhead.model.caesar.transformer import triangular_mean
from clockhead.model.tokens import Vocabulary, one_hot
from clockhead.model.units import Characters, Doc, Share

THREE = Vocabulary(("a", "b", "c"))
"""The tokens of the chapter's example."""
VALUE = ((1.0, 1.0, 0.0), (0.0, 1.0, 1.0), (1.0, 1.0, 1.0))
"""Some V that changes the row of every letter, and can be undone by whole numbers."""

WINDOW = 32
"""Characters in the windows in which keys are looked for."""


@dataclass(frozen=True, kw_only=True)
class FoldedHead(Values):
    """A head that counts the letters of `word`, with a V, and an O that undoes it."""

    word: Annotated[str, Doc("the word, of letters a to c")]
    letters: Annotated[tuple[str, ...], Doc("the letters of the word; n of them")]
    alphabet: Annotated[tuple[str, ...], Doc("the tokens there are, which columns stand for")]
    n_letters: Annotated[Characters, Doc("how many letters the word has")]
    one_hot: Annotated[Floats, Doc("X, a row for each letter with a single 1; (n, 3)")]
    pattern: Annotated[Floats, Doc("A, attention: even over the letters so far; (n, n)")]
    means: Annotated[Floats, Doc("A X, the share of every letter among those so far; (n, 3)")]
    value: Annotated[Floats, Doc("V, applied to a row before it is moved; (3, 3)")]
    output: Annotated[Floats, Doc("O, applied to what was moved: it undoes V; (3, 3)")]
    folded: Annotated[Floats, Doc("V O, one matrix that says what the head writes; (3, 3)")]
    values: Annotated[Floats, Doc("X V, the value of each letter; (n, 3)")]
    mixed: Annotated[Floats, Doc("A X V, the mean of the values so far; (n, 3)")]
    written: Annotated[Floats, Doc("A X V O, what the head writes; (n, 3)")]

    # Where its rows go
    window: Annotated[Characters, Doc("characters in the windows of the sample text")]
    ways: Annotated[tuple[str, str], Doc("what becomes of the rows: replaced, or added to")]
    shares: Annotated[Floats, Doc("the share of windows whose key is found, either way; (2,)")]
    replaced_share: Annotated[Share, Doc("the share of windows whose key is found as it is")]
    added_share: Annotated[
        Share, Doc("the share if what the head writes were added to the row of the last character")
    ]


def folded_head(word: str) -> FoldedHead:
    """Work the head through. Raises ValueError if the word is empty or has other letters."""
    if not word:
        raise ValueError("word must have at least one letter")
    letters = tuple(word)
    x = one_hot(THREE.encode(letters), len(THREE))  # (n, 3)
    a = triangular_mean(len(letters))  # (n, n)
    v = np.array(VALUE)  # (3, 3)
    o = np.rint(np.linalg.inv(v)) + 0.0
    shares = _shares_found()
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
def _shares_found() -> Floats:
    """How often dot products find the key by A X, and by X + A X; (2,)."""
    windows = every_window(SAMPLE_ENGLISH, WINDOW)  # (N, L)
    mean, last = letter_shares(windows), letter_shares(windows[:, -1:])  # (N, 26)
    return np.array([share_right(scores(rows, "dot product")) for rows in (mean, last + mean)])
