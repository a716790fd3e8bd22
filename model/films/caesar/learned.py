"""A learned unembedding compared with the hand-built one: logistic regression on rotated windows.

Source: Dan Wilhelm, LLM Foundations, chapter 1, whose code imports one but whose text does not
reach it. Trained on every window at every rotation, the best 26 x 26 weights are the rotations of
one column, because rotating text and weights together changes neither the loss nor the penalty, and
the best weights are unique. So only 26 numbers are learned, by Newton's method and without
randomness.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, Values, check_array, check_float
from clockhead.model.attention.pattern import softmax
from clockhead.model.caesar.accuracy import accuracy, every_window, letter_shares
from clockhead.model.caesar.cipher import ENGLISH, N_ROTATIONS, plaintext, templates
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.caesar.scores import unembedding_column
from clockhead.model.tokens import LETTERS
from clockhead.model.units import Characters, Correlation, Count, Doc, Share, Shares

STEPS = 100  # maximum; Newton's method needs about ten
SMALLEST_STEP = 1e-10
HELD_OUT = 0.3  # fraction of the text, at its end, that is held out from training


def fit_columns(shares: ArrayLike, strength: float = 10.0) -> Floats:
    """Fit the column that best separates rotation 0 from the other 25, by Newton's method.

    `shares` (N, 26) are letter frequencies of unrotated windows. Minimises their summed
    cross-entropy plus |column|^2 / (2 strength). Returns the initial column of zeros and those
    after each step, (S + 1, 26). Raises ValueError for other shapes or a strength not above 0.
    """
    rows = check_array("shares", shares, n_axes=2)  # (N, 26)
    if not rows.size or rows.shape[1] != N_ROTATIONS:
        raise ValueError(f"shares must have shape (N, 26), got {rows.shape}")
    penalty = 1 / check_float("strength", strength, above=0, at_most=1e6)
    letter = np.arange(N_ROTATIONS)
    turned = rows[:, (letter + letter[:, None]) % N_ROTATIONS]  # (N, 26, 26), rotated back by r
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


def standardise(column: ArrayLike) -> Floats:
    """Shift and scale a column (26,) to mean 0 and standard deviation 1.

    This does not change the order of the logits. Raises ValueError for a constant column.
    """
    weights = check_array("column", column, n_axes=1)  # (26,)
    deviation = weights.std()
    if not deviation:
        raise ValueError(f"column must not be the same for all letters, got {weights.tolist()}")
    return np.asarray((weights - weights.mean()) / deviation)


def split_windows(text: str, length: int) -> tuple[Floats, Floats]:
    """Letter frequencies of the training windows (N, 26) and of those held out (M, 26).

    Raises ValueError if either part of the text is shorter than a window.
    """
    letters = plaintext(text)
    cut = round((1 - HELD_OUT) * len(letters))
    seen, held_out = (
        letter_shares(every_window(p, length)) for p in (letters[:cut], letters[cut:])
    )
    return seen, held_out


@dataclass(frozen=True, kw_only=True, eq=False)
class Weights(Values):
    """Unembedding columns: frequencies, their square roots, their logarithms, and learned ones."""

    alphabet: Annotated[tuple[str, ...], Doc("letters a to z, in the order of the columns")]
    n_letters: Annotated[Count, Doc("number of letters")]
    standard: Annotated[Floats, Doc("frequencies, roots and logarithms, standardised; (3, 26)")]
    rare: Annotated[
        Ints,
        Doc("letters whose logarithm is more than one standard deviation below the mean; (k,)"),
    ]

    # Training
    learned_length: Annotated[Characters, Doc("length of the windows, in characters")]
    n_seen: Annotated[Count, Doc("number of training windows")]
    n_steps: Annotated[Count, Doc("number of steps of Newton's method")]
    path: Annotated[
        Floats,
        Doc("learned column from all 0 to the last, which is standardised; (S + 1, 26)"),
    ]
    unembedding: Annotated[
        Floats, Doc("the learned column rotated by 0 to 25, a row for each; (26, 26)")
    ]
    correlation: Annotated[Correlation, Doc("correlation of the learned column and the logarithms")]

    # On held-out windows
    n_held_out: Annotated[Count, Doc("number of held-out windows")]
    frequency_accuracy: Annotated[Share, Doc("accuracy of frequencies on held-out windows")]
    root_accuracy: Annotated[Share, Doc("accuracy of square roots on held-out windows")]
    log_accuracy: Annotated[Share, Doc("accuracy of logarithms on held-out windows")]
    learned_accuracy: Annotated[Share, Doc("accuracy of the learned column on held-out windows")]
    held_out_shares: Annotated[
        Shares, Doc("accuracies of the four columns on held-out windows; (4,)")
    ]
    column_names: Annotated[tuple[str, ...], Doc("names of the four columns")]


@cache
def weights(length: int) -> Weights:
    """Unembedding columns by hand, and one learned from windows of the sample text.

    In `path`, all learned columns are divided by the standard deviation of the last one.
    """
    seen, held_out = split_windows(SAMPLE_ENGLISH, length)  # (N, 26), (M, 26)
    columns = fit_columns(seen)  # (S + 1, 26)
    path = (columns - columns.mean(axis=1, keepdims=True)) / columns[-1].std()
    roots, logs = unembedding_column("square root"), unembedding_column("log-likelihood")
    standard = np.stack([standardise(column) for column in (ENGLISH, roots, logs)])  # (3, 26)
    shares = [
        accuracy(held_out @ templates(column).T) for column in (ENGLISH, roots, logs, columns[-1])
    ]
    return Weights(
        alphabet=LETTERS.tokens,
        n_letters=N_ROTATIONS,
        standard=standard,
        rare=np.flatnonzero(standard[2] < -1),
        learned_length=length,
        n_seen=len(seen),
        n_steps=len(columns) - 1,
        path=path,
        unembedding=templates(path[-1]),
        correlation=float(np.corrcoef(columns[-1], logs)[0, 1]),
        n_held_out=len(held_out),
        frequency_accuracy=shares[0],
        root_accuracy=shares[1],
        log_accuracy=shares[2],
        learned_accuracy=shares[3],
        held_out_shares=np.array(shares),
        column_names=("frequencies", "square roots", "logarithms", "learned"),
    )
