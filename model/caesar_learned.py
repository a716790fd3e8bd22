"""A learned unembedding beside the handmade one: logistic regression on rotated windows.

Source: Dan Wilhelm, LLM Foundations, chapter 1, whose code imports one and whose text ends before
it. Trained on every window at every rotation, the best 26 x 26 weights are the rotations of one
column: rotating text and weights together changes neither the loss nor the penalty, and the best
weights are unique. So 26 numbers are learned, by Newton's method, and nothing is drawn at random.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from model.arrays import Floats, finite, real, sealed, whole
from model.attention import softmax
from model.caesar import N_ROTATIONS, plain, templates
from model.caesar_accuracy import every_window, letter_shares, share_right

STEPS = 100  # Newton needs about ten
SMALLEST_STEP = 1e-10
HELD_OUT = 0.3  # the last part of the text, which training never sees


def fit_column(shares: ArrayLike, strength: float = 10.0) -> Floats:
    """The column that best tells rotation 0 from its 25 turns, for unrotated text; shape (26,).

    `shares` (N, 26) are letter shares of windows. Minimises their summed cross-entropy plus
    |column|^2 / (2 strength). Raises ValueError for other shapes or a strength not above 0.
    """
    rows = finite("shares", shares, n_axes=2)  # (N, 26)
    if not rows.size or rows.shape[1] != N_ROTATIONS:
        raise ValueError(f"shares must have shape (N, 26), got {rows.shape}")
    penalty = 1 / real("strength", strength, above=0, at_most=1e6)
    letter = np.arange(N_ROTATIONS)
    turned = rows[:, (letter + letter[:, None]) % N_ROTATIONS]  # (N, 26, 26), turned back by r
    column = np.zeros(N_ROTATIONS)  # (26,)
    for _ in range(STEPS):
        guess = softmax(turned @ column)  # (N, 26)
        mean = (guess[:, None] @ turned)[:, 0]  # (N, 26)
        slope = (mean - turned[:, 0]).sum(axis=0) + penalty * column  # (26,)
        spread = (guess[..., None] * turned).reshape(-1, N_ROTATIONS)  # (N * 26, 26)
        bend = spread.T @ turned.reshape(-1, N_ROTATIONS) - mean.T @ mean  # (26, 26)
        step = np.linalg.solve(bend + penalty * np.eye(N_ROTATIONS), slope)  # (26,)
        column = column - step
        if np.abs(step).max() < SMALLEST_STEP * max(1.0, float(np.abs(column).max())):
            break
    return column


@dataclass(frozen=True)
class LearnedColumn:
    """The column learned from the first part of a text at one window length, and its worth.

    Raises ValueError if either part of the text is shorter than a window.
    """

    text: str
    length: int
    strength: float = 10.0

    def __post_init__(self) -> None:
        whole("length", self.length, at_least=1)
        real("strength", self.strength, above=0, at_most=1e6)
        _ = self.held_out

    @cached_property
    def parts(self) -> tuple[str, str]:
        """The text to learn from and the text held out."""
        whole_text = plain(self.text)
        cut = round((1 - HELD_OUT) * len(whole_text))
        return whole_text[:cut], whole_text[cut:]

    @cached_property
    def seen(self) -> Floats:
        """Letter shares of the windows to learn from; shape (N, 26)."""
        return sealed(letter_shares(every_window(self.parts[0], self.length)))

    @cached_property
    def held_out(self) -> Floats:
        """Letter shares of the windows held out; shape (M, 26)."""
        return sealed(letter_shares(every_window(self.parts[1], self.length)))

    @cached_property
    def column(self) -> Floats:
        """The learned weights of rotation 0, of mean 0; its turns are the others; shape (26,)."""
        return sealed(fit_column(self.seen, self.strength))

    @property
    def accuracy(self) -> float:
        """Share of held-out windows solved with the learned column."""
        return self.accuracy_of(self.column)

    def accuracy_of(self, column: ArrayLike) -> float:
        """Share of held-out windows solved with another column (26,), a handmade one say."""
        return share_right(self.held_out @ templates(column).T)

    def correlation(self, column: ArrayLike) -> float:
        """How much the learned column looks like another (26,): Pearson's r."""
        other = finite("column", column, n_axes=1)  # (26,)
        return float(np.corrcoef(self.column, other)[0, 1])

    def beside(self, column: ArrayLike) -> Floats:
        """The learned column and another (26,), both with mean 0 and deviation 1; shape (2, 26)."""
        pair = np.stack([self.column, finite("column", column, n_axes=1)])  # (2, 26)
        centred = pair - pair.mean(axis=1, keepdims=True)
        return np.asarray(centred / pair.std(axis=1, keepdims=True))
