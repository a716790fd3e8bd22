"""A cryptogram of which only the first characters are known: how few are too few.

Source: Dan Wilhelm, LLM Foundations, chapter 1: a histogram of few letters is unreliable. As in
`cryptogram`, which rotation leads follows from whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from clockhead.model.arrays import Floats, Ints, sealed, sealed_ints
from clockhead.model.caesar.cipher import N_ROTATIONS, PER_UNIT, unit_templates
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.units import Characters, Letters, Rotation


@dataclass(frozen=True)
class GrowingCryptogram(Cryptogram):
    """A cryptogram, and what its first characters alone would say."""

    @cached_property
    def running_scores(self) -> Floats:
        """The dot products of the first 0, 1, and so on to all characters; shape (T + 1, 26)."""
        n = np.maximum(1, np.arange(self.n_tokens + 1))[:, None]  # (T + 1, 1)
        return sealed(self._running / (PER_UNIT * n))

    @cached_property
    def n_too_few(self) -> Characters:
        """The most first characters for which another rotation scores no less than the true one.

        0 if the true one leads from the first character on.
        """
        rivals = self._others.max(axis=1)  # (T + 1,)
        misled = rivals >= self._running[:, self.rotation]
        return int(np.flatnonzero(misled).max(initial=0))

    @property
    def letters_too_few(self) -> Letters:
        """How many of these are letters."""
        return int((self.tokens[: self.n_too_few] < N_ROTATIONS).sum())

    @property
    def misled_to(self) -> Rotation:
        """The rotation that scores most for these, the first of equals, but not the true one."""
        return int(self._others[self.n_too_few].argmax())

    @cached_property
    def _running(self) -> Ints:
        """Counts times frequencies in units of 1e-5, so many characters on; shape (T + 1, 26)."""
        ones = self.tokens[:, None] == np.arange(N_ROTATIONS)  # (T, 26)
        counts = np.vstack([np.zeros((1, N_ROTATIONS), dtype=np.int64), ones.cumsum(axis=0)])
        return sealed_ints(counts @ unit_templates().T)

    @cached_property
    def _others(self) -> Ints:
        """The same, and -1 for the true rotation; shape (T + 1, 26)."""
        scores = self._running.copy()
        scores[:, self.rotation] = -1
        return sealed_ints(scores)
