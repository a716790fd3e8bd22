"""The transformer before training: its weights are random, and so are its predictions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.films.trained.comeback import (
    ALPHABET,
    Comeback,
    comeback,
    likeliest,
    next_letter,
)
from clockhead.model.trained.texts import texts_to_learn
from clockhead.model.trained.transformer import TrainedWeights, moments
from clockhead.model.units import Characters, Count, Doc, Place, Share, Shares

STEPS = (0, 50)
"""Training steps at which weights are shown."""
_HEAD, _ROWS, _COLUMNS = (0, 1), 4, 2
"""Head of which a few weights are shown, and the rows and columns of that sample."""
_SAMPLE = slice(3, 35)
"""Slice of a training text that is shown."""
_BRIGHT = 0.25
"""Absolute weight that is drawn with full or no brightness."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FirstGuess(Values):
    """The prediction of the untrained transformer after a text, and its weights."""

    riddle: Annotated[Comeback, Doc("text, and the letter that followed its repeated end")]
    letters: Annotated[tuple[str, ...], Doc("likeliest letters, the right one included; 6 of them")]
    guess: Annotated[Shares, Doc("probabilities of these letters; (6,)")]
    place: Annotated[Place, Doc("index among them of the right letter")]
    share: Annotated[Share, Doc("probability of the right letter")]
    top: Annotated[str, Doc("likeliest letter")]
    top_share: Annotated[Share, Doc("probability of the likeliest letter")]
    is_lucky: Annotated[bool, Doc("whether the likeliest letter happens to be the right one")]
    n_numbers: Annotated[Count, Doc("number of weights in its eight heads")]
    shades: Annotated[
        Floats, Doc("all of these weights as brightness, 0.5 for zero; (2, 4, 64, 64)")
    ]

    # Training text and first steps
    sample: Annotated[tuple[str, ...], Doc("some letters of a training text")]
    sample_starts: Annotated[
        Ints, Doc("positions of a repeated piece and of its repeat in the sample; (2,)")
    ]
    n_sample_piece: Annotated[Characters, Doc("length of that piece")]
    few: Annotated[Floats, Doc("some weights after 0 and 50 steps; (2, 4, 2)")]
    n_few: Annotated[Count, Doc("number of these weights")]
    likely: Annotated[Shares, Doc("probabilities of the letters after 0 and 50 steps; (2, 6)")]
    steps: Annotated[Count, Doc("number of training steps between the two, 50")]
    later_share: Annotated[Share, Doc("probability of the right letter after these steps")]


def first_guess(text: str) -> FirstGuess:
    """Predict the letter after `text` with the weights before training."""
    riddle, guess, later = comeback(text), next_letter(text, 0), next_letter(text, STEPS[1])
    sample = texts_to_learn(np.random.default_rng(1), 40)[1, _SAMPLE]
    start, again, n_piece = _longest_repeat(sample.tolist())
    before, after = (moments().at(step) for step in STEPS)
    order = likeliest(guess, riddle.answer_index)  # (6,)
    shades = _shades(before)
    return FirstGuess(
        riddle=riddle,
        letters=tuple(ALPHABET[k] for k in order),
        guess=guess[order],
        place=int(np.flatnonzero(order == riddle.answer_index)[0]),
        share=float(guess[riddle.answer_index]),
        top=ALPHABET[order[0]],
        top_share=float(guess[order[0]]),
        is_lucky=int(order[0]) == riddle.answer_index,
        n_numbers=shades.size,
        shades=shades,
        sample=tuple(ALPHABET[k] for k in sample),
        sample_starts=np.array([start, again]),
        n_sample_piece=n_piece,
        few=np.stack([each.w_q[_HEAD][:_ROWS, :_COLUMNS] for each in (before, after)]),
        n_few=_ROWS * _COLUMNS,
        likely=np.stack([guess[order], later[order]]),
        steps=STEPS[1],
        later_share=float(later[riddle.answer_index]),
    )


def _longest_repeat(text: list[int]) -> tuple[int, int, int]:
    """Position, position of the repeat, and length of the longest repeated piece of a text."""
    n = len(text)
    found = [
        (size, start, again)
        for size in range(1, n // 2 + 1)
        for start in range(n - 2 * size + 1)
        for again in range(start + size, n - size + 1)
        if text[start : start + size] == text[again : again + size]
    ]
    size, start, again = max(found)
    return start, again, size


def _shades(weights: TrainedWeights) -> Floats:
    """The four matrices of every head side by side, as brightness; (2, 4, 64, 64)."""
    parts = (weights.w_q, weights.w_k, weights.w_v, weights.w_o.swapaxes(-1, -2))
    every = np.concatenate(parts, axis=-1)  # (2, 4, 64, 64)
    return np.asarray(0.5 + np.clip(every, -_BRIGHT, _BRIGHT) / (2 * _BRIGHT))
