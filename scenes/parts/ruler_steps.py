"""Which positions of a ruler get a number: steps that divide each other, so that none jumps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray


def steps() -> Iterator[int]:
    """1, 5, 10, 50, 100 and so on: each divides the next."""
    step = 1
    while True:
        yield from (step, 5 * step)
        step *= 10


def steps_of(place: int, least: float) -> list[int]:
    """The steps among whose multiples a position is, up to the first two of at least `least`."""
    found = []
    for step in steps():
        if place % step:
            break
        found.append(step)
        if step >= 5 * least:
            break
    return found


def multiples(first: float, last: float, step: int) -> NDArray[np.float64]:
    """The whole multiples of a step from `first` to `last`."""
    low, high = np.ceil(first / step - 1e-9), np.floor(last / step + 1e-9)
    return np.arange(low, high + 1) * step
