"""What softmax makes of a cryptogram's scores: shares that are all alike, or chances.

Source: Dan Wilhelm, LLM Foundations, chapter 1, whose solver ends with scores. A softmax of dot
products is nearly even, as they are small: it gives each rotation about 1 in 26. If letters were
drawn one by one, each as often as English uses it, the chance of a rotation would be proportional
to the product of the frequencies of all letters turned back by it (Bayes, all rotations alike at
first): the softmax of the summed logarithms. Spaces say nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
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


@dataclass(frozen=True, kw_only=True, eq=False)
class Belief(Values):
    """The chance of every rotation for a ciphertext, character by character."""

    cryptogram: Annotated[Cryptogram, Doc("the message, its ciphertext and its rotation")]
    even: Annotated[Share, Doc("what each rotation has if nothing is known, 1 in 26")]
    dot_shares: Annotated[Floats, Doc("softmax of the dot products: nearly even; (26,)")]
    dot_share: Annotated[Share, Doc("the largest share that a softmax of the dot products gives")]
    chances: Annotated[
        Floats, Doc("the chance of every rotation after 0, 1 .. T characters; (T + 1, 26)")
    ]
    largest: Annotated[Floats, Doc("the largest chance after 0, 1 .. T characters; (T + 1,)")]
    first_letter: Annotated[str, Doc("the first character of the ciphertext, which is a letter")]
    first_guess: Annotated[Rotation, Doc("the likeliest rotation after the first character")]
    first_chance: Annotated[
        Share, Doc("the largest chance after the first character, the frequency of e in English")
    ]
    leaders: Annotated[Ints, Doc("the rotations that share the largest chance in the end; (k,)")]
    n_leaders: Annotated[Count, Doc("how many rotations share the largest chance")]
    is_tied: Annotated[bool, Doc("whether several rotations share the largest chance")]
    found: Annotated[Rotation, Doc("the likeliest rotation in the end")]
    is_read: Annotated[bool, Doc("whether the true rotation, and no other, has the largest chance")]
    chance: Annotated[Share, Doc("the chance of the likeliest rotation in the end")]
    sure_share: Annotated[Share, Doc("the chance from which on a rotation counts as sure")]
    is_sure: Annotated[bool, Doc("whether one rotation is sure in the end")]
    sure_after: Annotated[Characters, Doc("the length of text after which it stays sure")]

    # On the sample text
    stretch: Annotated[
        Characters, Doc("characters in the stretches on which chances are compared with reading")
    ]
    said_share: Annotated[Share, Doc("the mean of the largest chance over all stretches")]
    read_share: Annotated[
        Share, Doc("the share of stretches in which the true rotation has the largest chance")
    ]
    calibration: Annotated[Floats, Doc("both shares; (2,)")]
    calibration_names: Annotated[tuple[str, str], Doc("names of the two")]


def belief(cryptogram: Cryptogram) -> Belief:
    """Multiply chances letter by letter: sum the logarithms of frequencies, and take the softmax.

    Chances stay below 1, as a chance does that leaves others, where float64 would round it to 1.
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
    """The mean largest chance over all stretches, and the share that is read."""
    letters = counts(every_window(SAMPLE_ENGLISH, STRETCH))[:, :SPACE]  # (N, 26)
    sums = letters @ templates(unembedding_column("log-likelihood")).T  # (N, 26)
    return float(softmax(sums).max(axis=1).mean()), share_right(sums)
