"""Attention as ribbons from the tokens that are attended to, to those that attend."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from manim import bezier
from numpy.typing import NDArray

from clockhead.scenes.parts.paths import line_ends, nearest, straight
from clockhead.scenes.stage import Picture, Reading, Size, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, in_turn
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.theme import Role, theme

Point = NDArray[np.float64]
Places = Callable[[int], Point]

HAIRLINE = 0.005
"""Ribbons of a smaller attention weight are drawn as thin lines."""
_BROAD = 0.4
"""The width of a ribbon of weight 1, in distances between neighbouring receivers."""
_MOST = 0.5
_REACH = 0.55
_EACH = 0.45
_NOTHING = np.zeros((0, 3))
_PIECES = 8
"""Number of curves in each side of a ribbon."""
_CURVES = 2 * _PIECES + 2


@dataclass(frozen=True)
class Ends:
    """Where ribbons begin and end, (T, 3) each; `width` is that of a weight of 1, if given."""

    sources: Point
    receivers: Point
    width: float | None = None

    @cached_property
    def unit(self) -> float:
        """The width of a ribbon of weight 1, in units."""
        if self.width is not None:
            return self.width
        steps = np.linalg.norm(np.diff(self.receivers, axis=0), axis=1)
        return min(_MOST, _BROAD * float(steps.min(initial=_MOST / _BROAD)))

    @cached_property
    def along(self) -> Point:
        """The direction in which values flow; a unit vector."""
        way = self.receivers.mean(axis=0) - self.sources.mean(axis=0)
        axis = int(abs(way[1]) > abs(way[0]))
        return np.asarray(np.eye(3)[axis] * np.sign(way[axis]))

    @cached_property
    def across(self) -> Point:
        """The direction in which tokens follow each other; a unit vector."""
        side = int(self.along[0] != 0)
        order = self.receivers[-1] - self.receivers[0]
        return np.asarray(np.eye(3)[side] * (-1 if order[side] < 0 else 1))

    def lane(self, m: int, n: int, state: NDArray[np.float64]) -> Point:
        """The middle line of a ribbon, (4, 3); ribbons are side by side at the receiver."""
        shares = state[m] * self.unit
        aside = shares[:n].sum() + shares[n] / 2 - shares.sum() / 2
        start, end = self.sources[n], self.receivers[m] + aside * self.across
        reach = _REACH * float(abs((end - start) @ self.along)) * self.along
        return np.array([start, start + reach, end - reach, end])


class Ribbons(Picture):
    """A ribbon for each weight of a pattern (T, T), from its column's token to its row's token.

    `sources(n)` and `receivers(m)` are the points where ribbons start and end. At a receiver they
    are side by side, and a weight of 1 is `width` units wide. A weight of 0 has no ribbon. With
    `giving`, only ribbons from these columns are drawn, and none with a weight below `least`.
    """

    def __init__(
        self,
        pattern: Value,
        sources: Places,
        receivers: Places,
        *,
        width: float | None = None,
        role: Role = "attention",
        giving: Sequence[int] | None = None,
        least: float = 0.0,
    ) -> None:
        super().__init__(pattern)
        self._least = least
        self._giving = range(len(pattern)) if giving is None else giving
        self._sources, self._receivers, self._width = sources, receivers, width
        ink, ground = str(getattr(theme(), role)), theme().ground
        self.rows = [
            Shape(stroke_color=ground, stroke_width=1, fill_color=ink, fill_opacity=1)
            for _ in range(len(pattern))
        ]
        """The ribbons that end at each receiver, as one path."""
        self.hairs = [Shape(stroke_color=ink, stroke_width=1) for _ in self.rows]
        self._growth = np.ones(len(self.rows))
        self._placed = False

    least = Size(0.0, 0.8)
    most = Size(float("inf"), float("inf"))

    def place(self, region: Region | None = None) -> None:
        """Draw ribbons between their points, wherever these are; the region is not needed."""
        self._placed = True
        self.add(*self.hairs, *self.rows)
        self.show(self.state)

    @property
    def ends(self) -> Ends:
        """The points between which ribbons run now."""
        sources, receivers = (
            np.array([places(k) for k in range(len(self.rows))])
            for places in (self._sources, self._receivers)
        )
        return Ends(sources, receivers, self._width)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw a pattern (T, T)."""
        if self._placed:
            self._draw(range(len(self.rows)), state)

    def draw_in(self, *rows: int, run_time: float = 1.2) -> Drive:
        """Grow the ribbons of these receivers (default: all), one receiver after another."""
        return self._grow(rows, 1.0, run_time)

    def unfold(self, cell: Callable[[int, int], Region], *, run_time: float = 2.4) -> Drive:
        """Stretch all ribbons out of the cells of a matrix, `cell(m, n)`.

        A ribbon begins as a stripe across its cell, as wide as the cell times its weight.
        """
        ends = self.ends
        inside = np.linspace(-0.5, 0.5, 4)[:, None] * ends.along

        def stripe(m: int, n: int) -> tuple[Point, float]:
            room = cell(m, n)
            size = np.array([room.width, room.height, 0.0])
            return room.center + inside * size, float(abs(ends.across @ size))

        state, count = self.state, len(self.rows)

        def whole(m: int, n: int) -> tuple[Point, float]:
            return ends.lane(m, n, state), ends.unit

        before, after = (
            [self._paths(m, state, lane) for m in range(count)] for lane in (stripe, whole)
        )

        def show(share: NDArray[np.float64]) -> None:
            part = float(share)
            self._growth[:] = float(part == 1)
            for row, hair, start, end in zip(self.rows, self.hairs, before, after, strict=True):
                for path, a, b in zip((row, hair), start, end, strict=True):
                    path.set_points(a + (b - a) * part)

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def draw_back(self, *rows: int, run_time: float = 0.8) -> Drive:
        """Shrink the ribbons of these receivers (default: all) back to their sources."""
        return self._grow(rows, 0.0, run_time)

    def hide(self, *rows: int) -> Ribbons:
        """Hide the ribbons of these receivers (default: all) until they are drawn in."""
        for m in rows or range(len(self.rows)):
            self._growth[m] = 0.0
        self.show(self.state)
        return self

    def at(self, m: int, n: int, share: float) -> Point:
        """The point at the fraction `share` of the way from source n to receiver m."""
        return np.array(bezier(self.ends.lane(m, n, self.state))(share))

    def readings(self) -> Iterator[Reading]:
        """The weight of each fully grown ribbon: its ends give the cell, its width the weight."""
        if not self._placed:
            return
        ends = self.ends
        for row, grown in zip(self.rows, self._growth, strict=True):
            if grown == 1 and is_visible(row):
                for start, end, breadth in bands(row.points):
                    meant = self.shown[nearest(ends.receivers, end), nearest(ends.sources, start)]
                    yield Reading(meant, breadth / ends.unit)
        for hair, grown in zip(self.hairs, self._growth, strict=True):
            if grown == 1 and is_visible(hair):
                for start, end in zip(*line_ends(hair.points), strict=True):
                    meant = self.shown[nearest(ends.receivers, end), nearest(ends.sources, start)]
                    yield Reading(meant, HAIRLINE / 2, HAIRLINE / 2)

    def _draw(self, rows: Sequence[int], state: NDArray[np.float64]) -> None:
        ends = self.ends
        for m in rows:
            grown = float(self._growth[m])

            def lane(m: int, n: int, grown: float = grown) -> tuple[Point, float]:
                return first_part(ends.lane(m, n, state), grown), ends.unit

            broad, hairs = self._paths(m, state, lane) if grown > 0 else (_NOTHING, _NOTHING)
            self.rows[m].set_points(broad)
            self.hairs[m].set_points(hairs)

    def _paths(
        self, m: int, state: NDArray[np.float64], lane: Callable[[int, int], tuple[Point, float]]
    ) -> tuple[Point, Point]:
        """The ribbons and the thin lines of a row, from lanes and the width of a weight of 1."""
        broad, hairs = [_NOTHING], [_NOTHING]
        for n in self._giving:
            if state[m, n] <= 0 or state[m, n] < self._least:
                continue
            path, unit = lane(m, n)
            if state[m, n] < HAIRLINE:
                hairs.append(path)
            else:
                broad.append(band(path, state[m, n] * unit))
        return np.concatenate(broad), np.concatenate(hairs)

    def _grow(self, rows: Sequence[int], end: float, run_time: float) -> Drive:
        chosen = list(rows or range(len(self.rows)))

        def show(share: NDArray[np.float64]) -> None:
            parts = in_turn(float(share), len(chosen), 1.0 if len(chosen) == 1 else _EACH)
            for m, part in zip(chosen, parts, strict=True):
                self._growth[m] = part if end else 1 - part
            if self._placed:
                self._draw(chosen, self.state)

        return Drive(self, show, 0.0, 1.0, run_time=run_time)


