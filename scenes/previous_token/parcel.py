"""A word on its way from one token to another, and how much of it there is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from scenes.parts.tile import NOTE_GAP, NOTE_HEIGHT, Note
from scenes.stage import Picture, Reading, Value
from scenes.stage.shown import is_visible

Point = NDArray[np.float64]


class Parcel(Picture):
    """What a tile will wear, drawn as it will be worn: a word, in a frame that its share fills."""

    def __init__(self, word: Value, share: Value) -> None:
        super().__init__(share)
        self._word = word
        self.note = Note(str(word.content))
        self.note.share, self.note.worn = float(share.content), 1.0
        self.note.dress()
        self.add(self.note)

    def put(self, middle: Point, width: float) -> None:
        """Stand with its middle on a point, as under a tile of a width."""
        x, y, _ = middle
        self.note.draw(float(x), float(y) + NOTE_GAP + NOTE_HEIGHT / 2, width)

    def readings(self) -> Iterator[Reading]:
        """Its word, and the height of its filling."""
        if is_visible(self.note.frame):
            yield Reading(self._word, self.note.label.text)
            yield Reading(self.shown, self.note.level.height / self.note.frame.height)
