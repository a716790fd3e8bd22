"""What the notes of a strip say: the word that each tile wears, and how full its note is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts.tile import NOTE_HEIGHT, Tile
from clockhead.scenes.stage import Picture, Reading, Value
from clockhead.scenes.stage.shown import is_visible

if TYPE_CHECKING:
    from clockhead.scenes.parts.strip import Strip


class NoteWords(Picture):
    """Reads the words below the tiles. It draws nothing: the tiles carry their notes."""

    def __init__(self, value: Value, strip: Strip) -> None:
        super().__init__(value)
        self._strip = strip

    def readings(self) -> Iterator[Reading]:
        """The word that hangs below each tile."""
        settled = self._strip.settled()
        notes = [tile.note.label for _, tile in settled if tile.note and _settled(tile)]
        words = [(label.text, label.middle) for label in notes]
        for place, tile in settled:
            state = tile.state
            at = [text for text, point in words if _hangs(tile, state, point)]
            token = self._strip.order[place]
            if at and token < len(self.shown.content):
                yield Reading(self.shown[token], " ".join(at))


class NoteFills(Picture):
    """How full each note is: a share of the height of its frame, (n,)."""

    def __init__(self, value: Value, strip: Strip) -> None:
        super().__init__(value)
        self._strip = strip

    def show(self, state: NDArray[np.float64]) -> None:
        """Fill the notes."""
        by_token = dict(zip(self._strip.order, self._strip.tiles, strict=True))
        for token, share in enumerate(state):
            note = by_token[token].note
            if note:
                note.fill_to(float(share))

    def readings(self) -> Iterator[Reading]:
        """The height of each filling against that of its frame."""
        for place, tile in self._strip.settled():
            token, note = self._strip.order[place], tile.note
            if note and _settled(tile) and token < len(self.shown.content):
                bottom, top = note.level.get_bottom()[1], note.level.get_top()[1]
                foot, height = note.frame.get_bottom()[1], note.frame.height
                off = abs(bottom - foot) / height
                yield Reading(self.shown[token], float((top - bottom) / height + off), 1e-6)


def _settled(tile: Tile) -> bool:
    """Whether a note hangs in its place and can be seen."""
    note = tile.note
    return note is not None and is_visible(note.frame) and not note.offset.any()


def _hangs(tile: Tile, state: NDArray[np.float64], point: NDArray[np.float64]) -> bool:
    """Whether a point is where the note of a tile belongs, which stands as its state says."""
    x, y, width, height, _ = state
    if tile.aside:
        return bool(0 <= point[0] - x - width / 2 <= width and abs(point[1] - y) <= height / 2)
    drop = y - height / 2 - float(point[1])
    return bool(abs(point[0] - x) <= width / 2 and 0 <= drop <= 1.5 * NOTE_HEIGHT)
