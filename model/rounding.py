"""Sums as they are written: the decimals at which rounded terms add up to a rounded total."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, finite, whole


def decimals_that_add_up(
    terms: ArrayLike, totals: ArrayLike, *, least: int = 2, most: int = 4
) -> int:
    """The fewest decimals at which terms (..., n), as written, add up to their totals (...).

    Totals are written to `least` decimals; a sum counts as one that is written like its total.
    It is `most` where fewer will not do. Raises ValueError unless there is a total for every sum.
    """
    parts, sums = finite("terms", terms), finite("totals", totals)
    if parts.ndim == 0 or parts.shape[:-1] != sums.shape:
        raise ValueError(
            f"totals must have shape {parts.shape[:-1]}, one for every sum, got {sums.shape}"
        )
    totals_written = _written(sums, whole("least", least, at_least=0))
    for decimals in range(least, most):
        added = _written(_written(parts, decimals).sum(axis=-1), decimals)
        if np.array_equal(_written(added, least), totals_written):
            return decimals
    return most


def _written(numbers: Floats, decimals: int) -> Floats:
    """Numbers as they read with so many decimals; halves go where the format takes them."""
    return np.char.mod(f"%.{decimals}f", numbers).astype(float)
