"""Whom each word gives most of its attention: arrows over the line, and rings around the found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import VMobject, smooth
from numpy.typing import NDArray

from scenes.induction.beads import Beads
from scenes.parts.dial import DISC
from scenes.parts.dial_links import Linked
from scenes.parts.figures import Figure
from scenes.parts.paths import closed
from scenes.stage import Reading, Value
from scenes.stage.shown import Picture, is_visible
from scenes.style.layout import Region
from scenes.style.motion import Drive, hex_of
from scenes.style.text import text_width
from scenes.style.theme import theme

Points = NDArray[np.float64]

_RING = 0.19
_HEAD = 0.2
_ARCH, _STEEP = 0.45, 0.9
"""How high an arrow rises, as a share of its length: at least, and at most where there is room."""
_HOP = 7
"""Steps of the bend in which an arrow goes from one word to another."""
_COUNT = 28.0


class Looks(Linked):
    """At every bend: to whom each word gives most, `looks_at` (S, V), and if that is itself."""

    def __init__(self, looks_at: Value, found: Value, beads: Beads, *, step: int = 0) -> None:
        super().__init__(looks_at[step])
        page = theme()
        self.beads, self.looks_at, self.found = beads, looks_at, found
        self.grown, self.place = 1.0, float(step)
        n = looks_at.array.shape[1]
        self.rings = [VMobject(stroke_width=5, fill_opacity=0) for _ in range(n)]
        self.shafts = VMobject(stroke_color=page.attention, stroke_width=4)
        self.heads = VMobject(stroke_width=0, fill_color=page.attention, fill_opacity=1)
        self.add(self.shafts, self.heads, *self.rings)
        beads.follow(self)

    def follow_bend(self, **options: Any) -> Drive:
        """Go along with the line through all its bends."""
        return Drive(self, self.at, 0.0, float(len(self.looks_at) - 1), **options)

    def at(self, place: Any) -> None:
        """Show a bend; places between two whole ones are on the way."""
        self.place = float(place)
        self.shown = self.looks_at[round(self.place)]
        self.redraw()

    def grow(self, **options: Any) -> Drive:
        """Let the arrows grow, and then the rings close."""

        def show(share: Points) -> None:
            self.grown = float(share)
            self.redraw()

        return Drive(self, show, 0.0, 1.0, **options)

    @property
    def _arch(self) -> float:
        """How high arrows rise: over a straight line the longest one nearly as high as a bar."""
        line = self.beads.line
        longest = line.standing.scale * np.pi
        steep = float(np.clip(line.standing.high / longest, _ARCH, _STEEP))
        return steep + (_ARCH - steep) * line.bend

    def _hop(self, k: int) -> tuple[int, int, float]:
        """From which word to which the arrow of word k is on its way, and how far it is."""
        seen = self.looks_at.array[: round(self.place) + 1, k].astype(int)
        changes = np.flatnonzero(np.diff(seen))
        if len(changes) == 0:
            return int(seen[-1]), int(seen[-1]), 1.0
        change = int(changes[-1])
        share = min(1.0, max(0.0, (self.place - change - 0.5) / _HOP))
        if round(self.place) == len(self.looks_at) - 1:
            share = 1.0
        return int(seen[change]), int(seen[-1]), smooth(share)

    def show(self, state: Points) -> None:
        """Draw the arrows and the rings."""
        if not self.beads.line.standing.scale:
            return
        page, spots, normals = theme(), self.beads.spots, self.beads.line.normals
        shafts, heads, arch = [], [], self._arch
        found = self.found.array[round(self.place)]
        for k, ring in enumerate(self.rings):
            old, new, share = self._hop(k)
            goal = spots[old] + (spots[new] - spots[old]) * share
            lift = normals[k] + normals[old] + (normals[new] - normals[old]) * share
            arrow = _arrow(spots[k], goal, arch * lift, min(1.0, 1.6 * self.grown))
            if arrow is not None:
                shafts.append(arrow[0])
                heads.append(arrow[1])
            closes = float(np.clip(2.5 * self.grown - 1.5, 0, 1))
            ring.set_points(spots[k] + _RING * (0.5 + 0.5 * closes) * DISC)
            ring.set_stroke(page.value if found[k] else page.wrong, opacity=closes)
        self.shafts.set_points(np.concatenate(shafts) if shafts else np.zeros((0, 3)))
        self.heads.set_points(np.concatenate(heads) if heads else np.zeros((0, 3)))

    def readings(self) -> Iterator[Reading]:
        """Where each arrow ends, or that its word has none; and the colour of its ring."""
        if self.grown < 1 or not is_visible(self.rings[0]):
            return
        page, spots = theme(), self.beads.spots
        ends = self.heads.points.reshape(-1, 12, 3)[:, 0]
        starts = self.shafts.points.reshape(-1, 4, 3)[:, 0]
        nearest = {_near(a, spots): _near(b, spots) for a, b in zip(starts, ends, strict=True)}
        found = self.found[round(self.place)]
        for k, ring in enumerate(self.rings):
            if self._hop(k)[2] == 1:
                yield Reading(self.shown[k], float(nearest.get(k, k)), 0.0)
            green = hex_of(ring.get_stroke_color()).upper() == page.value.upper()
            yield Reading(found[k], float(green), 0.0)


class Count(Picture):
    """`found: 2 of 7`, at every bend."""

    def __init__(self, n_found: Value, n_vocab: Value, *, step: int = 0) -> None:
        super().__init__(n_found[step])
        page = theme()
        self.series = n_found
        color = page.text_color("value")
        look: dict[str, Any] = {"size": _COUNT, "color": color, "align": "left"}
        self.found = Figure(n_found[step], "", prefix="found: ", **look)
        self.all = Figure(n_vocab, "", prefix="of ", **look)
        self.add(self.found, self.all)

    def place(self, region: Region) -> None:
        """Stand at the top left of a region."""
        self.corner = region.point(0, 1) - np.array([0.0, 0.3, 0.0])
        self.show(self.state)

    def show(self, state: Points) -> None:
        """Write both counts."""
        self.found.put(self.corner)
        width = text_width(self.found.number.text + " ", _COUNT, "semibold")
        self.all.put(self.corner + np.array([width, 0.0, 0.0]))

    def follow_bend(self, **options: Any) -> Drive:
        """Count along with the line through all its bends."""

        def show(place: Points) -> None:
            self.shown = self.series[round(float(place))]
            self.found.set_to(self.shown)
            self.show(self.state)

        return Drive(self, show, 0.0, float(len(self.series) - 1), **options)

    def readings(self) -> Iterator[Reading]:
        """Its two figures read themselves."""
        return iter(())


def _arrow(start: Points, goal: Points, lift: Points, share: float) -> tuple[Points, Points] | None:
    """An arched arrow from bead to bead as far as it has grown: its line and its head."""
    way = goal - start
    length = float(np.linalg.norm(way))
    if length < 2.2 * _RING or share <= 0.05:
        return None
    up = length * lift / 2
    handles = np.array([start, start + way * 0.2 + up, goal - way * 0.2 + up, goal])
    near = _RING / (3 * float(np.linalg.norm(handles[1] - start)))
    far = 1 - near
    curve = _cut(handles, near, near + (far - near) * share)
    tip = curve[3]
    ahead = curve[3] - curve[2]
    ahead = ahead / max(float(np.linalg.norm(ahead)), 1e-9)
    side = np.array([-ahead[1], ahead[0], 0.0])
    size = min(_HEAD, 0.3 * length)
    neck = tip - size * ahead
    corners = np.array([tip, neck + 0.5 * size * side, neck - 0.5 * size * side])
    curve[3] = tip - 0.5 * size * ahead
    return curve, closed(corners).reshape(-1, 3)


def _cut(handles: Points, low: float, high: float) -> Points:
    """The stretch of a cubic curve between two of its places."""

    def blossom(*at: float) -> Points:
        points = handles
        for t in at:
            points = points[:-1] + (points[1:] - points[:-1]) * t
        return np.asarray(points[0])

    return np.array(
        [blossom(low, low, low), blossom(low, low, high), blossom(low, high, high),
         blossom(high, high, high)]
    )  # fmt: skip


def _near(point: Points, spots: Points) -> int:
    return int(np.linalg.norm(spots - point, axis=1).argmin())
