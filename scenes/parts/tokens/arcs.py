"""Arcs over a text: who looks at whom."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from manim import Polygon, VGroup, VMobject, bezier, partial_bezier_points
from numpy.typing import ArrayLike, NDArray

from scenes.parts.tokens.prompt_strip import PromptStrip
from scenes.style.motion import Drive
from scenes.style.theme import theme

Point = NDArray[np.float64]

_TIP = 0.17
_AIR = 0.05
"""The length of an arrow's tip, and how far from a box an arc begins and ends, in units."""
_LEAST_WIDTH, _WIDTH = 1.5, 4.0
_PIECES = 8
"""An arc is drawn in short curves, whose handles do not stand far out."""
_TO_BEZIER = 4 / 3
"""How far out the handles of a cubic lie whose middle is to lie one unit out."""


class Arc(VGroup):
    """An arrow from the token of one slot to that of another; it grows from its source.

    It stays in the strip's band `arcs`. Where text is wrapped and the two stand in different rows,
    it leaves one row and enters the other from the side where that one lies: at the far side of
    band `below` if the other is above. `share` sets how thick it is.
    """

    def __init__(
        self,
        strip: PromptStrip,
        source: int,
        target: int,
        *,
        share: float = 1.0,
        below: str = "token",
    ) -> None:
        ink = theme().attention
        self.line = VMobject(stroke_color=ink, stroke_width=_LEAST_WIDTH + _WIDTH * share)
        self.tip = Polygon(*np.eye(3), stroke_width=0, fill_color=ink, fill_opacity=1)
        self.curve = _curve(strip, source, target, below)
        self._tip = _TIP * (0.7 + 0.3 * share)
        super().__init__(self.line, self.tip)
        self.show(1.0)

    def at(self, share: float) -> Point:
        """The point `share` of the way to the target."""
        return np.array(bezier(self.curve)(share))

    def show(self, grown: ArrayLike) -> None:
        """Draw the arc as far as it has grown, from 0 to 1."""
        grown = max(float(np.asarray(grown)), 0.02)
        cuts = np.linspace(0.0, grown, _PIECES + 1)
        pieces = np.array([partial_bezier_points(self.curve, a, b) for a, b in pairwise(cuts)])
        end, before = pieces[-1, 3], pieces[-1, 2]
        heading = (end - before) / max(float(np.linalg.norm(end - before)), 1e-9)
        side = np.array([-heading[1], heading[0], 0.0])
        size = self._tip * min(1.0, 4 * grown)
        back = end - size * heading
        self.tip.set_points_as_corners(
            [end, back + 0.5 * size * side, back - 0.5 * size * side, end]
        )
        pieces[-1, 3] = end - 0.8 * size * heading
        pieces[-1, 2] = pieces[-1, 1] + 0.5 * (pieces[-1, 3] - pieces[-1, 1])
        self.line.set_points(pieces.reshape(-1, 3))

    def grow(self, *, run_time: float = 0.9) -> Drive:
        """Let it fly from its source to its target."""
        return Drive(self, self.show, 0.0, 1.0, run_time=run_time)


def _curve(strip: PromptStrip, source: int, target: int, below: str) -> Point:
    """The four points of a cubic; (4, 3)."""
    out, onward = strip.outward, strip.onward
    if source == target:
        return _loop(strip, source)
    rows = strip.row(source), strip.row(target)
    if rows[0] > rows[1]:
        start, end = strip.edge(source, "token"), strip.edge(target, below, inner=True)
        return _through(start + _AIR * out, end - _AIR * out, out)
    if rows[0] < rows[1]:
        start, end = strip.edge(source, below, inner=True), strip.edge(target, "token")
        return _through(start - _AIR * out, end + _AIR * out, -out)
    start, end = (strip.edge(k, "token") + _AIR * out for k in (source, target))
    way = float((end - start) @ onward)
    room = strip.spans["arcs"].length + 0.5 * (
        strip.spans["token"].length - _thickness(strip, target)
    )
    height = min(room - _AIR, 0.3 + 0.2 * abs(way))
    rise = _TO_BEZIER * height * out
    lean = 0.12 * way * onward
    return np.array([start, start + lean + rise, end - lean + rise, end])


def _thickness(strip: PromptStrip, slot: int) -> float:
    box = strip.box(slot, "token")
    return box.width if strip.down else box.height


def _loop(strip: PromptStrip, slot: int) -> Point:
    """A small arc from a token to itself."""
    top = strip.edge(slot, "token") + _AIR * strip.outward
    side = 0.3 * strip.slot * strip.onward
    rise = _TO_BEZIER * min(0.5, strip.spans["arcs"].length) * strip.outward
    return np.array([top + side, top + 2 * side + rise, top - 2 * side + rise, top - side])


def _through(start: Point, end: Point, heading: Point) -> Point:
    """From one row to another, leaving and arriving along `heading`."""
    reach = 0.6 * abs(float((end - start) @ heading)) * heading
    return np.array([start, start + reach, end - reach, end])
