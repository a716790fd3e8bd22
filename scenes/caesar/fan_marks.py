"""Measurements in a fan of arrows: shadows, angles, a common length, distances between tips."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from clockhead.scenes.caesar.fan import Fan, Lit
from clockhead.scenes.caesar.sticks import RIGHT, UP, Sticks, posture
from clockhead.scenes.parts.paths import straight
from clockhead.scenes.stage import Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.theme import Role, theme

Points = NDArray[np.float64]

_BESIDE, _STEP = 0.17, 0.2
"""Distance of the first shadow from the ciphertext's arrow, and between shadows, in units."""
_STICK = 0.22
"""Thickness of the bars along the axes, in units."""
_BOW = 1.0
"""Radius of the first angle's arc, in units; each further one is larger."""
_SAMPLES = np.linspace(0, 1, 41)
"""Where points are along an arc, from 0 to 1."""
_UPRIGHT = np.pi / 2


class FanMark(Lit):
    """A measurement (n,) of a fan's arrows, drawn for those in `at`; it grows as it is lit."""

    def __init__(self, value: Value, fan: Fan, at: Sequence[int], color: str) -> None:
        super().__init__(value, at)
        self.fan = fan
        self.path = VMobject(stroke_color=color, stroke_width=4)
        self.add(self.path)
        fan.follow(self)

    def show(self, state: Points) -> None:
        """Draw the marks, once the fan is placed."""
        if self.fan.region is not None:
            self.draw(state, self.fan.to_screen(self.fan.state))

    @abstractmethod
    def draw(self, state: Points, tips: Points) -> None:
        """Draw the marks for these tips (n + 1, 3), as far as they have grown."""

    def _complete_pieces(self) -> Iterator[tuple[int, Points]]:
        """The arrows whose marks are complete, with their points relative to the common foot."""
        if self.fan.region is not None and is_visible(self.path):
            pieces = self.path.points.reshape(len(self.shares), -1, 3) - self.fan.shafts.points[0]
            for (k, share), piece in zip(self.shares.items(), pieces, strict=True):
                if share >= 1:
                    yield k, piece


class Shades(FanMark):
    """The shadow of each arrow on the ciphertext's: a perpendicular, and the shadow's length."""

    def __init__(self, value: Value, fan: Fan, at: Sequence[int]) -> None:
        super().__init__(value, fan, at, theme().score)
        self.lengths = VMobject(stroke_color=theme().score, stroke_width=12)
        self.add(self.lengths)

    def draw(self, state: Points, tips: Points) -> None:
        """Draw shadows with these lengths."""
        places, shares = list(self.shares), np.array([*self.shares.values()])[:, None]
        ends = self.fan.unit * state[places, None] * [0.0, 1.0, 0.0]
        feet = self.fan.origin + ends
        self.path.set_points(straight(tips[places], tips[places] + (feet - tips[places]) * shares))
        sides = np.where(tips[places, 0] < self.fan.origin[0], -1, 1)  # (n,)
        nth = np.array([(sides[:k] == side).sum() for k, side in enumerate(sides)])
        aside = (sides * (_BESIDE + _STEP * nth))[:, None] * [1.0, 0.0, 0.0]
        self.lengths.set_points(
            straight(self.fan.origin + aside, feet - (1 - shares) * ends + aside)
        )

    def readings(self) -> Iterator[Reading]:
        """Compare the length of each shadow, and where its perpendicular ends."""
        lengths = dict(zip(self.shares, self.lengths.points.reshape(-1, 4, 3), strict=True))
        for k, ray in self._complete_pieces():
            along, across = ray[3][1::-1] / self.fan.unit
            yield Reading(self.shown[k], along if abs(across) < 1e-6 else np.nan, 1e-6)
            length = (lengths[k][3] - lengths[k][0])[1] / self.fan.unit
            yield Reading(self.shown[k], float(length), 1e-6)


