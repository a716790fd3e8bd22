"""Arrows for both heads: from a word to the next token's note, and from the last word to a note."""

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
"""Line width of an arrow whose attention weight is 1, in pixels."""
_HEAD, _NAME = 0.36, 30.0
"""Length of an arrow's head, in units, and letter size of its name, in pixels."""
_LANE = 0.42
"""Distance between the notes and the long side of a far arrow, in units."""
_ROUND = 0.25
"""Radius of the corners, in units."""
_NAME_OFF = 0.32
"""Distance between a far arrow and its name, in units."""
_AIR = 0.03
"""Gap between an arrow's tip and the note, in units."""


class Hop(Picture):
    """An arrow from the word `start` to the note at `end`, as wide as an attention weight.

    With `way` "next", `row` (T,) is the attention pattern at `end`, and the width is what it takes
    from `start`. With "far", it is the pattern at `start`, and the width is what it gives to `end`;
    the arrow then runs along the far side of the notes. Notes are below the tiles, or beside them
    if the tiles form a column. `name` labels the arrow.
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
        """Grow the arrow from its word to its note."""
        return self._grow(0.0, 1.0, run_time)

    def draw_back(self, *, run_time: float = 0.6) -> Drive:
        """Shrink the arrow back to its word."""
        return self._grow(1.0, 0.0, run_time)

    def switch_text(self, tiles: Strip, row: Value) -> None:
        """Show a row of another text, whose tiles are in the same places."""
        self._tiles = tiles
        self.set_to(row)

    def learn(self, series: Value) -> None:
        """Grow the arrow with its weight in a series of rows (steps, T), from length 0."""
        share = series.array[:, self._share_at]
        self._grown, self._learns = 1.0, (float(share[0]), float(share[-1]))
        self.set_to(series[0])

    @property
    def _share_at(self) -> int:
        return self.end if self._is_far else self._start

    def redraw(self) -> None:
        """Redraw the arrow between the tiles' current positions."""
        self.show(self.state)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the visible part of the arrow between the tiles' current positions."""
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
        """The weight that the width shows, read at the tile or note where the arrow is drawn."""
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

    # Unit vectors of the text: u in reading direction, v from the words to the notes

    @property
    def _axes(self) -> tuple[Point, Point]:
        if self._tiles.measures.aside:
            return np.array([0.0, -1.0, 0.0]), np.array([1.0, 0.0, 0.0])
        return np.array([1.0, 0.0, 0.0]), np.array([0.0, -1.0, 0.0])

    def _spans(self, k: int) -> tuple[Point, Point, Point]:
        """Lower end, middle and upper end in u and v of the word at k; (2,) each."""
        u, v = self._axes
        box = self._tiles.tiles[k].box.points
        ends = np.array([box @ u, box @ v])  # (2, n)
        low, high = ends.min(axis=1), ends.max(axis=1)
        return low, (low + high) / 2, high

    def _anchors(self, k: int) -> tuple[Point, Point]:
        """Start of an arrow from the word at k, and end of an arrow to its note; (3,) each."""
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
        """Points along the whole arrow; (n, 3)."""
        u, v = self._axes
        foot, goal = self._anchors(self._start)[0], self._anchors(self.end)[1]
        (a, b), (c, d) = ((point @ u, point @ v) for point in (foot, goal))
        if self._is_far:
            gap = (self._spans(self._start - 1)[2][0] + a) / 2
            corners = [(a, b), (gap, b), (gap, d + _LANE), (c, d + _LANE), (c, d + _AIR)]
        else:
            gap = (a + c) / 2
            corners = [(a, b), (gap, b), (gap, d), (c - _AIR, d)]
        return np.array([x * u + y * v for x, y in _round_corners(corners)])

    @property
    def _has_room(self) -> bool:
        """Whether the name fits: beside a far arrow always, else into the gap between the tiles."""
        if self._is_far:
            return True
        u, _ = self._axes
        gap = self._spans(self.end)[0][0] - self._spans(self._start)[2][0]
        return bool(gap >= abs(u @ [self.label.width + 0.1, 0.9 * _NAME * PX, 0.0]))

    def _name_place(self) -> Point:
        """Middle of the name: beside a far arrow's long side, or between the tiles; (3,)."""
        path, (u, v) = self._path(), self._axes
        if self._is_far:
            along, across = path @ u, (path @ v).max() + _NAME_OFF
            return np.asarray((along.min() + along.max()) / 2 * u + across * v)
        low, _, high = self._spans(self._start)
        gap = (high[0] + self._spans(self.end)[0][0]) / 2
        aside = abs(v @ np.array([0.5, 0.2, 0.0]))  # clear of the sign of a tile below
        return np.asarray(gap * u + (low[1] + aside) * v)

    def _grow(self, start: float, end: float, run_time: float) -> Drive:
        return self.drive("_grown", start, end, run_time=run_time)


def _unit(way: Point) -> Point:
    return way / max(float(np.linalg.norm(way)), 1e-9)


def _round_corners(corners: list[tuple[Any, Any]]) -> list[Point]:
    """Dense points along a polyline whose corners are rounded off; each (2,)."""
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
