"""The code that the draft prints for the 26 templates, and what it reads.

Source: Dan Wilhelm, LLM Foundations, chapter 1: `base_freq[-rot:] + base_freq[rot:]` where
`base_freq[-rot:] + base_freq[:-rot]` turns English by `rot`. Row 0 of the printed rows has 52
numbers and the others 26, which no array holds; here they are cut to 26. The chapter's own example
is "etainos", turned by 1 to "fubjopt".
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, sealed
from clockhead.model.caesar.accuracy import accuracy_of_templates
from clockhead.model.caesar.cipher import (
    ENGLISH,
    N_ROTATIONS,
    PER_UNIT,
    decode,
    printed_templates,
    rotate,
    rotation_number,
    templates,
    truncated_templates,
)
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.tokens import LETTERS
from clockhead.model.units import Characters, Count, Doc, Rotation, Share

WORKED, WORKED_ROTATION = "etainos", 1
"""The chapter's own example: the letters that it calls the commonest, moved by one."""
STRETCH = 32
"""Characters in the stretches on which both codes are compared, as many as the chapter takes."""


@dataclass(frozen=True)
class PrintedCode:
    """The printed rows, cut to 26 numbers, beside English turned; `turned` is the row looked at.

    Raises ValueError unless `turned` is from 1 to 25: row 0 has nothing to move.
    """

    turned: Annotated[Rotation, Doc("the rotation whose row is looked at")]

    def __post_init__(self) -> None:
        if not rotation_number("turned", self.turned):
            raise ValueError("turned must be from 1 to 25, got 0")

    @property
    def alphabet(self) -> tuple[str, ...]:
        """The letters a to z, in the order of the columns."""
        return LETTERS.tokens

    @property
    def n_rotations(self) -> Count:
        """How many rows there are, and how many numbers belong into each."""
        return N_ROTATIONS

    @property
    def n_first_row(self) -> Count:
        """How many numbers the printed code puts into row 0."""
        return len(printed_templates()[0])

    @cached_property
    def english(self) -> Floats:
        """How often English uses each letter, as one row; shape (1, 26)."""
        return sealed(ENGLISH[None])

    # Two slices of English

    @cached_property
    def tail(self) -> Floats:
        """The first slice, the frequencies of the last letters; shape (1, turned)."""
        return sealed(ENGLISH[None, N_ROTATIONS - self.turned :])

    @property
    def tail_letters(self) -> tuple[str, ...]:
        """Whose frequencies these are; `turned` letters."""
        return LETTERS.tokens[N_ROTATIONS - self.turned :]

    @cached_property
    def rest(self) -> Floats:
        """The second slice as printed, the letters from `turned` on; shape (1, 26 - turned)."""
        return sealed(ENGLISH[None, self.turned :])

    @property
    def rest_letters(self) -> tuple[str, ...]:
        """Whose frequencies these are; 26 - turned letters."""
        return LETTERS.tokens[self.turned :]

    @cached_property
    def meant_rest(self) -> Floats:
        """The second slice as meant, all but the last letters; shape (1, 26 - turned)."""
        return sealed(ENGLISH[None, : self.n_kept])

    @property
    def first_kept(self) -> str:
        """The first letter of the second slice, which comes to stand where it stood."""
        return LETTERS.tokens[self.turned]

    @property
    def n_kept(self) -> Count:
        """How many frequencies come to stand where they stood."""
        return N_ROTATIONS - self.turned

    # All rows

    @cached_property
    def printed(self) -> Floats:
        """The printed rows, cut to 26 numbers; (26, 26)."""
        return sealed(truncated_templates())

    @cached_property
    def meant(self) -> Floats:
        """English in all rotations; (26, 26)."""
        return sealed(templates())

    # What is read

    @cached_property
    def worked(self) -> Cryptogram:
        """The chapter's own example, turned."""
        return Cryptogram(WORKED, WORKED_ROTATION)

    @cached_property
    def misread_by(self) -> Rotation:
        """The rotation that the printed rows find for it, by whole numbers."""
        units = np.rint(self.printed * PER_UNIT).astype(np.int64)  # (26, 26)
        return int((units @ self.worked.counts).argmax())

    @property
    def misread(self) -> str:
        """What that would read."""
        return decode(rotate(self.worked.tokens, -self.misread_by))

    @cached_property
    def misreadings(self) -> tuple[str, ...]:
        """The example turned back by 0, 1, and so on to the rotation that is found wrongly."""
        steps = np.arange(self.misread_by + 1)[:, None]
        return tuple(decode(row) for row in rotate(self.worked.tokens, -steps))

    @cached_property
    def corrections(self) -> tuple[str, ...]:
        """From there back to what it was."""
        return self.misreadings[: self.worked.found - 1 : -1]

    @property
    def length(self) -> Characters:
        """Characters in the stretches of the sample text on which both are compared."""
        return STRETCH

    @property
    def printed_share(self) -> Share:
        """Share of these stretches, in all rotations, that the printed rows read right."""
        return _shares_read()[0]

    @property
    def meant_share(self) -> Share:
        """Share of them that English in all rotations reads right."""
        return _shares_read()[1]

    @property
    def shares_read(self) -> Floats:
        """Both of them; shape (2,)."""
        return sealed(np.array(_shares_read()))

    @property
    def names(self) -> tuple[str, str]:
        """What the two are called."""
        return ("as printed", "as meant")


@cache
def _shares_read() -> tuple[float, float]:
    """Of all stretches in all rotations: by the printed rows, and by English turned."""
    printed, meant = truncated_templates(), templates()
    return (
        accuracy_of_templates(SAMPLE_ENGLISH, STRETCH, printed),
        accuracy_of_templates(SAMPLE_ENGLISH, STRETCH, meant),
    )
