"""Where a word, its query, its key and its value stand, and the shelf that the last two lie on."""

from __future__ import annotations

from typing import Literal

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from scenes.parts.tile import HEIGHT, PAD
from scenes.parts.tile_shapes import Box, rounded
from scenes.stage import Size, Value
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive
from scenes.style.text import text_width
from scenes.style.theme import mix, theme
from scenes.style.type import MIN_SIZE

Vector = Literal["query", "key", "value"]
Lane = Literal["tile"] | Vector
Point = NDArray[np.float64]

LETTERS = 34.0
"""The largest size of the words, in pixels."""
_CHIP, _LARGE_CHIP = Size(0.72, 0.44), Size(1.3, 0.56)
_SEAM, _UNDER, _BETWEEN, _PAD = 0.12, 0.16, 0.12, 0.14
"""Between neighbours, between a tile and its query, between key and value, and around these."""
_FREE = 2.05
"""The least room between the words and the shelf, in which the queries stand, and later a card."""
_FREE_ABOVE = 1.5


class Board:
    """A column for each word, with its tile on top; or a row, with its tile on the left."""

    def __init__(self, words: Value, *, in_rows: bool = False) -> None:
        self.n, self._in_rows = len(words), in_rows
        self._widest = max(text_width(str(word), 1.0) for word in words.content)
        self.region = Region(0.0, 0.0, 0.0, 0.0)
        self.chip = _CHIP

    @property
    def least(self) -> Size:
        tile, n = self._tile(MIN_SIZE), self.n
        if self._in_rows:
            pitch = max(tile.height, _CHIP.height) + _SEAM
            return Size(tile.width + _FREE + _shelf(_CHIP.width), n * pitch + 2 * _PAD)
        pitch = max(tile.width, _CHIP.width) + _SEAM
        return Size(n * pitch + 2 * _PAD, tile.height + _FREE_ABOVE + _shelf(_CHIP.height))

    @property
    def most(self) -> Size:
        if self._in_rows:
            return Size(7.5, 1.1 * self.n)
        return Size(2.1 * self.n, 6.4)

    def place(self, region: Region) -> None:
        """Stand in the middle of a region."""
        most = self.most
        self.region = region.inset(
            max(0.0, (region.width - most.width) / 2), max(0.0, (region.height - most.height) / 2)
        )
        pitch = self._along / self.n - _SEAM
        across = pitch if not self._in_rows else _LARGE_CHIP.width
        down = pitch if self._in_rows else _LARGE_CHIP.height
        slack = (self._across - self._thickness(_CHIP) - self._tile_depth - self._free) / 4
        grown = Size(_CHIP.width + max(0.0, slack), _CHIP.height + max(0.0, slack))
        self.chip = Size(
            min(across, _LARGE_CHIP.width, grown.width if self._in_rows else across),
            min(down, _LARGE_CHIP.height, down if self._in_rows else grown.height),
        )

    # Where things are

    def at(self, lane: Lane, k: int) -> Point:
        """The middle of what stands in a lane for word k."""
        along = _PAD + self._along * (k + 0.5) / self.n
        across = self._depths[lane]
        if self._in_rows:
            return np.array([self.region.left + across, self.region.top - along, 0.0])
        return np.array([self.region.left + along, self.region.top - across, 0.0])

    def lane(self, lane: Lane) -> Point:
        """The middles of a whole lane, (T, 3)."""
        return np.array([self.at(lane, k) for k in range(self.n)])

    @property
    def tile(self) -> tuple[float, float]:
        """Width and height of the tiles."""
        pitch = self._along / self.n - _SEAM
        tile = self._tile(LETTERS)
        if self._in_rows:
            return self._tile_depth, min(pitch, tile.height)
        return pitch, tile.height

    @property
    def shelf(self) -> Region:
        """What keys and values lie on."""
        room, deep = self.region, _shelf(self.chip.width if self._in_rows else self.chip.height)
        if self._in_rows:
            return Region(room.right - deep, room.bottom, room.right, room.top)
        return Region(room.left, room.bottom, room.right, room.bottom + deep)

    @property
    def free(self) -> Region:
        """Between the words and the shelf."""
        room, shelf = self.region, self.shelf
        if self._in_rows:
            return Region(room.left + self._tile_depth, room.bottom, shelf.left, room.top)
        return Region(room.left, shelf.top, room.right, room.top - self._tile_depth)

    @property
    def onwards(self) -> Point:
        """From the words towards the shelf, 1 unit long."""
        return np.array([1.0, 0.0, 0.0] if self._in_rows else [0.0, -1.0, 0.0])

    def edge(self, lane: Lane, k: int, side: float) -> Point:
        """The middle of the edge of a chip or a tile towards the shelf (1) or the words (-1)."""
        size = self.tile if lane == "tile" else (self.chip.width, self.chip.height)
        half = size[0 if self._in_rows else 1] / 2
        return np.array(self.at(lane, k) + side * half * self.onwards)

    @property
    def _depths(self) -> dict[Lane, float]:
        """How far each lane is from the edge at which the words stand."""
        chip = self.chip.width if self._in_rows else self.chip.height
        value = self._across - _PAD - chip / 2
        return {
            "tile": self._tile_depth / 2,
            "query": self._tile_depth + _UNDER + chip / 2,
            "key": value - chip - _BETWEEN,
            "value": value,
        }

    @property
    def _along(self) -> float:
        return (self.region.height if self._in_rows else self.region.width) - 2 * _PAD

    @property
    def _across(self) -> float:
        return self.region.width if self._in_rows else self.region.height

    @property
    def _free(self) -> float:
        return _FREE if self._in_rows else _FREE_ABOVE

    @property
    def _tile_depth(self) -> float:
        if not self._in_rows:
            return self._tile(LETTERS).height
        rest = self.region.width - _FREE - _shelf(_CHIP.width)
        return max(self._tile(MIN_SIZE).width, min(self._tile(LETTERS).width, rest))

    def _thickness(self, chip: Size) -> float:
        return _shelf(chip.width if self._in_rows else chip.height)

    def _tile(self, size: float) -> Size:
        return Size(self._widest * size + 2 * PAD, HEIGHT * size * PX)


class Tray(VMobject):
    """The shelf: a rounded tray under what lies on it."""

    def __init__(self, region: Region) -> None:
        look = theme()
        super().__init__(
            stroke_color=mix(look.ground, look.ink, 0.7),
            stroke_width=3,
            fill_color=look.panel,
            fill_opacity=1,
        )
        self.set_points(rounded(region.width, region.height) + region.center)
        self.set_z_index(-1)

    def hide(self) -> Tray:
        """Wait unseen."""
        return self.set_fill(opacity=0).set_stroke(opacity=0)

    def come(self, *, run_time: float = 0.8) -> Drive:
        """Let it be seen."""

        def show(share: NDArray[np.float64]) -> None:
            self.set_fill(opacity=float(share)).set_stroke(opacity=float(share))

        return Drive(self, show, 0.0, 1.0, run_time=run_time)


class ValueBox(Box):
    """The box of a value: in the next shot boxes of keys become such, and boxes of values these."""


def box_of(role: Vector) -> Box:
    """The box of a chip."""
    return ValueBox() if role == "value" else Box()


def _shelf(chip: float) -> float:
    """How deep a shelf is that a key and a value of such a depth lie on."""
    return 2 * chip + _BETWEEN + 2 * _PAD
