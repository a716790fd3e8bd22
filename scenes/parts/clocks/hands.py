"""Many clock hands at once: all dials are one path, and so are all hands.

A hand is a step from the middle of its dial, (up, right), of length 1 when it is full. Fifty clocks
then cost no more than five, which single `Clock`s would not do.
"""

from __future__ import annotations

import math

import numpy as np
from manim import Circle, Dot, VGroup, VMobject
from numpy.typing import ArrayLike, NDArray

from scenes.parts.paths import straight
from scenes.style.theme import theme

HAND = 0.84
"""Length of a full hand, as a share of the dial's radius."""


def vectors(angles: ArrayLike) -> NDArray[np.float64]:
    """Full hands at `angles`, clockwise from twelve: (...) to (..., 2)."""
    turned = np.asarray(angles, dtype=float)
    return np.stack([np.cos(turned), np.sin(turned)], axis=-1)


def steps(hands: NDArray[np.float64]) -> NDArray[np.float64]:
    """Hands as steps on the frame: (N, 2) to (N, 3)."""
    return np.column_stack([hands[:, 1], hands[:, 0], np.zeros(len(hands))])


def dials(centers: NDArray[np.float64], radius: float) -> VGroup:
    """Empty dials around `centers`, (N, 3), with ticks at the quarters."""
    look = theme()
    circle = Circle(radius).points
    rings = VMobject(stroke_color=look.hairline, stroke_width=2, fill_color=look.panel)
    rings.set_fill(opacity=1).set_points(np.concatenate([circle + c for c in centers]))
    quarters = steps(vectors(np.arange(4) * math.pi / 2)) * radius
    start = (centers[:, None] + 0.86 * quarters).reshape(-1, 3)
    end = (centers[:, None] + 0.96 * quarters).reshape(-1, 3)
    ticks = VMobject(stroke_color=look.muted, stroke_width=1.5)
    return VGroup(rings, ticks.set_points(straight(start, end)))


class Hands(VGroup):
    """Hands on dials of one size: their lines in one path, their hubs in another."""

    def __init__(self, radius: float, color: str) -> None:
        super().__init__()
        self.radius = radius
        self.lines = VMobject(stroke_color=color, stroke_width=max(3.0, radius * 9))
        self.hubs = VMobject(stroke_width=0, fill_color=color, fill_opacity=1)
        self._hub = Dot(radius=max(0.03, radius * 0.07)).points
        self.add(self.lines, self.hubs)

    def place(self, centers: NDArray[np.float64], hands: NDArray[np.float64]) -> None:
        """Lie on the dials around `centers`, (N, 3), as `hands`, (N, 2)."""
        self.lines.set_points(straight(centers, centers + HAND * self.radius * steps(hands)))
        self.hubs.set_points(np.concatenate([self._hub + center for center in centers]))
