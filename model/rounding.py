"""The number of decimals at which rounded terms add up to their rounded total."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, check_array, check_int


def decimals_that_add_up(
    terms: ArrayLike, totals: ArrayLike, *, least: int = 2, most: int = 4
) -> int:
    """The fewest decimals at which the rounded terms (..., n) add up to their totals (...).

    Sums and totals are compared to `least` decimals. Returns `most` if no smaller number is
    enough. Raises ValueError unless there is one total for every sum.
    """
    parts, sums = check_array("terms", terms), check_array("totals", totals)
    if parts.ndim == 0 or parts.shape[:-1] != sums.shape:
        raise ValueError(
            f"totals must have shape {parts.shape[:-1]}, one for every sum, got {sums.shape}"
        )
    totals_written = _round(sums, check_int("least", least, at_least=0))
    for decimals in range(least, most):
        added = _round(_round(parts, decimals).sum(axis=-1), decimals)
        if np.array_equal(_round(added, least), totals_written):
            return decimals
    return most


def _round(numbers: Floats, decimals: int) -> Floats:
    """Numbers rounded by the same format that writes them, so that halves round the same way."""
    return np.char.mod(f"%.{decimals}f", numbers).astype(float)
