"""Polylines on a chart, and the area between a line and a step function."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import Circle, VMobject, linear
from numpy.typing import NDArray

from clockhead.model.networks.step_function import StepFunction
from clockhead.scenes.parts.chart import Chart, Mark
from clockhead.scenes.parts.curves import Trace
from clockhead.scenes.parts.paths import closed, straight
from clockhead.scenes.stage import Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.theme import Role, theme

_PIECE, _SIDES = 4, 16
"""Number of Bezier points of a straight piece, and of a quadrilateral."""
_HAIR, _DOT = 1e-9, 0.11
"""Tolerance for rounding errors, and radius of a dot, in units."""
LINE, _FILL = 5.0, 0.75
"""Stroke width of the neurons' line, in pixels, and opacity of an area."""
_AREA = 0.01
"""Relative tolerance of the drawn area."""


class CornerLine(Mark):
    """A polyline with corners (K, 2), x and y of each, from left to right.

    Parts above or below the chart are cut off. `drawn` is the fraction of its length to draw.
    """

    def __init__(
        self,
        value: Value,
        chart: Chart,
        role: Role = "value",
        *,
        stroke: float = LINE,
        opacity: float = 1.0,
        drawn: float = 1.0,
    ) -> None:
        super().__init__(value, chart)
        self.drawn = drawn
        self._pieces: NDArray[np.intp] = np.zeros(0, dtype=np.intp)
        color = theme().text_color(role)
        self.path = VMobject(stroke_color=color, stroke_width=stroke, stroke_opacity=opacity)
        self.add(self.path)

    def draw(self, state: NDArray[np.float64]) -> None:
        """Draw the pieces between corners (K, 2) that are within the chart."""
        low, high = self.chart.y.scaling.low, self.chart.y.scaling.high
        starts, ends = state[:-1], state[1:]
        rise = ends[:, 1] - starts[:, 1]
        flat = np.abs(rise) < _HAIR
        slope = np.where(flat, 1.0, rise)
        shares = np.sort([(low - starts[:, 1]) / slope, (high - starts[:, 1]) / slope], axis=0)
        inside = (starts[:, 1] >= low - _HAIR) & (starts[:, 1] <= high + _HAIR)
        first = np.where(flat, np.where(inside, 0.0, 2.0), np.clip(shares[0], 0.0, 2.0))
        last = np.where(flat, 1.0, np.clip(shares[1], -1.0, 1.0))
        self._pieces = np.flatnonzero(last - first > _HAIR)
        way = (ends - starts)[self._pieces]
        begin = starts[self._pieces] + first[self._pieces, None] * way
        end = starts[self._pieces] + last[self._pieces, None] * way
        self._stroke(self.chart.at(*begin.T), self.chart.at(*end.T))

    def _stroke(self, begin: NDArray[np.float64], end: NDArray[np.float64]) -> None:
        """Draw pieces from (P, 3) to (P, 3), up to the fraction `drawn` of the whole length."""
        lengths = np.linalg.norm(end - begin, axis=1)
        before = np.concatenate([[0.0], np.cumsum(lengths)])
        reach = np.clip((self.drawn * before[-1] - before[:-1]) / np.maximum(lengths, _HAIR), 0, 1)
        self._pieces, seen = self._pieces[reach > 0], reach > 0
        tips = np.where(reach[:, None] >= 1, end, begin + reach[:, None] * (end - begin))
        self.path.set_points(straight(begin[seen], tips[seen]))

    def draw_to(self, share: float = 1.0, **options: Any) -> Drive:
        """Animate drawing up to a fraction of the line's length."""
        return self.drive("drawn", self.drawn, share, **{"rate_func": linear} | options)

    def readings(self) -> Iterator[Reading]:
        """Both ends of every piece; a piece that is cut off is extended to its corner."""
        if not self.chart.placed or self.drawn < 1 or not is_visible(self.path):
            return
        x, y = self.chart.x, self.chart.y
        low, high = y.scaling.low, y.scaling.high
        pieces = self.path.points.reshape(-1, _PIECE, 3)
        for k, piece in zip(self._pieces.tolist(), pieces, strict=True):
            ends = np.column_stack([x.read(piece[[0, -1], 0]), y.read(piece[[0, -1], 1])])
            for i, (at, up) in zip((k, k + 1), ends, strict=True):
                place, height = self.state[i]
                within = y.scaling.within(float(height))
                if low - _HAIR <= height <= high + _HAIR:
                    yield Reading(self.shown[i, 0], float(at), x.scaling.within(float(place)))
                elif np.ptp(ends[:, 0]) > x.scaling.within(float(place)):
                    (x0, y0), (x1, y1) = ends
                    up = y0 + (place - x0) * (y1 - y0) / (x1 - x0)
                    within *= 1 + abs(place - x0) / abs(x1 - x0)
                yield Reading(self.shown[i, 1], float(up), 10 * within)


