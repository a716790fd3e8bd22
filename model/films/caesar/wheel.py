"""Two alphabets side by side, one of them turned, as on the wheel that enciphers by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Ints, Values
from clockhead.model.caesar.cipher import N_ROTATIONS, turn_back
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.units import Count, Doc, Rotation


@dataclass(frozen=True, kw_only=True, eq=False)
class CipherWheel(Values):
    """A message that is to be read, and a short one that shows how it was written."""

    message: Annotated[Cryptogram, Doc("the message that is to be read")]
    example: Annotated[Cryptogram, Doc("a short one, to see how letters are turned")]
    n_rotations: Annotated[
        Count, Doc("how many rotations of the alphabet there are, that by 0 among them")
    ]
    keys: Annotated[Ints, Doc("every rotation once around, and the first again; (27,)")]
    tried: Annotated[
        Rotation,
        Doc("the wrong rotation that is tried"),
    ]
    attempts: Annotated[tuple[str, ...], Doc("the ciphertext turned back by each of `keys`")]


def cipher_wheel(message: Cryptogram, example: Cryptogram) -> CipherWheel:
    """Both messages, all keys that there are to try, and a wrong one."""
    wrong = {0, message.rotation}
    tried = next(
        k % N_ROTATIONS
        for k in range(example.rotation, example.rotation + N_ROTATIONS)
        if k % N_ROTATIONS not in wrong
    )
    return CipherWheel(
        message=message,
        example=example,
        n_rotations=N_ROTATIONS,
        keys=np.arange(N_ROTATIONS + 1),
        tried=tried,
        attempts=(*turn_back(message.tokens, 0, N_ROTATIONS - 1), message.ciphertext),
    )
