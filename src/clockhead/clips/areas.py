"""Areas: rectangles of pixels of a frame that are drawn and converted again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_TILE = 32
"""Areas within this distance of each other become one. It is even, as in 4:2:0 colours are shared
by two by two pixels."""
_MAX_AREAS = 12
"""If there were more areas, they become one: drawing each has a cost of its own."""
_WITH_CORNERS = np.ones((3, 3), np.int64)
"""Tiles that share a corner are connected."""


class Area(NamedTuple):
    """Pixels from `left` up to `right` and from `top` up to `bottom`."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        """Its width in pixels."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """Its height in pixels."""
        return self.bottom - self.top

    @property
    def is_empty(self) -> bool:
        """Whether it has no pixels."""
        return self.left >= self.right or self.top >= self.bottom

    @property
    def slices(self) -> tuple[slice, slice]:
        """The index of its pixels in an array of a frame, (height, width, ...)."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    def within(self, width: int, height: int) -> Area:
        """Its intersection with a frame of this size."""
        return Area(
            max(self.left, 0), max(self.top, 0), min(self.right, width), min(self.bottom, height)
        )

    def overlaps(self, other: Area) -> bool:
        """Whether the two have a pixel in common."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def relative_to(self, other: Area) -> Area:
        """The same area in coordinates whose origin is the top left corner of another."""
        left, top = other.left, other.top
        return Area(self.left - left, self.top - top, self.right - left, self.bottom - top)


NOWHERE = Area(0, 0, 0, 0)


def merge_areas(areas: Iterable[Area], width: int, height: int) -> list[Area]:
    """Cover areas by few areas with even edges: those that are close to each other become one."""
    from scipy import ndimage  # not at the top: stills do without

    touched = np.zeros((-(-height // _TILE), -(-width // _TILE)), np.bool_)  # tile by tile
    for left, top, right, bottom in areas:
        if left < right and top < bottom:
            touched[top // _TILE : -(-bottom // _TILE), left // _TILE : -(-right // _TILE)] = True
    groups, n_groups = ndimage.label(touched, _WITH_CORNERS)
    if n_groups > _MAX_AREAS:
        groups = touched.astype(np.int64)
    tiles = (
        Area(across.start, down.start, across.stop, down.stop)
        for down, across in ndimage.find_objects(groups)
    )
    return [Area(*(_TILE * edge for edge in area)).within(width, height) for area in tiles]


def widen_areas(areas: Iterable[Area], boxes: NDArray[np.int64], width: int) -> list[Area]:
    """Widen areas until they cut no boxes, (N, 4), and merge those that overlap."""
    widened: list[Area] = []
    for area in areas:
        new = _widen(area, boxes, width)
        while overlapping := [other for other in widened if other.overlaps(new)]:
            widened = [other for other in widened if other not in overlapping]
            left, top, right, bottom = zip(new, *overlapping, strict=True)
            new = _widen(Area(min(left), min(top), max(right), max(bottom)), boxes, width)
        widened.append(new)
    return widened


def _widen(area: Area, boxes: NDArray[np.int64], width: int) -> Area:
    """An area around this one whose left, right and upper edges cut none of the boxes.

    Cairo rounds pixels differently near the left and right edge of a clip region, and how it rounds
    a row depends on the rows above. A cut at the lower edge changes nothing.
    """
    left, top, right, bottom = area
    while True:
        reach = boxes[boxes_in(Area(left, top, right, bottom), boxes)]
        wider = Area(
            min([left, *(reach[:, 0] // 2 * 2)]),
            min([top, *(reach[:, 1] // 2 * 2)]),
            min(width, max([right, *(-(-reach[:, 2] // 2) * 2)])),
            bottom,
        )
        if wider == (left, top, right, bottom):
            return wider
        left, top, right, bottom = wider


def boxes_in(area: Area, boxes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The indices of the boxes, (N, 4), that overlap an area, in increasing order."""
    left, top, right, bottom = boxes.T
    across = (left < area.right) & (right > area.left)
    return np.flatnonzero(across & (top < area.bottom) & (bottom > area.top))
