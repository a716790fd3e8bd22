"""The ring of letters in its plane, seen from above and then from the side, and a map over it.

Everything lies on the ring: `Ring` turns its view, and all that lies on it follows. Seen from the
side, heights show; the plane's own numbers can be read from the ring at any tilt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from manim import RIGHT, VMobject
from numpy.typing import NDArray

from scenes.parts.dial import DISC
from scenes.parts.dial_links import Linked, LinkedDrive
from scenes.parts.paths import closed, rectangles, straight
from scenes.stage import Reading, Size, Value
from scenes.stage.shown import is_visible
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive, in_turn
from scenes.style.text import Label, text_width
from scenes.style.theme import mix, theme
from scenes.style.type import LABEL, SMALL, X_HEIGHT, Weight

Points = NDArray[np.float64]

TILT = np.radians(70)
_LEAST, _MOST = 1.15, 1.75
"""The ring's radius, in units."""
_DOT, _BIG_DOT = 0.055, 0.1
_GAP = 0.16
_MARGIN = 0.45
"""From the ring to the edge above and below it."""
_LINE = 1.2 * SMALL * PX
_NUMBER = 0.4
"""The room right of the ring for a number at a stalk."""
_HEAD = 0.2
_PLATE = 0.04
"""How far the ground behind a name reaches beyond it."""
_ASIDE = 2.5
"""How fast a name moves from over its point to beside it, along the ring."""
_SEEN = 1e-6


class Ring(Linked):
    """Points (N, 2) of a plane as dots; `names` will stand beside the points `at` of it."""

    def __init__(self, points: Value, names: Sequence[str], at: Sequence[int]) -> None:
        super().__init__(points)
        look = theme()
        self.tilt, self.radius, self.middle = 0.0, 0.0, np.zeros(3)
        self._widths = np.array([text_width(name, LABEL, "semibold") for name in names])
        self._sides = np.abs(points.array[list(at), 0])
        self._grown = np.ones(len(points))
        self.outline = VMobject(stroke_color=mix(look.ground, look.muted, 0.6), stroke_width=2)
        self.dots = VMobject(stroke_width=0, fill_color=look.residual, fill_opacity=1)
        self.add(self.outline, self.dots)

    @property
    def least(self) -> Size:
        return Size(self._width(_LEAST), 2 * (_LEAST + _MARGIN))

    @property
    def most(self) -> Size:
        return Size(self._width(_MOST), 2 * (_MOST + _MARGIN))

    def place(self, region: Region) -> None:
        """Stand in the middle of a region, seen from above."""
        self.middle = region.center
        radii = np.linspace(_MOST, _LEAST / 2, 60)
        fits = [
            r
            for r in radii
            if self._width(r) <= region.width and 2 * (r + _MARGIN) <= region.height
        ]
        self.radius = float(max(fits, default=radii[-1]))
        self.redraw()

    def go_to(self, middle: Points, *, run_time: float = 1.0) -> LinkedDrive:
        """Slide to another middle."""
        return LinkedDrive(self, self.stand, self.middle, middle, run_time=run_time)

    def stand(self, middle: Points) -> None:
        """Have another middle at once."""
        self.middle = middle.copy()
        self.redraw()

    def show(self, state: Points) -> None:
        """Draw points (N, 2)."""
        if not self.radius:
            return
        self.outline.set_points(self.project(DISC))
        self.dots.set_points(_discs(self.project(_flat(state)), _DOT * self._grown))
        self.redraw_followers()

    def project(self, points: Points) -> Points:
        """Where points of space (N, 3) are seen: half the height stays in the middle."""
        x, y, z = points.T
        up = y * np.cos(self.tilt) + (z - 0.5) * np.sin(self.tilt)
        return np.asarray(self.middle + self.radius * np.column_stack([x, up, 0 * x]))

    def unproject(self, seen: Points, height: float = 0.0) -> Points:
        """The numbers of the plane (2,) of what is seen at a place, at a height."""
        x, up, _ = (seen - self.middle) / self.radius
        return np.array([x, (up - (height - 0.5) * np.sin(self.tilt)) / np.cos(self.tilt)])

    def height(self, foot: Points, top: Points) -> float:
        """How high the top of something is that stands on a foot; unseen from above."""
        return float((top - foot)[1] / (self.radius * np.sin(self.tilt)))

    def appear(self, *, run_time: float = 2.0) -> LinkedDrive:
        """Let the dots come one after another."""

        def show(share: Points) -> None:
            self._grown = in_turn(float(share), len(self.state), 0.2)
            self.redraw()

        return LinkedDrive(self, show, 0.0, 1.0, run_time=run_time)

    def tip_over(self, *, run_time: float = 3.0) -> LinkedDrive:
        """Let the plane tilt, so that it is seen from the side."""

        def show(tilt: Points) -> None:
            self.tilt = float(tilt)
            self.redraw()

        return LinkedDrive(self, show, self.tilt, TILT, run_time=run_time)

    def _width(self, radius: float) -> float:
        """The width of a ring of a radius, with its names."""
        beside = (1 + np.clip(_ASIDE * self._sides, 0, 1)) * self._widths / 2
        return float(2 * ((radius + _GAP) * self._sides + beside).max(initial=radius + _NUMBER))

    def readings(self) -> Iterator[Reading]:
        """Both numbers of every dot."""
        if not self.radius or not is_visible(self.dots):
            return
        for k, dot in enumerate(_middles(self.dots)):
            if self._grown[k] > _SEEN:
                for axis, says in enumerate(self.unproject(dot)):
                    yield Reading(self.shown[k, axis], float(says))


