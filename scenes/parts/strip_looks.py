"""The look of a strip's tiles: their roles, their visibility, and the notes below them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from manim import Animation
from numpy.typing import ArrayLike

from clockhead.scenes.parts.strip import Motion, Show, Strip
from clockhead.scenes.parts.strip_lines import as_points
from clockhead.scenes.parts.tile import Paint, Tile
from clockhead.scenes.stage import Value
from clockhead.scenes.style.motion import in_turn
from clockhead.scenes.style.theme import Role

_EACH = 0.5
"""Fraction of the time that one tile takes, when several start one after another."""


def paint(
    strip: Strip, places: int | Sequence[int], role: Paint | None, **options: Any
) -> Animation:
    """Give tiles the look of a role; None restores the plain look."""
    chosen = [strip.tiles[k] for k in ([places] if isinstance(places, int) else places)]

    def change() -> None:
        for tile in chosen:
            tile.role = role

    return _recolor(strip, chosen, change, **options)


def dim_tiles(strip: Strip, *places: int, **options: Any) -> Animation:
    """Dim tiles (default: all); they remain legible."""
    return _set_dimmed(strip, places, True, **options)


def undim_tiles(strip: Strip, *places: int, **options: Any) -> Animation:
    """Undo `dim_tiles`."""
    return _set_dimmed(strip, places, False, **options)


def leave(strip: Strip, *places: int, by: ArrayLike = (0.0, 0.0, 0.0), **options: Any) -> Animation:
    """Slide tiles by a vector and fade them out."""
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
    """Fade in tiles that have left."""
    return Motion(strip, lambda: _fade(strip, places, 1.0), run_time=run_time, **options)


def hide_tiles(strip: Strip, *places: int) -> None:
    """Hide tiles and their notes, without an animation."""
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
    """A function that changes the opacity of tiles (default: all) to a goal."""
    chosen = [strip.tiles[k] for k in places] or list(strip.tiles)
    starts = [tile.present for tile in chosen]

    def at(share: float) -> None:
        for tile, start in zip(chosen, starts, strict=True):
            tile.present = start + (goal - start) * share
            tile.dress()

    return at


def open_slots(strip: Strip, *places: int, run_time: float = 1.2, **options: Any) -> Animation:
    """Draw a dashed slot below tiles (default: all), from left to right."""
    return _set_notes(strip, places, "waiting", 1.0, run_time=run_time, **options)


def close_slots(strip: Strip, *places: int, **options: Any) -> Animation:
    """Fade out slots."""
    return _set_notes(strip, places, "waiting", 0.0, **options)


def wear(
    strip: Strip,
    *places: int,
    source: ArrayLike | None = None,
    run_time: float = 1.2,
    **options: Any,
) -> Animation:
    """Move notes into their slots, from a point for each, (n, 3), or from under the tile."""
    return _set_notes(strip, places, "worn", 1.0, source, run_time=run_time, **options)


def take_off(strip: Strip, *places: int, **options: Any) -> Animation:
    """Fade out notes."""
    return _set_notes(strip, places, "worn", 0.0, **options)


def rewrite_notes(
    strip: Strip, notes: Value, shares: Value | None = None, *, run_time: float = 1.2
) -> Animation:
    """Change the words of notes, and how full they are; the old words fade out first."""

    def prepare() -> Show:
        every = [(tile.note, k) for k, tile in enumerate(strip.tiles) if tile.note]
        words = dict(enumerate(notes.content))
        others = [
            (note, words[token])
            for note, k in every
            if (token := strip.order[k]) in words and note.word != words[token]
        ]
        waiting = [True]

        def at(share: float) -> None:
            if share >= 0.5 and waiting:
                waiting.clear()
                strip.readers[0].shown = notes
                for note, word in others:
                    note.write(word)
                if shares is not None and strip.fills is not None:
                    strip.fills.set_to(shares)
            for note, _ in others:
                note.written = 1.0 if share >= 1 else abs(1 - 2 * share)
                note.dress()

        return at

    return Motion(strip, prepare, run_time=run_time)


def show_notes(strip: Strip, *places: int) -> None:
    """Show notes below tiles (default: all), without an animation."""
    for _, tile in _tiles_with_notes(strip, places):
        if tile.note:
            tile.note.worn = 1.0
            tile.note.dress()


def frame_notes(strip: Strip, *places: int, role: Role = "value", **options: Any) -> Animation:
    """Colour the frames of notes (default: all) one after another."""

    def prepare() -> Show:
        notes = [tile.note for _, tile in _tiles_with_notes(strip, places) if tile.note]

        def at(share: float) -> None:
            for note in notes[: round(share * len(notes))]:
                note.role = role
                note.dress()

        return at

    return Motion(strip, prepare, **options)


def _tiles_with_notes(strip: Strip, places: Sequence[int]) -> list[tuple[int, Tile]]:
    chosen = places or [k for k, tile in enumerate(strip.tiles) if tile.present]
    return [(k, strip.tiles[k]) for k in chosen if strip.tiles[k].note]


def _set_notes(
    strip: Strip,
    places: Sequence[int],
    name: str,
    goal: float,
    source: ArrayLike | None = None,
    run_time: float = 0.6,
    **options: Any,
) -> Animation:
    def prepare() -> Show:
        noted = [tile for _, tile in _tiles_with_notes(strip, places)]
        starts = [float(getattr(tile.note, name)) for tile in noted]
        ways = [np.array([0.0, tile.note.drop if tile.note else 0.0, 0.0]) for tile in noted]
        if source is not None:
            points = as_points(np.atleast_2d(np.asarray(source, dtype=float)))
            homes = np.array([tile.note.frame.get_center() for tile in noted if tile.note])
            ways = list(points - homes)

        def at(share: float) -> None:
            shares = in_turn(share, len(noted), _EACH)
            for tile, start, way, part in zip(noted, starts, ways, shares, strict=True):
                note = tile.note
                assert note is not None
                setattr(note, name, start + (goal - start) * float(part))
                if name == "worn" and goal:
                    note.worn = float(min(1.0, part * 6)) if start < 1 else 1.0
                    note.offset = way * (1 - part) if start < 1 else np.zeros(3)
                    tile.draw_note()
                note.dress()

        return at

    return Motion(strip, prepare, run_time=run_time, **options)
