"""Pictures in words: what a still shows, from the values that its parts stand for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from clockhead.clips.stills import Sight, Still
from clockhead.plain import plain_text
from clockhead.scenes.facts import SHARE, format_fact

SAID_ALREADY = (SHARE, "count")
"""Units that a number or its description says already."""

_FEW = 8
"""Values that are still said one by one."""
_FLAT = 2
"""Axes of an array that can be told; more are the insides of a picture."""
_LARGE = 1000
"""From here on, three digits are fewer than stand before the point."""
_TINY = 1e-9
"""A share of the largest number below which others are nothing."""
_MOST = 5
"""As many values of one picture as a listener bears."""


def alt_of_still(title: str, still: Still) -> str:
    """Title, sentence, and what is to be seen."""
    seen = "; ".join(on_screen(still))
    return in_sentences(title, plain_text(still.sentence), f"On screen: {seen}" if seen else "")


def in_sentences(*texts: str) -> str:
    """One after the other, each as a sentence ends; empty ones are left out."""
    said = filter(None, texts)
    return " ".join(text if text.endswith((".", "?", "!", "…")) else f"{text}." for text in said)


def on_screen(still: Still) -> list[str]:
    """The first few values that are to be seen: `attention of the last row: 10%, 70%, 20%`.

    A value that nothing describes is left out: its name in the code tells a listener nothing.
    """
    return list(filter(None, map(_in_words, still.shows)))[:_MOST]


def _in_words(sight: Sight) -> str:
    value = _value(sight.value, sight.unit)
    if not sight.description or not value:
        return ""
    says_all = isinstance(sight.value, str) or sight.unit in SAID_ALREADY
    unit = f" {sight.unit.split(',')[0]}" if sight.unit and not says_all else ""
    first, *rest = plain_text(sight.description).split(" ", 1)
    plain_word = first[1:].islower() or first in ("A", "I")  # and not W_Q, X, RoPE
    name = " ".join([first.lower() if plain_word else first, *rest])
    return f"{name}: {value}{unit}"


def _value(value: Any, unit: str | None) -> str:
    """A few values one by one; of many, how many there are and their bounds."""
    if isinstance(value, str | bool | int):
        return str(value)
    if isinstance(value, Iterable) and not isinstance(value, np.ndarray):
        items = list(value)
        if all(isinstance(item, str) for item in items):
            return " ".join(items)
        value = np.asarray(items) if items else np.empty(0)
    numbers = np.asarray(value)
    if numbers.dtype.kind not in "iuf" or not numbers.size or numbers.ndim > _FLAT:
        return ""
    if numbers.size <= _FEW and numbers.ndim < _FLAT:
        return ", ".join(_number(number, unit) for number in numbers.flat)
    finite = numbers[np.isfinite(numbers)]
    if not finite.size:
        return ""
    finite = np.where(np.abs(finite) < _TINY * np.abs(finite).max(), 0, finite)
    n_rows, n_columns = numbers.shape if numbers.ndim == _FLAT else (1, numbers.size)
    rows = f"{n_rows} rows of " if n_rows > 1 else ""
    low, high = _number(finite.min(), unit), _number(finite.max(), unit)
    spread = f"from {low} to {high}" if low != high else f"all {low}"
    return f"{rows}{n_columns} {'number' if n_columns == 1 else 'numbers'}, {spread}"


def _number(number: float, unit: str | None) -> str:
    """Three significant digits are what a listener keeps; whole numbers keep all of theirs."""
    if unit == SHARE:
        return format_fact(float(number), ".0%", unit)
    return format_fact(float(number), "" if abs(number) >= _LARGE else ".3g", unit)
