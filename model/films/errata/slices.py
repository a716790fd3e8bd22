"""The draft's wrong code for the 26 templates, and what it decodes.

Source: Dan Wilhelm, LLM Foundations, chapter 1: `base_freq[-rot:] + base_freq[rot:]` instead of
`base_freq[-rot:] + base_freq[:-rot]`, which rotates English by `rot`. Row 0 has 52 numbers and the
others 26, so they do not form an array; here all are cut to 26. The chapter's own example is
"etainos", rotated by 1 to "fubjopt".
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.caesar.accuracy import accuracy_of_templates
from clockhead.model.caesar.cipher import (
    ENGLISH,
    N_ROTATIONS,
    PER_UNIT,
    printed_templates,
    templates,
    truncated_templates,
    turn_back,
)
from clockhead.model.caesar.cryptogram import Cryptogram, cryptogram
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.tokens import LETTERS
from clockhead.model.units import Characters, Count, Doc, Rotation, Share, Shares

WORKED, WORKED_ROTATION = "etainos", 1
"""The chapter's own example: the letters that it calls most common, and their rotation."""
STRETCH = 32
"""Length in characters of the windows on which both versions are compared, as in the chapter."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PrintedSlices(Values):
    """One row of the wrong code, compared with English rotated by `turned`."""

    turned: Annotated[Rotation, Doc("rotation of the row")]
    alphabet: Annotated[tuple[str, ...], Doc("letters a to z, in the order of the columns")]
    english: Annotated[Floats, Doc("English letter frequencies, as one row; (1, 26)")]
    n_letters: Annotated[Count, Doc("number of letters")]

    # Two slices of English
    tail: Annotated[Floats, Doc("the first slice, the last letters' frequencies; (1, turned)")]
    tail_letters: Annotated[tuple[str, ...], Doc("letters of the first slice")]
    rest: Annotated[
        Floats, Doc("the second slice as printed, from letter `turned` on; (1, n_kept)")
    ]
    rest_letters: Annotated[tuple[str, ...], Doc("letters of the second slice as printed")]
    meant_rest: Annotated[
        Floats, Doc("the second slice as intended, without the last letters; (1, n_kept)")
    ]
    meant_letters: Annotated[tuple[str, ...], Doc("letters of the second slice as intended")]
    first_kept: Annotated[str, Doc("first letter of the second slice as printed")]
    n_kept: Annotated[Count, Doc("number of letters in the second slice")]
    n_twice: Annotated[
        Count, Doc("number of letters in both printed slices, and of letters in neither")
    ]
    twice: Annotated[str, Doc("letters in both printed slices, as “first to last”")]
    gone: Annotated[str, Doc("letters in neither printed slice, as “first to last”")]
    not_turned: Annotated[Floats, Doc("row of rotation 0 by the code, the alphabet twice; (1, 52)")]
    n_not_turned: Annotated[Count, Doc("number of entries in that row")]

    # Decoding
    worked: Annotated[Cryptogram, Doc("the chapter's own example, encrypted")]
    misread_by: Annotated[
        Rotation, Doc("rotation that the printed rows find for it, decided on whole numbers")
    ]
    misread: Annotated[str, Doc("the example decoded with this rotation")]
    words: Annotated[
        tuple[str, str, str],
        Doc("the example encrypted, decoded as printed, and decoded correctly"),
    ]
    length: Annotated[
        Characters, Doc("length of the windows of the sample text on which both are compared")
    ]
    printed_share: Annotated[
        Share, Doc("accuracy of the printed rows on these windows, over all rotations")
    ]
    meant_share: Annotated[Share, Doc("accuracy of the intended rows on these windows")]
    shares_read: Annotated[Shares, Doc("both accuracies; (2,)")]
    names: Annotated[tuple[str, str], Doc("names of both versions")]


def printed_slices(turned: int) -> PrintedSlices:
    """Both slices of row `turned`, from 1 to 25, and what all rows decode."""
    letters, kept = LETTERS.tokens, N_ROTATIONS - turned
    n_twice = min(turned, kept)
    worked = cryptogram(WORKED, WORKED_ROTATION)
    units = np.rint(truncated_templates() * PER_UNIT).astype(np.int64)  # (26, 26)
    misread_by = int((units @ worked.counts).argmax())
    misread = turn_back(worked.tokens, 0, misread_by)[-1]
    not_turned = np.array(printed_templates()[0])[None]  # (1, 52)
    printed_share, meant_share = _accuracies()
    return PrintedSlices(
        turned=turned,
        alphabet=letters,
        english=ENGLISH[None],
        n_letters=N_ROTATIONS,
        tail=ENGLISH[None, kept:],
        tail_letters=letters[kept:],
        rest=ENGLISH[None, turned:],
        rest_letters=letters[turned:],
        meant_rest=ENGLISH[None, :kept],
        meant_letters=letters[:kept],
        first_kept=letters[turned],
        n_kept=kept,
        n_twice=n_twice,
        twice=_span(letters[-n_twice:]),
        gone=_span(letters[:n_twice]),
        not_turned=not_turned,
        n_not_turned=not_turned.size,
        worked=worked,
        misread_by=misread_by,
        misread=misread,
        words=(worked.ciphertext, misread, worked.text),
        length=STRETCH,
        printed_share=printed_share,
        meant_share=meant_share,
        shares_read=np.array([printed_share, meant_share]),
        names=("as printed", "as meant"),
    )


def _span(letters: tuple[str, ...]) -> str:
    """A range of letters in words, such as “a to c”, or a single letter."""
    return letters[0] if len(letters) == 1 else f"{letters[0]} to {letters[-1]}"


@cache
def _accuracies() -> tuple[float, float]:
    """Accuracy of the printed rows and of the intended ones, over all windows and rotations."""
    printed, meant = truncated_templates(), templates()
    return (
        accuracy_of_templates(SAMPLE_ENGLISH, STRETCH, printed),
        accuracy_of_templates(SAMPLE_ENGLISH, STRETCH, meant),
    )
