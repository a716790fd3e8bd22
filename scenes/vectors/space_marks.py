"""Measurements between arrows: paths from tip to tip, a projection, an angle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from manim import VMobject

from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.paths import straight
from clockhead.scenes.stage import Linked, Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import Role, theme
from clockhead.scenes.style.type import LABEL
from clockhead.scenes.vectors.space import Arrows, Points, Space, first_free, see_word

_NUMBER = 0.24
"""Distance from the middle of a path to its number, in units."""
_SHARES = (0.5, 0.65, 0.35, 0.8, 0.2)
"""Positions of a number along its piece, the best first."""
_FACTORS = (1.0, 2.0, 3.0)
"""Factors on the distance of a number from its piece, the best first."""
_LINE = 0.3
"""Line height of words, in units."""
_APART = 0.16
"""Gap between a number and a word beside it, in units."""
_REACH = 0.85
"""Radius of an angle's arc, in units, if the arrows are long enough."""
_SAMPLES = np.linspace(0, 1, 33)


class Grown(Linked):
    """A mark that grows from nothing to its full extent."""

    def __init__(self, value: Value, space: Space, role: Role | None, width: float = 4.0) -> None:
        super().__init__(value)
        self.space, self.come = space, 0.0
        self.color_used = theme().ink if role is None else theme().text_color(role)
        self.path = VMobject(stroke_color=self.color_used, stroke_width=width)
        self.add(self.path)
        space.follow(self)

    def draw(self, *, run_time: float = 1.0) -> Drive:
        """Draw it from nothing to its full extent."""
        return self.drive("come", self.come, 1.0, run_time=run_time)

    @property
    def can_be_read(self) -> bool:
        """Whether it is complete and visible."""
        return self.come >= 1 and is_visible(self.path)


class MeasuredPath(Grown):
    """A path through corners (P, 3), with numbers beside its pieces."""

    def __init__(
        self,
        corners: Value,
        arrows: Arrows,
        role: Role,
        numbers: Sequence[Value] = (),
        *,
        left: bool = False,
        tilt: float = 0.0,
    ) -> None:
        """`tilt` is the tilt of the space, 0 or 1, at which the numbers are visible."""
        super().__init__(corners, arrows.space, role)
        self._words = [*arrows.space.labels, *(arrow.label for arrow in arrows.arrows)]
        self._side, self._tilt = 1.0 if left else -1.0, tilt
        self.numbers = [Figure(v, ".3g", size=LABEL, color=self.color_used) for v in numbers]
        for number in self.numbers:
            number.number.set_stroke(theme().ground, 8, background=True)
        self.add(*self.numbers)
        self._words += self.space.numbers
        self.space.numbers += [number.number for number in self.numbers]

    def show(self, state: Points) -> None:
        """Draw the path up to its current fraction, piece by piece."""
        seen, n = self.space.project(state), len(state) - 1
        shares = np.clip(self.come * n - np.arange(n), 0.0, 1.0)[:, None]
        self.path.set_points(straight(seen[:-1], seen[:-1] + shares * np.diff(seen, axis=0)))
        for k, number in enumerate(self.numbers):
            before = [other.number for other in self.numbers[:k]]
            number.number.center_on(
                self._free_position(number.number, seen[k], seen[k + 1], before)
            )
            there = shares[k, 0] >= 1 and np.linalg.norm(seen[k + 1] - seen[k]) > _NUMBER
            see_word(number.number, there * max(0.0, 1 - 2 * abs(self._tilt - self.space.tilt)))

    def _free_position(
        self, number: Label, start: Points, end: Points, before: Sequence[Label]
    ) -> Points:
        """The position beside a piece where its number overlaps nothing, if possible the middle."""
        way = (end - start) / max(float(np.linalg.norm(end - start)), 1e-9)
        out = self._side * np.array([-way[1], way[0], 0.0])
        aside = _NUMBER + abs(out[0]) * (number.width / 2 - 0.1)
        spots = np.array(
            [
                start + share * (end - start) + side * away * aside * out
                for away in _FACTORS
                for side in (1, -1)
                for share in _SHARES
            ]
        )
        words = [word for word in (*self._words, *before) if is_visible(word)]
        middles = np.array([word.middle for word in words])
        room = np.array([[(word.width + number.width) / 2 + _APART, _LINE, 0.0] for word in words])
        return first_free(spots, middles, room)

    def readings(self) -> Iterator[Reading]:
        """The coordinates of each corner, given its height."""
        if not self.can_be_read:
            return
        pieces = self.path.points.reshape(-1, 4, 3)
        corners = [pieces[0, 0], *pieces[:, 3]]
        for k, corner in enumerate(corners):
            meant = self.shown[k]
            for axis, says in enumerate(self.space.measured(corner, float(meant[2].content))):
                yield Reading(meant[axis], says)


