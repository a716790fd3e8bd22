"""A line of positions that shows a window of them, with marks and brackets on it.

The window may be a value of the stage, or any two numbers that the author chooses. Readings use
the line and the numbers as they are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Self, TypeVar

import numpy as np
from manim import VGroup
from numpy.typing import ArrayLike, NDArray

from clockhead.scenes.language import language
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.paths import straight
from clockhead.scenes.stage import Picture, Reading, Size, Value
from clockhead.scenes.stage.shown import Passing, Shown, is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.text import Tick, text_width
from clockhead.scenes.style.theme import mix, theme
from clockhead.scenes.style.type import LABEL

_TICK = 0.09
"""Half the height of a tick, in units."""
_DENSE = 0.1
"""Smallest distance between ticks, in units."""
_NUMBER_GAP = 0.2
"""Smallest gap between numbers, in units."""
_SIZE = 24.0
"""Letter size of the numbers, in pixels at 720p."""
_OVERHANG = 0.3
"""Length of the line beyond its window, in units."""
_FOOT = _TICK + _SIZE * PX * 1.05
"""Distance from the line down to the baseline of its numbers, in units."""
_BELOW = _FOOT + _SIZE * PX * 0.3
"""Height of everything under the line, in units."""
_FADE = 1.12
"""Numbers fade in while their space grows from the least to this multiple of it."""
_WITHIN_PX = 1.0
"""Tolerance of readings, in pixels."""
_RISE, _ROOT = 0.24, 0.14
"""Height of a mark over the line, and depth below it, clear of the numbers, in units."""
_HOOK = 0.13
"""Length of a bracket's ends, in units."""
_Carried = TypeVar("_Carried", bound="Rider")


