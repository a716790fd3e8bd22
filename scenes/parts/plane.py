"""Points of a plane around its middle, and names, arrows and projections on it.

Everything on a plane is redrawn when the plane moves or tilts. A tilted plane is seen from the
side, so that heights above it are visible.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clockhead.scenes.parts.paths import DISC, arrow_head, discs, middles, nearest, straight
from clockhead.scenes.stage import Linked, Reading, Size, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive, in_turn
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import Role, mix, theme
from clockhead.scenes.style.type import LABEL, SMALL, X_HEIGHT, Weight

Points = NDArray[np.float64]

SEEN = 1e-6
"""Smallest length, and smallest sine of a tilt, that can be measured."""
_LEAST, _MOST = 1.15, 1.75
"""Smallest and largest radius of the circle, in units."""
_DOT = 0.055
"""Radius of dots, in units."""
_NAMED = 0.08
"""Radius of dots with names."""
_BOLD = 0.1
"""Radius of dots with bold names."""
_GAP = 0.16
"""Gap between the circle and a name, in units."""
_ABOVE = 0.45
"""Space above and below the circle."""
_BESIDE = 0.4
"""Space left and right of the circle."""
_ASIDE = 2.5
"""How quickly a name moves from above its point to beside it, along the circle."""
_LINE = 1.2 * SMALL * PX
_HALO = 8.0
"""Width of the outline in the background colour around a bold name."""
_HEAD = 0.2
"""Length of an arrow's head, in units; short arrows have shorter ones."""
_ALONG = 0.18
"""Distance from the middle of an arrow to its name beside it, in units."""
_BEHIND = 0.2
"""Distance from the tail of an arrow to its name behind it, in units."""
_FOOT = 0.07


class Plane(Linked):
    """Points (N, 2) as dots; or (N, 3) as dots on stalks whose height is the third number.

    The unit circle is drawn too, with a radius of at most `most` units, such that `names` fit
    beside the points `at`.
    """

    def __init__(
        self,
        points: Value,
        names: Sequence[str] = (),
        at: Sequence[int] = (),
        *,
        most: float = _MOST,
    ) -> None:
        super().__init__(points)
        look, self._most = theme(), most
        self.middle, self.radius, self.tilt = np.zeros(3), 0.0, 0.0
        self._sides = np.abs(points.array[list(at), 0])
        widths = np.array([text_width(name, LABEL, "semibold") for name in names])
        self._aside = (1 + np.clip(_ASIDE * self._sides, 0, 1)) * widths / 2
        self.circle = Shape(stroke_color=mix(look.ground, look.muted, 0.6), stroke_width=2)
        self.stalks = Shape(stroke_color=mix(look.ground, look.muted, 0.8), stroke_width=2)
        self.dots = Shape(stroke_width=0, fill_color=look.residual, fill_opacity=1)
        self.add(self.circle, self.stalks, self.dots)

    @property
    def least(self) -> Size:
        return self._size(_LEAST)

    @property
    def most(self) -> Size:
        return self._size(self._most)

    def place(self, region: Region) -> None:
        """Centre it in a region, as large as fits."""
        radii = np.linspace(self._most, _LEAST / 2, 60)
        sizes = ((float(radius), self._size(float(radius))) for radius in radii)
        fits = (r for r, s in sizes if s.width <= region.width and s.height <= region.height)
        self.radius = next(fits, _LEAST / 2)
        self.stand(region.center)

    def stand(self, middle: Points) -> None:
        """Move its middle, without an animation."""
        self.middle = middle.copy()
        self.redraw()

    def tip_over(self, tilt: float = np.radians(70), *, run_time: float = 3.0) -> Drive:
        """Tilt the plane by an angle, so that it is seen from the side."""
        return self.drive("tilt", self.tilt, tilt, run_time=run_time)

    def show(self, state: Points) -> None:
        """Draw points (N, 2) or (N, 3)."""
        if not self.radius:
            return
        points = spatial(state)
        self.circle.set_points(self.project(DISC))
        self.stalks.set_points(straight(self.project(points * [1, 1, 0]), self.project(points)))
        self.dots.set_points(discs(self.project(points), _DOT))
        self.redraw_followers()

    # Projection

    def project(self, points: ArrayLike) -> Points:
        """Points (N, 3) as seen in the picture; height 0.5 stays in place in a tilt."""
        x, y, z = np.asarray(points, dtype=float).T
        up = y * np.cos(self.tilt) + (z - 0.5) * self.slant
        return np.asarray(self.middle + self.radius * np.column_stack([x, up, 0 * x]))

    def unproject(self, seen: Points, height: float = 0.0) -> tuple[float, float]:
        """The two coordinates on the plane of a position in the picture, at a given height."""
        x, up, _ = (seen - self.middle) / self.radius
        return float(x), float((up - (height - 0.5) * self.slant) / np.cos(self.tilt))

    @property
    def slant(self) -> float:
        """Visible fraction of a height: the sine of the tilt."""
        return float(np.sin(self.tilt))

    @property
    def spots(self) -> Points:
        """Positions of the points in the picture; (N, 3)."""
        return self.project(spatial(self.state))

    def readings(self) -> Iterator[Reading]:
        """The coordinates of every dot, and its height above the foot of its stalk, if visible."""
        if not self.radius or not is_visible(self.dots):
            return
        feet, dots = self.stalks.points[::4], middles(self.dots)
        for k, (foot, dot) in enumerate(zip(feet, dots, strict=True)):
            height = 0.0
            if self.slant > SEEN:
                height = float((dot - foot)[1] / (self.radius * self.slant))
                if self.state.shape[1] == 3:
                    yield Reading(self.shown[k, 2], height, SEEN / self.slant)
            for axis, says in enumerate(self.unproject(dot, height)):
                yield Reading(self.shown[k, axis], says)

    def _size(self, radius: float) -> Size:
        """The size with a circle of this radius, with its names."""
        names = (radius + _GAP) * self._sides + self._aside
        width = float(names.max(initial=radius + _BESIDE))
        return Size(2 * width, 2 * (radius + _ABOVE))


