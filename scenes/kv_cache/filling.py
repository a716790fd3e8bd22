"""A memory that is filled: the weights first, then one cache after another, to scale."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from scenes.parts.chart import Chart, Mark
from scenes.parts.paths import rectangles
from scenes.stage import Reading, Value
from scenes.style.motion import Drive, in_turn
from scenes.style.theme import theme

_RECTANGLE = 16
_THICK, _SEAM = 0.4, 0.04
"""How thick it is, in slots, and what is left free at the end of a cache, as a share of it."""


class Filling(Mark):
    """Where the weights end and then every cache, (n + 1,), in a slot of a chart of lying bars.

    Half of each cache is keys, half is values.
    """

    def __init__(self, edges: Value, chart: Chart, slot: int) -> None:
        super().__init__(edges, chart)
        self._slot, self._come = slot, np.zeros(len(edges))
        look = theme()
        self.paths = [VMobject(stroke_width=0, fill_opacity=1) for _ in range(3)]
        for path, color in zip(self.paths, (look.residual, look.key, look.value), strict=True):
            path.set_fill(color, 1)
        self.add(*self.paths)

    def draw(self, state: NDArray[np.float64]) -> None:
        """Draw as much of weights and caches as has come."""
        come, edges = self._come, np.asarray(state, dtype=float)
        y, half = float(self.chart.y.at(self._slot)), _THICK / 2 * self.chart.y.pitch
        weights, *caches = self.paths
        self._draw(weights, np.zeros(1), come[:1] * edges[0], y, half)
        start, there = edges[:-1], come[1:] > 0
        length = np.diff(edges) * come[1:] / 2
        for k, path in enumerate(caches):
            low = start + k * length
            high = low + length * (1 - 2 * _SEAM * k)
            self._draw(path, low[there], high[there], y, half)

    def _draw(self, path: VMobject, low: Any, high: Any, y: float, half: float) -> None:
        left, right = self.chart.x.at(low), self.chart.x.at(high)
        path.set_points(rectangles(left, y - half, right, y + half))

    def fill(self, **options: Any) -> Drive:
        """Let the weights come, then one cache after another."""
        n = len(self._come)

        def show(share: NDArray[np.float64]) -> None:
            self._come = in_turn(float(share), n, min(1.0, 2.0 / n))
            self.redraw()

        return Drive(self, show, 0.0, 1.0, **options)

    def readings(self) -> Iterator[Reading]:
        """Where the weights end and the values begin and end, once all is there."""
        if not self.chart.placed or self._come.min() < 1:
            return
        weights, keys, values = (p.points.reshape(-1, _RECTANGLE, 3)[..., 0] for p in self.paths)
        axis = self.chart.x
        yield self._reading(0, float(axis.read(weights.max())))
        for k in range(len(values)):
            start, middle = (float(axis.read(x[k].min())) for x in (keys, values))
            full = float(axis.read(values[k].max()))
            seam = 2 * _SEAM / (1 - 2 * _SEAM) * (full - middle)
            yield self._reading(k, start)
            yield self._reading(k + 1, full + seam)
            yield self._reading(k + 1, 2 * middle - start)

    def _reading(self, k: int, says: float) -> Reading:
        return Reading(self.shown[k], says, self.chart.x.scaling.within(says))
