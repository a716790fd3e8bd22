"""How sharp the pattern of a previous-token head is, without building it, T x T.

Row m gives its target the mass 1 / (1 + sum of exp(-alpha gap(D)) over its rivals), and gap is
even in D. So the rivals before the target and those after it are two running sums over the same
weights, and a whole sweep over alpha costs a row of T numbers each. No difference of large sums
is taken, so masses close to 1 stay exact.
Source: Chris Wendler's RoPE transformer, section 3 ("Why alpha?"), which gives no number for it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, finite, real, whole
from clockhead.model.rope.rotation import kernel_gap

ALPHA_LIMIT = 1e15  # beyond it, scores of near-aliases are no longer apart in float64


def target_masses(
    frequencies: ArrayLike,
    alphas: ArrayLike,
    n_tokens: int,
    look_back: int = 1,
    causal: bool = True,
) -> Floats:
    """Attention on position m - look_back, in every row m that has one, for every alpha.

    alphas (A,) to (A, T - look_back); the column of row m is m - look_back.
    Causally, the mass of a row does not depend on the rows after it, so the columns of a long
    context hold those of every shorter one. Raises ValueError if no row has a target.
    """
    return np.asarray(1 / (1 + _rivals(frequencies, alphas, n_tokens, look_back, causal)))


def lost_masses(
    frequencies: ArrayLike,
    alphas: ArrayLike,
    n_tokens: int,
    look_back: int = 1,
    causal: bool = True,
) -> Floats:
    """Attention that each row with a target gives to all others: 1 - `target_masses`.

    alphas (A,) to (A, T - look_back). Summed over the rivals, so that it stays apart from 0 where
    the mass rounds to 1, down to 1e-308. Raises ValueError if no row has a target.
    """
    rivals = _rivals(frequencies, alphas, n_tokens, look_back, causal)  # (A, T - look_back)
    return np.asarray(rivals / (1 + rivals))


def alpha_needed(
    frequencies: ArrayLike,
    n_tokens: int,
    look_back: int = 1,
    causal: bool = True,
    mass: float = 0.99,
) -> float:
    """The smallest alpha at which every row puts at least `mass` on its target.

    Every rival loses weight as alpha grows, so the worst mass rises with alpha and bisection
    finds the crossing to the last bit of float64. Returns inf where no alpha up to ALPHA_LIMIT
    does it: an exact alias shares the mass at every alpha.
    """
    wanted = real("mass", mass, above=0, below=1)

    def reached(alpha: float) -> bool:
        masses = target_masses(
            frequencies, [alpha], n_tokens, look_back, causal
        )  # (1, T - look_back)
        return bool(np.min(masses) >= wanted)

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


def alpha_estimate(frequencies: ArrayLike, mass: float = 0.99) -> float:
    """ln(2 mass / (1 - mass)) / gap(1): right where the two neighbours are the only rivals.

    For 0.99 the numerator is ln 198. Too small where other offsets rival the neighbours, as in
    narrow heads (d_head 8: 11.38, where 32 tokens need 21.31).
    """
    wanted = real("mass", mass, above=0, below=1)
    gap = float(kernel_gap(1, frequencies))
    return math.log(2 * wanted / (1 - wanted)) / gap if gap else math.inf


def _rivals(
    frequencies: ArrayLike, alphas: ArrayLike, n_tokens: int, look_back: int, causal: bool
) -> Floats:
    """Sum of exp(-alpha gap(D)) over the rivals of each target; (A,) to (A, T - look_back)."""
    scales = finite("alphas", alphas, n_axes=1)  # (A,)
    if scales.size and not 0 <= np.min(scales) <= np.max(scales) <= ALPHA_LIMIT:
        raise ValueError(f"alphas must lie from 0 to {ALPHA_LIMIT:g}, got {scales.tolist()}")
    count, steps = _counts(n_tokens, look_back)
    before = np.arange(count - steps)  # (T - look_back,) rivals left of the target, row by row
    after = np.full_like(before, steps) if causal else count - 1 - before
    weights = np.exp(-scales[:, None] * kernel_gap(np.arange(1, count), frequencies))  # (A, T - 1)
    sums = np.pad(weights.cumsum(axis=1), ((0, 0), (1, 0)))  # (A, T), sums[:, j] over 1 .. j
    return np.asarray(sums[:, before] + sums[:, after])


def _counts(n_tokens: int, look_back: int) -> tuple[int, int]:
    count = whole("n_tokens", n_tokens, at_least=1)
    steps = whole("look_back", look_back, at_least=0)
    if steps >= count:
        raise ValueError(
            f"n_tokens must be above look_back so that some row has a target, "
            f"got {count} tokens and look_back {steps}"
        )
    return count, steps
