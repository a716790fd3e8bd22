"""Arcs over a row of tiles from the query's to all others, with scores at their tops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import Rectangle, VGroup, bezier, linear, partial_bezier_points
from numpy.typing import NDArray

from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.paths import nearest
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.stage import Picture, Reading, Size, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive, in_turn
from clockhead.scenes.style.shape import Shape, stroke_of
from clockhead.scenes.style.text import text_width
from clockhead.scenes.style.theme import Role, mix, theme

Point = NDArray[np.float64]

_AIR = 0.08
"""Gap between a tile and the end of an arc, in units."""
_LOW = 0.35
"""Height of the shortest arc, in units."""
_RISE = 0.42
"""Increase of an arc's height per unit of its length."""
_NESTED, _STEPPED = 0.7, 1.0
"""Exponents of an arc's height as a function of its length, usual and with crowded numbers."""
_LONG = 4 / 3
"""Height of a cubic's handles relative to the height of its curve."""
_BESIDE, _BOW = 0.3, 0.62
"""Length below which an arc bends aside, and how far, relative to the longest arc."""
_EACH = 0.6
"""Fraction of the run time in which one of several arcs is drawn."""
_WIDTH = 3.0
"""Stroke width of an arc, in pixels."""
_LEAST, _STEP = 26.0, 1.15
"""Smallest letter size of crowded numbers, in pixels, and their line height, in letter sizes."""
_PAD = 0.08
"""Padding of the plate behind a number, in units."""
_FEW, _WIDE = 3, 1.4
"""Largest number of tiles, and smallest pitch in widths of a number, that is never crowded."""


