"""Many cells as pixels in a single mobject."""

from __future__ import annotations

from math import ceil
from typing import Any

import cairo
import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.style.placed_picture import PixelShape

_OVERSAMPLING = 2
"""Number of pixels per visible pixel, so that edges of cells are smooth."""
_MAX_SIDE = 2048
"""Maximum number of pixels along a side."""
_BLUE_FIRST = [2, 1, 0, 3]
_COLOR_TOLERANCE = 4
"""Colours that differ by at most this, of 255, are treated as equal."""


class Raster(PixelShape):
    """Cells as pixels: `paint` sets their colours. It fills a region (`stand_in`)."""

    def __init__(self, n_rows: int, n_columns: int) -> None:
        self._bytes = b""
        self._surfaces: dict[tuple[int, bool], cairo.ImageSurface] = {}
        super().__init__(1.0, 1.0)
        self.paint(np.zeros((n_rows, n_columns, 4), dtype=np.uint8))

    def paint(self, colors: NDArray[np.uint8]) -> None:
        """Set the colours of the cells: (R, C, 4), premultiplied RGBA."""
        self.colors = np.ascontiguousarray(colors)
        painted = self.colors.tobytes()
        if painted == self._bytes:
            return
        self._bytes = painted
        self._surfaces = {}
        seen = self.colors[self.colors[..., 3] > 0]
        if len(seen):  # used by the contrast check as its colour
            self.fill_rgbas[:, :3] = seen[:, :3].mean(axis=0) / 255

    def areas(self) -> list[tuple[NDArray[np.uint8], NDArray[np.int64]]]:
        """Its cells as few areas: pairs of a colour, (4,), and the runs of cells with it, (N, 3).

        A run has a row, a first column and a width. The first area covers all cells in the most
        common colour, and the others are drawn on top. Shades that are indistinguishable from it
        are left out.
        """
        key = self.colors.astype(np.int64) @ [1 << 24, 1 << 16, 1 << 8, 1]  # (R, C)
        there = self.colors[..., 3] > 0
        kinds, counts = np.unique(key[there], return_counts=True)
        found = []
        if len(kinds):
            commonest = self.colors[key == kinds[counts.argmax()]][0]
            found.append((commonest, _runs(there)))
            off = np.abs(self.colors.astype(np.int64) - commonest).max(axis=-1)  # (R, C)
            for kind in np.unique(key[there & (off > _COLOR_TOLERANCE)]):
                same = key == kind
                found.append((self.colors[same][0], _runs(same)))
        return found

    @property
    def content(self) -> object:
        """The bytes of its colours."""
        return self._bytes

    @property
    def kind(self) -> object:
        """Rasters morph into each other, whatever their colours are."""
        return type(self)

    def surface(self, needed: float, *, swapped: bool) -> cairo.ImageSurface:
        """Each cell as a square of pixels, such that its edges are sharp."""
        longest = max(self.colors.shape[:2])
        each = max(1, min(ceil(_OVERSAMPLING * needed / longest), _MAX_SIDE // longest))
        if (each, swapped) not in self._surfaces:
            cells: Any = self.colors if swapped else self.colors[..., _BLUE_FIRST]
            cells = np.ascontiguousarray(cells.repeat(each, axis=0).repeat(each, axis=1))
            height, width = cells.shape[:2]
            self._surfaces = {
                (each, swapped): cairo.ImageSurface.create_for_data(
                    cells.data, cairo.Format.ARGB32, width, height
                )
            }
        return self._surfaces[each, swapped]


def _runs(cells: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Row, first column and width of all horizontal runs of cells; (N, 3)."""
    edges = np.diff(cells.astype(np.int8), axis=1, prepend=0, append=0)
    rows, first = np.nonzero(edges == 1)
    _, end = np.nonzero(edges == -1)
    return np.stack([rows, first, end - first], axis=1).astype(np.int64)
