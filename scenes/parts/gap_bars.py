"""Bars, the marks they should reach, and the gaps between the two."""

from __future__ import annotations

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import ArrayLike, NDArray

from scenes.parts.hands import straight
from scenes.parts.letter_bars import LetterBars
from scenes.style.layout import Region
from scenes.style.theme import theme


class GapBars(VGroup):
    """A bar and a mark over each letter; a line from the one's end to the other is their gap."""

    def __init__(
        self, values: ArrayLike, marks: ArrayLike, region: Region, *, high: float, color: str
    ) -> None:
        look = theme()
        self.bars = LetterBars(values, region, high=high, color=color)
        self.gaps = VMobject(stroke_color=look.wrong, stroke_width=4)
        self.caps = VMobject(stroke_color=look.attention, stroke_width=5)
        super().__init__(self.bars, self.gaps, self.caps)
        self.show(marks)

    def show(self, marks: ArrayLike) -> None:
        """Put the marks at other heights, (n,)."""
        self.marks = np.asarray(marks, dtype=float)
        tips = self._points(self.marks)
        half = np.array([0.44 * self.bars.step, 0.0, 0.0])
        self.caps.set_points(straight(tips - half, tips + half))
        self.gaps.set_points(straight(self._points(self.bars.values), tips))

    def _points(self, heights: NDArray[np.float64]) -> NDArray[np.float64]:
        x = [self.bars.middle(k) for k in range(len(heights))]
        y = self.bars.zero + heights * self.bars.unit
        return np.column_stack([x, y, np.zeros(len(heights))])
