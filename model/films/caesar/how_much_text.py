"""A message that is too short, and accuracy by length on the sample text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.caesar.accuracy import accuracy_by_length, every_window, hits, letter_shares
from clockhead.model.caesar.cipher import encrypt, plaintext, turn_back
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.caesar.scores import Method, scores
from clockhead.model.units import Characters, Count, Doc, Share, Shares

LENGTHS = (4, 8, 16, 32, 64, 128)
METHODS: tuple[Method, ...] = ("dot product", "commonest is e", "log-likelihood")
NEARLY_ALL = 0.95
N_OPENING = 45
"""Number of characters at the beginning of the sample text whose windows are shown."""
STRETCH = 8
"""Length of these windows, in characters."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TextNeeded(Values):
    """Accuracy by length on the sample text, and the solution of a message that is too short."""

    short: Annotated[Cryptogram, Doc("a message that is too short")]
    corrections: Annotated[
        tuple[str, ...],
        Doc("texts from the decoded one (the ciphertext if scores tie) to the plaintext"),
    ]

    # By length
    lengths: Annotated[Ints, Doc("lengths of the windows, in characters; (n,)")]
    dot_shares: Annotated[Shares, Doc("accuracy of dot products at each length; (n,)")]
    commonest_shares: Annotated[
        Shares, Doc("accuracy at each length if the most common letter is taken for e; (n,)")
    ]
    log_shares: Annotated[Shares, Doc("accuracy of log-likelihood at each length; (n,)")]
    mark: Annotated[Characters, Doc("the length at which accuracies are compared")]
    dot: Annotated[Share, Doc("accuracy of dot products at this length")]
    commonest: Annotated[
        Share, Doc("accuracy at this length if the most common letter is taken for e")
    ]
    log_likelihood: Annotated[Share, Doc("accuracy of log-likelihood at this length")]
    enough: Annotated[
        Characters, Doc("the first length at which dot products reach 95 %, or the longest")
    ]
    enough_share: Annotated[Share, Doc("accuracy of dot products at that length")]

    # The beginning of the sample text
    n_words: Annotated[Count, Doc("number of words in the sample text")]
    opening: Annotated[str, Doc("the first 45 characters of the sample text, as plaintext")]
    opening_ciphertext: Annotated[
        str, Doc("the opening, encrypted with the rotation of the short message")
    ]
    stretch: Annotated[Characters, Doc("length of the windows of the opening")]
    stretch_share: Annotated[Share, Doc("accuracy of dot products on all windows of that length")]
    opening_right: Annotated[
        Floats,
        Doc("1 for each window of the opening that is solved, 1 / k if k tie, else 0; (38,)"),
    ]


def text_needed(message: Cryptogram, mark: int) -> TextNeeded:
    """Solve a short message and windows of the sample text; `mark` is one of `LENGTHS`."""
    dots, commonest, logs = _accuracy()  # (n,) each
    at = LENGTHS.index(mark)
    enough = int(np.argmax([*(dots[:-1] >= NEARLY_ALL), True]))
    opening = plaintext(SAMPLE_ENGLISH)[:N_OPENING]
    windows = every_window(opening, STRETCH)  # (38, 8)
    return TextNeeded(
        short=message,
        corrections=turn_back(
            message.tokens, 0 if message.is_tied else message.found, message.rotation
        ),
        lengths=np.array(LENGTHS),
        dot_shares=dots,
        commonest_shares=commonest,
        log_shares=logs,
        mark=mark,
        dot=float(dots[at]),
        commonest=float(commonest[at]),
        log_likelihood=float(logs[at]),
        enough=LENGTHS[enough],
        enough_share=float(dots[enough]),
        n_words=len(SAMPLE_ENGLISH.split()),
        opening=opening,
        opening_ciphertext=encrypt(opening, message.rotation),
        stretch=STRETCH,
        stretch_share=float(dots[LENGTHS.index(STRETCH)]),
        opening_right=hits(scores(letter_shares(windows), "dot product")),
    )


@cache
def _accuracy() -> Floats:
    return accuracy_by_length(SAMPLE_ENGLISH, LENGTHS, METHODS)  # (3, n)
