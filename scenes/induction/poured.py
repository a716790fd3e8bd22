"""Shares of attention that leave their bars and gather at one place: what a head puts into out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.chart import Chart, Mark
from clockhead.scenes.parts.paths import rectangles
from clockhead.scenes.stage import Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.theme import mix, theme

_WIDTH = 0.72


class Poured(Mark):
    """Copies of the bars of `shares` (T,), which pile up in `order` at the slot `goal`.

    Together they reach from zero as far as their sum.
    """

    def __init__(self, shares: Value, chart: Chart, goal: int, order: list[int]) -> None:
        super().__init__(shares, chart)
        self._lying, self._gone = bool(chart.y.scaling.names), 0.0
        self._starts = np.array(order, dtype=float)
        self._order, self._goal = order, goal
        seam = theme().ground
        self.pile = VMobject(fill_opacity=1, stroke_color=seam, stroke_width=1.5)
        self.add(self.pile)

    def pour(self, **options: Any) -> Drive:
        """Let the copies leave their bars and pile up."""

        def show(share: NDArray[np.float64]) -> None:
            self._gone = float(share)
            self.redraw()

        return Drive(self, show, 0.0, 1.0, **options)

    def draw(self, state: NDArray[np.float64]) -> None:
        """Draw each copy as far on its way as all have come."""
        x, y, look = self.chart.x, self.chart.y, theme()
        along, across = (x, y) if self._lying else (y, x)
        shares = state[self._order]
        feet = (shares.cumsum() - shares) * self._gone
        low, high = along.at(feet), along.at(feet + shares)
        middle = across.at(self._starts + (self._goal - self._starts) * self._gone)
        sides = middle - _WIDTH / 2 * across.pitch, middle + _WIDTH / 2 * across.pitch
        if self._lying:
            self.pile.set_points(rectangles(low, sides[0], high, sides[1]))
        else:
            self.pile.set_points(rectangles(sides[0], low, sides[1], high))
        self.pile.set_fill(mix(look.attention, look.value, min(1.0, 2 * self._gone)))

    def readings(self) -> Iterator[Reading]:
        """How long each piece is; once piled up, where it begins: at the sum of those before it."""
        if not self.chart.placed or not is_visible(self.pile):
            return
        i, along = (0, self.chart.x) if self._lying else (1, self.chart.y)
        foot = 0.0
        for k, corners in zip(self._order, self.pile.points.reshape(-1, 16, 3), strict=True):
            low, high = (float(along.read(edge(corners[:, i]))) for edge in (np.min, np.max))
            within = along.scaling.within(high)
            yield Reading(self.shown[k], high - low, within)
            if self._gone == 1 and abs(low - foot) > within:
                yield Reading(self.shown[k], f"a share that begins at {low:.3f}")
            foot = high