class ScoreArcs(Picture):
    """Scores (T,) of the query of the token `asks` with all others; its own entry is not shown.

    The arcs follow their tiles, in any order: `follow` redraws them once, and `follow_motion` as
    long as the tiles move. After tiles have swapped places, `rebind` replaces the scores by those
    in the new order. `high` is the space over the tiles, in units; it limits the letter size of
    crowded numbers, which are stacked.
    """

    def __init__(
        self,
        scores: Value,
        tiles: Strip,
        asks: int,
        *,
        spec: str = ".2f",
        size: float = 30.0,
        role: Role = "query",
        high: float = float("inf"),
    ) -> None:
        super().__init__(scores)
        pitch = abs(float((tiles.top(1) - tiles.top(0))[0]))
        room = pitch / (text_width("\N{MINUS SIGN}0.00", size) + 2 * _PAD)
        self.is_crowded = len(scores) > _FEW and 0 < room < _WIDE
        """Whether numbers are stacked, since they would touch side by side."""
        self.ends = [n for n in range(len(scores)) if n != asks]
        if self.is_crowded:
            steps = max(abs(n - asks) for n in self.ends)
            size = min(size, size * room, high / (steps * _STEP + 0.5) / PX)
            size = max(_LEAST, size)
        self.asks, self._tiles, self.size = asks, tiles, size
        self.ink = theme().text_color(role)
        self.arcs = [Shape(stroke_color=self.ink, stroke_width=_WIDTH) for _ in self.ends]
        self.numbers = [Figure(scores[n], spec, size=size) for n in self.ends]
        self._plates = [
            Rectangle(height=size * PX, stroke_width=0, fill_color=theme().ground, fill_opacity=1)
            for _ in self.ends
        ]
        self._from, self._to = np.zeros(len(self.ends)), np.ones(len(self.ends))
        self._growth = _STEPPED if self.is_crowded else _NESTED
        self._top, self._longest = float("inf"), 1.0
        self._bound: list[Any] = list(tiles.tiles)

    @property
    def least(self) -> Size:
        return Size(0.0, _LOW + self.size * PX)

    most = Size(float("inf"), 2.6)

    def place(self, region: Region) -> None:
        """Draw the arcs on the tiles, no higher than the region's upper edge."""
        self._top = region.top - self.size * PX / 2
        feet = [self._foot(n) for n in range(len(self.ends) + 1)]
        self._longest = max(abs(float(f[0] - feet[self.asks][0])) for f in feet) or 1.0
        plated = (VGroup(*pair) for pair in zip(self._plates, self.numbers, strict=True))
        self.add(*self.arcs, *plated)
        self.show(self.state)

    def show(self, state: NDArray[np.float64]) -> None:
        """Write scores (T,) at the tops of the arcs."""
        for n, number in zip(self.ends, self.numbers, strict=True):
            number.shown = self.shown[n]
            number.show(state[n])
        self.follow()

    def follow(self) -> None:
        """Redraw the arcs at the tiles' current places."""
        if not self.submobjects:
            return
        for j, n in enumerate(self.ends):
            curve = self._curve(n)
            start, end = float(self._from[j]), float(self._to[j])
            drawn = partial_bezier_points(curve, start, end) if end > start else np.zeros((0, 3))
            self.arcs[j].set_points(drawn)
            crown = np.array(bezier(curve)(0.5))
            number = self.numbers[j].number.center_on(crown)
            width = text_width(number.text, self.size, number.weight) + 2 * _PAD
            self._plates[j].stretch_to_fit_width(width).move_to(crown)

    def follow_motion(self, *, run_time: float = 1.0) -> Drive:
        """Follow the tiles while they move. Play it together with their motion, listed after it."""
        return Drive(self, lambda _: self.follow(), 0.0, 1.0, run_time=run_time, rate_func=linear)

    def rebind(self, scores: Value) -> None:
        """Show other scores, in the current order of the tiles."""
        places = [self._tiles.tiles.index(tile) for tile in self._bound]
        self.asks, self._bound = places[self.asks], list(self._tiles.tiles)
        self.ends = [n for n in range(len(scores)) if n != self.asks]
        self.set_to(scores)

    # Appearing and vanishing

    def hide(self) -> ScoreArcs:
        """Hide arcs and numbers until they are drawn and written."""
        self._from[:], self._to[:] = 0.0, 0.0
        self._fade(np.zeros(len(self.ends)))
        self.follow()
        return self

    def draw(self, *, run_time: float = 1.5) -> Drive:
        """Grow the arcs out of the query's tile, one after another."""

        def show(share: NDArray[np.float64]) -> None:
            self._from[:] = 0.0
            self._to[:] = in_turn(float(share), len(self.ends), _EACH)
            self.follow()

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def write(self, *, run_time: float = 0.8) -> Drive:
        """Fade in each score at the top of its arc."""
        return Drive(
            self,
            lambda share: self._fade(in_turn(float(share), len(self.ends), _EACH)),
            0.0,
            1.0,
            run_time=run_time,
        )

    def sink(self, *, run_time: float = 1.5) -> Drive:
        """Fade out the numbers, and let the arcs lose their colour and shrink into their tiles."""
        inks = [stroke_of(arc) for arc in self.arcs]

        def show(share: NDArray[np.float64]) -> None:
            gone = float(share)
            self._from[:], self._to[:] = max(0.0, 1.5 * gone - 0.5), 1.0
            for arc, ink in zip(self.arcs, inks, strict=True):
                arc.set_stroke(mix(ink, theme().muted, min(1.0, 2 * gone)))
            self._fade(np.full(len(self.ends), max(0.0, 1 - 3 * gone)))
            self.follow()

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    # Readings

    def readings(self) -> Iterator[Reading]:
        """Each number, at the tile where its arc ends, and whether arcs start at the query."""
        if not self.submobjects:
            return
        feet = np.array([self._foot(n) for n in range(len(self.ends) + 1)])
        whole = [a for a in self.arcs if is_visible(a) and len(a.points)]
        crowns = np.array([np.array(bezier(arc.points[:4])(0.5)) for arc in whole])
        for figure in self.numbers:
            if not whole or np.any(self._from > 0) or np.any(self._to < 1):
                continue
            for reading in figure.readings():
                arc = whole[nearest(crowns, figure.number.middle)]
                end = nearest(feet, arc.points[-1])
                yield Reading(self.shown[end], reading.says, reading.within)
                if (start := nearest(feet, arc.points[0])) != self.asks:
                    yield Reading(self.shown[end], f"a score with token {start}")

    def _foot(self, n: int) -> Point:
        place = self._tiles.tiles.index(self._bound[n])
        foot: Point = self._tiles.top(place) + np.array([0.0, _AIR, 0.0])
        return foot

    def _curve(self, n: int) -> Point:
        """Bezier points of the arc from the query's tile to tile n; (4, 3)."""
        start, end = self._foot(self.asks), self._foot(n)
        length = abs(float(end[0] - start[0]))
        tallest = _LOW + _RISE * self._longest
        if self.is_crowded:  # numbers are stacked, one line for each tile
            longest = max(abs(end - self.asks) for end in self.ends)
            tallest = max(tallest, longest * _STEP * self.size * PX)
        room = max(_LOW, self._top - max(float(start[1]), float(end[1])))
        height = min(tallest, room) * (max(length, 0.2) / self._longest) ** self._growth
        over_both = abs(float(start[1] - end[1])) / 2 + self.size * PX / 2 + _AIR
        rise = max(min(height, room), over_both)
        out = np.array([self._bow(n, length), _LONG * rise, 0.0])
        return np.array([start, start + out, end + out, end])

    def _bow(self, n: int, length: float) -> float:
        """Sideways shift of an arc's handles, in units, to pass a tile right above or below."""
        near = max(0.0, 1 - length / (_BESIDE * self._longest))
        return float(np.sign(n - self.asks)) * _BOW * self._longest * near

    def _fade(self, opacity: NDArray[np.float64]) -> None:
        for figure, plate, seen in zip(self.numbers, self._plates, opacity, strict=True):
            figure.number.set_fill(opacity=float(seen))
            plate.set_fill(opacity=float(seen))
