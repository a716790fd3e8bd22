"""A learned unembedding beside the handmade one: logistic regression on rotated windows.

Source: Dan Wilhelm, LLM Foundations, chapter 1, whose code imports one and whose text ends before
it. Trained on every window at every rotation, the best 26 x 26 weights are the rotations of one
column: rotating text and weights together changes neither the loss nor the penalty, and the best
weights are unique. So 26 numbers are learned, by Newton's method, and nothing is drawn at random.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, finite, real, sealed, sealed_ints, whole
from clockhead.model.attention.pattern import softmax
from clockhead.model.caesar.accuracy import every_window, letter_shares, share_right
from clockhead.model.caesar.cipher import ENGLISH, N_ROTATIONS, plain, templates
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.caesar.scores import unembedding_column
from clockhead.model.tokens import LETTERS
from clockhead.model.units import Characters, Correlation, Count, Doc, Factor, Share

STEPS = 100  # Newton needs about ten
SMALLEST_STEP = 1e-10
HELD_OUT = 0.3  # the last part of the text, which training never sees


def fit_column(shares: ArrayLike, strength: float = 10.0) -> Floats:
    """The column that best tells rotation 0 from its 25 turns, for unrotated text; shape (26,).

    `shares` (N, 26) are letter shares of windows. Minimises their summed cross-entropy plus
    |column|^2 / (2 strength). Raises ValueError for other shapes or a strength not above 0.
    """
    return np.asarray(fitted_columns(shares, strength)[-1])


def fitted_columns(shares: ArrayLike, strength: float = 10.0) -> Floats:
    """The column of `fit_column` before the first Newton step, all 0, and after each; (S + 1, 26).

    Raises ValueError as `fit_column` does.
    """
    rows = finite("shares", shares, n_axes=2)  # (N, 26)
    if not rows.size or rows.shape[1] != N_ROTATIONS:
        raise ValueError(f"shares must have shape (N, 26), got {rows.shape}")
    penalty = 1 / real("strength", strength, above=0, at_most=1e6)
    letter = np.arange(N_ROTATIONS)
    turned = rows[:, (letter + letter[:, None]) % N_ROTATIONS]  # (N, 26, 26), turned back by r
    column = np.zeros(N_ROTATIONS)  # (26,)
    columns = [column]
    for _ in range(STEPS):
        guess = softmax(turned @ column)  # (N, 26)
        mean = (guess[:, None] @ turned)[:, 0]  # (N, 26)
        slope = (mean - turned[:, 0]).sum(axis=0) + penalty * column  # (26,)
        spread = (guess[..., None] * turned).reshape(-1, N_ROTATIONS)  # (N * 26, 26)
        bend = spread.T @ turned.reshape(-1, N_ROTATIONS) - mean.T @ mean  # (26, 26)
        step = np.linalg.solve(bend + penalty * np.eye(N_ROTATIONS), slope)  # (26,)
        column = column - step
        columns.append(column)
        if np.abs(step).max() < SMALLEST_STEP * max(1.0, float(np.abs(column).max())):
            break
    return np.array(columns)  # (S + 1, 26)


def standardised(column: ArrayLike) -> Floats:
    """A column (26,) with mean 0 and deviation 1, which changes no order of the logits; (26,).

    Raises ValueError for one that is the same for all letters.
    """
    weights = finite("column", column, n_axes=1)  # (26,)
    deviation = weights.std()
    if not deviation:
        raise ValueError(f"column must not be the same for all letters, got {weights.tolist()}")
    return np.asarray((weights - weights.mean()) / deviation)


@dataclass(frozen=True)
class LearnedColumn:
    """The column learned from the first part of a text at one window length, and its worth.

    Raises ValueError if either part of the text is shorter than a window.
    """

    text: Annotated[str, Doc("the text, of which the last part is held out")]
    length: Annotated[Characters, Doc("characters in a window that is learned from")]
    strength: Annotated[Factor, Doc("how little large weights are held back")] = 10.0

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
    def columns(self) -> Floats:
        """The weights of rotation 0 on the way, from all 0 to the learned ones; (S + 1, 26)."""
        return sealed(fitted_columns(self.seen, self.strength))

    @cached_property
    def column(self) -> Floats:
        """The learned weights of rotation 0, of mean 0; its turns are the others; shape (26,)."""
        return sealed(self.columns[-1].copy())

    @cached_property
    def path(self) -> Floats:
        """The weights on the way, each with mean 0, divided by the last deviation; (S + 1, 26)."""
        centred = self.columns - self.columns.mean(axis=1, keepdims=True)  # (S + 1, 26)
        return sealed(centred / self.column.std())

    @property
    def n_steps(self) -> Count:
        """How many steps of Newton's method the training took."""
        return len(self.columns) - 1

    @property
    def accuracy(self) -> Share:
        """Share of held-out windows solved with the learned column."""
        return self.accuracy_of(self.column)

    def accuracy_of(self, column: ArrayLike) -> float:
        """Share of held-out windows solved with another column (26,), a handmade one say."""
        return share_right(self.held_out @ templates(column).T)

    def correlation(self, column: ArrayLike) -> float:
        """How much the learned column looks like another (26,): Pearson's r."""
        other = finite("column", column, n_axes=1)  # (26,)
        return float(np.corrcoef(self.column, other)[0, 1])


