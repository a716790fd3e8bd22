"""Arrows from one point, most of them faint, a few of them followed, and the shadows they cast."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Line, VGroup, VMobject
from numpy.typing import ArrayLike, NDArray

from scenes.parts.paths import straight
from scenes.style.layout import PX
from scenes.style.text import Align, Label, Number, Tick, text_width
from scenes.style.theme import faint, theme
from scenes.style.type import LABEL, MIN_SIZE, X_HEIGHT

HEAD = 0.2
"""Length of an arrow's head, in units; short arrows have shorter ones."""
_FIRST, _ROW = 0.38, 0.38
"""How far below the ground the first shadow lies, and from one to the next, in units."""
_APART = 0.7
"""The least distance of ticks, in units."""
_DASHES = ((0.0, 0.62), (0.68, 0.76), (0.82, 0.9), (0.96, 1.0))
"""What is drawn of the shaft of an arrow that is cut, in shares of it."""


class Arrow(VGroup):
    """A straight arrow that can be pointed anywhere in every frame."""

    def __init__(self, color: str, *, width: float = 5.0) -> None:
        self.shaft = VMobject(stroke_color=color, stroke_width=width)
        self.head = VMobject(stroke_width=0, fill_color=color, fill_opacity=1)
        super().__init__(self.shaft, self.head)

    def point(
        self, start: NDArray[np.float64], end: NDArray[np.float64], *, is_cut: bool = False
    ) -> None:
        """Run from `start` to `end`, points (3,); one that `is_cut` is dashed: it is longer."""
        shafts, heads = _drawn(start, end[None])
        if is_cut:
            share = np.array(_DASHES)[..., None]  # (4, 2, 1)
            ends = shafts[0] + share * (shafts[-1] - shafts[0])  # (4, 2, 3)
            shafts = straight(ends[:, 0], ends[:, 1])
        self.shaft.set_points(shafts)
        self.head.set_points(heads)


class Fan(VGroup):
    """Arrows from `origin` to `tips`, (N, 2) in units from there; `followed` ones are bright."""

    def __init__(
        self, tips: ArrayLike, origin: NDArray[np.float64], *, followed: Sequence[int]
    ) -> None:
        look = theme()
        self.origin, self.followed = origin, tuple(followed)
        dim = faint(look.attention)
        self.shafts = VMobject(stroke_color=dim, stroke_width=2.5)
        self.heads = VMobject(stroke_width=0, fill_color=dim, fill_opacity=1)
        self.arrows = {r: Arrow(look.attention) for r in self.followed}
        super().__init__(self.shafts, self.heads, *self.arrows.values())
        self.show(tips)

    def show(self, tips: ArrayLike) -> None:
        """Point all arrows elsewhere."""
        self.tips = np.asarray(tips, dtype=float)  # (N, 2)
        ends = self.origin + np.pad(self.tips, ((0, 0), (0, 1)))  # (N, 3)
        others = [k for k in range(len(ends)) if k not in self.followed]
        shafts, heads = _drawn(self.origin, ends[others])
        self.shafts.set_points(shafts)
        self.heads.set_points(heads)
        for r, arrow in self.arrows.items():
            arrow.point(self.origin, ends[r])


