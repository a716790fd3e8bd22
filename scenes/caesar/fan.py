"""Arrows from one point: a thin one for each rotation, and the ciphertext's, which points up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from manim import DL, UR, VGroup, VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.paths import closed, rectangles, straight
from clockhead.scenes.stage import Linked, Reading, Size, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import faint, theme

Points = NDArray[np.float64]

HEAD = 0.5
"""Height of the words above the arrows, in units."""
RIM = 0.5
"""Room for names around the tips, in units."""
_NAMES = 30.0
"""Size of names, in pixels at 720p."""
_FOOT = 0.1
"""Room below the arrows' common foot, in units."""
_HEAD, _NARROW = 0.26, 0.15
"""Lengths of the heads of bright and of thin arrows, in units."""
_AWAY, _BETWEEN = 0.26, 0.1
"""Distance from a tip to the centre of its name, and least gap between two names, in units."""
_CLOSE = 0.4
"""Names of arrows that point less far aside than this (sine of the angle to the ciphertext's arrow)
are moved away from the ciphertext's arrow."""
_TALL = 0.85
"""Largest height of the fan, relative to its width."""
_PLATE = 0.05
"""Margin of the plate behind a name, which hides the arrows there, in units."""
_PAST = 0.55
"""How far level axes extend beyond the longest bars, in units."""
_HEAD_POINTS = 12
"""Number of points of an arrow's head."""
_DIM = 0.6
"""Opacity that thin arrows lose when they are dimmed."""
_TINY, _SAME = 1e-9, 1e-6
"""A length that avoids division by zero, and the tolerance for equal lengths."""
_BEFORE, _BEYOND = np.array([0.75, 0.7]), np.array([1.5, 1.3])
"""Room before the corner of level axes, and total room beside the longest bars, in units."""


class Lit(Linked):
    """A picture with a piece for some of the arrows; `shares[k]` is how visible it is, 0 to 1."""

    def __init__(self, value: Value, at: Iterable[int] = ()) -> None:
        super().__init__(value)
        self.shares = dict.fromkeys(map(int, at), 0.0)

    def light(self, *arrows: int, run_time: float = 1.0) -> Drive:
        """Fade in the pieces of these arrows, and fade out all others."""
        start = dict(self.shares)

        def show(share: Points) -> None:
            if float(share) == 0:
                start.update(self.shares)
            for k, was in start.items():
                self.shares[k] = was + (float(k in arrows) - was) * float(share)
            self.redraw()

        return Drive(self, show, 0.0, 1.0, run_time=run_time)


