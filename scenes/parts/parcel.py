"""A word on its way from one token to another, and how much of it there is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts.tile import NOTE_GAP, NOTE_HEIGHT, Note
from clockhead.scenes.stage import Picture, Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.text import text_width
from clockhead.scenes.style.type import MIN_SIZE

Point = NDArray[np.float64]


class Parcel(Picture):
    """What a tile will wear, drawn as it will be worn: a word, in a frame that its share fills."""

    def __init__(self, word: Value, share: Value | None = None) -> None:
        super().__init__(word)
        self._share = share
        self._width = text_width(str(word.content), MIN_SIZE) + 0.3
        self.note = Note(str(word.content))
        self.note.share, self.note.worn = 1.0 if share is None else float(share.content), 1.0
        self.note.dress()
        self.put(np.zeros(3))
        self.add(self.note)

    @property
    def middle(self) -> Point:
        """Where it is."""
        return np.array(self.note.frame.get_center())

    def put(self, middle: Point, width: float | None = None) -> Parcel:
        """Stand with its middle on a point, as under a tile of a width (that of before)."""
        self._width = self._width if width is None else float(width)
        x, y, _ = middle
        self.note.draw(float(x), float(y) + NOTE_GAP + NOTE_HEIGHT / 2, self._width)
        return self

    def readings(self) -> Iterator[Reading]:
        """Its word, and the height of its filling."""
        if is_visible(self.note.frame):
            yield Reading(self.shown, self.note.label.text)
            if self._share is not None:
                yield Reading(self._share, self.note.level.height / self.note.frame.height)
