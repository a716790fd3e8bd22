"""A memory that is filled: the weights first, then one cache after another, to scale."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.chart import Chart, Mark
from clockhead.scenes.parts.paths import rectangles
from clockhead.scenes.stage import Reading, Value
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.theme import theme

_RECTANGLE = 16
_THICK, _SEAM = 0.4, 0.04
"""How thick it is, in slots, and how much of a cache is left free at each of its ends."""


class Filling(Mark):
    """Where the weights end and then every cache, (n + 1,), in a slot of a chart of lying bars.

    Half of each cache is keys, half is values.
    """

    def __init__(self, edges: Value, chart: Chart, slot: int) -> None:
        super().__init__(edges, chart)
        self._slot, self._full = slot, 1.0
        look = theme()
        self.paths = [
            VMobject(stroke_width=0, fill_opacity=1, fill_color=color)
            for color in (look.residual, look.key, look.value)
        ]
        self.add(*self.paths)

    def draw(self, state: NDArray[np.float64]) -> None:
        """Draw what lies below the level that the memory is filled to."""
        y, half = float(self.chart.y.at(self._slot)), _THICK / 2 * self.chart.y.pitch
        start, size = state[:-1], np.diff(state)
        middle, seam = start + size / 2, _SEAM * size
        weights = np.zeros(1), state[:1]
        pieces = weights, (start + seam, middle), (middle, state[1:] - seam)
        for path, ends in zip(self.paths, pieces, strict=True):
            left, right = self.chart.x.at(np.minimum(ends, self._full * state[-1]))
            path.set_points(rectangles(left, y - half, right, y + half))

    def fill(self, **options: Any) -> Drive:
        """Let it be filled up."""

        def show(share: NDArray[np.float64]) -> None:
            self._full = float(share)
            self.redraw()

        return Drive(self, show, 0.0, 1.0, **options)

    def readings(self) -> Iterator[Reading]:
        """Where the weights end, and where keys begin and values end, once all is there."""
        if not self.chart.placed or self._full < 1:
            return
        weights, keys, values = (
            self.chart.x.read(path.points.reshape(-1, _RECTANGLE, 3)[..., 0]) for path in self.paths
        )
        yield self._reading(0, float(weights.max()))
        for k in range(len(values)):
            start, middle, end = keys[k].min(), values[k].min(), values[k].max()
            seam = _SEAM / (0.5 - _SEAM)
            yield self._reading(k, float(start - (middle - start) * seam))
            yield self._reading(k + 1, float(end + (end - middle) * seam))

    def _reading(self, k: int, says: float) -> Reading:
        return Reading(self.shown[k], says, self.chart.x.scaling.within(says))
