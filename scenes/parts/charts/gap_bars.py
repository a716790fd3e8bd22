"""Bars, the marks they should reach, and the gaps between the two: ciphertext and template."""

from __future__ import annotations

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import ArrayLike, NDArray

from model.cryptogram import Cryptogram
from scenes.parts.charts.letter_bars import LetterBars
from scenes.parts.paths import straight
from scenes.style.layout import Region
from scenes.style.motion import along
from scenes.style.text import Label, Number
from scenes.style.theme import theme
from scenes.style.type import LABEL


class GapBars(VGroup):
    """A bar and a mark over each letter; a line from the one's end to the other is their gap."""

    def __init__(
        self, values: ArrayLike, marks: ArrayLike, region: Region, *, high: float, color: str
    ) -> None:
        look = theme()
        self.bars = LetterBars(values, region, high=high, color=color)
        self.gaps = VMobject(stroke_color=look.wrong, stroke_width=4)
        self.caps = VMobject(stroke_color=look.attention, stroke_width=5)
        super().__init__(self.bars, self.gaps, self.caps)
        self.show(marks)

    def show(self, marks: ArrayLike) -> None:
        """Put the marks at other heights, (n,)."""
        self.marks = np.asarray(marks, dtype=float)
        tips = self._points(self.marks)
        half = np.array([0.44 * self.bars.step, 0.0, 0.0])
        self.caps.set_points(straight(tips - half, tips + half))
        self.gaps.set_points(straight(self._points(self.bars.values), tips))

    def _points(self, heights: NDArray[np.float64]) -> NDArray[np.float64]:
        x = [self.bars.middle(k) for k in range(len(heights))]
        y = self.bars.zero + heights * self.bars.unit
        return np.column_stack([x, y, np.zeros(len(heights))])


class Comparison(VGroup):
    """A ciphertext and one of its templates, with their dot product and squared error under them.

    `own` and `turned` say what bars and marks are, `counts` are the two numbers.
    """

    def __init__(self, cryptogram: Cryptogram, region: Region) -> None:
        look = theme()
        self.cryptogram = cryptogram
        header, below = region.cut_top(0.4, 0.15)
        bars, counts = below.rows(0.74, 0.26, gap=0.25)
        own, template = cryptogram.histogram, cryptogram.templates[0]
        high = 1.02 * max(float(own.max()), float(template.max()))
        self.chart = GapBars(own, template, bars, high=high, color=look.key)
        spot = header.point(0, 0) + np.array([0.0, 0.1, 0.0])
        self.own = Label("ciphertext h", size=24, weight="semibold", color=look.key).put(spot)
        self.turned = Number(
            0,
            "d",
            prefix="template t, rotation ",
            size=24,
            weight="semibold",
            align="right",
            color=look.text_color("attention"),
        ).put(spot + np.array([region.width, 0.0, 0.0]))
        self.dot, self.error = (
            Number(values[0], ".4f", size=34, weight="semibold", align="left")
            for values in (cryptogram.dot_products, cryptogram.squared_errors)
        )
        self.counts = VGroup(
            *_counted("dot product", self.dot, counts.point(0.0, 1)),
            *_counted("squared error", self.error, counts.point(0.5, 1)),
        )
        super().__init__(self.chart, self.own, self.turned, self.counts)

    def show(self, place: float) -> None:
        """Compare with the template of a rotation, or with what lies between two of them."""
        at = int(place)
        self.chart.show(along(self.cryptogram.templates, place))
        self.turned.set_value(at)
        self.dot.set_value(float(self.cryptogram.dot_products[at]))
        self.error.set_value(float(self.cryptogram.squared_errors[at]))


def _counted(name: str, number: Number, corner: NDArray[np.float64]) -> tuple[Label, Number]:
    """A number under its name, hanging from a top left corner."""
    label = Label(name, size=LABEL, color=theme().muted)
    label.put(corner - np.array([0.0, 0.25, 0.0]))
    return label, number.put(corner - np.array([0.0, 0.68, 0.0]))