class Fan(Lit):
    """Arrows to tips (n + 1, 2): components along the ciphertext's arrow and to its left.

    The ciphertext's arrow is the last one and points up. All arrows start in the middle of the
    lower edge and are as long as fits. If `whole` is False, a ciphertext's arrow that is too long
    has no head and only shows a direction.

    With `slope`, the angle of the ciphertext's arrow to the first of two letters' axes in radians,
    the fan starts with level axes, in their corner, until `turn_up` turns it upright.
    """

    least, most = Size(3.0, 2.4), Size(np.inf, np.inf)

    def __init__(self, tips: Value, *, whole: bool = True, slope: float | None = None) -> None:
        super().__init__(tips)
        self._slope = np.pi / 2 if slope is None else slope
        self.upright = float(slope is None)
        """How far the fan has been turned upright, 0 to 1."""
        self.growth = np.full(len(self.state), float(slope is None))
        """How far each arrow has grown, 0 to 1; (n + 1,)."""
        self.dimmed = 0.0
        self._level, self.edges = (np.zeros(3), 1.0), np.zeros(2)
        look = theme()
        self.region: Region | None = None
        self.room = Region(0.0, 0.0, 0.0, 0.0)
        """The whole region, with the room for names."""
        self._foot, self._whole = np.zeros(3), whole
        self.names: dict[int, Label] = {}
        self._values: dict[int, Value] = {}
        self._called: dict[int, Value] = {}
        self._away: dict[int, Points] = {}
        self._arrows: dict[int, _Arrow] = {}
        thin = faint(look.position)
        self.shafts = VMobject(stroke_color=thin, stroke_width=3)
        self.heads = VMobject(stroke_width=0, fill_color=thin, fill_opacity=1)
        self.own = _Arrow(look.residual)
        self.picked, self.words = VGroup(), VGroup()
        self.plates = VMobject(stroke_width=0, fill_color=look.ground, fill_opacity=1)
        self.add(self.shafts, self.heads, self.own, self.picked, self.plates, self.words)

    def place(self, region: Region) -> None:
        """Fill a region, or the middle of a tall one."""
        self.room, inner = region, replace(region.inset(RIM), bottom=region.bottom + _FOOT)
        self.region = inner.inset(0.0, max(0.0, (inner.height - _TALL * inner.width) / 2))
        self._foot = np.array([inner.center[0], self.region.bottom, 0.0])
        self._place_level(region)
        self.redraw()

    def _place_level(self, region: Region) -> None:
        """Compute the corner of the level axes, and the unit of length beside them."""
        most = np.maximum(self.level(self.state)[: self._n_fitted].max(axis=0), _TINY)  # (2,)
        room = np.array([region.width - _BEYOND[0], region.height - _BEYOND[1]])
        unit = float((room / most).min())
        self.edges = unit * most
        spare = (np.array([region.width, region.height]) - self.edges - _BEYOND) / 2
        corner = np.array([region.left, region.bottom]) + spare + _BEFORE
        self._level = np.array([*corner, 0.0]), unit

    def level(self, points: Points) -> Points:
        """Convert components along the ciphertext and to its left, (n, 2), to the two axes."""
        way = np.array([np.cos(self._slope), np.sin(self._slope)])
        return np.asarray(points @ np.array([way, [-way[1], way[0]]]))

    @property
    def _n_fitted(self) -> int | None:
        """End of the slice of arrows that must fit: all, or all except the ciphertext's."""
        return None if self._whole else -1

    @property
    def unit(self) -> float:
        """Length on the screen of an arrow of length 1, in units."""
        assert self.region is not None
        fitted = self.state[: self._n_fitted]
        up, aside = np.linalg.norm(fitted, axis=1).max(), np.abs(fitted[:, 1]).max()
        room = self.region.height / max(up, _TINY), self.region.width / 2 / max(aside, _TINY)
        return self._interpolate(self._level[1], float(min(room)))

    @property
    def origin(self) -> Points:
        """The common foot of all arrows."""
        start = self._level[0]
        return np.asarray(start + (self._foot - start) * self.upright)

    @property
    def tilt(self) -> float:
        """Angle of the ciphertext's arrow from straight up, in radians."""
        return (1 - self.upright) * (self._slope - np.pi / 2)

    def _interpolate(self, level: float, upright: float) -> float:
        return level + (upright - level) * self.upright

    def to_screen(self, points: Points) -> Points:
        """Screen positions (n, 3) of points (n, 2)."""
        up, left = self.unit * points.T
        cos, sin = np.cos(self.tilt), np.sin(self.tilt)
        across, high = -left * cos - up * sin, up * cos - left * sin
        return np.asarray(self.origin + np.stack([across, high, 0 * up], axis=1))

    def coordinates_of(self, point: Points) -> tuple[float, float]:
        """The components of a screen position along the ciphertext's arrow and to its left."""
        right, up, _ = (point - self.shafts.points[0]) / self.unit
        cos, sin = np.cos(self.tilt), np.sin(self.tilt)
        return float(up * cos - right * sin), float(-right * cos - up * sin)

    @property
    def _longest(self) -> float:
        """Largest length of the ciphertext's arrow on the screen, in units."""
        assert self.region is not None
        way = np.maximum([np.cos(self._slope), np.sin(self._slope)], _TINY)
        return self._interpolate(float((self.edges / way).min()), self.region.height)

    @property
    def _is_cut(self) -> bool:
        """Whether the ciphertext's arrow is too long for its room."""
        return bool(self.unit * self.state[-1, 0] > self._longest + _SAME)

    def show(self, state: Points) -> None:
        """Draw the arrows with these tips."""
        if self.region is None:
            return
        tips, origin = self.to_screen(state), self.origin
        own = min(1.0, self._longest / max(self.unit * state[-1, 0], _TINY))
        there = origin + (tips - origin) * (self.growth * [*np.ones(len(state) - 1), own])[:, None]
        shafts, heads = _arrows(origin, there[:-1], _NARROW)
        self.shafts.set_points(shafts).set_stroke(opacity=1 - _DIM * self.dimmed)
        self.heads.set_points(heads).set_fill(opacity=1 - _DIM * self.dimmed)
        self.own.point(origin, there[-1])
        self.own.head.set_fill(opacity=float(not self._is_cut))
        for k, arrow in self._arrows.items():
            arrow.point(origin, tips[k])
            arrow.shaft.set_stroke(opacity=self.shares[k])
            arrow.head.set_fill(opacity=self.shares[k])
        self._place_names(tips)
        self.redraw_followers()

    def _place_names(self, tips: Points) -> None:
        """Place each name beyond its tip, clear of the ciphertext's arrow and of earlier names.

        Names avoid the ciphertext's arrow to its left, because shadows are on its right.
        """
        stand: list[int] = []
        for k, label in self.names.items():
            way = _direction(self.origin, tips[k])
            aside = max(0.0, 1 - abs(way[0]) / _CLOSE) * np.array([-2.5, 0.0, 0.0])
            way = _direction(np.zeros(3), way + aside)
            place = tips[k] + way * (_AWAY + abs(way[0]) * (label.width / 2 - 0.08))
            for other in stand:
                room = (label.width + self.names[other].width) / 2 + _BETWEEN
                gap = place - (tips[other] + self._away[other])
                far = float(np.linalg.norm(gap))
                pushed = max(0.0, room - far) * min(self.shares[k], self.shares[other])
                place += pushed * (gap / far if far > _TINY else np.array([0.0, 1.0, 0.0]))
            half = label.width / 2 + _PLATE
            place[0] = np.clip(place[0], self.room.left + half, self.room.right - half)
            self._away[k] = place - tips[k]
            label.move_to(place)
            label.set_fill(opacity=self.shares[k])
            stand.append(k)
        lit = [label for k, label in self.names.items() if self.shares[k] > 0]
        boxes = [np.concatenate([label.get_corner(DL), label.get_corner(UR)]) for label in lit]
        left, bottom, _, right, top, _ = np.reshape(boxes, (-1, 6)).T
        edges = (left - _PLATE, bottom - _PLATE, right + _PLATE, top + _PLATE)
        self.plates.set_points(rectangles(*edges))

    def grow_arrows(self, *arrows: int, **options: Any) -> Drive:
        """Grow arrows one after another; the ciphertext's is -1."""

        def show(share: Points) -> None:
            n = len(arrows)
            self.growth[list(arrows)] = np.clip(float(share) * n - np.arange(n), 0.0, 1.0)
            self.redraw()

        return Drive(self, show, 0.0, 1.0, **options)

    def dim_thin(self, share: float, **options: Any) -> Drive:
        """Dim all thin arrows by this fraction, 0 to 1."""
        return self.drive("dimmed", self.dimmed, share, **options)

    def turn_up(self, **options: Any) -> Drive:
        """Turn all arrows together until the ciphertext's points straight up."""
        return self.drive("upright", 0.0, 1.0, **options)

    def pick(self, rotation: Value, names: Value | None = None) -> None:
        """Make a bright copy of an arrow to be lit, named by its number or from `names`."""
        k = int(rotation.content)
        if k in self._arrows:
            return
        self._arrows[k], self.shares[k] = _Arrow(theme().position), 0.0
        self.names[k] = Label(
            str(k if names is None else names.content[k]),
            size=_NAMES,
            weight="semibold",
            color="position",
            align="center",
        )
        self._values[k] = rotation
        self._called[k] = rotation if names is None else names[k]
        self.picked.add(self._arrows[k])
        self.words.add(self.names[k])
        self.redraw()

    def readings(self) -> Iterator[Reading]:
        """Compare the tips, and which arrows are bright, and their names."""
        if self.region is None or not is_visible(self.shafts):
            return
        tips = np.vstack([self.heads.points[::_HEAD_POINTS], self.own.head.points[:1]])
        for k, tip in enumerate(tips):
            if self.growth[k] < 1:
                continue
            along, across = self.coordinates_of(tip)
            yield Reading(self.shown[k, 1], across, 1e-6)
            if k < len(tips) - 1 or not self._is_cut:
                yield Reading(self.shown[k, 0], along, 1e-6)
        for k, label in self.names.items():
            if is_visible(label):
                for place in (label.get_center() - self._away[k], self._arrows[k].head.points[0]):
                    yield Reading(self._values[k], _nearest(tips, place, k))
                text = label.text
                yield Reading(self._called[k], float(text) if text.isdigit() else text)


