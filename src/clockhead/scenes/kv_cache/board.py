"""Where a word, its query, its key and its value stand, and the shelf that the last two lie on."""

from __future__ import annotations

from typing import Literal

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.tile import HEIGHT, PAD
from clockhead.scenes.parts.tile_shapes import rounded
from clockhead.scenes.stage import Size, Value
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.text import text_width
from clockhead.scenes.style.theme import mix, theme
from clockhead.scenes.style.type import MIN_SIZE

Vector = Literal["query", "key", "value"]
Lane = Literal["tile"] | Vector
Point = NDArray[np.float64]

LETTERS = 34.0
"""The largest size of the words, in pixels."""
_CHIP, _MOST_CHIP = Size(0.72, 0.5), Size(1.3, 0.56)
_SEAM, _UNDER, _BETWEEN, _PAD = 0.12, 0.16, 0.12, 0.14
"""Between neighbours, between a tile and its query, between key and value, and around these."""
_FREE = Size(2.05, 1.5)
"""The least room between the words and the shelf, in which the queries stand, and later a card."""


class Board:
    """A column for each word, with its tile on top; or a row, with its tile on the left.

    Lengths run along the words, depths across, from the tiles to the shelf.
    """

    def __init__(self, words: Value, *, in_rows: bool = False) -> None:
        self.n, self._in_rows = len(words), in_rows
        self._widest = max(text_width(str(word), 1.0) for word in words.content)
        self.region = Region(0.0, 0.0, 0.0, 0.0)

    @property
    def least(self) -> Size:
        tile = self._tile(MIN_SIZE)
        pitch = max(self._along(tile), self._along(_CHIP)) + _SEAM
        depth = self._across(tile) + self._across(_FREE) + self._shelf_depth
        return self._turned(self.n * pitch + 2 * _PAD, depth)

    @property
    def most(self) -> Size:
        return Size(7.5, 1.1 * self.n) if self._in_rows else Size(2.1 * self.n, 6.4)

    def place(self, region: Region) -> None:
        """Stand in the middle of a region."""
        most = self.most
        self.region = region.inset(
            max(0.0, (region.width - most.width) / 2), max(0.0, (region.height - most.height) / 2)
        )

    # Where things are

    def at(self, lane: Lane, k: int) -> Point:
        """The middle of what stands in a lane for word k."""
        chip = self._across(self.chip)
        value = self._across(self.region) - _PAD - chip / 2
        depths = {
            "tile": self._across_tile / 2,
            "query": self._across_tile + _UNDER + chip / 2,
            "key": value - chip - _BETWEEN,
            "value": value,
        }
        return self._point(_PAD + (self._pitch + _SEAM) * (k + 0.5), depths[lane])

    def lane(self, lane: Lane) -> Point:
        """The middles of a whole lane, (T, 3)."""
        return np.array([self.at(lane, k) for k in range(self.n)])

    def edges(self, lane: Lane, side: float) -> Point:
        """The middles of the edges of a lane towards the shelf (1) or the words (-1), (T, 3)."""
        size = Size(*self.tile) if lane == "tile" else self.chip
        return np.array(self.lane(lane) + side * self._across(size) / 2 * self.onwards)

    @property
    def tile(self) -> tuple[float, float]:
        """Width and height of the tiles."""
        length = min(self._pitch, self._tile(LETTERS).height) if self._in_rows else self._pitch
        size = self._turned(length, self._across_tile)
        return size.width, size.height

    @property
    def chip(self) -> Size:
        """The size of a query, a key or a value."""
        length = min(self._pitch, self._along(_MOST_CHIP))
        return self._turned(length, self._across(_CHIP))

    @property
    def shelf(self) -> Region:
        """What keys and values lie on."""
        depth = self._across(self.region)
        return self._between(depth - self._shelf_depth, depth)

    @property
    def free(self) -> Region:
        """Between the words and the shelf."""
        return self._between(self._across_tile, self._across(self.region) - self._shelf_depth)

    @property
    def onwards(self) -> Point:
        """From the words towards the shelf, 1 unit long."""
        return np.array([1.0, 0.0, 0.0] if self._in_rows else [0.0, -1.0, 0.0])

    # Along and across

    @property
    def _pitch(self) -> float:
        """How long a tile or a chip may be."""
        return (self._along(self.region) - 2 * _PAD) / self.n - _SEAM

    @property
    def _shelf_depth(self) -> float:
        return 2 * self._across(_CHIP) + _BETWEEN + 2 * _PAD

    @property
    def _across_tile(self) -> float:
        least, most = self._across(self._tile(MIN_SIZE)), self._across(self._tile(LETTERS))
        rest = self._across(self.region) - self._across(_FREE) - self._shelf_depth
        return max(least, min(most, rest))

    def _tile(self, size: float) -> Size:
        return Size(self._widest * size + 2 * PAD, HEIGHT * size * PX)

    def _along(self, size: Size | Region) -> float:
        return size.height if self._in_rows else size.width

    def _across(self, size: Size | Region) -> float:
        return size.width if self._in_rows else size.height

    def _turned(self, along: float, across: float) -> Size:
        return Size(across, along) if self._in_rows else Size(along, across)

    def _point(self, along: float, across: float) -> Point:
        x, y = (across, along) if self._in_rows else (along, across)
        return np.array([self.region.left + x, self.region.top - y, 0.0])

    def _between(self, start: float, end: float) -> Region:
        """Everything between two depths."""
        low, high = self._point(0.0, start), self._point(self._along(self.region), end)
        return Region(float(low[0]), float(high[1]), float(high[0]), float(low[1]))


class Tray(VMobject):
    """The shelf: a rounded tray under what lies on it."""

    def __init__(self, region: Region) -> None:
        look = theme()
        super().__init__(stroke_color=mix(look.ground, look.ink, 0.7), stroke_width=3)
        self.set_fill(look.panel, 1)
        self.set_points(rounded(region.width, region.height) + region.center)
        self.set_z_index(-1)
