"""What a token leaves: a key, a value, one of both in every head, and in every layer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.paths import rectangles
from clockhead.scenes.stage import Picture, Reading, Size, Value
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.theme import theme

_ROW = 0.55
"""The height of a single key."""
_SEAM, _BESIDE, _BELOW = 0.25, 0.06, 0.15
"""What is left free beside a number, beside a key or a value, and below them, as a share of it."""
_FUSED = 1.3
"""The level from which on numbers are not told apart."""
_LOOSE = 1e-6
_RECTANGLE = 16


class Multiplied(Picture):
    """So many numbers in a key, key and value, heads, and layers: the first four of `factors`.

    Each of its numbers is as large as any other. At level 0 it is a key, at 1 a key and a value, at
    2 one of both for each head, at 3 for each head of each layer. The higher the level, the farther
    away it is seen from.
    """

    def __init__(self, factors: Value) -> None:
        super().__init__(factors)
        look = theme()
        self._counts = [int(count) for count in factors.array[:4]]
        self._level = 0.0
        self.paths = [
            VMobject(stroke_width=0, fill_opacity=1, fill_color=color)
            for color in (look.key, look.value)
        ]
        self.add(*self.paths)
        self.region: Region | None = None

    least = Size(3.6, 1.4)
    most = Size(11.0, 3.8)

    def place(self, region: Region) -> None:
        """Fill a region when all of it is there."""
        self.region = region
        self.go_to(0.0)

    def rise(self, level: int, **options: Any) -> Drive:
        """Be seen from farther and farther away, until all of a level is there."""
        return Drive(self, lambda at: self.go_to(float(at)), self._level, float(level), **options)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw it as it is."""
        self.go_to(self._level)

    def go_to(self, level: float) -> None:
        """Draw it from a level."""
        self._level = level
        if self.region is None:
            return
        area, (n, _, heads, layers) = self.region, self._counts
        column = area.width * _between((2.0, 1.0, 1.0, 1 / layers), level)
        lowest = min(_ROW, area.height)
        row = _between((lowest, lowest, area.height / heads, area.height / heads), level)
        height = _between((lowest, lowest, area.height, area.height), level)
        tops = area.center[1] + height / 2 - row * np.arange(round(np.floor(height / row + _LOOSE)))
        lefts = area.left + column * np.arange(max(1, int(area.width / column + _LOOSE)))
        fine = n if level < _FUSED else 1
        gap = _SEAM * float(np.clip((_FUSED - level) / (_FUSED - 1), 0.0, 1.0))
        cell = column / 2 * (1 - _BESIDE) / fine
        for half, path in enumerate(self.paths):
            x = (lefts[:, None] + half * column / 2 + cell * np.arange(fine)).ravel()
            x, y = np.meshgrid(x[x + cell <= area.right + _LOOSE], tops)
            right, bottom = x + cell * (1 - gap), y - row * (1 - _BELOW)
            path.set_points(rectangles(*(edge.ravel() for edge in (x, bottom, right, y))))

    def readings(self) -> Iterator[Reading]:
        """How many pieces there are, across and down, where the way to the next level is over."""
        level = round(self._level)
        if self.region is None or abs(self._level - level) > 1e-9:
            return
        corners = [path.points.reshape(-1, _RECTANGLE, 3) for path in self.paths]
        lefts = [_different(c[..., 0].min(axis=1)) for c in corners]
        rows = _different(corners[0][..., 1].max(axis=1))
        numbers, kinds, heads, layers = range(4)
        if level < 2:
            yield Reading(self.shown[numbers], float(lefts[0]))
            if level:
                yield Reading(self.shown[kinds], float(lefts[0] + lefts[1]) / max(lefts))
            return
        yield Reading(self.shown[kinds], float(sum(map(bool, lefts))))
        yield Reading(self.shown[heads], float(rows))
        if level == 3:
            yield Reading(self.shown[layers], float(lefts[1]))


def _between(levels: Sequence[float], level: float) -> float:
    """A length at a level that may lie between two; it changes by equal factors in equal times."""
    return float(np.exp(np.interp(level, range(len(levels)), np.log(levels))))


def _different(places: NDArray[np.float64]) -> int:
    """How many different places there are."""
    return int((np.diff(np.sort(places)) > 1e-5).sum()) + 1 if len(places) else 0
