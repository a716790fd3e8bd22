"""Arcs over a row of tiles, from the one that asks to all others, with scores at the crowns."""

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
"""Between a tile and the end of an arc, in units."""
_LOW = 0.35
_RISE = 0.42
"""How high an arc is, and how much higher for each unit of its length."""
_NESTED, _STEPPED = 0.7, 1.0
"""How the height of an arc grows with its length; in equal steps where numbers are close."""
_LONG = 4 / 3
_BESIDE, _BOW = 0.3, 0.62
"""An arc shorter than a share of the longest bends aside, by up to a share of the longest."""
_EACH = 0.6
_WIDTH = 3.0
_LEAST, _STEP = 26.0, 1.15
"""The least size of crowded numbers, and from one to the next above it, in sizes."""
_PAD = 0.08
_FEW, _WIDE = 3, 1.4
"""So many tiles are never crowded, nor are tiles so many numbers wide."""


class ScoreArcs(Picture):
    """Scores (T,) of the token `asks` with all others; its own entry is not shown.

    The arcs stand on their tiles wherever these are, in whatever order: `follow` redraws them,
    `following` does so for as long as the tiles move. Once they have changed places, `rebind` lets
    the picture stand for scores in the new order. `high` is the room over the tiles, in units:
    where numbers are crowded, they are so small that a step for each tile fits in.
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
        """Whether numbers stand over one another, since side by side they would touch."""
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
        """Stand on the tiles, no higher than the region's upper edge."""
        self._top = region.top - self.size * PX / 2
        feet = [self._foot(n) for n in range(len(self.ends) + 1)]
        self._longest = max(abs(float(f[0] - feet[self.asks][0])) for f in feet) or 1.0
        plated = (VGroup(*pair) for pair in zip(self._plates, self.numbers, strict=True))
        self.add(*self.arcs, *plated)
        self.show(self.state)

    def show(self, state: NDArray[np.float64]) -> None:
        """Write scores (T,) over the arcs."""
        for n, number in zip(self.ends, self.numbers, strict=True):
            number.shown = self.shown[n]
            number.show(state[n])
        self.follow()

    def follow(self) -> None:
        """Stand where the tiles are now."""
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

    def following(self, *, run_time: float = 1.0) -> Drive:
        """Follow the tiles while they move. Play it with their motion, and name it after that."""
        return Drive(self, lambda _: self.follow(), 0.0, 1.0, run_time=run_time, rate_func=linear)

    def rebind(self, scores: Value) -> None:
        """Stand for other scores, in the order in which the tiles stand now."""
        places = [self._tiles.tiles.index(tile) for tile in self._bound]
        self.asks, self._bound = places[self.asks], list(self._tiles.tiles)
        self.ends = [n for n in range(len(scores)) if n != self.asks]
        self.set_to(scores)

    # How they come and go

    def hide(self) -> ScoreArcs:
        """Let arcs and numbers wait unseen."""
        self._from[:], self._to[:] = 0.0, 0.0
        self._fade(np.zeros(len(self.ends)))
        self.follow()
        return self

    def draw(self, *, run_time: float = 1.5) -> Drive:
        """Let the arcs grow out of the tile that asks, one after another."""

        def show(share: NDArray[np.float64]) -> None:
            self._from[:] = 0.0
            self._to[:] = in_turn(float(share), len(self.ends), _EACH)
            self.follow()

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def write(self, *, run_time: float = 0.8) -> Drive:
        """Let each score appear at the crown of its arc."""
        return Drive(
            self,
            lambda share: self._fade(in_turn(float(share), len(self.ends), _EACH)),
            0.0,
            1.0,
            run_time=run_time,
        )

    def sink(self, *, run_time: float = 1.5) -> Drive:
        """Let the arcs lose their colour and run down into their tiles, the numbers before them."""
        inks = [stroke_of(arc) for arc in self.arcs]

        def show(share: NDArray[np.float64]) -> None:
            gone = float(share)
            self._from[:], self._to[:] = max(0.0, 1.5 * gone - 0.5), 1.0
            for arc, ink in zip(self.arcs, inks, strict=True):
                arc.set_stroke(mix(ink, theme().muted, min(1.0, 2 * gone)))
            self._fade(np.full(len(self.ends), max(0.0, 1 - 3 * gone)))
            self.follow()

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    # What they say

    def readings(self) -> Iterator[Reading]:
        """A number stands for the tile at which the arc under it ends; arcs begin at the asker."""
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
        """A cubic from the tile that asks to tile n, (4, 3)."""
        start, end = self._foot(self.asks), self._foot(n)
        length = abs(float(end[0] - start[0]))
        tallest = _LOW + _RISE * self._longest
        if self.is_crowded:  # numbers over one another, a step for each tile
            longest = max(abs(end - self.asks) for end in self.ends)
            tallest = max(tallest, longest * _STEP * self.size * PX)
        room = max(_LOW, self._top - max(float(start[1]), float(end[1])))
        height = min(tallest, room) * (max(length, 0.2) / self._longest) ** self._growth
        over_both = abs(float(start[1] - end[1])) / 2 + self.size * PX / 2 + _AIR
        rise = max(min(height, room), over_both)
        out = np.array([self._bow(n, length), _LONG * rise, 0.0])
        return np.array([start, start + out, end + out, end])

    def _bow(self, n: int, length: float) -> float:
        """How far an arc bends aside, so that it passes a tile right above or below the asker."""
        near = max(0.0, 1 - length / (_BESIDE * self._longest))
        return float(np.sign(n - self.asks)) * _BOW * self._longest * near

    def _fade(self, opacity: NDArray[np.float64]) -> None:
        for figure, plate, seen in zip(self.numbers, self._plates, opacity, strict=True):
            figure.number.set_fill(opacity=float(seen))
            plate.set_fill(opacity=float(seen))
