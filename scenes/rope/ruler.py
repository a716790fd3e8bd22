"""A line of positions, of which a window is seen, with marks and brackets on it.

The window is a scale and no claim: it may be a value, or any two numbers that an author chooses.
Every place is read off the line and the numbers as they are drawn.
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
"""Half the height of a tick."""
_DENSE = 0.1
"""The least distance of ticks."""
_NUMBER_GAP = 0.2
_SIZE = 24.0
"""The size of its numbers, in pixels at 720p."""
_OVERHANG = 0.3
"""How far the line goes on beyond its window."""
_FOOT = _TICK + _SIZE * PX * 1.05
"""From the line down to the baseline of its numbers."""
_BELOW = _FOOT + _SIZE * PX * 0.3
_FADE = 1.12
"""Numbers fade in while their room grows from what they need to this multiple of it."""
_WITHIN_PX = 1.0
_RISE, _ROOT = 0.24, 0.14
"""How far a mark rises over the line, and how far below it, clear of the numbers."""
_HOOK = 0.13
_Carried = TypeVar("_Carried", bound="Rider")


class Ruler(Picture):
    """A horizontal line with a tick at every whole position of a window, and numbers below it.

    Numbers are as dense as they can be without touching: all, or every 5th, 10th, 50th and so on.
    `head` is the room above the line for what stands on it, `margin` what stays free at both of its
    ends, in units.
    """

    def __init__(
        self, window: Value | ArrayLike, *, head: float = 0.0, margin: float = 0.0
    ) -> None:
        value = window if isinstance(window, Value) else Value("window", window)
        super().__init__(value)
        if value is not window:
            self.shown = _free(value.array)
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
        """Room for a few numbers, and for what stands on the line."""
        return Size(3.0, self._head + _BELOW + _TICK)

    @property
    def most(self) -> Size:
        return Size(float("inf"), self.least.height)

    def place(self, region: Region) -> None:
        """Run along a region, in the middle of its height."""
        spare = max(0.0, region.height - self.least.height) / 2
        y = region.top - spare - max(self._head, _TICK)
        side = _OVERHANG + self._margin
        self.place_on(region.left + side, region.right - side, y)

    def place_on(self, left: float, right: float, y: float) -> Self:
        """Run at a height, the ends of the window at `left` and `right`."""
        self.placed, self.window = True, self.state
        self.line.set_points(straight(*np.array([[[left, y, 0.0]], [[right, y, 0.0]]])))
        self._ends = (float(self.window[0]), float(self.window[1]))
        self.remove(*self.submobjects)
        self.add(self.line, self.ticks, *self.riders, self._written)
        self.draw(self.window, settled=True)
        return self

    def x(self, position: float) -> NDArray[np.float64]:
        """The point on the line where a position is, as it stands now."""
        left, right = self.line.points[0], self.line.points[-1]
        share = (position - self._ends[0]) / (self._ends[1] - self._ends[0])
        return np.array(left + (right - left) * share)

    def at(self, x: float) -> float:
        """The position whose point on the line has an x."""
        left, right = float(self.line.points[0][0]), float(self.line.points[-1][0])
        share = (x - left) / (right - left)
        return self._ends[0] + share * (self._ends[1] - self._ends[0])

    @property
    def pitch(self) -> float:
        """How far two neighbouring positions are apart, in units."""
        return float(self.x(1.0)[0] - self.x(0.0)[0])

    # What changes

    def zoom(self, window: Value | ArrayLike, **options: Any) -> Drive:
        """Let the line run to another window, wider or narrower."""
        goal = window if isinstance(window, Value) else _free(window)
        return _Run(self, lambda: goal, **options)

    def scroll_by(self, steps: float, **options: Any) -> Drive:
        """Let the line run on by steps."""
        return _Run(self, lambda: _free(self.window + steps), **options)

    def to(self, value: Value, **options: Any) -> Any:
        """Let the line run to the window that a value is."""
        return self.zoom(value, **options)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw a window."""
        if self.placed:
            self.draw(state, settled=True)

    def mark(self, value: Value, spec: str = "", **options: Any) -> Mark:
        """A mauve tick at a position, with its number; it is not seen until it `appear`s."""
        return self._carry(Mark(self, value, spec, **options))

    def bracket(
        self,
        first: Value,
        last: Value | Rider,
        figure: Value | None = None,
        spec: str = "",
        **options: Any,
    ) -> Bracket:
        """A bracket between two positions, with a number; it is not seen until it `appear`s."""
        return self._carry(Bracket(self, first, last, figure, spec, **options))

    # What it says

    def readings(self) -> Iterator[Reading]:
        """Where every tick number stands, where the ticks are, and where the window ends."""
        if not self.placed:
            return
        within = _WITHIN_PX * PX / self.pitch
        ticks = self._tick_places()
        written = [t for t in self.numbers.values() if is_visible(t)]
        for number in written:
            says = language().value(number.text)
            x = float(number.get_center()[0])
            nearest = ticks[np.abs(ticks - x).argmin()] if len(ticks) else np.inf
            yield Reading(_itself("its number", says), self.at(x), within)
            yield Reading(_itself("its tick", says), self.at(float(nearest)), within)
        if isinstance(self.shown, Value) and len(written) > 1:
            yield from self._end_readings(written, within)

    def _end_readings(self, written: list[Tick], within: float) -> Iterator[Reading]:
        """The ends of the window by the numbers alone, as a viewer reads them."""
        places = [float(number.get_center()[0]) for number in written]
        slope, start = np.polyfit(places, [number.value for number in written], 1)
        ends = self.x(self.window[0]), self.x(self.window[1])
        for k, end in enumerate(ends):
            yield Reading(self.shown[k], float(slope * end[0] + start), 2 * within)

    def _tick_places(self) -> NDArray[np.float64]:
        return np.asarray(self.ticks.points[::4, 0])

    # How it is drawn

    def draw(self, window: NDArray[np.float64], *, settled: bool) -> None:
        """Draw a window on the line as it stands; between two windows numbers come and go."""
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
        """Ticks; those beyond the window are the shorter the farther they are."""
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
        self._written.submobjects = [*in_order, *self._spare]  # whatever was seen before

    def _nearness(self, places: NDArray[np.float64], pitch: float) -> NDArray[np.float64]:
        """1 within the window, and less and less down to 0 at the end of the line, (n,)."""
        beyond = np.maximum(self.window[0] - places, places - self.window[1])
        reach = min(_OVERHANG / pitch, 1.0)
        return np.asarray(np.clip(1 - beyond / reach, 0.0, 1.0))

    def _number(self, place: int) -> Tick:
        """The number of a position; one that is no longer seen is used again."""
        if place not in self.numbers and self._spare:
            self.numbers[place] = self._spare.pop().set_value(place)
        if place not in self.numbers:
            self.numbers[place] = Tick(place, "d", size=_SIZE, color="position", unit=None)
        return self.numbers[place]

    def _carry(self, rider: _Carried) -> _Carried:
        self.riders.append(rider)
        self.add(rider)
        rider.show(rider.state)
        return rider


