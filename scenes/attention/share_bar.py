"""One bar that is divided into the shares of several words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.paths import rectangles
from clockhead.scenes.stage import Picture, Reading, Size, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import mix, theme
from clockhead.scenes.style.type import MIN_SIZE

_HIGH, _SEAM = 0.62, 0.04
"""Height of the bar, and the gap between two of its parts, in units."""
_SIZE = 28.0
"""Size of the text, in pixels at 720p."""
_LINE, _BETWEEN = 0.5, 0.12
"""Height of a line of text, and the least gap between two texts, in units."""


class ShareBar(Picture):
    """A bar as wide as its region, divided into shares (n,), each with its word and percentage.

    The share `lit` is brighter than the others. If space is tight, the words are above the bar and
    the percentages below. `join` assembles the bar from separate bars.
    """

    least = Size(3.0, _HIGH + 2 * _LINE)
    most = Size(np.inf, _HIGH + 2 * _LINE)

    def __init__(self, shares: Value, words: Value, *, lit: int, spec: str = ".0%") -> None:
        super().__init__(shares)
        color, n = theme().attention, len(shares)
        self.region = Region(0.0, 0.0, 1.0, 1.0)
        self._joined, self._apart, self._spec, self._words = 1.0, np.zeros((n, 4)), spec, words
        colors = [mix(theme().ground, color, 1.0 if k == lit else 0.6) for k in range(n)]
        self.paths = [Shape(stroke_width=0, fill_color=one, fill_opacity=1) for one in colors]
        self.figures: list[Figure] = []
        self.names: list[Label] = []
        self.add(*self.paths)

    def place(self, region: Region) -> None:
        """Place the bar in the upper half of a region, with its text below."""
        top = region.top - _LINE
        self.region = Region(region.left, top - _HIGH, region.right, top)
        self._write(self._words)
        self.show(self.state)

    def _write(self, words: Value) -> None:
        """Write words and shares below the bar, or the words above it if space is tight."""
        self.remove(*self.figures, *self.names)
        texts, area = [str(word) for word in words.content], self.region
        numbers, n = [format(share, self._spec) for share in self.state.tolist()], len(texts)
        both = [f"{text} {number}" for text, number in zip(texts, numbers, strict=True)]
        is_short = sum(text_width(one, _SIZE) for one in both) + _BETWEEN * n > area.width
        told = [
            (text, number) if is_short else (one,)
            for text, number, one in zip(texts, numbers, both, strict=True)
        ]
        widths = np.array(
            [max(text_width(one, _SIZE, "semibold") for one in some) for some in told]
        )
        size = _SIZE * min(1.0, (area.width - _BETWEEN * n) / widths.sum())
        widths *= size / _SIZE
        between = (area.width - widths.sum()) / max(1, n - 1)
        places = area.left + np.cumsum(widths + between) - between - widths / 2
        look: dict[str, Any] = {"size": max(MIN_SIZE, size), "align": "center"}
        look["color"] = theme().text_color("attention")
        shares = cast("Value", self.shown)
        self.figures, self.names = [], []
        for k, (text, x) in enumerate(zip(texts, places, strict=True)):
            figure = Figure(shares[k], self._spec, prefix="" if is_short else f"{text} ", **look)
            self.figures.append(figure.put(np.array([x, area.bottom - 0.85 * _LINE, 0.0])))
            if is_short:
                name = Label(text, **look)
                self.names.append(name.put(np.array([x, area.top + 0.14, 0.0])))
        self.add(*self.figures, *self.names)

    def rename(self, words: Value, **options: Any) -> Drive:
        """Replace the words at the shares."""

        def show(share: NDArray[np.float64]) -> None:
            if float(share) >= 0.5 and self._words is not words:
                self._words = words
                self._write(words)

        return Drive(self, show, 0.0, 1.0, **options)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw these shares, which add up to 1."""
        area = self.region
        ends = area.left + area.width * np.cumsum(state)
        lefts = ends - area.width * state
        n = len(state)
        there = np.column_stack([lefts, np.full(n, area.bottom), ends, np.full(n, area.top)])
        boxes = self._apart + (there - self._apart) * self._joined
        for path, box in zip(self.paths, boxes, strict=True):
            seam = min(_SEAM, 0.2 * (box[2] - box[0])) * self._joined
            path.set_points(rectangles(box[0] + seam / 2, box[1], box[2] - seam / 2, box[3]))

    def join(self, apart: NDArray[np.float64], **options: Any) -> Drive:
        """Assemble the bar from separate boxes (n, 4): left, bottom, right, top."""
        self._apart = apart

        def show(share: NDArray[np.float64]) -> None:
            self._joined = float(share)
            for text in (*(figure.number for figure in self.figures), *self.names):
                text.set_fill(opacity=max(0.0, 4 * float(share) - 3))
            self.show(self.state)

        return Drive(self, show, 0.0, 1.0, **options)

    def readings(self) -> Iterator[Reading]:
        """Compare the length of each part, relative to the whole bar."""
        if self._joined < 1:
            return
        for k, path in enumerate(self.paths):
            if is_visible(path):
                left, right = path.get_left()[0], path.get_right()[0]
                says = (right - left) / self.region.width
                yield Reading(self.shown[k], float(says), 1.1 * _SEAM / self.region.width)
