"""Bars: a value a bar, numbers on top, names below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from manim import Line, Rectangle, VGroup
from numpy.typing import ArrayLike, NDArray

from scenes.style.layout import PX, Region
from scenes.style.motion import Drive
from scenes.style.text import Label, Number
from scenes.style.theme import theme
from scenes.style.type import SMALL


class Bars(VGroup):
    """Vertical bars over a line, all to one scale.

    `high` is the value that fills the region; negative values hang below the line. `spec` writes
    each value at the end of its bar; `size` is that of numbers and names.
    """

    def __init__(
        self,
        values: ArrayLike,
        region: Region,
        *,
        high: float,
        low: float = 0.0,
        color: str | None = None,
        names: Sequence[str] | None = None,
        spec: str | None = None,
        most_width: float = 0.7,
        size: float = SMALL,
    ) -> None:
        super().__init__()
        self.values = np.asarray(values, dtype=float)
        below = size * PX * 1.5 if names else 0.0
        above = size * PX * 1.4 if spec else 0.0
        self.area = Region(region.left, region.bottom + below, region.right, region.top - above)
        self._unit = self.area.height / (high - low)
        self._zero = self.area.bottom - low * self._unit
        self.step = min(self.area.width / len(self.values), most_width / 0.72)
        self.color_of_bars = color or theme().attention
        self.bars = [self._bar(k) for k in range(len(self.values))]
        start = self.middle(0) - self.step / 2
        self.line = Line(
            (start, self._zero, 0.0), (start + self.step * len(self.bars), self._zero, 0.0)
        ).set_stroke(theme().muted, 2)
        self.numbers = [
            Number(v, spec, size=size, color=theme().ink) for v in self.values if spec is not None
        ]
        self.names = [
            Label(name, size=size, color=theme().muted, align="center").put(
                np.array([self.middle(k), region.bottom + 0.08, 0.0])
            )
            for k, name in enumerate(names or [])
        ]
        self.add(*self.bars, self.line, *self.numbers, *self.names)
        self.show(self.values)

    def middle(self, k: int) -> float:
        """The x of bar `k`."""
        first = self.area.center[0] - self.step * (len(self.values) - 1) / 2
        return float(first + k * self.step)

    def show(self, values: ArrayLike) -> None:
        """Set every bar."""
        self.values = np.asarray(values, dtype=float)
        for k, value in enumerate(self.values):
            y = self._zero + float(value) * self._unit
            half = self.step * 0.36
            low, high = min(y, self._zero), max(y, self._zero + 0.02)
            corners = [(half, low), (half, high), (-half, high), (-half, low), (half, low)]
            self.bars[k].set_points_as_corners(
                [np.array([self.middle(k) + dx, at, 0.0]) for dx, at in corners]
            )
            if self.numbers:
                self.numbers[k].set_value(float(value))
                self.numbers[k].put(np.array([self.middle(k), high + 0.08, 0.0]))

    def to(self, values: ArrayLike, **options: Any) -> Drive:
        """Let the bars run to other values."""
        return Drive(self, self.show, self.values, values, **options)

    def tip(self, k: int) -> NDArray[np.float64]:
        """The end of bar `k`."""
        return np.array([self.middle(k), self._zero + self.values[k] * self._unit, 0.0])

    def _bar(self, k: int) -> Rectangle:
        return Rectangle(
            width=self.step * 0.72,
            height=0.1,
            stroke_width=0,
            fill_color=self.color_of_bars,
            fill_opacity=1,
        )
