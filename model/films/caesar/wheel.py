"""A cipher wheel: two alphabets side by side, one of them rotated."""

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
    """A message to be solved, and a short example that shows the cipher."""

    message: Annotated[Cryptogram, Doc("the message to be solved")]
    example: Annotated[Cryptogram, Doc("a short example of the cipher")]
    n_rotations: Annotated[Count, Doc("number of rotations of the alphabet, including 0")]
    keys: Annotated[Ints, Doc("all rotations, and the first again; (27,)")]
    tried: Annotated[
        Rotation,
        Doc("a wrong rotation to try"),
    ]
    attempts: Annotated[tuple[str, ...], Doc("the ciphertext rotated back by each of `keys`")]


def cipher_wheel(message: Cryptogram, example: Cryptogram) -> CipherWheel:
    """Rotate a message back by all keys, and choose a wrong key to try."""
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
