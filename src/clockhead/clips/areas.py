"""Parts of a frame: rectangles of pixels that are drawn and converted again, and no others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_TILE = 32
"""Areas that lie nearer than this to each other are drawn as one; even, as colours in 4:2:0 are."""
_MOST = 12
"""More areas than this are drawn as one: each costs a clip."""


class Area(NamedTuple):
    """Pixels from `left` up to `right` and from `top` up to `bottom`."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        """Pixels from left to right."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """Pixels from top to bottom."""
        return self.bottom - self.top

    @property
    def is_empty(self) -> bool:
        """Whether there is no pixel in it."""
        return self.left >= self.right or self.top >= self.bottom

    @property
    def slices(self) -> tuple[slice, slice]:
        """Its pixels in an array (height, width, ...)."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    def within(self, width: int, height: int) -> Area:
        """What of it lies in a frame."""
        return Area(
            max(self.left, 0), max(self.top, 0), min(self.right, width), min(self.bottom, height)
        )

    def meets(self, other: Area) -> bool:
        """Whether they have a pixel in common."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def padded(self, by: int) -> Area:
        """It and some pixels around."""
        return Area(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def seen_from(self, other: Area) -> Area:
        """The same area, counted from the corner of another."""
        left, top = other.left, other.top
        return Area(self.left - left, self.top - top, self.right - left, self.bottom - top)


NOWHERE = Area(0, 0, 0, 0)


def gathered(areas: Iterable[Area], width: int, height: int) -> list[Area]:
    """Few areas that cover all of these, with even edges; those that are near are one."""
    # Tiles are the bits of one number, row by row, with one between rows that is never set:
    # `scipy.ndimage` could tell which lie together, but takes .1 s to import.
    stride = -(-width // _TILE) + 1
    touched = 0
    for left, top, right, bottom in areas:
        if left < right and top < bottom:
            row = (1 << -(-right // _TILE)) - (1 << left // _TILE)
            for y in range(top // _TILE, -(-bottom // _TILE)):
                touched |= row << y * stride
    found = list(_together(touched, stride))
    if len(found) > _MOST:
        found = [touched]
    return [_around(tiles, stride).within(width, height) for tiles in found]


def _together(tiles: int, stride: int) -> Iterator[int]:
    """Tiles in groups, of those that touch each other, if only at a corner."""
    while tiles:
        group, grown = 0, tiles & -tiles
        while grown != group:
            group = grown
            wide = group | group << 1 | group >> 1
            grown = (wide | wide << stride | wide >> stride) & tiles
        yield group
        tiles ^= group


def _around(tiles: int, stride: int) -> Area:
    """The area around tiles."""
    top, bottom = _first(tiles) // stride, -(-tiles.bit_length() // stride)
    across = 0
    for y in range(top, bottom):
        across |= tiles >> y * stride & (1 << stride) - 1
    edges = (_first(across), top, across.bit_length(), bottom)
    return Area(*(_TILE * edge for edge in edges))


def _first(tiles: int) -> int:
    """The place of the first bit that is set."""
    return (tiles & -tiles).bit_length() - 1


def uncut(areas: Iterable[Area], boxes: NDArray[np.int64], width: int) -> list[Area]:
    """Areas that cover all of these and lie apart, each of them `widened`."""
    found: list[Area] = []
    for area in areas:
        new = widened(area, boxes, width)
        while met := [one for one in found if one.meets(new)]:
            found = [one for one in found if one not in met]
            left, top, right, bottom = zip(new, *met, strict=True)
            new = widened(Area(min(left), min(top), max(right), max(bottom)), boxes, width)
        found.append(new)
    return found


def widened(area: Area, boxes: NDArray[np.int64], width: int) -> Area:
    """An area whose left, right and upper edges cut none of the boxes, (N, 4) as areas are.

    Cairo rounds what is cut by the side of a clip otherwise than what is not; and how it rounds a
    row depends on the rows above. What is cut by the lower edge it rounds alike.
    """
    left, top, right, bottom = area
    while True:
        reach = boxes[inside(Area(left, top, right, bottom), boxes)]
        wider = Area(
            min([left, *(reach[:, 0] // 2 * 2)]),
            min([top, *(reach[:, 1] // 2 * 2)]),
            min(width, max([right, *(-(-reach[:, 2] // 2) * 2)])),
            bottom,
        )
        if wider == (left, top, right, bottom):
            return wider
        left, top, right, bottom = wider


def inside(area: Area, boxes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Which of the boxes, (N, 4), have a pixel in an area, rising."""
    left, top, right, bottom = boxes.T
    across = (left < area.right) & (right > area.left)
    return np.flatnonzero(across & (top < area.bottom) & (bottom > area.top))
