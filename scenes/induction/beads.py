"""Words as beads on a line that bends into a circle, with arrows, bars and projections on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import VMobject, partial_bezier_points

from clockhead.model.induction.bent_line import CURVE_STEPS
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.paths import arrow_head, closed, discs, middles, straight
from clockhead.scenes.parts.plane import Plane, Points, spatial
from clockhead.scenes.stage import Linked, Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive, along
from clockhead.scenes.style.shape import stroke_of
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import LABEL, LINE_HEIGHT, MIN_SIZE, X_HEIGHT

DOT = 0.1
"""Radius of a bead, in units."""
NAME_SIZE, _MOST = 34.0, 2.8
"""Largest letter size of a name, in pixels, and largest radius of the circle, in units."""
_GAP, _NUMBER = 0.35, 0.5
"""Distance from a bead to its name, and the extra distance that its number needs, in units."""
_ASIDE = 2.5
"""How fast a name changes along the circle from below its bead to beside it."""
_UNDER, _OVER = 1.2, 1.1
"""Space under the straight line, and over its bars, in units."""
_HIGH = 0.45
"""Largest share of the canvas height that the bars take."""
_RING, _HEAD = 0.19, 0.2
"""Radius of a ring around a bead, and length of an arrow's head, in units."""
_ARCH = 0.6
"""Height of an arched arrow, relative to its length."""
_BAR, _MOST_BAR = 0.4, 0.5
"""Width of a bar relative to the distance between beads, and the largest width in units."""
_AIR = 0.16
"""Gap between a projection and its number, in units."""


