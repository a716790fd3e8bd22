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
class PrintedCode(Values):
    """The printed rows, cut to 26 numbers, beside English turned; `turned` is the row looked at."""

    turned: Annotated[Rotation, Doc("the rotation whose row is looked at")]
    alphabet: Annotated[tuple[str, ...], Doc("the letters a to z, in the order of the columns")]
    n_rotations: Annotated[
        Count, Doc("how many rows there are, and how many numbers belong into each")
    ]
    n_first_row: Annotated[Count, Doc("how many numbers the printed code puts into row 0")]
    english: Annotated[Floats, Doc("how often English uses each letter, as one row; (1, 26)")]
    printed: Annotated[Floats, Doc("the printed rows, cut to 26 numbers; (26, 26)")]
    meant: Annotated[Floats, Doc("English in all rotations; (26, 26)")]

    # Two slices of English
    tail: Annotated[
        Floats, Doc("the first slice, the frequencies of the last letters; (1, turned)")
    ]
    tail_letters: Annotated[tuple[str, ...], Doc("the letters of the first slice")]
    rest: Annotated[
        Floats, Doc("the second slice as printed, the letters from `turned` on; (1, n_kept)")
    ]
    rest_letters: Annotated[tuple[str, ...], Doc("the letters of the second slice")]
    meant_rest: Annotated[
        Floats, Doc("the second slice as meant, all but the last letters; (1, n_kept)")
    ]
    first_kept: Annotated[str, Doc("the first letter that comes to stand where it stood")]
    n_kept: Annotated[Count, Doc("how many frequencies come to stand where they stood")]

    # What is read
    worked: Annotated[Cryptogram, Doc("the chapter's own example, turned")]
    misread_by: Annotated[
        Rotation, Doc("the rotation that the printed rows find for it, by whole numbers")
    ]
    misread: Annotated[str, Doc("what that would read")]
    misreadings: Annotated[
        tuple[str, ...], Doc("the example turned back by 0, 1 .. to the rotation found wrongly")
    ]
    corrections: Annotated[tuple[str, ...], Doc("from there back to what it was")]
    length: Annotated[
        Characters, Doc("characters in the stretches of the sample text that both read")
    ]
    printed_share: Annotated[
        Share, Doc("share of these stretches, in all rotations, that the printed rows read right")
    ]
    meant_share: Annotated[Share, Doc("share of them that English in all rotations reads right")]
    shares_read: Annotated[Floats, Doc("both shares; (2,)")]
    names: Annotated[tuple[str, str], Doc("names of the two")]


def printed_code(turned: int) -> PrintedCode:
    """The code as printed and as meant, with row `turned`, from 1 to 25: row 0 moves nothing."""
    letters, kept, rows = LETTERS.tokens, N_ROTATIONS - turned, truncated_templates()
    worked = cryptogram(WORKED, WORKED_ROTATION)
    units = np.rint(rows * PER_UNIT).astype(np.int64)  # (26, 26)
    misread_by = int((units @ worked.counts).argmax())
    misreadings = turn_back(worked.tokens, 0, misread_by)
    printed_share, meant_share = _shares_read()
    return PrintedCode(
        turned=turned,
        alphabet=letters,
        n_rotations=N_ROTATIONS,
        n_first_row=len(printed_templates()[0]),
        english=ENGLISH[None],
        printed=rows,
        meant=templates(),
        tail=ENGLISH[None, kept:],
        tail_letters=letters[kept:],
        rest=ENGLISH[None, turned:],
        rest_letters=letters[turned:],
        meant_rest=ENGLISH[None, :kept],
        first_kept=letters[turned],
        n_kept=kept,
        worked=worked,
        misread_by=misread_by,
        misread=misreadings[-1],
        misreadings=misreadings,
        corrections=misreadings[: worked.found - 1 : -1],
        length=STRETCH,
        printed_share=printed_share,
        meant_share=meant_share,
        shares_read=np.array([printed_share, meant_share]),
        names=("as printed", "as meant"),
    )


@cache
def _shares_read() -> tuple[float, float]:
    """Of all stretches in all rotations: by the printed rows, and by English turned."""
    printed, meant = truncated_templates(), templates()
    return (
        accuracy_of_templates(SAMPLE_ENGLISH, STRETCH, printed),
        accuracy_of_templates(SAMPLE_ENGLISH, STRETCH, meant),
    )