@dataclass(frozen=True, eq=False)
class Weights:
    """Numbers for the letters: frequencies, square roots of these, logarithms, and learned ones."""

    learned: Annotated[LearnedColumn, Doc("the learned numbers")]

    @property
    def n_letters(self) -> Count:
        """How many letters have a number."""
        return len(self.alphabet)

    @property
    def logs(self) -> Floats:
        """The logarithms of the frequencies; shape (26,)."""
        return unembedding_column("log-likelihood")

    @property
    def roots(self) -> Floats:
        """The square roots of the frequencies, between these and their logarithms; shape (26,)."""
        return unembedding_column("square root")

    @cached_property
    def standard(self) -> Floats:
        """Frequencies, roots and logarithms, each with mean 0 and deviation 1; shape (3, 26)."""
        return sealed(np.stack([standardised(x) for x in (ENGLISH, self.roots, self.logs)]))

    @property
    def learned_length(self) -> Characters:
        """Characters in a window that is learned from, and in one that is held out."""
        return self.learned.length

    @property
    def path(self) -> Floats:
        """The learned numbers from all 0 to the last, with mean 0 and deviation 1; (S + 1, 26)."""
        return self.learned.path

    @cached_property
    def unembedding(self) -> Floats:
        """The learned numbers turned by each rotation, a row for each; shape (26, 26)."""
        return sealed(templates(self.path[-1]))

    @cached_property
    def rare(self) -> Ints:
        """Letters whose logarithm is more than one deviation below the mean; shape (k,)."""
        return sealed_ints(np.flatnonzero(self.standard[2] < -1))

    @property
    def correlation(self) -> Correlation:
        """How much the learned numbers look like the logarithms, Pearson's r."""
        return self.learned.correlation(self.logs)

    @property
    def alphabet(self) -> tuple[str, ...]:
        """The letters a to z, each of which has a number."""
        return LETTERS.tokens

    @property
    def n_seen(self) -> Count:
        """How many windows are learned from."""
        return len(self.learned.seen)

    @property
    def n_steps(self) -> Count:
        """How many steps of Newton's method the training took."""
        return self.learned.n_steps

    @cached_property
    def column_names(self) -> tuple[str, ...]:
        """What the numbers of `held_out_shares` are; four names."""
        return ("frequencies", "square roots", "logarithms", "learned")

    @cached_property
    def held_out_shares(self) -> Floats:
        """Share of held-out windows solved by these numbers, in the order of the names; (4,)."""
        by_hand = [self.frequency_accuracy, self.root_accuracy, self.log_accuracy]
        return sealed(np.array([*by_hand, self.learned_accuracy]))

    @property
    def n_held_out(self) -> Count:
        """How many windows are held out, which training never sees."""
        return len(self.learned.held_out)

    @property
    def learned_accuracy(self) -> Share:
        """Share of held-out windows that the learned numbers solve."""
        return self.learned.accuracy

    @property
    def log_accuracy(self) -> Share:
        """Share of held-out windows that logarithms solve."""
        return self.learned.accuracy_of(self.logs)

    @property
    def root_accuracy(self) -> Share:
        """Share of held-out windows that square roots solve."""
        return self.learned.accuracy_of(self.roots)

    @property
    def frequency_accuracy(self) -> Share:
        """Share of held-out windows that frequencies solve."""
        return self.learned.accuracy_of(ENGLISH)


@cache
def weights(length: int) -> Weights:
    """Numbers for the letters, set by hand and learned from the sample text's windows."""
    return Weights(LearnedColumn(SAMPLE_ENGLISH, length))
