"""Bars that can leave their chart: they move, turn, and line up end to end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clockhead.scenes.parts.paths import closed
from clockhead.scenes.stage import Linked, Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.motion import Drive, in_turn
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.theme import Role, theme

Floats = NDArray[np.float64]

UP, DOWN, RIGHT = np.pi / 2, -np.pi / 2, 0.0
"""Directions of a stick, in radians."""
_RECTANGLE = 16
_WHOLE = 1 - 1e-9


def posture(
    feet: Floats, angle: ArrayLike, unit: ArrayLike, width: ArrayLike, most: ArrayLike = 20.0
) -> Floats:
    """Placement of sticks, (n, 6): feet (n, 3), angle, unit of length, width, largest length.

    `unit` is the length of a stick of value 1, and `most` the largest length, in units.
    """
    n = len(feet)
    columns = [np.broadcast_to(np.asarray(x, dtype=float), n) for x in (angle, unit, width, most)]
    return np.column_stack([feet[:, :2], *columns])


class Sticks(Linked):
    """A stick for each value (n,), placed by a posture (n, 6)."""

    def __init__(self, value: Value, role: Role, stance: Floats, *, grown: bool = True) -> None:
        super().__init__(value)
        self.stance, self._grown = stance, np.full(len(stance), float(grown))
        self.path = Shape(fill_color=str(getattr(theme(), role)), fill_opacity=1)
        self.path.set_stroke(theme().ground, 1.5)
        self.add(self.path)
        self.redraw()

    def show(self, state: Floats) -> None:
        """Draw sticks with these lengths."""
        x, y, angles, units, widths, most = self.stance.T
        feet = np.column_stack([x, y])
        ways = np.column_stack([np.cos(angles), np.sin(angles)])
        sides = ways[:, ::-1] * [-0.5, 0.5] * widths[:, None]
        ends = feet + ways * (np.minimum(state * units, most) * self._grown)[:, None]
        corners = np.stack([feet - sides, ends - sides, ends + sides, feet + sides], axis=1)
        self.path.set_points(closed(np.pad(corners, ((0, 0), (0, 0), (0, 1)))).reshape(-1, 3))
        self.redraw_followers()

    def tips(self) -> Floats:
        """The middles of the sticks' ends; (n, 3)."""
        corners = self.path.points.reshape(-1, _RECTANGLE, 3)
        return np.asarray((corners[:, 4] + corners[:, 8]) / 2)

    def take_posture(self, stance: Floats, *, lag: float = 0.0, **options: Any) -> Drive:
        """Move to another posture; a stick starts when the last one has done `lag` of its move."""
        start, n = self.stance.copy(), len(stance)

        def show(share: Floats) -> None:
            shares = in_turn(float(share), n, 1 / (1 + lag * (n - 1)))
            shares = shares**2 * (3 - 2 * shares)
            self.stance = stance if share == 1 else start + (stance - start) * shares[:, None]
            self.redraw()

        return Drive(self, show, 0.0, 1.0, **options)

    def rise(self, *which: int, lag: float = 0.0, **options: Any) -> Drive:
        """Grow these sticks, or all, from their feet."""
        chosen = list(which or range(len(self._grown)))

        def show(share: Floats) -> None:
            each = 1 / (1 + lag * (len(chosen) - 1))
            self._grown[chosen] = in_turn(float(share), len(chosen), each)
            self.redraw()

        return Drive(self, show, 0.0, 1.0, **options)

    def readings(self) -> Iterator[Reading]:
        """Compare the length of each fully grown stick."""
        if not is_visible(self.path):
            return
        corners = self.path.points.reshape(-1, _RECTANGLE, 3)
        lengths = np.linalg.norm(corners[:, 4] - corners[:, 0], axis=1)
        are_whole = (self._grown > _WHOLE) & (lengths < self.stance[:, 5] - 1e-6)
        for k in np.flatnonzero(are_whole).tolist():
            yield Reading(self.shown[k], float(lengths[k] / self.stance[k, 3]), 1e-6)
