"""Bars in a band of a text, one for every token, and numbers where there is room for them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Line, VGroup, VMobject
from numpy.typing import ArrayLike, NDArray

from scenes.parts.tokens.prompt_strip import PromptStrip
from scenes.style.layout import PX
from scenes.style.motion import Drive
from scenes.style.text import Number, text_width
from scenes.style.theme import theme
from scenes.style.type import LABEL, X_HEIGHT

_BROAD = 0.66
"""How much of its slot a bar takes."""
_AIR = 0.1


class StripBars(VGroup):
    """A share of attention for each token as a bar that grows from a line along its band.

    In rows they stand on the line, in a text that runs down they lie to the right of it. `high` is
    the value of the longest bar that has room. `numbers` writes the values of the given slots at
    the ends of their bars (beside them where there are several rows), the largest first, leaving
    out those that would touch another.
    """

    def __init__(
        self,
        strip: PromptStrip,
        band: str,
        values: ArrayLike,
        *,
        high: float = 1.0,
        numbers: Sequence[int] = (),
        spec: str = ".1%",
        size: float = LABEL,
    ) -> None:
        super().__init__()
        look, self._strip, self._span = theme(), strip, strip.spans[band]
        self.values = np.asarray(values, dtype=float)
        texts = [Number(self.values[k], spec).text for k in numbers] or ["0"]
        self._size = size
        broad = max(text_width(text, size, "semibold") for text in texts)
        self._beside = strip.rows > 1
        room = broad + _AIR if strip.down else 0.0 if self._beside else size * PX + _AIR
        room = room if numbers else 0.0
        self._unit = max(self._span.length - room, 0.1) / high
        self.bars = VMobject(stroke_width=0, fill_color=look.attention, fill_opacity=1)
        self.line = VGroup(*self._lines())
        self.numbers = self._numbers(numbers, spec, look.text_color("attention"))
        self.add(self.line, self.bars)
        self.show(self.values)

    def foot(self, k: int) -> NDArray[np.float64]:
        """Where a bar begins."""
        return self._strip.at(k, self._span.start if self._strip.down else self._span.end)

    def tip(self, k: int, value: float) -> NDArray[np.float64]:
        """Where a bar of some value ends."""
        return np.array(self.foot(k) + value * self._unit * self._way)

    def show(self, values: ArrayLike) -> None:
        """Set every bar."""
        self.values = np.asarray(values, dtype=float)
        half = _BROAD * self._strip.slot / 2 * self._strip.onward
        path = VMobject()
        self.bars.clear_points()
        for k, value in enumerate(self.values):
            foot, tip = self.foot(k), self.tip(k, float(value))
            corners = [foot - half, foot + half, tip + half, tip - half, foot - half]
            self.bars.append_points(path.set_points_as_corners(corners).points)

    def grow(self, *, run_time: float = 1.0) -> Drive:
        """From nothing to their values."""
        return Drive(self, self.show, 0 * self.values, self.values, run_time=run_time)

    @property
    def _way(self) -> NDArray[np.float64]:
        """The direction in which bars grow."""
        return -self._strip.outward if self._strip.down else self._strip.outward

    def _lines(self) -> list[Line]:
        half = self._strip.slot / 2 * self._strip.onward
        n, per_row = len(self.values), self._strip.per_row
        rows = [(first, min(first + per_row, n) - 1) for first in range(0, n, per_row)]
        return [
            Line(self.foot(a) - half, self.foot(b) + half).set_stroke(theme().muted, 2)
            for a, b in rows
        ]

    def _numbers(self, slots: Sequence[int], spec: str, color: str) -> VGroup:
        kept, taken = VGroup(), [self._box(k) for k in range(len(self.values)) if self._stands(k)]
        for k in sorted(slots, key=lambda k: -self.values[k]):
            number = Number(self.values[k], spec, size=self._size, weight="semibold", color=color)
            self._place(number, k)
            box = np.array([number.get_left()[:2], number.get_right()[:2]])
            box[:, 1] = number.get_bottom()[1], number.get_top()[1]
            if all(_clear(box, other) for other in taken):
                taken.append(box)
                kept.add(number)
        return kept

    def _stands(self, k: int) -> bool:
        """Whether a bar is long enough to be in the way of a number beside it."""
        return bool(self._beside and self.values[k] * self._unit > 0.03)

    def _above(self, k: int) -> bool:
        """Whether a number has room over its bar."""
        needs = self.values[k] * self._unit + self._size * PX + _AIR
        return bool(needs < self._span.length + 0.08)

    def _box(self, k: int) -> NDArray[np.float64]:
        """The lower left and the upper right corner of a bar that stands."""
        half = np.array([_BROAD * self._strip.slot / 2, 0.0])
        return np.array([self.foot(k)[:2] - half, self.tip(k, float(self.values[k]))[:2] + half])

    def _place(self, number: Number, k: int) -> None:
        tip = self.tip(k, float(self.values[k]))
        if self._strip.down:
            number.align = "left"
            drop = X_HEIGHT / 2 * self._size * PX
            number.put(tip + np.array([_AIR, -drop, 0.0]))
            return
        row = self._strip.row(k) * self._strip.per_row
        ends = row, min(row + self._strip.per_row, len(self.values)) - 1
        left, right = (self._strip.at(end, 0.0)[0] for end in ends)
        reach = self._strip.slot / 2
        if self._beside and not self._above(k):
            aside = _BROAD * self._strip.slot / 2 + 0.09
            fits = self.foot(k)[0] + aside + number.width < right + reach
            number.align = "left" if fits else "right"
            number.put(self.foot(k) + np.array([aside if fits else -aside, 0.09, 0.0]))
            return
        number.put(tip + np.array([0.0, _AIR, 0.0]))
        inwards = max(0.0, left - reach - number.get_left()[0])
        inwards += min(0.0, right + reach - number.get_right()[0])
        number.shift(np.array([inwards, 0.0, 0.0]))


def _clear(a: NDArray[np.float64], b: NDArray[np.float64]) -> bool:
    """Whether two boxes, of a lower left and an upper right corner, leave air between them."""
    return bool(((a[0] > b[1] + 0.08) | (b[0] > a[1] + 0.08)).any())
