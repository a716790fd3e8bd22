"""An axis of a chart: a line, ticks with numbers, and the names of slots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from manim import VGroup
from numpy.typing import ArrayLike, NDArray

from clockhead.scenes.parts.paths import straight
from clockhead.scenes.parts.scale import Scale, piecewise
from clockhead.scenes.stage import Picture, Reading, Value
from clockhead.scenes.stage.shown import Passing, is_visible
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.text import Label, Tick, text_width
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import CAP_HEIGHT, SMALL

Side = Literal["bottom", "left"]
FOOT = 0.35
"""Length of the compressed part below an axis break, in units."""
_MARK = 0.09
_GAP = 0.08
_LINE = 1.5
_CLEAR = 0.3
"""Distance, in units, that a fading number must keep from a fixed one to be fully visible."""


class Axis(Picture):
    """An axis along the bottom or the left side of a chart.

    The line and the numbers are muted. `at` gives the coordinates of values along the axis, and
    `read` the values of coordinates, measured on the line as it is drawn.
    """

    def __init__(self, scale: Scale, side: Side, *, size: float = SMALL) -> None:
        content = (scale.low, scale.high)
        named = scale.names if isinstance(scale.names, Value) else Value(scale.name, content)
        super().__init__(named)
        self.scaling, self.side, self._size = scale, side, size
        self._along = 0 if side == "bottom" else 1
        muted = theme().muted
        opacity = 1.0 if scale.line else 0.0
        self.line = Shape(stroke_color=muted, stroke_width=2, stroke_opacity=opacity)
        self.marks = Shape(stroke_color=muted, stroke_width=2)
        self.ticks, self.labels, self.heading = VGroup(), VGroup(), VGroup()
        self._numbers: dict[float, Tick] = {}
        self._names: list[Label] = []
        self._ends: NDArray[np.float64] | None = None  # (2, 3)
        self._drop = 0.0
        self._fading: dict[float, float] = {}
        self.add(self.line, self.marks, self.ticks, self.labels, self.heading)

    # Room it needs

    @property
    def thickness(self) -> float:
        """Room for numbers and names beside the line, in units."""
        high = self._size * PX
        if self.side == "bottom":
            rows = bool(self.scaling.ticks or self.scaling.names) + bool(self.scaling.name)
            return rows * _LINE * high + (_GAP if rows else 0.0)
        words = [text_width(t, self._size) for t in self.scaling.texts]
        widths = [self._number(v).width for v in self.scaling.ticks] + words
        return max(widths) + _MARK + 2 * _GAP if widths else 0.0

    @property
    def headroom(self) -> float:
        """Room beyond the end of the line, in units: for the name of a vertical axis."""
        return self._size * PX * _LINE if self.side == "left" and self.scaling.name else 0.0

    @property
    def overhang(self) -> float:
        """Width by which the last number of a horizontal axis overhangs its end, in units."""
        scale = self.scaling
        return max((self._number(v).width / 2 for v in scale.ticks if v == scale.high), default=0.0)

    @property
    def least(self) -> float:
        """The shortest length at which none of its words touch, in units."""
        scale, em = self.scaling, self._size * PX
        upright = self.side == "left"
        pitch = [em * 1.2 if upright else text_width(t, self._size) + 0.12
                 for t in scale.texts]  # fmt: skip
        ticks = [em * 1.2 if upright else self._number(v).width + 0.15 for v in scale.ticks]
        return max(len(pitch) * max(pitch, default=0.0), sum(ticks), 1.0)

    # Position

    def stand(
        self, start: NDArray[np.float64], end: NDArray[np.float64], drop: float = 0.0
    ) -> None:
        """Draw it between two points; numbers and names are `drop` units further from the chart."""
        self._ends, self._drop = np.array([start, end], dtype=float), drop
        self._draw()

    @property
    def placed(self) -> bool:
        """Whether it has a position yet."""
        return self._ends is not None

    def at(self, values: ArrayLike) -> NDArray[np.float64]:
        """The coordinates of values along the axis; same shape as `values`."""
        if self._ends is None:
            return np.zeros(np.shape(values))
        start, end = self._ends[:, self._along]
        foot = start + self._foot * np.sign(end - start)
        places = [start, end] if self.scaling.broken is None else [start, foot, end]
        return piecewise(self.scaling.even(values), self.scaling.knots, places)

    def read(self, places: ArrayLike) -> NDArray[np.float64]:
        """The values at these coordinates, measured on the line as it is drawn."""
        points = self.line.points[:, self._along]
        drawn = [points[0], points[-1]] if len(points) == 4 else [points[0], points[-4], points[-1]]
        return self.scaling.uneven(piecewise(places, drawn, self.scaling.knots))

    @property
    def _foot(self) -> float:
        ends = self._ends if self._ends is not None else np.zeros((2, 3))
        return min(FOOT, 0.25 * float(np.abs(ends[1] - ends[0]).max()))

    @property
    def break_at(self) -> float | None:
        """The coordinate of the middle of the axis break."""
        if self.scaling.broken is None or self._ends is None:
            return None
        start, end = self._ends[:, self._along]
        return float(start + self._foot / 2 * np.sign(end - start))

    # Drawing

    def rescale(self, scale: Scale, fading: dict[float, float] | None = None) -> None:
        """Take another scale; `fading` gives the opacity of ticks that fade in or out."""
        self.scaling, self._fading = scale, fading or {}
        if self._ends is not None:
            self._draw()

    def _draw(self) -> None:
        self.line.set_points_as_corners(self._corners())
        standing = [v for v in self.scaling.ticks if self.scaling.holds(v)]
        self._draw_ticks(standing, self._fading)
        self._draw_labels()
        self._draw_heading()

    def _corners(self) -> NDArray[np.float64]:
        start, end = self._ends if self._ends is not None else np.zeros((2, 3))
        if self.scaling.broken is None:
            return np.array([start, end])
        way = (end - start) / np.linalg.norm(end - start)
        across = np.array([way[1], -way[0], 0.0]) * 0.09
        shares = [(0.25, 0), (0.4, 1), (0.6, -1), (0.75, 0), (1.0, 0)]
        bends = [start + way * self._foot * s + across * side for s, side in shares]
        return np.array([start, *bends, end])

    def _out(self, distance: float) -> NDArray[np.float64]:
        """A vector of this length that points away from the chart."""
        return np.array([0.0, -distance, 0.0] if self._along == 0 else [-distance, 0.0, 0.0])

    def _points(self, values: ArrayLike) -> NDArray[np.float64]:
        """The points of values (N,) on the line; (N, 3)."""
        places = self.at(values)
        points = np.zeros((len(places), 3))
        points[:] = 0.0 if self._ends is None else self._ends[0]
        points[:, self._along] = places
        return points

    def _number(self, value: float) -> Tick:
        if value not in self._numbers:
            align: Literal["center", "right"] = "center" if self.side == "bottom" else "right"
            spec, muted = self.scaling.spec, theme().muted
            tick = Tick(value, spec, size=self._size, color=muted, align=align, unit=None)
            self._numbers[value] = tick
        return self._numbers[value]

    def _draw_ticks(self, standing: list[float], fading: dict[float, float]) -> None:
        feet = self._points(standing)
        self.marks.set_points(straight(feet, feet + self._out(_MARK)))
        for value, foot in zip(standing, feet, strict=True):
            tick = self._number(value)
            self._hang(tick, foot)
            if tick not in self.ticks:
                self.ticks.add(tick)
        firm = [self._numbers[value] for value in standing if fading.get(value, 1.0) == 1]
        for value, tick in self._numbers.items():
            seen = fading.get(value, 1.0) if value in standing else 0.0
            if 0 < seen < 1:  # a number that fades is not drawn over one that stays
                gap = min((self._gap(tick, other) for other in firm), default=1.0)
                seen *= float(np.clip(gap / _CLEAR, 0.0, 1.0))
            tick.set_fill(opacity=seen)

    def _gap(self, one: Label, other: Label) -> float:
        """The gap between two numbers along the axis; negative where they overlap."""
        (low, high), (low_2, high_2) = (
            (points.min(), points.max())
            for points in (one.points[:, self._along], other.points[:, self._along])
        )
        return float(max(low - high_2, low_2 - high))

    def _hang(self, label: Label, foot: NDArray[np.float64]) -> None:
        """Place a number or name beside its point on the line."""
        if self.side == "bottom":
            down = self._drop + _MARK + _GAP + (CAP_HEIGHT + 0.05) * self._size * PX
            center_digits(label, foot + self._out(down - CAP_HEIGHT / 2 * self._size * PX))
        else:
            half = label.width / 2
            center_digits(label, foot + self._out(self._drop + _MARK + _GAP + half))

    def _draw_labels(self) -> None:
        if not self._names:
            align: Literal["center", "right"] = "center" if self.side == "bottom" else "right"
            self._names = [
                Label(t, size=self._size, color="ink", align=align) for t in self.scaling.texts
            ]
            self.labels.add(*self._names)
        for label, foot in zip(self._names, self._points(np.arange(len(self._names))), strict=True):
            self._hang(label, foot)

    @property
    def pitch(self) -> float:
        """Distance between neighbouring slots, in units."""
        return float(abs(self.at(1.0) - self.at(0.0)))

    def _draw_heading(self) -> None:
        if not self.scaling.name or self._ends is None:
            return
        if not len(self.heading):
            align: Literal["left", "right"] = "right" if self.side == "bottom" else "left"
            self.heading.add(Label(self.scaling.name, size=self._size, color="muted", align=align))
        high = self._size * PX
        if self.side == "bottom":
            right = self._ends[int(self._ends[1, 0] > self._ends[0, 0])]
            self.heading[0].put(right + self._out(self._drop + self.thickness - 0.25 * high))
        else:
            top = self._ends[int(self._ends[1, 1] > self._ends[0, 1])]
            self.heading[0].put(top + self._out(self._drop + _MARK) + np.array([0, 0.5 * high, 0]))

    # Readings

    @property
    def standing(self) -> list[Tick]:
        """The visible numbers."""
        return [tick for tick in self._numbers.values() if tick in self.ticks and is_visible(tick)]

    def readings(self) -> Iterator[Reading]:
        """The value at each number's position and at its tick mark, and the name at each slot."""
        if not self.placed:
            return
        standing = self.standing
        for tick, place in zip(standing, self._read_middles(standing), strict=True):
            yield Reading(scale_number(tick), place, self.scaling.within(tick.value))
        if standing and is_visible(self.marks):
            marks = self.read(self.marks.points[::4, self._along])
            for tick in standing:
                nearest = float(marks[np.abs(marks - tick.value).argmin()])
                yield Reading(scale_number(tick), nearest, self.scaling.within(tick.value))
        if isinstance(self.scaling.names, Value):
            seen = [label for label in self._names if is_visible(label)]
            for label, place in zip(seen, self._read_middles(seen), strict=True):
                if 0 <= (slot := round(place)) < len(self.scaling.names):
                    yield Reading(self.scaling.names[slot], label.text)

    def _read_middles(self, labels: Sequence[Label]) -> list[float]:
        """The values at the middles of labels, measured on the line as it is drawn."""
        middles = [digits_middle(label)[self._along] for label in labels]
        places: list[float] = self.read(middles).tolist()
        return places


def scale_number(tick: Tick) -> Passing:
    """A number on a scale, in the form that readings are compared with; no stage holds it."""
    value = Value("tick", tick.value)
    number = np.asarray(tick.value, dtype=float)
    return Passing(value, value, number, number, number)


def digits_middle(label: Label) -> NDArray[np.float64]:
    """The middle of a label's digits: half the height of a digit above the baseline."""
    return label.middle_at(CAP_HEIGHT / 2)


def center_digits(label: Label, point: NDArray[np.float64]) -> None:
    """Move a label so that the middle of its digits is at a point."""
    label.shift(point - digits_middle(label))
