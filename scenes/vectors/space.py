"""Ratings as points: a grid of two films, seen from above or from the side, and arrows in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from manim import AnimationGroup, VGroup, VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.paths import arrow_head, straight
from clockhead.scenes.stage import Linked, Reading, Size, Value
from clockhead.scenes.stage.shown import Passing, is_visible
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, recolor
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import Role, mix, theme
from clockhead.scenes.style.type import LABEL

Points = NDArray[np.float64]

_YAW = np.radians(28.0)
"""Angle by which the grid is rotated when it is seen from the side."""
_PITCH = np.radians(62.0)
"""Angle by which the grid is tilted when it is seen from the side."""
_ABOVE = 0.45
"""Margin above the grid for names, in units."""
_SIDE = 0.5
"""Margin left and right of the grid."""
_BELOW = 0.42
"""Margin below the grid."""
_HEAD = 0.22
"""Length of an arrow head, in units."""
_GAP = 0.17
"""Distance from a tip to its name, in units."""
_HALO = 8.0
"""Width of the outline around a name."""
_TINY, _FLAT = 1e-9, 1e-6
_DIRECTIONS = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]], dtype=float)
_HEADROOM = (0.15, 0.18, 0.0)
"""Distance of names from other arrow heads and from curves, in units."""
_LINEROOM = (0.04, 0.12, 0.0)
"""Distance of names from the shafts of arrows, in units."""
_ALONG = np.linspace(0.25, 1, 12)[:, None, None]
"""Sample points along an arrow that names avoid, as fractions of its length."""
_DIM, _LINE = 0.25, 0.3
_WIDE = 1.8
"""Factor on the width of the first arrow, which is below the others and must be visible."""


class Space(Linked):
    """A grid of whole numbers that contains the points (M, 3); the third axis is for heights."""

    least, most = Size(3.2, 2.3), Size(np.inf, np.inf)

    def __init__(self, room: Value, names: Value | None = None) -> None:
        super().__init__(room)
        look = theme()
        self.region: Region | None = None
        self.tilt, self.unit, self.middle = 0.0, 1.0, np.zeros(3)
        self.numbers: list[Label] = []  # numbers of measured paths; later ones avoid earlier ones
        self._names = names
        words = () if names is None else names.content
        grid = mix(look.ground, look.muted, 0.42)
        self.grid = VMobject(stroke_color=grid, stroke_width=1.5)
        self.axes = VMobject(stroke_color=look.muted, stroke_width=3.0)
        self.upright = VMobject(stroke_color=look.muted, stroke_width=3.0, stroke_opacity=0.0)
        self.labels = [Label(word, size=LABEL, color="muted", align="center") for word in words]
        for label in self.labels:
            label.set_stroke(look.ground, _HALO, background=True)
        self.add(self.grid, self.axes, self.upright, *self.labels)

    def place(self, region: Region) -> None:
        """Centre it in a region, as large as fits."""
        self.region = Region(
            region.left + _SIDE, region.bottom + _BELOW, region.right - _SIDE, region.top - _ABOVE
        )
        self.redraw()

    def tip_over(self, tilt: float, *, run_time: float = 2.0) -> Drive:
        """Tilt it to be seen from the side, at a tilt of 1, or from above, at 0."""
        return self.drive("tilt", self.tilt, tilt, run_time=run_time)

    # Projection

    def project(self, points: Points) -> Points:
        """Positions in the picture of points (n, 3); (n, 3)."""
        return np.asarray(self.middle + self.unit * (points @ self._steps))

    @property
    def _steps(self) -> Points:
        """The step in the picture for a step along each axis; (3, 3), a row for each axis."""
        yaw, pitch = self.tilt * _YAW, self.tilt * _PITCH
        across = [np.cos(yaw), -np.sin(yaw) * np.cos(pitch), 0.0]
        ahead = [np.sin(yaw), np.cos(yaw) * np.cos(pitch), 0.0]
        return np.array([across, ahead, [0.0, np.sin(pitch), 0.0]])

    def show(self, state: Points) -> None:
        """Draw a grid with these corners, as large as fits, and everything on it."""
        if self.region is None:
            return
        seen = state @ self._steps
        low, high = seen.min(axis=0), seen.max(axis=0)
        extent = np.maximum(high - low, _TINY)
        self.unit = float(min(self.region.width / extent[0], self.region.height / extent[1]))
        self.middle = self.region.center - self.unit * (low + high) / 2
        self._draw(state.min(axis=0), state.max(axis=0))
        self.redraw_followers()

    def _draw(self, low: Points, high: Points) -> None:
        ends = np.array(
            [
                [[x, low[1], 0], [x, high[1], 0]]
                if axis == 0
                else [[low[0], x, 0], [high[0], x, 0]]
                for axis, x in self._lines()
            ]
        )  # (n, 2, 3)
        self.grid.set_points(straight(self.project(ends[:, 0]), self.project(ends[:, 1])))
        starts, tips = np.diag([low[0], low[1], 0.0]), np.diag(high)
        drawn = self.project(starts), self.project(tips)
        self.axes.set_points(straight(drawn[0][:2], drawn[1][:2]))
        self.upright.set_points(straight(drawn[0][2:], drawn[1][2:]))
        self.upright.set_stroke(opacity=self.tilt)
        corner = self.project(np.array([[high[0], low[1], 0.0]]))
        side = self.project(np.array([[self.tilt * low[0], high[1], 0.0]]))
        self._place_names(np.vstack([corner, side, drawn[1][2:]]))

    def _lines(self) -> list[tuple[int, float]]:
        """The axis that each grid line crosses, and the whole number at which it does."""
        low, high = self.state.min(axis=0), self.state.max(axis=0)
        return [
            (axis, float(x))
            for axis in (0, 1)
            for x in np.arange(np.ceil(low[axis] - _FLAT), high[axis] + _FLAT)
        ]

    def _place_names(self, tips: Points) -> None:
        """Place names at the right end of the grid, at its far end, and at the top."""
        if not self.labels:
            return
        under, over, beside = self.labels
        under.center_on(tips[0] + np.array([-under.width / 2, -0.24, 0.0]))
        over.center_on(tips[1] + np.array([-0.3 * self.tilt * over.width, 0.22, 0.0]))
        beside.center_on(tips[2] + np.array([beside.width / 2 + 0.12, 0.0, 0.0]))
        see_word(beside, max(0.0, 4 * self.tilt - 3))

    # Readings

    def measured(self, point: Points, height: float = 0.0) -> tuple[float, float]:
        """The two coordinates of a position at a given height, by the axes as drawn."""
        origin, ways = self.axes_drawn()
        flat = np.linalg.solve(ways[:2, :2].T, (point - origin - height * ways[2])[:2])
        return float(flat[0]), float(flat[1])

    def axes_drawn(self) -> tuple[Points, Points]:
        """The origin of the axes, and the step along each, as drawn."""
        low, high = self.state.min(axis=0), self.state.max(axis=0)
        starts, ends = self.axes.points[[0, 4]], self.axes.points[[3, 7]]
        ways = (ends - starts) / (high - low)[:2, None]
        up = (self.upright.points[3] - self.upright.points[0]) / high[2]
        return starts[0] - low[0] * ways[0], np.vstack([ways, up])

    def readings(self) -> Iterator[Reading]:
        """The film at the end of each axis, and the whole number at each grid line."""
        if not is_visible(self.axes):
            return
        left, right, below, over = self.axes.points[[0, 3, 4, 7]]
        zero, _ = self.axes_drawn()
        ends = [right + below - zero, over + self.tilt * (left - zero), self.upright.points[3]]
        for label in filter(is_visible, self.labels):
            assert self._names is not None
            sides = label.get_left(), label.middle, label.get_right()
            away = [min(float(np.linalg.norm(end - side)) for side in sides) for end in ends]
            own = self.labels.index(label)
            axis = own if away[own] < min(away) + 2 * _LINE else int(np.argmin(away))
            yield Reading(self._names[axis], label.text)
        lines = zip(self._lines(), self.grid.points[::4], strict=True)
        for (axis, number), start in lines:
            yield Reading(_grid_number(number), self.measured(start)[axis], _FLAT)


class Arrows(Linked):
    """Arrows (N, 3) from the origin of a space, each with a name; the first one is the query."""

    def __init__(
        self, tips: Value, names: Value, space: Space, *, roles: Sequence[Role] = ("query", "key")
    ) -> None:
        super().__init__(tips)
        self.space, self._names = space, names
        n = len(names)
        self.shares, self.bright = np.ones(n), np.ones(n)
        wide = np.where(np.arange(n) < len(roles) - 1, _WIDE, 1.0)
        self.arrows = [_NamedArrow(str(names.content[k]), roles[min(k, len(roles) - 1)], wide[k])
                       for k in range(n)]  # fmt: skip
        self._sides = _free_sides(tips.array)
        self.curve = np.zeros((0, 3))
        """Points of a curve that names avoid; (P, 3)."""
        self.add(*self.arrows)
        space.follow(self)

    def show(self, state: Points) -> None:
        """Draw arrows with these tips, up to the current fraction of their lengths."""
        drawn = state * self.shares[:, None]
        origin = self.space.project(np.zeros((1, 3)))[0]
        tips, feet = self.space.project(drawn), self.space.project(drawn * [1, 1, 0])
        for arrow, tip, foot in zip(self.arrows, tips, feet, strict=True):
            arrow.point(origin, tip, foot)
        for arrow, share, bright in zip(self.arrows, self.shares, self.bright, strict=True):
            arrow.see(float(np.clip(8 * share, 0, 1)), float(bright))
        self._place_names(origin, tips)
        self.redraw_followers()

    def _place_names(self, origin: Points, tips: Points) -> None:
        """Place each name beside its tip, away from most other arrows, heads and earlier names."""
        lines = (origin + (tips - origin) * _ALONG).reshape(-1, 3)
        curve = self.space.project(self.curve)
        stood = [label for label in self.space.labels if is_visible(label)]
        for k, (arrow, side) in enumerate(zip(self.arrows, self._sides, strict=True)):
            label, way = arrow.label, tips[k] - origin
            half = label.width / 2
            way = way / max(float(np.linalg.norm(way)), _TINY)
            out = 0.6 * way + side * np.array([-way[1], way[0], 0.0])
            out /= max(float(np.linalg.norm(out)), _TINY)
            place = tips[k] + (_GAP + np.array([half, 0.08, 0.0])) * out
            heads = np.delete(tips, k, axis=0)
            middles = np.array([*(word.middle for word in stood), *heads, *lines, *curve])
            room = [(word.width / 2 + 0.1, _LINE, 0.0) for word in stood]
            room += [_HEADROOM] * len(heads) + [_LINEROOM] * len(lines) + [_HEADROOM] * len(curve)
            label.center_on(
                self._free_position(place, half, middles, np.add(room, (half, 0.0, 0.0)))
            )
            stood.append(label)

    def _free_position(self, place: Points, half: float, middles: Points, room: Points) -> Points:
        """The position nearest to `place` at which a name keeps its distance from these middles."""
        area = self.space.region
        assert area is not None
        low = np.array([area.left - _SIDE + half, area.bottom - _BELOW + 0.1, 0.0])
        high = np.array([area.right + _SIDE - half, area.top + _ABOVE - 0.1, 0.0])
        ways = _DIRECTIONS[:, None]  # (4, 1, 3)
        beside = place + (middles + ways * room - place) * np.abs(ways)  # (4, M, 3)
        spots = np.clip(np.vstack([place[None], beside.reshape(-1, 3)]), low, high)  # (S, 3)
        return first_free(spots[np.linalg.norm(spots - place, axis=1).argsort()], middles, room)

    def grow_to(self, share: float, *which: int, run_time: float = 1.0) -> Drive:
        """Grow or shrink some arrows to a fraction of their lengths."""
        end = self.shares.copy()
        end[list(which)] = share
        return self.drive("shares", self.shares, end, run_time=run_time)

    def light(self, *which: int, run_time: float = 0.6) -> Drive:
        """Dim all arrows but these; without arguments, dim none."""
        n = len(self.bright)
        end = [1.0 if not which or k in which else _DIM for k in range(n)]
        return self.drive("bright", self.bright, end, run_time=run_time)

    def color_as(self, asker: int, *, run_time: float = 0.6) -> AnimationGroup:
        """Colour one arrow as a query, and all others as keys."""
        look, shapes, inks = theme(), list[Drive](), list[Drive]()
        for k, arrow in enumerate(self.arrows):
            role: Role = "query" if k == asker else "key"
            shape = VGroup(arrow.shaft, arrow.head)
            shapes.append(recolor(shape, getattr(look, role), run_time=run_time))
            inks.append(recolor(arrow.label, look.text_color(role), run_time=run_time))
        return AnimationGroup(*shapes, *inks)

    def readings(self) -> Iterator[Reading]:
        """The tip of each arrow (above its foot, if heights are visible), and its name."""
        space, rises = self.space, self.space.tilt > _FLAT
        for k, arrow in enumerate(self.arrows):
            if self.shares[k] < 1 or not is_visible(arrow.shaft):
                continue
            tip, foot = arrow.head.points[0], arrow.stalk.points[0]
            for axis, says in enumerate(space.measured(foot if rises else tip)):
                yield Reading(self.shown[k, axis], says)
            if rises:
                up = space.axes_drawn()[1][2]
                height = float((tip - foot)[1] / up[1])
                yield Reading(self.shown[k, 2], height, _FLAT / space.tilt)
            if is_visible(arrow.label):
                yield Reading(self._names[self._arrow_of(arrow.label, k)], arrow.label.text)

    def _arrow_of(self, label: Label, k: int) -> int:
        """The arrow at which a name is placed: arrow k, unless another tip is clearly nearer."""
        left, right, middle = label.get_left()[0], label.get_right()[0], label.middle
        tips = np.array([arrow.head.points[0] for arrow in self.arrows])  # (N, 3)
        aside = np.maximum(np.maximum(left - tips[:, 0], tips[:, 0] - right), 0.0)
        away = np.hypot(aside, tips[:, 1] - middle[1])
        return k if away[k] < away.min() + 2 * _LINE else int(away.argmin())


class _NamedArrow(VGroup):
    """An arrow with its stalk and its name."""

    def __init__(self, name: str, role: Role, wide: float) -> None:
        super().__init__()
        look = theme()
        color = getattr(look, role)
        stalk = mix(look.ground, look.muted, 0.8)
        self.stalk = VMobject(stroke_color=stalk, stroke_width=2.5)
        self.shaft = VMobject(stroke_color=color, stroke_width=5.5 * wide)
        self.head = VMobject(stroke_width=0, fill_color=color, fill_opacity=1)
        self.label = Label(name, size=LABEL, weight="semibold", color=role, align="center")
        self.label.set_stroke(look.ground, _HALO, background=True)
        self.add(self.stalk, self.shaft, self.head, self.label)

    def point(self, start: Points, tip: Points, foot: Points) -> None:
        """Draw it between two points, with a stalk from a foot to its tip."""
        length = float(np.linalg.norm(tip - start))
        way = (tip - start) / max(length, _TINY)
        size = min(_HEAD, length / 2)
        self.shaft.set_points(straight(start[None], (tip - 0.6 * size * way)[None]))
        self.head.set_points(arrow_head(tip, way, size))
        self.stalk.set_points(straight(foot[None], tip[None]))

    def see(self, seen: float, bright: float) -> None:
        """Set opacity and brightness (0 to 1)."""
        self.shaft.set_stroke(opacity=seen * bright)
        self.head.set_fill(opacity=seen * bright)
        self.stalk.set_stroke(opacity=seen * bright)
        see_word(self.label, seen)


def first_free(spots: Points, middles: Points, room: Points) -> Points:
    """The first of spots (S, 3) with enough room to middles (M, 3), or the one that lacks least."""
    gaps = np.abs(spots[:, None, :2] - middles[:, :2]) - room[:, :2]  # (S, M, 2)
    lack = gaps.max(axis=2).min(axis=1, initial=0.0)  # (S,)
    return np.asarray(spots[np.where(lack > -_FLAT, 0.0, lack).argmax()])


def see_word(word: VMobject, opacity: float) -> None:
    """Set the opacity of a word and of its outline."""
    word.set_fill(opacity=opacity)
    word.set_stroke(opacity=opacity, background=True)


def _grid_number(number: float) -> Passing:
    """A number on the grid, in the form that readings are compared with; no stage holds it."""
    value, content = Value("grid", number), np.asarray(number)
    return Passing(value, value, content, content, content)


def _free_sides(tips: Points) -> Points:
    """The side of each arrow with fewer other arrows: 1 is counter-clockwise, -1 clockwise."""
    x, y = tips[:, 0], tips[:, 1]
    crosses = x[:, None] * y[None] - y[:, None] * x[None]  # (N, N)
    return np.where(crosses.sum(axis=1) < 0, 1.0, -1.0)
