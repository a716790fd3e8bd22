"""Aliases: offsets at which the phases are almost all whole turns, as at offset 0.

Source: Chris Wendler's RoPE transformer, section 2 ("What if: if all frequencies were the same").
With theta = 1 no whole offset is an exact alias, since pi is irrational; near ones are 6, 44,
710, ... An exact alias needs a whole number 2 pi / theta.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import whole
from clockhead.model.rope.rotation import checked_frequencies, kernel_gap
from clockhead.model.units import Doc, Positions, ScorePerAlpha, Share

BLOCK = 1 << 16  # offsets per look at the kernel, so that memory stays small


@dataclass(frozen=True)
class Rival:
    """The offset, other than 0, whose kernel f comes closest to its maximum f(0)."""

    offset: Annotated[Positions, Doc("distance of the strongest rival from the target")]
    gap: Annotated[ScorePerAlpha, Doc("lead of the target over the rival, f(0) - f(offset)")]
    share: Annotated[Share, Doc("score of the rival over that of the target, f(offset) / f(0)")]


def best_rival(frequencies: ArrayLike, up_to: int) -> Rival:
    """The strongest rival among the offsets 1 .. up_to (f is even: -D is as strong as D).

    Of equally strong ones the nearest. Raises ValueError if up_to is below 1.
    """
    checked = checked_frequencies(frequencies)  # (d_head/2,)
    last = whole("up_to", up_to, at_least=1)
    best_offset, best_gap = 0, np.inf
    for start in range(1, last + 1, BLOCK):
        offsets = np.arange(start, min(start + BLOCK, last + 1))  # (BLOCK,) or what is left
        gaps = kernel_gap(offsets, checked)  # (BLOCK,)
        nearest = int(np.argmin(gaps))
        if gaps[nearest] < best_gap:
            best_offset, best_gap = int(offsets[nearest]), float(gaps[nearest])
    return Rival(best_offset, best_gap, 1 - best_gap / checked.size)
