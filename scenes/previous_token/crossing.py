"""Two copies of a text, as givers and takers of values, with paths of attention between them."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import DOWN, RIGHT, UP, Animation, VGroup
from numpy.typing import NDArray

from clockhead.scenes.parts.flow import Ribbons
from clockhead.scenes.parts.strip import Motion, Show, Strip
from clockhead.scenes.parts.strip_lines import SEAM
from clockhead.scenes.parts.strip_looks import open_slots
from clockhead.scenes.parts.tile import HEIGHT, NOTE_HEIGHT, NOTE_SIZE, NUMBER_ROOM
from clockhead.scenes.previous_token.parcel import Parcel, ride_all
from clockhead.scenes.previous_token.tiles import NOTE
from clockhead.scenes.stage import Size, Value
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.type import MIN_SIZE, SMALL

Point = NDArray[np.float64]

_LETTERS, _LARGE = 32.0, 54.0
"""Letter sizes of tiles, in pixels: usual and large."""
_LEAST = 0.01
"""Smallest attention weight with a path, if tiles are large."""
_SPAN = 0.7
"""Least space for the paths, in units."""
_FIGURE, _LARGE_FIGURE = 0.4, 0.5
"""Space for a number beside a note, usual and large, in units."""
_BESIDE = 0.42
"""Width of the position number before a tile, in units."""
_LONGEST = 9.0
"""Largest width of two columns with their paths, in units."""
_OFF = 0.06
"""Gap between a tile and its paths, in units."""


class Crossing:
    """Givers and takers of values in two rows, or columns if `down`, with a pattern (T, T) between.

    Token m gets a note from the token before it; the first gets one from itself. `notes` (T,) are
    their words and `shares` (T,) their attention weights; `parcels` carry them along the paths.
    """

    most = Size(float("inf"), float("inf"))

    def __init__(
        self,
        tokens: Value,
        pattern: Value,
        notes: Value,
        shares: Value,
        *,
        down: bool,
        large: bool = False,
    ) -> None:
        self.down, self.large, self.n = down, large, len(tokens)
        self._figure = _LARGE_FIGURE if large else _FIGURE
        options: dict[str, Any] = {
            "positions": True,
            "beside": down,
            "size": _LARGE if large else _LETTERS,
        }
        note, options["number_size"] = (NOTE, SMALL) if large else (NOTE_SIZE, MIN_SIZE)
        self.givers = Strip(tokens, **options).look(range(self.n), "value")
        self.takers = Strip(tokens, notes=notes, shares=shares, note_size=note, **options)
        self.ribbons = Ribbons(pattern, self.source, self.entry, least=_LEAST if large else 0.0)
        self.parcels = [Parcel(notes[m], shares[m], note) for m in range(self.n)]

    @property
    def least(self) -> Size:
        if self.down:
            width = 3 * (self.givers.least_lane.width - SEAM) + self._extra_width
            return Size(width, self.n * (HEIGHT * MIN_SIZE * PX + _OFF))
        blocks = [strip.measures.block(1, 1, MIN_SIZE) for strip in (self.givers, self.takers)]
        height = sum(block.height for block in blocks) + _SPAN + self._figure
        return Size(self.n * self.takers.least_lane.width, height)

    @property
    def _extra_width(self) -> float:
        """Least width that two columns need in addition to tiles and notes, in units."""
        return 2 * _BESIDE + _SPAN + 2 * _OFF

    def place(self, region: Region) -> None:
        """Place both texts in a region, and draw the paths between them."""
        share = (np.arange(self.n) + 0.5) / self.n
        long = self.takers.most.width + SEAM
        along = region.center[0] + (share - 0.5) * min(region.width, long)
        if self.down:
            along = region.top - share * region.height
        width, height = self.givers.states_on(self._points(along, 0.0), None)[0, 2:4]
        if self.down:
            width = min(width, (region.width - self._extra_width) / 3)
            room = region.inset(max(0.0, (region.width - _LONGEST) / 2), 0.0)
            edges = room.left + _BESIDE + width / 2, room.right - 1.5 * width - _OFF
        else:
            below = self.takers.measures.below + self._figure
            edges = region.top - height / 2, region.bottom + below + height / 2
        for strip, edge in zip((self.givers, self.takers), edges, strict=True):
            strip.place_at(self._points(along, edge), (float(width), float(height)))
        self.ribbons.place()
        for m, parcel in enumerate(self.parcels):
            giver = self.givers.middle(max(m - 1, 0))
            if self.large:
                away = np.array([width / 2, 0.0, 0.0]) if self.down else NOTE_HEIGHT / 2 * DOWN
                giver = self.source(max(m - 1, 0)) + away
            parcel.put(giver, float(width))

    def _points(self, along: NDArray[np.float64], edge: float) -> NDArray[np.float64]:
        """Middles of tiles in one column or row, (T, 2), from their coordinates along it, (T,)."""
        across = np.full(self.n, edge)
        return np.column_stack([across, along] if self.down else [along, across])

    # Points of the paths

    def source(self, n: int) -> Point:
        """Start of the paths of giver n; (3,)."""
        if self.down:
            return np.array(self.givers.right(n) + _OFF * RIGHT)
        return np.array(self.givers.bottom(n) + (NUMBER_ROOM + 2 * _OFF) * DOWN)

    def entry(self, m: int) -> Point:
        """End of the paths to taker m; (3,)."""
        if self.down:
            return np.array(self.takers.left(m) - _BESIDE * RIGHT)
        return np.array(self.takers.top(m) + _OFF * UP)

    def home(self, m: int) -> Point:
        """Middle of taker m's note: below the tile, or beside it; (3,)."""
        tile = self.takers.tiles[m]
        if self.down:
            return np.array(tile.middle + (tile.box.width + _OFF) * RIGHT)
        return np.array(tile.note.frame.get_center()) if tile.note else tile.middle

    def figure_spot(self, m: int) -> Point:
        """Middle of a number beside taker m's note; (3,)."""
        below = NUMBER_ROOM * self.takers.measures.number_size / MIN_SIZE + 0.42
        aside = (NOTE_HEIGHT / 2 + 0.18) * UP if self.down else below * DOWN
        return np.array(self.home(m) + aside)

    # Motion

    def open_slots(self) -> list[Animation]:
        """Open the slots for the notes, if these are below their tiles."""
        return [] if self.down else [open_slots(self.takers)]

    def deliver(self, *takers: int, run_time: float) -> Drive:
        """Move parcels one after another from their givers along the paths to these takers."""
        rides = [(m, max(m - 1, 0), self.parcels[m]) for m in takers]
        homes = [self.home(m) for m in takers]
        return ride_all(self.ribbons, rides, homes=homes, run_time=run_time)

    def gather(self, goal: Strip, *, run_time: float) -> list[Animation]:
        """Move the takers with their notes to the places of another strip's tiles and notes."""
        homes = np.array([tile.note.frame.get_center() for tile in goal.tiles if tile.note])
        starts = np.array([self.home(m) for m in range(self.n)])
        box, width = goal.tiles[0].box, self.takers.tiles[0].box.width
        states = np.array([tile.state for tile in goal.tiles[: self.n]])
        if not self.large:
            states = self.takers.states_on(states[:, :2], (box.width, box.height))
        first = int(not self.down)  # tiles move to their line first, and then along it

        def at(share: float, start: Point, end: Point) -> Point:
            both = np.clip([2 * share, 2 * share - 1], 0, 1) if self.large else [share, share]
            way = np.full(start.shape[1], both[1])
            way[first] = both[0]
            return np.asarray(start + (end - start) * way)

        def prepare() -> Show:
            self.takers.layout, begin = None, np.array([t.state for t in self.takers.tiles])
            glide = self.takers.glide(range(self.n), states)

            def show(share: float) -> None:
                glide(share)
                for tile, state in zip(self.takers.tiles, at(share, begin, states), strict=True):
                    tile.draw(state)

            return show

        def carry(share: NDArray[np.float64]) -> None:
            part = float(share)
            wide = width + (box.width - width) * (max(0.0, 2 * part - 1) if self.large else part)
            for parcel, point in zip(self.parcels, at(part, starts, homes), strict=True):
                parcel.put(point, wide)

        parcels = Drive(VGroup(*self.parcels), carry, 0.0, 1.0, run_time=run_time)
        return [Motion(self.takers, prepare, self.takers.moving.clear, run_time=run_time), parcels]
