"""A line for a few large tiles, and what fades onto and off the page."""

from __future__ import annotations

import numpy as np
from manim import UP

from scenes.parts.ruler import Ruler
from scenes.parts.strip import Strip
from scenes.stage import Size
from scenes.style.layout import Region

_END = 0.7
"""How far the line runs on beyond the first and the last word, in positions."""
_PITCH = 0.9
"""From word to word at least, so that scores over them have room, in units."""
_OVER = 0.12
"""Between the line and a tile that stands on it, in units."""


class WordLine:
    """A line with a position for every tile of a strip; at least `above` units are over them."""

    def __init__(self, tiles: Strip, n_words: int, *, above: float) -> None:
        self._tiles, self._above, self._n = tiles, above, n_words
        self.line = Ruler((-_END, n_words - 1 + _END))
        self.room = Region(0.0, 0.0, 0.0, 0.0)
        """What is over the tiles."""

    @property
    def least(self) -> Size:
        tiles = self._tiles.least
        height = self.line.least.height + _OVER + tiles.height + self._above
        pitch = max(tiles.width / self._n, _PITCH)
        return Size(pitch * (self._n + 2 * _END), height)

    most = Size(float("inf"), 4.0)

    def place(self, region: Region) -> None:
        """Stand in the middle of a region, the tiles on the line."""
        spare = max(0.0, region.height - self.least.height) / 3
        band, rest = region.inset(0.0, spare).cut_bottom(self.line.least.height, gap=_OVER)
        self.line.place(band)
        feet = np.array([self.line.x(k) for k in range(self._n)])
        height = float(self._tiles.states_on(feet, None)[0, 3])
        self._tiles.place_at(feet + (_OVER + height / 2) * UP)
        self.room = Region(rest.left, float(self._tiles.top(0)[1]), rest.right, rest.top)
