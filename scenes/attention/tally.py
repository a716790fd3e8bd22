"""Draws that pile up along the bars of words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import Circle, VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.chart import Chart, Mark
from clockhead.scenes.stage import Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.motion import Drive, in_turn
from clockhead.scenes.style.theme import theme

_FALL = 0.25
"""The share of the time that one of many draws falls."""
_DOT = Circle(radius=1.0).points


class Tally(Mark):
    """Draws as dots that pile up along the bars, in their scale: all n on one word would reach 1.

    `shares` (V,) is what share of the draws each word got, `order` (n,) the word of every draw.
    """

    def __init__(self, shares: Value, order: Value, chart: Chart) -> None:
        super().__init__(shares, chart)
        self._places = order.array.astype(int)
        same = self._places[:, None] == self._places[None, :]
        self._under = np.tril(same, -1).sum(axis=1)  # how many of the same lie under it; (n,)
        self._come = np.zeros(len(self._places))
        self.path = VMobject(stroke_color=theme().ground, stroke_width=1.5)
        self.path.set_fill(theme().token, 1)
        self.add(self.path)

    def fall(self, **options: Any) -> Drive:
        """Let the dots fall one after another, in the order in which they were drawn."""

        def show(share: NDArray[np.float64]) -> None:
            self._come = in_turn(float(share), len(self._places), _FALL)
            self.redraw()

        return Drive(self, show, 0.0, 1.0, **options)

    def draw(self, _: NDArray[np.float64]) -> None:
        """Draw the dots as far as they have come from the far end of the chart."""
        (along, across), n = self._axes, len(self._places)
        goal, start = along.at((self._under + 0.5) / n), float(along.at(along.scaling.high))
        reach, side = start + (goal - start) * self._come**2, across.at(self._places)
        x, y = (reach, side) if along is self.chart.x else (side, reach)
        step = abs(float(along.at(1 / n) - along.at(0.0)))
        radius = 0.46 * min(step, 0.8 * across.pitch)
        middles = np.stack([x, y, np.zeros(n)], axis=1)[self._come > 0]
        self.path.set_points((middles[:, None] + radius * _DOT).reshape(-1, 3))

    @property
    def _axes(self) -> tuple[Any, Any]:
        """The axis that dots pile up along, and the one that words stand on."""
        x, y = self.chart.x, self.chart.y
        return (x, y) if y.scaling.names else (y, x)

    def readings(self) -> Iterator[Reading]:
        """How far the dots of each word reach, and how many of them there are."""
        if not self.chart.placed or not is_visible(self.path) or (self._come < 1).any():
            return
        (along, across), n = self._axes, len(self._places)
        dots = self.path.points.reshape(-1, len(_DOT), 3)
        x, y, _ = ((dots.min(axis=1) + dots.max(axis=1)) / 2).T
        reach, side = (x, y) if along is self.chart.x else (y, x)
        slots = np.rint(across.read(side)).astype(int)
        for k in range(len(self.shown.content)):
            ends = along.read(reach[slots == k]) + 0.5 / n
            yield Reading(self.shown[k], float(ends.max(initial=0.0)), 0.1 / n)
            yield Reading(self.shown[k], len(ends) / n)
