"""A cryptogram of which only the first characters are known: how few are too few.

Source: Dan Wilhelm, LLM Foundations, chapter 1: a histogram of few letters is unreliable. As in
`cryptogram`, which rotation leads follows from whole numbers.
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
    """A cryptogram, and what its first characters alone would say."""

    running_scores: Annotated[
        Floats, Doc("dot products of the first 0, 1 .. T characters; (T + 1, 26)")
    ]
    n_too_few: Annotated[
        Characters,
        Doc("the most first characters that fit another rotation no less than the true one"),
    ]
    letters_too_few: Annotated[Letters, Doc("how many of these are letters")]
    misled_to: Annotated[
        Rotation, Doc("the rotation that scores most for these, of all but the true one")
    ]


def growing_cryptogram(text: str, rotation: int) -> GrowingCryptogram:
    """A cryptogram character by character; no first characters are too few if all tell."""
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
