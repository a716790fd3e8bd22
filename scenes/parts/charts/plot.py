"""Plots: two axes with the model's numbers on them, curves and dots."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Dot, Line, VGroup, VMobject
from numpy.typing import ArrayLike, NDArray

from scenes.style.layout import PX, Region
from scenes.style.motion import along
from scenes.style.text import Label, Tick
from scenes.style.theme import theme
from scenes.style.type import SMALL


class Plot(VGroup):
    """Axes in a region. Ticks are numbers; a logarithmic axis has `log_x` or `log_y`.

    `size` is that of the type; `at` turns values into points; `curve` and `dot` draw in the plot's
    own coordinates.
    """

    def __init__(
        self,
        region: Region,
        *,
        x: tuple[float, float],
        y: tuple[float, float],
        x_ticks: Sequence[float] = (),
        y_ticks: Sequence[float] = (),
        x_spec: str = "",
        y_spec: str = "",
        x_name: str = "",
        y_name: str = "",
        log_x: bool = False,
        log_y: bool = False,
        size: float = SMALL,
    ) -> None:
        super().__init__()
        self._x, self._y = _scale(x, log_x), _scale(y, log_y)
        self._log_x, self._log_y = log_x, log_y
        look = theme()
        tick_labels = [Tick(v, y_spec, size=size, color=look.muted, align="right") for v in y_ticks]
        left = max((label.width for label in tick_labels), default=0.0) + 0.2
        name = size * PX * 1.5
        self.area = Region(
            region.left + left,
            region.bottom + name * (bool(x_ticks) + bool(x_name)),
            region.right - 0.25,
            region.top - (name if y_name else 0.1),
        )
        area = self.area
        self.axes = VGroup(
            Line((area.left, area.bottom, 0.0), (area.right, area.bottom, 0.0)),
            Line((area.left, area.bottom, 0.0), (area.left, area.top, 0.0)),
        ).set_stroke(look.muted, 2)
        self.ticks = VGroup()
        for value, label in zip(y_ticks, tick_labels, strict=True):
            point = self.at(x[0], value)
            self.ticks.add(label.put(point + np.array([-0.15, -0.3 * label.em, 0])))
        for value in x_ticks:
            label = Tick(value, x_spec, size=size, color=look.muted)
            self.ticks.add(label.put(self.at(value, y[0]) - np.array([0, size * PX * 1.15, 0])))
        self.names = VGroup()
        if x_name:
            words = Label(x_name, size=size, color=look.muted, align="right")
            self.names.add(words.put(np.array([area.right, region.bottom + 0.06, 0])))
        if y_name:
            words = Label(y_name, size=size, color=look.muted)
            self.names.add(words.put(np.array([region.left, area.top + 0.18, 0])))
        self.add(self.axes, self.ticks, self.names)

    def at(self, x: float, y: float) -> NDArray[np.float64]:
        """The point for values (x, y)."""
        return np.array([*self._points(np.array([x]), np.array([y]))[0]])

    def curve(self, x: ArrayLike, y: ArrayLike, color: str, width: float = 4) -> VMobject:
        """A line through the values."""
        line = VMobject(stroke_color=color, stroke_width=width)
        line.set_points_as_corners(self._points(np.asarray(x, float), np.asarray(y, float)))
        return line

    def dot(self, x: float, y: float, color: str, radius: float = 0.07) -> Dot:
        """A dot on the values (x, y)."""
        return Dot(self.at(x, y), radius=radius, color=color)

    def _points(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        share_x = _share(x, self._x, self._log_x)
        share_y = _share(y, self._y, self._log_y)
        across = self.area.left + share_x * self.area.width
        return np.column_stack(
            [across, self.area.bottom + share_y * self.area.height, np.zeros(len(across))]
        )


def roomy(values: NDArray[np.float64]) -> tuple[float, float]:
    """From the least value to the largest, with room around them."""
    room = 0.12 * float(np.ptp(values))
    return float(values.min()) - room, float(values.max()) + room


def round_ticks(span: tuple[float, float]) -> tuple[list[float], str]:
    """Round numbers in a span, three to seven of them, and how they are written."""
    rough = (span[1] - span[0]) / 3
    decade = int(np.floor(np.log10(rough)))
    step = 10.0**decade * max(m for m in (1, 2, 5) if m * 10.0**decade <= rough)
    first = int(np.ceil(span[0] / step))
    ticks = [float(n * step) for n in range(first, int(span[1] / step) + 1)]
    return ticks, f".{max(2, -decade)}f"


class Trace(VMobject):
    """A curve through points that is drawn as far as its series has run."""

    def __init__(self, points: ArrayLike, color: str, width: float = 4) -> None:
        super().__init__(stroke_color=color, stroke_width=width)
        self.path = np.asarray(points, dtype=float)
        self.show(0.0)

    def show(self, place: float) -> None:
        """Draw from the first point to the place-th; halves lie between two points."""
        whole = int(place)
        self.set_points_as_corners([*self.path[: whole + 1], along(self.path, place)])

    @property
    def tip(self) -> NDArray[np.float64]:
        """Where the curve has got to."""
        return np.array(self.points[-1])


def _scale(span: tuple[float, float], log: bool) -> tuple[float, float]:
    low, high = np.log10(span) if log else span
    return float(low), float(high)


def _share(
    values: NDArray[np.float64], span: tuple[float, float], log: bool
) -> NDArray[np.float64]:
    scaled = np.log10(values) if log else values
    return np.asarray((scaled - span[0]) / (span[1] - span[0]))