def first_part(lane: Point, grown: float) -> Point:
    """The first part of a cubic (4, 3), by de Casteljau's algorithm."""
    if grown >= 1:
        return lane
    a, b, c, d = lane
    ab, bc, cd = (p + (q - p) * grown for p, q in ((a, b), (b, c), (c, d)))
    abc, bcd = ab + (bc - ab) * grown, bc + (cd - bc) * grown
    return np.array([a, ab, abc, abc + (bcd - abc) * grown])


@dataclass(frozen=True, slots=True)
class _Side:
    """Points along one side of a ribbon, and the curve's derivative there; (pieces + 1, 3) each."""

    points: NDArray[np.float64]
    speed: NDArray[np.float64]

    def curves(self) -> NDArray[np.float64]:
        """Cubics through the points: (4 pieces, 3)."""
        step = self.speed / (3 * _PIECES)
        a, b = self.points[:-1], self.points[1:]
        return np.stack([a, a + step[:-1], b - step[1:], b], axis=1).reshape(-1, 3)

    def back(self) -> _Side:
        return _Side(self.points[::-1], -self.speed[::-1])


def band(lane: Point, breadth: float) -> NDArray[np.float64]:
    """A closed path of constant width around a cubic: up one side, across, down the other, back."""
    times = np.linspace(0, 1, _PIECES + 1)
    left, right = (_side(lane, times, way * breadth / 2) for way in (1.0, -1.0))
    tip = straight(left.points[-1:], right.points[-1:])
    foot = straight(right.points[:1], left.points[:1])
    return np.concatenate([left.curves(), tip, right.back().curves(), foot])


