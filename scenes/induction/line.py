"""Words as beads on a line that bends into a circle, the same for two stages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import DOWN, LEFT, VGroup, VMobject

from clockhead.model.induction.bent_line import CURVE_STEPS, BentLine
from clockhead.scenes.induction.looks import Looks
from clockhead.scenes.parts.axis import Axis
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.paths import discs, middles, straight
from clockhead.scenes.parts.plane import Plane, Points, spatial
from clockhead.scenes.parts.scale import Scale
from clockhead.scenes.stage import Reading, Stage, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive, along
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import LINE_HEIGHT, MIN_SIZE, X_HEIGHT

DOT = 0.1
"""The radius of a bead."""
NAME_SIZE, _MOST = 34.0, 2.8
"""The largest letters of a name, in pixels, and the largest radius of the circle."""
_GAP, _NUMBER, _ASIDE = 0.35, 0.5, 2.5
"""From a bead to its name, what its number between them needs, and how fast a name moves from
under its bead to beside it, along the circle."""
_UNDER, _OVER, _HIGH = 1.2, 1.1, 0.45
"""The room under the straight line, over its bars, and the share of a canvas that these have."""
_FINDING = (0.1, 0.9)
"""Between these shares of its time the bending lets notes be found, evenly in time."""

_COUNT, _NUMBERS, _LEAST_NUMBERS = 38.0, 30.0, 24.0
"""The size of what is said of how many words are found, and of the numbers of the line."""
_WIDE = 1.5
"""How much wider than high a canvas has to be for this to stand beside the line, not under it."""


class Line(Plane):
    """A bead for each of `names` (V,) on a curve that bends, (S, C, 2), with its name outside.

    Once placed, it stands as the circle that it becomes; `lie` lays it out straight.
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

    def lie(self, canvas: Region) -> None:
        """Be straight, across a canvas, with room for names below and for bars above."""
        words, step = self.names.content, 2 * np.pi / len(self.names)
        widths = np.array([text_width(word, NAME_SIZE) for word in words])
        ends = max(widths[0], widths[-1])
        radius = min(canvas.width / (2 * np.pi), (canvas.width - ends) / (2 * np.pi - step))
        pitch, abreast = step * radius, (widths[:-1] + widths[1:]).max() / 2
        size = max(MIN_SIZE, NAME_SIZE * min(1.0, (pitch - 0.16) / abreast))
        rows = 1 if size > MIN_SIZE else int(np.ceil(widths.max() * size / NAME_SIZE / pitch + 0.2))
        self._drop = np.arange(len(words)) % rows * LINE_HEIGHT * size * PX
        self.labels = [Label(w, size=size, color=theme().token, align="center") for w in words]
        self.submobjects = [self.circle, self.zero, self.dots, *self.labels]
        under = _UNDER + self._drop.max()
        self.high = min(_HIGH * canvas.height, canvas.height - under - _OVER)
        self.canvas, self.radius, self.shown = canvas, float(radius), self.bends[0]
        spare = canvas.height - under - _OVER - self.high
        aside = radius * (self.state[0, 0] + self.state[-1, 0]) / 2
        self.stand(canvas.point(0.5, 0) + np.array([-aside, under + spare / 2, 0.0]))

    def show(self, state: Points) -> None:
        """Draw a curve (C, 2), and all that lies on it."""
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
        """Where the beads are seen; (V, 3)."""
        return self.project(spatial(self.state[self.at]))

    @property
    def normals(self) -> Points:
        """Ways of length 1 from the beads to where the circle's middle will be; (V, 3)."""
        ahead = self.state[self.at + 1] - self.state[self.at - 1]  # (V, 2)
        x, y = (ahead / np.linalg.norm(ahead, axis=1)[:, None]).T
        return np.stack([-y, x, 0 * x], axis=1)

    @property
    def pitch(self) -> float:
        """From bead to bead along the line, in units."""
        return 2 * np.pi * self.radius / len(self.at)

    @property
    def places(self) -> Points:
        """The middles of the names; (V, 3)."""
        out, length = -self.normals, np.linalg.norm(np.diff(self.state, axis=0), axis=1).sum()
        straightness = float(np.linalg.norm(self.state[-1] - self.state[0]) / length)
        halves = np.array([[word.width, X_HEIGHT * word.em, 0] for word in self.labels]) / 2
        depth = _GAP + straightness * (_NUMBER + self._drop)
        aside = np.clip(_ASIDE * out, -1, 1) * halves if self.labels else 0.0
        return self.spots + depth[:, None] * out + aside

    def see_names(self, share: float, *but: int, run_time: float = 0.8) -> Drive:
        """Let names come to be seen so far, except some."""
        labels = [label for k, label in enumerate(self.labels) if k not in but]

        def show(seen: Points) -> None:
            for label in labels:
                label.set_fill(opacity=float(seen))

        return Drive(self, show, 1.0 - share, share, run_time=run_time)

    def bend(self, circle: Points, **options: Any) -> tuple[Drive, Drive]:
        """Bend into a circle with this middle and radius (x, y, radius)."""
        ways = self._ways(circle)

        def show(place: Points) -> None:
            x, y, self.radius = map(float, along(ways, float(place)))
            self.stand(np.array([x, y, 0.0]))

        go = Drive(self, show, 0.0, len(ways) - 1.0, **options)
        return go, self.through(self.bends, **options)

    @property
    def standing(self) -> Points:
        """Its middle and radius; (3,)."""
        return np.array([*self.middle[:2], self.radius])

    def _ways(self, circle: Points) -> Points:
        """The same at every bend, (S, 3): smaller where it would leave the canvas."""
        curve, share = self.bends.array, np.linspace(0, 1, len(self.bends))[:, None]
        ways = self.standing + (circle - self.standing) * share
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
        """Points of the curve and the beads, from the zero as drawn; and the name at each bead."""
        zero = self.zero.points[:4].mean(axis=0) if self.zero.has_points() else self.middle
        pieces = [(k, self.circle.points[4 * k]) for k in range(0, len(self.state) - 1, 6)]
        beads = list(zip(self.at.tolist(), middles(self.dots), strict=True))
        for k, point in [*pieces, *(beads if is_visible(self.dots) else ())]:
            for axis in (0, 1):
                yield Reading(self.shown[k, axis], float((point - zero)[axis] / self.radius))
        for label in filter(is_visible, self.labels):
            k = int(np.linalg.norm(self.places - label.middle, axis=1).argmin())
            yield Reading(self.names[k], label.text)


