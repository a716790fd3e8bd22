"""How good several methods are, against how much they are given: curves and a list of readings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Dot, Line, VGroup
from numpy.typing import ArrayLike, NDArray

from scenes.parts.charts.plot import Plot, Trace
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive, follow
from scenes.style.text import Label, Number
from scenes.style.theme import theme
from scenes.style.type import LABEL

_SIDE = 3.9
"""Room for the list beside the plot, in units."""
_NARROW = 3.2
_LINE = 0.56
_VALUE = 28.0
_NAME = 24.0


class MethodChart(VGroup):
    """Shares against lengths on a logarithmic scale, a curve for each method.

    At `mark`, one of the lengths, a line crosses the curves; the list says what they are worth
    there, best first. The plot is shown at once, curves and their lines of the list one by one.
    """

    def __init__(
        self,
        lengths: ArrayLike,
        shares: ArrayLike,
        names: Sequence[str],
        colors: Sequence[tuple[str, str]],
        region: Region,
        *,
        mark: int,
        x_name: str,
        y_name: str,
    ) -> None:
        super().__init__()
        self.lengths = np.asarray(lengths)
        self.shares = np.asarray(shares, dtype=float)  # (M, n)
        place, side = self._rooms(region, len(names))
        self.plot = self._axes(place, x_name, y_name)
        at = list(self.lengths).index(mark)
        self.curves = [self._curve(k, color[0]) for k, color in enumerate(colors)]
        order = np.argsort(-self.shares[:, at], kind="stable").tolist()
        self._side = side
        self.lines = [
            self._line(1 + order.index(k), names[k], colors[k][0], colors[k][1], k, at)
            for k in range(len(names))
        ]
        self.crossings = [
            Dot(self.plot.at(mark, self.shares[k, at]), radius=0.1, color=colors[k][0])
            for k in range(len(names))
        ]
        self.ruler = self._ruler(mark)
        self.add(self.plot)

    def grow(self, k: int, run_time: float = 1.4) -> Drive:
        """Draw curve `k` from the shortest length to the longest."""
        last = len(self.lengths) - 1
        return follow(self.curves[k], self.curves[k].show, 0, last, run_time=run_time)

    def _rooms(self, region: Region, count: int) -> tuple[Region, Region]:
        if region.wide:
            list_width = _SIDE if region.width > 8.5 else _NARROW
            place, side = region.columns(region.width - list_width, list_width, gap=0.25)
            spare = (region.height - min(region.height, _LINE * (count + 1) + 0.2)) / 2
            return place, side.inset(0, spare)
        side, place = region.cut_bottom(_LINE * (1 + -(-count // 2)), gap=0.25)
        return place, side

    def _axes(self, region: Region, x_name: str, y_name: str) -> Plot:
        low, high = float(self.lengths[0]), float(self.lengths[-1])
        return Plot(
            region.inset(0.1, 0.0),
            x=(0.88 * low, 1.06 * high),
            y=(0.0, 1.05),
            x_ticks=[float(length) for length in self.lengths],
            y_ticks=[0.0, 0.25, 0.5, 0.75, 1.0] if region.height > 2.6 else [0.0, 0.5, 1.0],
            x_spec="d",
            y_spec=".0%",
            x_name=x_name,
            y_name=y_name,
            log_x=True,
            size=LABEL,
        )

    def _curve(self, k: int, color: str) -> Trace:
        pairs = zip(self.lengths, self.shares[k], strict=True)
        points = np.array([self.plot.at(float(x), float(y)) for x, y in pairs])
        return Trace(points, color, 5)

    def _at(self, line: int) -> NDArray[np.float64]:
        """Where a line of the list begins; 0 is its heading, and a wide list has two columns."""
        left = self._side.left
        if self._side.width > 1.5 * _SIDE and line > 0:
            below = -(-len(self.shares) // 2)
            left += (line - 1) // below * self._side.width / 2
            line = 1 + (line - 1) % below
        return np.array([left, self._side.top - _LINE * (line + 0.75), 0.0])

    def _line(self, line: int, name: str, color: str, ink: str, k: int, at: int) -> VGroup:
        start = self._at(line)
        swatch = Dot(start + np.array([0.12, 0.24 * _NAME * PX, 0]), radius=0.1, color=color)
        number = Number(
            float(self.shares[k, at]),
            ".1%",
            size=_VALUE,
            weight="semibold",
            color=ink,
            align="right",
        )
        number.put(start + np.array([1.3, 0.0, 0.0]))
        size = _NAME if self._side.width > _NARROW else LABEL
        words = Label(name, size=size, color=ink).put(start + np.array([1.45, 0.0, 0.0]))
        return VGroup(swatch, number, words)

    def _ruler(self, mark: int) -> VGroup:
        """The line at the length that is read off, and the heading of the list."""
        color = theme().muted
        ends = self.plot.at(mark, 0.0), self.plot.at(mark, 1.05)
        line = Line(*ends).set_stroke(color, 2)
        heading = Number(
            mark, "d", size=_NAME, color=color, align="left", prefix="at ", suffix=" characters"
        )
        return VGroup(line, heading.put(self._at(0)))
