"""Turns on a dial: the arc that a hand has swept, and a sum of two turns."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Line, VGroup, VMobject
from numpy.typing import NDArray

from scenes.parts.clocks.clock import Clock, tip
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive, recolor
from scenes.style.text import Label, Number
from scenes.style.theme import mix, theme
from scenes.style.type import LABEL, SMALL

_PER_TURN = 0.1
"""How much further out each full turn of a sweep runs, as a share of its radius."""
_HEAD = 0.14


class Sweep(VGroup):
    """The arc that a hand sweeps from `start`, ending in an arrow head; angles as on a clock.

    Beyond a full turn it winds outwards, so that no turn hides another.
    """

    def __init__(
        self,
        center: NDArray[np.float64],
        radius: float,
        start: float,
        color: str,
        width: float = 5,
    ) -> None:
        super().__init__()
        self._center, self._radius, self._start = center, radius, start
        self.arc = VMobject(stroke_color=color, stroke_width=width)
        self.head = VMobject(stroke_width=0, fill_color=color, fill_opacity=1)
        self.add(self.arc, self.head)
        self.angle = 0.0
        self.show(0.0)

    def show(self, angle: float) -> None:
        """Sweep `angle` radians clockwise from the start; a negative angle turns back."""
        self.angle = angle
        angles = np.linspace(0.0, angle, max(8, int(abs(angle) * 12)))
        self.arc.set_points_smoothly([self._at(a) for a in angles])
        self.head.set_points_as_corners(self._head())

    def to(self, angle: float, **options: Any) -> Drive:
        """Let the sweep run to `angle`."""
        return Drive(self, lambda a: self.show(float(a)), self.angle, angle, **options)

    def _at(self, angle: float, out: float = 1.0) -> NDArray[np.float64]:
        turns = abs(angle) / (2 * np.pi)
        radius = self._radius * (out + _PER_TURN * max(0.0, turns - 0.5))
        return tip(self._center, radius, self._start + angle)

    def _head(self) -> list[NDArray[np.float64]]:
        """A triangle at the end; it grows with the first bit of the sweep."""
        size = min(_HEAD, 0.28 * self._radius, abs(self.angle) * 0.45 * self._radius)
        back = self.angle - np.sign(self.angle) * size * 1.3 / self._radius
        inner, outer = 1 - size / 1.6 / self._radius, 1 + size / 1.6 / self._radius
        point = self._at(self.angle)
        return [point, self._at(back, outer), self._at(back, inner), point]


class TurnSum(VGroup):
    """A dial on which a hand turns twice, and another once to the same place; angles in degrees.

    `turn(0)` goes back by `back`, `turn(1)` on by `on` from there, and `turn(2)` lets a fresh hand
    go `at_once`. The angles are written as a sum beside the dial, or under it.
    """

    def __init__(self, cell: Region, a_step: float, back: float, on: float, at_once: float) -> None:
        super().__init__()
        look = theme()
        self.degrees = (back, on, at_once)
        self._starts = (0.0, np.radians(back), 0.0)
        dial, column = _dial_and_column(cell)
        radius = min(dial.width, dial.height) / 2
        self.clock = Clock(radius, color=look.ink).shift(dial.center)
        self.fresh = VMobject(stroke_color=look.position, stroke_width=self.clock.hand.stroke_width)
        self.fresh_hub = self.clock.hub.copy().set_fill(look.position, 0)
        self._colors = (look.query, look.key, look.position)
        self.sweeps = [
            Sweep(dial.center, radius * share, start, color, width=min(6.0, 4 * radius))
            for share, start, color in zip(_LANES, self._starts, self._colors, strict=True)
        ]
        self.add(self.clock, *self.sweeps, self.fresh, self.fresh_hub)
        self._write(column, a_step)

    def turn(self, k: int, **options: Any) -> Drive:
        """Make turn `k`, the sweep and its number running along."""

        def show(share: NDArray[np.float64]) -> None:
            angle = np.radians(self.degrees[k]) * float(share)
            self.sweeps[k].show(angle)
            self._point(k, self._starts[k] + angle)
            self.numbers[k].set_value(self.degrees[k] * float(share))
            seen = min(1.0, 6 * float(share))
            self.numbers[k].set_fill(opacity=seen)
            if k == 2:
                self._rule.set_stroke(opacity=seen)
                self.fresh_hub.set_fill(opacity=seen)

        return Drive(self, show, 0.0, 1.0, **options)

    def step_back(self) -> list[Drive]:
        """The two turns step back, so that the one that equals both stands out."""
        ground = theme().panel
        arcs = [
            recolor(sweep, mix(ground, color, 0.45))
            for sweep, color in zip(self.sweeps[:2], self._colors[:2], strict=True)
        ]
        return [*arcs, recolor(VGroup(self.clock.hand, self.clock.hub), theme().muted)]

    def _point(self, k: int, angle: float) -> None:
        if k < 2:
            self.clock.show(angle)
            return
        end = tip(self.clock.middle, self.clock.radius * 0.84, angle)
        self.fresh.set_points_as_corners([self.clock.middle, end])

    def _write(self, column: Region, a_step: float) -> None:
        """The speed, and room for the sum under it, right-aligned as on paper."""
        look = theme()
        beside = column.height > _SUM_HEIGHT * 1.2
        size = float(
            np.clip(column.width / _SUM_WIDTH * LABEL, LABEL, _LARGEST if beside else LABEL)
        )
        step = size * PX * 1.5
        top = column.center[1] + (1.9 if beside else 0.75) * step
        small = max(SMALL, 0.75 * size)
        self.speed = Number(a_step, ".3g", size=small, color=look.muted, suffix="°", align="left")
        self.speed.put(np.array([column.left, top, 0.0]))
        words = Label("a step", size=small, color=look.muted)
        words.put(np.array([column.left, top - small * PX * 1.25, 0.0]))
        first = top - 1.9 * step if beside else top
        drops = np.array([0.0, 1.0, 2.25]) * step
        self.numbers = [
            Number(0.0, "+.1f", size=size, color=color, suffix="°", align="right")
            .put(np.array([column.right, first - drop, 0.0]))
            .set_fill(opacity=0)
            for color, drop in zip(self._colors, drops, strict=True)
        ]
        y = first - 1.4 * step
        end = np.array([column.right, y, 0.0])
        self._rule = Line(end - np.array([_SUM_WIDTH * size / LABEL, 0.0, 0.0]), end)
        self._rule.set_stroke(look.muted, 2, opacity=0)
        self.add(self.speed, words, *self.numbers, self._rule)


_LANES = (0.74, 0.56, 0.38)
"""Radii of the three sweeps, as shares of the dial's."""
_SUM_WIDTH, _SUM_HEIGHT = 1.05, 1.15
"""Of a sum whose numbers have the size of labels, in units."""
_LARGEST = 34.0


def _dial_and_column(cell: Region) -> tuple[Region, Region]:
    """Beside each other or one above the other, whichever allows the larger dial."""
    gap = 0.2
    beside = min(cell.width - _SUM_WIDTH - gap, cell.height)
    under = min(cell.width, cell.height - _SUM_HEIGHT - gap)
    x, y = cell.center[:2]
    if beside >= under:
        sum_width = min(cell.width - beside - gap, _SUM_WIDTH * _LARGEST / LABEL)
        left = x - (beside + gap + sum_width) / 2
        dial = Region(left, y - beside / 2, left + beside, y + beside / 2)
        return dial, Region(dial.right + gap, cell.bottom, dial.right + gap + sum_width, cell.top)
    top = y + (under + gap + _SUM_HEIGHT) / 2
    dial = Region(x - under / 2, top - under, x + under / 2, top)
    half = min(cell.width, 2 * _SUM_WIDTH) / 2
    return dial, Region(x - half, dial.bottom - gap - _SUM_HEIGHT, x + half, dial.bottom - gap)