class OnLine(Stage):
    """A stage in which the words of its `bent` stand on a line."""

    def make_line(self) -> Line:
        """The line; it can stand as a circle first."""
        self.line = Line(self["bent.curve"], self["bent.names"])
        return self.line

    def lay_line(self) -> None:
        """Lay the line out straight, with a scale under it, arrows and how many are found."""
        bent: BentLine = self.values.bent
        words = self.say_of(" of {bent.n_vocab} find themselves")
        green = theme().text_color("right")
        look: dict[str, Any] = {"suffix": words, "size": _COUNT, "color": green}
        self.count = Figure(self["bent.n_found"][0], ".0f", **look, align="left")
        page = self.canvas
        if page.width > _WIDE * page.height:
            self.count.put(page.point(0, 1) + 1.2 * _COUNT * PX * DOWN)
        else:  # bent, the line reaches far up
            under, page = page.cut_bottom(2 * _COUNT * PX)
            self.count.put(under.point(0.5, 0.3) + self.count.number.width / 2 * LEFT)
        self.line.lie(page)
        start, end = self.line.project(spatial(self.line.state[[0, -1]]))
        ticks = (*bent.places.tolist(), 0.0)
        low, high = self.line.state[[0, -1], 0].tolist()
        name = Label("x", size=NAME_SIZE, weight="italic", color=theme().muted, align="right")
        self.numbers = VGroup(name.put(end + np.array([0.0, 0.14, 0.0])))
        broad = text_width("−0.0", 1.0) + 0.16 / _NUMBERS  # between two numbers, one of them zero
        size = min(_NUMBERS, self.line.pitch / 2 / broad)
        if size >= _LEAST_NUMBERS:
            axis = Axis(Scale(low, high, ticks, ".1f", line=False), "bottom", size=size)
            axis.stand(start, end, 0.1)
            self.numbers.add(axis)
        self.looks = Looks(self["bent.looks_at"], self["bent.found"], self.line)

    def bend(self, circle: Points, run_time: float) -> tuple[Drive, ...]:
        """Let the line bend into a circle that stands there, and what is on it go along."""
        found = self["bent.n_found"]
        changes = np.flatnonzero(np.diff(found.array)) + 0.5
        times = [0, *np.linspace(*_FINDING, len(changes) + 2)[1:-1], 1]
        bends = [0, *changes / (len(found) - 1), 1]
        options: dict[str, Any] = {
            "run_time": run_time,
            "rate_func": lambda time: float(np.interp(time, times, bends)),
        }
        return (
            *self.line.bend(circle, **options),
            self.looks.follow_bend(**options),
            self.count.through(found, **options),
        )
