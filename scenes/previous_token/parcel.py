"""Words on their way from token to token along ribbons, and how much of them there is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from manim import VGroup
from numpy.typing import NDArray

from clockhead.scenes.parts.flow import Point, Ribbons
from clockhead.scenes.parts.tile import NOTE_GAP, NOTE_SIZE, Note
from clockhead.scenes.stage import Picture, Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.motion import Drive, in_turn
from clockhead.scenes.style.text import text_width
from clockhead.scenes.style.type import MIN_SIZE

_EACH = 0.45
_JOIN, _LAND = 0.2, 0.8
"""The shares of a ride at which a parcel has come to its ribbon, and leaves it for its home."""


class Parcel(Picture):
    """What a tile will wear, drawn as it will be worn: a word, in a frame that its share fills."""

    def __init__(self, word: Value, share: Value | None = None, size: float = NOTE_SIZE) -> None:
        super().__init__(word)
        self._share = share
        self._width = text_width(str(word.content), MIN_SIZE) + 0.3
        self.note = Note(str(word.content), size)
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
        high, size = self.note.drop, self.note.largest
        self.note.draw(float(x), float(y) + NOTE_GAP + high / 2, self._width, size, high)
        return self

    def readings(self) -> Iterator[Reading]:
        """Its word, and the height of its filling."""
        if is_visible(self.note.frame):
            yield Reading(self.shown, self.note.label.text)
            if self._share is not None:
                yield Reading(self._share, self.note.level.height / self.note.frame.height)


def ride_all(
    ribbons: Ribbons,
    rides: Sequence[tuple[int, int, Parcel]],
    *,
    homes: Sequence[Point] | None = None,
    run_time: float = 2.4,
) -> Drive:
    """Let parcels travel one after another; each ride is receiver, source and parcel.

    With `homes`, each goes on to a place of its own when it has come to its receiver.
    """
    starts = [parcel.middle for _, _, parcel in rides]
    each, land = 1.0 if len(rides) == 1 else _EACH, 1.0 if homes is None else _LAND

    def way(k: int, part: float) -> Point:
        m, n, _ = rides[k]
        ends = [ribbons.at(m, n, float(np.clip((part - _JOIN) / (land - _JOIN), 0, 1)))] * 2
        if part < _JOIN:
            ends[0], share = starts[k], part / _JOIN
        elif homes is not None and part > land:
            ends[1], share = homes[k], (part - land) / (1 - land)
        else:
            return ends[0]
        return ends[0] + (ends[1] - ends[0]) * share

    def show(share: NDArray[np.float64]) -> None:
        parts = in_turn(float(share), len(rides), each)
        for k, (_, _, parcel) in enumerate(rides):
            parcel.put(way(k, float(parts[k])))

    return Drive(VGroup(*(parcel for _, _, parcel in rides)), show, 0.0, 1.0, run_time=run_time)
