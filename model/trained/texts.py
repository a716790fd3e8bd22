"""The texts that the small transformer learned from: made-up words in which a piece comes again.

Letters follow one another as often as in the sample of English; on 70 % of the texts, a piece of 4
to 20 letters then stands again and again. Nothing but looking back can tell how a piece goes on.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from clockhead.model.arrays import Floats, Ints, sealed, whole
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.tokens import LETTERS_AND_SPACE, Vocabulary, letters

START = "^"
"""The token that every text begins with."""
TOKENS = Vocabulary((*LETTERS_AND_SPACE.tokens, START))
"""Everything that the transformer reads; it never has to guess `START`, which is the last."""
N_GUESSED = len(LETTERS_AND_SPACE)
LONGEST = 64
"""The tokens of a text in training, with `START`."""
N_MEASURED, N_SAID, MEASURED_SEED = 64, 24, 9
"""Texts on which losses are measured, the letters of each, which are said twice, and their seed."""
_RARE = 0.3
"""What is added to each count of two letters, so that none is impossible."""
_SHARE, _SHORTEST_PIECE, _LONGEST_PIECE = 0.7, 4, 20
_LATEST, _MOST_BETWEEN = 10, 5
"""Letters before the piece, and between it and where it stands again, at most."""


@lru_cache(maxsize=1)
def letter_pairs() -> Floats:
    """How likely each letter is after each other one, by the sample of English; (27, 27).

    Rows are the letter before. Two spaces in a row are impossible.
    """
    text = "".join(c if c.isalpha() else " " for c in SAMPLE_ENGLISH.lower())
    found = LETTERS_AND_SPACE.encode(letters(" ".join(text.split())))
    counts = np.full((N_GUESSED, N_GUESSED), _RARE)
    np.add.at(counts, (found[:-1], found[1:]), 1)
    counts[-1, -1] = 0
    return sealed(counts / counts.sum(axis=1, keepdims=True))


def random_letters(random: np.random.Generator, n_texts: int, n: int) -> Ints:
    """Texts of letters that follow one another as in English; shape (n_texts, n).

    The first is any letter but the space. Raises ValueError unless both numbers are at least 1.
    """
    shape = whole("n_texts", n_texts, at_least=1), whole("n", n, at_least=1)
    sums = letter_pairs().cumsum(axis=1)  # (27, 27)
    texts = np.empty(shape, dtype=np.int64)
    texts[:, 0] = random.integers(N_GUESSED - 1, size=n_texts)
    chances = random.random(shape)
    for place in range(1, n):
        passed = chances[:, place, None] > sums[texts[:, place - 1]]  # (n_texts, 27)
        texts[:, place] = np.minimum(passed.sum(axis=1), N_GUESSED - 1)
    return texts


def texts_to_learn(random: np.random.Generator, n_texts: int) -> Ints:
    """Texts as in training, with `START` in front; shape (n_texts, LONGEST)."""
    texts = random_letters(random, n_texts, LONGEST - 1)
    for text in (texts[row] for row in np.flatnonzero(random.random(n_texts) < _SHARE)):
        size = int(random.integers(_SHORTEST_PIECE, _LONGEST_PIECE + 1))
        first = int(random.integers(_LATEST))
        piece = text[first : first + size].copy()
        place = first + size + int(random.integers(_MOST_BETWEEN + 1))
        while place < len(text):
            text[place : place + size] = piece[: len(text) - place]
            place += size + int(random.integers(_MOST_BETWEEN + 1))
    return with_start(texts)


def texts_said_twice(seed: int, n_texts: int, n: int) -> Ints:
    """Texts of `n` letters, each said twice, with `START` in front; (n_texts, 2n + 1)."""
    texts = random_letters(np.random.default_rng(seed), n_texts, n)
    return with_start(np.concatenate([texts, texts], axis=1))


def with_start(texts: Ints) -> Ints:
    """Texts (..., T) with `START` in front; (..., T + 1)."""
    first = np.full((*texts.shape[:-1], 1), TOKENS.tokens.index(START))
    return np.concatenate([first, texts], axis=-1)
