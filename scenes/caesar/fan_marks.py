"""What is measured in a fan of arrows: shadows, angles, one length for all, distances of tips."""

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
"""How far from the ciphertext's arrow the first shadow lies, and from it the next, in units."""
_STICK = 0.22
"""The width of a height along an axis, in units."""
_BOW = 1.0
"""The radius of the first angle's bow, in units; each next one is drawn further out."""
_SAMPLES = np.linspace(0, 1, 41)
_UPRIGHT = np.pi / 2


class FanMark(Lit):
    """Something for each arrow of a fan (n,), for those in `at`; it grows as it is lit."""

    def __init__(self, value: Value, fan: Fan, at: Sequence[int], color: str) -> None:
        super().__init__(value, at)
        self.fan = fan
        self.path = VMobject(stroke_color=color, stroke_width=4)
        self.add(self.path)
        fan.follow(self)

    def show(self, state: Points) -> None:
        """Draw what has come."""
        if self.fan.region is not None:
            self.draw(state, self.fan.seen(self.fan.state))

    @abstractmethod
    def draw(self, state: Points, tips: Points) -> None:
        """Draw it for these tips (n + 1, 3), as far as it has come."""

    def _whole(self) -> Iterator[tuple[int, Points]]:
        """Which have come all the way, and their pieces, as seen from where all arrows begin."""
        if self.fan.region is not None and is_visible(self.path):
            pieces = self.path.points.reshape(len(self.shares), -1, 3) - self.fan.shafts.points[0]
            for (k, share), piece in zip(self.shares.items(), pieces, strict=True):
                if share >= 1:
                    yield k, piece


class Shades(FanMark):
    """How far each arrow reaches along the ciphertext's: a line to its foot, and the length."""

    def __init__(self, value: Value, fan: Fan, at: Sequence[int]) -> None:
        super().__init__(value, fan, at, theme().score)
        self.lengths = VMobject(stroke_color=theme().score, stroke_width=12)
        self.add(self.lengths)

    def draw(self, state: Points, tips: Points) -> None:
        """Draw shadows of these lengths."""
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
        """How long each shadow is, and how far along the arrow its foot lies."""
        lengths = dict(zip(self.shares, self.lengths.points.reshape(-1, 4, 3), strict=True))
        for k, ray in self._whole():
            along, across = ray[3][1::-1] / self.fan.unit
            yield Reading(self.shown[k], along if abs(across) < 1e-6 else np.nan, 1e-6)
            length = (lengths[k][3] - lengths[k][0])[1] / self.fan.unit
            yield Reading(self.shown[k], float(length), 1e-6)


class Bows(FanMark):
    """The angles between arrows and the ciphertext's, in radians."""

    def __init__(self, value: Value, fan: Fan, at: Sequence[int]) -> None:
        super().__init__(value, fan, at, theme().ink)

    def draw(self, state: Points, tips: Points) -> None:
        """Draw bows of these angles, each on the side of its arrow."""
        bows = []
        for row, (k, share) in enumerate(self.shares.items()):
            way = tips[k] - self.fan.origin
            side = -1.0 if way[0] > 0 else 1.0
            reach = min(_BOW * (1 + 0.35 * row), 0.8 * float(np.linalg.norm(way)))
            turns = _UPRIGHT + side * float(state[k]) * share * _SAMPLES
            bows.append(_bow(self.fan.origin, reach, turns))
        self.path.set_points(np.concatenate(bows))

    def readings(self) -> Iterator[Reading]:
        """The angle between the ends of each bow."""
        for k, bow in self._whole():
            a, b = bow[0], bow[-1]
            angle = np.arctan2(abs(a[0] * b[1] - a[1] * b[0]), a @ b)
            yield Reading(self.shown[k], float(angle), 1e-6)


class Heights(Sticks):
    """The two heights (2,) of an arrow, along level axes; lines from their ends meet at its tip."""

    def __init__(self, value: Value, fan: Fan, role: Role, *, grown: bool = True) -> None:
        self.fan, self.met = fan, 0.0
        self.lines = VMobject(stroke_color=theme().muted, stroke_width=2)
        super().__init__(value, role, self.along_axes(), grown=grown)
        self.add(self.lines)

    def along_axes(self) -> Points:
        """One lies under the first axis, one stands before the second."""
        aside = 0.6 * _STICK
        feet = self.fan.origin + np.array([[0.0, -aside, 0.0], [-aside, 0.0, 0.0]])
        return posture(feet, [RIGHT, UP], self.fan.unit, _STICK, self.fan.edges + 0.1)

    def show(self, state: Points) -> None:
        """Draw both, and the lines as far as they have come."""
        super().show(state)
        x, y = np.minimum(state * self.fan.unit, self.fan.edges + 0.1)
        start, ways = self.fan.origin, np.array([[x, 0.0, 0.0], [0.0, y, 0.0]])
        self.lines.set_points(straight(start + ways, start + ways + self.met * ways[::-1]))

    def meet(self, **options: Any) -> Drive:
        """Let lines from both ends meet."""
        return self.drive("met", 0.0, 1.0, **options)


class Rim(FanMark):
    """The circle on which tips lie whose arrows have one length (), as far round as they reach."""

    def __init__(self, length: Value, fan: Fan) -> None:
        super().__init__(length, fan, [0], theme().position)

    def draw(self, state: Points, tips: Points) -> None:
        """Draw a bow of this radius."""
        x, y, _ = (tips[:-1] - self.fan.origin).T
        angles = np.arctan2(y, x)
        turns = angles.max() - np.ptp(angles) * self.shares[0] * _SAMPLES
        self.path.set_points(_bow(self.fan.origin, float(state) * self.fan.unit, turns))

    def readings(self) -> Iterator[Reading]:
        """How far both its ends are from where all arrows begin."""
        for _, bow in self._whole():
            for end in (bow[0], bow[-1]):
                yield Reading(self.shown, float(np.linalg.norm(end)) / self.fan.unit, 1e-6)


class Gaps(FanMark):
    """Lines from the ciphertext's tip to others; squared, they are these squared errors (n,)."""

    def __init__(self, value: Value, fan: Fan, at: Sequence[int]) -> None:
        super().__init__(value, fan, at, theme().wrong)

    def draw(self, state: Points, tips: Points) -> None:
        """Draw a line towards each tip."""
        ways = (tips[list(self.shares)] - tips[-1]) * np.array([*self.shares.values()])[:, None]
        self.path.set_points(straight(tips[-1] + 0 * ways, tips[-1] + ways))

    def readings(self) -> Iterator[Reading]:
        """The square of each line, in units of the fan."""
        for k, line in self._whole():
            length = float(np.linalg.norm(line[3] - line[0])) / self.fan.unit
            yield Reading(self.shown[k], length**2, 1e-6)


def _bow(middle: Points, radius: float, turns: Points) -> Points:
    """Lines along a circle, from angle to angle."""
    points = middle + radius * np.stack([np.cos(turns), np.sin(turns), 0 * turns], axis=1)
    return straight(points[:-1], points[1:])
