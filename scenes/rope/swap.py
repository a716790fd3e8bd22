"""An animation that swaps two tiles of a strip."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Animation

from clockhead.scenes.parts.strip import Motion, Show, Strip
from clockhead.scenes.stage import Value

_RISE = 1.3
"""Largest height to which the tiles rise, in units."""


def swap(
    strip: Strip,
    i: int,
    j: int,
    *,
    to: Value | None = None,
    rise: float | None = None,
    run_time: float = 3.0,
    **options: Any,
) -> Animation:
    """Swap two tiles on opposite half-circles, flattened to a height of `rise`.

    Position numbers do not move: they belong to the places. With `to`, the strip then shows
    another value: the tokens in their new order.
    """

    def prepare() -> Show:
        first, second = strip.tiles[i], strip.tiles[j]
        a, b = first.state, second.state
        half = (b - a) / 2
        radius = float(np.hypot(half[0], half[1]))
        height = min(radius, _RISE) if rise is None else rise
        out = np.array([-half[1], half[0], 0, 0, 0]) / max(radius, 1e-9) * height
        strip.moving |= {i, j}
        first.take_number_of(second)
        first.leaves_number = second.leaves_number = True

        def at(share: float) -> None:
            if share >= 1:
                first.draw(b)
                second.draw(a)
                return
            turn = np.pi * share
            way = -np.cos(turn) * half + np.sin(turn) * out
            first.draw((a + b) / 2 + way)
            second.draw((a + b) / 2 - way)

        return at

    def settle() -> None:
        strip.moving -= {i, j}
        for tile in (strip.tiles[i], strip.tiles[j]):
            tile.leaves_number = False
            tile.draw(tile.state)
        strip.tiles[i], strip.tiles[j] = strip.tiles[j], strip.tiles[i]
        strip.order[i], strip.order[j] = strip.order[j], strip.order[i]
        shapes = strip.submobjects
        first, second = (shapes.index(strip.tiles[k]) for k in (i, j))
        shapes[first], shapes[second] = shapes[second], shapes[first]
        if to is not None:
            strip.shown = to
            strip.order[: len(to)] = range(len(to))

    return Motion(strip, prepare, settle, run_time=run_time, **options)
