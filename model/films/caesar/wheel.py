"""Two alphabets side by side, one of them turned, as on the wheel that enciphers by hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Ints, sealed_ints
from clockhead.model.caesar.cipher import N_ROTATIONS, rotate
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.units import Characters, Count, Doc


@dataclass(frozen=True)
class CipherWheel:
    """A message that is to be read, and a short one that shows how it was written."""

    message: Annotated[Cryptogram, Doc("the message that is to be read")]
    example: Annotated[Cryptogram, Doc("a short one, to see how letters are turned")]

    @property
    def n_rotations(self) -> Count:
        """How many rotations of the alphabet there are, that by 0 among them."""
        return N_ROTATIONS

    @property
    def n_spaces(self) -> Characters:
        """How many characters of the message are spaces."""
        return self.message.n_spaces

    @cached_property
    def meets(self) -> Ints:
        """The cipher letter that each letter of the example's alphabet becomes; shape (26,)."""
        return sealed_ints(rotate(np.arange(N_ROTATIONS), self.example.rotation))

    @cached_property
    def keys(self) -> Ints:
        """Every rotation once around, the last of which is the first again; shape (27,)."""
        return sealed_ints(np.arange(N_ROTATIONS + 1))