class Line(Plane):
    """A bead for each of `names` (V,) on a curve that bends, (S, C, 2), with its name outside.

    `place` draws the final circle; `lay_straight` then lays it out as a line.
    """

    def __init__(self, bends: Value, names: Value) -> None:
        self.at = CURVE_STEPS * np.arange(len(names)) + CURVE_STEPS // 2
        super().__init__(bends[len(bends) - 1], names.content, self.at.tolist(), most=_MOST)
        self.bends, self.names, self.high = bends, names, 0.0
        self._aside += _GAP
        self.zero = VMobject(stroke_color=theme().muted, stroke_width=3)
        self.circle.set_stroke(width=3)
        self.dots.set_fill(theme().token)
        self.labels: list[Label] = []
        self._drop = np.zeros(len(names))

    def lay_straight(self, canvas: Region) -> None:
        """Draw the straight line across a canvas, with room for names below and for bars above."""
        words, step = self.names.content, 2 * np.pi / len(self.names)
        widths = np.array([text_width(word, NAME_SIZE) for word in words])
        ends = max(widths[0], widths[-1])
        radius = min(canvas.width / (2 * np.pi), (canvas.width - ends) / (2 * np.pi - step))
        pitch, abreast = step * radius, (widths[:-1] + widths[1:]).max() / 2
        size = max(MIN_SIZE, NAME_SIZE * min(1.0, (pitch - 0.16) / abreast))
        rows = 1 if size > MIN_SIZE else int(np.ceil(widths.max() * size / NAME_SIZE / pitch + 0.2))
        self._drop = np.arange(len(words)) % rows * LINE_HEIGHT * size * PX
        self.labels = [Label(w, size=size, color="token", align="center") for w in words]
        self.submobjects = [self.circle, self.zero, self.dots, *self.labels]
        under = _UNDER + self._drop.max()
        self.high = min(_HIGH * canvas.height, canvas.height - under - _OVER)
        self.canvas, self.radius, self.shown = canvas, float(radius), self.bends[0]
        spare = canvas.height - under - _OVER - self.high
        aside = radius * (self.state[0, 0] + self.state[-1, 0]) / 2
        self.stand(canvas.point(0.5, 0) + np.array([-aside, under + spare / 2, 0.0]))

    def show(self, state: Points) -> None:
        """Draw a curve (C, 2), and everything that follows it."""
        if not self.radius:
            return
        points, ends = self.project(spatial(state)), 0.12 * np.eye(3)[:2]
        self.circle.set_points(straight(points[:-1], points[1:]))
        self.zero.set_points(straight(self.middle - ends, self.middle + ends))
        self.dots.set_points(discs(self.spots, DOT))
        for label, place in zip(self.labels, self.places, strict=False):
            label.center_on(place)
        self.redraw_followers()

    @property
    def spots(self) -> Points:
        """Positions of the beads on the canvas; (V, 3)."""
        return self.project(spatial(self.state[self.at]))

    @property
    def normals(self) -> Points:
        """Unit normals of the curve at the beads, toward the circle's middle; (V, 3)."""
        ahead = self.state[self.at + 1] - self.state[self.at - 1]  # (V, 2)
        x, y = (ahead / np.linalg.norm(ahead, axis=1)[:, None]).T
        return np.stack([-y, x, 0 * x], axis=1)

    @property
    def pitch(self) -> float:
        """Distance between beads along the line, in units."""
        return 2 * np.pi * self.radius / len(self.at)

    @property
    def places(self) -> Points:
        """Middles of the names; (V, 3)."""
        out, length = -self.normals, np.linalg.norm(np.diff(self.state, axis=0), axis=1).sum()
        straightness = float(np.linalg.norm(self.state[-1] - self.state[0]) / length)
        halves = np.array([[word.width, X_HEIGHT * word.em, 0] for word in self.labels]) / 2
        depth = _GAP + straightness * (_NUMBER + self._drop)
        aside = np.clip(_ASIDE * out, -1, 1) * halves if self.labels else 0.0
        return self.spots + depth[:, None] * out + aside

    def fade_names(self, share: float, *but: int, run_time: float = 0.8) -> Drive:
        """Fade all names but some to an opacity of 0 or 1."""
        labels = [label for k, label in enumerate(self.labels) if k not in but]

        def show(seen: Points) -> None:
            for label in labels:
                label.set_fill(opacity=float(seen))

        return Drive(self, show, 1.0 - share, share, run_time=run_time)

    def bend(self, circle: Points, **options: Any) -> tuple[Drive, Drive]:
        """Bend the line into a circle with this middle and radius (x, y, radius)."""
        ways = self._circles(circle)

        def show(place: Points) -> None:
            x, y, self.radius = map(float, along(ways, float(place)))
            self.stand(np.array([x, y, 0.0]))

        go = Drive(self, show, 0.0, len(ways) - 1.0, **options)
        return go, self.through(self.bends, **options)

    @property
    def middle_and_radius(self) -> Points:
        """x and y of the middle, and the radius; (3,)."""
        return np.array([*self.middle[:2], self.radius])

    def _circles(self, circle: Points) -> Points:
        """x, y and radius at every bend, (S, 3); smaller where names would leave the canvas."""
        curve, share = self.bends.array, np.linspace(0, 1, len(self.bends))[:, None]
        ways = self.middle_and_radius + (circle - self.middle_and_radius) * share
        least, most = (self.canvas.point(x, x)[:2] for x in (0, 1))
        widest = max(label.width for label in self.labels)
        margin = 4 * share * (1 - share) * np.array([widest + _GAP, 2 * _GAP])  # (S, 2)
        before = (ways[:, :2] - least - margin) / np.maximum(-curve.min(axis=1), 1e-6)
        beyond = (most - ways[:, :2] - margin) / np.maximum(curve.max(axis=1), 1e-6)
        ways[1:-1, 2:] = np.minimum(ways[:, 2:], np.hstack([before, beyond]).min(1, keepdims=True))[
            1:-1
        ]
        return ways

    def readings(self) -> Iterator[Reading]:
        """Points of the curve and the beads, from the drawn zero, and the name at each bead."""
        zero = self.zero.points[:4].mean(axis=0) if self.zero.has_points() else self.middle
        pieces = [(k, self.circle.points[4 * k]) for k in range(0, len(self.state) - 1, 6)]
        beads = list(zip(self.at.tolist(), middles(self.dots), strict=True))
        for k, point in [*pieces, *(beads if is_visible(self.dots) else ())]:
            for axis in (0, 1):
                yield Reading(self.shown[k, axis], float((point - zero)[axis] / self.radius))
        for label in filter(is_visible, self.labels):
            k = int(np.linalg.norm(self.places - label.middle, axis=1).argmin())
            yield Reading(self.names[k], label.text)


class Pair(Linked):
    """The two numbers (2,) of a token's vector as its projections onto the axes."""

    def __init__(self, code: Value, line: Line) -> None:
        super().__init__(code)
        page = theme()
        self.line = line
        self.falls = VMobject(stroke_color=page.query, stroke_width=2.5)
        self.lengths = VMobject(stroke_color=page.query, stroke_width=11, stroke_opacity=0.45)
        self.figures = [Figure(code[axis], ".2f", size=LABEL, color="query") for axis in (0, 1)]
        self.add(self.lengths, self.falls, *self.figures)
        line.follow(self)

    def show(self, state: Points) -> None:
        """Draw the projections, with each number on the side away from the vector."""
        tip, *feet = self.line.project(spatial(np.array([state, *np.diag(state)])))
        zero = self.line.middle
        self.lengths.set_points(straight(np.array([zero, zero]), np.array(feet)))
        self.falls.set_points(straight(np.array([tip, tip]), np.array(feet)))
        high, wide = X_HEIGHT * LABEL * PX, self.figures[1].number.width / 2
        away = -np.where(state < 0, -1.0, 1.0)
        asides = np.array([[0, away[1] * (_AIR + high), 0], [away[0] * (_AIR + wide), 0, 0]])
        for figure, foot, aside in zip(self.figures, feet, asides, strict=True):
            figure.number.center_on((zero + foot) / 2 + aside)

    def readings(self) -> Iterator[Reading]:
        """The ends of the projections."""
        if is_visible(self.lengths):
            for axis, foot in enumerate(self.lengths.points[3::4]):
                yield Reading(self.shown[axis], self.line.unproject(foot)[axis])


