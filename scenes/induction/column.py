"""A text in a narrow place: one word below another, with their notes behind them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_lines import SEAM
from clockhead.scenes.parts.tile import HEIGHT, NOTE_GAP
from clockhead.scenes.stage import Size
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.type import MIN_SIZE

_LINE, _LOW = 0.35, 0.3
"""The least distance of lines, and the least height of a tile in them."""


class ColumnText(Strip):
    """Tokens that wear notes (see `noted.worn`), as close together as they can be read."""

    def __init__(self, worn: Mapping[str, Any], size: float) -> None:
        n = len(worn["tokens"])
        super().__init__(**worn, aside=True, size=size, lines=n)

    @property
    def least(self) -> Size:
        return Size(self.measures.block(1, 1, MIN_SIZE).width, len(self.tiles) * _LINE)

    @property
    def most(self) -> Size:
        width = self.measures.block(1, 1, self.size).width
        return Size(width, len(self.tiles) * (HEIGHT * self.size * PX + SEAM))

    def place(self, region: Region) -> None:
        """Stand in the middle of a region."""
        n, width = len(self.tiles), (region.width - NOTE_GAP) / 2
        pitch = min(region.height / n, HEIGHT * self.size * PX + SEAM)
        top, x = region.center[1] + n * pitch / 2, region.left + width / 2
        places = [(x, top - (k + 0.5) * pitch) for k in range(n)]
        self.place_at(np.array(places), (width, max(_LOW, pitch - SEAM)))
