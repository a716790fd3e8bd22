"""Attention of one tile of a strip as arcs to the tiles that get it, as broad as their shares."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from manim import DOWN, UP, Rectangle, VMobject, bezier
from numpy.typing import NDArray

from clockhead.scenes.parts.flow import HAIRLINE
from clockhead.scenes.parts.ribbon_shape import band, bands, first_part
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.stage import Picture, Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import Role, theme

Point = NDArray[np.float64]

_UNIT = 0.34
"""How broad a whole share is, in units; never broader than this share of a tile."""
_AIR = 0.07
_LOW, _RISE, _HIGHEST = 0.3, 0.18, 1.4
"""How high an arc is, how much higher for each unit of its length, and how high at most."""
_NAME, _OFF = 24.0, 0.2
"""The size of a name, in pixels, and how far from its arc it stands."""
_NAME_AT = 0.5, 0.85, 0.15
"""Where on an arc a name may stand, best first."""
_CLEAR = 0.2
"""What stays free between an arc and the next line, whose tiles have signs at their corners."""
_ASIDE = 0.36
"""Where an arc to the own tile ends, in widths of it from its middle."""


class Arcs(Picture):
    """What the tile `asks` gives by a pattern (T, T): an arc to each tile with more than a trace.

    The arcs run over the tiles, or `under` them; to a tile in another line they run between the
    lines. A `name` stands beside the broadest of these, unless there is too little `room` up to the
    next line for an arc in one line: then the arc is flatter, and the name on it.
    """

    def __init__(
        self,
        pattern: Value,
        tiles: Strip,
        asks: int,
        *,
        role: Role = "attention",
        under: bool = False,
        name: str = "",
        highest: float = _HIGHEST,
        room: float = np.inf,
    ) -> None:
        super().__init__(pattern[asks])
        self._tiles, self._asks, self._under = tiles, asks, under
        self._highest, self._room = highest, room
        look = theme()
        self.path = VMobject(stroke_color=look.ground, stroke_width=1, fill_opacity=1)
        self.path.set_fill(getattr(look, role))
        self._grown, self._backwards = 0.0, False
        self._name_at = _NAME_AT[0]
        ink = look.text_color(role)
        self.label = Label(name, size=_NAME, weight="semibold", color=ink, align="center")
        self.label.set_fill(opacity=0.0)
        width, height = self.label.width + 2 * _AIR, 1.2 * _NAME * PX
        self.plate = Rectangle(width=width, height=height, stroke_width=0)
        self.plate.set_fill(look.ground, 0.0)
        self.add(self.path, self.plate, self.label)

    def draw(self, *, backwards: bool = False, run_time: float = 1.6) -> Drive:
        """Let the arcs grow out of the tile that asks, or into it."""
        return self._grow(0.0, 1.0, backwards, run_time)

    def draw_back(self, *, run_time: float = 0.8) -> Drive:
        """Let them shrink back."""
        return self._grow(1.0, 0.0, False, run_time)

    def crown(self, n: int) -> Point:
        """The middle of the arc to tile n; to another line, that of the gap it crosses first."""
        lane = self._lane(n, self.state)
        if not self._is_far(n):
            return self._on_arc(n, 0.5)
        above = [k for k in range(self._asks) if self._is_far(k)]
        gap = min(float((self._side(k, DOWN) - lane[0])[1]) for k in above)
        times = np.linspace(0, 1, 41)
        heights = [float((bezier(lane)(t) - lane[0])[1]) for t in times]
        return np.array(bezier(lane)(float(np.interp(gap / 2, heights, times))))

    def keep_name_clear_of(self, other: Arcs) -> None:
        """Put the name where the other's is not, if it has to stand on an arc beside that one."""
        n = int(np.argmax(self.state))
        if self._is_beside(n) or self._is_far(n):
            return
        there = other._name_place(int(np.argmax(other.state)))[0]
        apart = float(self.plate.width + other.plate.width) / 2

        def distance(at: float) -> float:
            self._name_at = at
            return abs(float(self._name_place(n)[0] - there))

        self._name_at = max(_NAME_AT, key=lambda at: min(distance(at), apart))

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw a row (T,) between the tiles, where these are now."""
        drawn = [np.zeros((0, 3))]
        for n in self._ends(state) if self._grown else ():
            lane = self._lane(n, state)
            if self._grown < 1:
                lane = first_part(lane[::-1] if self._backwards else lane, self._grown)
            drawn.append(band(lane, float(state[n]) * self._unit))
        self.path.set_points(np.concatenate(drawn))
        n = int(np.argmax(state))
        self.label.center_on(self._name_place(n))
        self.plate.move_to(self.label)
        for piece in (self.label, self.plate) if self.label.text else ():
            piece.set_fill(opacity=max(0.0, 2 * self._grown - 1))

    def readings(self) -> Iterator[Reading]:
        """The breadth of each whole arc, for the tile at which it ends; where it begins."""
        if self._grown < 1 or not is_visible(self.path):
            return
        feet = np.array([self._foot(n) for n in range(len(self.state))])
        middles = np.array([self._tiles.middle(n) for n in range(len(self.state))])
        for start, end, breadth in bands(self.path.points):
            n = int(np.linalg.norm(feet - end, axis=1).argmin())
            yield Reading(self.shown[n], breadth / self._unit)
            if (asks := int(np.linalg.norm(middles - start, axis=1).argmin())) != self._asks:
                yield Reading(self.shown[n], f"an arc from tile {asks}")

    def _name_place(self, n: int) -> Point:
        """The middle of the name on or beside the arc to tile n."""
        if self._is_beside(n):
            return self.crown(n) + self._name_off * (DOWN if self._under else UP)
        if self._is_far(n):
            return self._between_lines(n)
        return self._on_arc(n, self._name_at)

    def _between_lines(self, n: int) -> Point:
        """Beside the arc to a tile in another line, on the side that the arc leaves."""
        lane, crown = self._lane(n, self.state), self.crown(n)
        points = bezier(lane)(np.linspace(0, 1, 41)[:, None])
        high = (float(self.plate.height) + self._unit) / 2
        level = points[np.abs(points[:, 1] - crown[1]) <= high, 0]
        off = (self._unit + float(self.label.width)) / 2 + 2 * _AIR
        x = level.max() + off if lane[3, 0] < lane[0, 0] else level.min() - off
        return np.array([x, crown[1], 0.0])

    def _on_arc(self, n: int, at: float) -> Point:
        return np.array(bezier(self._lane(n, self.state))(at))

    def _is_beside(self, n: int) -> bool:
        """Whether the name has room beside the arc."""
        lane = self._lane(n, self.state)
        return not self._is_far(n) and self._is_roomy(abs(float((lane[3] - lane[0])[0])))

    @property
    def _unit(self) -> float:
        return min(_UNIT, _UNIT * float(self._tiles.tiles[0].box.width))

    def _ends(self, state: NDArray[np.float64]) -> list[int]:
        return [int(n) for n in np.flatnonzero(state >= HAIRLINE)]

    def _lane(self, n: int, state: NDArray[np.float64]) -> Point:
        """The middle line of an arc, (4, 3); at the tile that asks they begin side by side."""
        shares = state[self._ends(state)] * self._unit
        before = sum(state[k] for k in self._ends(state) if k < n) * self._unit
        aside = before + state[n] * self._unit / 2 - shares.sum() / 2
        way = DOWN if self._under and not self._is_far(n) else UP
        start, end = self._side(self._asks, way), self._foot(n)
        start = start + np.array([aside, 0.0, 0.0])
        if self._is_far(n):
            reach = np.array([0.0, (end - start)[1] / 2, 0.0])
            return np.array([start, start + reach, end - reach, end])
        rise = self._rise(abs(float((end - start)[0]))) * 4 / 3
        return np.array([start, start + rise * way, end + rise * way, end])

    def _rise(self, length: float) -> float:
        """How high the crown of an arc is over both ends."""
        rise = self._usual_rise(length)
        return rise if self._is_roomy(length) else min(rise, self._room - self._unit / 2 - _CLEAR)

    def _usual_rise(self, length: float) -> float:
        return min(self._highest, _LOW + _RISE * length)

    def _is_roomy(self, length: float) -> bool:
        """Whether there is room for an arc and for its name beside it."""
        needed = self._usual_rise(length) + self._name_off + float(self.plate.height) / 2
        return needed <= self._room

    @property
    def _name_off(self) -> float:
        return _OFF + self._unit / 2

    def _foot(self, n: int) -> Point:
        """Where the arc to tile n ends: on the side from which it comes."""
        foot = self._side(n, DOWN if self._under or self._is_far(n) else UP)
        if n == self._asks:
            foot[0] += _ASIDE * float(self._tiles.tiles[n].box.width)
        return foot

    def _is_far(self, n: int) -> bool:
        """Whether a tile stands in another line than the one that asks."""
        drop = float(self._tiles.middle(n)[1] - self._tiles.middle(self._asks)[1])
        return abs(drop) > float(self._tiles.tiles[0].box.height)

    def _side(self, k: int, way: Point) -> Point:
        if way is UP:
            return np.array(self._tiles.top(k) + _AIR * UP)
        return np.array(self._tiles.bottom(k) + (self._tiles.measures.below + _AIR) * DOWN)

    def _grow(self, start: float, end: float, backwards: bool, run_time: float) -> Drive:
        def show(grown: NDArray[np.float64]) -> None:
            self._grown, self._backwards = float(grown), backwards
            self.show(self.state)

        return Drive(self, show, start, end, run_time=run_time)
