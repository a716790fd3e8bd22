"""The transformer before its first step: its numbers are random, and so is what it guesses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.films.trained.comeback import (
    ALPHABET,
    Comeback,
    comeback,
    likeliest,
    next_letter,
)
from clockhead.model.trained.transformer import TrainedWeights, moments
from clockhead.model.units import Count, Doc, Share

STEPS = (0, 50, 150)
"""The moments at which its numbers are shown."""
_BRIGHT = 0.25
"""A number of this size, above zero or below, is as bright or as dark as a dot can be."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FirstGuess(Values):
    """What the transformer guesses after a text before it has learned anything."""

    riddle: Annotated[Comeback, Doc("the text, and what came after its end before")]
    letters: Annotated[tuple[str, ...], Doc("the letters that it takes to be likeliest; 8")]
    guess: Annotated[Floats, Doc("how likely it takes each of them to be; (8,)")]
    place: Annotated[int, Doc("the place among them of the letter that came before")]
    share: Annotated[Share, Doc("what it gives the letter that came before")]
    top: Annotated[str, Doc("the letter that it takes to be likeliest")]
    top_share: Annotated[Share, Doc("what it gives that letter")]
    is_lucky: Annotated[bool, Doc("whether these are one letter")]
    n_numbers: Annotated[Count, Doc("how many numbers its eight heads have")]
    shades: Annotated[
        Floats, Doc("all of them as brightness, 0.5 for zero, after 0, 50, 150; (3, 2, 4, 64, 64)")
    ]


def first_guess(text: str) -> FirstGuess:
    """Guess what comes after `text` with the weights before training."""
    riddle, guess = comeback(text), next_letter(text, 0)
    order = likeliest(guess, riddle.answer_index)  # (8,)
    shades = np.stack([_shades(moments().at(step)) for step in STEPS])
    return FirstGuess(
        riddle=riddle,
        letters=tuple(ALPHABET[k] for k in order),
        guess=guess[order],
        place=int(np.flatnonzero(order == riddle.answer_index)[0]),
        share=float(guess[riddle.answer_index]),
        top=ALPHABET[order[0]],
        top_share=float(guess[order[0]]),
        is_lucky=int(order[0]) == riddle.answer_index,
        n_numbers=shades[0].size,
        shades=shades,
    )


def _shades(weights: TrainedWeights) -> Floats:
    """The four matrices of every head side by side, as brightness; (2, 4, 64, 64)."""
    parts = (weights.w_q, weights.w_k, weights.w_v, weights.w_o.swapaxes(-1, -2))
    every = np.concatenate(parts, axis=-1)  # (2, 4, 64, 64)
    return np.asarray(0.5 + np.clip(every, -_BRIGHT, _BRIGHT) / (2 * _BRIGHT))
