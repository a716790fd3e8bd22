"""Heads over the keys and values that they look at: their own, those of a group, or of all heads.

A key and a value are as wide as their numbers are many, so that what is kept is seen to scale.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.paths import rectangles, straight
from clockhead.scenes.stage import Picture, Reading, Size, Value
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.theme import theme

_RECTANGLE, _LINE = 16, 4
_HEAD, _PAIR, _WIDE = 0.22, 0.34, 0.8
"""How high a head is, and a key and a value; how wide, as a share of the way to the next head."""
_RISE, _MADE = 0.6, 0.5
"""How far pairs rise, as a share of the room over them, and how faint they are then."""
_WITHIN = 1e-6


class Sharing(Picture):
    """Where the key and the value of each head stand, (h,), counted in heads; 0 is the first's."""

    least, most = Size(3.4, 1.8), Size(7.4, 3.2)

    def __init__(self, places: Value) -> None:
        super().__init__(places)
        look, self._n = theme(), len(places)
        self.heads, self.keys, self.values = (
            VMobject(stroke_width=0, fill_opacity=1, fill_color=color)
            for color in (look.query, look.key, look.value)
        )
        self.lines, self.fan = (
            VMobject(stroke_color=look.muted, stroke_width=2.0) for _ in range(2)
        )
        self._come, self._lift = 0.0, 0.0
        """How far the lines have come, and how far keys and values have risen."""
        self.region = Region(0.0, 0.0, 0.0, 0.0)
        self.add(self.fan, self.lines, self.heads, self.keys, self.values)

    def place(self, region: Region) -> None:
        """Fill a region: heads along its top, keys and values along its foot; no lines yet."""
        self.region = region
        self.show(self.state)

    @property
    def pitch(self) -> float:
        """From one head to the next."""
        return self.region.width / self._n

    @property
    def foot(self) -> Region:
        """Where keys and values stand."""
        area = self.region
        return Region(area.left, area.bottom, area.right, area.bottom + _PAIR)

    def show(self, state: NDArray[np.float64]) -> None:
        area, half = self.region, _WIDE / 2 * self.pitch
        heads, pairs = self._x(np.arange(float(self._n))), self._x(state)
        self.heads.set_points(rectangles(heads - half, area.top - _HEAD, heads + half, area.top))
        foot = self.foot
        low = foot.bottom + self._lift * _RISE * (area.height - _HEAD - 2 * _PAIR)
        self.keys.set_points(rectangles(pairs - half, low, pairs, low + _PAIR))
        self.values.set_points(rectangles(pairs, low, pairs + half, low + _PAIR))
        if self._lift == 1:
            source = _points(np.full_like(pairs, foot.center[0]), foot.top)
            self.fan.set_points(straight(source, _points(pairs, low)))
        start, end = _points(heads, area.top - _HEAD), _points(pairs, low + _PAIR)
        self.lines.set_points(straight(start, start + (end - start) * self._come))

    def grow(self, **options: Any) -> Drive:
        """Let lines run from the heads to their keys and values."""

        def show(share: NDArray[np.float64]) -> None:
            self._come = float(share)
            self.show(self.state)

        return Drive(self, show, 0.0, 1.0, **options)

    def rise(self, **options: Any) -> Drive:
        """Let keys and values rise from the foot, where something else stands that makes them."""

        def show(share: NDArray[np.float64]) -> None:
            self._lift = float(share)
            VGroup(self.keys, self.values).set_fill(opacity=1 - _MADE * self._lift)
            self.show(self.state)

        return Drive(self, show, 0.0, 1.0, **options)

    def readings(self) -> Iterator[Reading]:
        """Where the line of each head ends, and where its key and its value meet."""
        if self._come < 1:
            return
        x = self.heads.points.reshape(-1, _RECTANGLE, 3)[..., 0]  # (h, 16)
        heads = (x.min(axis=1) + x.max(axis=1)) / 2
        ends = self.lines.points.reshape(-1, _LINE, 3)[:, [0, -1], 0]  # (h, 2)
        for head, (start, end) in zip(heads, ends, strict=True):
            k = round(self._read(start))
            yield Reading(self.shown[k], self._read(end), _WITHIN)
            if abs(start - head) > _WITHIN:
                yield Reading(self.shown[k], "a line from no head")
        keys, values = (
            path.points.reshape(-1, _RECTANGLE, 3)[..., 0] for path in (self.keys, self.values)
        )
        fan = self.fan.points.reshape(-1, _LINE, 3)[:, -1, 0]
        for edges in (keys.max(axis=1), values.min(axis=1), fan):
            yield from (Reading(self.shown[k], self._read(x), _WITHIN) for k, x in enumerate(edges))

    def _x(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(self.region.left + (np.asarray(places) + 0.5) * self.pitch)

    def _read(self, x: float) -> float:
        return float((x - self.region.left) / self.pitch - 0.5)


class Latent(Picture):
    """One vector in place of keys and values, as wide as its numbers are many: in pairs of both."""

    def __init__(self, pairs: Value, sharing: Sharing) -> None:
        super().__init__(pairs)
        self._sharing = sharing
        self.path = VMobject(stroke_width=0, fill_opacity=1, fill_color=theme().residual)
        self.add(self.path)
        self.show(self.state)

    def show(self, state: NDArray[np.float64]) -> None:
        """Stand in the middle of the foot."""
        foot, half = self._sharing.foot, float(state) / 2 * self._sharing.pitch * _WIDE
        x = foot.center[0]
        self.path.set_points(rectangles(x - half, foot.bottom, x + half, foot.top))

    def readings(self) -> Iterator[Reading]:
        """How wide it is."""
        x, pair = self.path.points[:, 0], self._sharing.pitch * _WIDE
        yield Reading(self.shown, float((x.max() - x.min()) / pair), _WITHIN)


def _points(x: NDArray[np.float64], y: float) -> NDArray[np.float64]:
    return np.stack([x, np.full_like(x, y), np.zeros_like(x)], axis=-1)