class _Run(Drive):
    """A ruler on its way to another window, which is found out when it sets out."""

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
        self._ruler.shown = self._goal if share >= 1 else _free(now)
        if self._ruler.placed:
            self._ruler.draw(now, settled=share >= 1)


def _free(window: ArrayLike) -> Passing:
    """A window that is no value: nothing but itself to compare it with."""
    return _itself("window", np.asarray(window, dtype=float))


def _itself(name: str, content: Any) -> Passing:
    value = Value(name, content)
    return Passing(value, value, content, content, content)


class Rider(Picture):
    """Something that stands on a ruler and moves with it. It is not seen until it appears."""

    def __init__(self, value: Value, ruler: Ruler, figure: Figure | None) -> None:
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
        self, ruler: Ruler, value: Value, spec: str, *, rise: float = _RISE + 0.1, **options: Any
    ) -> None:
        super().__init__(value, ruler, _figure(value if spec else None, spec, **options))
        self._rise = rise

    def show(self, state: NDArray[np.float64]) -> None:
        """Stand at a position."""
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


def steps() -> Iterator[int]:
    """1, 5, 10, 50, 100 and so on: each divides the next."""
    step = 1
    while True:
        yield from (step, 5 * step)
        step *= 10


def steps_of(place: int, least: float) -> list[int]:
    """The steps among whose multiples a position is, up to the first two of at least `least`."""
    found = []
    for step in steps():
        if place % step:
            break
        found.append(step)
        if step >= 5 * least:
            break
    return found


def multiples(first: float, last: float, step: int) -> NDArray[np.float64]:
    """The whole multiples of a step from `first` to `last`."""
    low, high = np.ceil(first / step - 1e-9), np.floor(last / step + 1e-9)
    return np.arange(low, high + 1) * step
