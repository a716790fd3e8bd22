"""The transformer before its first step: its numbers are random, and so is what it guesses."""

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
from clockhead.model.units import Characters, Count, Doc, Place, Share

STEPS = (0, 50)
"""The moments at which its numbers are shown."""
_HEAD, _ROWS, _COLUMNS = (0, 1), 4, 2
"""The head of which a few numbers are shown, and how they stand."""
_SAMPLE = slice(3, 35)
"""The letters that are shown of a text that it learns from."""
_BRIGHT = 0.25
"""A number of this size, above zero or below, is as bright or as dark as a dot can be."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FirstGuess(Values):
    """What the transformer guesses after a text before it has learned anything."""

    riddle: Annotated[Comeback, Doc("the text, and what came after its end before")]
    letters: Annotated[tuple[str, ...], Doc("the letters that it takes to be likeliest; 6")]
    guess: Annotated[Floats, Doc("how likely it takes each of them to be; (6,)")]
    place: Annotated[Place, Doc("the place among them of the letter that came before")]
    share: Annotated[Share, Doc("what it gives the letter that came before")]
    top: Annotated[str, Doc("the letter that it takes to be likeliest")]
    top_share: Annotated[Share, Doc("what it gives that letter")]
    is_lucky: Annotated[bool, Doc("whether these are one letter")]
    n_numbers: Annotated[Count, Doc("how many numbers its eight heads have")]
    shades: Annotated[Floats, Doc("all of them as brightness, 0.5 for zero; (2, 4, 64, 64)")]

    # What it learns from, and how
    sample: Annotated[tuple[str, ...], Doc("some letters of a text that it learns from")]
    sample_starts: Annotated[Ints, Doc("where a piece stands in it, and stands again; (2,)")]
    n_sample_piece: Annotated[Characters, Doc("how long the piece is")]
    few: Annotated[Floats, Doc("some of its numbers, after 0 and 50 steps; (2, 4, 2)")]
    n_few: Annotated[Count, Doc("how many these are")]
    likely: Annotated[Floats, Doc("how likely it takes each letter shown then; (2, 6)")]
    steps: Annotated[Count, Doc("how many steps these are")]
    later_share: Annotated[Share, Doc("what it gives the letter that came before, after them")]


def first_guess(text: str) -> FirstGuess:
    """Guess what comes after `text` with the weights before training."""
    riddle, guess, later = comeback(text), next_letter(text, 0), next_letter(text, STEPS[1])
    sample = texts_to_learn(np.random.default_rng(1), 40)[1, _SAMPLE]
    start, again, n_piece = _repeated(sample.tolist())
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


def _repeated(text: list[int]) -> tuple[int, int, int]:
    """The longest piece that stands twice in a text: where, where again, and how long it is."""
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