class Axes(Linked):
    """The named axes of two letters; the ciphertext is `slope` radians from the first."""

    def __init__(self, names: tuple[Value, Value], slope: Value, fan: Fan) -> None:
        super().__init__(slope)
        self.fan, self._names = fan, names
        muted = theme().muted
        self.lines = VMobject(stroke_color=muted, stroke_width=2)
        self.labels = [
            Label(str(v.content), size=_NAMES, color=muted, align="center") for v in names
        ]
        self.add(self.lines, *self.labels)
        fan.follow(self)
        self.redraw()

    def show(self, state: Points) -> None:
        """Draw both axes, as long as fits while the fan turns."""
        region, start = self.fan.region, self.fan.origin
        if region is None:
            return
        angles = np.pi / 2 - float(state) + self.fan.tilt + np.array([0.0, np.pi / 2])
        ways = np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
        level, upright = self.fan.edges + _PAST, min(region.width / 2, region.height)
        ends = start + (level + (upright - level) * self.fan.upright)[:, None] * ways
        self.lines.set_points(straight(np.array([start, start]), ends))
        outwards = -ways[::-1]
        for label, place in zip(self.labels, ends - 0.1 * ways + 0.25 * outwards, strict=True):
            label.center_on(place)

    def readings(self) -> Iterator[Reading]:
        """Compare the ciphertext's angles to both axes, and the name at the end of each."""
        if self.fan.region is None or not is_visible(self.labels[0]):
            return
        ends = self.lines.points[[3, 7]]
        own, first, second = (
            np.arctan2(*(end - self.lines.points[0])[1::-1])
            for end in (self.fan.own.head.points[0], *ends)
        )
        if self.fan.growth[-1] >= 1:
            yield Reading(self.shown, float(own - first), 1e-6)
            yield Reading(self.shown, float(np.pi / 2 - (second - own)), 1e-6)
        for label in self.labels:
            axis = int(np.linalg.norm(ends - label.middle, axis=1).argmin())
            yield Reading(self._names[axis], label.text)


