"""Heads over the keys and values that they look at: their own, those of a group, or of all heads.

A key and a value are as wide as their numbers are many, so that what is kept is seen to scale.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import VMobject
from numpy.typing import ArrayLike, NDArray

from clockhead.scenes.parts.paths import rectangles, straight
from clockhead.scenes.stage import Picture, Reading, Size, Value
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.theme import theme

_RECTANGLE, _LINE = 16, 4
_HEAD, _PAIR, _WIDE = 0.22, 0.34, 0.8
"""How high a head is, and a key and a value; how wide, as a share of the way to the next head."""
_WITHIN = 1e-6


class Sharing(Picture):
    """Where the key and the value of each head stand, (h,), counted in heads; 0 is the first's."""

    least, most = Size(3.4, 1.8), Size(7.4, 3.2)

    def __init__(self, places: Value) -> None:
        super().__init__(places)
        look, self._come = theme(), 0.0
        self.heads, self.keys, self.values = (
            VMobject(stroke_width=0, fill_opacity=1, fill_color=color)
            for color in (look.query, look.key, look.value)
        )
        self.lines = VMobject(stroke_color=look.muted, stroke_width=2.0)
        self.region = Region(0.0, 0.0, 0.0, 0.0)
        self.add(self.lines, self.heads, self.keys, self.values)

    def place(self, region: Region) -> None:
        """Fill a region: heads along its top, keys and values along its foot; no lines yet."""
        self.region = region
        self.show(self.state)

    @property
    def pitch(self) -> float:
        """From one head to the next."""
        return self.region.width / len(self.state)

    def show(self, state: NDArray[np.float64]) -> None:
        area, half = self.region, _WIDE / 2 * self.pitch
        heads, pairs = self._x(np.arange(len(state))), self._x(state)
        low, high = area.bottom, area.bottom + _PAIR
        self.heads.set_points(rectangles(heads - half, area.top - _HEAD, heads + half, area.top))
        self.keys.set_points(rectangles(pairs - half, low, pairs, high))
        self.values.set_points(rectangles(pairs, low, pairs + half, high))
        start, end = _points(heads, area.top - _HEAD), _points(pairs, high)
        self.lines.set_points(straight(start, start + (end - start) * self._come))

    def grow(self, **options: Any) -> Drive:
        """Let lines run from the heads to their keys and values."""

        def show(share: NDArray[np.float64]) -> None:
            self._come = float(share)
            self.show(self.state)

        return Drive(self, show, 0.0, 1.0, **options)

    def readings(self) -> Iterator[Reading]:
        """Where the line of each head ends, and where its key and its value meet."""
        if self._come < 1:
            return
        x = [
            path.points.reshape(-1, _RECTANGLE, 3)[..., 0]
            for path in (self.heads, self.keys, self.values)
        ]
        starts, ends = self.lines.points.reshape(-1, _LINE, 3)[:, [0, -1], 0].T
        heads = (x[0].min(axis=1) + x[0].max(axis=1)) / 2
        for k, head in enumerate(heads):
            apart = float(np.abs(starts - head).min())
            line = ends[np.abs(starts - head).argmin()] if apart < _WITHIN else np.nan
            for place in (line, x[1][k].max(), x[2][k].min()):
                says = float((place - self.region.left) / self.pitch - 0.5)
                yield Reading(self.shown[k], says, _WITHIN)

    def _x(self, places: ArrayLike) -> NDArray[np.float64]:
        return np.asarray(self.region.left + (np.asarray(places) + 0.5) * self.pitch)


class Latent(Picture):
    """One vector in place of keys and values, and a rotated key: as wide as they have numbers.

    Both are counted in pairs of a key and a value, (2,).
    """

    def __init__(self, pairs: Value, sharing: Sharing) -> None:
        super().__init__(pairs)
        self._pair, self._area = _WIDE * sharing.pitch, sharing.region
        self.paths = [
            VMobject(stroke_width=0, fill_opacity=1, fill_color=color)
            for color in (theme().residual, theme().position)
        ]
        self.add(*self.paths)
        self.show(self.state)

    def show(self, state: NDArray[np.float64]) -> None:
        """Stand side by side in the middle of the foot."""
        edges = self._pair * np.concatenate([[0.0], np.cumsum(state)])
        edges += self._area.center[0] - edges[-1] / 2
        foot = self._area.bottom
        for path, left, right in zip(self.paths, edges[:-1], edges[1:], strict=True):
            path.set_points(rectangles(left, foot, right, foot + _PAIR))

    def readings(self) -> Iterator[Reading]:
        """How wide they are."""
        for k, path in enumerate(self.paths):
            yield Reading(self.shown[k], float(np.ptp(path.points[:, 0])) / self._pair, _WITHIN)


def _points(x: NDArray[np.float64], y: float) -> NDArray[np.float64]:
    return np.stack([x, np.full_like(x, y), np.zeros_like(x)], axis=-1)
