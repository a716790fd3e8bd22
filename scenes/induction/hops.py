"""The two steps of the match as arrows: from a word to its note, and from the last word to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.paths import arrow_head, straight
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.tile import Note
from clockhead.scenes.stage import Picture, Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import Role, theme

Point = NDArray[np.float64]

_BREADTH = 12.0
"""How broad the line of a whole share is, in pixels."""
_HEAD, _NAME = 0.36, 30.0
"""The length of a head, in units, and the size of a name, in pixels."""
_LANE, _ROUND, _NAME_OFF, _AIR = 0.42, 0.25, 0.32, 0.03
"""How far beyond the notes an arrow goes along them, the radius of its corners, and how far beyond
its name stands, and what stays free before a note."""


class Hop(Picture):
    """What the word `start` gives by its row (T,), or takes: an arrow to the note at `end`.

    The arrow to the `next` note is as broad as what this one took from the word `start`; that to a
    note `far` away, as what the word `start` gives to `end`. Notes hang below the tiles, or stand
    behind them if these go down; a far arrow runs beyond the notes. `name` stands at it.
    """

    def __init__(
        self,
        row: Value,
        tiles: Strip,
        start: int,
        end: int,
        way: Literal["next", "far"],
        *,
        role: Role,
        name: str,
    ) -> None:
        super().__init__(row)
        self._tiles, self._start, self.end, self._is_far = tiles, start, end, way == "far"
        self._grown = self._whole = 0.0
        self._learns = (-1.0, 0.0)
        color = getattr(theme(), role)
        self.line = VMobject(stroke_color=color)
        self.head = VMobject(stroke_width=0, fill_color=color, fill_opacity=1)
        self.label = Label(name, size=_NAME, weight="semibold", color=role, align="center")
        self.label.set_fill(opacity=0)
        self.add(self.line, self.head, self.label)

    def draw(self, *, run_time: float = 1.6) -> Drive:
        """Let the arrow grow."""
        return self._grow(0.0, 1.0, run_time)

    def draw_back(self, *, run_time: float = 0.6) -> Drive:
        """Let it shrink."""
        return self._grow(1.0, 0.0, run_time)

    def stand_on(self, tiles: Strip, row: Value) -> None:
        """Belong to another text, whose tiles stand in the same places."""
        self._tiles = tiles
        self.set_to(row)

    def learn(self, series: Value) -> None:
        """Grow out of its word as the share grows in a series of rows, and not before."""
        share = series.array[:, self._share_at]
        self._grown, self._learns = 1.0, (float(share[0]), float(share[-1]))
        self.set_to(series[0])

    @property
    def _share_at(self) -> int:
        return self.end if self._is_far else self._start

    def redraw(self) -> None:
        """Follow the tiles to where they are now."""
        self.show(self.state)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw as much of it as has grown, where the tiles are now."""
        share, (low, high) = float(state[self._share_at]), self._learns
        learned = float(np.clip((share - low) / max(high - low, 1e-9), 0.0, 1.0))
        self._whole = self._grown * learned
        if self._whole <= 0:
            for piece in (self.line, self.head):
                piece.clear_points()
            self.label.set_fill(opacity=0)
            return
        path = self._path()
        steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
        gone = np.concatenate([[0.0], steps.cumsum()])
        length = self._whole * gone[-1]
        tip = np.array([np.interp(length, gone, path[:, axis]) for axis in range(3)])
        ahead = path[min(int(np.searchsorted(gone, length)), len(path) - 1)]
        before = np.array([np.interp(length - 0.05, gone, path[:, axis]) for axis in range(3)])
        aim = _unit((ahead if np.linalg.norm(ahead - tip) > 1e-6 else tip) - before)
        size = min(_HEAD, 0.6 * length)
        neck = np.array([np.interp(length - 0.7 * size, gone, path[:, axis]) for axis in range(3)])
        drawn = np.vstack([path[gone < length - 0.7 * size], neck])
        self.line.set_points(straight(drawn[:-1], drawn[1:]))
        self.line.set_stroke(width=_BREADTH * share)
        self.head.set_points(arrow_head(tip, aim, size))
        self.label.set_fill(opacity=max(0.0, 3 * self._whole - 2) * self._has_room)
        self.label.center_on(self._name_place())

    def readings(self) -> Iterator[Reading]:
        """How broad it is, for the tile at which it begins or the note at which it ends."""
        if self._whole < 1 or not is_visible(self.line):
            return
        feet, goals = zip(*map(self._anchors, range(len(self.shown.content))), strict=True)
        start = int(np.linalg.norm(np.array(feet) - self.line.points[0], axis=1).argmin())
        end = int(np.linalg.norm(np.array(goals) - self.head.points[0], axis=1).argmin())
        share = float(self.line.get_stroke_width()) / _BREADTH
        if self._is_far:
            meant, is_true = self.shown[end], start == self._start
        else:
            meant, is_true = self.shown[start], end == self.end
        yield Reading(meant, share if is_true else f"an arrow from {start} to note {end}", 1e-6)

    def _note(self, k: int) -> Note:
        note = self._tiles.tiles[k].note
        assert note is not None
        return note

    # In the plane of the text: u along it, v from the words to the notes

    @property
    def _axes(self) -> tuple[Point, Point]:
        if self._tiles.measures.aside:
            return np.array([0.0, -1.0, 0.0]), np.array([1.0, 0.0, 0.0])
        return np.array([1.0, 0.0, 0.0]), np.array([0.0, -1.0, 0.0])

    def _spans(self, k: int) -> tuple[Point, Point, Point]:
        """Low, middle and high u and v of the word at k, and high v of its note, (2,) each."""
        u, v = self._axes
        box = self._tiles.tiles[k].box.points
        ends = np.array([box @ u, box @ v])  # (2, n)
        low, high = ends.min(axis=1), ends.max(axis=1)
        return low, (low + high) / 2, high

    def _anchors(self, k: int) -> tuple[Point, Point]:
        """Where an arrow would begin at the word at k, and where it would end at its note."""
        u, v = self._axes
        low, middle, high = self._spans(k)
        note = self._note(k).frame.points
        along, across = note @ u, note @ v
        if self._is_far:
            end = (along.min() + along.max()) / 2 * u + across.max() * v
            return low[0] * u + middle[1] * v, end
        end = along.min() * u + (across.min() + across.max()) / 2 * v
        return high[0] * u + middle[1] * v, end

    def _path(self) -> Point:
        """The way of the arrow, (n, 3)."""
        u, v = self._axes
        foot, goal = self._anchors(self._start)[0], self._anchors(self.end)[1]
        (a, b), (c, d) = ((point @ u, point @ v) for point in (foot, goal))
        if self._is_far:
            gap = (self._spans(self._start - 1)[2][0] + a) / 2
            corners = [(a, b), (gap, b), (gap, d + _LANE), (c, d + _LANE), (c, d + _AIR)]
        else:
            gap = (a + c) / 2
            corners = [(a, b), (gap, b), (gap, d), (c - _AIR, d)]
        return np.array([x * u + y * v for x, y in _rounded(corners)])

    @property
    def _has_room(self) -> bool:
        """Whether its name finds room between two tiles, if it stands there."""
        if self._is_far:
            return True
        u, _ = self._axes
        gap = self._spans(self.end)[0][0] - self._spans(self._start)[2][0]
        return bool(gap >= abs(u @ [self.label.width + 0.1, 0.9 * _NAME * PX, 0.0]))

    def _name_place(self) -> Point:
        """Beside a far arrow where it runs along the notes, and over the gap of the other."""
        path, (u, v) = self._path(), self._axes
        if self._is_far:
            along, across = path @ u, (path @ v).max() + _NAME_OFF
            return np.asarray((along.min() + along.max()) / 2 * u + across * v)
        low, _, high = self._spans(self._start)
        gap = (high[0] + self._spans(self.end)[0][0]) / 2
        aside = abs(v @ np.array([0.5, 0.2, 0.0]))  # beside the sign of a tile below
        return np.asarray(gap * u + (low[1] + aside) * v)

    def _grow(self, start: float, end: float, run_time: float) -> Drive:
        return self.drive("_grown", start, end, run_time=run_time)


def _unit(way: Point) -> Point:
    return way / max(float(np.linalg.norm(way)), 1e-9)


def _rounded(corners: list[tuple[Any, Any]]) -> list[Point]:
    """A way around corners that are cut off in arcs, as close points."""
    given = np.array(corners)
    found = [given[0]]
    for before, at, after in zip(given, given[1:], given[2:], strict=False):
        first, second = before - at, after - at
        reach = min(_ROUND, *(float(np.linalg.norm(side)) / 2 for side in (first, second)))
        start = at + first / max(float(np.linalg.norm(first)), 1e-9) * reach
        end = at + second / max(float(np.linalg.norm(second)), 1e-9) * reach
        t = np.linspace(0, 1, 9)[:, None]
        found += list((1 - t) ** 2 * start + 2 * t * (1 - t) * at + t**2 * end)
    return [*found, given[-1]]