class Names(Linked):
    """Names (K,) beside the points `at` of a plane, whose dots are larger then.

    Bold names can be read over other parts of the picture.
    """

    def __init__(
        self, names: Value, plane: Plane, at: Sequence[int], *, bold: bool = False
    ) -> None:
        super().__init__(names)
        look = theme()
        self.plane, self.at, self._is_flying = plane, list(at), False
        self._dot = _BOLD if bold else _NAMED
        self.dots = Shape(stroke_width=0, fill_color=look.token, fill_opacity=1)
        size, color = (LABEL, look.token) if bold else (SMALL, look.muted)
        weight: Weight = "semibold" if bold else "regular"
        self.labels = [
            Label(name, size=size, color=color, weight=weight, align="center")
            for name in names.content
        ]
        if bold:
            for label in self.labels:
                label.set_stroke(look.ground, _HALO, background=True)
        self.add(*self.labels, self.dots)
        plane.follow(self)
        self.redraw()

    @property
    def state(self) -> Points:
        """Empty, because names have no numbers."""
        return np.zeros(0)

    def show(self, state: Points) -> None:
        """Draw the names at the current positions of the points."""
        self.dots.set_points(discs(self.plane.spots[self.at], self._dot))
        for label, place in zip(self.labels, self.places, strict=True):
            label.center_on(place)

    @property
    def places(self) -> Points:
        """The middles of the names: beside their points, outside the circle; (K, 3)."""
        ways = self.plane.state[self.at, :2]
        halves = np.array([[label.width, X_HEIGHT * label.em] for label in self.labels]) / 2
        aside = np.clip(_ASIDE * ways, -1, 1) * halves + _GAP * ways
        return self.plane.spots[self.at] + np.pad(aside, ((0, 0), (0, 1)))

    def fly_from(self, points: ArrayLike, *, run_time: float = 2.0) -> Drive:
        """Move each name from a point, such as its tile; names without room then disappear."""
        starts, ends = np.asarray(points, dtype=float), self.places
        stay = self._legible()

        def show(share: Points) -> None:
            self._is_flying = float(share) < 1
            ways = in_turn(float(share), len(ends), 0.6)[:, None]
            for k, place in enumerate(starts + (ends - starts) * ways):
                self.labels[k].center_on(place).set_fill(
                    opacity=float(self._is_flying or k in stay)
                )
            self.dots.set_fill(opacity=max(0.0, 2 * float(share) - 1))

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def readings(self) -> Iterator[Reading]:
        """The name at every point."""
        if self._is_flying or not self.plane.radius:
            return
        places = self.places
        for label in self.labels:
            if is_visible(label):
                k = nearest(places, label.middle)
                yield Reading(self.shown[k], label.text)

    def _legible(self) -> list[int]:
        """Indices of the names that do not overlap an earlier one."""
        kept: list[int] = []
        for k, place in enumerate(self.places):
            room = [(self.labels[k].width + self.labels[j].width) / 2 + 0.04 for j in kept]
            away = [np.abs(place - self.places[j]) for j in kept]
            if all(x > r or y > _LINE for (x, y, _), r in zip(away, room, strict=True)):
                kept.append(k)
        return kept


