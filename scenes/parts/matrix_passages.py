"""A matrix on its way: shades may change their meaning meanwhile, and numbers stand aside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.stage import Passage, Value

if TYPE_CHECKING:
    from clockhead.scenes.parts.matrix import Matrix

_FADE = 0.3
"""Seconds in which numbers go before a motion, and come after it."""


@dataclass(frozen=True, eq=False)
class Scale:
    """What the shades mean, and how numbers are written."""

    low: float
    high: float
    spec: tuple[str, ...]

    def towards(self, end: Scale, share: float) -> Scale:
        """The scale `share` of the way to another; numbers change their format half way."""
        if share >= 1:
            return end
        return Scale(
            self.low + (end.low - self.low) * share,
            self.high + (end.high - self.high) * share,
            end.spec if share >= 0.5 else self.spec,
        )


class MatrixPassage(Passage):
    """All of a matrix on its way through states, (steps, R, C), to a value and a scale."""

    def __init__(
        self,
        matrix: Matrix,
        end: Value,
        states: NDArray[np.float64],
        scale: Scale,
        **options: Any,
    ) -> None:
        self._matrix = matrix
        self._numbers = _Numbers(matrix, (matrix.scale_now, scale), states[[0, -1]])
        super().__init__(matrix, end, states, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        self._numbers.at(self.rate_func(alpha), number_share(alpha, self.run_time))
        super().interpolate_mobject(alpha)


class _Numbers:
    """How numbers are written between two states, (2, R, C): `at` a moment of the motion."""

    def __init__(
        self, matrix: Matrix, scales: tuple[Scale, Scale], ends: NDArray[np.float64]
    ) -> None:
        self._matrix, self._scales, self._ends = matrix, scales, ends
        self._half: bool | None = None

    def at(self, share: float, seen: float) -> None:
        """Set the scale; the format is chosen anew when the motion begins and half way."""
        start, end = self._scales
        matrix, half = self._matrix, share >= 0.5
        matrix.draw_at(start.towards(end, share), seen)
        if half != self._half:
            self._half = half
            both = matrix.numbers_in_motion
            matrix.choose_for(list(self._ends) if both else [self._ends[int(half)]])


def number_share(alpha: float, run_time: float) -> float:
    """How far numbers are to be seen at a share of the time of a motion."""
    if alpha >= 1:
        return 1.0
    gone, to_come = alpha * run_time / _FADE, (1 - alpha) * run_time / _FADE
    return float(np.clip(max(1 - gone, 1 - to_come), 0.0, 1.0))
