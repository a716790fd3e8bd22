"""Clock dials: one hand for each pair of dimensions.

Twelve o'clock is angle 0 and a growing angle turns clockwise, like any clock. So the pair (x, y) is
drawn with x upwards and y to the right, and the height of a hand's tip is its cosine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from manim import Circle, Dot, Line, VGroup, VMobject
from numpy.typing import ArrayLike, NDArray

from scenes.style.layout import PX, Region
from scenes.style.motion import Drive
from scenes.style.text import Label, Number
from scenes.style.theme import theme
from scenes.style.type import SMALL

MOST_CLOCKS = 16
"""More clocks than this are not legible; a row shows this many, spread over all of them."""


def tip(center: NDArray[np.float64], radius: float, angle: float) -> NDArray[np.float64]:
    """Where a hand of length `radius` ends, `angle` radians clockwise from twelve."""
    return center + radius * np.array([math.sin(angle), math.cos(angle), 0.0])


def spread(n: int, most: int = MOST_CLOCKS) -> NDArray[np.int64]:
    """Indices of at most `most` of `n` hands, first and last included."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(int))


class Clock(VGroup):
    """A dial with one hand."""

    def __init__(self, radius: float, *, color: str | None = None) -> None:
        super().__init__()
        look = theme()
        self.color_of_hand = color or look.position
        self.radius = radius
        self.dial = Circle(
            radius,
            fill_color=look.panel,
            fill_opacity=1,
            stroke_color=look.hairline,
            stroke_width=2,
        )
        ticks = VGroup(
            *(
                Line(tip(_ORIGIN, radius * 0.86, a), tip(_ORIGIN, radius * 0.96, a))
                for a in np.arange(4) * np.pi / 2
            )
        ).set_stroke(look.muted, 1.5)
        self.hand = VMobject(stroke_color=self.color_of_hand, stroke_width=_hand_width(radius))
        self.hub = Dot(radius=max(0.03, radius * 0.07), color=self.color_of_hand)
        self.add(self.dial, ticks)
        self.add(self.hand, self.hub)
        self.angle = 0.0
        self.show(0.0)

    @property
    def middle(self) -> NDArray[np.float64]:
        return self.dial.get_center()

    def show(self, angle: float) -> None:
        """Set the hand, in radians clockwise from twelve."""
        self.angle = angle
        end = tip(self.middle, self.radius * 0.84, angle)
        self.hand.set_points_as_corners([self.middle, end])

    def fit(self, middle: NDArray[np.float64], radius: float) -> None:
        """Move the dial and give it another radius."""
        self.scale(radius / self.radius, about_point=self.middle)
        self.shift(middle - self.middle)
        self.radius = radius
        self.hand.set_stroke(width=_hand_width(radius))
        self.show(self.angle)

    def turn(self, angle: float, **options: Any) -> Drive:
        """Turn the hand to `angle`."""
        return Drive(self, lambda a: self.show(float(a)), self.angle, angle, **options)


_ORIGIN = np.zeros(3)


def _hand_width(radius: float) -> float:
    return max(3.0, radius * 9)


class ClockRow(VGroup):
    """Clocks for hands `indices` of a head, in rows that fill a region, labelled below if wanted.

    `numbers` is the format of a number under each clock; `names` are words instead. Where there are
    more hands than can be read, the row shows some of them: `indices` says which.
    """

    def __init__(
        self,
        n_hands: int,
        region: Region,
        *,
        color: str | None = None,
        numbers: str | None = None,
        names: Sequence[str] | None = None,
        most_radius: float = 0.62,
        most: int = MOST_CLOCKS,
    ) -> None:
        super().__init__()
        self.indices = spread(n_hands, most)
        label = (SMALL * PX * 1.75) if numbers or names else 0.0
        columns, step_x, step_y = _grid(len(self.indices), region, label)
        radius = min(most_radius, step_x * 0.42, (step_y - label) * 0.46)
        self.clocks = [Clock(radius, color=color) for _ in self.indices]
        rows = -(-len(self.clocks) // columns)
        step_y = min(step_y, 2 * radius / 0.86 + label)
        step_x = min(step_x, 2 * radius / 0.7)
        for k, clock in enumerate(self.clocks):
            row, column = divmod(k, columns)
            in_row = min(columns, len(self.clocks) - row * columns)
            x = (column - (in_row - 1) / 2) * step_x
            y = ((rows - 1) / 2 - row) * step_y + label / 2
            clock.shift(region.center + np.array([x, y, 0.0]))
        self.add(*self.clocks)
        self.labels: list[Label] = []
        if numbers or names:
            for k, clock in enumerate(self.clocks):
                under = clock.middle - np.array([0.0, radius + SMALL * PX * 0.85, 0.0])
                self.labels.append(_label(numbers, names, int(self.indices[k])).center_on(under))
            self.add(*self.labels)
        self.angles = np.zeros(len(self.clocks))

    @property
    def radius(self) -> float:
        return self.clocks[0].radius

    def show(self, angles: ArrayLike) -> None:
        """Set the shown hands; `angles` holds one for each of `indices`."""
        self.angles = np.asarray(angles, dtype=float)
        for clock, angle in zip(self.clocks, self.angles, strict=True):
            clock.show(float(angle))

    def turn(self, angles: ArrayLike, **options: Any) -> Drive:
        """Turn every shown hand to its angle."""
        return Drive(self, self.show, self.angles, angles, **options)


def _label(numbers: str | None, names: Sequence[str] | None, index: int) -> Label:
    if names is not None:
        return Label(names[index], size=SMALL, color=theme().muted)
    return Number(0.0, numbers or "", size=SMALL, color=theme().muted)


def _grid(n: int, region: Region, label: float) -> tuple[int, float, float]:
    """The number of columns that allows the largest dials, and the steps between them."""
    best = max(
        range(1, n + 1),
        key=lambda c: min(region.width / c * 0.42, (region.height / -(-n // c) - label) * 0.46),
    )
    rows = -(-n // best)
    columns = -(-n // rows)
    return columns, region.width / columns, region.height / rows