class ErrorArea(Mark):
    """The area between a step function and a line; the value is its size.

    If both are animated together, the line's animation has to be listed first.
    """

    def __init__(
        self, value: Value, chart: Chart, steps: StepFunction, line: CornerLine | Trace
    ) -> None:
        super().__init__(value, chart)
        self._steps, self._line = steps, line
        self.path = VMobject(stroke_width=0, fill_color=theme().wrong, fill_opacity=_FILL)
        self.add(self.path)

    def draw(self, state: NDArray[np.float64]) -> None:
        """Fill the area between the line as it is drawn and the step function."""
        line = self._line
        at, up = line.state.T if isinstance(line, CornerLine) else (line.x, line.state)
        x = np.union1d(at, self._steps.jumps)
        y = np.interp(x, at, up)
        level = self._steps.at((x[1:] + x[:-1]) / 2)
        off = np.maximum(np.abs(y[1:] - level), np.abs(y[:-1] - level))
        seen = off > 1e-6 * abs(self.chart.y.scaling.high - self.chart.y.scaling.low)
        across = np.stack([x[:-1], x[1:], x[1:], x[:-1]], axis=1)[seen]  # (Q, 4)
        high = np.stack([level, level, y[1:], y[:-1]], axis=1)[seen]
        self.path.set_points(closed(self.chart.at(across, high)).reshape(-1, 3))

    def readings(self) -> Iterator[Reading]:
        """The size of the filled area."""
        if not self.chart.placed or not is_visible(self.path):
            return
        points = self.path.points.reshape(-1, _SIDES, 3)[:, ::_PIECE]  # (Q, 4, 3)
        x, y = self.chart.x.read(points[..., 0]), self.chart.y.read(points[..., 1])
        turned = x * np.roll(y, -1, axis=1) - np.roll(x, -1, axis=1) * y
        area = float(np.abs(turned.sum(axis=1)).sum() / 2)
        yield Reading(self.shown, area, _AREA * float(self.state))


class CurvePoint(Mark):
    """A dot on a chart at a point (2,), which can move through points (F, 2)."""

    def __init__(self, value: Value, chart: Chart) -> None:
        super().__init__(value, chart)
        look = theme()
        self.path = VMobject(stroke_color=look.ground, stroke_width=1.5)
        self.path.set_fill(look.attention, 1)
        self._flies = False
        self.add(self.path)

    def draw(self, state: NDArray[np.float64]) -> None:
        """Draw the dot at a point (2,)."""
        self.path.set_points(self.chart.at(*state) + Circle(radius=_DOT).points)

    def fly_from(self, start: NDArray[np.float64], **options: Any) -> Drive:
        """Fly from another place, (3,), to the dot's point on the chart."""

        def show(share: NDArray[np.float64]) -> None:
            self._flies = float(share) < 1
            self.redraw()
            self.path.shift((1 - float(share)) * (start - self.path.get_center()))

        return Drive(self, show, 0.0, 1.0, **options)

    def readings(self) -> Iterator[Reading]:
        """The position of the dot on both axes."""
        if not self.chart.placed or self._flies:
            return
        points = self.path.points
        at = (points.min(axis=0) + points.max(axis=0)) / 2
        for k, axis in enumerate((self.chart.x, self.chart.y)):
            says = float(axis.read(at[k]))
            yield Reading(self.shown[k], says, axis.scaling.within(says))