class Ruler(Picture):
    """A horizontal line with a tick at every whole position of a window, and numbers below it.

    Numbers are as dense as possible without touching: all, or every 5th, 10th, 50th and so on.
    `head` is the space above the line for tiles and marks, and `margin` the free space at each end,
    in units.
    """

    def __init__(
        self, window: Value | ArrayLike, *, head: float = 0.0, margin: float = 0.0
    ) -> None:
        value = window if isinstance(window, Value) else Value("window", window)
        super().__init__(value)
        if value is not window:
            self.shown = _free_window(value.array)
        self._head, self._margin = head, margin
        page = theme()
        self.line = Shape(stroke_width=2.5, fill_opacity=0)
        self.ticks = Shape(stroke_width=2, fill_opacity=0)
        for piece in (self.line, self.ticks):
            piece.set_stroke(mix(page.ground, page.muted, 0.75))
        self.numbers: dict[int, Tick] = {}
        self._spare: list[Tick] = []
        self._written = VGroup()
        self.riders: list[Rider] = []
        self.placed = False
        self.window = self.state
        self._ends = (0.0, 1.0)

    @property
    def least(self) -> Size:
        """Space for a few numbers, and for everything above the line."""
        return Size(3.0, self._head + _BELOW + _TICK)

    @property
    def most(self) -> Size:
        return Size(float("inf"), self.least.height)

    def place(self, region: Region) -> None:
        """Draw the line across a region, in the middle of its height."""
        spare = max(0.0, region.height - self.least.height) / 2
        y = region.top - spare - max(self._head, _TICK)
        side = _OVERHANG + self._margin
        self.place_on(region.left + side, region.right - side, y)

    def place_on(self, left: float, right: float, y: float) -> Self:
        """Draw the line at a height, with the ends of the window at `left` and `right`."""
        self.placed, self.window = True, self.state
        self.line.set_points(straight(*np.array([[[left, y, 0.0]], [[right, y, 0.0]]])))
        self._ends = (float(self.window[0]), float(self.window[1]))
        self.remove(*self.submobjects)
        self.add(self.line, self.ticks, *self.riders, self._written)
        self.draw(self.window, settled=True)
        return self

    def x(self, position: float) -> NDArray[np.float64]:
        """Point of a position on the line as it is drawn now; (3,)."""
        left, right = self.line.points[0], self.line.points[-1]
        share = (position - self._ends[0]) / (self._ends[1] - self._ends[0])
        return np.array(left + (right - left) * share)

    def position_at(self, x: float) -> float:
        """The position at an x coordinate of the canvas."""
        left, right = float(self.line.points[0][0]), float(self.line.points[-1][0])
        share = (x - left) / (right - left)
        return self._ends[0] + share * (self._ends[1] - self._ends[0])

    @property
    def pitch(self) -> float:
        """Distance between neighbouring positions, in units."""
        return float(self.x(1.0)[0] - self.x(0.0)[0])

    # Animations and riders

    def zoom(self, window: Value | ArrayLike, **options: Any) -> Drive:
        """Animate the line to another window, wider or narrower."""
        goal = window if isinstance(window, Value) else _free_window(window)
        return _WindowDrive(self, lambda: goal, **options)

    def scroll_by(self, steps: float, **options: Any) -> Drive:
        """Scroll the line by a number of positions."""
        return _WindowDrive(self, lambda: _free_window(self.window + steps), **options)

    def to(self, value: Value, **options: Any) -> Any:
        """Animate the line to the window that is a value."""
        return self.zoom(value, **options)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw a window."""
        if self.placed:
            self.draw(state, settled=True)

    def mark(self, value: Value, spec: str = "", **options: Any) -> Mark:
        """Add a mauve tick at a position, with its number; invisible until it `appear`s."""
        return self._add_rider(Mark(self, value, spec, **options))

    def bracket(
        self,
        first: Value,
        last: Value | Rider,
        figure: Value | None = None,
        spec: str = "",
        **options: Any,
    ) -> Bracket:
        """Add a bracket between two positions, with a number; invisible until it `appear`s."""
        return self._add_rider(Bracket(self, first, last, figure, spec, **options))

    # Readings

    def readings(self) -> Iterator[Reading]:
        """The positions of the tick numbers and of their ticks, and the ends of the window."""
        if not self.placed:
            return
        within = _WITHIN_PX * PX / self.pitch
        ticks = self._tick_places()
        written = [t for t in self.numbers.values() if is_visible(t)]
        for number in written:
            says = language().value(number.text)
            x = float(number.get_center()[0])
            nearest = ticks[np.abs(ticks - x).argmin()] if len(ticks) else np.inf
            yield Reading(_passing("its number", says), self.position_at(x), within)
            yield Reading(_passing("its tick", says), self.position_at(float(nearest)), within)
        if isinstance(self.shown, Value) and len(written) > 1:
            yield from self._end_readings(written, within)

    def _end_readings(self, written: list[Tick], within: float) -> Iterator[Reading]:
        """The ends of the window, extrapolated from the numbers, as a viewer would."""
        places = [float(number.get_center()[0]) for number in written]
        slope, start = np.polyfit(places, [number.value for number in written], 1)
        ends = self.x(self.window[0]), self.x(self.window[1])
        for k, end in enumerate(ends):
            yield Reading(self.shown[k], float(slope * end[0] + start), 2 * within)

    def _tick_places(self) -> NDArray[np.float64]:
        return np.asarray(self.ticks.points[::4, 0])

    # Drawing

    def draw(self, window: NDArray[np.float64], *, settled: bool) -> None:
        """Draw a window; numbers are opaque if it is `settled`, and may be fading if it moves."""
        left, right = (float(self.x(end)[0]) for end in self.window)
        y = float(self.line.points[0][1])
        self.window = np.asarray(window, dtype=float)
        first, last = (float(end) for end in window)
        pitch = (right - left) / max(last - first, 1e-9)
        over = _OVERHANG / pitch
        start = max(first - over, min(first, 0.0))
        self._ends = (start, last + over)
        ends = [[left + (start - first) * pitch, y, 0.0], [right + _OVERHANG, y, 0.0]]
        self.line.set_points(straight(*np.array(ends)[:, None, :]))
        self._draw_ticks(pitch, y)
        self._draw_numbers(pitch, y, settled)
        for rider in self.riders:
            rider.show(rider.state)

    def _draw_ticks(self, pitch: float, y: float) -> None:
        """Draw ticks, which are shorter the farther they are beyond the window."""
        places = multiples(*self._ends, next(s for s in steps() if s * pitch >= _DENSE))
        x = np.array([self.x(place)[0] for place in places])
        high = _TICK * self._nearness(places, pitch)
        lower, upper = (np.column_stack([x, y + side * high, 0 * x]) for side in (-1, 1))
        self.ticks.set_points(straight(lower[high > 1e-6], upper[high > 1e-6]))

    def _draw_numbers(self, pitch: float, y: float, settled: bool) -> None:
        need = text_width(f"{max(self.window):.0f}", _SIZE) + _NUMBER_GAP
        places = multiples(*self._ends, next(s for s in steps() if s * pitch >= need))
        shares = self._nearness(places, pitch)
        seen = {}
        for place, near in zip(places.astype(int), shares, strict=True):
            room = max(step for step in steps_of(int(place), need / pitch)) * pitch / need
            share = float(near) * float(np.clip((room - 1) / (_FADE - 1), 0.0, 1.0))
            seen[int(place)] = float(near > 1 - 1e-6) if settled else share
        for gone in [place for place in self.numbers if not seen.get(place)]:
            self._spare.append(self.numbers.pop(gone).set_fill(opacity=0.0))
        for place, share in seen.items():
            if share:
                number = self._number(place).set_fill(opacity=share)
                number.put(np.array([self.x(place)[0], y - _FOOT, 0.0]))
        in_order = [self.numbers[place] for place in sorted(self.numbers)]
        self._written.submobjects = [*in_order, *self._spare]  # in an order that has no history

    def _nearness(self, places: NDArray[np.float64], pitch: float) -> NDArray[np.float64]:
        """1 within the window, falling to 0 at the ends of the line; (n,)."""
        beyond = np.maximum(self.window[0] - places, places - self.window[1])
        reach = min(_OVERHANG / pitch, 1.0)
        return np.asarray(np.clip(1 - beyond / reach, 0.0, 1.0))

    def _number(self, place: int) -> Tick:
        """The number of a position, recycled from the invisible ones if possible."""
        if place not in self.numbers and self._spare:
            self.numbers[place] = self._spare.pop().set_value(place)
        if place not in self.numbers:
            self.numbers[place] = Tick(place, "d", size=_SIZE, color="position", unit=None)
        return self.numbers[place]

    def _add_rider(self, rider: _Carried) -> _Carried:
        self.riders.append(rider)
        self.add(rider)
        rider.show(rider.state)
        return rider


class _WindowDrive(Drive):
    """An animation of a ruler to another window, which is determined when it begins."""

    def __init__(self, ruler: Ruler, goal: Callable[[], Shown], **options: Any) -> None:
        self._ruler, self._goal_of = ruler, goal
        self._goal: Shown = ruler.shown
        self._origin = ruler.window
        super().__init__(ruler, lambda share: self._go(float(share)), 0.0, 1.0, **options)

    def begin(self) -> None:
        self._goal, self._origin = self._goal_of(), self._ruler.window
        super().begin()

    def _go(self, share: float) -> None:
        end = np.asarray(self._goal.content, dtype=float)
        now = end if share >= 1 else self._origin + (end - self._origin) * share
        self._ruler.shown = self._goal if share >= 1 else _free_window(now)
        if self._ruler.placed:
            self._ruler.draw(now, settled=share >= 1)


def _free_window(window: ArrayLike) -> Passing:
    """A window that is not a value of the stage, so that readings compare it with itself."""
    return _passing("window", np.asarray(window, dtype=float))


def _passing(name: str, content: Any) -> Passing:
    value = Value(name, content)
    return Passing(value, value, content, content, content)


class Rider(Picture):
    """Base of marks and brackets, which move with their ruler. Invisible until it `appear`s."""

    def __init__(self, value: Value, ruler: Ruler, figure: Figure | None) -> None:
        super().__init__(value)
        self.ruler, self.figure = ruler, figure
        self.path = Shape(stroke_width=4, fill_opacity=0).set_stroke(theme().position)
        self.add(self.path, *([figure] if figure is not None else []))
        self._set_visibility(0.0)

    def appear(self, **options: Any) -> Drive:
        """Fade in."""
        return Drive(self, lambda share: self._set_visibility(float(share)), 0.0, 1.0, **options)

    def vanish(self, **options: Any) -> Drive:
        """Fade out."""
        return Drive(
            self, lambda share: self._set_visibility(1 - float(share)), 0.0, 1.0, **options
        )

    def reveal(self) -> Any:
        """Make it visible at once, as for a first frame."""
        self._set_visibility(1.0)
        return self

    @property
    def tolerance(self) -> float:
        """Tolerance of readings, in positions."""
        return _WITHIN_PX * PX / self.ruler.pitch

    def _set_visibility(self, share: float) -> None:
        self.path.set_stroke(opacity=share)
        if self.figure:
            self.figure.number.set_fill(opacity=share)


class Mark(Rider):
    """A tick across the line at a position, with its number `rise` units above the line."""

    def __init__(
        self, ruler: Ruler, value: Value, spec: str, *, rise: float = _RISE + 0.1, **options: Any
    ) -> None:
        super().__init__(value, ruler, _figure(value if spec else None, spec, **options))
        self._rise = rise

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the mark at a position."""
        if not self.ruler.placed:
            return
        foot = self.ruler.x(float(state))
        low, high = np.array([[0.0, -_ROOT, 0.0]]), np.array([[0.0, _RISE, 0.0]])
        self.path.set_points(straight(foot + low, foot + high))
        if self.figure:
            self.figure.shown = self.shown
            self.figure.show(state)
            self.figure.put(foot + np.array([0.0, self._rise, 0.0]))

    def readings(self) -> Iterator[Reading]:
        """The position of the mark."""
        if self.ruler.placed and is_visible(self.path):
            x = float(self.path.points[:, 0].mean())
            yield Reading(self.shown, self.ruler.position_at(x), self.tolerance)


