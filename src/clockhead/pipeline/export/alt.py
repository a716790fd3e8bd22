"""Pictures in words: what a still shows, from the values that its parts stand for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from clockhead.pipeline.clips.stills import Sight, Still
from clockhead.pipeline.plain import plain

_FEW = 8
"""Values that are still said one by one."""
_FLAT = 2
"""Axes of an array that can be told; more are the insides of a picture."""
_MOST = 5
"""As many values of one picture as a listener bears."""


def alt_of_still(title: str, still: Still) -> str:
    """Title, sentence, and what is to be seen, such as `scores, 8 x 8, from -1.2 to 15.3`."""
    seen = "; ".join(on_screen(still))
    return in_sentences(title, plain(still.sentence), f"On screen: {seen}" if seen else "")


def in_sentences(*texts: str) -> str:
    """One after the other, each as a sentence ends; empty ones are left out."""
    said = filter(None, texts)
    return " ".join(text if text.endswith((".", "?", "!", "…")) else f"{text}." for text in said)


def on_screen(still: Still) -> list[str]:
    """The first few values that are to be seen, such as `scores: 8 x 8, from -1.2 to 15.3`."""
    return list(filter(None, map(_in_words, still.shows)))[:_MOST]


def _in_words(sight: Sight) -> str:
    name = sight.description or sight.path.rpartition(".")[2].replace("_", " ")
    value = _value(sight.value)
    unit = f" {sight.unit}" if sight.unit and not isinstance(sight.value, str) else ""
    return f"{name[:1].lower()}{name[1:]}: {value}{unit}" if value else ""


def _value(value: Any) -> str:
    """A few values one by one, of many their shape and bounds."""
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
    if numbers.size <= _FEW:
        return ", ".join(f"{number:.4g}" for number in numbers.flat)
    shape = " × ".join(map(str, numbers.shape)) + (" values" if numbers.ndim == 1 else "")
    finite = numbers[np.isfinite(numbers)]
    if not finite.size:
        return shape
    return f"{shape}, from {finite.min():.4g} to {finite.max():.4g}"