class Feet(Linked):
    """Projections of all words onto the direction of a vector `code` (2,): the dot products (V,).

    A perpendicular drops from each bead of the circle onto the line in that direction.
    """

    def __init__(self, dots: Value, code: Value, line: Line) -> None:
        super().__init__(dots)
        page = theme()
        self.line, self.way = line, spatial(code.array[None])[0]
        self.falls = VMobject(stroke_color=page.score, stroke_width=3)
        self.feet = VMobject(stroke_width=0, fill_color=page.score, fill_opacity=1)
        self.axis = VMobject(stroke_color=page.query, stroke_width=2)
        self.add(self.axis, self.falls, self.feet)
        self.dropped = 0.0

    def drop(self, **options: Any) -> Drive:
        """Drop the perpendiculars from the beads to the line."""
        return self.drive("dropped", 0.0, 1.0, **options)

    def show(self, state: Points) -> None:
        """Draw the line and the perpendiculars."""
        line = self.line
        spots, zero = line.spots, line.middle
        goals = zero + line.radius * state[:, None] * self.way
        ends = spots + self.dropped * (goals - spots)
        self.axis.set_points(straight(*(zero + k * line.radius * self.way[None] for k in (-1, 1))))
        self.falls.set_points(straight(spots, ends))
        self.feet.set_points(discs(ends, DOT))

    def readings(self) -> Iterator[Reading]:
        """The position of each perpendicular's foot along the line."""
        if self.dropped == 1 and is_visible(self.feet):
            for k, foot in enumerate(middles(self.feet)):
                out = float((foot - self.line.middle) @ self.way) / self.line.radius
                yield Reading(self.shown[k], out)


class Ring(Linked):
    """A growing number of tokens, `size`, evenly on a circle, one in the direction of `code` (2,).

    As their number grows, tokens move closer to that one, and new ones appear at the far side.
    `steps` are the tokens' offsets from it along the circle, in order of appearance.
    """

    def __init__(self, size: Value, steps: Value, code: Value, line: Line) -> None:
        super().__init__(size)
        self.line, self.steps, self.code = line, steps.array, code
        self._toward = float(np.arctan2(*code.array[::-1]))
        self.dots = VMobject(stroke_width=0, fill_color=theme().token, fill_opacity=1)
        self.add(self.dots)
        line.follow(self)

    @property
    def normals(self) -> Points:
        """Unit vectors from the visible tokens to the middle; (n, 3)."""
        steps = self.steps[: int(np.ceil(self.state))]
        angles = self._toward + steps * 2 * np.pi / self.state
        return -np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)

    @property
    def spots(self) -> Points:
        """Positions of the visible tokens on the canvas; (n, 3)."""
        return self.line.middle - self.line.radius * self.normals

    @property
    def pitch(self) -> float:
        """Distance between tokens along the circle, in units."""
        return float(self.line.radius * 2 * np.pi / self.state)

    def show(self, state: Points) -> None:
        """Draw a ring of `state` tokens."""
        self.dots.set_points(discs(self.spots, min(DOT, 0.3 * self.pitch)))
        self.redraw_followers()

    def readings(self) -> Iterator[Reading]:
        """The position of the first token, and the number of tokens by the angle to the second."""
        if is_visible(self.dots):
            seen = middles(self.dots)[:2]
            for axis, says in enumerate(self.line.unproject(seen[0])):
                yield Reading(self.code[axis], says)
            first, second = seen - self.line.middle
            turn = np.arctan2(first[0] * second[1] - first[1] * second[0], (first * second).sum())
            yield Reading(self.shown, float(2 * np.pi / turn), 1e-6 * float(self.state))