class Shade(VGroup):
    """Under level ground, the shadows of the arrows that a fan follows, and their angles.

    A shadow is as long as its arrow reaches along the ground; each has a row of its own. `cast`
    are the shadows and their names, `turns` the angles: arcs, and numbers beside the names.
    """

    def __init__(self, fan: Fan, angles: ArrayLike) -> None:
        look = theme()
        self.fan = fan
        self._reach = float(np.linalg.norm(fan.tips, axis=1).max())
        self._drops: dict[int, Line] = {}
        self._bars: dict[int, Line] = {}
        self._names: dict[int, Number] = {}
        self._angles: dict[int, Number] = {}
        self._arcs: dict[int, VMobject] = {}
        for r in fan.followed:
            self._drops[r] = Line(stroke_color=look.muted, stroke_width=2)
            self._arcs[r] = VMobject(stroke_color=look.ink, stroke_width=3)
            self._bars[r] = Line(stroke_color=look.attention, stroke_width=12)
            ink = look.text_color("attention")
            name = Number(r, "d", prefix="rotation ", size=LABEL, align="left", color=ink)
            angle = Number(
                0.0, ".1f", suffix="°", size=LABEL, weight="semibold", align="left", color=look.ink
            )
            self._names[r], self._angles[r] = name, angle
        parts = (self._drops, self._bars, self._names)
        self.cast = VGroup(*(piece for part in parts for piece in part.values()))
        self.turns = VGroup(*self._arcs.values(), *self._angles.values())
        super().__init__(self.cast, self.turns)
        self.show(angles)

    @staticmethod
    def depth(n_followed: int) -> float:
        """How much room shadows take below the ground, in units."""
        return _FIRST + (n_followed - 0.5) * _ROW

    def bar(self, r: int) -> Line:
        """The shadow of a rotation."""
        return self._bars[r]

    def words(self, r: int) -> VMobject:
        """What a shadow is called."""
        return self._names[r]

    def show(self, angles: ArrayLike) -> None:
        """Follow the fan; `angles` (N,) are in radians."""
        degrees, start = np.rad2deg(np.asarray(angles, dtype=float)), self.fan.origin
        for row, r in enumerate(self.fan.followed):
            depth = np.array([0.0, _FIRST + row * _ROW, 0.0])
            reach = max(float(self.fan.tips[r, 0]), 1e-3)
            foot = start + np.array([reach, 0.0, 0.0])
            tip = start + np.array([reach, max(float(self.fan.tips[r, 1]), 0.0), 0.0])
            self._drops[r].put_start_and_end_on(tip, foot - depth)
            self._bars[r].put_start_and_end_on(start - depth, foot - depth)
            turns = np.linspace(0.0, np.deg2rad(degrees[r]), 24)
            rim = np.column_stack([np.cos(turns), np.sin(turns), 0 * turns])  # (24, 3)
            self._arcs[r].set_points_as_corners(start + (0.26 + 0.07 * row) * self._reach * rim)
            name, angle = self._names[r], self._angles[r]
            name.put(foot - depth + np.array([0.15, -X_HEIGHT / 2 * LABEL * PX - 0.03, 0.0]))
            angle.set_value(float(degrees[r]))
            angle.put(name.anchor + np.array([text_width(name.text, LABEL) + 0.18, 0.0, 0.0]))


class PlaneAxes(VGroup):
    """Two axes, named after letters, that carry shares; `unit` is the length of a share of 1."""

    def __init__(
        self, origin: NDArray[np.float64], reach: float, unit: float, names: tuple[str, str]
    ) -> None:
        super().__init__()
        look = theme()
        step = next((s for s in (0.02, 0.05, 0.1, 0.2) if s * unit > _APART), 0.5)
        for k, name in enumerate(names):
            way = np.eye(3)[k]
            end = origin + (reach + 0.1) * way
            self.add(Line(origin, end).set_stroke(look.muted, 2))
            for n in range(1, int((reach - 0.2) / (step * unit)) + 1):
                self.add(_tick(n * step, origin + n * step * unit * way, upright=k == 1))
            label = Label(name, size=28, weight="semibold", color=look.key)
            self.add(label.center_on(end + 0.25 * way))


class Coordinates(VGroup):
    """Where arrows end: a row for each arrow, a column for each of two letters."""

    def __init__(
        self,
        letters: tuple[str, str],
        names: Sequence[Label],
        shares: ArrayLike,
        corner: NDArray[np.float64],
    ) -> None:
        super().__init__()
        look = theme()
        columns = [max(name.width for name in names) + 0.5 + 1.3 * k for k in (0.5, 1.5)]
        for x, letter in zip(columns, letters, strict=True):
            head = Label(letter, size=28, weight="semibold", color=look.key)
            self.add(head.center_on(corner + np.array([x, -0.2, 0.0])))
        for row, (name, pair) in enumerate(zip(names, np.asarray(shares), strict=True)):
            y = -0.85 - 0.55 * row
            self.add(name.put(corner + np.array([0.0, y, 0.0])))
            for x, share in zip(columns, pair, strict=True):
                number = Number(float(share), ".3f", size=26, color=name.get_fill_color().to_hex())
                self.add(number.put(corner + np.array([x, y, 0.0])))


def _tick(value: float, spot: NDArray[np.float64], *, upright: bool) -> Tick:
    away = [-0.12, -0.06, 0.0] if upright else [0.0, -0.3, 0.0]
    align: Align = "right" if upright else "center"
    tick = Tick(value, ".2f", size=MIN_SIZE, color=theme().muted, align=align)
    return tick.put(spot + np.array(away))


def _drawn(
    start: NDArray[np.float64], ends: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Shafts (4 N, 3) and heads (12 N, 3) of arrows from one point to `ends`, (N, 3)."""
    ways = ends - start
    lengths = np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-9)  # (N, 1)
    along = ways / lengths
    across = np.column_stack([-along[:, 1], along[:, 0], along[:, 2]])
    head = np.minimum(HEAD, 0.5 * lengths)  # (N, 1)
    necks = ends - head * along
    left, right = necks + 0.42 * head * across, necks - 0.42 * head * across
    sides = (straight(ends, left), straight(left, right), straight(right, ends))
    triangles = np.stack([side.reshape(-1, 4, 3) for side in sides], axis=1)  # (N, 3, 4, 3)
    return straight(np.broadcast_to(start, necks.shape), necks), triangles.reshape(-1, 3)