def _side(lane: Point, times: NDArray[np.float64], aside: float) -> _Side:
    tiny = 1e-4
    speed = (_offset(lane, times + tiny, aside) - _offset(lane, times - tiny, aside)) / (2 * tiny)
    return _Side(_offset(lane, times, aside), speed)


def _offset(lane: Point, times: NDArray[np.float64], aside: float) -> NDArray[np.float64]:
    """Points beside a cubic, at right angles to it."""
    t = times[:, None]
    steps = np.diff(lane, axis=0)
    middle = (
        (1 - t) ** 3 * lane[0]
        + 3 * (1 - t) ** 2 * t * lane[1]
        + 3 * (1 - t) * t**2 * lane[2]
        + t**3 * lane[3]
    )
    speed = (1 - t) ** 2 * steps[0] + 2 * (1 - t) * t * steps[1] + t**2 * steps[2]
    normal = np.column_stack([-speed[:, 1], speed[:, 0], np.zeros(len(times))])
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9)
    return np.asarray(middle + aside * normal)


def bands(points: NDArray[np.float64]) -> Iterator[tuple[Point, Point, float]]:
    """Start, end and width at the end of every band of a path, from its corners."""
    for path in points.reshape(-1, _CURVES, 4, 3):
        foot, tip = path[-1], path[_PIECES]
        breadth = float(np.linalg.norm(tip[3] - tip[0]))
        yield (foot[0] + foot[3]) / 2, (tip[0] + tip[3]) / 2, breadth
