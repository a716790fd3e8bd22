"""Two copies of a text with paths between them: what tokens give, and what tokens get."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from manim import DOWN, RIGHT, UP, Animation, Mobject, VGroup
from numpy.typing import NDArray

from scenes.parts.flow import Ribbons
from scenes.parts.strip import Strip
from scenes.parts.strip_lines import SEAM
from scenes.parts.tile import HEIGHT, NOTE_HEIGHT, NUMBER_ROOM
from scenes.previous_token.parcel import Parcel
from scenes.stage import Size, Stage
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive, in_turn
from scenes.style.type import MIN_SIZE

Point = NDArray[np.float64]

_LETTERS = 32.0
_SPAN = 0.7
"""The least room for the paths, in units."""
_FIGURE = 0.4
"""The room for a number at what a token gets, in rows."""
_BESIDE = 0.42
"""The room that the number before a tile takes."""
_LONGEST = 9.0
_OFF = 0.06
_JOIN, _LAND = 0.15, 0.8
"""The shares of its time at which a parcel has come to its path, and to the end of it."""
_EACH = 0.45


class Crossing:
    """Givers and takers, in two rows, or with `down` in two columns."""

    def __init__(self, stage: Stage, *, down: bool) -> None:
        tokens, self.down, self.n = stage["copied.tokens"], down, len(stage["copied.tokens"])
        options: dict[str, Any] = {"positions": True, "beside": down, "size": _LETTERS}
        notes, shares = stage["copied.wanted"], stage["copied.shares"]
        self.givers = Strip(tokens, **options).look(range(self.n), "value")
        self.takers = Strip(tokens, notes=notes, shares=shares, **options)
        self.ribbons = Ribbons(stage["copied.head.pattern"], self.source, self.entry)
        self.parcels = [Parcel(notes[m], shares[m]) for m in range(self.n)]
        self.width = 0.0
        """Of the boxes of tiles."""

    @property
    def least(self) -> Size:
        lane = self.takers.least_lane if not self.down else self.givers.least_lane
        if self.down:
            height = self.n * (HEIGHT * MIN_SIZE * PX + _OFF)
            return Size(3 * (lane.width - SEAM) + self._between, height)
        high = 2 * self.givers.least.height + self.takers.least.height
        return Size(self.n * lane.width, high + _SPAN + _FIGURE)

    @property
    def most(self) -> Size:
        return Size(_LONGEST if self.down else math.inf, math.inf)

    def place(self, region: Region) -> None:
        """Stand in a region, and lay the paths."""
        share = (np.arange(self.n) + 0.5) / self.n
        if self.down:
            share, axis = 1 - share, 1
            ys = region.bottom + share * region.height
            points = np.column_stack([0 * ys, ys])
        else:
            axis = 0
            pitch = min(region.width / self.n, self.takers.most.width / self.n + SEAM)
            xs = region.center[0] + (share - 0.5) * pitch * self.n
            points = np.column_stack([xs, 0 * xs])
        self.width, height = self.givers.states_on(points, None)[0, 2:4]
        if self.down:
            self.width = min(self.width, (region.width - self._between) / 3)
        first, last = self._edges(region, float(height))
        for strip, at in ((self.givers, first), (self.takers, last)):
            points[:, 1 - axis] = at
            strip.place_at(points, (self.width, float(height)))
        self.ribbons.place()
        for m, parcel in enumerate(self.parcels):
            parcel.put(self.givers.middle(max(m - 1, 0)), self.width)

    @property
    def _between(self) -> float:
        """What columns take besides their three boxes, at least."""
        return 2 * _BESIDE + _SPAN + 2 * _OFF

    def _edges(self, region: Region, height: float) -> tuple[float, float]:
        """Where givers and takers stand, across the way of the paths."""
        half = self.width / 2
        if not self.down:
            below = self.takers.measures.below + _FIGURE
            return region.top - height / 2, region.bottom + below + height / 2
        room = region.inset(max(0.0, (region.width - _LONGEST) / 2), 0.0)
        right = room.right - self.width - _OFF
        return room.left + _BESIDE + half, right - half

    # Points of the paths

    def source(self, n: int) -> Point:
        """Where the paths of a giver begin."""
        if self.down:
            return np.array(self.givers.right(n) + _OFF * RIGHT)
        return np.array(self.givers.bottom(n) + (NUMBER_ROOM + 2 * _OFF) * DOWN)

    def entry(self, m: int) -> Point:
        """Where the paths to a taker end."""
        if self.down:
            return np.array(self.takers.left(m) - _BESIDE * RIGHT)
        return np.array(self.takers.top(m) + _OFF * UP)

    def home(self, m: int) -> Point:
        """Where a taker keeps what it gets: below it, or behind it."""
        if self.down:
            return np.array(self.takers.middle(m) + (self.width + _OFF) * RIGHT)
        note = self.takers.tiles[m].note
        assert note is not None
        return np.array(note.frame.get_center())

    def figure_spot(self, m: int) -> Point:
        """The middle of a number at what a taker gets."""
        if self.down:
            return np.array(self.home(m) + (NOTE_HEIGHT / 2 + 0.18) * UP)
        return np.array(self.home(m) + (NUMBER_ROOM + 0.42) * DOWN)

    # Motion

    def open_slots(self) -> list[Animation]:
        """Let the slots open, where the notes will stay below their tiles."""
        return [] if self.down else [self.takers.open_slots()]

    def deliver(self, *takers: int, run_time: float) -> Drive:
        """Let parcels travel one after another: from their giver along the path to their taker."""
        each = 1.0 if len(takers) == 1 else _EACH
        chosen = [self.parcels[m] for m in takers]

        def show(share: NDArray[np.float64]) -> None:
            parts = in_turn(float(share), len(takers), each)
            for m, parcel, part in zip(takers, chosen, parts, strict=True):
                parcel.put(self._way(m, float(part)), self.width)

        return Drive(VGroup(*chosen), show, 0.0, 1.0, run_time=run_time)

    def _way(self, m: int, part: float) -> Point:
        """Where the parcel of a taker is when part of its time is over."""
        n = max(m - 1, 0)
        stops = [self.givers.middle(n), self.source(n), self.ribbons.at(m, n, 1.0), self.home(m)]
        if _JOIN <= part < _LAND:
            return self.ribbons.at(m, n, (part - _JOIN) / (_LAND - _JOIN))
        leg, share = (0, part / _JOIN) if part < _JOIN else (2, (part - _LAND) / (1 - _LAND))
        return np.asarray(stops[leg] + (stops[leg + 1] - stops[leg]) * share)

    def gather(self, goal: Strip, *, run_time: float) -> list[Animation]:
        """Let takers, and what they got, go where the tiles of another strip stand with notes."""
        places = np.array([goal.middle(m) for m in range(self.n)])
        homes = [tile.note.frame.get_center() for tile in goal.tiles if tile.note]
        starts = [self.home(m) for m in range(self.n)]
        box, width = goal.tiles[0].box, self.width

        def show(share: NDArray[np.float64]) -> None:
            part = float(share)
            for parcel, start, end in zip(self.parcels, starts, homes, strict=True):
                parcel.put(start + (end - start) * part, width + (box.width - width) * part)

        slide = self.takers.slide_to(places, (box.width, box.height), run_time=run_time)
        parcels: Mobject = VGroup(*self.parcels)
        return [slide, Drive(parcels, show, 0.0, 1.0, run_time=run_time)]
