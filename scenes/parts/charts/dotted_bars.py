"""Bars and a dot over each of them: what was set by hand, and what was learned."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Dot, VGroup
from numpy.typing import ArrayLike

from scenes.parts.charts.bars import Bars
from scenes.style.layout import Region
from scenes.style.motion import Drive
from scenes.style.theme import theme


class DottedBars(VGroup):
    """Bars for one row of values and dots for another, to one scale, above and below a line.

    The dots lie on the line until `rise`.
    """

    def __init__(
        self,
        bars: ArrayLike,
        dots: ArrayLike,
        region: Region,
        *,
        names: Sequence[str],
        size: float,
        color: str,
    ) -> None:
        super().__init__()
        heights = np.asarray(bars, dtype=float)
        self.marks = np.asarray(dots, dtype=float)
        low, high = (float(f([*heights, *self.marks])) for f in (min, max))
        room = 0.06 * (high - low)
        self.bars = Bars(
            heights,
            region,
            high=high + room,
            low=low - room,
            color=color,
            names=names,
            most_width=region.width,
            size=size,
        )
        self._unit = self.bars.area.height / (high - low + 2 * room)
        radius = min(0.11, 0.3 * self.bars.step)
        self.dots = VGroup(*(self._dot(radius) for _ in self.marks))
        self.add(self.bars, self.dots)
        self.show(np.zeros(len(self.marks)))

    def show(self, marks: ArrayLike) -> None:
        """Set every dot."""
        zero = float(self.bars.line.get_center()[1])
        for k, mark in enumerate(np.asarray(marks, dtype=float)):
            at = np.array([self.bars.middle(k), zero + float(mark) * self._unit, 0.0])
            self.dots[k].move_to(at)

    def _dot(self, radius: float) -> Dot:
        """A hollow dot, which is seen on bars as well as beside them."""
        return Dot(radius=radius, color=theme().ground).set_stroke(theme().ink, 3)

    def rise(self, run_time: float = 1.5) -> Drive:
        """Let the dots go from zero to their values."""
        return Drive(self.dots, self.show, np.zeros(len(self.marks)), self.marks, run_time=run_time)
