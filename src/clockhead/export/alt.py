"""Alternative text of stills, from the values that their parts show."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from clockhead.clips.stills import Still
from clockhead.plain import plain_text
from clockhead.scenes.facts import SHARE, format_fact

_COUNTED = (
    *("bytes", "characters", "degrees", "dimensions", "full turns", "letters", "models"),
    *("positions", "radians", "radians per position", "tokens"),
    *("GB", "MB", "millions"),
)
"""Units that are written after a number. Others say what kind of number it is, as `score` does."""

_MAX_LISTED = 8
"""Longest list of values that is read out one by one."""
_MAX_AXES = 2
"""Arrays with more axes are internals of a picture."""
_LARGE = 1000
"""Numbers from here on have more than three digits before the point."""
_NEGLIGIBLE = 1e-9
"""Smaller numbers, relative to the largest, count as 0."""
_MAX_VALUES = 5
"""Most values of one picture that are described."""


def alt_of_still(title: str, still: Still) -> str:
    """Title, sentence, and the values on screen."""
    values = "; ".join(describe_values(still))
    on_screen = f"On screen: {values}" if values else ""
    return join_sentences(title, plain_text(still.sentence), on_screen)


def join_sentences(*texts: str) -> str:
    """Texts in a row, each with a full stop if it needs one; empty ones are left out."""
    given = filter(None, texts)
    return " ".join(text if text.endswith((".", "?", "!", "…")) else f"{text}." for text in given)


def describe_values(still: Still) -> list[str]:
    """The first few values on screen: `attention of the last row: 10%, 70%, 20%`.

    Values without a description are left out: their names in the code tell a listener nothing.
    """
    described = []
    for sight in still.shows:
        value = _format(sight.value, sight.unit)
        if not sight.description or not value:
            continue
        unit = "" if isinstance(sight.value, str) else shown_unit(sight.unit, sight.value)
        first, *rest = plain_text(sight.description).split(" ", 1)
        is_word = first[1:].islower() or first in ("A", "I")  # not W_Q, X, RoPE
        name = " ".join([first.lower() if is_word else first, *rest])
        described.append(f"{name}: {value} {unit}".rstrip())
    return described[:_MAX_VALUES]


def shown_unit(unit: str | None, value: Any) -> str:
    """The unit that is written after a value, in the singular after a 1; "" if there is none."""
    name = (unit or "").partition(",")[0]
    if name == "positions to a full turn":
        name = "positions"
    if name not in _COUNTED:
        return ""
    is_one = isinstance(value, int) and value == 1
    return re.sub(r"s\b", "", name, count=1) if is_one else name


def _format(value: Any, unit: str | None) -> str:
    """A few values one by one; of many, their number and their bounds."""
    if isinstance(value, str | bool | int):
        return str(value)
    if isinstance(value, Iterable) and not isinstance(value, np.ndarray):
        items = list(value)
        if all(isinstance(item, str) for item in items):
            return " ".join(items)
        value = np.asarray(items) if items else np.empty(0)
    numbers = np.asarray(value)
    if numbers.dtype.kind not in "iuf" or not numbers.size or numbers.ndim > _MAX_AXES:
        return ""
    if numbers.size <= _MAX_LISTED and numbers.ndim < _MAX_AXES:
        return ", ".join(_number(number, unit) for number in numbers.flat)
    finite = numbers[np.isfinite(numbers)]
    if not finite.size:
        return ""
    finite = np.where(np.abs(finite) < _NEGLIGIBLE * np.abs(finite).max(), 0, finite)
    n_rows, n_columns = numbers.shape if numbers.ndim == _MAX_AXES else (1, numbers.size)
    rows = f"{n_rows} rows of " if n_rows > 1 else ""
    low, high = _number(finite.min(), unit), _number(finite.max(), unit)
    spread = f"from {low} to {high}" if low != high else f"all {low}"
    return f"{rows}{n_columns} {'number' if n_columns == 1 else 'numbers'}, {spread}"


def _number(number: float, unit: str | None) -> str:
    """Three significant digits, which a listener can remember, but all digits of a large number."""
    if unit == SHARE:
        return format_fact(float(number), ".0%", unit)
    return format_fact(float(number), "" if abs(number) >= _LARGE else ".3g", unit)