class Bracket(Rider):
    """A bracket from one position to another, `rise` units above the line, or below if negative.

    The last position may be that of a mark, which can move.
    """

    def __init__(
        self,
        ruler: Ruler,
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
        """Draw the bracket from a position to the last one."""
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
        """The positions of both ends."""
        if self.ruler.placed and is_visible(self.path):
            ends = self.path.points[0], self.path.points[-1]
            for meant, end in zip((self.shown, self._last_shown), ends, strict=True):
                yield Reading(meant, self.ruler.position_at(float(end[0])), self.tolerance)

    @property
    def _last_shown(self) -> Shown:
        return self._last.shown if isinstance(self._last, Rider) else self._last


def _figure(value: Value | None, spec: str, **options: Any) -> Figure | None:
    """A number, mauve unless the options have another colour; None without a value."""
    if value is None:
        return None
    return Figure(value, spec, **{"color": theme().text_color("position")} | options)


def steps() -> Iterator[int]:
    """Generate the steps between numbers: 1, 5, 10, 50, 100 and so on; each divides the next."""
    step = 1
    while True:
        yield from (step, 5 * step)
        step *= 10


def steps_of(place: int, least: float) -> list[int]:
    """The steps that divide a position, up to the first one of at least 5 times `least`."""
    found = []
    for step in steps():
        if place % step:
            break
        found.append(step)
        if step >= 5 * least:
            break
    return found


def multiples(first: float, last: float, step: int) -> NDArray[np.float64]:
    """The multiples of a step from `first` to `last`."""
    low, high = np.ceil(first / step - 1e-9), np.floor(last / step + 1e-9)
    return np.arange(low, high + 1) * step
