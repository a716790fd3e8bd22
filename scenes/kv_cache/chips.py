"""Queries, keys and values as chips that count how often they are used, and lines from one to many.

The lines say who is asked; a number says in how many steps a vector has been needed so far.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import VGroup, VMobject, partial_bezier_points
from numpy.typing import NDArray

from scenes.kv_cache.board import Board, Point, Vector, box_of
from scenes.parts.tile_shapes import rounded
from scenes.stage import Picture, Reading, Value
from scenes.stage.shown import is_visible
from scenes.style.layout import PX
from scenes.style.motion import Drive, hex_of, in_turn
from scenes.style.text import Label, Number
from scenes.style.theme import Role, theme
from scenes.style.type import CAP_HEIGHT, X_HEIGHT

_ROLES: tuple[Vector, ...] = ("query", "key", "value")
_BULGE = 0.16
_LINE = 3.0
_LETTERS, _SHARE = 30.0, 0.58
"""The largest size of signs and numbers, in pixels, and its largest share of a chip's height."""
_EACH = 0.6


class Chips(Picture):
    """How often one vector of each token has been used, (T,): a sign and, from the first use on,
    the number. `signs` are those of query, key and value.
    """

    def __init__(self, uses: Value, board: Board, role: Vector, signs: Value) -> None:
        super().__init__(uses)
        look = theme()
        self._role, self._signs, self._board = role, signs, board
        ink = look.text_color(role)
        self._boxes = [box_of(role) for _ in range(board.n)]
        sign = str(signs.content[_ROLES.index(role)])
        self._size = min(_LETTERS, _SHARE * board.chip.height / PX)
        look_of: dict[str, Any] = {"size": self._size, "color": ink, "align": "center"}
        self._letters = [Label(sign, weight="italic", **look_of) for _ in self._boxes]
        self._numbers = [Number(0.0, "d", weight="semibold", **look_of) for _ in self._boxes]
        self._meant = [uses[k] for k in range(board.n)]
        self._seen, self._lent = np.zeros(board.n), np.zeros(board.n)
        """How far each is to be seen, and how much larger it is than usual."""
        self._counted = np.zeros(board.n, dtype=np.bool_)
        self._way = np.zeros((board.n, 3))
        for box in self._boxes:
            box.set_fill(look.panel).set_stroke(getattr(look, role), 3.0)
        pieces = zip(self._boxes, self._letters, self._numbers, strict=True)
        self.add(*(VGroup(*three) for three in pieces))
        self.draw()

    def set_to(self, value: Value) -> None:
        self.shown = value
        self._meant = [value[k] for k in range(self._board.n)]
        self.draw()

    def show(self, state: NDArray[np.float64]) -> None:
        self.draw()

    def draw(self) -> None:
        """Draw every chip as it is now."""
        board, size = self._board, self._board.chip
        lift = np.array([0.0, (CAP_HEIGHT - X_HEIGHT) / 2 * self._size * PX, 0.0])
        for k, place in enumerate(board.lane(self._role)):
            middle, seen, count = place + self._way[k], float(self._seen[k]), self._meant[k]
            swell = 1 + float(self._lent[k])
            box = self._boxes[k]
            box.set_points(rounded(swell * size.width, swell * size.height) + middle)
            box.set_fill(opacity=seen).set_stroke(opacity=seen)
            used = bool(self._counted[k])
            aside = np.array([0.22 * size.width if used else 0.0, 0.0, 0.0])
            self._letters[k].center_on(middle - aside - lift).set_fill(opacity=seen)
            number = self._numbers[k].set_value(float(count.content))
            number.center_on(middle + aside - lift).set_fill(opacity=seen * used)

    def come(self, k: int, *, run_time: float = 0.6) -> Drive:
        """Let the chip of word k come out of its tile."""
        way = self._board.at("tile", k) - self._board.at(self._role, k)

        def show(share: NDArray[np.float64]) -> None:
            self._way[k], self._seen[k] = way * (1 - float(share)), min(1.0, 2 * float(share))
            self.draw()

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def be_there(self) -> Chips:
        """Let all be seen at once."""
        self._seen[:], self._counted[:] = 1.0, self.state > 0
        self.draw()
        return self

    def use(self, uses: Value, *, run_time: float = 0.6) -> Drive:
        """Let chips bulge whose number changes, the last of them first; it changes at the top."""
        new = (uses.array > 0) & ~self._counted
        changed = np.flatnonzero(new | (uses.array != self.state))[::-1]
        self.shown = uses

        def show(share: NDArray[np.float64]) -> None:
            parts = in_turn(float(share), len(changed), _EACH)
            for k, part in zip(changed, parts, strict=True):
                self._lent[k] = _BULGE * np.sin(np.pi * part)
                if part > 0.5:
                    self._meant[k], self._counted[k] = uses[int(k)], True
            self.draw()

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def go(self, *, run_time: float = 1.0) -> Drive:
        """Let all sink away from the words and fade, one after another."""
        way = 0.5 * self._board.onwards

        def show(share: NDArray[np.float64]) -> None:
            gone = in_turn(float(share), self._board.n, _EACH)[:, None]
            self._way, self._seen = way * gone, 1 - gone[:, 0]
            self.draw()

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def readings(self) -> Iterator[Reading]:
        """Each number by the word it stands at, and the sign on the colour that it is drawn in."""
        lane, look = self._board.lane(self._role), theme()
        colors = [look.text_color(role).upper() for role in _ROLES]
        for box, letter, number in zip(self._boxes, self._letters, self._numbers, strict=True):
            if self._way.any() or not is_visible(letter):
                continue
            role = colors.index(hex_of(box.get_stroke_color()).upper())
            yield Reading(self._signs[role], letter.text)
            if is_visible(number):
                k = int(np.linalg.norm(lane - number.get_center(), axis=1).argmin())
                yield Reading(self._meant[k], float(number.text), 0.0)