class Looks(Linked):
    """At every bend, the word with each word's largest attention weight, `looks_at` (S, V).

    An arrow points to it, unless it is the word itself. A ring's colour says whether a word has
    `found` itself, (S, V).
    """

    def __init__(self, looks_at: Value, found: Value, line: Line | Ring) -> None:
        super().__init__(looks_at[0])
        page = theme()
        self.line, self.looks_at, self.found, self.step, self.grown = line, looks_at, found, 0, 1.0
        self.rings = [VMobject(stroke_width=5) for _ in looks_at.content[0]]
        self.shafts = VMobject(stroke_color=page.attention, stroke_width=4)
        self.heads = VMobject(stroke_width=0, fill_color=page.attention, fill_opacity=1)
        self.add(self.shafts, self.heads, *self.rings)
        line.follow(self)
        self.redraw()

    def follow_bend(self, **options: Any) -> Drive:
        """Animate arrows and rings through all bends of the line."""

        def show(place: Points) -> None:
            self.step = round(float(place))
            self.shown = self.looks_at[self.step]
            self.redraw()

        return Drive(self, show, 0.0, len(self.looks_at) - 1.0, **options)

    def appear(self, **options: Any) -> Drive:
        """Grow the arrows, and fade in the rings."""
        return self.drive("grown", 0.0, 1.0, **options)

    def show(self, state: Points) -> None:
        """Draw the arrows and the rings."""
        page, spots, normals = theme(), self.line.spots, self.line.normals
        shafts, heads = [np.zeros((0, 3))], [np.zeros((0, 3))]
        for k, (goal, ring) in enumerate(zip(state.astype(int), self.rings, strict=True)):
            found = bool(self.found.content[self.step][k])
            ring.set_points(discs(spots[k : k + 1], _RING))
            ring.set_stroke(page.right if found else page.wrong, opacity=self.grown)
            if goal != k and self.grown > 0:
                lift = _ARCH * (normals[k] + normals[goal]) / 2
                shaft, head = _arrow(spots[k], spots[goal], lift, self.grown)
                shafts.append(shaft)
                heads.append(head)
        self.shafts.set_points(np.concatenate(shafts))
        self.heads.set_points(np.concatenate(heads))

    def readings(self) -> Iterator[Reading]:
        """The word that each arrow points to (itself without one), and the colour of its ring."""
        if self.grown < 1 or not is_visible(self.rings[0]):
            return
        spots = self.line.spots
        starts, ends = self.shafts.points[::4], self.heads.points[::12]
        arrows = {_nearest(a, spots): _nearest(b, spots) for a, b in zip(starts, ends, strict=True)}
        for k, ring in enumerate(self.rings):
            yield Reading(self.shown[k], float(arrows.get(k, k)), 0.0)
            is_green = stroke_of(ring) == theme().right.upper()
            yield Reading(self.found[self.step, k], float(is_green), 0.0)


class Rays(Linked):
    """Attention weights (N,) as bars on the beads, pointing inwards; a weight of 1 is `high`."""

    def __init__(self, shares: Value, line: Line | Ring, high: float) -> None:
        super().__init__(shares)
        self.line, self.high = line, high
        self.bars = VMobject(stroke_width=0, fill_color=theme().attention, fill_opacity=1)
        self.add(self.bars)
        line.follow(self)
        self.redraw()

    def show(self, state: Points) -> None:
        """Draw a bar for the weight of each visible bead."""
        feet, ways = self.line.spots, self.line.normals
        half = min(_MOST_BAR, _BAR * self.line.pitch) / 2
        across = half * np.stack([ways[:, 1], -ways[:, 0], ways[:, 2]], axis=1)
        tops = feet + self.high * state[: len(feet), None] * ways
        corners = np.stack([feet - across, feet + across, tops + across, tops - across], axis=1)
        self.bars.set_points(closed(corners).reshape(-1, 3))

    def tip(self, k: int) -> Points:
        """Middle of a bar's upper end; (3,)."""
        corners = self.bars.points.reshape(-1, 16, 3)[k]
        return np.asarray((corners[8] + corners[12]) / 2)

    def readings(self) -> Iterator[Reading]:
        """The length of each bar, and the bead that it is on."""
        if not is_visible(self.bars):
            return
        for k, corners in enumerate(self.bars.points.reshape(-1, 16, 3)):
            foot = (corners[0] + corners[4]) / 2
            length = float(np.linalg.norm(self.tip(k) - foot))
            yield Reading(self.shown[_nearest(foot, self.line.spots)], length / self.high)


def _arrow(start: Points, goal: Points, lift: Points, grown: float) -> tuple[Points, Points]:
    """Line and head of an arched arrow from ring to ring, drawn up to the fraction `grown`."""
    way = goal - start
    length = float(np.linalg.norm(way))
    up = length * lift
    handles = np.array([start, start + 0.2 * way + up, goal - 0.2 * way + up, goal])
    near = min(0.4, _RING / (3 * float(np.linalg.norm(handles[1] - start))))
    curve = np.array(partial_bezier_points(handles, near, near + (1 - 2 * near) * grown))
    ahead = (curve[3] - curve[2]) / max(float(np.linalg.norm(curve[3] - curve[2])), 1e-9)
    tip, size = curve[3].copy(), min(_HEAD, 0.3 * length)
    curve[3] = tip - 0.5 * size * ahead
    return curve, arrow_head(tip, ahead, size)


def _nearest(point: Points, spots: Points) -> int:
    return int(np.linalg.norm(spots - point, axis=1).argmin())
