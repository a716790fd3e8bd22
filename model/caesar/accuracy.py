"""Accuracy of every method by the length of the text.

Source: Dan Wilhelm, LLM Foundations, chapter 1, which asks for better accuracy and gives no answer.
Every window of a text is solved once, without a rotation, because a rotation would only rotate the
scores. A true rotation that ties with k - 1 others counts 1 / k; values that differ only by
rounding tie.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, check_array, check_int
from clockhead.model.caesar.cipher import N_ROTATIONS, counts, encode, plaintext, rotate
from clockhead.model.caesar.scores import METHODS, Method, scores

LENGTHS = (8, 16, 32, 64, 128)

TIE = 1e-9
"""Values tie if they differ by less than this fraction of the row's largest (rounding)."""


def every_window(text: str, length: int) -> Ints:
    """The tokens of all windows of `length` characters of the plain text; (N, L).

    Raises ValueError if the text is shorter than that.
    """
    tokens = encode(plaintext(text))  # (n,)
    size = check_int("length", length, at_least=1)
    if len(tokens) < size:
        raise ValueError(f"text must have at least {size} characters, got {len(tokens)}")
    return np.asarray(np.lib.stride_tricks.sliding_window_view(tokens, size))


def rotated_windows(text: str, length: int, n_windows: int, seed: int) -> tuple[Ints, Ints]:
    """Random windows of a text, rotated at random, and their rotations: (N, L) and (N,)."""
    rng = np.random.default_rng(seed)
    windows = every_window(text, length)  # (all, L)
    count = check_int("n_windows", n_windows, at_least=1)
    rotations = rng.integers(N_ROTATIONS, size=count)  # (N,)
    return rotate(windows[rng.integers(len(windows), size=count)], rotations[:, None]), rotations


def letter_shares(windows: ArrayLike) -> Floats:
    """Frequencies of a to z among the characters of each window: (..., L) to (..., 26)."""
    found = counts(windows)  # (..., 27)
    return np.asarray(found[..., :N_ROTATIONS] / np.shape(windows)[-1])


def solve(windows: ArrayLike, method: Method = "dot product") -> Ints:
    """The rotation with the largest score for each window, the first if several tie; (...)."""
    return np.asarray(scores(letter_shares(windows), method).argmax(axis=-1))


def accuracy(values: ArrayLike, rotations: ArrayLike = 0) -> float:
    """Accuracy of `values` (N, 26): how often the true rotation has the largest one.

    A tie of k rotations counts 1 / k.

    `rotations` are (N,), or one for all; 0 for text that is not rotated.
    """
    return float(hits(values, rotations).mean())


def hits(values: ArrayLike, rotations: ArrayLike = 0) -> Floats:
    """1 / k if the true rotation and k - 1 others have the largest value of a row, else 0; (N,).

    Values (N, 26) tie if they differ by less than `TIE` times the largest |value| of their row.
    """
    table = check_array("values", values, n_axes=2)  # (N, 26)
    rounding = TIE * np.abs(table).max(axis=1, keepdims=True)  # (N, 1)
    leads = table >= table.max(axis=1, keepdims=True) - rounding  # (N, 26)
    right = leads[np.arange(len(table)), rotations]  # (N,)
    return np.asarray(right / leads.sum(axis=1))


def accuracy_of_templates(text: str, length: int, rows: ArrayLike) -> float:
    """Accuracy of dot products with 26 templates `rows` (26, 26), over all windows and rotations.

    All rotations are needed here: if the rows are not rotations of each other, accuracy depends on
    the rotation.
    """
    shares = letter_shares(every_window(text, length))  # (N, 26)
    classes = check_array("rows", rows, n_axes=2)  # (26, 26)
    by_rotation = [accuracy(np.roll(shares, r, axis=1) @ classes.T, r) for r in range(26)]
    return float(np.mean(by_rotation))


def accuracy_by_length(
    text: str, lengths: Sequence[int] = LENGTHS, methods: Sequence[Method] = METHODS
) -> Floats:
    """Accuracy of M methods on all windows of `text`, at n lengths; shape (M, n).

    Windows overlap, so they are far from independent: 100 % here is not 100 % of English. Raises
    ValueError if a length is too long.
    """
    shares = [letter_shares(every_window(text, length)) for length in lengths]  # (N, 26) each
    return np.array([[accuracy(scores(s, m)) for s in shares] for m in methods])