class Stalks(Linked):
    """Heights (N,) over the points of a ring: a stalk on each, and its head."""

    def __init__(self, heights: Value, ring: Ring) -> None:
        super().__init__(heights)
        self.ring, look = ring, theme()
        self._heights = 0 * self.state
        self.stalks = VMobject(stroke_color=mix(look.ground, look.muted, 0.8), stroke_width=2)
        self.heads = VMobject(stroke_width=0, fill_color=look.residual, fill_opacity=1)
        self.add(self.stalks, self.heads)
        ring.follow(self)
        self.redraw()

    def redraw(self) -> None:
        """Stand as high as before on the ring, where it is now."""
        self.show(self._heights)

    def show(self, state: Points) -> None:
        """Draw stalks of these heights."""
        self._heights = state
        self.stalks.set_points(straight(self.ring.project(_flat(self.ring.state)), self.tops))
        self.heads.set_points(_discs(self.tops, _DOT))
        self.redraw_followers()

    @property
    def tops(self) -> Points:
        """Where the heads are seen; (N, 3)."""
        points = np.column_stack([self.ring.state, self._heights])
        return self.ring.project(points)

    def outermost(self, near: Sequence[int]) -> int:
        """The stalk furthest left or right, on the side of whichever head is further back."""
        points = self.ring.state
        back = max(near, key=lambda k: float(points[k, 1]))
        x = points[:, 0]
        return int(x.argmax() if x[back] >= 0 else x.argmin())

    def beside(self, k: int) -> Points:
        """The middle of a number at an outer stalk."""
        middle = (self.stalks.points[4 * k] + self.tops[k]) / 2
        return np.asarray(middle + _NUMBER / 2 * np.sign(self.ring.state[k, 0]) * RIGHT)

    def grow(self, **options: object) -> Drive:
        """Let all stalks grow out of the plane."""
        value = self.shown
        assert isinstance(value, Value)
        return self.pass_through(value, np.stack([0 * value.array, value.array]), **options)

    def readings(self) -> Iterator[Reading]:
        """How far every head is above the foot of its stalk, seen from the side."""
        slant = float(np.sin(self.ring.tilt))
        if slant < _SEEN or not self._heights.any() or not is_visible(self.stalks):
            return
        feet, heads = self.stalks.points[::4], _middles(self.heads)
        for k, head in enumerate(heads):
            yield Reading(self.shown[k], self.ring.height(feet[k], head), 1e-6 / slant)


