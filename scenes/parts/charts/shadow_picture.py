"""Rotations as arrows, the ciphertext as one more, and the shadows of those on this one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Arc, VGroup
from numpy.typing import NDArray

from model.caesar_shadows import Shadows
from scenes.parts.charts.fan import Arrow, Coordinates, Fan, PlaneAxes, Shade
from scenes.style.layout import Region
from scenes.style.motion import Drive, along
from scenes.style.text import Label, Number
from scenes.style.theme import theme

_OVER, _LEFT, _NAME = 0.6, 0.7, 1.6
"""Room over the longest arrow, left of the axes, and right of it for the ciphertext's name."""
_BEYOND = 1.04
"""A ciphertext's arrow longer than this, in lengths of the longest rotation's, is cut."""
_STEEP = 0.4
"""A ciphertext's arrow steeper than this, in radians, has its name beside its tip, not over it."""


class ShadowPicture(VGroup):
    """The arrows of all rotations, `followed` ones bright, and the ciphertext's.

    First they lie in the plane of two letters, with `axes`: `spread` and `aim` draw them there.
    `lie_down` turns the ciphertext's to the ground; then there is a `shade`, and `show` says what
    is seen with more letters. Axes, `title` (the ciphertext's) and shade are not added.
    """

    def __init__(self, values: Shadows, region: Region, *, followed: Sequence[int]) -> None:
        super().__init__()
        look = theme()
        self.values = values
        ground = Shade.depth(len(followed))
        self.radius = min(region.width - _LEFT - _NAME, region.height - ground - _OVER)
        spare = region.width - _LEFT - _NAME - self.radius
        self.origin = region.point(0, 0) + np.array([_LEFT + spare / 2, ground, 0.0])
        self._units = self.radius / values.lengths.max(axis=1)  # (25,)
        self._lengths = np.minimum(values.own_lengths * self._units, _BEYOND * self.radius)  # (25,)
        self._slope = float(np.arctan2(*values.plane.arrow[::-1]))
        unit, letters = float(self._units[0]), (values.plane.x, values.plane.y)
        self.axes = PlaneAxes(self.origin, self.radius, unit, letters)
        self._flat = values.plane.arrows * unit  # (26, 2)
        self.fan = Fan(0.001 * self._flat, self.origin, followed=followed)
        self.own = Arrow(look.key, width=8)
        self._aim(self._slope, 0.001)
        self.title = Label("ciphertext", size=24, weight="semibold", color=look.key)
        aside = [0.16, 0.12, 0.0] if self._slope > _STEEP else [0.0, 0.3, 0.0]
        self.title.put(self._tip(self._slope, float(self._lengths[0])) + np.array(aside))
        # A followed arrow may lie on the ciphertext's, which must not hide it.
        self.add(self.fan.shafts, self.fan.heads, self.own, *self.fan.arrows.values())

    def table(self, region: Region) -> Coordinates:
        """What the axes say of the ciphertext and of the rotations that are followed."""
        plane, look = self.values.plane, theme()
        names = [Label("ciphertext", size=26, weight="semibold", color=look.key)]
        yellow = look.text_color("attention")
        names += [
            Number(r, "d", prefix="rotation ", size=26, align="left", color=yellow)
            for r in self.fan.followed
        ]
        shares = np.vstack([plane.arrow, plane.arrows[list(self.fan.followed)]])
        table = Coordinates((plane.x, plane.y), names, shares, region.point(0, 1))
        return table.move_to(region.center)

    def spread(self, run_time: float = 1.4) -> Drive:
        """Let the rotations' arrows grow out of the origin."""
        return Drive(self, self.fan.show, self.fan.tips, self._flat, run_time=run_time)

    def aim(self, run_time: float = 1.0) -> Drive:
        """Let the ciphertext's arrow grow out of the origin."""
        end = float(self._lengths[0])
        return Drive(
            self, lambda x: self._aim(self._slope, float(x)), 0.001, end, run_time=run_time
        )

    def lie_down(self, run_time: float = 1.6) -> Drive:
        """Lay the ciphertext's arrow flat, all others to one side: an angle has no side."""
        arrows = self.values.plane.arrows
        lengths = self.values.lengths[0] * self._units[0]  # (26,)
        directions = np.append(np.arctan2(arrows[:, 1], arrows[:, 0]), self._slope)  # (27,)

        def show(turned: NDArray[np.float64]) -> None:
            ways = np.column_stack([np.cos(turned), np.sin(turned)])  # (27, 2)
            self.fan.show(lengths[:, None] * ways[:-1])
            self._aim(float(turned[-1]), float(self._lengths[0]))

        end = np.append(self.values.angles[0], 0.0)
        return Drive(self, show, directions, end, run_time=run_time)

    def cast(self) -> Shade:
        """The shadows of the arrows that are followed, and the ciphertext's name at its tip."""
        self.shade = Shade(self.fan, self.values.angles[0])
        reach = max(float(self._lengths[0]), self.radius)
        self.title.put(self._tip(0.0, reach) + np.array([0.2, -0.08, 0.0]))
        return self.shade

    def show(self, place: float) -> None:
        """What is seen with 2 + `place` letters, once the shadows are cast."""
        values, unit = self.values, along(self._units, place)
        steps = np.column_stack([along(values.shadows, place), along(values.heights, place)])
        self.fan.show(steps * unit)
        self._aim(0.0, float(along(self._lengths, place)))
        self.shade.show(along(values.angles, place))

    def rim(self) -> Arc:
        """A quarter of the circle on which all arrows end that are equally long."""
        arc = Arc(self.radius, 0, np.pi / 2, arc_center=self.origin, stroke_width=2)
        return arc.set_stroke(theme().muted)

    def _tip(self, direction: float, length: float) -> NDArray[np.float64]:
        way = np.array([np.cos(direction), np.sin(direction), 0.0])
        return np.array(self.origin + length * way)

    def _aim(self, direction: float, length: float) -> None:
        is_cut = length > (_BEYOND - 1e-6) * self.radius
        self.own.point(self.origin, self._tip(direction, length), is_cut=is_cut)
