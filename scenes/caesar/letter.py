"""Single letters: drawn around a point in any size, and moved from one place to another."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.type import X_HEIGHT, Weight, outline

Place = tuple[NDArray[np.float64], float]
"""The centre of a letter, half an x-height above its baseline, and its size in pixels."""


def write_letter(
    label: Label, middle: NDArray[np.float64], size: float, *, seen: float = 1.0
) -> None:
    """Draw a letter around a point; `seen` scales its height, 0 to 1."""
    left, right = _sides(label.text, label.weight)
    across = (left * size * PX + right * size * PX) / 2
    shape = outline(label.text, label.weight).points * size * PX
    shape -= np.array([across, X_HEIGHT / 2 * size * PX, 0.0])
    shape[:, 1] *= seen
    label.set_points(shape + middle)


@cache
def _sides(text: str, weight: Weight) -> tuple[float, float]:
    """Left and right edge of a letter, in ems."""
    across = outline(text, weight).points[:, 0]
    return float(across.min()), float(across.max())


def send_letter(label: Label, start: Place, end: Place, **options: Any) -> Drive:
    """Move a letter from place to place; it is only visible on the way."""

    def show(share: NDArray[np.float64]) -> None:
        s = float(share)
        label.set_fill(opacity=float(0 < s < 1))
        write_letter(label, start[0] * (1 - s) + end[0] * s, start[1] * (1 - s) + end[1] * s)

    show(np.zeros(()))
    return Drive(label, show, 0.0, 1.0, remover=True, **options)
