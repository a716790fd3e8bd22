"""Hollow dots over a chart: what has been counted in a text, which falls there from its tiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from manim import LEFT, Circle, VGroup, VMobject
from numpy.typing import NDArray

from scenes.parts.chart import Chart, Mark
from scenes.stage import Reading, Value
from scenes.stage.shown import is_visible
from scenes.style.layout import PX
from scenes.style.motion import Drive, in_turn
from scenes.style.text import Label
from scenes.style.theme import theme
from scenes.style.type import MIN_SIZE, X_HEIGHT

Point = NDArray[np.float64]

RADIUS = 0.1
"""Of a dot, in units."""
_RING = np.array(Circle(radius=RADIUS).points)
_EACH = 0.6
"""The share of the time that one of several dots needs to fall."""


class Counted(Mark):
    """Shares (V,) of the slots of a chart; only the dots in `standing` can be seen."""

    def __init__(self, value: Value, chart: Chart) -> None:
        super().__init__(value, chart)
        self._lying = bool(chart.y.scaling.texts and not chart.x.scaling.texts)
        self.standing: list[int] = []
        ink = theme().ink
        self.path = VMobject(stroke_color=ink, stroke_width=3.5, fill_opacity=0)
        self.on_the_way = VMobject(stroke_color=ink, stroke_width=3.5, fill_opacity=0)
        self.add(self.path, self.on_the_way)

    def draw(self, state: NDArray[np.float64]) -> None:
        """Draw the dots that stand."""
        rings = [self._at(k, float(state[k])) + _RING for k in self.standing]
        self.path.set_points(np.concatenate(rings) if rings else np.zeros((0, 3)))

    def _at(self, k: int, share: float) -> Point:
        across, up = (share, k) if self._lying else (k, share)
        return np.array(self.chart.at(across, up)).reshape(3)

    def fall(
        self, value: Value, falling: Sequence[tuple[Point, int]], *, run_time: float = 1.6
    ) -> Drive:
        """Let dots fall from points into their slots, those of one slot onto one place."""
        ends: list[Point] = []

        def show(share: NDArray[np.float64]) -> None:
            if share == 0:
                self.standing = []
                self.path.set_stroke(opacity=1.0)
                self.set_to(value)
                ends[:] = [self._at(k, float(value.array[k])) for _, k in falling]
            if share == 1:
                self.standing = sorted({k for _, k in falling})
            parts = in_turn(float(share), len(falling), _EACH)
            rings = [
                start + (end - start) * part + _RING
                for (start, _), end, part in zip(falling, ends, parts, strict=True)
                if part > 0 and share < 1
            ]
            self.on_the_way.set_points(np.concatenate(rings) if rings else np.zeros((0, 3)))
            self.redraw()

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def fade(self, *, run_time: float = 0.5) -> Drive:
        """Let the dots that stand go."""

        def show(seen: NDArray[np.float64]) -> None:
            self.path.set_stroke(opacity=float(seen))

        return Drive(self, show, 1.0, 0.0, run_time=run_time)

    def stand(self, *keys: int) -> None:
        """Let further dots stand."""
        self.standing = sorted({*self.standing, *keys})
        self.redraw()

    def readings(self) -> Iterator[Reading]:
        """The share that the middle of each dot stands for."""
        if not self.chart.placed or not is_visible(self.path):
            return
        slots, along = (self.chart.y, self.chart.x) if self._lying else (self.chart.x, self.chart.y)
        i = 0 if self._lying else 1
        for ring in self.path.points.reshape(-1, len(_RING), 3):
            middle = (ring.min(axis=0) + ring.max(axis=0)) / 2
            k = round(float(slots.read(middle[1 - i])))
            says = float(along.read(middle[i]))
            yield Reading(self.shown[k], says, along.scaling.within(says))

    def key(self, words: str) -> VGroup:
        """What a dot means, at the far end of the last slot, which stays nearly empty.

        Nothing where the bars are so short that it would not.
        """
        look = theme()
        label = Label(words, size=MIN_SIZE, color=look.muted, align="right")
        area = self.chart.area
        if label.width > 0.6 * area.width:
            return VGroup()
        half = X_HEIGHT / 2 * MIN_SIZE * PX
        x, y = area.right, area.top - half
        if self._lying:
            y = float(self.chart.y.at(self.chart.y.scaling.low - 0.5)) - half
        label.put(np.array([x, y, 0.0]))
        ring = VMobject(stroke_color=look.ink, stroke_width=3.5, fill_opacity=0)
        ring.set_points(_RING + label.middle + (label.width / 2 + 2 * RADIUS) * LEFT)
        return VGroup(label, ring)
