"""A plane with named axes, arrows in it, and the angle between two arrows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.paths import arrow_head, straight
from clockhead.scenes.stage import Passage, Picture, Reading, Size, Value, said
from clockhead.scenes.stage.shown import Passing, is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import Role, mix, theme

Points = NDArray[np.float64]

_NAMES = 23.0, 30.0
"""Smallest and largest size of names, in pixels at 720p."""
_ROOMY = 1.3
"""Length of 1 on the axes from which on names have their largest size, in units."""
_OVER, _TIP = 0.5, 0.25
"""Room for the name above the vertical axis, and for the tip of the horizontal one, in units."""
_HEAD, _GAP = 0.3, 0.14
"""Length of an arrow's head, and the gap between its tip and its name, in units."""
_HALO = 9.0
"""Width of the outline that separates a name from what is behind it."""
_SHORT = 0.02
"""Length below which an arrow is not drawn, in units."""
_LEAST = 1.15
"""Least length of 1 on the axes, in units."""
_SIDE = np.linspace(0, 1, 33)
"""Where points are along the arc of an angle, from 0 to 1."""


Span = tuple[float, float]


class NamedPlane(Picture):
    """Two named axes that cross at zero, with the ranges `across` and `up`.

    The names are a value, (2,), or words that the stage translates.
    """

    most = Size(np.inf, np.inf)

    def __init__(self, names: Value | Sequence[str], across: Span, up: Span) -> None:
        if isinstance(names, Value):
            super().__init__(names)
            words = names.content
        else:
            super().__init__(Value("", ()))
            words = [said(name) for name in names]
        look = theme()
        self._across, self._up, self._names = across, up, [str(word) for word in words]
        self.unit, self.size = 0.0, _NAMES[1]
        self.zero = np.zeros(3)
        self.grid = Shape(stroke_color=mix(look.ground, look.muted, 0.28), stroke_width=1.5)
        self.lines = Shape(stroke_color=look.muted, stroke_width=3)
        self.heads = Shape(stroke_width=0, fill_color=look.muted, fill_opacity=1)
        self.labels: list[Label] = []
        self.add(self.grid, self.lines, self.heads)

    @property
    def least(self) -> Size:
        return least_plane((self._across, self._up))

    def place(self, region: Region) -> None:
        """Fit the plane into a region, centred and as large as possible."""
        (left, right), (low, high) = self._across, self._up
        room = region.height - _OVER
        self.unit = min((region.width - _TIP) / (right - left), room / (high - low))
        middle = region.center + np.array([0.0, -_OVER / 2, 0.0])
        self.zero = middle - self.unit * np.array([left + right, low + high, 0.0]) / 2
        ends = self.at(np.array([[right, 0.0], [0.0, high]]))
        starts = self.at(np.array([[left, 0.0], [0.0, low]]))
        self.lines.set_points(straight(starts, ends))
        heads = [arrow_head(ends[k] + 0.1 * np.eye(3)[k], np.eye(3)[k], 0.2) for k in range(2)]
        self.heads.set_points(np.vstack(heads))
        lines = [[[x, low], [x, high]] for x in _halves(left, right)]
        lines += [[[left, y], [right, y]] for y in _halves(low, high)]
        drawn = self.at(np.array(lines).reshape(-1, 2)).reshape(-1, 2, 3)
        self.grid.set_points(straight(drawn[:, 0], drawn[:, 1]))
        self.size = float(np.clip(_NAMES[1] * self.unit / _ROOMY, *_NAMES))
        name, other = self._names
        ink, down = theme().muted, 0.14 + 0.9 * self.size * PX
        across = Label(name, size=self.size, color=ink, align="right")
        over = Label(other, size=self.size, color=ink, align="left")
        self.labels = [
            across.put(ends[0] - np.array([-0.1, down, 0.0])),
            over.put(ends[1] + np.array([0.2, 0.12, 0.0])),
        ]
        self.add(*self.labels)

    def at(self, points: Points) -> Points:
        """Where points (N, 2) of the plane are on the screen; (N, 3)."""
        return np.asarray(self.zero + self.unit * np.pad(points, ((0, 0), (0, 1))))

    def coordinates_of(self, seen: Points) -> tuple[float, float]:
        """The coordinates of a point on the screen, measured from the axes as drawn."""
        ends = self.lines.points[[3, 7]]
        left, right = self._across
        unit = float(ends[0][0] - self.lines.points[0][0]) / (right - left)
        zero = np.array([ends[1][0], ends[0][1]])
        x, y = (seen[:2] - zero) / unit
        return float(x), float(y)

    @property
    def state(self) -> Points:
        """Empty: the names are text and cannot be animated."""
        return np.zeros(0)

    def readings(self) -> Iterator[Reading]:
        """Compare the names of the axes; the lower label is that of the horizontal axis."""
        labels = [label for label in self.labels if is_visible(label)]
        if not len(self.shown.content):
            return
        for k, label in enumerate(sorted(labels, key=lambda one: float(one.middle[1]))):
            yield Reading(self.shown[k], label.text)


