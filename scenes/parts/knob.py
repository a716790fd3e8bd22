"""A knob: a logarithmic dial with a pointer at a number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import TAU, VGroup
from numpy.typing import ArrayLike, NDArray

from clockhead.scenes.parts.axis import center_digits, digits_middle, scale_number
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.paths import discs, straight
from clockhead.scenes.parts.scale import Scale, decades, piecewise
from clockhead.scenes.stage import Passage, Picture, Reading, Size, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.text import Tick
from clockhead.scenes.style.theme import Role, theme
from clockhead.scenes.style.type import LABEL, SMALL

_SWEEP = 0.75 * TAU
"""Angle from the lowest to the highest value; the gap is at six o'clock."""
_STEPS = 96
_MARK = 0.09
_GAP = 0.07
_LEAST_RADIUS, _MOST_RADIUS = 0.55, 0.8
_NUMBER = 0.34
"""Height reserved for the value below the dial and its numbers, in units."""
_ARC_STEPS = 48


class Knob(Picture):
    """A dial from `low` to `high` with a tick at each power of ten, and a pointer at the value.

    The low end is at half past seven, the high end at half past four. `spec` writes the value, with
    `prefix`, below the dial; without it only the pointer shows it. `largest` is the largest radius,
    in units.
    """

    def __init__(
        self,
        value: Value,
        low: float,
        high: float,
        *,
        spec: str | None = None,
        prefix: str = "α = ",
        role: Role = "attention",
        largest: float = _MOST_RADIUS,
    ) -> None:
        super().__init__(value)
        look = theme()
        self._largest = largest
        self.scaling = Scale(low, high, decades(low, high), log=True)
        self.radius = 0.0
        self.middle = np.zeros(3)
        self.face = Shape(stroke_color=look.muted, stroke_width=2, fill_color=look.panel)
        self.face.set_fill(opacity=1)
        self.arc = Shape(stroke_color=look.muted, stroke_width=2)
        self.marks = Shape(stroke_color=look.muted, stroke_width=2)
        self.pointer = Shape(stroke_color=look.text_color(role), stroke_width=6)
        self._numbers = [Tick(v, "", size=SMALL, color="muted", unit=None, align="center")
                         for v in self.scaling.ticks]  # fmt: skip
        self.ticks = VGroup()
        self._standing: list[Tick] = []
        self.figure = None
        if spec is not None:
            self.figure = Figure(value, spec, size=LABEL, prefix=prefix)
        self.add(self.face, self.arc, self.marks, self.ticks, self.pointer)

    # Size and position

    def _size(self, radius: float) -> Size:
        wide = max((n.width for n in self._numbers), default=0.0)
        rim = radius + _MARK + _GAP
        ends = rim * np.cos(TAU / 8) + SMALL * PX
        bottom = ends + _NUMBER if self.figure is not None else max(ends, radius)
        return Size(2 * (rim + wide), rim + SMALL * PX + bottom)

    @property
    def least(self) -> Size:
        return self._size(_LEAST_RADIUS)

    @property
    def most(self) -> Size:
        return self._size(self._largest)

    def place(self, region: Region) -> None:
        """Draw it in the middle of a region, as large as fits."""
        least = self.least
        room = min((region.width - least.width) / 2, (region.height - least.height) / 2)
        self.stand(region.center, float(np.clip(_LEAST_RADIUS + room, 0.3, self._largest)))
        low, high = self.get_bottom()[1], self.get_top()[1]
        self.stand(region.center + np.array([0, region.center[1] - (low + high) / 2, 0]),
                   self.radius)  # fmt: skip

    def stand(self, center: NDArray[np.float64], radius: float) -> None:
        """Draw it around a point."""
        self.middle, self.radius = np.asarray(center, dtype=float), radius
        self.face.set_points(discs(self.middle[None], 0.82 * radius))
        angles = np.linspace(-_SWEEP / 2, _SWEEP / 2, _ARC_STEPS)
        self.arc.set_points_as_corners(self._around(angles, radius))
        at = self.angles_of(self.scaling.ticks)
        self.marks.set_points(straight(self._around(at, radius), self._around(at, radius + _MARK)))
        self._hang_ticks(at)
        if self.figure is not None and self.figure not in self.submobjects:
            self.add(self.figure)
        self.show(self.state)

    def _hang_ticks(self, angles: NDArray[np.float64]) -> None:
        """Place the numbers around the dial; every second one, or fewer, where they would touch."""
        step = self.radius * _SWEEP / max(1, len(angles) - 1)
        every = max(1, int(np.ceil(1.25 * SMALL * PX / max(step, 1e-9))))
        self.ticks.remove(*self.ticks)
        self._standing = []
        for tick, angle in list(zip(self._numbers, angles, strict=True))[::every]:
            way = np.array([np.sin(angle), np.cos(angle), 0.0])
            reach = abs(way[0]) * tick.width / 2 + abs(way[1]) * SMALL * PX / 3
            center_digits(tick, self.middle + way * (self.radius + _MARK + _GAP + reach))
            self._standing.append(tick)
        self.ticks.add(*self._standing)

    def angles_of(self, values: ArrayLike) -> NDArray[np.float64]:
        """The angles of values, clockwise from twelve o'clock, in radians."""
        ends = [-_SWEEP / 2, _SWEEP / 2]
        return piecewise(self.scaling.even(values), self.scaling.knots, ends)

    def _around(self, angles: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
        ways = np.stack([np.sin(angles), np.cos(angles), np.zeros_like(angles)], axis=-1)
        return self.middle + radius * ways

    # Drawing and motion

    def show(self, state: NDArray[np.float64]) -> None:
        """Turn the pointer to a value."""
        if not self.radius:
            return
        angle = self.angles_of(state)[None]
        inner, outer = self._around(angle, 0.15 * self.radius), self._around(angle, self.radius)
        self.pointer.set_points(straight(inner, outer))
        if self.figure is not None:
            self.figure.shown = self.shown
            self.figure.show(state)
            lowest = min((t.get_bottom()[1] for t in self._standing), default=self.middle[1])
            foot = min(lowest, self.middle[1] - self.radius)
            self.figure.put(np.array([self.middle[0], foot - _NUMBER + 0.12, 0.0]))

    def to(self, value: Value, **options: Any) -> Passage:
        """Turn to another value at a constant rate in the logarithm."""
        states = np.geomspace(self.state, value.array, _STEPS)
        return Passage(self, value, states, **options)

    # Readings

    def read(self, point: NDArray[np.float64]) -> float:
        """The value at the direction of a point, measured on the arc as it is drawn."""
        center = self.face.get_center()
        points = (self.arc.points[0], self.arc.points[-1], point)
        ways = np.array(points) - center
        first, last, angle = np.arctan2(ways[:, 0], ways[:, 1])  # from twelve o'clock
        evened = piecewise(angle, [first, last], self.scaling.knots)
        return float(self.scaling.uneven(evened))

    def readings(self) -> Iterator[Reading]:
        """The value that the pointer points to, and the position of each power of ten."""
        if not self.radius or not is_visible(self.pointer):
            return
        says = self.read(self.pointer.points[-1])
        yield Reading(self.shown, says, self.scaling.within(says))
        for tick in self._standing:
            if not is_visible(tick):
                continue
            place = self.read(digits_middle(tick))
            yield Reading(scale_number(tick), place, self.scaling.within(tick.value))
