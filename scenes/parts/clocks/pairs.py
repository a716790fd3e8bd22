"""A query and a key at two positions: their hands on one dial, and the angle between them."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Dot, Line, VGroup, VMobject
from numpy.typing import ArrayLike, NDArray

from scenes.parts.clocks.clock import Clock, tip
from scenes.parts.sentence import Sentence
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive
from scenes.style.text import Label, Number
from scenes.style.theme import theme
from scenes.style.type import LABEL, X_HEIGHT

BIG = 34.0
_ANGLE = 26.0


class PairClock(Clock):
    """A dial with the hand of a query, thick, and the hand of a key, thin with a round tip.

    `show_pair` takes the query's angle and how far the key's is ahead of it; the wedge between the
    two appears with `wedge.set_fill(opacity=...)`.
    """

    def __init__(self, radius: float) -> None:
        look = theme()
        super().__init__(radius, color=look.query)
        self.wedge = VMobject(stroke_width=0, fill_color=look.position, fill_opacity=0)
        self.key_hand = VMobject(stroke_color=look.key, stroke_width=max(2.5, radius * 5))
        self.key_tip = Dot(radius=max(0.06, radius * 0.1), color=look.key)
        self.remove(self.hand, self.hub)
        self.add(self.wedge, self.hand, self.hub, self.key_hand, self.key_tip)
        self.ahead = 0.0
        self.show_pair(0.0, 0.0)

    def show_pair(self, query: float, ahead: float) -> None:
        """Set both hands, in radians clockwise from twelve."""
        self.show(query)
        self.ahead = ahead
        end = tip(self.middle, self.radius * 0.8, query + ahead)
        self.key_hand.set_points_as_corners([self.middle, end])
        self.key_tip.move_to(end)
        between = query + np.linspace(0.0, ahead, 2 + int(abs(ahead) * 10))
        rim = [tip(self.middle, self.radius * 0.66, a) for a in between]
        self.wedge.set_points_as_corners([self.middle, *rim, self.middle])


class PairRow(VGroup):
    """Dials with the hands of one query and one key, for some hands of a head.

    Says which positions they stand at, has room for an angle under each dial (`angles`) and for
    the score (`score`); both appear when they are added to the scene.
    """

    def __init__(
        self, positions: tuple[int, int], degrees: ArrayLike, score: float, region: Region
    ) -> None:
        super().__init__()
        self.heading, dials = _furnish(positions, region)
        self.degrees = np.asarray(degrees, dtype=float)
        self.clocks = _dials(len(self.degrees), dials)
        self.add(self.heading, *self.clocks)
        self.angles = VGroup(*(self._angle(k) for k in range(len(self.clocks))))
        self.score = _score(score, region, dials)
        self.state = np.zeros((2, len(self.clocks)))

    def show(self, state: NDArray[np.float64]) -> None:
        """Set all hands: the angles of the query, and how far the key is ahead; (2, hands)."""
        self.state = state
        for clock, query, ahead in zip(self.clocks, *state, strict=True):
            clock.show_pair(float(query), float(ahead))

    def turn(self, query: ArrayLike, ahead: ArrayLike, **options: Any) -> Drive:
        """Turn the hands of the query to angles, the key `ahead` of it."""
        return Drive(self, self.show, self.state, np.array([query, ahead]), **options)

    def shade(self, **options: Any) -> Drive:
        """Fill the angle between the two hands of every dial."""

        def show(opacity: NDArray[np.float64]) -> None:
            for clock in self.clocks:
                clock.wedge.set_fill(opacity=float(opacity))

        return Drive(self, show, 0.0, 0.45, **options)

    def _angle(self, k: int) -> Number:
        clock = self.clocks[k]
        color = theme().text_color("position")
        number = Number(self.degrees[k], ".1f", size=_ANGLE, color=color, suffix="°")
        return number.center_on(clock.middle - np.array([0, clock.radius + 0.24, 0]))


_SIDE = 2.35
_UNDER = 0.48
_WORDS = 26.0
"""Room beside the dials for words and for the score, and under each dial for its angle."""


def _furnish(positions: tuple[int, int], region: Region) -> tuple[VGroup, Region]:
    """Where the two stand, with the look of their hands; and what is left for the dials."""
    look = theme()
    size = _WORDS if _has_sides(region) else LABEL
    query = Sentence("query at ", (positions[0], "d"), size=size, color=look.text_color("query"))
    key = Sentence("key at ", (positions[1], "d"), size=size, color=look.text_color("key"))
    thick, thin = _samples()
    if _has_sides(region):
        x, y = region.left + 0.3, region.center[1] + _UNDER / 2
        places = [np.array([x, y + 0.12, 0]), np.array([x, y - 0.4, 0])]
        dials = Region(region.left + _SIDE, region.bottom, region.right - _SIDE, region.top)
    else:
        y = region.top - 0.28
        places = [np.array([region.left + x, y, 0]) for x in (0.3, 0.3 + query.length + 0.7)]
        dials = Region(region.left, region.bottom, region.right, region.top - 0.45)
    for words, sample, place in zip((query, key), (thick, thin), places, strict=True):
        words.put(place)
        sample.shift(place + np.array([-0.2, X_HEIGHT / 2 * size * PX, 0]))
    return VGroup(thick, query, thin, key), dials


def _samples() -> tuple[VGroup, VGroup]:
    """A piece of each hand, standing upright on the origin."""
    look, half = theme(), 0.16
    up, down = np.array([0, half, 0]), np.array([0, -half, 0])
    thick = VGroup(Line(down, up).set_stroke(look.query, 6))
    thin = VGroup(Line(down, up).set_stroke(look.key, 3), Dot(up, radius=0.06, color=look.key))
    return thick, thin


def _has_sides(region: Region) -> bool:
    return region.width > 10


def _dials(n: int, region: Region) -> list[PairClock]:
    rows = 1 if region.width > 2 * region.height or n == 1 else 2
    columns = -(-n // rows)
    step_x, step_y = region.width / columns, region.height / rows
    radius = min(step_x * 0.44, (step_y - _UNDER) * 0.48)
    clocks = []
    for k in range(n):
        row, column = divmod(k, columns)
        in_row = min(columns, n - row * columns)
        x = (column - (in_row - 1) / 2) * step_x
        y = ((rows - 1) / 2 - row) * step_y + _UNDER / 2
        clock = PairClock(radius)
        clock.shift(region.center + np.array([x, y, 0]))
        clock.show_pair(0.0, 0.0)
        clocks.append(clock)
    return clocks


def _score(score: float, region: Region, dials: Region) -> VGroup:
    number = Number(score, ".6f", size=BIG, weight="semibold", align="right")
    if _has_sides(region):
        word = Label("score", color=theme().muted, align="right")
        y = dials.center[1] + _UNDER / 2
        word.put(np.array([region.right, y + 0.14, 0]))
        return VGroup(word, number.put(np.array([region.right, y - 0.36, 0])))
    number.put(np.array([region.right, region.top - 0.3, 0]))
    word = Label("score", color=theme().muted, align="right")
    return VGroup(word.put(np.array([number.get_left()[0] - 0.15, region.top - 0.3, 0])), number)
