"""Regions of a frame of any aspect ratio.

Lengths are in Manim's units. The short side of every frame is 8 units; at 720p a unit is 90 pixels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SHORT_SIDE = 8.0
PX = SHORT_SIDE / 720
"""One pixel of a 720p frame, in units. Sizes are specified in pixels at 720p."""
MARGIN = 0.55
GAP = 0.4


@dataclass(frozen=True, slots=True)
class Region:
    """A rectangle on the frame."""

    left: float
    bottom: float
    right: float
    top: float

    @classmethod
    def frame(cls, width: float, height: float) -> Region:
        """The whole frame, centred at the origin."""
        return cls(-width / 2, -height / 2, width / 2, height / 2)

    @classmethod
    def of(cls, width_px: int, height_px: int) -> Region:
        """The whole frame of a picture with this size in pixels."""
        unit = min(width_px, height_px) / SHORT_SIDE
        return cls.frame(width_px / unit, height_px / unit)

    @classmethod
    def around(cls, points: NDArray[np.float64]) -> Region:
        """The smallest rectangle around points (N, 3)."""
        left, bottom, _ = map(float, points.min(axis=0))
        right, top, _ = map(float, points.max(axis=0))
        return cls(left, bottom, right, top)

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.top - self.bottom

    @property
    def wide(self) -> bool:
        """Whether two pictures fit better side by side than one above the other."""
        return self.width > 1.25 * self.height

    @property
    def center(self) -> NDArray[np.float64]:
        return np.array([(self.left + self.right) / 2, (self.bottom + self.top) / 2, 0.0])

    def point(self, x: float, y: float) -> NDArray[np.float64]:
        """The point at fractions `x` of the width and `y` of the height, from the bottom left."""
        return np.array([self.left + x * self.width, self.bottom + y * self.height, 0.0])

    def inset(self, x: float, y: float | None = None) -> Region:
        """The region reduced by `x` on the left and right, and by `y` above and below."""
        y = x if y is None else y
        return Region(self.left + x, self.bottom + y, self.right - x, self.top - y)

    def cut_top(self, height: float, gap: float = GAP) -> tuple[Region, Region]:
        """A band of this height along the top, and the remaining region below it."""
        edge = self.top - height
        return (
            Region(self.left, edge, self.right, self.top),
            Region(self.left, self.bottom, self.right, edge - gap),
        )

    def cut_bottom(self, height: float, gap: float = GAP) -> tuple[Region, Region]:
        """A band of this height along the bottom, and the remaining region above it."""
        edge = self.bottom + height
        return (
            Region(self.left, self.bottom, self.right, edge),
            Region(self.left, edge + gap, self.right, self.top),
        )
