"""A round scale straightens and becomes an axis."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np
from manim import TAU, VGroup, VMobject, smooth
from numpy.typing import ArrayLike, NDArray

from scenes.parts.axis import Axis, center_digits
from scenes.parts.paths import straight
from scenes.parts.scale import Scale
from scenes.stage import Picture, Reading, Value
from scenes.style.layout import PX
from scenes.style.motion import Drive
from scenes.style.text import Tick
from scenes.style.theme import theme
from scenes.style.type import SMALL

SWEEP = 0.75 * TAU
"""The angle from the lowest to the highest value of a dial; the gap is at six o'clock."""
_MARK = 0.09
_ARC_STEPS = 48


class Dial(Protocol):
    """What can be unrolled: a round scale with its middle, and the angles of values."""

    middle: NDArray[np.float64]
    radius: float

    def angles_of(self, values: ArrayLike) -> NDArray[np.float64]:
        """Clockwise from twelve o'clock, in radians."""


class Unroll(Drive):
    """A copy of a knob's scale straightens and becomes an axis along the bottom of a chart.

    Ticks move to the same value on the axis; those that the axis has not, go. The axis can be seen
    from the last moment on, exactly where the copy has arrived.
    """

    def __init__(
        self,
        scroll: Scroll,
        axis: Axis,
        *,
        run_time: float = 2.0,
        rate_func: Callable[[float], float] = smooth,
        **options: Any,
    ) -> None:
        self._axis, self._scroll = axis, scroll
        super().__init__(
            VGroup(axis, self._scroll),
            self._go,
            0.0,
            1.0,
            run_time=run_time,
            rate_func=rate_func,
            **options,
        )

    def _go(self, share: NDArray[np.float64]) -> None:
        self._axis.hide(bool(share < 1))
        self._scroll.bend(float(share))


class Scroll(Picture):
    """The scale on its way from a dial to an axis; it says nothing, both of its ends do."""

    def __init__(self, knob: Dial, scaling: Scale, axis: Axis) -> None:
        super().__init__(Value("scale", scaling.ticks))
        self._knob, self._axis = knob, axis
        muted = theme().muted
        self.line = VMobject(stroke_color=muted, stroke_width=2)
        self.marks = VMobject(stroke_color=muted, stroke_width=2)
        values = sorted({*scaling.ticks, *axis.scaling.ticks})
        kept, new = set(axis.scaling.ticks), set(scaling.ticks)
        self._ticks = [Tick(v, axis.scaling.spec if v in kept else "", size=SMALL, color=muted,
                            unit=None, align="center") for v in values]  # fmt: skip
        self._fate = [(v in new, v in kept) for v in values]
        self.add(self.line, self.marks, VGroup(*self._ticks))

    def readings(self) -> Iterator[Reading]:
        return iter(())

    def bend(self, share: float) -> None:
        """Draw the scale `share` of the way from arc to line."""
        knob, axis = self._knob, self._axis
        if not knob.radius or not axis.placed:
            return
        ends = np.linspace(0.0, 1.0, _ARC_STEPS)
        dial = (ends - 0.5) * SWEEP * knob.radius
        flat = axis.line.points[0, 0] + ends * (axis.line.points[-1, 0] - axis.line.points[0, 0])
        self.line.set_points_as_corners(self._curve(dial, flat, share)[0])
        values = [t.value for t in self._ticks]
        feet, outward = self._curve(knob.angles_of(values) * knob.radius, axis.at(values), share)
        self._draw_ticks(feet, outward, share)
        if share == 1:
            for piece in (self.line, self.marks, *self._ticks):
                piece.set_opacity(0)

    def _draw_ticks(
        self, feet: NDArray[np.float64], outward: NDArray[np.float64], share: float
    ) -> None:
        here = [k for k, (was, stays) in enumerate(self._fate) if was and stays]
        self.marks.set_points(
            straight(feet[here], feet[here] + _MARK * (1 - 2 * share) * outward[here])
        )
        for k, tick in enumerate(self._ticks):
            was, stays = self._fate[k]
            out = _MARK + 0.08 + SMALL * PX * 0.4 + (1 - share) * 0.3 * tick.width
            side = 1.0 if share < 0.5 else -1.0
            center_digits(tick, feet[k] + side * out * outward[k])
            seen = was if share < 0.5 else stays
            tick.set_fill(opacity=abs(1 - 2 * share) * seen)

    def _curve(
        self, dial: NDArray[np.float64], flat: NDArray[np.float64], share: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Points, and the ways outward, at lengths along the dial and coordinates on the axis."""
        knob, axis = self._knob, self._axis
        top = knob.middle + np.array([0.0, knob.radius, 0.0])
        first, last = axis.line.points[0], axis.line.points[-1]
        middle = (first + last) / 2
        here = top + (middle - top) * share
        run = dial * (1 - share) + (flat - middle[0]) * share
        bend = max((1 - share) / knob.radius, 1e-9)
        angle = run * bend
        points = here + np.stack(
            [np.sin(angle) / bend, (np.cos(angle) - 1) / bend, np.zeros_like(angle)], axis=-1
        )
        return points, np.stack([np.sin(angle), np.cos(angle), np.zeros_like(angle)], axis=-1)