def least_plane(*reaches: tuple[Span, Span]) -> Size:
    """Least room for planes with these ranges (across, up) that take the same place in turn."""
    wide = max(right - left for (left, right), _ in reaches)
    high = max(high - low for _, (low, high) in reaches)
    return Size(_LEAST * wide + _TIP, _LEAST * high + _OVER)


def _halves(low: float, high: float) -> list[float]:
    """All multiples of a half between low and high, except zero."""
    steps = np.arange(np.ceil(2 * low), 2 * high + 0.01) / 2
    return [float(step) for step in steps if step]


class PlaneArrow(Picture):
    """An arrow in a plane, from its foot to its tip, (2, 2), with a name.

    The name is beyond the tip, `turned` degrees off the arrow's direction, or with `beside` next to
    the arrow's middle, on the side away from zero.
    """

    def __init__(
        self,
        value: Value,
        plane: NamedPlane,
        role: Role,
        name: Value | None = None,
        *,
        turned: float = 0.0,
        beside: bool = False,
        width: float = 8.0,
    ) -> None:
        super().__init__(value)
        look = theme()
        self.plane, self.called, self._width = plane, name, width
        self._turned, self._beside = np.radians(turned), beside
        color = getattr(look, role)
        self._ink, self._seen = look.text_color(role), 1.0
        self.shaft = Shape(stroke_color=color, stroke_width=width)
        self.head = Shape(stroke_width=0, fill_color=color, fill_opacity=1)
        self.label = self._make_label(name)
        self.add(self.shaft, self.head, self.label)
        self.show(self.state)

    def show(self, state: Points) -> None:
        """Draw the arrow between these points, (2, 2)."""
        foot, tip = self.plane.at(state)
        length = float(np.linalg.norm(tip - foot))
        if length < _SHORT:
            self.shaft.clear_points()
            self.head.clear_points()
            self.label.set_opacity(0)
            return
        way, size = (tip - foot) / length, min(_HEAD, 0.6 * length)
        self.shaft.set_points(straight(foot[None], (tip - 0.6 * size * way)[None]))
        self.head.set_points(arrow_head(tip, way, size))
        self.shaft.set_stroke(width=min(self._width, 30 * size))
        if self.called is not None:
            self._place_name(
                foot, tip, way, float(np.clip(10 * length / self.plane.unit - 2.5, 0, 1))
            )

    def _make_label(self, name: Value | None) -> Label:
        text = "" if name is None else str(name.content)
        label = Label(
            text, size=self.plane.size, weight="semibold", color=self._ink, align="center"
        )
        label.set_stroke(theme().ground, _HALO, background=True)
        return label

    def _place_name(self, foot: Points, tip: Points, way: Points, opacity: float) -> None:
        turn = np.arctan2(way[1], way[0]) + self._turned
        out = np.array([np.cos(turn), np.sin(turn), 0.0])
        if self._beside:
            tip, out = (foot + tip) / 2, np.array([way[1], -way[0], 0.0])
            out *= -1.0 if out @ (tip - self.plane.zero) < -_SHORT else 1.0
            tip = tip + 0.1 * out
        half = np.array([self.label.width / 2, 0.36 * self.label.em, 0.0])
        self.label.center_on(tip + out * (_GAP + half))
        self.label.set_fill(opacity=opacity * self._seen)
        self.label.set_stroke(opacity=opacity * self._seen, background=True)

    def rename(self, name: Value, *, turned: float | None = None, **options: Any) -> Drive:
        """Fade to another name, at another angle if `turned` is given."""
        angle = self._turned if turned is None else float(np.radians(turned))

        def show(share: Points) -> None:
            if float(share) >= 0.5 and self.called is not name:
                self.called, self._turned, old = name, angle, self.label
                self.label = self._make_label(name)
                self.submobjects[self.submobjects.index(old)] = self.label
            self._seen = abs(2 * float(share) - 1)
            self.show(self.state)

        return Drive(self, show, 0.0, 1.0, **options)

    def grow(self, **options: Any) -> Passage:
        """Grow the arrow from its foot to its tip."""
        shown = self.shown
        value = shown.end if isinstance(shown, Passing) else shown
        foot, tip = value.array
        return Passage(self, value, np.array([[foot, foot], [foot, tip]]), **options)

    def move_from(self, other: PlaneArrow, **options: Any) -> Passage:
        """Move here from where an arrow of another plane is on the screen."""
        shown = self.shown
        value = shown.end if isinstance(shown, Passing) else shown
        seen = other.plane.at(other.state)
        start = (seen - self.plane.zero)[:, :2] / self.plane.unit
        return Passage(self, value, np.stack([start, value.array]), **options)

    def readings(self) -> Iterator[Reading]:
        """Compare the coordinates of foot and tip, and the name."""
        if not is_visible(self.head) or not self.head.has_points():
            return
        for k, point in enumerate((self.shaft.points[0], self.head.points[0])):
            for axis, says in enumerate(self.plane.coordinates_of(point)):
                yield Reading(self.shown[k, axis], says)
        if self.called is not None and is_visible(self.label):
            yield Reading(self.called, self.label.text)


