"""What softmax makes of a cryptogram's scores: shares that are all alike, or chances.

Source: Dan Wilhelm, LLM Foundations, chapter 1, whose solver ends with scores. A softmax of dot
products is nearly even, as they are small: it gives each rotation about 1 in 26. If letters were
drawn one by one, each as often as English uses it, the chance of a rotation would be proportional
to the product of the frequencies of all letters turned back by it (Bayes, all rotations alike at
first): the softmax of the summed logarithms. Spaces say nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, sealed, sealed_ints
from clockhead.model.attention.pattern import softmax
from clockhead.model.caesar.accuracy import TIE, every_window, share_right
from clockhead.model.caesar.cipher import N_ROTATIONS, SPACE, counts, templates
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.caesar.scores import unembedding_column
from clockhead.model.units import Characters, Count, Doc, Rotation, Share

SURE = 0.99
"""The chance from which on a rotation counts as sure."""
STRETCH = 16
"""Characters in the stretches of the sample text on which chances are held against what is read."""


@dataclass(frozen=True)
class Belief:
    """The chance of every rotation for a ciphertext, character by character."""

    cryptogram: Annotated[Cryptogram, Doc("the message, its ciphertext and its rotation")]

    @property
    def n_rotations(self) -> Count:
        """How many rotations there are."""
        return N_ROTATIONS

    @property
    def even(self) -> Share:
        """What each rotation has if nothing is known, 1 in 26."""
        return 1 / N_ROTATIONS

    @cached_property
    def dot_shares(self) -> Floats:
        """Softmax of the dot products: nearly even; shape (26,)."""
        return sealed(softmax(self.cryptogram.dot_products))

    @property
    def dot_share(self) -> Share:
        """The largest share that a softmax of the dot products gives."""
        return float(self.dot_shares.max())

    @cached_property
    def evidence(self) -> Floats:
        """Summed logarithms of the letters' frequencies, after 0, 1 .. T characters; (T + 1, 26).

        Row m, column r is how English in rotation r would use the first m characters.
        """
        logs = templates(unembedding_column("log-likelihood"))  # (26, 26), rotation by letter
        by_token = np.vstack([logs.T, np.zeros(N_ROTATIONS)])  # (27, 26)
        steps = by_token[self.cryptogram.tokens]  # (T, 26)
        return sealed(np.vstack([np.zeros(N_ROTATIONS), steps.cumsum(axis=0)]))

    @cached_property
    def chances(self) -> Floats:
        """The chance of every rotation after 0, 1 .. T characters; shape (T + 1, 26).

        Below 1, as a chance is that leaves others, where float64 would round it to 1.
        """
        return sealed(np.minimum(softmax(self.evidence), np.nextafter(1.0, 0.0)))

    @cached_property
    def largest(self) -> Floats:
        """The largest chance after 0, 1 .. T characters; shape (T + 1,)."""
        return sealed(self.chances.max(axis=1))

    @property
    def first_letter(self) -> str:
        """The first character of the ciphertext, which is a letter."""
        return self.cryptogram.ciphertext[0]

    @cached_property
    def first_guess(self) -> Rotation:
        """The rotation with the largest chance after the first character."""
        return int(self.chances[1].argmax())

    @property
    def first_chance(self) -> Share:
        """The largest chance after the first character, the frequency of e in English."""
        return float(self.largest[1])

    @cached_property
    def leaders(self) -> Ints:
        """The rotations that share the largest chance in the end, nearly always one; shape (k,)."""
        sums = self.evidence[-1]  # (26,)
        return sealed_ints(np.flatnonzero(sums >= sums.max() - TIE * np.abs(sums).max()))

    @property
    def n_leaders(self) -> Count:
        """How many rotations share the largest chance."""
        return len(self.leaders)

    @property
    def is_tied(self) -> bool:
        """Whether several rotations share the largest chance."""
        return self.n_leaders > 1

    @property
    def found(self) -> Rotation:
        """The rotation of the largest chance, the first of equals."""
        return int(self.leaders[0])

    @property
    def is_read(self) -> bool:
        """Whether the true rotation, and no other, has the largest chance."""
        return not self.is_tied and self.found == self.cryptogram.rotation

    @property
    def chance(self) -> Share:
        """The largest chance in the end."""
        return float(self.chances[-1, self.found])

    @property
    def is_sure(self) -> bool:
        """Whether one rotation is sure in the end."""
        return self.chance >= SURE

    @property
    def sure_share(self) -> Share:
        """The chance from which on a rotation counts as sure."""
        return SURE

    @property
    def sure_after(self) -> Characters:
        """From how many characters on the rotation found stays sure; all of them if it never is."""
        unsure = np.flatnonzero(self.chances[:, self.found] < SURE)  # at least row 0
        return min(int(unsure[-1]) + 1, self.cryptogram.n_tokens)

    # On the sample text

    @property
    def stretch(self) -> Characters:
        """Characters in the stretches on which chances are held against what is read."""
        return STRETCH

    @property
    def said_share(self) -> Share:
        """The mean of the largest chance over all stretches of the sample text."""
        return _calibration()[0]

    @property
    def read_share(self) -> Share:
        """Share of these stretches in which the true rotation has the largest chance."""
        return _calibration()[1]

    @property
    def calibration(self) -> Floats:
        """Both of them; shape (2,)."""
        return sealed(np.array(_calibration()))

    @property
    def calibration_names(self) -> tuple[str, str]:
        """What the two are called."""
        return ("claimed", "read right")


@cache
def _calibration() -> tuple[float, float]:
    """The mean largest chance over all stretches, and the share that is read."""
    letters = counts(every_window(SAMPLE_ENGLISH, STRETCH))[:, :SPACE]  # (N, 26)
    sums = letters @ templates(unembedding_column("log-likelihood")).T  # (N, 26)
    return float(softmax(sums).max(axis=1).mean()), share_right(sums)
