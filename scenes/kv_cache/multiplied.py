"""What a token leaves: a key and a value, one of both in every head, and in every layer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.paths import rectangles
from clockhead.scenes.stage import Picture, Reading, Size, Value
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.theme import theme

_SEAM = 0.12
"""What is left free beside and below a key or a value, as a share of it."""
_ROW = 0.8
"""The height of a single key."""
_LOOSE, _RECTANGLE = 1e-6, 16
_HEADS, _LAYERS = 2, 3


class Multiplied(Picture):
    """Keys and values of so many heads, in rows, and layers, in columns: two of the `factors`.

    At level 0 it is one key and one value, at 1 one of both for each head, at 2 for each head of
    each layer. The higher the level, the farther away it is seen from.
    """

    least, most = Size(3.6, 1.4), Size(11.0, 3.8)

    def __init__(self, factors: Value) -> None:
        super().__init__(factors)
        self._level, self.region = 0.0, Region(0.0, 0.0, 0.0, 0.0)
        look = theme()
        self.paths = [
            VMobject(stroke_width=0, fill_opacity=1, fill_color=color)
            for color in (look.key, look.value)
        ]
        self.add(*self.paths)

    def place(self, region: Region) -> None:
        """Fill a region."""
        self.region = region
        self.show(self.state)

    def rise(self, level: int, **options: Any) -> Drive:
        """Be seen from farther and farther away, until all of a level is there."""

        def show(at: NDArray[np.float64]) -> None:
            self._level = float(at)
            self.show(self.state)

        return Drive(self, show, self._level, float(level), **options)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw what is seen of it from its level."""
        area, level = self.region, self._level
        column = area.width / state[_LAYERS] ** np.clip(level - 1, 0.0, 1.0)
        share, all_rows = np.clip(level, 0.0, 1.0), area.height / state[_HEADS]
        row = _ROW * (all_rows / _ROW) ** share
        height = _ROW * (area.height / _ROW) ** share
        lefts = area.left + column * np.arange(int(area.width / column + _LOOSE))
        tops = area.center[1] + height / 2 - row * np.arange(int(height / row + _LOOSE))
        x, y = (places.ravel() for places in np.meshgrid(lefts, tops))
        wide, high = column / 2 * (1 - _SEAM), row * (1 - _SEAM)
        for path, left in zip(self.paths, (x, x + column / 2), strict=True):
            path.set_points(rectangles(left, y - high, left + wide, y))

    def readings(self) -> Iterator[Reading]:
        """How many pieces there are, across and down, where the way to the next level is over."""
        level = round(self._level)
        if abs(self._level - level) > _LOOSE:
            return
        corners = [path.points.reshape(-1, _RECTANGLE, 3) for path in self.paths]
        lefts = [_different(piece[..., 0].min(axis=1)) for piece in corners]
        rows = {_different(piece[..., 1].max(axis=1)) for piece in corners}
        yield Reading(self.shown[1], float(sum(map(bool, lefts))))
        if level > 0:
            yield from (Reading(self.shown[_HEADS], float(n)) for n in rows)
        if level > 1:
            yield from (Reading(self.shown[_LAYERS], float(n)) for n in lefts)


def _different(places: NDArray[np.float64]) -> int:
    """How many different places there are."""
    return len(np.unique(places.round(5)))
