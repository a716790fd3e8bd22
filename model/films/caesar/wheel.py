"""Two alphabets side by side, one of them turned, as on the wheel that enciphers by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Ints, Values
from clockhead.model.caesar.cipher import N_ROTATIONS
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.units import Count, Doc


@dataclass(frozen=True, kw_only=True, eq=False)
class CipherWheel(Values):
    """A message that is to be read, and a short one that shows how it was written."""

    message: Annotated[Cryptogram, Doc("the message that is to be read")]
    example: Annotated[Cryptogram, Doc("a short one, to see how letters are turned")]
    n_rotations: Annotated[
        Count, Doc("how many rotations of the alphabet there are, that by 0 among them")
    ]
    keys: Annotated[Ints, Doc("every rotation once around, and the first again; (27,)")]


def cipher_wheel(message: Cryptogram, example: Cryptogram) -> CipherWheel:
    """Both messages, and all keys that there are to try."""
    return CipherWheel(
        message=message,
        example=example,
        n_rotations=N_ROTATIONS,
        keys=np.arange(N_ROTATIONS + 1),
    )