class _Arrow(VGroup):
    """A bright arrow."""

    def __init__(self, color: str) -> None:
        super().__init__()
        self.shaft = VMobject(stroke_color=color, stroke_width=7)
        self.head = VMobject(stroke_width=0, fill_color=color, fill_opacity=1)
        self.add(self.shaft, self.head)

    def point(self, start: Points, tip: Points) -> None:
        """Draw the arrow between two points."""
        shaft, head = _arrows(start, tip[None], _HEAD)
        self.shaft.set_points(shaft)
        self.head.set_points(head)


def _arrows(start: Points, tips: Points, size: float) -> tuple[Points, Points]:
    """Points of the shafts and heads of arrows to tips (n, 3); each head starts with its tip."""
    lengths = np.linalg.norm(tips - start, axis=1)[:, None]
    ways = (tips - start) / np.maximum(lengths, _TINY)
    sides = np.stack([-ways[:, 1], ways[:, 0], 0 * ways[:, 0]], axis=1)
    sizes = np.minimum(size, lengths / 2)
    necks = tips - sizes * ways
    corners = np.stack([tips, necks + 0.4 * sizes * sides, necks - 0.4 * sizes * sides], axis=1)
    starts = np.broadcast_to(start, tips.shape)
    return straight(starts, tips - 0.6 * sizes * ways), closed(corners).reshape(-1, 3)


def _nearest(tips: Points, place: Points, meant: int) -> int:
    """Index of the tip nearest to a place; `meant` if another one is equally near."""
    away = np.linalg.norm(tips - place, axis=1)
    return meant if away[meant] <= away.min() + _SAME else int(away.argmin())


def _direction(start: Points, end: Points) -> Points:
    return np.asarray((end - start) / max(float(np.linalg.norm(end - start)), _TINY))