class Lines(Picture):
    """Which of all tokens one of them asks, (T,): a line from a point to each of those asked.

    Each line may have a `start` of its own, (T, 3). With a `bow`, a line leaves and arrives in its
    direction, the farther the longer.
    """

    def __init__(
        self, asked: Value, start: Point, ends: Point, *, role: Role, bow: Point | None = None
    ) -> None:
        super().__init__(asked)
        self._ends, self._from, self._to = ends, 0.0, 0.0
        self._n = [n for n in range(len(asked)) if asked.array[n]]
        starts = np.broadcast_to(start, ends.shape)
        self._curves = [_curve(starts[n], ends[n], bow) for n in self._n]
        color = theme().text_color(role)
        self._paths = [VMobject(stroke_color=color, stroke_width=_LINE) for _ in self._n]
        self.add(*self._paths)
        self.set_z_index(-1)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw as much of every line as has come."""
        come = in_turn(self._to, len(self._n), _EACH)[::-1]
        for path, curve, to in zip(self._paths, self._curves, come, strict=True):
            whole = float(to) > self._from
            path.set_points(
                partial_bezier_points(curve, self._from, float(to)) if whole else np.zeros((0, 3))
            )

    def grow(self, *, run_time: float = 0.6) -> Drive:
        """Let the lines run to those asked, the nearest first."""
        return self._run(0.0, 1.0, run_time)

    def sink(self, *, run_time: float = 0.4) -> Drive:
        """Let them run on into those asked, and be gone."""
        return self._run(1.0, 2.0, run_time)

    def _run(self, start: float, end: float, run_time: float) -> Drive:
        def show(way: NDArray[np.float64]) -> None:
            self._to, self._from = min(1.0, float(way)), max(0.0, float(way) - 1)
            self.show(self.state)

        return Drive(self, show, start, end, run_time=run_time)

    def readings(self) -> Iterator[Reading]:
        """At which tokens a line arrives, once all of them are drawn."""
        if self._from > 0 or self._to < 1:
            return
        tips = np.array([path.points[-1] for path in self._paths])  # (N, 3)
        apart = np.linalg.norm(self._ends[:, None] - tips[None], axis=2)  # (T, N)
        reached = set(apart.argmin(axis=0).tolist())
        for n in range(len(self._ends)):
            yield Reading(self.shown[n], float(n in reached))


def _curve(start: Point, end: Point, bow: Point | None) -> Point:
    """A cubic from point to point, (4, 3)."""
    if bow is None:
        return np.array([start, start + (end - start) / 3, end - (end - start) / 3, end])
    out = bow * (0.4 + 0.3 * float(np.linalg.norm(end - start)))
    return np.array([start, start + out, end + out, end])
