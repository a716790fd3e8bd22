"""What moves when probabilities change: pieces off the tops of bars, each onto another bar."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.chart import Chart, Mark
from clockhead.scenes.parts.paths import rectangles
from clockhead.scenes.stage import Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.motion import Drive, in_turn
from clockhead.scenes.style.theme import theme

_SEEN = 1e-6
"""A smaller share is no piece."""
_EACH, _LIFT = 0.6, 0.12
"""The share of the time that one flight takes, and how high it goes, in heights of the chart."""
_CORNERS = 16


class Pieces(Mark):
    """Pieces (V, V), [from, to], over the bars of what is `kept` (V,), on the tops of which they
    lie: first on those that had them `before` (V,), in the end on those that have them `after`.
    `total` is all that moves, `width` is theirs, in slots.
    """

    def __init__(
        self,
        chart: Chart,
        moved: Value,
        kept: Value,
        before: Value,
        after: Value,
        total: Value,
        *,
        width: float,
    ) -> None:
        super().__init__(moved, chart)
        self._width = width
        self._kept, self._before, self._after, self._total = kept.array, before, after, total
        flows = moved.array
        self._ends = np.argwhere(flows > _SEEN)  # (n, 2), from and to
        self._sizes = flows[tuple(self._ends.T)]  # (n,)
        upto = np.cumsum(flows, axis=1) - flows, np.cumsum(flows, axis=0) - flows
        self._feet = np.stack(
            [self._kept[self._ends[:, k]] + upto[k][tuple(self._ends.T)] for k in range(2)],
            axis=1,
        )  # (n, 2)
        self._came = np.zeros(len(self._sizes))
        self.path = VMobject(stroke_width=0, fill_color=theme().attention, fill_opacity=1)
        self.add(self.path)

    def draw(self, state: NDArray[np.float64]) -> None:
        """Draw all pieces as far as they have come."""
        x, y, came = self.chart.x, self.chart.y, self._came
        if not len(came):
            return
        at = x.at(self._ends)  # (n, 2)
        foot, top = y.at(self._feet), y.at(self._feet + self._sizes[:, None])
        lift = _LIFT * self.chart.area.height * np.sin(np.pi * came)
        middle = at[:, 0] + (at[:, 1] - at[:, 0]) * came
        low = foot[:, 0] + (foot[:, 1] - foot[:, 0]) * came + lift
        half = self._width * x.pitch / 2
        high = low + (top - foot)[:, 0]
        self.path.set_points(rectangles(middle - half, low, middle + half, high))

    def fly(self, *, run_time: float) -> Drive:
        """Let all pieces go, one after another."""

        def show(share: NDArray[np.float64]) -> None:
            come = in_turn(float(share), len(self._sizes), _EACH)
            self._came = come * come * (3 - 2 * come)
            self.redraw()

        return Drive(self, show, 0.0, 1.0, run_time=run_time, rate_func=lambda share: share)

    def readings(self) -> Iterator[Reading]:
        """How much moves, and at both ends of the way how high the stacks reach."""
        if not is_visible(self) or not len(self.path.points):
            return
        x, y = self.chart.x, self.chart.y
        corners = self.path.points.reshape(-1, _CORNERS, 3)
        low, high = y.read(corners[..., 1].min(axis=1)), y.read(corners[..., 1].max(axis=1))
        within = len(low) * (_SEEN + y.scaling.within(0.0))
        yield Reading(self._total, float((high - low).sum()), len(self.state) * within)
        for whole, rests in ((self._before, self._came == 0), (self._after, self._came == 1)):
            if not rests.all():
                continue
            slots = np.rint(x.read(corners[..., 0].mean(axis=1))).astype(int)
            for slot in np.unique(slots):
                yield Reading(whole[int(slot)], float(high[slots == slot].max()), within)
