"""The words of a long text as slots behind the bars of a chart, and a frame round one of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from scenes.parts.chart import Chart, Mark
from scenes.parts.dial import face_color
from scenes.parts.paths import rectangles
from scenes.stage import Reading, Value
from scenes.stage.shown import is_visible
from scenes.style.theme import Role, theme

_SHARE = 0.72
"""The width of a slot, of the way from one to the next."""
_RECTANGLE = 16


def _across(chart: Chart, place: float, share: float) -> tuple[float, float]:
    """The edges of something at a place of the chart, as wide as a share of the way to the next."""
    middle, half = float(chart.x.at(place)), share / 2 * chart.x.pitch
    return middle - half, middle + half


class Slots(Mark):
    """As many slots as a text has words, from place `first` of the chart on: 1, 2, 3 and so on.

    Between two numbers of words the last slot is still growing.
    """

    def __init__(self, words: Value, chart: Chart, *, first: int) -> None:
        super().__init__(words, chart)
        self._first = first
        self.path = VMobject(stroke_width=0, fill_opacity=1)
        self.path.set_fill(face_color())
        self.add(self.path)

    def draw(self, state: NDArray[np.float64]) -> None:
        """Draw so many slots, the last as high as has come of it."""
        area, n = self.chart.area, float(state)
        grown = np.clip(n - np.arange(np.ceil(n)), 0.0, 1.0)
        edges = [_across(self.chart, self._first + k, _SHARE) for k in range(len(grown))]
        left, right = np.array(edges).T
        top = area.bottom + grown * area.height
        self.path.set_points(rectangles(left, area.bottom, right, top))

    def readings(self) -> Iterator[Reading]:
        """How many slots there are."""
        if not self.chart.placed:
            return
        corners = self.path.points.reshape(-1, _RECTANGLE, 3)
        heights = np.ptp(corners[:, :, 1], axis=1) / self.chart.area.height
        yield Reading(self.shown, float(heights.sum()))


class Frame(Mark):
    """A frame round the slot at a place of the chart, which may lie between two."""

    def __init__(self, place: Value, chart: Chart, role: Role) -> None:
        super().__init__(place, chart)
        self.path = VMobject(fill_opacity=0).set_stroke(getattr(theme(), role), 2.5)
        self.add(self.path)

    def draw(self, state: NDArray[np.float64]) -> None:
        """Stand at a place."""
        area, (left, right) = self.chart.area, _across(self.chart, float(state), 1.0)
        self.path.set_points(rectangles([left], [area.bottom], [right], [area.top]))

    def readings(self) -> Iterator[Reading]:
        """The place of its middle."""
        if self.chart.placed and is_visible(self.path):
            axis, xs = self.chart.x, self.path.points[:, 0]
            says = float(axis.read((xs.min() + xs.max()) / 2))
            yield Reading(self.shown, says, axis.scaling.within(says))
