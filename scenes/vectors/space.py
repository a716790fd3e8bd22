"""Ratings as places: a grid of two films, seen from above or from the side, and arrows in it."""

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

_YAW, _PITCH = np.radians(28.0), np.radians(62.0)
"""How far the grid is turned and tipped when it is seen from the side."""
_ABOVE, _SIDE, _BELOW = 0.45, 0.5, 0.42
"""The room around the grid for names, in units."""
_HEAD, _GAP, _HALO = 0.22, 0.17, 8.0
"""The length of a head, and from a tip to its name, in units; the ground around a name."""
_TINY, _FLAT = 1e-9, 1e-6
_FOUR_WAYS = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]], dtype=float)
_HEADROOM, _LINEROOM = (0.15, 0.18, 0.0), (0.04, 0.12, 0.0)
_ALONG = np.linspace(0.25, 1, 12)[:, None, None]
"""What names keep from other heads and curves and from arrows, in units, and where along these."""
_DIM, _LINE = 0.25, 0.3
_WIDE = 1.8
"""How much wider the arrow of who asks is: it lies under the others and is to be seen."""


class Space(Linked):
    """A grid of whole numbers, as large as points (M, 3) need; the third axis is for heights."""

    least, most = Size(3.2, 2.3), Size(np.inf, np.inf)

    def __init__(self, room: Value, names: Value | None = None) -> None:
        super().__init__(room)
        look = theme()
        self.region: Region | None = None
        self.tilt, self.unit, self.middle = 0.0, 1.0, np.zeros(3)
        self.numbers: list[Label] = []  # beside ways; later ones keep off earlier ones
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
        """Stand in the middle of a region, as large as fits."""
        self.region = Region(
            region.left + _SIDE, region.bottom + _BELOW, region.right - _SIDE, region.top - _ABOVE
        )
        self.redraw()

    def tip_over(self, tilt: float, *, run_time: float = 2.0) -> Drive:
        """Be seen from the side, at a tilt of 1, or from above, at 0."""
        return self.drive("tilt", self.tilt, tilt, run_time=run_time)

    # Where points are seen

    def project(self, points: Points) -> Points:
        """Where points (n, 3) are seen; (n, 3)."""
        return np.asarray(self.middle + self.unit * (points @ self._ways))

    @property
    def _ways(self) -> Points:
        """Where one step along each axis leads on screen; (3, 3), a row for each axis."""
        yaw, pitch = self.tilt * _YAW, self.tilt * _PITCH
        across = [np.cos(yaw), -np.sin(yaw) * np.cos(pitch), 0.0]
        ahead = [np.sin(yaw), np.cos(yaw) * np.cos(pitch), 0.0]
        return np.array([across, ahead, [0.0, np.sin(pitch), 0.0]])

    def show(self, state: Points) -> None:
        """Draw a grid that has all corners, as large as fits, and all that lies on it."""
        if self.region is None:
            return
        seen = state @ self._ways
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
        self._stand_names(np.vstack([corner, side, drawn[1][2:]]))

    def _lines(self) -> list[tuple[int, float]]:
        """The axis that each line of the grid crosses, and at which whole number."""
        low, high = self.state.min(axis=0), self.state.max(axis=0)
        return [
            (axis, float(x))
            for axis in (0, 1)
            for x in np.arange(np.ceil(low[axis] - _FLAT), high[axis] + _FLAT)
        ]

    def _stand_names(self, tips: Points) -> None:
        """Put names under the right end of the grid, at its far end, and at the height's."""
        if not self.labels:
            return
        under, over, beside = self.labels
        under.center_on(tips[0] + np.array([-under.width / 2, -0.24, 0.0]))
        over.center_on(tips[1] + np.array([-0.3 * self.tilt * over.width, 0.22, 0.0]))
        beside.center_on(tips[2] + np.array([beside.width / 2 + 0.12, 0.0, 0.0]))
        see_word(beside, max(0.0, 4 * self.tilt - 3))

    # What it says

    def measured(self, point: Points, height: float = 0.0) -> tuple[float, float]:
        """The two numbers of a place at a height, by the axes as drawn."""
        origin, ways = self.axes_drawn()
        flat = np.linalg.solve(ways[:2, :2].T, (point - origin - height * ways[2])[:2])
        return float(flat[0]), float(flat[1])

    def axes_drawn(self) -> tuple[Points, Points]:
        """Where the axes meet, and one step along each, as drawn."""
        low, high = self.state.min(axis=0), self.state.max(axis=0)
        starts, ends = self.axes.points[[0, 4]], self.axes.points[[3, 7]]
        ways = (ends - starts) / (high - low)[:2, None]
        up = (self.upright.points[3] - self.upright.points[0]) / high[2]
        return starts[0] - low[0] * ways[0], np.vstack([ways, up])

    def readings(self) -> Iterator[Reading]:
        """The film at the end of each axis, and at which numbers the lines of the grid stand."""
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
            yield Reading(_known(number), self.measured(start)[axis], _FLAT)


