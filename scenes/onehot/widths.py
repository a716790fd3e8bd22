"""Rulers that show how many columns a block has."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.paths import straight
from clockhead.scenes.stage import Picture, Reading, Value
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.theme import Role, theme
from clockhead.scenes.style.type import LABEL

_GAP, _TICK = 0.12, 0.07
"""Distance between the cells and a ruler, and half the height of its end marks, in units."""


class Width(Picture):
    """A ruler below some cells, as long as `value` columns, with this number."""

    def __init__(self, value: Value, cells: Region, n_columns: int, role: Role) -> None:
        super().__init__(value)
        color = theme().text_color(role)
        self._column = cells.width / n_columns
        self.line = VMobject(stroke_color=color, stroke_width=2.5)
        self.figure = Figure(value, ".0f", color=color, prefix="h = ")
        self.add(self.line, self.figure)
        self.start_at(cells.left, cells.bottom - _GAP)

    def start_at(self, left: float, y: float) -> None:
        """Move the ruler's left end to a point."""
        self._at = np.array([left, y])
        self.show(self.state)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the ruler with a length of `state` columns."""
        (left, y), right = self._at, self._at[0] + float(state) * self._column
        starts = [(left, y, 0.0), (left, y - _TICK, 0.0), (right, y - _TICK, 0.0)]
        ends = [(right, y, 0.0), (left, y + _TICK, 0.0), (right, y + _TICK, 0.0)]
        self.line.set_points(straight(np.array(starts), np.array(ends)))
        self.figure.put(np.array([(left + right) / 2, y - _GAP - 0.75 * LABEL * PX, 0.0]))

    def move_over(self, other: Width, *, run_time: float = 1.4) -> Drive:
        """Slide just above another ruler, and fade out the number, which is the same."""
        start, end = self._at.copy(), other._at + np.array([0.0, 2 * _TICK])

        def go(share: NDArray[np.float64]) -> None:
            self.start_at(*(start + (end - start) * float(share)))
            self.figure.number.set_fill(opacity=1 - float(share))

        return Drive(self, go, 0.0, 1.0, run_time=run_time)

    def readings(self) -> Iterator[Reading]:
        """The length of the ruler, in columns."""
        if self.line.get_stroke_opacity() > 0:
            yield Reading(self.shown, float(self.line.width / self._column))