def spatial(points: Points) -> Points:
    """Points (N, 2) at height 0, or (N, 3) as they are."""
    return np.pad(points, ((0, 0), (0, 3 - points.shape[1])))


class Arrow(Linked):
    """A vector, (2,) or (3,), as an arrow from the middle of a plane, with a name."""

    def __init__(self, value: Value, plane: Plane, role: Role, name: str = "") -> None:
        super().__init__(value)
        self.plane, color = plane, getattr(theme(), role)
        self.shaft = Shape(stroke_color=color, stroke_width=6)
        self.head = Shape(stroke_width=0, fill_color=color, fill_opacity=1)
        self.label = Label(name, size=LABEL, color=role, align="center")
        self.add(self.shaft, self.head, self.label)
        plane.follow(self)
        self.redraw()

    def show(self, state: Points) -> None:
        """Draw another vector."""
        start, tip = self.plane.project([np.zeros(3), *spatial(state[None])])
        length = float(np.linalg.norm(tip - start))
        way = (tip - start) / max(length, SEEN)
        side, size = np.array([-way[1], way[0], 0.0]), min(_HEAD, length / 2)
        self.shaft.set_points(straight(start[None], (tip - 0.6 * size * way)[None]))
        self.head.set_points(arrow_head(tip, way, size))
        # Seen from the side, the name is behind the tail, where no dots can be.
        half = self.label.width / 2
        beside = start + 0.5 * length * way - (_ALONG + abs(side[0]) * half) * side
        behind = start - (_BEHIND + abs(way[0]) * half) * way
        self.label.center_on(beside + (behind - beside) * self.plane.slant)
        self.redraw_followers()

    def readings(self) -> Iterator[Reading]:
        """The tip as drawn. In a tilted plane, its depth is assumed: the picture is flat."""
        if not is_visible(self.shaft):
            return
        plane, slant = self.plane, self.plane.slant
        foot, head = self.shaft.points[0], self.head.points
        farthest = head[np.linalg.norm(head - foot, axis=1).argmax()]
        start, tip = (plane.unproject(point) for point in (foot, farthest))
        right, up = tip[0] - start[0], tip[1] - start[1]
        yield Reading(self.shown[0], right)
        if slant < SEEN:
            yield Reading(self.shown[1], up)
        elif len(self.state) == 3:
            height = (up - float(self.shown[1].content)) * np.cos(plane.tilt) / slant
            yield Reading(self.shown[2], float(height), SEEN / slant)


class Shadows(Linked):
    """The projections of the points `at` onto an arrow, as lengths along it."""

    def __init__(self, value: Value, arrow: Arrow, at: Sequence[int]) -> None:
        super().__init__(value)
        self.arrow, self.at, self._reach = arrow, list(at), 1.0
        color = arrow.shaft.get_stroke_color()
        self.rays = Shape(stroke_color=color, stroke_width=2.5)
        self.lengths = Shape(stroke_color=color, stroke_width=11, stroke_opacity=0.45)
        self.feet = Shape(stroke_width=0, fill_color=color, fill_opacity=1)
        self.add(self.rays, self.lengths, self.feet)
        arrow.follow(self)
        self.redraw()

    def show(self, state: Points) -> None:
        """Draw projections of these signed lengths, as far as `fall` has got."""
        plane, way = self.arrow.plane, spatial(self.arrow.state[None])
        starts, middle = plane.spots[self.at], plane.project(np.zeros((len(state), 3)))
        feet = plane.project(state[:, None] * way / max(float(np.linalg.norm(way)), SEEN))
        ends = starts + (feet - starts) * self._reach
        self.rays.set_points(straight(starts, ends))
        self.lengths.set_points(straight(middle, middle + (feet - middle) * self._reach))
        self.feet.set_points(discs(ends, _FOOT))

    def fall(self, *, run_time: float = 1.0) -> Drive:
        """Draw the projection lines from the points to the arrow."""
        return self.drive("_reach", 0.0, 1.0, run_time=run_time)

    def readings(self) -> Iterator[Reading]:
        """The length along the arrow at which each projection ends; negative if behind it."""
        if self._reach < 1 or not is_visible(self.feet):
            return
        start, tip = self.arrow.shaft.points[0], self.arrow.head.points[0]
        length = float(np.linalg.norm(tip - start))
        way = (tip - start) / length
        scale = float(np.linalg.norm(self.arrow.state)) / length
        for k, foot in enumerate(middles(self.feet)):
            along = float((foot - start) @ way)
            is_on = np.linalg.norm(foot - start - along * way) < SEEN
            yield Reading(self.shown[k], along * scale if is_on else "a foot beside the arrow")
