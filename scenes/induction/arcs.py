"""The attention of one tile of a strip as arcs to other tiles, as wide as the attention weights."""

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
"""Width of an arc with weight 1, in units; on narrow tiles, this fraction of the tile's width."""
_AIR = 0.07
"""Gap between a tile and the ends of arcs, in units."""
_LOW, _RISE, _HIGHEST = 0.3, 0.18, 1.4
"""Height of the shortest arc, increase per unit of length, and greatest height, in units."""
_HOP = 0.4
"""Height of the hop of an arc's end to the next tile, in units."""
_ASIDE = 0.36
"""Distance from a tile's middle at which its arc to itself ends, in widths of the tile."""


class Arcs(Picture):
    """The row (n,) of the tile `asks`: an arc to each tile whose weight is not negligible.

    Arcs run above the tiles, and between the lines to a tile in another line.
    """

    def __init__(self, row: Value, tiles: Strip, asks: int) -> None:
        super().__init__(row)
        self._tiles, self._asks, self._grown, self._hop_share = tiles, asks, 0.0, 0.0
        self.path = VMobject(stroke_color=theme().ground, stroke_width=1, fill_opacity=1)
        self.path.set_fill(theme().attention)
        self.add(self.path)

    def draw(self, *, run_time: float = 1.6) -> Drive:
        """Grow the arcs out of the tile `asks`."""
        return self._grow(0.0, 1.0, run_time)

    def draw_back(self, *, run_time: float = 0.8) -> Drive:
        """Shrink the arcs back into the tile `asks`."""
        return self._grow(1.0, 0.0, run_time)

    def hop(self, *, run_time: float = 1.4) -> Drive:
        """Hop the end of each arc to the next tile; the arc from `asks` to itself shrinks."""

        def show(share: NDArray[np.float64]) -> None:
            self._hop_share = float(share)
            self.show(self.state)

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the arcs of a row (n,) between the tiles' current positions."""
        drawn = [np.zeros((0, 3))]
        for n in self._ends(state) if self._grown else ():
            lane, grown = self._lane(n, state), self._grown
            if n == self._asks:
                grown *= 1 - self._hop_share
            elif self._hop_share:
                lane += (self._lane(n, state, n + 1) - lane) * self._hop_share
                lane[2:] += _HOP * np.sin(np.pi * self._hop_share) * UP
            if not grown:
                continue
            if grown < 1:
                lane = first_part(lane, grown)
            drawn.append(band(lane, float(state[n]) * self._unit))
        self.path.set_points(np.concatenate(drawn))

    def readings(self) -> Iterator[Reading]:
        """The width of each complete arc, at the tile where it ends, and where it starts."""
        if self._grown < 1 or self._hop_share or not is_visible(self.path):
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
        """Bezier points of the centre line of tile n's arc, (4, 3), to tile n or to `goal`.

        Arcs start side by side at the tile `asks`.
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
        """End point of the arc to tile n: below a tile in another line, else above it; (3,)."""
        tiles = self._tiles
        if self._is_far(n):
            return np.array(tiles.bottom(n) + (tiles.measures.below + _AIR) * DOWN)
        foot = np.array(tiles.top(n) + _AIR * UP)
        if n == self._asks:
            foot[0] += _ASIDE * float(tiles.tiles[n].box.width)
        return foot

    def _is_far(self, n: int) -> bool:
        """Whether tile n and the tile `asks` are in different lines."""
        drop = float(self._tiles.middle(n)[1] - self._tiles.middle(self._asks)[1])
        return abs(drop) > float(self._tiles.tiles[0].box.height)

    def _grow(self, start: float, end: float, run_time: float) -> Drive:
        return self.drive("_grown", start, end, run_time=run_time)
