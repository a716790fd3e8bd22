"""A message that is too short, and accuracy against length on the sample text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.caesar.accuracy import accuracy_by_length, every_window, letter_shares, rights
from clockhead.model.caesar.cipher import encrypt, plain, turn_back
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.caesar.scores import Method, scores
from clockhead.model.units import Characters, Count, Doc, Share

LENGTHS = (4, 8, 16, 32, 64, 128)
METHODS: tuple[Method, ...] = ("dot product", "commonest is e", "log-likelihood")
NEARLY_ALL = 0.95
N_OPENING = 45
"""Characters of the sample text that are walked over."""
STRETCH = 8
"""Characters in a stretch of that walk."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TextNeeded(Values):
    """How much of the sample text is needed, and what is read of a message that is too short."""

    short: Annotated[Cryptogram, Doc("a message that is too short")]
    corrections: Annotated[
        tuple[str, ...], Doc("from what is read in it (its ciphertext if scores tie) to its text")
    ]

    # By length
    lengths: Annotated[Ints, Doc("characters in a stretch; (n,)")]
    dot_shares: Annotated[Floats, Doc("share of stretches that dot products read right; (n,)")]
    commonest_shares: Annotated[
        Floats, Doc("share read right if their commonest letter is taken for e; (n,)")
    ]
    log_shares: Annotated[Floats, Doc("share of stretches that logarithms read right; (n,)")]
    mark: Annotated[Characters, Doc("the length that is read off")]
    dot: Annotated[Share, Doc("the texts that are read right with dot products")]
    commonest: Annotated[Share, Doc("the texts that are read right if the commonest letter is e")]
    log_likelihood: Annotated[Share, Doc("the texts that are read right with logarithms")]
    enough: Annotated[
        Characters, Doc("the first length at which dot products read nearly all, or the longest")
    ]
    enough_share: Annotated[Share, Doc("share of stretches that they read right there")]

    # The beginning of the sample text
    n_words: Annotated[Count, Doc("how many words the sample text has")]
    opening: Annotated[str, Doc("its first 45 characters, in lower case and without punctuation")]
    opening_ciphertext: Annotated[
        str, Doc("the opening, turned by the rotation of the short message")
    ]
    stretch: Annotated[Characters, Doc("how many characters of the opening are taken at once")]
    stretch_share: Annotated[
        Share, Doc("share of all stretches of that length that dot products read right")
    ]
    opening_right: Annotated[
        Floats, Doc("1 for each stretch of the opening that is read, 1 / k if k are tied; (38,)")
    ]


def text_needed(message: Cryptogram, mark: int) -> TextNeeded:
    """Read a short message, and stretches of the sample text; `mark` is one of `LENGTHS`."""
    dots, commonest, logs = _accuracy()  # (n,) each
    at = LENGTHS.index(mark)
    enough = int(np.argmax([*(dots[:-1] >= NEARLY_ALL), True]))
    opening = plain(SAMPLE_ENGLISH)[:N_OPENING]
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
        opening_right=rights(scores(letter_shares(windows), "dot product")),
    )


@cache
def _accuracy() -> Floats:
    return accuracy_by_length(SAMPLE_ENGLISH, LENGTHS, METHODS)  # (3, n)
