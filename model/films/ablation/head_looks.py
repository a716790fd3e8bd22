"""How busy attention patterns look, and where looks mislead about what heads do.

Source: Jain and Wallace, Attention is not Explanation (2019), for total variation as the measure of
what a change does, and for patterns that do not tell what matters.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Bools, Floats, finite
from clockhead.model.attention.pattern import causal_mask

SEEN = 1e-3
"""Shares that differ by less read alike."""


def total_variation(p: ArrayLike, q: ArrayLike) -> Floats:
    """Half the sum of absolute differences along the last axis: the share that has to move.

    Broadcasts (..., V) and (..., V) to (...). Raises ValueError for other widths.
    """
    first, second = finite("p", p), finite("q", q)  # (..., V)
    if not first.ndim or not second.ndim or first.shape[-1] != second.shape[-1]:
        raise ValueError(f"p and q must be equally wide, got shapes {first.shape}, {second.shape}")
    return np.asarray(np.abs(first - second).sum(axis=-1) / 2)


def row_busyness(patterns: ArrayLike) -> Floats:
    """How far each row of causal patterns (..., T, T) is from an even spread; shape (..., T).

    The even spread of row m gives 1/(m + 1) to each key up to m; the distance is the total
    variation, 0 for an even row and m/(m + 1) for one that looks at one key alone.
    Raises ValueError if the last two axes differ.
    """
    shares = finite("patterns", patterns)  # (..., T, T)
    if shares.ndim < 2 or shares.shape[-1] != shares.shape[-2]:
        raise ValueError(f"patterns must have shape (..., T, T), got {shares.shape}")
    seen = causal_mask(shares.shape[-1])  # (T, T)
    return total_variation(shares, seen / seen.sum(axis=1, keepdims=True))


def misled(looks: ArrayLike, effects: ArrayLike) -> Bools:
    """Where looks mislead: True at [.., a, b] if head a looks busier than b and changes less.

    Takes one number of each kind for every head, (..., H) and (..., H), and gives (..., H, H); gaps
    below `SEEN` are none. Raises ValueError for different shapes or no head.
    """
    seen, done = finite("looks", looks), finite("effects", effects)  # (..., H)
    if not seen.ndim or not seen.shape[-1] or seen.shape != done.shape:
        raise ValueError(
            f"looks and effects must have a number for each of at least 1 head, "
            f"got shapes {seen.shape} and {done.shape}"
        )
    busier = seen[..., :, None] - seen[..., None, :] >= SEEN  # (..., H, H)
    return np.asarray(busier & (done[..., None, :] - done[..., :, None] >= SEEN))
