"""The words of a long text as small boxes under a chart, some of them coloured."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts.chart import Chart, Mark
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.paths import rectangles, straight
from clockhead.scenes.stage import Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.theme import Role, mix, theme

_SHARE = 0.72
"""Width of a slot, relative to the pitch; bars have the same."""
_DEPTH = 0.26
"""Height of a slot, which is below the bars' base line, in units."""
_RECTANGLE = 16
"""Number of Bezier points of a rectangle."""


class TextChart(Chart):
    """A chart over the words of a text; the numbers of the x axis are under the words."""

    def _place_axes(self) -> None:
        super()._place_axes()
        area = self.area
        left, right = (np.array([x, area.bottom, 0.0]) for x in (area.left, area.right))
        self.x.stand(left, right, _DEPTH)


class Slots(Mark):
    """Boxes under the places 0, 1, 2 and so on of a chart; the value is their number.

    With a fractional number, the last slot is partly grown.
    """

    def __init__(self, number: Value, chart: Chart) -> None:
        super().__init__(number, chart)
        self.path = Shape(
            stroke_width=0, fill_opacity=1, fill_color=mix(theme().ground, theme().muted, 0.7)
        )
        self.add(self.path)

    def draw(self, state: NDArray[np.float64]) -> None:
        """Draw `state` slots; for a fraction, the last one is lower."""
        top, n = self.chart.area.bottom, float(state)
        places = np.arange(np.ceil(n), dtype=float)
        bottom = top - np.minimum(1.0, n - places) * _DEPTH
        left, right = _edges(self.chart, places, _SHARE)
        self.path.set_points(rectangles(left, bottom, right, top))

    def readings(self) -> Iterator[Reading]:
        """The number of slots, as the sum of their heights."""
        if self.chart.placed:
            corners = self.path.points.reshape(-1, _RECTANGLE, 3)
            depths = np.ptp(corners[:, :, 1], axis=1) / _DEPTH
            yield Reading(self.shown, float(depths.sum()))


class SlotFrame(Mark):
    """A filled slot at a place of the chart, which may be fractional, and a thin line over it."""

    def __init__(self, place: Value, chart: Chart, role: Role) -> None:
        super().__init__(place, chart)
        color = getattr(theme(), role)
        self.path = Shape(fill_opacity=1, fill_color=color, stroke_width=0)
        self.line = Shape(fill_opacity=0).set_stroke(color, 2, opacity=0.6)
        self.add(self.path, self.line)

    def draw(self, state: NDArray[np.float64]) -> None:
        """Draw the slot and its line at a place."""
        area, (left, right) = self.chart.area, _edges(self.chart, np.atleast_1d(state), 1.0)
        self.path.set_points(rectangles(left, area.bottom - _DEPTH, right, area.bottom))
        foot, top = np.array([[(left + right)[0] / 2, y, 0.0] for y in (area.bottom, area.top)])
        self.line.set_points(straight(foot[None], top[None]))

    def readings(self) -> Iterator[Reading]:
        """The place of the slot's middle."""
        if self.chart.placed and is_visible(self.path):
            axis, xs = self.chart.x, self.path.points[:, 0]
            says = float(axis.read((xs.min() + xs.max()) / 2))
            yield Reading(self.shown, says, axis.scaling.within(says))


class Level(Mark):
    """A thin line from the tip of a hand to the frame of its key, at the height of the hand."""

    def __init__(self, height: Value, chart: Chart, hands: Hands, k: int, frame: SlotFrame) -> None:
        super().__init__(height, chart)
        self._hands, self._k, self._frame = hands, k, frame
        self.path = Shape(fill_opacity=0).set_stroke(theme().key, 1.5, opacity=0.6)
        self.add(self.path)

    def draw(self, state: NDArray[np.float64]) -> None:
        """Draw the line at a height."""
        y, x = float(self.chart.y.at(state)), float(self.chart.x.at(self._frame.state))
        ends = np.array([[self._hands.tip(self._k)[0], y, 0.0], [x, y, 0.0]])
        self.path.set_points(straight(ends[:1], ends[1:]))

    def readings(self) -> Iterator[Reading]:
        """The height of the line."""
        if self.chart.placed and is_visible(self.path):
            axis = self.chart.y
            says = float(axis.read(self.path.points[:, 1].mean()))
            yield Reading(self.shown, says, axis.scaling.within(says))


def _edges(chart: Chart, places: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """Left and right edges of slots at places (n,), with a width relative to the pitch; (2, n)."""
    half = share / 2 * chart.x.pitch
    return np.stack([chart.x.at(places) - half, chart.x.at(places) + half])
