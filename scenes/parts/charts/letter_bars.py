"""Bars over a row of letters, or hanging from one: how often each letter comes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from manim import Line, VGroup, VMobject
from numpy.typing import ArrayLike, NDArray

from model.caesar import N_ROTATIONS
from model.tokens import LETTERS
from scenes.parts.paths import rectangles
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive, recolor
from scenes.style.text import Label, Number
from scenes.style.theme import mix, theme
from scenes.style.type import LABEL, MIN_SIZE, SMALL, Weight

_BAR = 0.74
"""Width of a bar, as a share of its column."""
_GAP = 0.08
"""Between a bar's end and its number, in units."""
_NAMED = 0.262
"""Columns narrower than this, in units, have no room for the number of every rotation."""


class LetterBars(VGroup):
    """A bar for each name, side by side over the whole width of a region, all to one scale.

    `high` is the value that fills the height. `hanging` bars grow downwards, from names above them.
    `names` are the letters a to z unless others are given; () leaves them out, so that two charts
    can share a row. `room` is left free at the far end of the bars, for a `heading`.

    `turn` moves every bar on by so many columns, round and round; bar k then stands in column
    `(k + turn) % n`. The names stay where they are unless `names_turn`.
    """

    def __init__(
        self,
        values: ArrayLike,
        region: Region,
        *,
        high: float,
        color: str | None = None,
        hanging: bool = False,
        names: Sequence[str] = LETTERS.tokens,
        names_turn: bool = False,
        names_color: str | None = None,
        size: float | None = None,
        room: float = 0.0,
    ) -> None:
        super().__init__()
        look = theme()
        self.values = np.asarray(values, dtype=float)  # (n,)
        self.region, self.hanging, self.turned = region, hanging, 0.0
        self.step = region.width / len(self.values)
        self.size = letter_size(self.step) if size is None else size
        self.color_of_bars = color or look.attention
        band = names_height(self.size) if names else 0.0
        below, above = (room, band) if hanging else (band, room)
        self.area = Region(region.left, region.bottom + below, region.right, region.top - above)
        self.zero = self.area.top if hanging else self.area.bottom
        self.unit = self.area.height / high * (-1 if hanging else 1)
        self.line = Line(
            (region.left, self.zero, 0.0), (region.right, self.zero, 0.0), stroke_width=2
        ).set_stroke(look.muted)
        self.bars = [
            VMobject(stroke_width=0, fill_color=self.color_of_bars, fill_opacity=1)
            for _ in self.values
        ]
        ink = names_color or look.muted
        self.names = [Label(name, size=self.size, color=ink, align="center") for name in names]
        self._names_turn = names_turn
        self._names_y = self.zero + (band * 0.5 if hanging else -band * 0.5)
        for column, name in enumerate(self.names):
            name.center_on(self._name_spot(column))
        self.add(*self.bars, self.line, *self.names)
        self.show(self.values)

    def middle(self, column: int) -> float:
        """The x of a column."""
        return self.area.left + (column + 0.5) * self.step

    def tip(self, k: int) -> NDArray[np.float64]:
        """The end of bar `k`, wherever it has been turned to."""
        x = self.middle(0) + (k + self.turned) % len(self.values) * self.step
        return np.array([x, self.zero + self.values[k] * self.unit, 0.0])

    def show(self, values: ArrayLike) -> None:
        """Set every bar."""
        self.values = np.asarray(values, dtype=float)
        half = _BAR * self.step / 2
        for k, bar in enumerate(self.bars):
            x, y = self.tip(k)[:2]
            low, high = sorted((y, self.zero))
            pieces = [(max(x - half, self.area.left), min(x + half, self.area.right))]
            if (beyond := x + half - self.area.right) > 1e-9:
                start = self.area.left + max(0.0, beyond - 2 * half)
                pieces = [(start, self.area.left + beyond)]
                if x - half < self.area.right:
                    pieces.append((x - half, self.area.right))
            left, right = np.array(pieces).T
            bar.set_points(rectangles(left, low, right, high))

    def turn(self, by: float) -> None:
        """Set how many columns the bars have been moved on by; whole turns change nothing."""
        self.turned = float(by)
        self.show(self.values)
        if not self._names_turn:
            return
        for k, name in enumerate(self.names):
            column = (k + self.turned + 0.5) % len(self.names) - 0.5
            name.center_on(self._name_spot(column))
            name.set_fill(opacity=min(1.0, 2 * min(column + 0.5, len(self.names) - 0.5 - column)))

    def to(self, values: ArrayLike, **options: Any) -> Drive:
        """Let the bars run to other values."""
        return Drive(self, self.show, self.values, values, **options)

    def light(self, bars: Sequence[int], color: str, **options: Any) -> Drive:
        """Give some bars another colour."""
        return recolor(VGroup(*(self.bars[k] for k in bars)), color, **options)

    def number(
        self,
        k: int,
        value: float,
        spec: str,
        *,
        size: float = SMALL,
        weight: Weight = "regular",
        color: str | None = None,
        suffix: str = "",
    ) -> Number:
        """A number at the end of bar `k`, kept within the region's width; not added."""
        number = Number(value, spec, size=size, weight=weight, color=color, suffix=suffix)
        drop = -_GAP - 0.66 * size * PX if self.hanging else _GAP
        number.put(self.tip(k) + np.array([0.0, drop, 0.0]))
        inside = max(0.0, self.area.left - number.get_left()[0])
        inside -= max(0.0, number.get_right()[0] - self.area.right)
        number.shift(np.array([inside, 0.0, 0.0]))
        return number

    def heading(self, text: str, *, color: str | None = None, size: float = LABEL) -> Label:
        """Words in the room at the far end of the bars, at the left; not added to the chart."""
        label = Label(text, size=size, color=color or theme().muted)
        return label.put(self.heading_start(size))

    def heading_start(self, size: float = LABEL) -> NDArray[np.float64]:
        """Where the first letter of a heading stands."""
        region = self.region
        y = region.bottom + 0.22 * size * PX if self.hanging else region.top - 0.7 * size * PX
        return np.array([region.left, y, 0.0])

    def _name_spot(self, column: float) -> NDArray[np.float64]:
        return np.array([self.area.left + (column + 0.5) * self.step, self._names_y, 0.0])


def letter_size(step: float) -> float:
    """The size of type for names over columns `step` units wide."""
    return max(MIN_SIZE, min(24.0, 0.62 * step / PX))


def rotation_names(step: float) -> list[str]:
    """All rotations, by number, over columns `step` units wide; every fifth if those are narrow."""
    every = 1 if step > _NAMED else 5
    return [str(r) if r % every == 0 else " " for r in range(N_ROTATIONS)]


def quiet() -> str:
    """The colour of bars among which another one stands out."""
    return mix(theme().panel, theme().residual, 0.35)


def names_height(size: float) -> float:
    """The height of a row of names, in units."""
    return size * PX * 1.3
