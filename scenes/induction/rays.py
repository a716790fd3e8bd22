"""What stands on a line of beads: bars of attention, and the arrow of the word that asks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import VMobject

from scenes.induction.beads import Beads, Line, Points
from scenes.parts.dial_links import Linked
from scenes.parts.paths import closed, straight
from scenes.stage import Reading, Value
from scenes.stage.shown import Shown, is_visible
from scenes.style.motion import Drive
from scenes.style.theme import theme

_BAR, _MOST_BAR = 0.4, 0.5
"""The width of a bar: the share of the way to the next bead, and the most, in units."""


class Rays(Linked):
    """Shares of attention (V,) as bars on the beads, towards the middle of the circle."""

    def __init__(self, shares: Value, beads: Beads) -> None:
        super().__init__(shares)
        self.beads, self.grown = beads, 0.0
        self.bars = VMobject(stroke_width=0, fill_color=theme().attention, fill_opacity=1)
        self.add(self.bars)
        beads.follow(self)

    def show(self, state: Points) -> None:
        """Draw bars of these shares."""
        line = self.beads.line
        if not line.standing.scale:
            return
        heights = self.grown * line.standing.high * state
        width = bar_width(2 * np.pi * line.standing.scale / len(state))
        self.bars.set_points(bars(self.beads.spots, line.normals, heights, width))

    def rise(self, share: float = 1.0, **options: Any) -> Drive:
        """Let the bars grow out of the line, or sink into it."""

        def show(grown: Points) -> None:
            self.grown = float(grown)
            self.redraw()

        return Drive(self, show, 1.0 - share, share, **options)

    def tip(self, k: int) -> Points:
        """The middle of the end of a bar."""
        corners = self.bars.points.reshape(-1, 16, 3)[k]
        return np.asarray((corners[8] + corners[12]) / 2)

    def readings(self) -> Iterator[Reading]:
        """How long each bar is, and on which bead it stands."""
        if self.grown < 1 or not self.beads.line.standing.scale:
            return
        yield from read_bars(self.bars, self.beads.spots, self.shown, self.beads.line)


class Asker(Linked):
    """The code (2,) of the word that asks, as an arrow from 0, and the end that it points to."""

    def __init__(self, code: Value, line: Line, *, beam: bool = True) -> None:
        super().__init__(code)
        color = theme().query
        self.line, self._beams = line, beam
        self.beam = VMobject(stroke_color=color, stroke_width=3, stroke_opacity=0.6)
        self.shaft = VMobject(stroke_color=color, stroke_width=8)
        self.head = VMobject(stroke_width=0, fill_color=color, fill_opacity=1)
        self.grown = 0.0
        self.add(self.beam, self.shaft, self.head)
        line.follow(self)

    def show(self, state: Points) -> None:
        """Point at a code."""
        start, tip = self.line.project(np.stack([0 * state, state * self.grown]))
        length = float(np.linalg.norm(tip - start))
        if length < 1e-9:
            self.head.clear_points()
            self.shaft.clear_points()
            self.beam.clear_points()
            return
        way = (tip - start) / length
        size = min(0.3, length / 2)
        side, neck = np.array([-way[1], way[0], 0.0]), tip - size * way
        self.shaft.set_points(straight(start[None], (tip - 0.6 * size * way)[None]))
        corners = np.array([tip, neck + 0.55 * size * side, neck - 0.55 * size * side])
        self.head.set_points(closed(corners))
        if self._beams:
            ends = self.line.project(self.line.state[[0, -1]])
            end = max(ends, key=lambda point: float((point - start) @ way))
            self.beam.set_points(straight(tip[None], (tip + self.grown * (end - tip))[None]))

    def point(self, share: float = 1.0, **options: Any) -> Drive:
        """Let the arrow grow, or go back to 0."""

        def show(grown: Points) -> None:
            self.grown = float(grown)
            self.redraw()

        return Drive(self, show, 1.0 - share, share, **options)

    def readings(self) -> Iterator[Reading]:
        """Where the tip is."""
        if self.grown < 1 or not self.head.has_points() or not is_visible(self.head):
            return
        for axis, says in enumerate(self.line.unproject(self.head.points[0])):
            yield Reading(self.shown[axis], float(says))


def bar_width(pitch: float) -> float:
    """How wide a bar is, where beads are so far apart."""
    return float(min(_MOST_BAR, _BAR * pitch))


def bars(feet: Points, ways: Points, heights: Points, width: float) -> Points:
    """Bars on feet (N, 3), so long along ways (N, 3), as one path."""
    across = width / 2 * np.stack([ways[:, 1], -ways[:, 0], ways[:, 2]], axis=1)
    tops = feet + heights[:, None] * ways
    corners = np.stack([feet - across, feet + across, tops + across, tops - across], axis=1)
    return np.asarray(closed(corners).reshape(-1, 3))


def read_bars(path: VMobject, feet: Points, shown: Shown, line: Line) -> Iterator[Reading]:
    """How long each bar is, in bars that say 1, and which foot it stands on."""
    for corners in path.points.reshape(-1, 16, 3):
        foot, top = (corners[0] + corners[4]) / 2, (corners[8] + corners[12]) / 2
        k = int(np.linalg.norm(feet - foot, axis=1).argmin())
        yield Reading(shown[k], float(np.linalg.norm(top - foot) / line.standing.high))
