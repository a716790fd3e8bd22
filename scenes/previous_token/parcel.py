"""Notes that travel from token to token along ribbons, filled by their attention weights."""

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
"""Fraction of the run time that each of several rides takes."""
_JOIN, _LAND = 0.2, 0.8
"""Fractions of a ride at which a parcel reaches its ribbon, and leaves it for its home."""


class Parcel(Picture):
    """A note on its way to a tile: a word in a frame, which is filled up to its share."""

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
        """Current middle of the note; (3,)."""
        return np.array(self.note.frame.get_center())

    def put(self, middle: Point, width: float | None = None) -> Parcel:
        """Move the middle to a point, with the width of the tile that it belongs to, if given."""
        self._width = self._width if width is None else float(width)
        x, y, _ = middle
        high, size = self.note.drop, self.note.largest
        self.note.draw(float(x), float(y) + NOTE_GAP + high / 2, self._width, size, high)
        return self

    def readings(self) -> Iterator[Reading]:
        """The word, and the height of the filling."""
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
    """Move parcels one after another; a ride is a receiver, a source and a parcel.

    With `homes`, each parcel goes on from its receiver to a place of its own.
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
