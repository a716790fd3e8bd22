"""A cipher wheel: two alphabets around one hub, of which the outer one turns."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Circle, VGroup, VMobject
from numpy.typing import NDArray

from model.tokens import LETTERS
from scenes.style.layout import PX
from scenes.style.motion import Drive
from scenes.style.text import Label
from scenes.style.theme import mix, theme
from scenes.style.type import MIN_SIZE

N_LETTERS = len(LETTERS)
_STEP = 2 * np.pi / N_LETTERS
_N_MARKS = 64
"""Points along the way of a letter that leaves."""
_HUB, _MIDDLE = 0.56, 0.78
"""Where the inner ring begins and ends, as shares of the radius."""
_LARGEST = 32.0
_RIM = 0.17
"""How far off the wheel a letter goes round it, in units."""


class AlphabetWheel(VGroup):
    """Rings with the letters a to z: the message's inside, the cipher's around it.

    Letter 0 of the inner ring stands at twelve o'clock. After `show(r)` the outer ring has turned
    by r places, so that inner letter p meets outer letter p + r. Letters always stand upright.
    """

    def __init__(self, middle: NDArray[np.float64], radius: float) -> None:
        super().__init__()
        look = theme()
        self.middle, self.radius, self.turned = middle, radius, 0.0
        self.hub_radius = _HUB * radius
        cipher = look.text_color("key")
        discs = [
            Circle(r, fill_color=fill, fill_opacity=1, stroke_color=look.hairline, stroke_width=2)
            for r, fill in ((radius, look.panel), (_MIDDLE * radius, look.ground))
        ]
        hub = Circle(self.hub_radius, fill_color=look.ground, fill_opacity=1, stroke_width=0)
        self.rings = VGroup(*discs, hub).move_to(middle)
        self.window = VMobject(
            fill_color=mix(look.ground, look.key, 0.08),
            fill_opacity=1,
            stroke_color=look.key,
            stroke_width=4,
        )
        self._teeth = [
            VMobject(stroke_color=mix(look.hairline, look.muted, 0.35), stroke_width=1.5)
            for _ in range(2)
        ]
        self.inner = self._alphabet((_HUB + _MIDDLE) / 2, look.token)
        self.outer = self._alphabet((_MIDDLE + 1) / 2, cipher)
        self._draw_teeth(0, _HUB, _MIDDLE, 0.0)
        self.open(0.0, width=0.0)
        self.show(0.0)
        self.add(self.rings, *self._teeth, self.window, *self.inner, *self.outer)

    def show(self, turned: float) -> None:
        """Turn the outer ring: by how many places it has moved in all."""
        self.turned = turned
        self._draw_teeth(1, _MIDDLE, 1.0, turned)
        for letter, label in enumerate(self.outer):
            label.center_on(self.outer_place(letter))

    def open(self, place: float, width: float = 1.0) -> None:
        """Frame the pair at the inner ring's letter `place`; a width of 0 shuts the window."""
        self.place = place
        angles = (place + np.linspace(-0.5, 0.5, 9) * width) * _STEP
        near = [tip(self.middle, self.hub_radius, a) for a in angles]
        far = [tip(self.middle, self.radius, a) for a in angles]
        corners = [*near, *reversed(far), near[0]] if width else []
        self.window.set_points_as_corners(corners) if width else self.window.clear_points()

    def point_to(self, letter: int, **options: Any) -> Drive:
        """Open the window, or move it the shorter way around, to a letter of the inner ring."""
        if not self.window.has_points():
            return Drive(self, lambda w: self.open(letter, float(w)), 0.02, 1.0, **options)
        way = (letter - self.place + N_LETTERS / 2) % N_LETTERS - N_LETTERS / 2
        start = self.place
        return Drive(self, lambda at: self.open(float(at)), start, start + way, **options)

    def shut(self, **options: Any) -> Drive:
        """Close the window where it stands."""
        place = self.place
        return Drive(self, lambda w: self.open(place, float(w)), 1.0, 0.0, **options)

    def outer_place(self, letter: int) -> NDArray[np.float64]:
        """Where a letter of the outer ring stands."""
        angle = (letter - self.turned) * _STEP
        return tip(self.middle, self.radius * (_MIDDLE + 1) / 2, angle)

    def way_out(self, letter: int, target: NDArray[np.float64]) -> NDArray[np.float64]:
        """From a letter of the outer ring to a place off the wheel; points equally far apart.

        The way leads around the rim until the target is in sight, never across the wheel.
        """
        rim, away = self.radius + _RIM, target - self.middle
        toward = float(np.arctan2(away[0], away[1]))
        sight = float(np.arccos(min(1.0, rim / float(np.hypot(away[0], away[1])))))
        off = ((letter - self.turned) * _STEP - toward + np.pi) % (2 * np.pi) - np.pi
        leave = float(np.clip(off, -sight, sight))
        around = np.linspace(off, leave, 2 + int(20 * abs(off - leave)))
        rounds = [tip(self.middle, rim, toward + angle) for angle in around]
        corners = np.array([self.outer_place(letter), *rounds, target])
        lengths = np.linalg.norm(np.diff(corners, axis=0), axis=1)
        passed = np.concatenate([[0.0], lengths.cumsum()])
        marks = np.linspace(0.0, passed[-1], _N_MARKS)
        return np.stack([np.interp(marks, passed, corners[:, axis]) for axis in range(3)], axis=1)

    def _alphabet(self, share: float, color: str) -> list[Label]:
        """The letters of a ring, `share` of the radius from the hub."""
        room = share * self.radius * _STEP / PX
        size = float(np.clip(room * 0.68, MIN_SIZE, _LARGEST))
        labels = [Label(c, size=size, weight="semibold", color=color) for c in LETTERS.tokens]
        for letter, label in enumerate(labels):
            label.center_on(tip(self.middle, share * self.radius, letter * _STEP))
        return labels

    def _draw_teeth(self, ring: int, start: float, end: float, turned: float) -> None:
        """Lines between the letters of a ring."""
        path = self._teeth[ring]
        path.clear_points()
        for letter in range(N_LETTERS):
            angle = (letter + 0.5 - turned) * _STEP
            path.start_new_path(tip(self.middle, start * self.radius, angle))
            path.add_line_to(tip(self.middle, end * self.radius, angle))


def tip(center: NDArray[np.float64], radius: float, angle: float) -> NDArray[np.float64]:
    """Where a hand of length `radius` ends, `angle` radians clockwise from twelve."""
    return center + radius * np.array([np.sin(angle), np.cos(angle), 0.0])