class Shadow(Grown):
    """The projection of arrow `k` onto the first one: a perpendicular, and the length from 0."""

    def __init__(self, length: Value, arrows: Arrows, k: int) -> None:
        super().__init__(length, arrows.space, "value", 3.0)
        self.arrows, self._k = arrows, k
        arrows.follow(self)
        self.bar = VMobject(stroke_color=theme().value, stroke_width=12, stroke_opacity=0.75)
        self.add(self.bar)

    def show(self, state: Points) -> None:
        """Draw a projection of this length, up to its current fraction."""
        first, tip = self.arrows.state[[0, self._k]]
        way = first * [1, 1, 0]
        foot = float(state) * way / max(float(np.linalg.norm(way)), 1e-9)
        zero, tip_seen, end = self.space.project(np.array([np.zeros(3), tip, foot]))
        drop = tip_seen + min(1.0, 2 * self.come) * (end - tip_seen)
        self.path.set_points(straight(tip_seen[None], drop[None]))
        grown = zero + max(0.0, 2 * self.come - 1) * (end - zero)
        self.bar.set_points(straight(zero[None], grown[None]))

    def readings(self) -> Iterator[Reading]:
        """The lengths along the first arrow at which the perpendicular and the projection end."""
        if not self.can_be_read:
            return
        x, y = self.space.measured(self.arrows.arrows[0].head.points[0])
        way = np.array([x, y]) / np.hypot(x, y)
        for path in (self.path, self.bar):
            end = np.array(self.space.measured(path.points[3]))
            beside = abs(way[0] * end[1] - way[1] * end[0])
            yield Reading(self.shown, float(end @ way) if beside < 1e-6 else np.nan)


class Bow(Grown):
    """The angle between the first arrow and arrow `k`, in degrees, seen from above."""

    def __init__(self, angle: Value, arrows: Arrows, k: int) -> None:
        super().__init__(angle, arrows.space, None, 3.5)
        self.arrows, self._k = arrows, k
        arrows.follow(self)

    def show(self, state: Points) -> None:
        """Draw an arc of this angle from the first arrow, towards the other one."""
        first, other = self.arrows.state[[0, self._k]]
        side = 1.0 if first[0] * other[1] - first[1] * other[0] >= 0 else -1.0
        start = np.arctan2(first[1], first[0])
        turns = start + side * np.radians(float(state)) * self.come * _SAMPLES
        ring = np.stack([np.cos(turns), np.sin(turns), 0 * turns], axis=1)
        zero = self.space.project(np.zeros((1, 3)))[0]
        longest = float(np.linalg.norm(first[:2])) * self.space.unit
        bow = zero + min(_REACH, 0.6 * longest) * ring
        self.path.set_points(straight(bow[:-1], bow[1:]))

    def readings(self) -> Iterator[Reading]:
        """The angle between its ends."""
        if not self.can_be_read:
            return
        zero = self.space.project(np.zeros((1, 3)))[0]
        a, b = self.path.points[0] - zero, self.path.points[-1] - zero
        angle = np.arctan2(abs(a[0] * b[1] - a[1] * b[0]), a @ b)
        yield Reading(self.shown, float(np.degrees(angle)), 1e-6)
