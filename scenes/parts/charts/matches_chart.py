"""In how many random heads tokens find themselves: a histogram with one bar too few."""

from __future__ import annotations

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from model.arrays import Ints
from scenes.parts.charts.plot import Plot
from scenes.style.layout import Region
from scenes.style.motion import Drive
from scenes.style.text import Label, Number
from scenes.style.theme import theme
from scenes.style.type import LABEL

_HALF_BAR = 0.38
"""Half the width of a bar, of the room it has."""
_AIR = 0.14


class MatchesChart(VGroup):
    """In how many heads 0, 1, 2, ... letters find themselves, and how many should.

    The bars are flat until `grow`, and `numbers` are not added.
    """

    def __init__(self, counts: Ints, region: Region) -> None:
        super().__init__()
        look = theme()
        self.counts = np.asarray(counts, dtype=float)
        n_vocab = len(counts) - 1
        top = float(counts.max())
        self.plot = Plot(
            region.inset(0.1, 0.0),
            x=(-2.4, n_vocab + 1.2),
            y=(0.0, 1.18 * top),
            x_ticks=[0.0, 1.0, 2.0, 3.0, 10.0, 20.0, float(n_vocab)],
            x_spec="d",
            x_name=f"how many of the {n_vocab} letters find themselves",
            y_name="random heads",
            size=LABEL,
        )
        self.unit = float(self.plot.at(1, 0)[0] - self.plot.at(0, 0)[0])
        self.bars = VGroup(*(self._bar(int(k), look.residual) for k in np.flatnonzero(counts)))
        self.numbers = VGroup()
        for k in np.flatnonzero(counts):
            self.numbers.add(self._number(int(k)))
        self.wanted = self._wanted(n_vocab, top)
        self.add(self.plot, self.wanted, self.bars)

    def grow(self) -> Drive:
        """Let the bars rise to their counts."""
        found = np.flatnonzero(self.counts)

        def show(heights: NDArray[np.float64]) -> None:
            for bar, k, height in zip(self.bars, found, heights, strict=True):
                self._raise(bar, int(k), float(height))

        return Drive(self.bars, show, np.zeros(len(found)), self.counts[found], run_time=1.4)

    def _number(self, k: int) -> Number:
        """A count, over its bar; beside it where the number to the left is in the way."""
        at, half = self.plot.at(k, self.counts[k]), _HALF_BAR * self.unit
        first = not len(self.numbers)
        number = Number(
            self.counts[k],
            ",.0f",
            size=26,
            weight="semibold",
            align="center" if first else "left",
        )
        if first:
            return number.put(at + np.array([0.0, _AIR, 0.0]))
        number.put(at + np.array([-half, _AIR, 0.0]))
        if number.get_left()[0] > self.numbers[-1].get_right()[0] + _AIR:
            return number
        return number.put(at + np.array([half + 0.6 * _AIR, -0.3, 0.0]))

    def _bar(self, k: int, color: str) -> VMobject:
        bar = VMobject(stroke_width=0, fill_color=color, fill_opacity=1)
        self._raise(bar, k, 0.0)
        return bar

    def _raise(self, bar: VMobject, k: int, height: float) -> None:
        half = _HALF_BAR * self.unit
        foot, head = self.plot.at(k, 0.0), self.plot.at(k, height)
        right, left = np.array([half, 0.0, 0.0]), np.array([-half, 0.0, 0.0])
        bar.set_points_as_corners(
            [foot + left, foot + right, head + right, head + left, foot + left]
        )

    def _wanted(self, n_vocab: int, top: float) -> VGroup:
        """An empty bar where all letters would find themselves."""
        look = theme()
        ghost = self._bar(n_vocab, look.ground)
        self._raise(ghost, n_vocab, top)
        ghost.set_fill(opacity=0).set_stroke(look.value, 3)
        words = Label("wanted", color=look.text_color("value"), weight="semibold", align="right")
        above = self.plot.at(n_vocab + 0.6, top) + np.array([0.0, _AIR, 0.0])
        return VGroup(ghost, words.put(above))