class Bows(FanMark):
    """The angles between arrows and the ciphertext's, in radians."""

    def __init__(self, value: Value, fan: Fan, at: Sequence[int]) -> None:
        super().__init__(value, fan, at, theme().ink)

    def draw(self, state: Points, tips: Points) -> None:
        """Draw arcs with these angles, each on the side of its arrow."""
        bows = []
        for row, (k, share) in enumerate(self.shares.items()):
            way = tips[k] - self.fan.origin
            side = -1.0 if way[0] > 0 else 1.0
            reach = min(_BOW * (1 + 0.35 * row), 0.8 * float(np.linalg.norm(way)))
            turns = _UPRIGHT + side * float(state[k]) * share * _SAMPLES
            bows.append(_arc(self.fan.origin, reach, turns))
        self.path.set_points(np.concatenate(bows))

    def readings(self) -> Iterator[Reading]:
        """Compare the angle between the ends of each arc."""
        for k, bow in self._complete_pieces():
            a, b = bow[0], bow[-1]
            angle = np.arctan2(abs(a[0] * b[1] - a[1] * b[0]), a @ b)
            yield Reading(self.shown[k], float(angle), 1e-6)


class Heights(Sticks):
    """The two components (2,) of an arrow as bars along level axes, with lines to its tip."""

    def __init__(self, value: Value, fan: Fan, role: Role, *, grown: bool = True) -> None:
        self.fan, self.met = fan, 0.0
        self.lines = VMobject(stroke_color=theme().muted, stroke_width=2)
        super().__init__(value, role, self.along_axes(), grown=grown)
        self.add(self.lines)

    def along_axes(self) -> Points:
        """The bars' placement: one below the first axis, one to the left of the second."""
        aside = 0.6 * _STICK
        feet = self.fan.origin + np.array([[0.0, -aside, 0.0], [-aside, 0.0, 0.0]])
        return posture(feet, [RIGHT, UP], self.fan.unit, _STICK, self.fan.edges + 0.1)

    def show(self, state: Points) -> None:
        """Draw both bars, and the lines as far as they have grown."""
        super().show(state)
        x, y = np.minimum(state * self.fan.unit, self.fan.edges + 0.1)
        start, ways = self.fan.origin, np.array([[x, 0.0, 0.0], [0.0, y, 0.0]])
        self.lines.set_points(straight(start + ways, start + ways + self.met * ways[::-1]))

    def meet(self, **options: Any) -> Drive:
        """Grow the lines from both ends until they meet at the arrow's tip."""
        return self.drive("met", 0.0, 1.0, **options)


class Rim(FanMark):
    """An arc with radius length (), through the tips of arrows that all have this length."""

    def __init__(self, length: Value, fan: Fan) -> None:
        super().__init__(length, fan, [0], theme().position)

    def draw(self, state: Points, tips: Points) -> None:
        """Draw an arc with this radius."""
        x, y, _ = (tips[:-1] - self.fan.origin).T
        angles = np.arctan2(y, x)
        turns = angles.max() - np.ptp(angles) * self.shares[0] * _SAMPLES
        self.path.set_points(_arc(self.fan.origin, float(state) * self.fan.unit, turns))

    def readings(self) -> Iterator[Reading]:
        """Compare the distance of both ends of the arc from the common foot."""
        for _, bow in self._complete_pieces():
            for end in (bow[0], bow[-1]):
                yield Reading(self.shown, float(np.linalg.norm(end)) / self.fan.unit, 1e-6)


class Gaps(FanMark):
    """Lines from the ciphertext's tip to others; their squared lengths are the errors (n,)."""

    def __init__(self, value: Value, fan: Fan, at: Sequence[int]) -> None:
        super().__init__(value, fan, at, theme().wrong)

    def draw(self, state: Points, tips: Points) -> None:
        """Draw a line to each tip."""
        ways = (tips[list(self.shares)] - tips[-1]) * np.array([*self.shares.values()])[:, None]
        self.path.set_points(straight(tips[-1] + 0 * ways, tips[-1] + ways))

    def readings(self) -> Iterator[Reading]:
        """Compare the squared length of each line, in units of the fan."""
        for k, line in self._complete_pieces():
            length = float(np.linalg.norm(line[3] - line[0])) / self.fan.unit
            yield Reading(self.shown[k], length**2, 1e-6)


def _arc(middle: Points, radius: float, turns: Points) -> Points:
    """Points of the lines along an arc, through these angles in radians."""
    points = middle + radius * np.stack([np.cos(turns), np.sin(turns), 0 * turns], axis=1)
    return straight(points[:-1], points[1:])
