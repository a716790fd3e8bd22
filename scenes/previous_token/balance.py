"""Many small bars, laid end to end, above a single long one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from manim import VGroup
from numpy.typing import NDArray

from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.paths import rectangles
from clockhead.scenes.stage import Picture, Reading, Size, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive, in_turn
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import SMALL

_RECTANGLE = 16
"""Number of Bezier points of a rectangle."""
_THICK, _GAP = 0.55, 0.12
"""Largest width of a bar, and gap between the two lines of bars, in units."""
_NUMBER, _NAME, _EACH = 44.0, 30.0, 30.0
"""Letter sizes of the totals, of names, and of the number at each bar, in pixels."""
_BESIDE = 1.6
"""Space for a number at the end of a bar, in units."""
_SAME = 1e-6
"""Tolerance of readings."""


class Balance(Picture):
    """Bars of the gains (G,), upright side by side or end to end, and a bar of the lead.

    All have the same scale. Negative gains are red; end to end, they lead back, one line further
    down. `names` label the lead and the gains, `spec` is the format of the lead and the `total`,
    and `of` names what each gain belongs to.
    """

    most = Size(13.0, 6.5)

    def __init__(
        self, gains: Value, lead: Value, total: Value, names: tuple[str, str], spec: str, of: str
    ) -> None:
        super().__init__(gains)
        look = theme()
        self._lead, self._total, self._lying, self._grown = lead, total, 0.0, 0.0
        self._lead_grown, self.unit = 0.0, 0.0
        n, mauve = len(gains), look.text_color("position")
        self.added = Shape(stroke_color=look.ground, stroke_width=2, fill_color=look.token)
        self.taken = Shape(stroke_color=look.ground, stroke_width=2, fill_color=look.wrong)
        self.bar = Shape(stroke_width=0, fill_color=look.position)
        for path in (self.added, self.taken, self.bar):
            path.set_fill(opacity=1)
        self.numbers = [Figure(gains[k], ".2f", size=_EACH) for k in range(n)]
        self.hands = {k: Label(str(k + 1), size=SMALL, color="muted", align="center")
                      for k in (0, n - 1)}  # fmt: skip
        self.of = Label(of, size=SMALL, color="muted")
        self.names = [Label(name, size=_NAME, color=color)
                      for name, color in zip(names, (mauve, look.token), strict=True)]  # fmt: skip
        self.lead_number = Figure(lead, spec, size=_NUMBER, color=mauve, align="left")
        self.total_number = Figure(total, spec, size=_NUMBER, align="left")
        self.marks = VGroup(*self.hands.values(), self.of)

    @property
    def least(self) -> Size:
        return Size(5.0, 4.2)

    def place(self, region: Region) -> None:
        """Fill a region's width: upright bars in the upper part, horizontal ones in the lower."""
        gains, n = self.state, len(self.state)
        reach = max(float(np.clip(gains, 0, None).sum()), float(self._lead.array))
        self.unit = min(2.2 / max(float(np.abs(gains).max()), _SAME),
                        (region.width - _BESIDE) / reach)  # fmt: skip
        self.left = region.left + max(0.0, (region.width - _BESIDE - reach * self.unit) / 2)
        pitch = (region.width - 0.2) / n
        self._middles = region.left + 0.1 + (np.arange(n) + 0.5) * pitch
        self._thick = min(_THICK, 0.75 * pitch)
        high = float(np.clip(gains, 0, None).max(initial=0)) * self.unit
        deep = float(np.clip(-gains, 0, None).max(initial=0)) * self.unit
        name = _NAME * PX
        needs = high + deep + 2 * _THICK + 2.6 * name + 2.2
        top = region.top - max(0.0, (region.height - needs) / 2)
        self._floor = top - 0.4 - high
        lower = self._floor - deep - 1.25
        self._lead_top = lower - 1.3 * name
        self._line = self._lead_top - _THICK - _GAP / 2
        self.names[0].put(np.array([self.left, self._lead_top + 0.12, 0.0]))
        self.names[1].put(np.array([self.left, self._line - _THICK - name, 0.0]))
        fits = max(f.number.width for f in self.numbers) < pitch - 0.04
        for k, figure in enumerate(self.numbers):
            x, end = float(self._middles[k]), max(0.0, float(gains[k])) * self.unit
            figure.put(np.array([x, self._floor + end + 0.08, 0.0]))
            figure.number.set_fill(opacity=0.0)
            if k in self.hands:
                self.hands[k].put(np.array([x, self._floor - deep - 0.3, 0.0]))
        self._shown_numbers = self.numbers if fits else []
        self.of.put(np.array([region.left, self._floor - deep - 0.62, 0.0]))
        down = 0.33 * _NUMBER * PX
        self.lead_number.put(np.array(
            [self.left + float(self._lead.array) * self.unit + 0.15,
             self._lead_top - _THICK / 2 - down, 0.0]))  # fmt: skip
        self.total_number.put(np.array(
            [self.left + float(self._total.array) * self.unit + 0.15,
             self._line - _THICK / 2 - down, 0.0]))  # fmt: skip
        self.add(self.bar, self.added, self.taken, *self._shown_numbers)
        self.show(gains)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the bars in their current stage of growing and lying down."""
        if not self.unit:
            return
        end = self.left + float(self._lead.array) * self.unit * self._lead_grown
        self.bar.set_points(
            rectangles([self.left], [self._lead_top - _THICK], [end], [self._lead_top])
            if self._lead_grown else np.zeros((0, 3))
        )  # fmt: skip
        boxes, grown = self._boxes(state), self._growth > 0
        for path, chosen in ((self.added, state >= 0), (self.taken, state < 0)):
            found = boxes[chosen & grown]
            path.set_points(rectangles(*found.T) if len(found) else np.zeros((0, 3)))

    @property
    def _growth(self) -> NDArray[np.float64]:
        return in_turn(self._grown, len(self.state), 0.3)

    def _boxes(self, state: NDArray[np.float64]) -> NDArray[np.float64]:
        """Left, bottom, right and top of each bar; (G, 4)."""
        lengths = np.abs(state) * self.unit
        tall, half = lengths * self._growth, self._thick / 2
        foot = np.where(state < 0, self._floor - tall, self._floor)
        standing = np.stack([self._middles - half, foot, self._middles + half, foot + tall], axis=1)
        added = np.clip(state, 0, None) * self.unit
        starts = self.left + np.cumsum(added) - added
        back = self.left + added.sum() - np.cumsum(np.clip(-state, 0, None)) * self.unit
        start = np.where(state < 0, back, starts)
        top = np.where(state < 0, self._line - _THICK - 0.04, self._line)
        thick = np.where(state < 0, 0.4 * _THICK, _THICK)
        lying = np.stack([start, top - thick, start + lengths, top], axis=1)
        share = in_turn(self._lying, len(state), 0.35)[:, None]
        return np.asarray(standing + (lying - standing) * share**2 * (3 - 2 * share))

    def grow_lead(self, *, run_time: float = 1.5) -> Drive:
        """Grow the bar of the lead."""
        return self.drive("_lead_grown", 0.0, 1.0, run_time=run_time)

    def grow(self, *, run_time: float = 3.0) -> Drive:
        """Grow the bars of the gains one after another, each with its number."""

        def show(share: NDArray[np.float64]) -> None:
            self._grown = float(share)
            for figure, grown in zip(self.numbers, self._growth, strict=True):
                figure.number.set_fill(opacity=float(grown >= 1))
            self.show(self.state)

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def lie_down(self, *, run_time: float = 4.0) -> Drive:
        """Lay the bars end to end, one after another, after fading out their numbers."""

        def show(share: NDArray[np.float64]) -> None:
            self._lying = max(0.0, (float(share) - 0.1) / 0.9)
            for figure in self.numbers:
                figure.number.set_fill(opacity=float(max(0.0, 1 - 10 * float(share))))
            self.show(self.state)

        return Drive(self, show, 0.0, 1.0, run_time=run_time, rate_func=lambda share: share)

    def readings(self) -> Iterator[Reading]:
        """The length of each bar, and the end of the last one if they are end to end."""
        if self._lead_grown == 1 and is_visible(self.bar):
            yield Reading(self._lead, self._length(self.bar.points, 0), _SAME)
        if self._grown < 1 or self._lying not in (0.0, 1.0) or not is_visible(self.added):
            return
        axis = 1 - int(self._lying)
        ends = [self.left]
        for path, sign in ((self.added, 1), (self.taken, -1)):
            chosen = np.flatnonzero((self.state >= 0) == (sign > 0))
            boxes = path.points.reshape(-1, _RECTANGLE, 3)
            for k, box in zip(chosen.tolist(), boxes, strict=True):
                yield Reading(self.shown[k], sign * self._length(box, axis), _SAME)
            if len(boxes):
                edge = boxes[..., 0]
                ends.append(float(edge.max() if sign > 0 else edge.min()))
        if axis == 0:
            yield Reading(self._total, (ends[-1] - self.left) / self.unit, _SAME)

    def _length(self, points: NDArray[np.float64], axis: int) -> float:
        return float(np.ptp(points[:, axis])) / self.unit
