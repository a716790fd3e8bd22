"""Draws that pile up along the bars of words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import Circle, VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.chart import Chart, Mark
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.stage import Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.motion import Drive, in_turn
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import CAP_HEIGHT, SMALL

_FALL = 0.25
"""The share of the time that one of many draws falls."""
_GAP = 0.08
_DOT = Circle(radius=1.0).points


class Tally(Mark):
    """Draws as dots that pile up along the bars, in their scale: all n on one word would reach 1.

    `shares` (V,) are the `counts` divided by n, `order` (n,) the word of every draw. At the end of
    each pile its count is written when all have fallen.
    """

    def __init__(self, shares: Value, order: Value, counts: Value, chart: Chart) -> None:
        super().__init__(shares, chart)
        self._places = order.array.astype(int)
        same = self._places[:, None] == self._places[None, :]
        self._under = np.tril(same, -1).sum(axis=1)  # how many of the same lie under it; (n,)
        self._come = np.zeros(len(self._places))
        self.path = VMobject(stroke_color=theme().ground, stroke_width=1.5)
        self.path.set_fill(theme().token, 1)
        self._counts = counts
        self._figures = {
            int(k): Figure(
                counts[int(k)], "d", size=SMALL, align="left" if self._lying else "center"
            )
            for k in np.flatnonzero(counts.array)
        }
        self.add(self.path, *self._figures.values())

    def fall(self, **options: Any) -> Drive:
        """Let the dots fall one after another, in the order in which they were drawn."""

        def show(share: NDArray[np.float64]) -> None:
            self._come = in_turn(float(share), len(self._places), _FALL)
            self.redraw()

        return Drive(self, show, 0.0, 1.0, **options)

    def draw(self, _: NDArray[np.float64]) -> None:
        """Draw the dots as far as they have come from the far end of the chart."""
        along, across = self._axes
        n = len(self._places)
        goal, start = along.at((self._under + 0.5) / n), float(along.at(along.scaling.high))
        reach, side = start + (goal - start) * self._come**2, across.at(self._places)
        x, y = (reach, side) if self._lying else (side, reach)
        step = abs(float(along.at(1 / n) - along.at(0.0)))
        radius = 0.46 * min(step, 0.8 * across.pitch)
        middles = np.stack([x, y, np.zeros(n)], axis=1)[self._come > 0]
        self.path.set_points((middles[:, None] + radius * _DOT).reshape(-1, 3))
        self._count()

    def _count(self) -> None:
        """Write how many lie on each pile, at its end."""
        along, across = self._axes
        for k, figure in self._figures.items():
            end = float(along.at(self.state[k])) + _GAP
            side = float(across.at(k)) - CAP_HEIGHT / 2 * figure.number.em * self._lying
            figure.put(np.array([end, side, 0.0] if self._lying else [side, end, 0.0]))
            figure.number.set_fill(opacity=float((self._come >= 1).all()))

    @property
    def _lying(self) -> bool:
        return bool(self.chart.y.scaling.names)

    @property
    def _axes(self) -> tuple[Any, Any]:
        """The axis that dots pile up along, and the one that words stand on."""
        return (self.chart.x, self.chart.y) if self._lying else (self.chart.y, self.chart.x)

    def readings(self) -> Iterator[Reading]:
        """How far the dots of each word reach, and how many of them there are."""
        if not self.chart.placed or not is_visible(self.path) or (self._come < 1).any():
            return
        along, across = self._axes
        dots = self.path.points.reshape(-1, len(_DOT), 3)
        middles = (dots.min(axis=1) + dots.max(axis=1)) / 2
        i, j = (0, 1) if self._lying else (1, 0)
        slots, n = np.rint(across.read(middles[:, j])).astype(int), len(self._places)
        for k in range(len(self.shown.content)):
            ends = along.read(middles[slots == k, i]) + 0.5 / n
            yield Reading(self.shown[k], float(ends.max(initial=0.0)), 0.1 / n)
            yield Reading(self.shown[k], len(ends) / n)
        for figure in self._figures.values():
            if is_visible(figure.number):
                slot = round(float(across.read(figure.number.get_center()[j])))
                yield Reading(self._counts[slot], figure.number.value)
