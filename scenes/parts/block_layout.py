"""How large the cells of blocks may be, and where the blocks come to lie."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from clockhead.scenes.stage import Size
from clockhead.scenes.style.layout import PX, Region

GAP = 0.16
"""Between two blocks."""
BAND_GAP = 0.28
NAME = 22.0
"""The size of the names of blocks, which stand close, in pixels at 720p."""
TITLE = 1.25 * NAME * PX
"""What the name of a block needs above its words."""
_LOW, TALLEST = 0.65, 1.25
"""How much higher than wide cells may be; the second, unless something else is asked for."""
_NARROW = 1.7, 0.36
"""Narrow cells may be this much higher than wide, up to that height."""
Bands = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class BlockPlan:
    """Where the blocks lie: a region for row block d and column block a."""

    regions: dict[tuple[int, int], Region]
    tops: tuple[float, ...]
    """The foot of the name of each column block."""
    bands: Bands


@dataclass(frozen=True)
class BlockMeasures:
    """What blocks ask for.

    `across` and `down` are how many columns and rows they have, `titles` the least widths of their
    names, `left` the room for the labels of the rows, `title` that of the names, and `words(a, w)`
    that over the columns of block a if they are w wide. `cell` is the least and the largest side of
    a cell, and `tallest` how much higher than wide cells may be.
    """

    across: tuple[int, ...]
    down: tuple[int, ...]
    titles: tuple[float, ...]
    left: float
    words: Callable[[int, float], float]
    cell: tuple[float, float]
    least_height: float
    tallest: float
    title: float = TITLE

    def bands(self, n: int) -> Bands:
        """The blocks in n bands, one below the other, as even as they can be."""
        count = len(self.across)
        splits = [(0, *cut, count) for cut in combinations(range(1, count), min(n, count) - 1)]

        def widest(edges: Sequence[int]) -> int:
            return max(sum(self.across[a:b]) for a, b in pairwise(edges))

        best = min(splits, key=widest)
        return tuple(tuple(range(a, b)) for a, b in pairwise(best))

    def slot(self, a: int, width: float) -> float:
        """The width of block a, with columns so wide."""
        return max(self.across[a] * width, self.titles[a])

    def header(self, band: Sequence[int], width: float) -> float:
        """What names and words need over a band."""
        return self.title + max(self.words(a, width) for a in band)

    def extent(self, width: float, height: float, bands: Bands) -> Size:
        """How large it all is, with cells of this width and height."""
        widths = [sum(self.slot(a, width) for a in band) + GAP * (len(band) - 1) for band in bands]
        rows = sum(self.down) * height + GAP * (len(self.down) - 1)
        heights = [self.header(band, width) + rows for band in bands]
        return Size(self.left + max(widths), sum(heights) + BAND_GAP * (len(bands) - 1))

    def _largest_cell(self, region: Region, bands: Bands) -> tuple[float, float]:
        """Width and height of the largest cells that a region has room for."""
        least, most = self.cell
        n_rows = sum(self.down) * len(bands)
        for width in map(float, np.linspace(most, least, 160)):
            size = self.extent(width, 0.0, bands)
            room = (region.height - size.height) / n_rows
            height = min(room, max(self.tallest * width, min(_NARROW[0] * width, _NARROW[1])))
            if size.width <= region.width + 1e-6 and height >= max(
                _LOW * width, min(width, self.least_height)
            ):
                return width, height
        return least, max(least, self.least_height)

    def plan(self, region: Region, bands: Bands) -> BlockPlan:
        """The blocks in the middle of a region, with cells as large as fit."""
        width, height = self._largest_cell(region, bands)
        size = self.extent(width, height, bands)
        start = region.center[0] - size.width / 2 + self.left
        top = region.center[1] + size.height / 2
        regions: dict[tuple[int, int], Region] = {}
        tops = [0.0] * len(self.across)
        for band in bands:
            y = top - self.header(band, width)
            for d, n_rows in enumerate(self.down):
                x = start
                for a in band:
                    slot = self.slot(a, width)
                    left = x + (slot - self.across[a] * width) / 2
                    right, bottom = left + self.across[a] * width, y - n_rows * height
                    regions[d, a] = Region(left, bottom, right, y)
                    x += slot + GAP
                y -= n_rows * height + GAP
            for a in band:
                tops[a] = regions[0, a].top + self.header(band, width) - self.title
            top = y + GAP - BAND_GAP
        return BlockPlan(regions, tuple(tops), bands)
