"""A circle of words: the two numbers of one, and the many that come to stand on it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from manim import VMobject

from clockhead.scenes.induction.line import DOT, Line
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.paths import discs, middles, straight
from clockhead.scenes.parts.plane import Points, spatial
from clockhead.scenes.stage import Linked, Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import LABEL, X_HEIGHT

_AIR = 0.16


class Pair(Linked):
    """The two numbers (2,) of a code as its shadows: how far right it is, and how far up."""

    def __init__(self, code: Value, line: Line) -> None:
        super().__init__(code)
        page = theme()
        self.line = line
        self.falls = VMobject(stroke_color=page.query, stroke_width=2.5)
        self.lengths = VMobject(stroke_color=page.query, stroke_width=11, stroke_opacity=0.45)
        ink = page.text_color("query")
        self.figures = [Figure(code[axis], ".2f", size=LABEL, color=ink) for axis in (0, 1)]
        self.add(self.lengths, self.falls, *self.figures)
        line.follow(self)

    def show(self, state: Points) -> None:
        """Draw the shadows of a code, and write each number away from it."""
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
        """Where the shadows end."""
        if is_visible(self.lengths):
            for axis, foot in enumerate(self.lengths.points[3::4]):
                yield Reading(self.shown[axis], self.line.unproject(foot)[axis])


class Ring(Linked):
    """So many tokens evenly on a circle, one of them in the direction of a code (2,).

    On the way to more of them all close up to that one, and new ones come in at the far side.
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
        """Ways of length 1 from the tokens that are there to the middle; (n, 3)."""
        steps = self.steps[: int(np.ceil(self.state))]
        angles = self._toward + steps * 2 * np.pi / self.state
        return -np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)

    @property
    def spots(self) -> Points:
        """Where they are seen; (n, 3)."""
        return self.line.middle - self.line.radius * self.normals

    @property
    def pitch(self) -> float:
        """From one to the next along the circle, in units."""
        return float(self.line.radius * 2 * np.pi / self.state)

    def show(self, state: Points) -> None:
        """Draw so many."""
        self.dots.set_points(discs(self.spots, min(DOT, 0.3 * self.pitch)))
        self.redraw_followers()

    def readings(self) -> Iterator[Reading]:
        """Where the first stands, and by its angle to the second, how many there are."""
        if is_visible(self.dots):
            seen = middles(self.dots)[:2]
            for axis, says in enumerate(self.line.unproject(seen[0])):
                yield Reading(self.code[axis], says)
            first, second = seen - self.line.middle
            turn = np.arctan2(first[0] * second[1] - first[1] * second[0], (first * second).sum())
            yield Reading(self.shown, float(2 * np.pi / turn), 1e-6 * float(self.state))
