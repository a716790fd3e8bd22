"""How the tiles of a strip look: their roles, and whether they are dimmed or there at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from manim import Animation
from numpy.typing import ArrayLike

from clockhead.scenes.parts.strip import Motion, Show, Strip
from clockhead.scenes.parts.tile import Paint, Tile


def paint(
    strip: Strip, places: int | Sequence[int], role: Paint | None, **options: Any
) -> Animation:
    """Give tiles the look of a role; None takes it back."""
    chosen = [strip.tiles[k] for k in ([places] if isinstance(places, int) else places)]

    def change() -> None:
        for tile in chosen:
            tile.role = role

    return _recolor(strip, chosen, change, **options)


def dim_tiles(strip: Strip, *places: int, **options: Any) -> Animation:
    """Let tiles (all, unless some are named) step back; they can still be read."""
    return _set_dimmed(strip, places, True, **options)


def undim_tiles(strip: Strip, *places: int, **options: Any) -> Animation:
    """Let tiles step forward again."""
    return _set_dimmed(strip, places, False, **options)


def leave(strip: Strip, *places: int, by: ArrayLike = (0.0, 0.0, 0.0), **options: Any) -> Animation:
    """Let tiles slide by a vector and fade; they are not there any more."""
    way = np.asarray(by, dtype=float)

    def prepare() -> Show:
        fade, starts = _fade(strip, places, 0.0), {k: strip.tiles[k].state for k in places}
        strip.moving |= set(places)

        def at(share: float) -> None:
            fade(share)
            for k, start in starts.items():
                strip.tiles[k].draw(start + np.array([*way[:2], 0, 0, 0]) * share)

        return at

    return Motion(strip, prepare, lambda: strip.moving.difference_update(places), **options)


def come_back(strip: Strip, *places: int, run_time: float = 0.6, **options: Any) -> Animation:
    """Let tiles that have left be there again."""
    return Motion(strip, lambda: _fade(strip, places, 1.0), run_time=run_time, **options)


def hide_tiles(strip: Strip, *places: int) -> None:
    """Let tiles and their notes not be there, at once: they can come back."""
    for k in places:
        tile = strip.tiles[k]
        tile.present = 0.0
        tile.dress()
        if tile.note:
            tile.note.worn = 0.0
            tile.note.dress()


def _recolor(
    strip: Strip,
    tiles: Sequence[Tile],
    change: Callable[[], None],
    run_time: float = 0.6,
    **more: Any,
) -> Animation:
    def prepare() -> Show:
        before = [tile.look for tile in tiles]
        change()
        after = [tile.worn_look for tile in tiles]
        for tile, look in zip(tiles, before, strict=True):
            if tile.label.has_points() or strip.placed:
                tile.draw(tile.state)
            tile.look = look

        def at(share: float) -> None:
            for tile, a, b in zip(tiles, before, after, strict=True):
                tile.look = b if share >= 1 else a.towards(b, share)
                tile.dress()

        return at

    return Motion(strip, prepare, run_time=run_time, **more)


def _set_dimmed(strip: Strip, places: Sequence[int], dimmed: bool, **options: Any) -> Animation:
    chosen = [strip.tiles[k] for k in places] or list(strip.tiles)

    def change() -> None:
        for tile in chosen:
            tile.dimmed = dimmed

    return _recolor(strip, chosen, change, **options)


def _fade(strip: Strip, places: Sequence[int], goal: float) -> Show:
    """Let tiles be present as far as a goal, from what they are now."""
    chosen = [strip.tiles[k] for k in places] or list(strip.tiles)
    starts = [tile.present for tile in chosen]

    def at(share: float) -> None:
        for tile, start in zip(chosen, starts, strict=True):
            tile.present = start + (goal - start) * share
            tile.dress()

    return at
