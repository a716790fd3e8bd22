"""Queries, keys and values as chips that count how often they are used, and lines from one to many.

The lines say who is asked; a number says in how many steps a vector has been needed so far.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import VGroup, VMobject, partial_bezier_points
from numpy.typing import NDArray

from clockhead.scenes.kv_cache.board import Board, Point, Vector
from clockhead.scenes.parts.tile_shapes import Box, rounded
from clockhead.scenes.stage import Picture, Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.motion import Drive, hex_of, in_turn
from clockhead.scenes.style.text import Label, Number
from clockhead.scenes.style.theme import Role, theme
from clockhead.scenes.style.type import CAP_HEIGHT, X_HEIGHT

_ROLES: tuple[Vector, ...] = ("query", "key", "value")
_BULGE = 0.16
_LINE = 3.0
_LETTERS, _SHARE, _ASIDE = 30.0, 0.58, 0.22
"""The largest size of signs and numbers, in pixels, and its largest share of a chip's height; how
far they stand from its middle, as a share of its width.
"""
_EACH = 0.6


class Chips(Picture):
    """How often one vector of each token has been used, (T,): a sign, and the number.

    `signs` are those of query, key and value. With `hidden`, each waits until it comes.
    """

    def __init__(
        self, uses: Value, board: Board, role: Vector, signs: Value, *, hidden: bool = False
    ) -> None:
        super().__init__(uses)
        look, n = theme(), board.n
        self._signs, self._board, self._places = signs, board, board.lane(role)
        self._size = min(_LETTERS, _SHARE * board.chip.height / PX)
        look_of: dict[str, Any] = {"size": self._size, "align": "center"}
        look_of["color"] = look.text_color(role)
        sign = str(signs.content[_ROLES.index(role)])
        self._boxes = [Box().set_stroke(getattr(look, role), 3.0) for _ in range(n)]
        self._letters = [Label(sign, weight="italic", **look_of) for _ in range(n)]
        self._numbers = [
            Number(0.0, "d", prefix="×", weight="semibold", **look_of) for _ in range(n)
        ]
        self._counted = 1.0
        self._seen, self._lent = np.full(n, float(not hidden)), np.zeros(n)
        """How far each is to be seen, and how much larger it is than usual."""
        pieces = zip(self._boxes, self._letters, self._numbers, strict=True)
        self.add(*(VGroup(*three) for three in pieces))
        self.show(self.state)

    def show(self, state: NDArray[np.float64]) -> None:
        """Write these numbers, each on its chip."""
        size = self._board.chip
        lift = np.array([0.0, (CAP_HEIGHT - X_HEIGHT) / 2 * self._size * PX, 0.0])
        aside = np.array([_ASIDE * size.width * self._counted, 0.0, 0.0])
        for k, middle in enumerate(self._places):
            seen, swell = float(self._seen[k]), 1 + float(self._lent[k])
            box = self._boxes[k].set_fill(theme().panel, seen).set_stroke(opacity=seen)
            box.set_points(rounded(swell * size.width, swell * size.height) + middle)
            self._letters[k].center_on(middle - aside - lift).set_fill(opacity=seen)
            number = self._numbers[k].set_value(float(state[k]))
            number.center_on(middle + aside - lift).set_fill(opacity=seen * self._counted)

    def uncounted(self) -> Chips:
        """Be without numbers from now on."""
        self._counted = 0.0
        self.show(self.state)
        return self

    def come(self, k: int, *, run_time: float = 0.6) -> Drive:
        """Let the chip of word k appear."""

        def show(share: NDArray[np.float64]) -> None:
            self._seen[k] = float(share)
            self.show(self.state)

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def use(self, uses: Value, *, run_time: float = 0.6) -> Drive:
        """Let chips bulge whose number changes, the last of them first, and change the numbers."""
        changed = np.flatnonzero(uses.array != self.state)[::-1]

        def show(share: NDArray[np.float64]) -> None:
            parts = in_turn(float(share), len(changed), _EACH)
            self._lent[changed] = _BULGE * np.sin(np.pi * parts)
            if share > 0.5:
                self.shown = uses
            self.show(self.state)

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def readings(self) -> Iterator[Reading]:
        """Each number by the word it stands at, and the sign on the colour that it is drawn in."""
        colors = [theme().text_color(role).upper() for role in _ROLES]
        for box, letter, number in zip(self._boxes, self._letters, self._numbers, strict=True):
            if is_visible(letter):
                role = colors.index(hex_of(box.get_stroke_color()).upper())
                yield Reading(self._signs[role], letter.text)
            if is_visible(number):
                apart = np.linalg.norm(self._places - number.get_center(), axis=1)
                says = float(number.text.removeprefix(number.prefix))
                yield Reading(self.shown[int(apart.argmin())], says, 0.0)


class Lines(Picture):
    """Which of all tokens one of them asks, (T,): a line from a point to each of those asked.

    Each line may have a `start` of its own, (T, 3). With a `bow`, a line leaves and arrives in its
    direction, the farther the longer.
    """

    def __init__(
        self, asked: Value, start: Point, ends: Point, *, role: Role, bow: Point | None = None
    ) -> None:
        super().__init__(asked)
        self._ends, self._way = ends, 0.0
        starts, which = np.broadcast_to(start, ends.shape), np.flatnonzero(asked.array)
        self._curves = [_curve(starts[n], ends[n], bow) for n in which]
        self.path = VMobject(stroke_color=theme().text_color(role), stroke_width=_LINE)
        self.add(self.path)
        self.set_z_index(-1)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw as much of every line as has come, and is not yet gone."""
        start, n = max(0.0, self._way - 1), len(self._curves)
        ends = in_turn(min(1.0, self._way), n, _EACH)[::-1]
        drawn = zip(self._curves, ends, strict=True)
        pieces = [partial_bezier_points(curve, start, end) for curve, end in drawn if end > start]
        self.path.set_points(np.concatenate([np.zeros((0, 3)), *pieces]))

    def run(self, to: float, *, run_time: float) -> Drive:
        """Let the lines run to those asked, 1, the nearest first, and on into them, 2."""

        def show(way: NDArray[np.float64]) -> None:
            self._way = float(way)
            self.show(self.state)

        return Drive(self, show, to - 1, to, run_time=run_time)

    def readings(self) -> Iterator[Reading]:
        """At which tokens a line arrives, once all of them are drawn."""
        if self._way != 1:
            return
        tips = self.path.points.reshape(-1, 4, 3)[:, -1]  # (N, 3)
        apart = np.linalg.norm(self._ends[:, None] - tips[None], axis=2)  # (T, N)
        reached = set(apart.argmin(axis=0).tolist())
        for n in range(len(self._ends)):
            yield Reading(self.shown[n], float(n in reached))


def _curve(start: Point, end: Point, bow: Point | None) -> Point:
    """A cubic from point to point, (4, 3)."""
    way = end - start
    if bow is None:
        return np.array([start, start + way / 3, end - way / 3, end])
    out = bow * (0.4 + 0.3 * float(np.linalg.norm(way)))
    return np.array([start, start + out, end + out, end])
