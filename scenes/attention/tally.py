"""Random draws of words, as dots that pile up along the words' bars."""

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
"""How long one dot falls, as a fraction of the whole animation."""
_DOT = Circle(radius=1.0).points
"""Points of a dot of radius 1 around 0."""


class Tally(Mark):
    """Draws as dots that pile up along the bars; all n on one word would reach 1 on their scale.

    `shares` (V,) are the fractions of draws per word, `order` (n,) is the word of every draw.
    """

    def __init__(self, shares: Value, order: Value, chart: Chart) -> None:
        super().__init__(shares, chart)
        self._places = order.array.astype(int)
        same = self._places[:, None] == self._places[None, :]
        self._under = np.tril(same, -1).sum(axis=1)  # number of dots below each; (n,)
        self._fallen = np.zeros(len(self._places))
        self.path = VMobject(stroke_color=theme().ground, stroke_width=1.5)
        self.path.set_fill(theme().token, 1)
        self.add(self.path)

    def fall(self, **options: Any) -> Drive:
        """Drop the dots one after another, in the order of the draws."""

        def show(share: NDArray[np.float64]) -> None:
            self._fallen = in_turn(float(share), len(self._places), _FALL)
            self.redraw()

        return Drive(self, show, 0.0, 1.0, **options)

    def draw(self, _: NDArray[np.float64]) -> None:
        """Draw the dots as far as they have fallen from the far end of the chart."""
        (along, across), n = self._axes, len(self._places)
        goal, start = along.at((self._under + 0.5) / n), float(along.at(along.scaling.high))
        reach, side = start + (goal - start) * self._fallen**2, across.at(self._places)
        x, y = (reach, side) if along is self.chart.x else (side, reach)
        step = abs(float(along.at(1 / n) - along.at(0.0)))
        radius = 0.46 * min(step, 0.8 * across.pitch)
        middles = np.stack([x, y, np.zeros(n)], axis=1)[self._fallen > 0]
        self.path.set_points((middles[:, None] + radius * _DOT).reshape(-1, 3))

    @property
    def _axes(self) -> tuple[Any, Any]:
        """The axis along which dots pile up, and the axis with the words."""
        x, y = self.chart.x, self.chart.y
        return (x, y) if y.scaling.names else (y, x)

    def readings(self) -> Iterator[Reading]:
        """Compare how far the dots of each word reach, and how many there are."""
        if not self.chart.placed or not is_visible(self.path) or (self._fallen < 1).any():
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
