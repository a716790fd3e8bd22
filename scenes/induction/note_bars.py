"""A text with its notes, and a bar at every token.

The tiles are in a line, with notes below and upright bars above; or, if words are long or the page
is tall, in a column, with notes beside them and horizontal bars to the right.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from manim import VGroup
from numpy.typing import NDArray

from clockhead.scenes.induction.hops import Hop
from clockhead.scenes.induction.spread import LARGE, NOTES, tile_positions
from clockhead.scenes.parts.axis import Axis
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.strip import Strip, slide_to
from clockhead.scenes.parts.strip_lines import SEAM
from clockhead.scenes.parts.tile import HEIGHT, NOTE_GAP
from clockhead.scenes.stage import Size, Stage, Value, together
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive, Moves
from clockhead.scenes.style.text import text_width
from clockhead.scenes.style.theme import Role
from clockhead.scenes.style.type import MIN_SIZE, SMALL

_LETTERS, _NUMBERS = 38.0, 30.0
"""Largest letter size of words on tiles, and of the numbers at bars over large tiles, in pixels."""
_AIR = 0.08
"""Gap between the tiles and the foot of the bars, in units."""
_STUB, _LEAST_BAR, _MOST_BAR = 0.3, 1.1, 3.0
"""Longest bar: its least length in a column and over a line, and its usual length, in units."""
_LINE, _LOW = 0.35, 0.3
"""Smallest pitch of the lines of a column, and smallest height of a tile in it, in units."""
_NEARLY_ALL = "> 99.9%"
"""The widest text of a share."""


class NoteBars:
    """Tokens (T,) with notes (see `strip_values`), and bars of `values` (T,) on the first scale.

    The chart has room for the axes of all scales. With `wonder` there is a place for a "?" after
    the last token. `widest` is the widest number at bars whose neighbours have numbers too: of two
    shares, one is at most a half. `apart` is the gap between tiles, `beyond` the free space beyond
    the notes, and `most_bar` the longest bar. `large` makes words, notes and numbers large, and
    leaves out positions.
    """

    most = Size(float("inf"), float("inf"))

    def __init__(
        self,
        strip: Mapping[str, Any],
        values: Value,
        *scales: Scale,
        down: bool,
        widest: str = "50.0%",
        wonder: bool = False,
        role: Role = "attention",
        grown: bool = True,
        apart: float = SEAM,
        beyond: float = 0.0,
        most_bar: float = _MOST_BAR,
        large: bool = False,
    ) -> None:
        n = len(strip["tokens"])
        self.down, self._places, self._apart, self._beyond = down, n + wonder, apart, beyond
        self._most_bar, self._size = most_bar, LARGE if large else _LETTERS
        number = _NUMBERS if large else SMALL
        look: dict[str, Any] = (
            {"note_size": NOTES} if large else {"positions": True, "beside": down}
        )
        self.tiles = Strip(**strip, **look, wonder=wonder, size=self._size, aside=down)
        names = Scale(self._places - 0.5, -0.5, names=("",) * self._places)
        scale_of = (scales[0], names) if down else (slots(self._places), scales[0])
        self.chart = Chart(*scale_of, size=number)
        axes = [Axis(scale, "bottom" if down else "left", size=number) for scale in scales]
        self._shortest = max(axis.least for axis in axes)
        self._axis = max(axis.thickness for axis in axes)
        """Thickness of the axis along the bars, in units."""
        self.bars = Bars(values, self.chart, role, at=np.arange(n), grown=grown,
                         size=number)  # fmt: skip
        self._over = number * PX + _AIR
        self._lane = text_width(widest, number) + 2 * _AIR
        self._number = max(self._lane, text_width(_NEARLY_ALL, number) + 2 * _AIR)
        self._narrowest = self.tiles.measures.width(MIN_SIZE)

    @property
    def least(self) -> Size:
        before = self.tiles.measures.before
        if self.down:
            columns = 2 * (self._narrowest + NOTE_GAP) + before + _AIR + self._beyond
            return Size(columns + self._shortest + self._number, self._places * _LINE + self._axis)
        block = self.tiles.measures.block(1, 1, MIN_SIZE).height
        lane = max(self.tiles.least_lane.width + self._apart - SEAM, self._lane)
        high = block + self._beyond + _AIR + min(_LEAST_BAR, self._most_bar) + self._over
        return Size(self._places * lane + self._axis, high)

    def place(self, region: Region) -> None:
        """Place tiles and chart in the middle of a region, as large as it allows."""
        self._place_down(region) if self.down else self._place_across(region)

    def _place_across(self, region: Region) -> None:
        n, widest = self._places, self.tiles.measures.width(self._size) + self._apart
        pitch = min((region.width - self._axis) / n, max(widest, self._number))
        left = region.center[0] - (n * pitch - self._axis) / 2
        places = np.column_stack([left + (np.arange(n) + 0.5) * pitch, np.zeros(n)])
        box = self._box(places, pitch)
        tall = box[1] + self.tiles.measures.below + self._beyond
        bar = min(self._most_bar, region.height - tall - _AIR - self._over)
        top = region.center[1] + (bar + _AIR + tall - self._over) / 2
        places += np.array([0.0, top - bar - _AIR - box[1] / 2])
        self.tiles.place_at(places, None if self._apart == SEAM else box)
        self.chart.place_area(Region(left, top - bar, left + n * pitch, top))

    def _place_down(self, region: Region) -> None:
        n, high = self._places, HEIGHT * self._size * PX + self._apart
        before = self.tiles.measures.before
        pitch = min((region.height - self._axis) / n, high)
        top = region.center[1] + (n * pitch + self._axis) / 2
        places = np.column_stack([np.zeros(n), top - (np.arange(n) + 0.5) * pitch])
        room = region.width - before - self._number - 2 * NOTE_GAP - _AIR - self._beyond
        width = self._box(places, pitch)[0]
        width = max(self._narrowest, min(width, (room - self._most_bar) / 2))
        bar = max(_STUB, min(1.5 * self._most_bar, room - 2 * width))
        left = region.center[0] - (region.width - room + 2 * width + bar) / 2 + before
        box = width, max(_LOW, min(pitch - self._apart, high))
        self.tiles.place_at(places + np.array([left + width / 2, 0.0]), box)
        start = left + 2 * (width + NOTE_GAP) + _AIR + self._beyond
        self.chart.place_area(Region(start, top - n * pitch, start + bar, top))

    def _box(self, places: NDArray[np.float64], pitch: float) -> tuple[float, float]:
        """Width and height of tiles at these places, (T, 2), that leave the gap `apart`."""
        closer = places * (pitch - self._apart + SEAM) / pitch
        width, height = self.tiles.states_on(closer, None)[0, 2:4]
        return float(width), float(height)

    def lift(self, page: Region) -> None:
        """Place the tiles in the middle of a page, as long as there are no bars."""
        middles, box = self._home = tile_positions(self.tiles, self._places)
        low, high = middles.min(axis=0)[:2] - np.array(box) / 2, middles.max(axis=0)[:2]
        high = high + np.array(box) / 2
        if self.down:
            high[0] += NOTE_GAP + box[0] + self._beyond
        else:
            low[1] -= self.tiles.measures.below + self._beyond
        shift = page.center[:2] - (low + high) / 2
        self.tiles.place_at(middles + np.array([self.down * shift[0], shift[1], 0.0]), box)

    def settle(self, *arrows: Hop) -> Moves:
        """Move the tiles, and arrows with them, to make room for the bars."""

        def follow(_: Any) -> None:
            for hop in arrows:
                hop.redraw()

        arrows_go = Drive(VGroup(*arrows), follow, 0, 1)
        return together(slide_to(self.tiles, *self._home), arrows_go, run_time=1.2)

    def rescale(self, scale: Scale, **options: object) -> Drive:
        """Animate the bars to another scale."""
        return self.chart.rescale(**{"x" if self.down else "y": scale}, **options)  # type: ignore[arg-type]


def strip_values(stage: Stage, head: str = "") -> dict[str, Any]:
    """Arguments of a `Strip` for the head at the path `head` in a stage: tokens, notes, shares."""
    names = {"tokens": "tokens", "notes": "stored_tokens", "shares": "stored_weights"}
    return {given: stage[head + name] for given, name in names.items()}