class AngleMark(Picture):
    """An angle at zero with its number, in degrees counter-clockwise from `start`."""

    def __init__(self, degrees: Value, plane: NamedPlane, start: Points, radius: float) -> None:
        super().__init__(degrees)
        ink = theme().ink
        self.plane, self._radius, self.numbered = plane, radius, True
        self._start = float(np.arctan2(start[1], start[0]))
        self.arc = Shape(stroke_color=ink, stroke_width=4)
        self.figure = Figure(degrees, ".0f", size=plane.size, suffix="°", color=ink)
        self.figure.number.set_stroke(theme().ground, _HALO, background=True)
        self.add(self.arc, self.figure)
        self.show(self.state)

    def show(self, state: Points) -> None:
        """Open the arc to this angle, and place the number beside it."""
        turns = self._start + np.radians(float(state)) * _SIDE
        ring = np.column_stack([np.cos(turns), np.sin(turns), 0 * turns])
        points = self.plane.zero + self._radius * self.plane.unit * ring
        self.arc.set_points(straight(points[:-1], points[1:]))
        self.figure.shown = self.shown
        self.figure.show(state)
        middle = ring[len(ring) // 2]
        width = text_width("100°", self.plane.size) / 2
        reach = self._radius * self.plane.unit + 0.18 + abs(middle[0]) * width
        self.figure.number.center_on(self.plane.zero + reach * middle)
        self.figure.number.set_fill(opacity=float(self.numbered))
        self.figure.number.set_stroke(opacity=float(self.numbered), background=True)

    def hide_number(self) -> None:
        """Hide the number from now on."""
        self.numbered = False
        self.show(self.state)

    def open(self, **options: Any) -> Passage:
        """Open the angle from 0."""
        shown = self.shown
        value = shown.end if isinstance(shown, Passing) else shown
        return Passage(self, value, np.array([0.0, float(value.array)]), **options)

    def readings(self) -> Iterator[Reading]:
        """Compare the angle between the ends of the arc."""
        if not is_visible(self.arc):
            return
        a, b = (self.arc.points[k] - self.plane.zero for k in (0, -1))
        turn = np.degrees(np.arctan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]))
        yield Reading(self.shown, float(turn), 1e-6)
