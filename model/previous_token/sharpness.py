"""Sharpness of a previous-token head's pattern, without building the T x T pattern.

The attention weight of row m on its target is 1 / (1 + sum of exp(-alpha gap(D)) over its rivals),
and gap is even in D. So the rivals before and after the target are two cumulative sums of the same
exponentials, and each alpha takes only T numbers. No large sums are subtracted, so that weights
close to 1 stay exact.
Source: Chris Wendler's RoPE transformer, section 3 ("Why alpha?"), which gives no number for it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, check_array, check_float, check_int
from clockhead.model.attention.constant_key import ALPHA_LIMIT
from clockhead.model.rope.rotation import kernel_gap


def target_weights(
    frequencies: ArrayLike, alphas: ArrayLike, n_tokens: int, offset: int = 1, causal: bool = True
) -> Floats:
    """Attention weight on the target m - offset, in every row m that has one, for every alpha.

    alphas (A,) to (A, T - offset); row m is in column m - offset. With a causal mask, a row does
    not depend on later ones, so the first columns are the result for a shorter text. Raises
    ValueError if no row has a target.
    """
    return np.asarray(1 / (1 + _rivals(frequencies, alphas, n_tokens, offset, causal)))


def lost_weights(
    frequencies: ArrayLike, alphas: ArrayLike, n_tokens: int, offset: int = 1, causal: bool = True
) -> Floats:
    """Attention weight on all positions but the target: 1 - `target_weights`.

    alphas (A,) to (A, T - offset). Computed as a sum over the rivals, so that it stays above 0 even
    if the target's weight rounds to 1, down to 1e-308. Raises ValueError if no row has a target.
    """
    rivals = _rivals(frequencies, alphas, n_tokens, offset, causal)  # (A, T - offset)
    return np.asarray(rivals / (1 + rivals))


def alpha_needed(
    frequencies: ArrayLike,
    n_tokens: int,
    offset: int = 1,
    causal: bool = True,
    weight: float = 0.99,
) -> float:
    """The smallest alpha at which every row has at least `weight` on its target.

    The weight of every rival falls as alpha grows, so the smallest target weight rises, and
    bisection finds the crossing to the last bit of float64. Returns inf if no alpha up to
    ALPHA_LIMIT is enough, as with an exact alias, which gets the same weight at every alpha.
    """
    wanted = check_float("weight", weight, above=0, below=1)

    def reached(alpha: float) -> bool:
        weights = target_weights(frequencies, [alpha], n_tokens, offset, causal)
        return bool(np.min(weights) >= wanted)

    if reached(0.0):
        return 0.0
    if not reached(ALPHA_LIMIT):
        return math.inf
    low, high = 0.0, 1.0
    while not reached(high):
        low, high = high, min(2 * high, ALPHA_LIMIT)
    while low < (middle := (low + high) / 2) < high:
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


def _rivals(
    frequencies: ArrayLike, alphas: ArrayLike, n_tokens: int, offset: int, causal: bool
) -> Floats:
    """Sum of exp(-alpha gap(D)) over the rivals of each target; (A,) to (A, T - offset)."""
    scales = check_array("alphas", alphas, n_axes=1)  # (A,)
    if scales.size and not 0 <= np.min(scales) <= np.max(scales) <= ALPHA_LIMIT:
        raise ValueError(f"alphas must lie from 0 to {ALPHA_LIMIT:g}, got {scales.tolist()}")
    count = check_int("n_tokens", n_tokens, at_least=1)
    steps = check_int("offset", offset, at_least=0)
    if steps >= count:
        raise ValueError(
            f"n_tokens must be above offset so that some row has a target, "
            f"got {count} tokens and offset {steps}"
        )
    before = np.arange(count - steps)  # (T - offset,) rivals left of the target, row by row
    after = np.full_like(before, steps) if causal else count - 1 - before
    weights = np.exp(-scales[:, None] * kernel_gap(np.arange(1, count), frequencies))  # (A, T - 1)
    sums = np.pad(weights.cumsum(axis=1), ((0, 0), (1, 0)))  # (A, T), sums[:, j] over 1 .. j
    return np.asarray(sums[:, before] + sums[:, after])
