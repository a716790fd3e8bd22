"""Heads as points: how busy each looks, and what its silence changes; and many models at once."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import Circle, VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.chart import Chart, Mark
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.paths import rectangles, straight
from clockhead.scenes.stage import Picture, Reading, Size, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import CAP_HEIGHT

Points = NDArray[np.float64]

_DOT, _CIRCLE = 0.09, Circle(radius=1.0).points


class HeadDots(Mark):
    """A dot for each head, (L, h): across `looks`, up the value."""

    least_area = Size(3.0, 1.5)

    def __init__(self, effects: Value, looks: Value, chart: Chart) -> None:
        super().__init__(effects, chart)
        self._looks = looks
        self.dots = VMobject(stroke_width=0, fill_color=theme().attention, fill_opacity=1)
        self.add(self.dots)

    def spot(self, head: tuple[int, int]) -> Region:
        """Around the dot of a head."""
        x, y, _ = self.chart.at(self._looks.array[head], self.state[head])
        return Region(x - _DOT, y - _DOT, x + _DOT, y + _DOT)

    def draw(self, state: Points) -> None:
        """Draw the dots."""
        spots = self.chart.at(self._looks.array.ravel(), state.ravel())
        self.dots.set_points((spots[:, None] + _DOT * _CIRCLE).reshape(-1, 3))

    def readings(self) -> Iterator[Reading]:
        """Where each dot is, along both axes."""
        if not self.chart.placed or not is_visible(self.dots):
            return
        x, y = self.chart.x, self.chart.y
        dots = self.dots.points.reshape(-1, len(_CIRCLE), 3)
        middles = (dots.min(axis=1) + dots.max(axis=1)) / 2
        for head, (across, up, _) in zip(np.ndindex(self.state.shape), middles, strict=True):
            yield Reading(self._looks[head], float(x.read(across)), x.scaling.within(0.0))
            yield Reading(self.shown[head], float(y.read(up)), y.scaling.within(0.0))


class ManyModels(Picture):
    """A square for each model, (N,), lit where the value is true; columns of ten fill up.

    `sort` lets the lit ones come first, `n_lit` in number; a band says how many `by_chance` are,
    give or take `spread`.
    """

    _ROWS = 10
    _FOOT = 0.5

    def __init__(self, lit: Value, n_lit: Value, by_chance: Value, spread: Value) -> None:
        super().__init__(lit)
        look = theme()
        self._n_lit, self._by_chance, self._spread = n_lit, by_chance, spread
        self._order = np.argsort(~lit.content, kind="stable").argsort()  # (N,), the place of each
        self._come, self._sorted = 0.0, 0.0
        self.dark = VMobject(stroke_width=0, fill_color=look.hairline, fill_opacity=1)
        self.light = VMobject(stroke_width=0, fill_color=look.attention, fill_opacity=1)
        self.rule = VMobject(stroke_color=look.ink, stroke_width=3, stroke_opacity=0)
        self.band = VMobject(stroke_width=0, fill_color=look.ink, fill_opacity=0)
        color = look.text_color("attention")
        self.number = Figure(n_lit, "d", color=color, prefix="the busiest: ", align="left")
        self.chance = Figure(by_chance, ".3g", prefix="by lot: ", align="left")
        for figure in (self.number, self.chance):
            figure.set_fill(opacity=0)
        self.add(self.dark, self.light, self.band, self.rule, self.number, self.chance)

    @property
    def least(self) -> Size:
        return self._size(0.18)

    @property
    def most(self) -> Size:
        return self._size(0.4)

    def _size(self, pitch: float) -> Size:
        return Size(self._n_columns * pitch, self._ROWS * pitch + 2 * self._FOOT)

    @property
    def _n_columns(self) -> int:
        return math.ceil(len(self.shown.content) / self._ROWS)

    def place(self, region: Region) -> None:
        """Stand in the middle of a region."""
        high = region.height - 2 * self._FOOT
        self._pitch = min(region.width / self._n_columns, high / self._ROWS, 0.4)
        x, y, _ = region.center
        half = np.array([-self._n_columns, self._ROWS]) * self._pitch / 2
        self._corner = np.array([x, y]) + half
        self.show(self.state)

    def _across(self, n: float) -> float:
        """How far n squares reach."""
        return float(self._corner[0] + n / self._ROWS * self._pitch)

    def show(self, state: Points) -> None:
        """Draw the squares that have come, on their way to where they are sorted."""
        n = len(state)
        start, end = (np.stack(np.divmod(k, self._ROWS), 1) for k in (np.arange(n), self._order))
        cells = start + (end - start) * self._sorted  # (N, 2)
        middles = self._corner + (cells + 0.5) * self._pitch * np.array([1, -1])
        lit = (np.arange(n) < round(self._come * n)) & (state > 0)
        half = 0.42 * self._pitch
        for path, chosen in ((self.dark, ~lit), (self.light, lit)):
            low, high = middles[chosen] - half, middles[chosen] + half
            path.set_points(rectangles(*low.T, *high.T))
        n_chance, n_lit = float(self._by_chance.content), float(self._n_lit.content)
        top, foot = self._corner[1], self._corner[1] - self._ROWS * self._pitch
        x, half = self._across(n_chance), float(self._spread.content) / self._ROWS * self._pitch
        self.band.set_points(rectangles([x - half], [foot - 0.15], [x + half], [top]))
        self.rule.set_points(straight(np.array([[x, foot - 0.15, 0.0]]), np.array([[x, top, 0.0]])))
        self.chance.put(np.array([x - 0.02, foot - 0.2 - CAP_HEIGHT * self.chance.number.em, 0.0]))
        self.number.put(np.array([min(self._corner[0], self._across(n_lit)), top + 0.12, 0.0]))

    def come(self, **options: Any) -> Drive:
        """Let the models be tried one after another."""
        return self._drive("_come", **options)

    def sort(self, **options: Any) -> Drive:
        """Let the lit ones come first."""
        return self._drive("_sorted", **options)

    def compare(self, **options: Any) -> Drive:
        """Let the numbers be written, and the line for chance drawn."""

        def show(share: Points) -> None:
            self.rule.set_stroke(opacity=float(share))
            self.band.set_fill(opacity=0.35 * float(share))
            self.number.set_fill(opacity=float(share))
            self.chance.set_fill(opacity=float(share))

        return Drive(self, show, 0.0, 1.0, **options)

    def _drive(self, name: str, **options: Any) -> Drive:
        def show(share: Points) -> None:
            setattr(self, name, float(share))
            self.show(self.state)

        return Drive(self, show, 0.0, 1.0, **options)

    def readings(self) -> Iterator[Reading]:
        """Which models are lit, how many that is, and where the line stands."""
        if self._come < 1 or not is_visible(self.light):
            return
        squares = self.light.points.reshape(-1, 16, 3)
        middles = (squares.min(axis=1) + squares.max(axis=1))[:, :2] / 2
        column, row = ((middles - self._corner) / self._pitch * [1, -1]).T - 0.5
        places = np.rint(column) * self._ROWS + np.rint(row)
        yield Reading(self._n_lit, float(len(places)))
        if self._sorted == 0:
            for k in range(len(self.shown.content)):
                yield Reading(self.shown[k], float(k in places))
        elif self._sorted == 1:
            yield Reading(self._n_lit, float(places.max(initial=-1.0) + 1))
        if is_visible(self.rule):
            x, scale = float(self.rule.points[:, 0].mean()), self._ROWS / self._pitch
            within = 1e-6 * len(self.shown.content)
            yield Reading(self._by_chance, (x - self._corner[0]) * scale, within)
            yield Reading(self._spread, float(np.ptp(self.band.points[:, 0])) / 2 * scale, within)