class Arrows(Linked):
    """Arrows (N, 3) from the zero of a space, each with a name; the first is who asks."""

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
        """Points of a curve that names keep off; (P, 3)."""
        self.add(*self.arrows)
        space.follow(self)

    def show(self, state: Points) -> None:
        """Draw arrows to these tips, as far as they have grown."""
        drawn = state * self.shares[:, None]
        origin = self.space.project(np.zeros((1, 3)))[0]
        tips, feet = self.space.project(drawn), self.space.project(drawn * [1, 1, 0])
        for arrow, tip, foot in zip(self.arrows, tips, feet, strict=True):
            arrow.point(origin, tip, foot)
        for arrow, share, bright in zip(self.arrows, self.shares, self.bright, strict=True):
            arrow.see(float(np.clip(8 * share, 0, 1)), float(bright))
        self._stand_names(origin, tips)
        self.redraw_followers()

    def _stand_names(self, origin: Points, tips: Points) -> None:
        """Put each name beside its tip, away from most others, off heads and words before it."""
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
            label.center_on(self._free(place, half, middles, np.add(room, (half, 0.0, 0.0))))
            stood.append(label)

    def _free(self, place: Points, half: float, middles: Points, room: Points) -> Points:
        """The spot nearest to a place at which a name is as far from the middles as they need."""
        area = self.space.region
        assert area is not None
        low = np.array([area.left - _SIDE + half, area.bottom - _BELOW + 0.1, 0.0])
        high = np.array([area.right + _SIDE - half, area.top + _ABOVE - 0.1, 0.0])
        ways = _FOUR_WAYS[:, None]  # (4, 1, 3)
        beside = place + (middles + ways * room - place) * np.abs(ways)  # (4, M, 3)
        spots = np.clip(np.vstack([place[None], beside.reshape(-1, 3)]), low, high)  # (S, 3)
        return first_free(spots[np.linalg.norm(spots - place, axis=1).argsort()], middles, room)

    def grow_to(self, share: float, *which: int, run_time: float = 1.0) -> Drive:
        """Let some arrows grow as far as that, or shrink."""
        end = self.shares.copy()
        end[list(which)] = share
        return self.drive("shares", self.shares, end, run_time=run_time)

    def light(self, *which: int, run_time: float = 0.6) -> Drive:
        """Dim all but these; none named, none is dimmed."""
        n = len(self.bright)
        end = [1.0 if not which or k in which else _DIM for k in range(n)]
        return self.drive("bright", self.bright, end, run_time=run_time)

    def color_as(self, asker: int, *, run_time: float = 0.6) -> AnimationGroup:
        """Let one arrow be coloured as a query, all others as keys."""
        look, shapes, inks = theme(), list[Drive](), list[Drive]()
        for k, arrow in enumerate(self.arrows):
            role: Role = "query" if k == asker else "key"
            shape = VGroup(arrow.shaft, arrow.head)
            shapes.append(recolor(shape, getattr(look, role), run_time=run_time))
            inks.append(recolor(arrow.label, look.text_color(role), run_time=run_time))
        return AnimationGroup(*shapes, *inks)

    def readings(self) -> Iterator[Reading]:
        """Where each tip is: over its foot, if heights show; and the name beside it."""
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
                yield Reading(self._names[self._named_by(arrow.label, k)], arrow.label.text)

    def _named_by(self, label: Label, k: int) -> int:
        """Which arrow a name stands at: arrow k, if no other tip is clearly nearer."""
        left, right, middle = label.get_left()[0], label.get_right()[0], label.middle
        tips = np.array([arrow.head.points[0] for arrow in self.arrows])  # (N, 3)
        aside = np.maximum(np.maximum(left - tips[:, 0], tips[:, 0] - right), 0.0)
        away = np.hypot(aside, tips[:, 1] - middle[1])
        return k if away[k] < away.min() + 2 * _LINE else int(away.argmin())


class _NamedArrow(VGroup):
    """One arrow with its stalk and its name."""

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
        """Reach from a point to another, over a foot."""
        length = float(np.linalg.norm(tip - start))
        way = (tip - start) / max(length, _TINY)
        size = min(_HEAD, length / 2)
        self.shaft.set_points(straight(start[None], (tip - 0.6 * size * way)[None]))
        self.head.set_points(arrow_head(tip, way, size))
        self.stalk.set_points(straight(foot[None], tip[None]))

    def see(self, seen: float, bright: float) -> None:
        """Be seen so far, and so bright."""
        self.shaft.set_stroke(opacity=seen * bright)
        self.head.set_fill(opacity=seen * bright)
        self.stalk.set_stroke(opacity=seen * bright)
        see_word(self.label, seen)


def first_free(spots: Points, middles: Points, room: Points) -> Points:
    """The first of spots (S, 3) that lacks no room around middles (M, 3), or the freest of them."""
    gaps = np.abs(spots[:, None, :2] - middles[:, :2]) - room[:, :2]  # (S, M, 2)
    lack = gaps.max(axis=2).min(axis=1, initial=0.0)  # (S,)
    return np.asarray(spots[np.where(lack > -_FLAT, 0.0, lack).argmax()])


def see_word(word: VMobject, opacity: float) -> None:
    """Let a word be seen so far, and what it covers of the lines behind it."""
    word.set_fill(opacity=opacity)
    word.set_stroke(opacity=opacity, background=True)


def _known(number: float) -> Passing:
    """A number on the grid as something that a reading can be compared to; no stage holds it."""
    value, content = Value("grid", number), np.asarray(number)
    return Passing(value, value, content, content, content)


def _free_sides(tips: Points) -> Points:
    """On which side of each arrow fewer others are: 1 is counter-clockwise, -1 clockwise."""
    x, y = tips[:, 0], tips[:, 1]
    crosses = x[:, None] * y[None] - y[:, None] * x[None]  # (N, N)
    return np.where(crosses.sum(axis=1) < 0, 1.0, -1.0)
