"""Training of the two scales of the induction circuit: gradient descent on alpha and beta.

The targets of attention are built in: layer 0 attends one step back, layer 1 to positions that
store the last word. Both scales begin near 0, where attention is uniform. Each random text ends in
a repeated word, and the loss is minus the logarithm of the attention weight on the word that
followed it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.attention.pattern import softmax
from clockhead.model.induction.circuit import Induction
from clockhead.model.units import Count, Doc, Shares

N_STEPS, _RATE, _START = 100, 0.7, 0.02
"""Number of steps, learning rate, and both scales at first."""
_N_TEXTS, _N_WORDS, _SEED, _NUDGE = 64, 20, 0, 1e-5
"""Number of texts, of different words, the seed, and the step of numerical gradients."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Training(Values):
    """Gradient descent in `n_steps` steps, and attention on a text after each of them."""

    n_steps: Annotated[Count, Doc("number of steps of gradient descent")]
    steps: Annotated[Ints, Doc("steps, from 0; (S,)")]
    scales: Annotated[Floats, Doc("alpha and beta before the first step and after each; (S, 2)")]
    losses: Annotated[Floats, Doc("mean loss over all random texts; (S,)")]
    layer_0: Annotated[
        Floats, Doc("attention weights of each position in layer 0, step by step; (T, S, T)")
    ]
    stored: Annotated[
        Floats, Doc("attention weight of each position in layer 0 on its stored token; (S, T)")
    ]
    rows: Annotated[
        Shares, Doc("attention weights of the last word of the text in layer 1; (S, T)")
    ]


def training(head: Induction) -> Training:
    """Learn the scales from random texts of the length of `head`'s, and run them on its text."""
    is_past = np.tri(head.n_tokens, dtype=bool)
    sums = np.where(is_past, head.forward.head_0.scores / head.alpha, -np.inf)  # (T, T)
    texts, followers = _random_texts(head.n_tokens)
    own = head.text.indices[None]

    def loss(scales: Floats) -> float:
        given = _rows(sums, texts, scales) * (texts == followers[:, None])
        return float(-np.log(given.sum(axis=1)).mean())

    scales = [np.full(2, _START)]
    for _ in range(N_STEPS):
        nudges = _NUDGE * np.eye(2)
        slopes = [loss(scales[-1] + d) - loss(scales[-1] - d) for d in nudges]
        scales.append(scales[-1] - _RATE * np.array(slopes) / (2 * _NUDGE))
    patterns = np.array([softmax(alpha * sums) for alpha, _ in scales])  # (S, T, T)
    is_stored = own == head.stored[:, None]  # (T, T)
    return Training(
        n_steps=N_STEPS,
        steps=np.arange(N_STEPS + 1),
        scales=np.array(scales),
        losses=np.array([loss(pair) for pair in scales]),
        layer_0=patterns.transpose(1, 0, 2),
        stored=(patterns * is_stored).sum(axis=2),
        rows=np.concatenate([_rows(sums, own, pair) for pair in scales]),
    )


def _rows(sums: Floats, texts: Ints, scales: Floats) -> Floats:
    """Attention weights of the last word of each text (N, T) in layer 1; shape (N, T)."""
    alpha, beta = scales
    is_asked = (texts == texts[:, -1:]).astype(float)
    notes = is_asked @ softmax(alpha * sums).T  # (N, T), layer 0's weight on the last word
    return softmax(beta * notes)


def _random_texts(n: int) -> tuple[Ints, Ints]:
    """Random texts (N, n) after BOS, 0, that end in a repeated word, and its followers (N,)."""
    random = np.random.default_rng(_SEED)
    texts = random.integers(1, _N_WORDS + 1, size=(_N_TEXTS, n))
    texts[:, 0] = 0
    rows, stood = np.arange(_N_TEXTS), random.integers(1, n - 2, size=_N_TEXTS)
    texts[:, -1] = texts[rows, stood]
    return texts, texts[rows, stood + 1]
