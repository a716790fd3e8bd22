"""How the tiles of a strip look: roles, dimming, and the notes below them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from manim import Animation
from numpy.typing import ArrayLike

from clockhead.scenes.parts.strip_lines import as_points
from clockhead.scenes.parts.strip_motion import Motion, MovingStrip, Show, stay
from clockhead.scenes.parts.tile import NOTE_HEIGHT, Look, Paint, Tile
from clockhead.scenes.stage import Value
from clockhead.scenes.style.motion import in_turn
from clockhead.scenes.style.theme import Role

_EACH = 0.5
"""The share of the time that one of many tiles takes, where they set out one after another."""


class StripLooks(MovingStrip):
    """The animations of a `Strip` that leave its tiles where they are."""

    def paint(self, places: int | Sequence[int], role: Paint | None, **options: Any) -> Animation:
        """Give tiles the look of a role; None takes it back."""
        chosen = [self.tiles[k] for k in _listed(places)]

        def change() -> None:
            for tile in chosen:
                tile.role = role

        return self._recolor(chosen, change, **options)

    def dim_tiles(self, *places: int, **options: Any) -> Animation:
        """Let tiles (all, unless some are named) step back; they can still be read."""
        return self._set_dimmed(places, True, **options)

    def undim_tiles(self, *places: int, **options: Any) -> Animation:
        """Let tiles step forward again."""
        return self._set_dimmed(places, False, **options)

    def leave(self, *places: int, by: ArrayLike = (0.0, 0.0, 0.0), **options: Any) -> Animation:
        """Let tiles slide by a vector and fade; they are not there any more."""
        fade = self._set_present(places, 0.0, **options)
        way, inner = np.asarray(by, dtype=float), fade._prepare

        def prepare() -> Show:
            show, starts = inner(), {k: self.tiles[k].state for k in places}
            self.moving |= set(places)

            def at(share: float) -> None:
                show(share)
                for k, start in starts.items():
                    self.tiles[k].draw(start + np.array([*way[:2], 0, 0, 0]) * share)

            return at

        return Motion(self, prepare, lambda: self.moving.difference_update(places), **options)

    def come_back(self, *places: int, **options: Any) -> Animation:
        """Let tiles that have left be there again."""
        return self._set_present(places, 1.0, **options)

    def open_slots(self, *places: int, run_time: float = 1.2, **options: Any) -> Animation:
        """Let a dashed slot draw itself below tiles (all, unless some are named), from the left."""
        return self._set_notes(places, "waiting", 1.0, run_time=run_time, **options)

    def close_slots(self, *places: int, **options: Any) -> Animation:
        """Let slots fade."""
        return self._set_notes(places, "waiting", 0.0, **options)

    def wear(
        self, *places: int, source: ArrayLike | None = None, run_time: float = 1.2, **options: Any
    ) -> Animation:
        """Let notes come into their slots, from a point for each (n, 3) or from under the tile."""
        return self._set_notes(places, "worn", 1.0, source, run_time=run_time, **options)

    def take_off(self, *places: int, **options: Any) -> Animation:
        """Let notes fade."""
        return self._set_notes(places, "worn", 0.0, **options)

    def rewrite(
        self, notes: Value, shares: Value | None = None, *, run_time: float = 1.2
    ) -> Animation:
        """Let notes say other words, and be as full as other shares: the old words go first."""

        def prepare() -> Show:
            every = [(tile.note, k) for k, tile in enumerate(self.tiles) if tile.note]
            words = dict(enumerate(notes.content))
            others = [
                (note, words[token])
                for note, k in every
                if (token := self.order[k]) in words and note.word != words[token]
            ]
            waiting = [True]

            def at(share: float) -> None:
                if share >= 0.5 and waiting:
                    waiting.clear()
                    self.readers[0].shown = notes
                    for note, word in others:
                        note.write(word)
                    if shares is not None and self.fills is not None:
                        self.fills.set_to(shares)
                for note, _ in others:
                    note.written = 1.0 if share >= 1 else abs(1 - 2 * share)
                    note.dress()

            return at

        return Motion(self, prepare if self.placed else lambda: stay, run_time=run_time)

    def show_notes(self, *places: int) -> None:
        """Let notes hang below tiles (all, unless some are named) at once, as in a first frame."""
        for _, tile in self._noted(places):
            if tile.note:
                tile.note.worn = 1.0
                tile.note.dress()

    def frame_notes(self, *places: int, role: Role = "value", **options: Any) -> Animation:
        """Let the frames of notes (all, unless some are named) take a colour, one after another."""

        def prepare() -> Show:
            notes = [tile.note for _, tile in self._noted(places) if tile.note]

            def at(share: float) -> None:
                for note in notes[: round(share * len(notes))]:
                    note.role = role
                    note.dress()

            return at

        return Motion(self, prepare, **options)

    def hide_tiles(self, *places: int) -> None:
        """Let tiles and their notes not be there, at once: they can come back."""
        for k in places:
            tile = self.tiles[k]
            tile.present = 0.0
            tile.dress()
            if tile.note:
                tile.note.worn = 0.0
                tile.note.dress()

    def _recolor(
        self, tiles: Sequence[Tile], change: Callable[[], None], run_time: float = 0.6, **more: Any
    ) -> Animation:
        def prepare() -> Show:
            before = [tile.look for tile in tiles]
            change()
            after = [tile.worn_look for tile in tiles]
            for tile, look in zip(tiles, before, strict=True):
                if tile.label.has_points() or self.placed:
                    tile.draw(tile.state)
                tile.look = look

            def at(share: float) -> None:
                for tile, a, b in zip(tiles, before, after, strict=True):
                    tile.look = _between(a, b, share)
                    tile.dress()

            return at

        return Motion(self, prepare if self.placed else lambda: stay, run_time=run_time, **more)

    def _set_dimmed(self, places: Sequence[int], dimmed: bool, **options: Any) -> Animation:
        chosen = [self.tiles[k] for k in places] or list(self.tiles)

        def change() -> None:
            for tile in chosen:
                tile.dimmed = dimmed

        return self._recolor(chosen, change, **options)

    def _set_present(self, places: Sequence[int], goal: float, **options: Any) -> Motion:
        chosen = [self.tiles[k] for k in places] or list(self.tiles)

        def prepare() -> Show:
            starts = [tile.present for tile in chosen]

            def at(share: float) -> None:
                for tile, start in zip(chosen, starts, strict=True):
                    tile.present = start + (goal - start) * share
                    tile.dress()

            return at

        return Motion(self, prepare, **({"run_time": 0.6} | options))

    def _noted(self, places: Sequence[int]) -> list[tuple[int, Tile]]:
        chosen = places or [k for k, tile in enumerate(self.tiles) if tile.present]
        return [(k, self.tiles[k]) for k in chosen if self.tiles[k].note]

    def _set_notes(
        self,
        places: Sequence[int],
        name: str,
        goal: float,
        source: ArrayLike | None = None,
        run_time: float = 0.6,
        **options: Any,
    ) -> Animation:
        def prepare() -> Show:
            noted = [tile for _, tile in self._noted(places)]
            starts = [float(getattr(tile.note, name)) for tile in noted]
            ways = [np.array([0.0, NOTE_HEIGHT, 0.0]) for _ in noted]
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

        ready = prepare if self.placed else lambda: stay
        return Motion(self, ready, run_time=run_time, **options)


def _listed(places: int | Sequence[int]) -> list[int]:
    return [places] if isinstance(places, int) else list(places)


def _between(a: Look, b: Look, share: float) -> Look:
    return b if share >= 1 else a.towards(b, share)
