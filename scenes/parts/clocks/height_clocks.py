"""Clocks with a gauge beside each: how high the tip of its hand stands."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Rectangle, VGroup, VMobject
from numpy.typing import ArrayLike, NDArray

from scenes.parts.clocks.clock import spread
from scenes.parts.clocks.hands import HAND, Hands, dials, vectors
from scenes.parts.paths import closed
from scenes.style.layout import Region
from scenes.style.motion import Drive
from scenes.style.theme import theme

_WIDE, _HIGH = 3.1, 2.35
"""What a clock and its gauge take, in radii."""


class HeightClocks(VGroup):
    """Clocks of a head's hands in rows that fill a region.

    `indices` says which hands are shown, at most 16, spread over all of them. The hands in `slow`
    are a part of their own, so that they can dim. Gauges are empty until `gauges` is shown.
    """

    def __init__(self, n_hands: int, region: Region, slow: NDArray[np.bool_]) -> None:
        super().__init__()
        look = theme()
        self.indices = spread(n_hands)
        self._slow = slow[self.indices]
        self.radius, self._centers = _places(len(self.indices), region)
        self.hands = [Hands(self.radius, look.position) for _ in range(2)]
        self.levels = [VMobject(stroke_width=0, fill_opacity=1) for _ in range(2)]
        self.frames = VGroup(*(self._frame(center) for center in self._centers))
        for part in self.levels:
            part.set_fill(look.attention)
        self.gauges = VGroup(self.frames, *self.levels)
        self.add(dials(self._centers, self.radius), *self.hands)
        self.show(np.zeros(len(self.indices)))

    def show(self, angles: ArrayLike) -> None:
        """Set the shown hands and their gauges."""
        self.angles = np.asarray(angles, dtype=float)
        hands = vectors(self.angles)
        for part, fill, mine in zip(
            self.hands, self.levels, (~self._slow, self._slow), strict=True
        ):
            if mine.any():
                part.place(self._centers[mine], hands[mine])
                fill.set_points(self._bars(self._centers[mine], hands[mine, 0]))

    def turn(self, angles: ArrayLike, **options: Any) -> Drive:
        """Turn the shown hands to `angles`."""
        return Drive(self, self.show, self.angles, angles, **options)

    def _frame(self, center: NDArray[np.float64]) -> Rectangle:
        frame = Rectangle(width=0.34 * self.radius, height=2 * HAND * self.radius)
        frame.set_stroke(theme().hairline, 1.5)
        return frame.move_to(center + np.array([1.4 * self.radius, 0.0, 0.0]))

    def _bars(
        self, centers: NDArray[np.float64], heights: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """A rectangle from the middle of every gauge to its height; (16 N, 3)."""
        half = np.array([0.17 * self.radius, 0.0, 0.0])
        foot = centers + np.array([1.4 * self.radius, 0.0, 0.0])
        up = np.column_stack([0 * heights, HAND * self.radius * heights, 0 * heights])
        corners = np.stack([foot - half, foot + half, foot + half + up, foot - half + up], axis=1)
        return closed(corners).reshape(-1, 3)


def _places(n: int, region: Region) -> tuple[float, NDArray[np.float64]]:
    """The radius of the largest dials that fit, and their middles, (n, 3).

    Rows of equal length look better than slightly larger dials.
    """

    def radius(columns: int) -> float:
        return min(region.width / columns / _WIDE, region.height / -(-n // columns) / _HIGH)

    columns = max(range(1, n + 1), key=lambda c: radius(c) * (1.2 if n % c == 0 else 1.0))
    size = min(0.7, radius(columns))
    rows = -(-n // columns)
    step_x = min(region.width / columns, 1.25 * _WIDE * size)
    step_y = min(region.height / rows, 1.25 * _HIGH * size)
    row, column = np.divmod(np.arange(n), columns)
    x = (column - (columns - 1) / 2) * step_x - 0.28 * size
    y = ((rows - 1) / 2 - row) * step_y
    return size, region.center + np.column_stack([x, y, np.zeros(n)])
