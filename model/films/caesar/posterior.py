"""The softmax of a cryptogram's scores, and the posterior probability of each rotation.

Source: Dan Wilhelm, LLM Foundations, chapter 1, whose solver ends with scores. Dot products are
small, so their softmax is nearly uniform: about 1 in 26 for each rotation. If letters were drawn
independently with the frequencies of English, the posterior probability of a rotation (with a
uniform prior) would be proportional to the product of the frequencies of all letters rotated back:
the softmax of the summed logarithms. Spaces have no effect.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Ints, Values
from clockhead.model.attention.pattern import softmax
from clockhead.model.caesar.accuracy import TIE, accuracy, every_window
from clockhead.model.caesar.cipher import N_ROTATIONS, SPACE, counts, templates
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.caesar.scores import unembedding_column
from clockhead.model.units import Characters, Count, Doc, Rotation, Share, Shares

SURE = 0.99
"""Smallest probability at which a rotation counts as sure."""
STRETCH = 16
"""Length in characters of the windows of the sample text on which calibration is measured."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Belief(Values):
    """The posterior probability of every rotation, character by character."""

    cryptogram: Annotated[Cryptogram, Doc("the message, its ciphertext and its rotation")]
    even: Annotated[Share, Doc("prior probability of each rotation, 1 in 26")]
    dot_shares: Annotated[Shares, Doc("softmax of the dot products, nearly uniform; (26,)")]
    dot_share: Annotated[Share, Doc("largest probability in the softmax of the dot products")]
    chances: Annotated[
        Shares, Doc("probability of every rotation after 0, 1 .. T characters; (T + 1, 26)")
    ]
    largest: Annotated[Shares, Doc("largest probability after 0, 1 .. T characters; (T + 1,)")]
    first_letter: Annotated[str, Doc("the first character of the ciphertext, which is a letter")]
    first_guess: Annotated[Rotation, Doc("likeliest rotation after the first character")]
    first_chance: Annotated[
        Share, Doc("largest probability after the first character, the frequency of e in English")
    ]
    leaders: Annotated[Ints, Doc("rotations with the largest probability at the end; (k,)")]
    n_leaders: Annotated[Count, Doc("number of rotations with the largest probability at the end")]
    is_tied: Annotated[
        bool, Doc("whether several rotations have the largest probability at the end")
    ]
    found: Annotated[Rotation, Doc("likeliest rotation at the end")]
    is_read: Annotated[
        bool, Doc("whether the true rotation, and no other, has the largest probability")
    ]
    chance: Annotated[Share, Doc("probability of the likeliest rotation at the end")]
    sure_share: Annotated[Share, Doc("smallest probability at which a rotation counts as sure")]
    is_sure: Annotated[bool, Doc("whether one rotation is sure at the end")]
    sure_after: Annotated[Characters, Doc("number of characters after which it stays sure")]

    # On the sample text
    stretch: Annotated[Characters, Doc("length of the windows on which calibration is measured")]
    said_share: Annotated[Share, Doc("mean of the largest probability over all windows")]
    read_share: Annotated[
        Share, Doc("fraction of windows in which the true rotation has the largest probability")
    ]
    calibration: Annotated[Shares, Doc("claimed and actual accuracy; (2,)")]
    calibration_names: Annotated[tuple[str, str], Doc("names of these two")]


def belief(cryptogram: Cryptogram) -> Belief:
    """Sum the logarithms of frequencies letter by letter, and take the softmax.

    Probabilities stay below 1 even where float64 would round them to 1.
    """
    dot_shares = softmax(cryptogram.dot_products)  # (26,)
    logs = templates(unembedding_column("log-likelihood"))  # (26, 26), rotation by letter
    by_token = np.vstack([logs.T, np.zeros(N_ROTATIONS)])  # (27, 26)
    steps = by_token[cryptogram.tokens]  # (T, 26)
    evidence = np.vstack([np.zeros(N_ROTATIONS), steps.cumsum(axis=0)])  # (T + 1, 26)
    chances = np.minimum(softmax(evidence), np.nextafter(1.0, 0.0))
    largest = chances.max(axis=1)

    sums = evidence[-1]  # (26,)
    leaders = np.flatnonzero(sums >= sums.max() - TIE * np.abs(sums).max())
    found, is_tied = int(leaders[0]), len(leaders) > 1
    unsure = np.flatnonzero(chances[:, found] < SURE)  # at least row 0
    said, read = _calibration()
    return Belief(
        cryptogram=cryptogram,
        even=1 / N_ROTATIONS,
        dot_shares=dot_shares,
        dot_share=float(dot_shares.max()),
        chances=chances,
        largest=largest,
        first_letter=cryptogram.ciphertext[0],
        first_guess=int(chances[1].argmax()),
        first_chance=float(largest[1]),
        leaders=leaders,
        n_leaders=len(leaders),
        is_tied=is_tied,
        found=found,
        is_read=not is_tied and found == cryptogram.rotation,
        chance=float(chances[-1, found]),
        sure_share=SURE,
        is_sure=bool(chances[-1, found] >= SURE),
        sure_after=min(int(unsure[-1]) + 1, cryptogram.n_tokens),
        stretch=STRETCH,
        said_share=said,
        read_share=read,
        calibration=np.array([said, read]),
        calibration_names=("claimed", "read right"),
    )


@cache
def _calibration() -> tuple[float, float]:
    """Mean of the largest probability over all windows, and the accuracy."""
    letters = counts(every_window(SAMPLE_ENGLISH, STRETCH))[:, :SPACE]  # (N, 26)
    sums = letters @ templates(unembedding_column("log-likelihood")).T  # (N, 26)
    return float(softmax(sums).max(axis=1).mean()), accuracy(sums)
