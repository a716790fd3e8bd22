"""Words as beads on a line that bends into a circle, and bars that stand on it.

What lies on the line (beads, bars, arrows) is drawn anew when it bends or moves. Everything is read
off the curve as drawn: a bead's normal points to where the circle's middle will be.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from manim import VMobject
from numpy.typing import ArrayLike, NDArray

from model.bent_line import CURVE_STEPS
from scenes.parts.dial_links import Linked, LinkedDrive
from scenes.parts.figures import Figure
from scenes.parts.paths import straight
from scenes.parts.plane import discs, middles
from scenes.parts.strip import Strip
from scenes.parts.strip_motion import Motion, Show
from scenes.stage import Reading, Value
from scenes.stage.shown import is_visible
from scenes.style.layout import PX
from scenes.style.motion import Drive, along, in_turn
from scenes.style.text import Label
from scenes.style.theme import mix, theme
from scenes.style.type import CAP_HEIGHT, LABEL, LINE_HEIGHT, MIN_SIZE, SMALL, X_HEIGHT

Points = NDArray[np.float64]

SIZES = (28.0, 24.0, SMALL, MIN_SIZE)
"""Sizes that names may have, in pixels."""
DOT = 0.1
"""The radius of a bead."""
_GAP, _NUMBER = 0.36, 0.36
"""From a bead to its name, and what its number between them needs."""
_ASIDE = 2.5
"""How fast a name moves from under its bead to beside it, along the circle."""
_EACH = 0.45


@dataclass(frozen=True)
class Standing:
    """Where 0 of the line is seen, how long 1 is on it, and how high a bar is that says 1."""

    origin: Points
    scale: float
    high: float

    @property
    def state(self) -> Points:
        """The same as numbers; (4,)."""
        return np.array([*self.origin[:2], self.scale, self.high])


class Line(Linked):
    """The line (C, 2) that words stand on, straight or bent."""

    def __init__(self, curve: Value) -> None:
        super().__init__(curve)
        page = theme()
        self.standing = Standing(np.zeros(3), 0.0, 0.0)
        self.curve = VMobject(stroke_color=mix(page.ground, page.muted, 0.75), stroke_width=3)
        self.zero = VMobject(stroke_color=page.muted, stroke_width=3)
        self.add(self.curve, self.zero)

    def stand(self, standing: Standing) -> None:
        """Stand somewhere at once."""
        self.standing = standing
        self.redraw()

    def go(self, ways: Points, **options: Any) -> LinkedDrive:
        """Move, and perhaps grow, through states (S, 4)."""

        def show(place: Points) -> None:
            x, y, scale, high = map(float, along(ways, float(place)))
            self.stand(Standing(np.array([x, y, 0.0]), scale, high))

        return LinkedDrive(self, show, 0.0, float(len(ways) - 1), **options)

    def show(self, state: Points) -> None:
        """Draw a curve."""
        if not self.standing.scale:
            return
        points = self.project(state)
        self.curve.set_points(straight(points[:-1], points[1:]))
        across, up = np.array([[0.12, 0.0, 0.0]]), np.array([[0.0, 0.12, 0.0]])
        tick = np.concatenate([-up, -across * self.bend]), np.concatenate([up, across * self.bend])
        self.zero.set_points(straight(*(self.standing.origin + part for part in tick)))
        self.redraw_followers()

    def project(self, codes: ArrayLike) -> Points:
        """Where codes (N, 2) are seen."""
        flat = np.asarray(codes, dtype=float)
        return self.standing.origin + self.standing.scale * np.pad(flat, ((0, 0), (0, 1)))

    def unproject(self, point: Points) -> Points:
        """The code (2,) that is seen at a point, from the 0 as it is drawn."""
        zero = self.zero.points[:4].mean(axis=0)
        return np.asarray((point - zero)[:2] / self.standing.scale)

    @property
    def normals(self) -> Points:
        """Ways from the beads to the side of the bars, of length 1; (V, 3)."""
        ways = np.diff(self.state, axis=0)  # (C - 1, 2)
        half = CURVE_STEPS // 2
        ahead = ways[half - 1 :: CURVE_STEPS] + ways[half::CURVE_STEPS]  # (V, 2)
        x, y = (ahead / np.linalg.norm(ahead, axis=1)[:, None]).T
        return np.stack([-y, x, 0 * x], axis=1)

    @property
    def bend(self) -> float:
        """How far it is bent: 0 straight, 1 where its ends meet."""
        first, last = self.state[0], self.state[-1]
        length = np.linalg.norm(np.diff(self.state, axis=0), axis=1).sum()
        return float(1 - np.linalg.norm(last - first) / length)

    def readings(self) -> Iterator[Reading]:
        """Where its points are."""
        if not self.standing.scale or not is_visible(self.curve):
            return
        for k in range(0, len(self.state) - 1, CURVE_STEPS // 2):
            for axis, says in enumerate(self.unproject(self.curve.points[4 * k])):
                yield Reading(self.shown[k, axis], float(says))


class Beads(Linked):
    """The words (V,) as beads at codes (V, 2) of a line, with their names outside it."""

    def __init__(self, codes: Value, names: Value, line: Line) -> None:
        super().__init__(codes)
        page = theme()
        self.line, self.names = line, names
        n = len(names)
        self.grown = np.ones(n)
        self.rows, self.size = np.zeros(n), SIZES[-1]
        self.dots = VMobject(stroke_width=0, fill_color=page.token, fill_opacity=1)
        self.labels = [Label("") for _ in names.content]
        self.write(self.size, 1)
        line.follow(self)

    def write(self, size: float, rows: int) -> None:
        """Write the names in a size, every so many of them in one row under the line."""
        color = theme().token
        self.size, self.rows = size, np.arange(float(len(self.names))) % rows
        self.labels = [
            Label(name, size=size, color=color, align="center") for name in self.names.content
        ]
        self.submobjects = []
        self.add(self.dots, *self.labels)

    @property
    def spots(self) -> Points:
        """Where the beads are seen; (V, 3)."""
        return self.line.project(self.state)

    @property
    def places(self) -> Points:
        """The middles of the names; (V, 3)."""
        out, bend = -self.line.normals, self.line.bend
        row = LINE_HEIGHT * self.size * PX
        depth = _GAP + (1 - bend) * (_NUMBER + self.rows * row)
        halves = np.array([[label.width, X_HEIGHT * label.em, 0] for label in self.labels]) / 2
        return self.spots + depth[:, None] * out + np.clip(_ASIDE * out, -1, 1) * halves

    def hide(self) -> None:
        """Be not there yet: words fall onto the line."""
        self.grown[:] = 0
        self.see_names(0)
        self.redraw()

    def see_names(self, share: float, *but: int) -> None:
        """Let names be seen, or not, except some."""
        for k, label in enumerate(self.labels):
            if k not in but:
                label.set_fill(opacity=share)

    def fade_names(self, share: float, *but: int, run_time: float = 0.8) -> Drive:
        """Let names fade, or come back, except some."""
        start = 1.0 - share
        return Drive(
            self, lambda s: self.see_names(float(s), *but), start, share, run_time=run_time
        )

    def show(self, state: Points) -> None:
        """Stand at codes."""
        if not self.line.standing.scale:
            return
        radii = DOT * self.grown
        self.dots.set_points(
            np.concatenate([discs(p[None], r) for p, r in zip(self.spots, radii, strict=True)])
        )
        for label, place in zip(self.labels, self.places, strict=True):
            label.center_on(place)
        self.redraw_followers()

    def readings(self) -> Iterator[Reading]:
        """Where each bead stands, and the word that stands by it."""
        if not self.line.standing.scale or not is_visible(self.dots):
            return
        seen = middles(self.dots)
        for k, spot in enumerate(seen):
            for axis, says in enumerate(self.line.unproject(spot)):
                if self.grown[k] >= 1:
                    yield Reading(self.shown[k, axis], float(says))
        for label in filter(is_visible, self.labels):
            k = int(np.linalg.norm(self.places - label.middle, axis=1).argmin())
            yield Reading(self.names[k], label.text)


class Numbers(Linked):
    """The one number (V,) of each word, under its bead, and the 0 that it is counted from."""

    def __init__(self, places: Value, beads: Beads) -> None:
        super().__init__(places)
        self.beads = beads
        muted = theme().muted
        self.figures = [
            Figure(places[k], ".1f", size=MIN_SIZE, weight="regular", color=muted)
            for k in range(len(places))
        ]
        self.zero = Label("0", size=MIN_SIZE, color=muted, align="center")
        self.axis = Label("x", size=LABEL, weight="italic", color=muted, align="right")
        self.add(*self.figures, self.zero, self.axis)
        beads.follow(self)

    def show(self, state: Points) -> None:
        """Stand under the beads."""
        line = self.beads.line
        if not line.standing.scale:
            return
        down = np.array([0.0, -0.3 - CAP_HEIGHT * MIN_SIZE * PX, 0.0])
        for figure, spot in zip(self.figures, self.beads.spots, strict=True):
            figure.put(spot + down)
        self.zero.put(line.standing.origin + down)
        self.axis.put(line.curve.points[-1] + np.array([0.0, 0.14, 0.0]))

    def readings(self) -> Iterator[Reading]:
        """Which bead stands over each number."""
        spots = self.beads.spots
        for figure in self.figures:
            if is_visible(figure.number):
                k = int(np.abs(spots[:, 0] - figure.number.anchor[0]).argmin())
                yield Reading(self.shown[k], figure.number.value, 0.0)


def name_room(codes: Points, widths: Points) -> tuple[Points, Points]:
    """What names need beside and over their beads on the circle; (V,) and (V,)."""
    ways = np.abs(codes)
    aside = (1 + np.clip(_ASIDE * ways, 0, 1)) / 2
    high = LABEL * PX * LINE_HEIGHT
    return _GAP * ways[:, 0] + aside[:, 0] * widths, _GAP * ways[:, 1] + aside[:, 1] * high


class Drop(Motion):
    """Tiles fall onto the beads of their words and become their names."""

    def __init__(self, strip: Strip, beads: Beads, *, run_time: float = 3.0) -> None:
        names = list(beads.names.content)
        homes = [names.index(tile.label.text) for tile in strip.tiles]

        def prepare() -> Show:
            states = [tile.state for tile in strip.tiles]
            strip.moving |= set(range(len(states)))
            beads.see_names(0)
            places, labels = beads.places, beads.labels

            def at(share: float) -> None:
                come = in_turn(share, len(states), _EACH)
                come = come * come * (3 - 2 * come)
                grown = np.zeros(len(names))
                for tile, state, k, part in zip(strip.tiles, states, homes, come, strict=True):
                    small = [labels[k].width + 0.1, 0.3, beads.size]
                    goal = np.array([*places[k][:2], *small])
                    tile.draw(state + (goal - state) * float(part))
                    tile.box.set_fill(opacity=1 - part).set_stroke(opacity=1 - part)
                    grown[k] = max(grown[k], np.clip(4 * part - 3, 0, 1))
                beads.grown = grown
                beads.redraw()

            return at

        def settle() -> None:
            strip.moving.clear()
            for tile in strip.tiles:
                tile.present = 0.0
                tile.dress()
            beads.see_names(1)

        super().__init__(strip, prepare, settle, run_time=run_time, rate_func=lambda share: share)
