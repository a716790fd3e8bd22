"""A circle of words: the two numbers of one, and the many that come to stand on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import FadeIn, VMobject
from numpy.typing import NDArray

from scenes.induction.beads import DOT, Beads, Line, Standing, name_room
from scenes.induction.rays import bar_width, bars, read_bars
from scenes.parts.dial_links import Linked
from scenes.parts.figures import Figure
from scenes.parts.knob import Knob
from scenes.parts.paths import closed, straight
from scenes.parts.plane import discs, middles
from scenes.stage import Picture, Reading, Size, Value
from scenes.stage.shown import is_visible
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive
from scenes.style.theme import mix, theme
from scenes.style.type import LABEL, X_HEIGHT

Points = NDArray[np.float64]

_LEAST, _MOST = 1.3, 2.8
"""The circle's radius, in units."""
_BAR = 0.8
"""How high a bar is that says 1, in radii."""
_DASHES = 9
_AIR = 0.16


class CircleRoom:
    """Room for the circle and the names around it; once placed, where the circle stands."""

    def __init__(self, circle: Value, beads: Beads) -> None:
        self._codes, self._widths = circle.array, [label.width for label in beads.labels]
        self.standing = Standing(np.zeros(3), 1.0, _BAR)

    def _size(self, radius: float) -> Size:
        sides, ups = name_room(self._codes, np.array(self._widths))
        width = float((radius * np.abs(self._codes[:, 0]) + sides).max())
        height = float((radius * np.abs(self._codes[:, 1]) + ups).max())
        return Size(2 * max(width, radius + DOT), 2 * max(height, radius + DOT))

    @property
    def least(self) -> Size:
        return self._size(_LEAST)

    @property
    def most(self) -> Size:
        return self._size(_MOST)

    def place(self, region: Region) -> None:
        """Stand in the middle of a region, as large as fits."""
        radii = np.linspace(_MOST, _LEAST / 2, 60)
        sizes = [self._size(float(radius)) for radius in radii]
        fits = [s.width <= region.width and s.height <= region.height for s in sizes]
        radius = float(radii[fits.index(True) if any(fits) else -1])
        self.standing = Standing(region.center, radius, _BAR * radius)


class Pair(Linked):
    """The two numbers (2,) of a code: how far right it is and how far up, on two axes."""

    def __init__(self, code: Value, line: Line) -> None:
        super().__init__(code)
        page = theme()
        self.line, self.fallen = line, 0.0
        self.axes = VMobject(stroke_color=mix(page.ground, page.muted, 0.6), stroke_width=2)
        self.falls = VMobject(stroke_color=page.query, stroke_width=2.5)
        self.lengths = VMobject(stroke_color=page.query, stroke_width=11, stroke_opacity=0.45)
        look: dict[str, Any] = {"size": LABEL, "color": page.text_color("query")}
        self.figures = [Figure(code[axis], ".2f", **look) for axis in (0, 1)]
        self.add(self.axes, self.lengths, self.falls, *self.figures)
        line.follow(self)

    def fall(self, **options: Any) -> Drive:
        """Let the code's shadows fall on the axes."""

        def show(share: Points) -> None:
            self.fallen = float(share)
            self.redraw()

        return Drive(self, show, 0.0, 1.0, **options)

    def show(self, state: Points) -> None:
        """Draw the shadows of a code, as far as they have fallen."""
        project, zero = self.line.project, np.zeros((2, 2))
        self.axes.set_points(straight(project(-np.eye(2)), project(np.eye(2))))
        feet = np.diag(state)
        starts, ends = project(np.stack([state, state])), project(feet)
        ends = starts + (ends - starts) * self.fallen
        at = np.linspace(0, 1, 2 * _DASHES)[:, None]
        dashes = [start + (end - start) * at for start, end in zip(starts, ends, strict=True)]
        points = np.concatenate(dashes)
        self.falls.set_points(straight(points[::2], points[1::2]))
        tips = project(zero + self.fallen * feet)
        self.lengths.set_points(straight(project(zero), tips))
        right, up = self.figures
        high, wide = X_HEIGHT * LABEL * PX / 2, up.number.width / 2
        halves = (project(feet) - project(zero)) / 2
        away = -np.where(state < 0, -1.0, 1.0)
        over = np.array([0.0, away[1] * (_AIR + 2 * high), 0.0])
        beside = np.array([away[0] * (_AIR + wide), 0.0, 0.0])
        right.number.center_on(tips[0] - halves[0] + over)
        up.number.center_on(tips[1] - halves[1] + beside)
        for figure in self.figures:
            figure.number.set_fill(opacity=float(np.clip(4 * self.fallen - 3, 0, 1)))

    def readings(self) -> Iterator[Reading]:
        """Where the shadows end."""
        if self.fallen < 1 or not is_visible(self.lengths):
            return
        for axis, tip in enumerate(self.lengths.points[3::4]):
            yield Reading(self.shown[axis], float(self.line.unproject(tip)[axis]))


