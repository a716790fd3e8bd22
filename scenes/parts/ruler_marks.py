"""What stands on a ruler: a mark at one position, a bracket between two."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.paths import straight
from clockhead.scenes.stage import Picture, Reading, Value
from clockhead.scenes.stage.shown import Shown, is_visible
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import LABEL

_MARK, _ROOT = 0.24, 0.14
"""How far a mark rises over the line, and how far below it, clear of the numbers."""
_HOOK = 0.13
_WITHIN_PX = 1.0


class Line(Protocol):
    """The ruler, as its marks see it."""

    placed: bool

    def x(self, position: float) -> NDArray[np.float64]:
        """The point of a position."""

    def at(self, x: float) -> float:
        """The position at an x."""

    @property
    def pitch(self) -> float:
        """How far neighbouring positions are apart."""


class Rider(Picture):
    """Something that stands on a ruler and moves with it. It is not seen until it appears."""

    def __init__(self, value: Value, ruler: Line, figure: Figure | None) -> None:
        super().__init__(value)
        self.ruler, self.figure = ruler, figure
        self.path = Shape(stroke_width=4, fill_opacity=0).set_stroke(theme().position)
        self.add(self.path, *([figure] if figure is not None else []))
        self._see(0.0)

    def appear(self, **options: Any) -> Drive:
        """Let it be seen."""
        return Drive(self, lambda share: self._see(float(share)), 0.0, 1.0, **options)

    def vanish(self, **options: Any) -> Drive:
        """Let it be seen no more."""
        return Drive(self, lambda share: self._see(1 - float(share)), 0.0, 1.0, **options)

    def stand(self) -> Any:
        """Be seen at once, as in a first frame."""
        self._see(1.0)
        return self

    @property
    def within(self) -> float:
        """The positions that a pixel is wide."""
        return _WITHIN_PX * PX / self.ruler.pitch

    def _see(self, share: float) -> None:
        self.path.set_stroke(opacity=share)
        if self.figure:
            self.figure.number.set_fill(opacity=share)


class Mark(Rider):
    """A tick across the line at a position, with its number above (or `drop` below) the line."""

    def __init__(
        self, ruler: Line, value: Value, spec: str, *, rise: float = _MARK + 0.1, **options: Any
    ) -> None:
        super().__init__(value, ruler, _figure(value if spec else None, spec, **options))
        self._rise = rise

    def show(self, state: NDArray[np.float64]) -> None:
        """Stand at a position."""
        if not self.ruler.placed:
            return
        foot = self.ruler.x(float(state))
        low, high = np.array([[0.0, -_ROOT, 0.0]]), np.array([[0.0, _MARK, 0.0]])
        self.path.set_points(straight(foot + low, foot + high))
        if self.figure:
            self.figure.shown = self.shown
            self.figure.show(state)
            self.figure.put(foot + np.array([0.0, self._rise, 0.0]))

    def readings(self) -> Iterator[Reading]:
        """The position at its foot."""
        if self.ruler.placed and is_visible(self.path):
            x = float(self.path.points[:, 0].mean())
            yield Reading(self.shown, self.ruler.at(x), self.within)


class Bracket(Rider):
    """A bracket from one position to another, `rise` above the line (below it, if negative).

    The last position may be that of a mark, which can move.
    """

    def __init__(
        self,
        ruler: Line,
        first: Value,
        last: Value | Rider,
        figure: Value | None,
        spec: str,
        *,
        rise: float = 0.5,
        **options: Any,
    ) -> None:
        super().__init__(first, ruler, _figure(figure, spec, **options))
        self._last, self._rise = last, rise

    def show(self, state: NDArray[np.float64]) -> None:
        """Reach from a position to the last one."""
        if not self.ruler.placed:
            return
        side = 1.0 if self._rise >= 0 else -1.0
        height, hook = np.array([0.0, self._rise, 0.0]), np.array([0.0, -_HOOK * side, 0.0])
        a = self.ruler.x(float(state)) + height
        b = self.ruler.x(float(self._last_shown.content)) + height
        corners = np.array([a + hook, a, b, b + hook])
        self.path.set_points(straight(corners[:-1], corners[1:]))
        if self.figure:
            lift = 0.12 if side > 0 else -0.12 - 0.7 * LABEL * PX
            self.figure.put((a + b) / 2 + np.array([0.0, lift, 0.0]))

    def readings(self) -> Iterator[Reading]:
        """The positions at its two ends."""
        if self.ruler.placed and is_visible(self.path):
            ends = self.path.points[0], self.path.points[-1]
            for meant, end in zip((self.shown, self._last_shown), ends, strict=True):
                yield Reading(meant, self.ruler.at(float(end[0])), self.within)

    @property
    def _last_shown(self) -> Shown:
        return self._last.shown if isinstance(self._last, Rider) else self._last


def _figure(value: Value | None, spec: str, **options: Any) -> Figure | None:
    """A mauve number, unless the options say otherwise, if there is one."""
    if value is None:
        return None
    return Figure(value, spec, **{"color": theme().text_color("position")} | options)
