"""Array types of the model, and checks of arguments."""

from __future__ import annotations

import math
import operator
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]


class Values:
    """Base class for frozen dataclasses of results: makes their arrays read-only."""

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)


def read_only(array: Floats) -> Floats:
    """Make `array` read-only and return it, so that no caller can change a cached value."""
    array.setflags(write=False)
    return array


def read_only_ints(array: Ints) -> Ints:
    """Make an integer array read-only and return it."""
    array.setflags(write=False)
    return array


def check_int(name: str, value: object, at_least: int) -> int:
    """`value` as an int; ValueError if it is not a whole number or is below `at_least`.

    True, 3.0 and "3" are refused: a count of such a type is a mistake of the caller.
    """
    allowed = f"{name} must be a whole number of at least {at_least}"
    if isinstance(value, bool):
        raise ValueError(f"{allowed}, got {value!r}")
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ValueError(f"{allowed}, got {value!r}") from None
    if number < at_least:
        raise ValueError(f"{allowed}, got {number}")
    return number


def check_even(name: str, value: object) -> int:
    """`value` as an even int of at least 2; ValueError otherwise."""
    number = check_int(name, value, at_least=2)
    if number % 2:
        raise ValueError(f"{name} must be even, two coordinates to a frequency, got {number}")
    return number


def check_float(
    name: str,
    value: object,
    *,
    above: float = -math.inf,
    at_least: float = -math.inf,
    at_most: float = math.inf,
    below: float = math.inf,
) -> float:
    """`value` as a finite float within its bounds; ValueError with the bounds otherwise."""
    bounds = [
        f"{word} {bound:g}"
        for word, bound in (
            ("above", above),
            ("at least", at_least),
            ("at most", at_most),
            ("below", below),
        )
        if math.isfinite(bound)
    ]
    allowed = f"{name} must be a finite number {' and '.join(bounds)}".rstrip()
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise ValueError(f"{allowed}, got {value!r}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    inside = above < number < below and at_least <= number <= at_most
    if not (math.isfinite(number) and inside):
        raise ValueError(f"{allowed}, got {number:g}")
    return number


def check_array(name: str, values: ArrayLike, n_axes: int | None = None) -> Floats:
    """`values` as a finite float array; ValueError for NaN, inf or another number of axes."""
    try:
        array = np.asarray(values)  # shape of `values`
    except ValueError:
        raise ValueError(f"{name} must be an array of numbers, all rows equally long") from None
    if array.dtype.kind not in "iuf":
        raise ValueError(f"{name} must be an array of numbers, got {array.dtype} values")
    if n_axes is not None and array.ndim != n_axes:
        raise ValueError(f"{name} must have {n_axes} axes, got shape {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite, got NaN or inf among its values")
    return array.astype(np.float64, copy=False)
