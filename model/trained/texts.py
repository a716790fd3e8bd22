"""Training texts of the small transformer: random letters with repeated pieces.

Letters follow each other as often as in the sample of English. In 70 % of the texts, a piece of 4
to 20 letters is then repeated again and again. Its next letter can only be predicted by attending
to an earlier copy.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from clockhead.model.arrays import Floats, Ints, check_int, read_only
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.tokens import LETTERS_AND_SPACE, Vocabulary, letters

START = "^"
"""First token of every text."""
TOKENS = Vocabulary((*LETTERS_AND_SPACE.tokens, START))
"""The vocabulary; `START` is last, because it is never predicted and has no logit."""
N_GUESSED = len(LETTERS_AND_SPACE)
LONGEST = 64
"""Length of a training text in tokens, with `START`."""
N_MEASURED, N_SAID, MEASURED_SEED = 64, 24, 9
"""Texts on which losses are measured: their number, their letters before the repeat, the seed."""
_RARE = 0.3
"""Pseudocount of each pair of letters, so that no pair is impossible."""
_SHARE, _SHORTEST_PIECE, _LONGEST_PIECE = 0.7, 4, 20
"""Fraction of texts with a repeated piece, and bounds of its length in letters."""
_LATEST, _MOST_BETWEEN = 10, 5
"""Bound (exclusive) of the letters before a piece, and largest number between two copies of it."""


@lru_cache(maxsize=1)
def letter_pairs() -> Floats:
    """Probability of each letter (column) after each letter (row) in the sample; (27, 27).

    Two spaces in a row are impossible.
    """
    text = "".join(c if c.isalpha() else " " for c in SAMPLE_ENGLISH.lower())
    found = LETTERS_AND_SPACE.encode(letters(" ".join(text.split())))
    counts = np.full((N_GUESSED, N_GUESSED), _RARE)
    np.add.at(counts, (found[:-1], found[1:]), 1)
    counts[-1, -1] = 0
    return read_only(counts / counts.sum(axis=1, keepdims=True))


def random_letters(random: np.random.Generator, n_texts: int, n: int) -> Ints:
    """Random texts whose letters follow each other as in English; shape (n_texts, n).

    The first letter is uniform over a to z. Raises ValueError unless both numbers are at least 1.
    """
    shape = check_int("n_texts", n_texts, at_least=1), check_int("n", n, at_least=1)
    sums = letter_pairs().cumsum(axis=1)  # (27, 27)
    texts = np.empty(shape, dtype=np.int64)
    texts[:, 0] = random.integers(N_GUESSED - 1, size=n_texts)
    chances = random.random(shape)
    for place in range(1, n):
        passed = chances[:, place, None] > sums[texts[:, place - 1]]  # (n_texts, 27)
        texts[:, place] = np.minimum(passed.sum(axis=1), N_GUESSED - 1)
    return texts


def texts_to_learn(random: np.random.Generator, n_texts: int) -> Ints:
    """Random training texts with `START` in front; shape (n_texts, LONGEST)."""
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
    """Random texts of `n` letters and their repeat, with `START` in front; (n_texts, 2n + 1)."""
    texts = random_letters(np.random.default_rng(seed), n_texts, n)
    return with_start(np.concatenate([texts, texts], axis=1))


def with_start(texts: Ints) -> Ints:
    """Put `START` in front of texts: (..., T) to (..., T + 1)."""
    first = np.full((*texts.shape[:-1], 1), TOKENS.tokens.index(START))
    return np.concatenate([first, texts], axis=-1)
