"""What lies on beads: whom each word gives most of its attention, and how much it gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
from manim import VMobject, partial_bezier_points

from clockhead.scenes.parts.paths import arrow_head, closed, discs
from clockhead.scenes.parts.plane import Points
from clockhead.scenes.stage import Linked, Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.shape import stroke_of
from clockhead.scenes.style.theme import theme

_RING, _HEAD = 0.19, 0.2
_ARCH = 0.6
"""How high an arrow rises, as a share of its length."""
_BAR, _MOST_BAR = 0.4, 0.5
"""The width of a bar: the share of the way to the next bead, and the most, in units."""


class Beads(Protocol):
    """Words as N beads: on a line that bends, or on a ring."""

    @property
    def spots(self) -> Points:
        """Where they are; (N, 3)."""

    @property
    def normals(self) -> Points:
        """Ways of length 1 inwards; (N, 3)."""

    @property
    def pitch(self) -> float:
        """How far apart they stand, in units."""

    def follow(self, follower: Linked) -> None:
        """Let something be drawn anew whenever they move."""


class Looks(Linked):
    """At every bend: to whom each word gives most, `looks_at` (S, V), and if that is itself.

    An arrow goes to that word; the ring of a word that is `found` (S, V) has another colour.
    """

    def __init__(self, looks_at: Value, found: Value, line: Beads) -> None:
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
        """Go along with the line through all its bends."""

        def show(place: Points) -> None:
            self.step = round(float(place))
            self.shown = self.looks_at[self.step]
            self.redraw()

        return Drive(self, show, 0.0, len(self.looks_at) - 1.0, **options)

    def appear(self, **options: Any) -> Drive:
        """Let the arrows grow, and the rings come."""

        def show(share: Points) -> None:
            self.grown = float(share)
            self.redraw()

        return Drive(self, show, 0.0, 1.0, **options)

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
        """Where each arrow ends, or that its word has none; and the colour of its ring."""
        if self.grown < 1 or not is_visible(self.rings[0]):
            return
        spots = self.line.spots
        starts, ends = self.shafts.points[::4], self.heads.points[::12]
        arrows = {_near(a, spots): _near(b, spots) for a, b in zip(starts, ends, strict=True)}
        for k, ring in enumerate(self.rings):
            yield Reading(self.shown[k], float(arrows.get(k, k)), 0.0)
            is_green = stroke_of(ring) == theme().right.upper()
            yield Reading(self.found[self.step, k], float(is_green), 0.0)


class Rays(Linked):
    """Shares of attention (N,) as bars on the beads, inwards; a bar that says 1 is `high`."""

    def __init__(self, shares: Value, line: Beads, high: float) -> None:
        super().__init__(shares)
        self.line, self.high = line, high
        self.bars = VMobject(stroke_width=0, fill_color=theme().attention, fill_opacity=1)
        self.add(self.bars)
        line.follow(self)
        self.redraw()

    def show(self, state: Points) -> None:
        """Draw bars of these shares, on as many beads as are there."""
        feet, ways = self.line.spots, self.line.normals
        half = min(_MOST_BAR, _BAR * self.line.pitch) / 2
        across = half * np.stack([ways[:, 1], -ways[:, 0], ways[:, 2]], axis=1)
        tops = feet + self.high * state[: len(feet), None] * ways
        corners = np.stack([feet - across, feet + across, tops + across, tops - across], axis=1)
        self.bars.set_points(closed(corners).reshape(-1, 3))

    def tip(self, k: int) -> Points:
        """The middle of the end of a bar."""
        corners = self.bars.points.reshape(-1, 16, 3)[k]
        return np.asarray((corners[8] + corners[12]) / 2)

    def readings(self) -> Iterator[Reading]:
        """How long each bar is, and on which bead it stands."""
        if not is_visible(self.bars):
            return
        for k, corners in enumerate(self.bars.points.reshape(-1, 16, 3)):
            foot = (corners[0] + corners[4]) / 2
            length = float(np.linalg.norm(self.tip(k) - foot))
            yield Reading(self.shown[_near(foot, self.line.spots)], length / self.high)


def _arrow(start: Points, goal: Points, lift: Points, grown: float) -> tuple[Points, Points]:
    """An arched arrow from ring to ring as far as it has grown: its line and its head."""
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


def _near(point: Points, spots: Points) -> int:
    return int(np.linalg.norm(spots - point, axis=1).argmin())