class Ring(Linked):
    """So many tokens evenly on the circle, one of them in the direction of a code (2,).

    On the way to more of them all close up to that one, and new ones come in at the far side.
    """

    def __init__(self, size: Value, steps: Value, code: Value, line: Line) -> None:
        super().__init__(size)
        self.line, self.steps = line, steps.array
        self._toward = float(np.arctan2(*code.array[::-1]))
        self.dots = VMobject(stroke_width=0, fill_color=theme().token, fill_opacity=1)
        self.add(self.dots)
        line.follow(self)

    @property
    def ways(self) -> Points:
        """Ways from the middle to the tokens that are there, of length 1; (n, 3)."""
        steps = self.steps[: int(np.ceil(self.state))]
        angles = self._toward + steps * 2 * np.pi / self.state
        return np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)

    @property
    def spots(self) -> Points:
        """Where they are seen; (n, 3)."""
        return np.asarray(self.line.standing.origin + self.line.standing.scale * self.ways)

    @property
    def pitch(self) -> float:
        """From one to the next along the circle, in units."""
        return float(self.line.standing.scale * 2 * np.pi / self.state)

    def show(self, state: Points) -> None:
        """Draw so many; one that is still coming is smaller."""
        if not self.line.standing.scale:
            return
        spots = self.spots
        radii = min(DOT, 0.3 * self.pitch) * np.clip(float(state) - np.arange(len(spots)), 0, 1)
        drawn = [discs(p[None], r) for p, r in zip(spots, radii, strict=True)]
        self.dots.set_points(np.concatenate(drawn))
        self.redraw_followers()

    def readings(self) -> Iterator[Reading]:
        """How many there are, by the angle between the first and the second."""
        if not is_visible(self.dots):
            return
        first, second = middles(self.dots)[:2] - self.line.standing.origin
        turn = np.arctan2(first[0] * second[1] - first[1] * second[0], (first * second).sum())
        yield Reading(self.shown, float(2 * np.pi / turn), 1e-6 * float(self.state))


class Spokes(Linked):
    """Shares of attention (n_large,) as bars on the tokens of a ring, towards its middle."""

    def __init__(self, shares: Value, ring: Ring) -> None:
        super().__init__(shares)
        self.ring = ring
        self.bars = VMobject(stroke_width=0, fill_color=theme().attention, fill_opacity=1)
        self.add(self.bars)
        ring.follow(self)

    def show(self, state: Points) -> None:
        """Draw bars of these shares."""
        ring, feet = self.ring, self.ring.spots
        heights = ring.line.standing.high * state[: len(feet)]
        self.bars.set_points(bars(feet, -ring.ways, heights, bar_width(ring.pitch)))

    def readings(self) -> Iterator[Reading]:
        """How long each bar is, and on which token it stands."""
        if is_visible(self.bars):
            yield from read_bars(self.bars, self.ring.spots, self.shown, self.ring.line)


class Notch(Picture):
    """A second pointer on the dial of a knob."""

    def __init__(self, value: Value, knob: Knob) -> None:
        super().__init__(value)
        self.knob = knob
        self.mark = VMobject(stroke_width=0, fill_color=theme().value, fill_opacity=1)
        self.add(self.mark)

    def show(self, state: Points) -> None:
        """Stand at a value."""
        angle, radius = float(self.knob.angles_of(state)), self.knob.radius
        way = np.array([np.sin(angle), np.cos(angle), 0.0])
        side = np.array([way[1], -way[0], 0.0])
        tip = self.knob.middle + radius * way
        foot = tip - 0.85 * radius * way
        corners = np.array([tip, foot + 0.07 * side, foot - 0.07 * side])
        self.mark.set_points(closed(corners))

    def appear(self, **options: Any) -> FadeIn:
        """Come where the knob now stands."""
        self.show(self.state)
        return FadeIn(self, **options)

    def readings(self) -> Iterator[Reading]:
        """Where its tip points."""
        if self.mark.has_points() and is_visible(self.mark):
            says = self.knob.read(self.mark.points[0])
            yield Reading(self.shown, says, self.knob.scaling.within(says))
