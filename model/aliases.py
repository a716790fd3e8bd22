"""Aliases: offsets at which the clock hands almost all stand where they stood at the start.

Source: Chris Wendler's RoPE transformer, section 2 ("What if: if all frequencies were the same").
At whole positions one hand with theta = 1 never comes back exactly, since pi is irrational; it
comes back nearly, at 6, 44, 710, ... An exact alias needs a whole number 2 pi / theta.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from model.arrays import Floats, Ints, real, whole
from model.rope import FULL_TURN, kernel_gap, speeds

BLOCK = 1 << 16  # offsets per look at the kernel, so that memory stays small


@dataclass(frozen=True, eq=False)
class NearAliases:
    """Offsets at which a single hand stands closer to its start than at any offset before.

    `offsets` (A,) in positions, rising; `cosines` (A,) rising to 1; `full_turns` (A,) made so far.
    """

    theta: float
    offsets: Ints
    cosines: Floats
    full_turns: Ints


def near_aliases(theta: float, up_to: int, at_least: float = 0.9) -> NearAliases:
    """The near-aliases of one hand of speed `theta` among the offsets 1 .. up_to.

    Only those whose cosine reaches `at_least` are kept. For theta = 1 up to 1000 these are
    6, 19, 25, 44, 333 and 710. Raises ValueError for bounds that make no sense.
    """
    speed = real("theta", theta, above=0, at_most=FULL_TURN)
    floor = real("at_least", at_least, at_least=-1, at_most=1)
    offsets = np.arange(1, whole("up_to", up_to, at_least=1) + 1)  # (up_to,)
    cosines = np.cos(offsets * speed)  # (up_to,)
    best_before = np.maximum.accumulate(np.concatenate([[-np.inf], cosines[:-1]]))  # (up_to,)
    kept = (cosines > best_before) & (cosines >= floor)  # (up_to,)
    full_turns = np.rint(offsets[kept] * speed / FULL_TURN).astype(np.int64)  # (A,)
    return NearAliases(speed, offsets[kept], cosines[kept], full_turns)


@dataclass(frozen=True)
class Rival:
    """The offset, other than 0, at which the hands agree most.

    `gap` is f(0) - f(offset), in units of score at alpha 1; `share` is f(offset) / f(0).
    """

    offset: int
    gap: float
    share: float


def best_rival(theta: ArrayLike, up_to: int) -> Rival:
    """The strongest rival among the offsets 1 .. up_to (f is even: -D is as strong as D).

    Of equally strong ones the nearest. Raises ValueError if up_to is below 1.
    """
    hands = speeds(theta)  # (d_head/2,)
    last = whole("up_to", up_to, at_least=1)
    best_offset, best_gap = 0, np.inf
    for start in range(1, last + 1, BLOCK):
        offsets = np.arange(start, min(start + BLOCK, last + 1))  # (BLOCK,) or what is left
        gaps = kernel_gap(offsets, hands)  # (BLOCK,)
        nearest = int(np.argmin(gaps))
        if gaps[nearest] < best_gap:
            best_offset, best_gap = int(offsets[nearest]), float(gaps[nearest])
    return Rival(best_offset, best_gap, 1 - best_gap / hands.size)
