"""Attention of one tile of a strip as arcs to the tiles that get it, as broad as their shares."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from manim import DOWN, UP, VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.flow import HAIRLINE, band, bands, first_part
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.stage import Picture, Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.theme import theme

Point = NDArray[np.float64]

_UNIT = 0.34
"""How broad a whole share is, in units; never broader than this share of a tile."""
_AIR = 0.07
_LOW, _RISE, _HIGHEST = 0.3, 0.18, 1.4
"""How high an arc is, how much higher for each unit of its length, and how high at most."""
_HOP = 0.4
"""How high the end of an arc hops to the next tile, in units."""
_ASIDE = 0.36
"""Where an arc to the own tile ends, in widths of it from its middle."""


class Arcs(Picture):
    """What the tile `asks` gives by its row (n,): an arc to each tile with more than a trace.

    The arcs run over the tiles; to a tile in another line they run between the lines.
    """

    def __init__(self, row: Value, tiles: Strip, asks: int) -> None:
        super().__init__(row)
        self._tiles, self._asks, self._grown, self._gone_on = tiles, asks, 0.0, 0.0
        self.path = VMobject(stroke_color=theme().ground, stroke_width=1, fill_opacity=1)
        self.path.set_fill(theme().attention)
        self.add(self.path)

    def draw(self, *, run_time: float = 1.6) -> Drive:
        """Let the arcs grow out of the tile that asks."""
        return self._grow(0.0, 1.0, run_time)

    def draw_back(self, *, run_time: float = 0.8) -> Drive:
        """Let them shrink back."""
        return self._grow(1.0, 0.0, run_time)

    def hop(self, *, run_time: float = 1.4) -> Drive:
        """Let the end of each arc hop one tile on; an arc to the tile that asks shrinks."""

        def show(share: NDArray[np.float64]) -> None:
            self._gone_on = float(share)
            self.show(self.state)

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw a row (n,) between the tiles, where these are now."""
        drawn = [np.zeros((0, 3))]
        for n in self._ends(state) if self._grown else ():
            lane, grown = self._lane(n, state), self._grown
            if n == self._asks:
                grown *= 1 - self._gone_on
            elif self._gone_on:
                lane += (self._lane(n, state, n + 1) - lane) * self._gone_on
                lane[2:] += _HOP * np.sin(np.pi * self._gone_on) * UP
            if not grown:
                continue
            if grown < 1:
                lane = first_part(lane, grown)
            drawn.append(band(lane, float(state[n]) * self._unit))
        self.path.set_points(np.concatenate(drawn))

    def readings(self) -> Iterator[Reading]:
        """The breadth of each whole arc, for the tile at which it ends; where it begins."""
        if self._grown < 1 or self._gone_on or not is_visible(self.path):
            return
        feet = np.array([self._foot(n) for n in range(len(self.state))])
        middles = np.array([self._tiles.middle(n) for n in range(len(self.state))])
        for start, end, breadth in bands(self.path.points):
            n = int(np.linalg.norm(feet - end, axis=1).argmin())
            yield Reading(self.shown[n], breadth / self._unit)
            if (asks := int(np.linalg.norm(middles - start, axis=1).argmin())) != self._asks:
                yield Reading(self.shown[n], f"an arc from tile {asks}")

    @property
    def _unit(self) -> float:
        return min(_UNIT, _UNIT * float(self._tiles.tiles[0].box.width))

    def _ends(self, state: NDArray[np.float64]) -> list[int]:
        return [int(n) for n in np.flatnonzero(state >= HAIRLINE)]

    def _lane(self, n: int, state: NDArray[np.float64], goal: int | None = None) -> Point:
        """The middle line of an arc, (4, 3), to its tile or another one.

        At the tile that asks they begin side by side.
        """
        goal = n if goal is None else goal
        shares = state[self._ends(state)] * self._unit
        before = sum(state[k] for k in self._ends(state) if k < n) * self._unit
        aside = before + state[n] * self._unit / 2 - shares.sum() / 2
        start, end = self._tiles.top(self._asks) + _AIR * UP, self._foot(goal)
        start = start + np.array([aside, 0.0, 0.0])
        if self._is_far(goal):
            reach = np.array([0.0, (end - start)[1] / 2, 0.0])
            return np.array([start, start + reach, end - reach, end])
        rise = min(_HIGHEST, _LOW + _RISE * abs(float((end - start)[0]))) * 4 / 3 * UP
        return np.array([start, start + rise, end + rise, end])

    def _foot(self, n: int) -> Point:
        """Where the arc to tile n ends: on the side from which it comes."""
        tiles = self._tiles
        if self._is_far(n):
            return np.array(tiles.bottom(n) + (tiles.measures.below + _AIR) * DOWN)
        foot = np.array(tiles.top(n) + _AIR * UP)
        if n == self._asks:
            foot[0] += _ASIDE * float(tiles.tiles[n].box.width)
        return foot

    def _is_far(self, n: int) -> bool:
        """Whether a tile stands in another line than the one that asks."""
        drop = float(self._tiles.middle(n)[1] - self._tiles.middle(self._asks)[1])
        return abs(drop) > float(self._tiles.tiles[0].box.height)

    def _grow(self, start: float, end: float, run_time: float) -> Drive:
        return self.drive("_grown", start, end, run_time=run_time)
