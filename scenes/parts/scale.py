"""Scales: the mapping between values and positions along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clockhead.scenes.stage import Value


@dataclass(frozen=True)
class Scale:
    """A range of values from `low`, where an axis begins, to `high`; `low` may be the larger one.

    `ticks` are the values with a number, in format `spec`; `name` says what is measured. On a `log`
    scale, equal factors have equal lengths. Values below `broken` are compressed, and a zigzag
    marks the break. `names` label the slots 0, 1, 2 ...
    """

    low: float
    high: float
    ticks: tuple[float, ...] = ()
    spec: str = ""
    name: str = ""
    log: bool = False
    broken: float | None = None
    names: Value | tuple[str, ...] = ()
    line: bool = True

    def __post_init__(self) -> None:
        if self.low == self.high:
            raise ValueError(f"a scale from {self.low} to {self.high} has no length")
        if self.log and min(self.low, self.high) <= 0:
            raise ValueError(f"a log scale cannot begin at {min(self.low, self.high)}")
        if self.broken is not None and not self.low < self.broken < self.high:
            raise ValueError(f"a scale from {self.low} to {self.high} cannot break {self.broken}")

    @property
    def texts(self) -> tuple[str, ...]:
        """The names as strings."""
        content = self.names.content if isinstance(self.names, Value) else self.names
        return tuple(str(name) for name in content)

    @property
    def knots(self) -> NDArray[np.float64]:
        """The values at the ends of the linear pieces of the axis; (2 or 3,).

        On a log scale these are logarithms.
        """
        values = (
            [self.low, self.high] if self.broken is None else [self.low, self.broken, self.high]
        )
        return self.even(values)

    def even(self, values: ArrayLike) -> NDArray[np.float64]:
        """Transform values to a linear scale: logarithms on a log scale."""
        array = np.asarray(values, dtype=float)
        return np.log10(array) if self.log else array

    def uneven(self, evened: ArrayLike) -> NDArray[np.float64]:
        """The inverse of `even`."""
        array = np.asarray(evened, dtype=float)
        return np.asarray(10.0**array) if self.log else array

    def holds(self, value: float) -> bool:
        """Whether a value is on the scale."""
        low, high = sorted((self.low, self.high))
        room = 1e-9 * (high - low)
        return low - room <= value <= high + room

    def within(self, value: float) -> float:
        """The tolerance of readings at a value."""
        return 1e-6 * (abs(value) if self.log else abs(self.high - self.low))

    def towards(self, other: Scale, share: float) -> Scale:
        """A scale interpolated towards another one, with the ticks of both."""
        if share == 1:
            return other
        ends = self.even([self.low, self.high]) * (1 - share)
        ends = ends + self.even([other.low, other.high]) * share
        low, high = self.uneven(ends)
        ticks = tuple(dict.fromkeys((*self.ticks, *other.ticks)))
        return replace(other, low=float(low), high=float(high), ticks=ticks)


def slots(names: Value | Sequence[str] | int, *, down: bool = False, name: str = "") -> Scale:
    """A scale with a slot for each name, or with a number of slots; `down`: first one on top."""
    n = names if isinstance(names, int) else len(names)
    words: Value | tuple[str, ...]
    words = () if isinstance(names, int) else names if isinstance(names, Value) else tuple(names)
    low, high = (n - 0.5, -0.5) if down else (-0.5, n - 0.5)
    return Scale(low, high, names=words, name=name)


def decades(low: float, high: float) -> tuple[float, ...]:
    """The powers of ten from `low` to `high`."""
    first, last = np.ceil(np.log10(low) - 1e-9), np.floor(np.log10(high) + 1e-9)
    return tuple(float(f"1e{k}") for k in range(int(first), int(last) + 1))


def round_ticks(low: float, high: float, most: int = 6) -> tuple[float, ...]:
    """At most `most` round numbers from `low` to `high`."""
    rough = (high - low) / most
    decade = int(np.floor(np.log10(rough)))
    step = next(
        m * 10.0**k
        for k in range(decade, decade + 3)
        for m in (1, 2, 5)
        if np.floor(high / (m * 10.0**k)) - np.ceil(low / (m * 10.0**k)) < most
    )
    places = max(0, -decade)
    first, last = int(np.ceil(low / step - 1e-9)), int(np.floor(high / step + 1e-9))
    return tuple(round(k * step, places) for k in range(first, last + 1))


def piecewise(values: ArrayLike, xs: ArrayLike, ys: ArrayLike) -> NDArray[np.float64]:
    """Piecewise linear interpolation through the knots (xs, ys), extrapolated beyond the ends."""
    x, y = np.asarray(xs, dtype=float), np.asarray(ys, dtype=float)
    order = np.argsort(x)
    x, y = x[order], y[order]
    array = np.asarray(values, dtype=float)
    if len(x) == 2:
        return np.asarray(y[0] + (y[1] - y[0]) / (x[1] - x[0]) * (array - x[0]))
    piece = np.clip(np.searchsorted(x, array) - 1, 0, len(x) - 2)
    slope = (y[piece + 1] - y[piece]) / (x[piece + 1] - x[piece])
    return np.asarray(y[piece] + slope * (array - x[piece]))
