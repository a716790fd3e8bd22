"""Curves, dots and rules over a chart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
from manim import VGroup, linear
from numpy.typing import ArrayLike, NDArray

from clockhead.scenes.parts.chart import Chart, Mark
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.paths import discs, middles, rectangles, straight
from clockhead.scenes.stage import Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.motion import Drive, along
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import Role, theme
from clockhead.scenes.style.type import SMALL

_GAP = 0.1


class Trace(Mark):
    """A curve through values (S,) over `x` (S,), drawn up to the fraction `drawn` of its steps."""

    def __init__(
        self,
        value: Value,
        chart: Chart,
        *,
        x: Value | ArrayLike,
        role: Role = "attention",
        stroke: float = 4.0,
        drawn: float = 1.0,
    ) -> None:
        super().__init__(value, chart)
        self.x = x.array if isinstance(x, Value) else np.asarray(x, dtype=float)
        self.drawn = drawn
        self.path = Shape(stroke_color=theme().text_color(role), stroke_width=stroke)
        self.add(self.path)

    def draw(self, state: NDArray[np.float64]) -> None:
        """Draw the visible part of the curve."""
        points = self.chart.at(self.x, state)
        place = self.drawn * (len(points) - 1)
        whole = int(place)
        if place == 0:
            self.path.clear_points()
            return
        self.path.set_points_as_corners(
            np.vstack([points[: whole + 1], along(points, place)[None][: int(place > whole)]])
        )

    def draw_to(self, share: float = 1.0, **options: Any) -> Drive:
        """Draw the curve on, or back, to a fraction of its steps."""
        begin = [self.drawn]

        def show(way: NDArray[np.float64]) -> None:
            if way == 0:
                begin[0] = self.drawn
            self.drawn = share if way == 1 else begin[0] + (share - begin[0]) * float(way)
            self.redraw()

        return Drive(self, show, 0.0, 1.0, **{"rate_func": linear} | options)

    def readings(self) -> Iterator[Reading]:
        """Each corner of the curve: its height, for the value whose x is nearest."""
        if not self.chart.placed or not self.path.has_points() or not is_visible(self.path):
            return
        x, y = self.chart.x, self.chart.y
        whole = int(self.drawn * (len(self.x) - 1))
        corners = np.vstack([self.path.points[::4], self.path.points[-1:]])[: whole + 1]
        says, where = y.read(corners[:, 1]), x.scaling.even(x.read(corners[:, 0]))
        known = x.scaling.even(self.x)
        for value, place in zip(says, where, strict=True):
            k = int(np.abs(known - place).argmin())
            yield Reading(self.shown[k], float(value), y.scaling.within(float(value)))


class Dots(Mark):
    """Dots at values (n,) over `x` (n,), as one path; only those in `standing` are visible.

    `spec` writes each value beside its dot, on a plate that keeps curves away from it. Without a
    role the dots are hollow. If slots go down the left side, values extend to the right.
    """

    def __init__(
        self,
        value: Value,
        chart: Chart,
        *,
        x: Value | ArrayLike,
        role: Role | None = "attention",
        radius: float = 0.08,
        spec: str | None = None,
        size: float = SMALL,
        standing: Sequence[int] | None = None,
    ) -> None:
        super().__init__(value, chart)
        self.x = x.array if isinstance(x, Value) else np.asarray(x, dtype=float)
        self._across = x if isinstance(x, Value) else None
        self._radius = radius
        self._horizontal = bool(chart.y.scaling.names)
        n = len(self.x)
        self.standing = set(range(n) if standing is None else standing)
        if role is None:
            self.path = Shape(stroke_color=theme().ink, stroke_width=3.5)
        else:
            self.path = Shape(stroke_color=theme().ground, stroke_width=1.5)
            self.path.set_fill(theme().text_color(role), 1)
        self.plates = Shape(stroke_width=0, fill_color=theme().ground, fill_opacity=0.9)
        chosen = range(n) if spec is not None else range(0)
        self._figures = [Figure(value[k], spec or "", size=size) for k in chosen]
        self.add(self.plates, self.path, VGroup(*self._figures))

    def draw(self, state: NDArray[np.float64]) -> None:
        """Draw the visible dots."""
        points = self._points(state)
        self._dot(points[sorted(self.standing)])
        plates: list[NDArray[np.float64]] = []
        for k, figure in enumerate(self._figures):
            figure.shown = self.shown[k]
            figure.show(state[k])
            number = figure.number
            number.set_fill(opacity=float(k in self.standing))
            number.center_on(self._beside(points[k], number.width))
            if k in self.standing:
                plates.append(_plate(number))
        self.plates.set_points(np.concatenate(plates) if plates else np.zeros((0, 3)))

    def _points(self, state: NDArray[np.float64]) -> NDArray[np.float64]:
        """The points of values (n,); (n, 3)."""
        return self.chart.at(state, self.x) if self._horizontal else self.chart.at(self.x, state)

    def _dot(self, points: NDArray[np.float64]) -> None:
        """Draw dots on points (N, 3)."""
        self.path.set_points(discs(points, self._radius))

    def _beside(self, point: NDArray[np.float64], wide: float) -> NDArray[np.float64]:
        """The middle of the number of a dot, placed away from a rising curve.

        It is above the dot to the left, or, in the upper half of the chart, below it to the right.
        """
        area = self.chart.area
        down = 0.32 if point[1] > area.center[1] else -0.32
        half = wide / 2 + 0.05
        x = point[0] + np.sign(down) * (half + 0.05)
        x = np.clip(x, area.left + half + _GAP, area.right - half)
        return np.array([x, point[1] - down, 0.0])

    def appear(self, k: int | Sequence[int], **options: Any) -> Drive:
        """Show one or more dots, from the middle of the motion on."""
        chosen = {k} if isinstance(k, int) else set(k)

        def show(share: NDArray[np.float64]) -> None:
            if share > 0.5:
                self.standing |= chosen
                self.redraw()

        return Drive(self, show, 0.0, 1.0, **{"run_time": 0.4} | options)

    def readings(self) -> Iterator[Reading]:
        """The height of each dot over the nearest x, and that x."""
        if not self.chart.placed or not is_visible(self.path):
            return
        x, y = (self.chart.x, self.chart.y)[:: -1 if self._horizontal else 1]
        known = x.scaling.even(self.x)
        for middle in middles(self.path):
            across, up = middle[:2][:: -1 if self._horizontal else 1]
            says, place = float(y.read(up)), float(x.read(across))
            off = np.abs(known - x.scaling.even(place))
            near = np.flatnonzero(off <= off.min() + x.scaling.within(0.0))
            k = int(near[np.abs(self.state[near] - says).argmin()])
            yield Reading(self.shown[k], says, y.scaling.within(says))
            if self._across is not None:
                yield Reading(self._across[k], place, x.scaling.within(place))


class Rule(Mark):
    """A line across the chart at a value; vertical if the value is on the x axis.

    Its words are at its right end, or at the left one with `align="left"`. `spec` adds the value,
    and `suffix` its unit. `lift` raises the words above a horizontal line, to clear what is there.
    With `plated`, the words have an opaque plate, so that they can be read over bars.
    """

    lift = 0.0

    def __init__(
        self,
        value: Value,
        chart: Chart,
        words: str = "",
        *,
        role: Role | None = None,
        upright: bool = False,
        spec: str | None = None,
        suffix: str = "",
        align: Literal["left", "right"] = "right",
        size: float = SMALL,
        plated: bool = False,
    ) -> None:
        super().__init__(value, chart)
        look = theme()
        self.plated = plated
        self._align = align
        color = look.text_color(role) if role else look.muted
        self._upright = upright
        self.line = Shape(stroke_color=color, stroke_width=2)
        prefix = f"{words} " if words and spec is not None else words
        self.figure = Figure(
            value, spec, size=size, weight="regular", color=color, align=align, prefix=prefix,
            suffix=suffix
        ) if spec is not None else None  # fmt: skip
        self.label = Label(words, size=size, color=color, align=align)
        self.plate = Shape(stroke_width=0, fill_color=look.ground, fill_opacity=1)
        self.add(self.plate, self.line, self.label if self.figure is None else self.figure)

    def draw(self, state: NDArray[np.float64]) -> None:
        """Draw the line at this value."""
        area = self.chart.area
        if self._upright:
            x = float(self.chart.x.at(state))
            start, end = np.array([x, area.bottom, 0.0]), np.array([x, area.top, 0.0])
            at = end + np.array([_GAP if self._align == "left" else -_GAP, -0.2, 0.0])
        else:
            y = float(self.chart.y.at(state))
            start, end = np.array([area.left, y, 0.0]), np.array([area.right, y, 0.0])
            foot = start + np.array([_GAP, 0.0, 0.0]) if self._align == "left" else end
            at = foot + np.array([0.0, _GAP + self.lift, 0.0])
        self.line.set_points(straight(start[None], end[None]))
        if self.figure is None:
            self.label.put(at)
            return
        self.figure.shown = self.shown
        self.figure.show(state)
        self.figure.put(at)
        if self.plated:
            self.plate.set_points(_plate(self.figure.number))

    def readings(self) -> Iterator[Reading]:
        """The value at which the line crosses its axis."""
        if not self.chart.placed or not is_visible(self.line):
            return
        axis = self.chart.x if self._upright else self.chart.y
        says = float(axis.read(self.line.points[:, int(not self._upright)].mean()))
        yield Reading(self.shown, says, axis.scaling.within(says))


def _plate(number: Label) -> NDArray[np.float64]:
    """A rectangle slightly larger than a number."""
    x, y, _ = number.get_center()
    half, high = number.width / 2 + 0.05, number.height / 2 + 0.05
    return rectangles([x - half], [y - high], [x + half], [y + high])
