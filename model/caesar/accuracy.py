"""How much text a cryptogram needs: accuracy of every method against the length of the text.

Source: Dan Wilhelm, LLM Foundations, chapter 1, which asks for better accuracy and leaves the
answer out. Every window of a text is solved once; rotating it would rotate all scores along with
it, so no rotation is drawn. A true rotation that ties with k - 1 others counts 1 / k, where values
tie that differ by rounding alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, finite, whole
from clockhead.model.caesar.cipher import ENGLISH, N_ROTATIONS, counts, encode, plain, rotate
from clockhead.model.caesar.scores import METHODS, Method, scores
from clockhead.model.units import Doc

LENGTHS = (8, 16, 32, 64, 128)

TIE = 1e-9
"""Values tie that differ by less than this share of the row's largest: that much is rounding."""


def every_window(text: str, length: int) -> Ints:
    """The tokens of all stretches of `length` characters of the text, made plain; (N, L).

    Raises ValueError if the text is shorter than that.
    """
    tokens = encode(plain(text))  # (n,)
    size = whole("length", length, at_least=1)
    if len(tokens) < size:
        raise ValueError(f"text must have at least {size} characters, got {len(tokens)}")
    return np.asarray(np.lib.stride_tricks.sliding_window_view(tokens, size))


def rotated_windows(text: str, length: int, n_windows: int, seed: int) -> tuple[Ints, Ints]:
    """Windows drawn at random, each turned by a random rotation: (N, L) and (N,)."""
    rng = np.random.default_rng(seed)
    windows = every_window(text, length)  # (all, L)
    count = whole("n_windows", n_windows, at_least=1)
    rotations = rng.integers(N_ROTATIONS, size=count)  # (N,)
    return rotate(windows[rng.integers(len(windows), size=count)], rotations[:, None]), rotations


def letter_shares(windows: ArrayLike) -> Floats:
    """Share of a to z among the characters of each window: (..., L) to (..., 26)."""
    found = counts(windows)  # (..., 27)
    return np.asarray(found[..., :N_ROTATIONS] / np.shape(windows)[-1])


def solve(windows: ArrayLike, method: Method = "dot product") -> Ints:
    """The rotation found for each window, the first of equals: (..., L) to (...)."""
    return np.asarray(scores(letter_shares(windows), method).argmax(axis=-1))


def share_right(values: ArrayLike, rotations: ArrayLike = 0) -> float:
    """How often the true rotation has the largest of `values` (N, 26), 1 / k for k that tie.

    `rotations` (N,) or one for all; 0 for text that has not been turned.
    """
    return float(rights(values, rotations).mean())


def rights(values: ArrayLike, rotations: ArrayLike = 0) -> Floats:
    """1 / k where the true rotation and k - 1 others have the largest value of a row, else 0; (N,).

    `values` (N, 26); those within `TIE` of the largest |value| of their row count as equal to it.
    """
    table = finite("values", values, n_axes=2)  # (N, 26)
    rounding = TIE * np.abs(table).max(axis=1, keepdims=True)  # (N, 1)
    leads = table >= table.max(axis=1, keepdims=True) - rounding  # (N, 26)
    right = leads[np.arange(len(table)), rotations]  # (N,)
    return np.asarray(right / leads.sum(axis=1))


def accuracy_of_templates(text: str, length: int, rows: ArrayLike) -> float:
    """Accuracy of dot products with any 26 `rows` (26, 26), over all windows and all rotations.

    For rows that are not turns of one another, accuracy depends on the rotation.
    """
    shares = letter_shares(every_window(text, length))  # (N, 26)
    classes = finite("rows", rows, n_axes=2)  # (26, 26)
    by_rotation = [share_right(np.roll(shares, r, axis=1) @ classes.T, r) for r in range(26)]
    return float(np.mean(by_rotation))


@dataclass(frozen=True, eq=False)
class AccuracyByLength:
    """Share of windows solved, by method and length.

    Windows overlap, so they are far from independent: 100 % here is not 100 % of English.
    """

    methods: Annotated[tuple[Method, ...], Doc("ways to compare a text with English; M of them")]
    lengths: Annotated[Ints, Doc("characters in a window; shape (n,)")]
    n_windows: Annotated[Ints, Doc("how many windows of each length the text has; shape (n,)")]
    accuracy: Annotated[Floats, Doc("share of windows solved; shape (M, n)")]

    def by(self, method: Method) -> Floats:
        """Accuracy of a method at every length, (n,). ValueError for one that is not here."""
        if method not in self.methods:
            raise ValueError(f"method must be one of {self.methods}, got {method!r}")
        return np.asarray(self.accuracy[self.methods.index(method)])

    def at(self, method: Method, length: int) -> float:
        """Accuracy of a method at one length; ValueError for one that is not here."""
        known = self.lengths.tolist()
        if length not in known:
            raise ValueError(f"length must be one of {known}, got {length!r}")
        return float(self.by(method)[known.index(length)])


def accuracy_by_length(
    text: str,
    lengths: Sequence[int] = LENGTHS,
    methods: Sequence[Method] = METHODS,
    frequencies: ArrayLike = ENGLISH,
) -> AccuracyByLength:
    """Every method at every length on `text`; ValueError if no length or one is too long."""
    if not lengths or not methods:
        raise ValueError("lengths and methods must hold at least one each")
    shares = [letter_shares(every_window(text, length)) for length in lengths]  # (N, 26) each
    table = [[share_right(scores(s, m, frequencies)) for s in shares] for m in methods]
    return AccuracyByLength(
        methods=tuple(methods),
        lengths=np.array(lengths, dtype=np.int64),  # (n,)
        n_windows=np.array([len(s) for s in shares]),  # (n,)
        accuracy=np.array(table),  # (M, n)
    )
