"""An eye that moves along a text: in an arc from tile to tile, with a blink to another line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from manim import Circle, smooth
from numpy.typing import NDArray

from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.shape import Shape, Shapes
from clockhead.scenes.style.theme import Role, theme

Point = NDArray[np.float64]

_ABOVE = 0.34
"""Height of the eye above a tile, in units."""
_LOW, _RISE, _HIGHEST = 0.15, 0.22, 1.1
_TURN = 0.3
"""How far the pupil moves to the side, in half heights of the eye."""


class Glance(Shapes):
    """A small drawn eye over the tiles of a text; between tiles it rises by at most `highest`."""

    def __init__(
        self,
        tiles: Strip,
        start: int,
        *,
        width: float = 0.62,
        role: Role = "attention",
        highest: float = _HIGHEST,
    ) -> None:
        super().__init__()
        look = theme()
        ink = look.text_color(role)
        self._tiles, self._half, self._highest = tiles, width / 4, highest
        self.lids = Shape(stroke_color=ink, stroke_width=3, fill_color=look.ground, fill_opacity=1)
        out, up = np.array([width / 2, 0.0, 0.0]), np.array([0.0, width / 3, 0.0])
        lean = 0.45 * out
        self.lids.set_points(
            np.array(
                [-out, -lean + up, lean + up, out, out, lean - up, -lean - up, -out], dtype=float
            )
        )
        self.iris = Circle(0.78 * self._half, stroke_width=0, fill_color=ink, fill_opacity=1)
        self.pupil = Circle(
            0.34 * self._half, stroke_width=0, fill_color=look.ground, fill_opacity=1
        )
        self.add(self.lids, self.iris, self.pupil)
        self.at = start
        """Index of the tile below the eye."""
        self.stand(self.over(start))

    def over(self, k: int) -> Point:
        """The position of the eye over tile k."""
        place: Point = self._tiles.top(k) + np.array([0.0, _ABOVE, 0.0])
        return place

    def stand(self, middle: Point, aside: float = 0.0) -> None:
        """Put it at a point, looking sideways: from -1, to the left, to 1."""
        self.lids.shift(middle - self.lids.get_center())
        way = np.array([_TURN * self._half * aside, 0.0, 0.0])
        self.iris.move_to(middle + way)
        self.pupil.move_to(middle + 1.6 * way)

    def sweep(
        self,
        stops: Sequence[int],
        *,
        meet: Callable[[int], object] | None = None,
        pause: float = 0.25,
        run_time: float | None = None,
    ) -> Drive:
        """Move from tile to tile and pause at each; `meet` is called with each tile on arrival.

        `pause` is the fraction of each leg's time that it rests at its stop.
        """
        path = [self.at, *stops]
        waiting = list(stops)

        def show(share: NDArray[np.float64]) -> None:
            place = float(share) * len(stops)
            leg = min(int(place), len(stops) - 1)
            part = min(1.0, (place - leg) / (1 - pause))
            if share == 1:
                leg, part = len(stops) - 1, 1.0
            self._move(path[leg], path[leg + 1], smooth(part))
            while waiting and len(stops) - len(waiting) < leg + (part == 1):
                self.at = waiting.pop(0)
                if meet is not None:
                    meet(self.at)

        time = 0.7 + 0.45 * len(stops) if run_time is None else run_time
        return Drive(self, show, 0.0, 1.0, run_time=time, rate_func=lambda share: share)

    def open(self, *, run_time: float = 0.6) -> Drive:
        """Open the eye."""
        return self._blink(0.02, 1.0, run_time)

    def close(self, *, run_time: float = 0.5) -> Drive:
        """Close the eye, and hide it."""
        return self._blink(1.0, 0.02, run_time)

    def _move(self, start: int, end: int, share: float) -> None:
        a, b = self.over(start), self.over(end)
        if abs(b[1] - a[1]) > _ABOVE:
            self.stand(a if share < 0.5 else b)
            self._open_to(abs(1 - 2 * share))
            return
        length = float(np.linalg.norm(b - a))
        rise = min(self._highest, _LOW + _RISE * length) if length > 0 else 0.0
        middle = a + (b - a) * share + np.array([0.0, rise * 4 * share * (1 - share), 0.0])
        heading = float(np.sign(b[0] - a[0])) * min(1.0, 4 * (1 - share)) * min(1.0, 8 * share)
        self.stand(middle, heading)

    def _blink(self, start: float, end: float, run_time: float) -> Drive:
        """Raise or lower the lids, and show or hide iris and pupil."""

        def show(height: NDArray[np.float64]) -> None:
            self._open_to(float(height))

        return Drive(self, show, start, end, run_time=run_time)

    def _open_to(self, height: float) -> None:
        middle = np.array(self.lids.get_center())
        self.lids.stretch_to_fit_height(2 * self._half * max(height, 0.02)).move_to(middle)
        seen = max(0.0, 2 * height - 1)
        self.iris.set_fill(opacity=seen)
        self.pupil.set_fill(opacity=seen)
        self.lids.set_stroke(opacity=min(1.0, 4 * max(0.0, height - 0.02)))
        self.lids.set_fill(opacity=min(1.0, 4 * max(0.0, height - 0.02)))
