"""Charts: two axes, and marks that are drawn over them.

A chart only maps values to points. What is drawn on it (`Bars`, `Stacks`, `Trace`, `Dots`, `Rule`)
is a picture with its own value, made for the chart and drawn once the chart is placed.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from manim import VGroup
from numpy.typing import ArrayLike, NDArray

from clockhead.scenes.parts.axis import Axis
from clockhead.scenes.parts.paths import points_at
from clockhead.scenes.parts.scale import Scale
from clockhead.scenes.stage import Picture, Size, Value
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.shape import Shapes
from clockhead.scenes.style.type import SMALL

_SIDE = 0.25
_ROOM = 0.1


class Chart(Shapes):
    """The axes of a chart. Pass the chart to a stage's `fit`; its marks are placed with it.

    The line from which bars grow passes through zero if the scale has negative values.
    """

    def __init__(
        self,
        x: Scale,
        y: Scale,
        *,
        size: float = SMALL,
        least: tuple[float, float] = (1.5, 1.2),
        most: tuple[float, float] = (math.inf, math.inf),
    ) -> None:
        super().__init__()
        self.x, self.y = Axis(x, "bottom", size=size), Axis(y, "left", size=size)
        self.marks: list[Mark] = []
        self.area = Region(0.0, 0.0, 0.0, 0.0)
        self._least, self._most = least, most
        self.add(self.x, self.y)

    @property
    def placed(self) -> bool:
        """Whether it has a position yet."""
        return self.x.placed

    @property
    def least(self) -> Size:
        """Size at which no words touch and each mark has the room that it needs."""
        left, bottom, right, top = self._margins
        wide = max([self._least[0], self.x.least, *(m.least_area.width for m in self.marks)])
        high = max([self._least[1], self.y.least, *(m.least_area.height for m in self.marks)])
        return Size(left + wide + right, bottom + high + top)

    @property
    def most(self) -> Size:
        least = self.least
        return Size(max(least.width, self._most[0]), max(least.height, self._most[1]))

    def place(self, region: Region) -> None:
        """Draw the chart, with its numbers and names, into a region."""
        left, bottom, right, top = self._margins
        most = self.most
        region = region.inset(
            max(0.0, (region.width - most.width) / 2), max(0.0, (region.height - most.height) / 2)
        )
        self.place_area(
            Region(
                region.left + left, region.bottom + bottom, region.right - right, region.top - top
            )
        )

    def place_area(self, area: Region) -> None:
        """Draw the chart so that the marks have exactly this area; words are outside it."""
        self.area = area
        self._place_axes()
        for mark in self.marks:
            mark.redraw()

    def at(self, x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        """The points of values: (N,) and (N,) to (N, 3)."""
        return points_at(self.x.at(x), self.y.at(y))

    def rescale(self, *, x: Scale | None = None, y: Scale | None = None, **options: Any) -> Drive:
        """Animate the axes to other scales; the marks keep their values."""
        start = (self.x.scaling, self.y.scaling)
        end = (x or start[0], y or start[1])

        def show(share: NDArray[np.float64]) -> None:
            if not self.placed:
                return
            for axis, old, new in zip((self.x, self.y), start, end, strict=True):
                axis.rescale(
                    old.towards(new, float(share)), _tick_opacities(old, new, float(share))
                )
            self._place_axes()
            for mark in self.marks:
                mark.redraw()

        return Drive(VGroup(self, *self.marks), show, 0.0, 1.0, **options)

    @property
    def _margins(self) -> tuple[float, float, float, float]:
        """Room for words around the area, in units: left, bottom, right, top."""
        side = max(_SIDE, self.x.overhang) if self.x.scaling.ticks else _ROOM
        right = max([side, *(m.beside for m in self.marks)])
        top = max([_ROOM, self.y.headroom, *(m.headroom for m in self.marks)])
        return self.y.thickness, self.x.thickness, right, top

    def _place_axes(self) -> None:
        """Draw both axes at the area; the line from which bars grow passes through zero."""
        area = self.area
        self.y.stand(*_line(area.left, area.bottom, area.left, area.top))
        self.x.stand(*_line(area.left, area.bottom, area.right, area.bottom))
        floor, wall = area.bottom, area.left
        if self.y.scaling.names:
            wall = _zero(self.x, wall)
        else:
            floor = _zero(self.y, floor)
        self.x.stand(*_line(area.left, floor, area.right, floor), floor - area.bottom)
        self.y.stand(*_line(wall, area.bottom, wall, area.top), wall - area.left)


class Mark(Picture):
    """A picture of a value over a chart, drawn once the chart is placed."""

    headroom = 0.0
    """Room that it needs above the area of the chart, in units."""
    beside = 0.0
    """Room that it needs to the right of the area, in units."""
    least_area = Size(0.0, 0.0)
    """The smallest area in which it is legible."""

    def __init__(self, value: Value, chart: Chart) -> None:
        super().__init__(value)
        self.chart = chart
        chart.marks.append(self)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw these numbers if the chart has been placed."""
        if self.chart.placed:
            self.draw(state)

    def draw(self, state: NDArray[np.float64]) -> None:
        """Draw these numbers on a chart that has been placed."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Draw the same numbers again, because the chart has changed."""
        self.show(self.state)


def _line(x0: float, y0: float, x1: float, y1: float) -> tuple[NDArray[Any], NDArray[Any]]:
    return points_at(x0, y0), points_at(x1, y1)


def _zero(axis: Axis, otherwise: float) -> float:
    """The coordinate of zero if it is inside the scale, else `otherwise`."""
    low, high = sorted((axis.scaling.low, axis.scaling.high))
    return float(axis.at(0.0)) if not axis.scaling.log and low < 0 < high else otherwise


def _tick_opacities(old: Scale, new: Scale, share: float) -> dict[float, float]:
    """The opacity of the ticks that only one of two scales has."""
    going = {v: 1 - share for v in old.ticks if v not in new.ticks}
    return going | {v: share for v in new.ticks if v not in old.ticks}
