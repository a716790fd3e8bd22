"""Arrows from the middle of a plane, and the shadows that its points cast on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from clockhead.scenes.parts.dial_links import Linked
from clockhead.scenes.parts.paths import arrow_head, straight
from clockhead.scenes.parts.plane import SEEN, Plane, Points, discs, middles, spatial
from clockhead.scenes.stage import Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import Role, theme
from clockhead.scenes.style.type import LABEL

_HEAD = 0.2
"""The length of an arrow's head, in units; short arrows have shorter ones."""
_BESIDE, _BEHIND = 0.18, 0.2
"""From an arrow to its name, beside its middle or behind its tail."""
_FOOT = 0.07


class Arrow(Linked):
    """A vector, (2,) or (3,), as an arrow from the middle of a plane, with a name."""

    def __init__(self, value: Value, plane: Plane, role: Role, name: str = "") -> None:
        super().__init__(value)
        self.plane, color = plane, getattr(theme(), role)
        self.shaft = Shape(stroke_color=color, stroke_width=6)
        self.head = Shape(stroke_width=0, fill_color=color, fill_opacity=1)
        self.label = Label(name, size=LABEL, color=theme().text_color(role), align="center")
        self.add(self.shaft, self.head, self.label)
        plane.follow(self)
        self.redraw()

    def show(self, state: Points) -> None:
        """Draw another vector."""
        start, tip = self.plane.project([np.zeros(3), *spatial(state[None])])
        length = float(np.linalg.norm(tip - start))
        way = (tip - start) / max(length, SEEN)
        side, size = np.array([-way[1], way[0], 0.0]), min(_HEAD, length / 2)
        self.shaft.set_points(straight(start[None], (tip - 0.6 * size * way)[None]))
        self.head.set_points(arrow_head(tip, way, size))
        # Seen from the side, the name is behind the tail, where none of a point can be.
        half = self.label.width / 2
        beside = start + 0.5 * length * way - (_BESIDE + abs(side[0]) * half) * side
        behind = start - (_BEHIND + abs(way[0]) * half) * way
        self.label.center_on(beside + (behind - beside) * self.plane.slant)
        self.redraw_followers()

    def readings(self) -> Iterator[Reading]:
        """Where the tip is. The view has two numbers: depth is taken as meant where it tilts."""
        if not is_visible(self.shaft):
            return
        plane, slant = self.plane, self.plane.slant
        foot, head = self.shaft.points[0], self.head.points
        farthest = head[np.linalg.norm(head - foot, axis=1).argmax()]
        start, tip = (plane.unproject(point) for point in (foot, farthest))
        right, up = tip[0] - start[0], tip[1] - start[1]
        yield Reading(self.shown[0], right)
        if slant < SEEN:
            yield Reading(self.shown[1], up)
        elif len(self.state) == 3:
            height = (up - float(self.shown[1].content)) * np.cos(plane.tilt) / slant
            yield Reading(self.shown[2], float(height), SEEN / slant)


class Shadows(Linked):
    """What an arrow reads of the points `at` of its plane: how far along it their shadows fall."""

    def __init__(self, value: Value, arrow: Arrow, at: Sequence[int]) -> None:
        super().__init__(value)
        self.arrow, self.at, self._reach = arrow, list(at), 1.0
        color = arrow.shaft.get_stroke_color()
        self.rays = Shape(stroke_color=color, stroke_width=2.5)
        self.lengths = Shape(stroke_color=color, stroke_width=11, stroke_opacity=0.45)
        self.feet = Shape(stroke_width=0, fill_color=color, fill_opacity=1)
        self.add(self.rays, self.lengths, self.feet)
        arrow.follow(self)
        self.redraw()

    def show(self, state: Points) -> None:
        """Draw shadows of these signed lengths, as far as they have fallen."""
        plane, way = self.arrow.plane, spatial(self.arrow.state[None])
        starts, middle = plane.spots[self.at], plane.project(np.zeros((len(state), 3)))
        feet = plane.project(state[:, None] * way / max(float(np.linalg.norm(way)), SEEN))
        ends = starts + (feet - starts) * self._reach
        self.rays.set_points(straight(starts, ends))
        self.lengths.set_points(straight(middle, middle + (feet - middle) * self._reach))
        self.feet.set_points(discs(ends, _FOOT))

    def fall(self, *, run_time: float = 1.0) -> Drive:
        """Let the shadows run from the points to the arrow."""

        def show(share: Points) -> None:
            self._reach = float(share)
            self.redraw()

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def readings(self) -> Iterator[Reading]:
        """How far along the arrow, as drawn, each foot lies; behind it if that is negative."""
        if self._reach < 1 or not is_visible(self.feet):
            return
        start, tip = self.arrow.shaft.points[0], self.arrow.head.points[0]
        length = float(np.linalg.norm(tip - start))
        way = (tip - start) / length
        scale = float(np.linalg.norm(self.arrow.state)) / length
        for k, foot in enumerate(middles(self.feet)):
            along = float((foot - start) @ way)
            is_on = np.linalg.norm(foot - start - along * way) < SEEN
            yield Reading(self.shown[k], along * scale if is_on else "a foot beside the arrow")
