"""A line for a few large tiles."""

from __future__ import annotations

import numpy as np

from scenes.parts.ruler import Ruler
from scenes.parts.strip import Strip
from scenes.rope.film_grid import Space
from scenes.stage import Column
from scenes.style.layout import Region

_END = 0.7
"""How far the line runs on beyond the first and the last word, in positions."""
_PITCH = 0.9
"""From word to word at least, so that scores over them have room, in units."""


class WordLine(Column):
    """A line with a position for every tile of a strip, and `above` units over them."""

    def __init__(self, tiles: Strip, n_words: int, *, above: float) -> None:
        self._tiles, self._n = tiles, n_words
        self.line = Ruler((-_END, n_words - 1 + _END))
        self._over = Space(_PITCH * (n_words + 2 * _END), above)
        super().__init__(self._over, tiles, self.line, gap=0.12)

    def place(self, region: Region) -> None:
        """Stand in the middle of a region, each tile over its position."""
        super().place(region)
        y = self._tiles.middle(0)[1]
        self._tiles.place_at(np.array([[self.line.x(k)[0], y, 0.0] for k in range(self._n)]))

    @property
    def room(self) -> Region:
        """What is over the tiles."""
        return self._over.region
