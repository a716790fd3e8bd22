"""The Caesar cipher, English letter frequencies, and their 26 rotations, the templates.

Source: Dan Wilhelm, LLM Foundations, chapter 1; the problem is Callum McDougall's. Letters are
rotated forward, spaces are not changed. Tokens are a to z = 0 to 25 and space = 26. The source's
code for the templates does not rotate them (see `printed_templates`).
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, check_array, check_int, read_only, read_only_ints
from clockhead.model.tokens import LETTERS_AND_SPACE, letters

N_ROTATIONS = 26
SPACE = 26  # token of the space, which is never rotated
N_TOKENS = 27

# Frequencies of a to z in English texts, as printed, in units of 1e-5. Whole numbers allow exact
# comparison of scores. Their sum is 100119, not 100000.
_UNIT_FREQUENCIES = """
    8200 1500 2800 4300 12700 2200 2000 6100 7000 150 770 4000 2400
    6700 7500 1900 95 6000 6300 9100 2800 980 2400 150 2000 74"""
PER_UNIT = 100_000  # units to 1
ENGLISH_UNITS: Ints = read_only_ints(np.array(_UNIT_FREQUENCIES.split(), dtype=np.int64))  # (26,)
ENGLISH: Floats = read_only(ENGLISH_UNITS / PER_UNIT)  # (26,)


def plaintext(text: str) -> str:
    """`text` as a plaintext: lower case, with a to z and single spaces only.

    All other characters and spaces at the ends are removed. ValueError if no letter is left.
    """
    kept = " ".join(re.sub(r"[^a-z\s]", "", text.lower()).split())
    if not kept:
        raise ValueError("text must hold at least one of the letters a to z")
    return kept


def encode(text: str) -> Ints:
    """The token of every character; (T,). ValueError for one that is not a to z or space."""
    return LETTERS_AND_SPACE.encode(letters(text))


def decode(indices: ArrayLike) -> str:
    """The text of tokens 0 .. 26; ValueError for anything else."""
    array = np.asarray(indices)  # (T,)
    if array.ndim != 1 or not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"indices must be a row of whole numbers, got {indices!r}")
    if array.size and (array.min() < 0 or array.max() >= N_TOKENS):
        raise ValueError(f"indices must be from 0 to 26, got {array.min()} to {array.max()}")
    return "".join(LETTERS_AND_SPACE.tokens[index] for index in array)


def rotate(indices: ArrayLike, rotations: ArrayLike) -> Ints:
    """Rotate letters forward and leave spaces as they are; `indices` and `rotations` broadcast.

    Rotations are whole numbers modulo 26; negative ones rotate back.
    """
    tokens, steps = np.asarray(indices), np.asarray(rotations)
    for name, array in (("indices", tokens), ("rotations", steps)):
        if not np.issubdtype(array.dtype, np.integer):
            raise ValueError(f"{name} must be whole numbers, got {array.dtype} values")
    turned = (tokens + steps) % N_ROTATIONS
    return np.asarray(np.where(tokens == SPACE, SPACE, turned), dtype=np.int64)


def encrypt(text: str, rotation: int) -> str:
    """The ciphertext of `text`, with every letter rotated forward by `rotation`."""
    return decode(rotate(encode(text), rotation))


def decrypt(text: str, rotation: int) -> str:
    """The plaintext of a ciphertext, with every letter rotated back by `rotation`."""
    return decode(rotate(encode(text), -rotation))


def turn_back(tokens: Ints, first: int, last: int) -> tuple[str, ...]:
    """The texts of a ciphertext (T,) rotated back by `first`, `first` + 1, ... `last`.

    Rotations are modulo 26: 25 is followed by 0.
    """
    steps = first + np.arange((last - first) % N_ROTATIONS + 1)[:, None]
    return tuple(decode(row) for row in rotate(tokens, -steps))


def counts(tokens: ArrayLike) -> Ints:
    """Counts of each token, for texts of equal length: (..., L) to (..., 27)."""
    texts = np.asarray(tokens)  # (..., L)
    if texts.ndim < 1 or not np.issubdtype(texts.dtype, np.integer):
        raise ValueError(f"tokens must be rows of whole numbers, got {texts.dtype} values")
    if texts.size and (texts.min() < 0 or texts.max() >= N_TOKENS):
        raise ValueError(f"tokens must be from 0 to 26, got {texts.min()} to {texts.max()}")
    rows = texts.reshape(-1, texts.shape[-1])  # (N, L)
    shifted = rows + N_TOKENS * np.arange(len(rows))[:, None]  # (N, L), a range of 27 per text
    found = np.bincount(shifted.ravel(), minlength=N_TOKENS * len(rows))  # (N * 27,)
    return np.asarray(found.reshape(*texts.shape[:-1], N_TOKENS))


def templates(frequencies: ArrayLike = ENGLISH) -> Floats:
    """The templates, row r is English after rotation r: (26,) to (26, 26).

    Entry (r, j) is the frequency of letter j - r. All rows have the same vector length.
    """
    base = check_array("frequencies", frequencies, n_axes=1)  # (26,)
    if base.size != N_ROTATIONS:
        raise ValueError(f"frequencies must be 26, one for each letter, got {base.size}")
    letter = np.arange(N_ROTATIONS)
    return np.asarray(base[(letter - letter[:, None]) % N_ROTATIONS])


def unit_templates() -> Ints:
    """The templates of English in units of 1e-5, whole numbers; shape (26, 26)."""
    letter = np.arange(N_ROTATIONS)
    return np.asarray(ENGLISH_UNITS[(letter - letter[:, None]) % N_ROTATIONS])


def printed_templates() -> tuple[tuple[float, ...], ...]:
    """The 26 rows of the source's code: f[-r:] + f[r:] instead of f[-r:] + f[:-r].

    Row 0 has 52 entries and the others 26, so they do not form an array.
    """
    base = ENGLISH.tolist()
    return tuple(tuple(base[-r:] + base[r:]) for r in range(N_ROTATIONS))


def truncated_templates() -> Floats:
    """The rows of the source's code, cut to 26 entries; shape (26, 26).

    From row 1 on, the first r entries are those of the last r letters, and the rest are not
    rotated. So the vector lengths of the rows differ.
    """
    return np.array([row[:N_ROTATIONS] for row in printed_templates()])


def rotation_number(name: str, value: object) -> int:
    """`value` as a rotation from 0 to 25; ValueError otherwise."""
    number = check_int(name, value, at_least=0)
    if number >= N_ROTATIONS:
        raise ValueError(f"{name} must be from 0 to 25, got {number}")
    return number