class Names(Linked):
    """Names (K,) beside the points `at` of a ring, or beside the heads of stalks on it.

    The same point has its name once. `bold` names have a large dot and, two of them, a line
    between.
    """

    def __init__(
        self,
        names: Value,
        ring: Ring,
        at: Sequence[int],
        *,
        stalks: Stalks | None = None,
        bold: bool = False,
    ) -> None:
        super().__init__(names)
        look = theme()
        self.ring, self.at, self._stalks, self._moving = ring, list(at), stalks, False
        self.line = VMobject(stroke_color=look.ink, stroke_width=2.5)
        self.dots = VMobject(stroke_width=0, fill_color=look.token, fill_opacity=1)
        size, color = (LABEL, look.token) if bold else (SMALL, look.muted)
        weight: Weight = "semibold" if bold else "regular"
        self.labels = [
            Label(str(name), size=size, color=color, weight=weight, align="center")
            for name in names.content
        ]
        self._bold = bold
        self.plates = VMobject(stroke_width=0, fill_color=look.ground, fill_opacity=0.85)
        self.add(*([self.line] if bold else []), self.plates, self.dots, *self.labels)
        (ring if stalks is None else stalks).follow(self)
        self.redraw()

    def redraw(self) -> None:
        """Stand where the points are seen now."""
        spots = self._points
        self.dots.set_points(_discs(spots, _BIG_DOT if self._bold else 1.5 * _DOT))
        if self._bold:
            self.line.set_points(straight(spots[:1], spots[1:2]))
        if self._moving:
            return
        for label, spot in zip(self.labels, self._spots, strict=True):
            label.center_on(spot)
        if self._bold:
            low = np.array([label.points.min(axis=0) for label in self.labels]) - _PLATE
            high = np.array([label.points.max(axis=0) for label in self.labels]) + _PLATE
            self.plates.set_points(rectangles(*low.T[:2], *high.T[:2]))

    def show(self, state: Points) -> None:
        """Names do not run."""
        self.redraw()

    def fly_from(self, points: Sequence[Points], *, run_time: float = 2.0) -> Drive:
        """Let every name come from a point, such as its tile.

        Equal ones end as one, and one that would lie over another goes when it has arrived.
        """
        ends, stay = self._spots, self._legible()

        def show(share: Points) -> None:
            s = float(share)
            self._moving = s < 1
            ways = in_turn(s, len(ends), 0.6)
            for k, label in enumerate(self.labels):
                label.center_on(points[k] + (ends[k] - points[k]) * float(ways[k]))
                label.set_fill(opacity=float(s < 1 or k in stay))
            self.dots.set_fill(opacity=max(0.0, 2 * s - 1))

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def vanish(self, *, run_time: float = 0.6) -> Drive:
        """Let names and dots fade, wherever they are carried meanwhile."""
        seen = [float(label.get_fill_opacity()) for label in self.labels]

        def show(share: Points) -> None:
            for label, was in zip(self.labels, seen, strict=True):
                label.set_fill(opacity=was * (1 - float(share)))
            self.dots.set_fill(opacity=1 - float(share))

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def readings(self) -> Iterator[Reading]:
        """The word that stands at every point."""
        if self._moving or not self.ring.radius:
            return
        spots = np.array(self._spots)
        for label in self.labels:
            if is_visible(label):
                k = int(np.linalg.norm(spots - label.middle, axis=1).argmin())
                yield Reading(self.shown[k], label.text)

    def _legible(self) -> list[int]:
        """The names, first ones first, that do not lie over another where they stand."""
        kept: list[int] = []
        for k, label in enumerate(self.labels):
            reach = [(label.width + self.labels[j].width) / 2 + _PLATE for j in kept]
            apart = [np.abs(label.get_center() - self.labels[j].get_center()) for j in kept]
            if all(a[0] > r or a[1] > _LINE for a, r in zip(apart, reach, strict=True)):
                kept.append(k)
        return kept

    @property
    def _points(self) -> Points:
        if self._stalks is not None:
            return np.asarray(self._stalks.tops[self.at])
        return self.ring.project(_flat(self.ring.state))[self.at]

    @property
    def state(self) -> Points:
        """Names have no numbers."""
        return np.zeros(0)

    @property
    def _spots(self) -> list[Points]:
        """The middles of the names: outside the ring, beside their points."""
        found = []
        for label, point, at in zip(self.labels, self._points, self.at, strict=True):
            x, y = self.ring.state[at]
            half = np.array([label.width, X_HEIGHT * label.em, 0.0]) / 2
            aside = np.clip([_ASIDE * x, _ASIDE * y, 0.0], -1, 1)
            found.append(point + aside * half + _GAP * np.array([x, y, 0.0]))
        return found


class MapArrow(Linked):
    """A map (3,) as an arrow from the middle of the ring."""

    def __init__(self, value: Value, ring: Ring) -> None:
        super().__init__(value)
        self.ring, color = ring, theme().key
        self.shaft = VMobject(stroke_color=color, stroke_width=6)
        self.head = VMobject(stroke_width=0, fill_color=color, fill_opacity=1)
        self.label = Label("map", size=LABEL, color=theme().text_color("key"), align="center")
        self.add(self.shaft, self.head, self.label)
        ring.follow(self)
        self.redraw()

    def show(self, state: Points) -> None:
        """Draw a map (3,)."""
        self._state = state
        start, tip = self.ring.project(np.array([[0.0, 0.0, 0.0], state]))
        way = tip - start
        way, length = way / np.linalg.norm(way), float(np.linalg.norm(way))
        size = min(_HEAD, length / 2)
        side = np.array([-way[1], way[0], 0.0])
        back = tip - size * way
        self.shaft.set_points(straight(start[None], (tip - 0.6 * size * way)[None]))
        corners = [tip, back + 0.5 * size * side, back - 0.5 * size * side]
        self.head.set_points(closed(np.array(corners)))
        # Beside the arrow; seen from the side, behind its tail, where no name of a head can be.
        away, half = float(np.sin(self.ring.tilt)), self.label.width / 2
        beside = start + 0.5 * length * way - (0.18 + abs(side[0]) * half) * side
        behind = start - (0.2 + abs(way[0]) * half) * way
        self.label.center_on(beside + (behind - beside) * away)
        self.redraw_followers()

    @property
    def direction(self) -> Points:
        """The map that is drawn, in the plane; (2,)."""
        return np.asarray(self._state[:2])

    def readings(self) -> Iterator[Reading]:
        """Where the tip is. The view has two numbers: depth is taken as meant where it tilts."""
        if not is_visible(self.shaft):
            return
        start, tip = self.shaft.points[0], self.head.points[0]
        x, y = self.ring.unproject(start)
        slant, depth = float(np.sin(self.ring.tilt)), float(self.shown[1].content)
        right, up = (tip - self.ring.middle)[:2] / self.ring.radius
        yield Reading(self.shown[0], float(right - x))
        if slant < _SEEN:
            yield Reading(self.shown[1], float(up - y))
        else:
            risen = (up - depth * np.cos(self.ring.tilt)) / slant + 0.5
            yield Reading(self.shown[2], float(risen), 1e-6 / slant)


