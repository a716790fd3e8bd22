"""Bars that lie down end to end: shares of one long bar."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.paths import rectangles
from clockhead.scenes.stage import Picture, Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.theme import Role, theme


class Laid(Picture):
    """Shares (n,) that make up one bar, which fills a region; `bars` of the same parts become it.

    The parts that `lead` lie first and have a colour of their own.
    """

    def __init__(
        self, shares: Value, bars: Bars, lead: list[int], region: Region, role: Role
    ) -> None:
        super().__init__(shares)
        self._bars, self._lead, self._region, self._gone = bars, lead, region, 0.0
        self._others = [k for k in range(len(shares)) if k not in lead]
        page = theme()
        self.others = Shape(stroke_color=page.ground, stroke_width=2, fill_opacity=1)
        self.others.set_fill(page.muted, 1)
        self.part = Shape(stroke_color=page.ground, stroke_width=2, fill_opacity=1)
        self.part.set_fill(getattr(page, role), 1)
        self.add(self.others, self.part)

    def lie_down(self, **options: Any) -> Drive:
        """Let the bars, which stand now, lie down one after the other."""
        self._starts = self._bars.boxes

        def show(share: NDArray[np.float64]) -> None:
            self._gone = float(share)
            self.show(self.state)

        return Drive(self, show, 0.0, 1.0, **options)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the parts, as far as they have come."""
        ends = self._boxes(state)
        boxes = self._starts + (ends - self._starts) * self._gone
        self.others.set_points(rectangles(*boxes[self._others].T))
        self.part.set_points(rectangles(*boxes[self._lead].T))

    def readings(self) -> Iterator[Reading]:
        """How long each part is."""
        if self._gone < 1 or not is_visible(self.part):
            return
        for shape, places in ((self.part, self._lead), (self.others, self._others)):
            for k, corners in zip(places, shape.points.reshape(-1, 16, 3), strict=True):
                yield Reading(self.shown[k], float(np.ptp(corners[:, 0])) / self._region.width)

    def _boxes(self, state: NDArray[np.float64]) -> NDArray[np.float64]:
        """Left, bottom, right and top of each part where it lies; the one that leads first."""
        order = [*self._lead, *self._others]
        ends = self._region.left + self._region.width * np.cumsum(state[order])
        boxes = np.zeros((len(state), 4))
        boxes[order, 0] = np.concatenate([[self._region.left], ends[:-1]])
        boxes[order, 2] = ends
        boxes[:, 1], boxes[:, 3] = self._region.bottom, self._region.top
        return boxes
