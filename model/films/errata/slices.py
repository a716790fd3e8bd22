"""The code that the draft prints for the 26 templates, and what it reads.

Source: Dan Wilhelm, LLM Foundations, chapter 1: `base_freq[-rot:] + base_freq[rot:]` where
`base_freq[-rot:] + base_freq[:-rot]` turns English by `rot`. Row 0 of the printed rows has 52
numbers and the others 26, which no array holds; here they are cut to 26. The chapter's own example
is "etainos", turned by 1 to "fubjopt".
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
from clockhead.model.units import Characters, Count, Doc, Rotation, Share

WORKED, WORKED_ROTATION = "etainos", 1
"""The chapter's own example: the letters that it calls the commonest, moved by one."""
STRETCH = 32
"""Characters in the stretches on which both codes are compared, as many as the chapter takes."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PrintedSlices(Values):
    """A row as the code puts it together, beside English turned; `turned` is its rotation."""

    turned: Annotated[Rotation, Doc("how far English is to be turned")]
    alphabet: Annotated[tuple[str, ...], Doc("the letters a to z, in the order of the columns")]
    english: Annotated[Floats, Doc("how often English uses each letter, as one row; (1, 26)")]
    n_letters: Annotated[Count, Doc("how many letters there are")]

    # Two slices of English
    tail: Annotated[Floats, Doc("the first slice, the last letters' frequencies; (1, turned)")]
    tail_letters: Annotated[tuple[str, ...], Doc("the letters of the first slice")]
    rest: Annotated[Floats, Doc("the second slice as printed, from `turned` on; (1, n_kept)")]
    rest_letters: Annotated[tuple[str, ...], Doc("the letters of the second slice")]
    meant_rest: Annotated[Floats, Doc("the second slice as meant, up to the last; (1, n_kept)")]
    meant_letters: Annotated[tuple[str, ...], Doc("the letters of the second slice as meant")]
    first_kept: Annotated[str, Doc("the first letter of the second slice")]
    n_kept: Annotated[Count, Doc("how many letters the second slice has")]
    n_twice: Annotated[Count, Doc("how many letters are in both slices, and how many in none")]
    twice: Annotated[str, Doc("these letters, the first to the last of them")]
    gone: Annotated[str, Doc("the letters that are in no slice, the first to the last of them")]
    not_turned: Annotated[Floats, Doc("what the code makes of no turn: both slices whole; (1, 52)")]
    n_not_turned: Annotated[Count, Doc("how many numbers that are")]

    # What is read
    worked: Annotated[Cryptogram, Doc("the chapter's own example, turned")]
    misread_by: Annotated[
        Rotation, Doc("the rotation that the printed rows find for it, by whole numbers")
    ]
    misread: Annotated[str, Doc("what that would read")]
    words: Annotated[
        tuple[str, str, str], Doc("the example as it is sent, read as printed, and read rightly")
    ]
    length: Annotated[
        Characters, Doc("characters in the stretches of the sample text that both read")
    ]
    printed_share: Annotated[
        Share, Doc("share of these stretches, in all rotations, that the printed rows read right")
    ]
    meant_share: Annotated[Share, Doc("share of them that English in all rotations reads right")]
    shares_read: Annotated[Floats, Doc("both shares; (2,)")]
    names: Annotated[tuple[str, str], Doc("names of the two")]


def printed_slices(turned: int) -> PrintedSlices:
    """Both slices of a row, from 1 to 25: row 0 moves nothing."""
    letters, kept = LETTERS.tokens, N_ROTATIONS - turned
    n_twice = min(turned, kept)
    worked = cryptogram(WORKED, WORKED_ROTATION)
    units = np.rint(truncated_templates() * PER_UNIT).astype(np.int64)  # (26, 26)
    misread_by = int((units @ worked.counts).argmax())
    misread = turn_back(worked.tokens, 0, misread_by)[-1]
    not_turned = np.array(printed_templates()[0])[None]  # (1, 52)
    printed_share, meant_share = _shares_read()
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
    """Letters as one says them: the first to the last, or one of them."""
    return letters[0] if len(letters) == 1 else f"{letters[0]} to {letters[-1]}"


@cache
def _shares_read() -> tuple[float, float]:
    """Of all stretches in all rotations: by the printed rows, and by English turned."""
    printed, meant = truncated_templates(), templates()
    return (
        accuracy_of_templates(SAMPLE_ENGLISH, STRETCH, printed),
        accuracy_of_templates(SAMPLE_ENGLISH, STRETCH, meant),
    )