class Shadows(Linked):
    """What a map reads of points of the ring: how far their shadows fall along its arrow."""

    def __init__(self, value: Value, arrow: MapArrow, at: Sequence[int]) -> None:
        super().__init__(value)
        self.arrow, self.at, look = arrow, list(at), theme()
        self.dashes = VMobject(stroke_color=look.muted, stroke_width=2)
        self.feet = VMobject(stroke_width=0, fill_color=look.key, fill_opacity=1)
        self.lengths = VMobject(stroke_color=look.key, stroke_width=11, stroke_opacity=0.45)
        self.add(self.dashes, self.lengths, self.feet)
        arrow.follow(self)
        self.redraw()

    def show(self, state: Points) -> None:
        """Draw shadows of these signed lengths."""
        ring, way = self.arrow.ring, self.arrow.direction
        feet = ring.project(_flat(state[:, None] * way / max(float(np.linalg.norm(way)), _SEEN)))
        points = ring.project(_flat(ring.state[self.at]))
        self.dashes.set_points(_dashed(points, feet))
        self.lengths.set_points(straight(ring.project(0 * _flat(ring.state[self.at])), feet))
        self.feet.set_points(_discs(feet, 1.3 * _DOT))

    def readings(self) -> Iterator[Reading]:
        """How far along the arrow each foot lies, behind it if it is negative."""
        if not is_visible(self.feet) or self.arrow.ring.tilt > _SEEN:
            return
        way = self.arrow.direction / np.linalg.norm(self.arrow.direction)
        for k, foot in enumerate(_middles(self.feet)):
            yield Reading(self.shown[k], float(self.arrow.ring.unproject(foot) @ way))


class Rays(Linked):
    """What a map reads of all heads, where it reads the height: each meets its axis there."""

    def __init__(self, heights: Value, stalks: Stalks) -> None:
        super().__init__(heights)
        self.ring, self.stalks, self._reach = stalks.ring, stalks, 0.0
        self.rays = VMobject(stroke_color=theme().key, stroke_width=2.5)
        self.add(self.rays)
        stalks.follow(self)
        self.redraw()

    def show(self, state: Points) -> None:
        """Draw rays that meet the axis at these heights."""
        axis = np.column_stack([np.zeros((len(state), 2)), state])
        starts = self.stalks.tops
        ends = starts + (self.ring.project(axis) - starts) * self._reach
        self.rays.set_points(straight(starts, ends))

    def draw(self, *, run_time: float = 1.5) -> Drive:
        """Let the rays run from the heads to the axis."""

        def show(share: Points) -> None:
            self._reach = float(share)
            self.redraw()

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def readings(self) -> Iterator[Reading]:
        """How high every ray meets the axis."""
        if self._reach < 1 or not is_visible(self.rays):
            return
        foot = self.ring.project(np.zeros((1, 3)))[0]
        for k, end in enumerate(self.rays.points[3::4]):
            aside = abs(float(end[0] - foot[0]))
            says = self.ring.height(foot, end) if aside < _SEEN else "a ray beside the axis"
            yield Reading(self.shown[k], says)


def _flat(points: Points) -> Points:
    """Points of the plane in space, at height 0."""
    return np.column_stack([points, np.zeros(len(points))])


def _discs(middles: Points, radii: float | Points) -> Points:
    sizes = np.broadcast_to(radii, len(middles))[:, None, None]
    return (middles[:, None] + sizes * DISC).reshape(-1, 3)


def _middles(discs: VMobject) -> Points:
    found = discs.points.reshape(-1, len(DISC), 3)
    return np.asarray((found[:, 0] + found[:, len(DISC) // 2]) / 2)


def _dashed(start: Points, end: Points, n: int = 9) -> Points:
    """Dashed lines from points to points."""
    stops = np.linspace(0, 1, 2 * n)[:, None, None]
    line = start + (end - start) * stops  # (2 n, N, 3)
    return straight(line[::2].reshape(-1, 3), line[1::2].reshape(-1, 3))
