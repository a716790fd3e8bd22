"""A cryptogram character by character, and how many characters are too few to solve it.

Source: Dan Wilhelm, LLM Foundations, chapter 1: a histogram of few letters is unreliable. As in
`cryptogram`, the best rotation is decided on whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats
from clockhead.model.caesar.cipher import N_ROTATIONS, PER_UNIT, unit_templates
from clockhead.model.caesar.cryptogram import Cryptogram, cryptogram
from clockhead.model.units import Characters, Doc, Letters, Rotation


@dataclass(frozen=True, kw_only=True, eq=False)
class GrowingCryptogram(Cryptogram):
    """A cryptogram, and its scores after each of its characters."""

    running_scores: Annotated[
        Floats, Doc("dot products of the first 0, 1 .. T characters; (T + 1, 26)")
    ]
    n_too_few: Annotated[
        Characters,
        Doc("largest number of first characters that fit another rotation at least as well"),
    ]
    letters_too_few: Annotated[Letters, Doc("number of letters among these characters")]
    misled_to: Annotated[
        Rotation, Doc("wrong rotation with the largest score for these characters")
    ]


def growing_cryptogram(text: str, rotation: int) -> GrowingCryptogram:
    """Score a cryptogram character by character; `n_too_few` is 0 if one is always enough."""
    whole = cryptogram(text, rotation)
    ones = whole.tokens[:, None] == np.arange(N_ROTATIONS)  # (T, 26)
    counts = np.vstack([np.zeros((1, N_ROTATIONS), dtype=np.int64), ones.cumsum(axis=0)])
    running = counts @ unit_templates().T  # (T + 1, 26)
    n = np.maximum(1, np.arange(len(running)))[:, None]  # (T + 1, 1)
    others = running.copy()
    others[:, rotation] = -1
    misled = others.max(axis=1) >= running[:, rotation]  # (T + 1,)
    too_few = int(np.flatnonzero(misled).max(initial=0))
    return GrowingCryptogram(
        **vars(whole),
        running_scores=running / (PER_UNIT * n),
        n_too_few=too_few,
        letters_too_few=int((whole.tokens[:too_few] < N_ROTATIONS).sum()),
        misled_to=int(others[too_few].argmax()),
    )
