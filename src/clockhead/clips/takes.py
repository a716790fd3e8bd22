"""Takes: the beats of a clip, each encoded by itself, so that another clip may have the same.

A take follows from the state in which its beat begins, its sentences, and what does not differ
between clips that are alike. When a shot has been rendered before, with another caption or another
shot before it, it is first played blindly: a beat that begins and ends as it did then, and says the
same in as many frames, is not drawn and encoded again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import av
import numpy as np
from manim import Mobject, VMobject
from manim.utils.exceptions import EndSceneEarlyException
from numpy.typing import NDArray

from clockhead.clips.clip import Clip, Take
from clockhead.clips.stream import opened, packets_of

if TYPE_CHECKING:
    from clockhead.scenes.stage import Beat, Line, Stage

_GRID = 1e-6
"""States that differ by less are the same: what is played blindly is rounded otherwise."""
_OFF = 0.317
"""Where the grid lies between round numbers, of which pictures are full."""
_AS_GOOD = 0.9
"""A later frame is preferred as the poster when it is nearly as rich as the richest."""


@dataclass(frozen=True, slots=True)
class Known:
    """A take that another clip has, and its pictures as they were encoded for that one.

    Without a take it is a beat that nobody wants to see.
    """

    take: Take | None = None
    packets: Sequence[av.Packet[Any]] = ()


class Astray(Exception):
    """A stage did not come to the state in which a take of another clip begins or ends."""


class TakeLog:
    """Keeps book of a stage as it is played, beat by beat, and ends it before beat `end`."""

    def __init__(
        self, opening: str, known: Mapping[int, Known] | None = None, end: int | None = None
    ) -> None:
        self.takes: list[Take] = []
        self._known, self._end = known or {}, end
        self._state, self._first = opening, 0
        self._inks: list[tuple[int, float]] = []

    def on_play(self, stage: Stage, ink: Callable[[], float]) -> None:
        """A play has ended; `ink` says how rich the picture is, where there is one."""
        if len(self.takes) not in self._known:
            self._inks.append((stage.frame - self._first, ink()))

    def on_beat(self, stage: Stage) -> None:
        """A beat is over.

        Raises:
            Astray: when it was known and did not end, or had not begun, as it did there.
            EndSceneEarlyException: when no more is wanted.
        """
        before, self._state = self._state, state_of(stage)
        known = self._known.get(len(self.takes), Known()).take
        take = Take(stage.frame - self._first, before, self._state, tuple(self._inks))
        if known and take != replace(known, inks=()):
            raise Astray
        self.takes.append(known or take)
        self._first, self._inks = stage.frame, []
        if len(self.takes) == self._end:
            raise EndSceneEarlyException


def poster_of(takes: Sequence[Take]) -> tuple[int, float]:
    """The last frame that shows about as much as any, and how rich it is."""
    frame, richness, most = 0, 0.0, 0.0
    for first, take in zip(starts_of(takes), takes, strict=False):
        for shown, ink in take.inks:
            most = max(most, ink)
            if ink >= _AS_GOOD * most:
                frame, richness = first + shown - 1, ink
    return frame, richness


def known_takes(earlier: Clip, takes: Sequence[Take], stage: Stage) -> dict[int, Known]:
    """Which beats of a stage that was played blindly are as in an earlier clip, by number."""
    told = _told(earlier.beats, earlier.lines, earlier.takes)
    there = {of_beat: number for number, of_beat in enumerate(told)}
    here = enumerate(_told(stage.beats, stage.lines, takes))
    same = {number: there[of_beat] for number, of_beat in here if of_beat in there}
    starts = starts_of(earlier.takes)
    with opened(earlier.video) as film:
        packets = list(packets_of(film))
    return {
        number: Known(
            earlier.takes[other],
            [p for p in packets if starts[other] <= (p.pts or 0) < starts[other + 1]],
        )
        for number, other in same.items()
    }


def _told(
    beats: Sequence[Beat], lines: Sequence[Line], takes: Sequence[Take]
) -> list[tuple[Any, ...]]:
    """What tells beats apart, between clips that are alike: what is said and when, and states."""
    told = []
    for beat, take, (first, end) in zip(beats, takes, pairwise(starts_of(takes)), strict=True):
        said = tuple((x.text, x.frame - first, x.asks) for x in lines if first <= x.frame < end)
        told.append((beat.name, said, replace(take, inks=())))
    return told


def starts_of(takes: Sequence[Take]) -> list[int]:
    """The frames with which takes begin, and the one with which the last is over."""
    return list(accumulate((take.frames for take in takes), initial=0))


def state_of(stage: Stage) -> str:
    """What all that can be seen now is known by."""
    canvas, view = stage.canvas, getattr(stage.camera, "view", None)
    hashed = hashlib.sha256(_placed(canvas.left, canvas.bottom, canvas.right, canvas.top))
    hashed.update(b"" if view is None else _placed(*view.focus, view.zoom))
    for mobject in _pieces(stage.mobjects):
        hashed.update(_look_of(mobject))
    return hashed.hexdigest()


def _pieces(mobjects: Sequence[Mobject]) -> Iterator[Mobject]:
    """What is drawn, in order."""
    for mobject in mobjects:
        for member in mobject.get_family():
            if len(member.points):
                yield member


def _look_of(mobject: Mobject) -> bytes:
    """All that the pixels of a mobject depend on; nothing if it cannot be seen."""
    if not isinstance(mobject, VMobject):
        pixels = getattr(mobject, "pixel_array", np.zeros(0))
        return _on_grid(mobject.points) + np.ascontiguousarray(pixels).tobytes()
    pens = (
        (mobject.fill_rgbas, 1.0),
        (mobject.stroke_rgbas, mobject.stroke_width),
        (mobject.background_stroke_rgbas, mobject.background_stroke_width),
    )
    seen = [
        (rgbas, width)
        for rgbas, width in pens
        if width > _GRID and len(rgbas) and (rgbas[:, 3] > _GRID).any()
    ]
    if not seen:
        return b""
    parts = [part for rgbas, width in seen for part in (_on_grid(rgbas), _placed(float(width)))]
    style = (mobject.z_index, mobject.joint_type, mobject.cap_style, len(seen))
    return b"".join([repr(style).encode(), _on_grid(mobject.points), *parts])


def _placed(*numbers: float) -> bytes:
    return _on_grid(np.array(numbers))


def _on_grid(numbers: NDArray[np.float64]) -> bytes:
    return np.floor(numbers / _GRID + _OFF).astype(np.int64).tobytes()
