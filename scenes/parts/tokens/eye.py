"""An eye that goes back along a text and meets its tokens, one after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from scenes.parts.tokens.prompt_strip import TokenBox
from scenes.style.motion import Drive, along

_NEAR = 0.3
"""How near the eye comes to a token before it has met it, in slots."""


def look_back(
    eye: VMobject,
    boxes: Sequence[TokenBox],
    meet: Callable[[int], None],
    *,
    end: int = 0,
    run_time: float = 2.0,
) -> Drive:
    """Move `eye` from the last of `boxes` back to box `end`; `meet` gets each it comes to, once."""
    path = np.array([box.middle for box in boxes])
    ahead = list(range(end, len(boxes)))

    def show(place: NDArray[np.float64]) -> None:
        eye.move_to(along(path, float(place)))
        while ahead and float(place) <= ahead[-1] + _NEAR:
            meet(ahead.pop())

    return Drive(eye, show, len(boxes) - 1.0, float(end), run_time=run_time)
