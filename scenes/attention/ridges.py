"""Histograms below each other on one axis, one for each width of the vectors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.chart import Chart, Mark
from clockhead.scenes.parts.paths import rectangles
from clockhead.scenes.stage import Reading, Size, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.theme import Role, theme

_RECTANGLE = 16
"""Number of points of a rectangle."""
FOOT, _HIGH = 0.4, 0.85
"""How far below its slot's middle a histogram begins, and its height, in slots."""
_LEAST_SLOT = 0.5
"""Least height of a slot, in units."""


class Ridges(Mark):
    """A histogram for each spread (standard deviation), (W,), in slots from top to bottom.

    `shapes` are the heights of the bars, (W, K). The edges of the `bins`, (K + 1,), are multiples
    of the spread: twice the spread makes the histogram twice as wide.
    """

    def __init__(
        self, spreads: Value, chart: Chart, shapes: Value, bins: Value, role: Role = "score"
    ) -> None:
        super().__init__(spreads, chart)
        self._shapes, self._bins = shapes, bins.array
        self._tallest = float(shapes.array.max())
        self._n_revealed = 0.0
        color = getattr(theme(), role)
        self.paths = VGroup(*(VMobject(stroke_width=0).set_fill(color, 1) for _ in spreads.array))
        self.add(self.paths)
        self.least_area = Size(0.0, len(spreads) * _LEAST_SLOT)

    def draw(self, state: NDArray[np.float64]) -> None:
        """Draw the revealed histograms; the last one may still be moving down."""
        shapes = self._shapes.array
        for k, path in enumerate(self.paths):
            if k >= self._n_revealed:
                path.clear_points()
                continue
            way, before = min(1.0, self._n_revealed - k), max(0, k - 1)
            spread = state[before] + (state[k] - state[before]) * way
            shape = shapes[before] + (shapes[k] - shapes[before]) * way
            edges = self.chart.x.at(self._bins * spread)
            foot = float(self.chart.y.at((before + way if k else 0.0) + FOOT))
            tops = foot + shape * self._unit * (1.0 if k else way)
            path.set_points(rectangles(edges[:-1], foot, edges[1:], tops))

    @property
    def _unit(self) -> float:
        """Height on the screen of a bar of height 1, in units."""
        return _HIGH * self.chart.y.pitch / self._tallest

    def reveal(self, n: int, **options: Any) -> Drive:
        """Raise the first histogram, and move each other one up to n down from the one above."""
        return self.drive("_n_revealed", self._n_revealed, float(n), **options)

    def readings(self) -> Iterator[Reading]:
        """Compare the height of each bar, and the spread of each revealed histogram."""
        x, y = self.chart.x, self.chart.y
        for k, path in enumerate(self.paths):
            if self._n_revealed < k + 1 or not is_visible(path):
                continue
            corners = path.points.reshape(-1, _RECTANGLE, 3)
            low, high = corners.min(axis=1), corners.max(axis=1)  # (K, 3)
            slot = round(float(y.read(low[0, 1])) - FOOT)
            reach = float(x.read(high[-1, 0]) - x.read(low[0, 0])) / float(np.ptp(self._bins))
            yield Reading(self.shown[slot], reach, x.scaling.within(reach))
            for j, height in enumerate((high[:, 1] - low[:, 1]) / self._unit):
                yield Reading(self._shapes[slot, j], float(height), 1e-6)
