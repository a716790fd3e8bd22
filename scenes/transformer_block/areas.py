"""What layers learn, as areas to one scale: the matrices of a layer, and the numbers of a model."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from scenes.parts.figures import Figure
from scenes.parts.paths import rectangles, straight
from scenes.stage import Picture, Reading, Value
from scenes.stage.shown import is_visible
from scenes.style.layout import Region
from scenes.style.motion import Drive, in_turn
from scenes.style.text import Formula, Paragraph
from scenes.style.theme import Role, mix, theme
from scenes.style.type import SMALL

_ROLES: tuple[Role, ...] = ("query", "key", "value", "value", "token", "token")
_SIGNS = ("W_Q", "W_K", "W_V", "W_O", "W_1", "W_2")
_SIGN, _GAP = 22.0, 0.12
_STRENGTH = 0.6
"""How much of its role's colour is in an area."""
_EACH = 0.3
"""The share of the time that one area needs to come."""
_WIDEST = 4.0
"""How many squares wide W_1 may become."""
_HIGH, _BAND = 2.0, 0.4
"""The height of a budget, and of the words over and under it, in units."""
_UNDER = 0.34
_ROUNDING = 1e-6


class Areas(Picture):
    """The six matrices of a layer: four squares, W_1 wider than high, W_2 higher than wide.

    The value (6,) are their areas, in squares; all have one scale, which a side of the squares is.
    """

    def __init__(self, value: Value) -> None:
        super().__init__(value)
        self._rects = VGroup(*(VMobject(stroke_width=0) for _ in _ROLES))
        self._signs = VGroup()
        for rect, role, sign in zip(self._rects, _ROLES, _SIGNS, strict=True):
            color = _shade(role)
            rect.set_fill(color, 1)
            self._signs.add(Formula(sign, size=_SIGN, color=theme().ink_on(color)))
        self._cuts = VMobject(stroke_color=theme().panel, stroke_width=2)
        self.side, self._square = 0.0, 1.0
        self.figures: list[Figure] = []
        self._come = np.zeros(len(_ROLES))
        self.add(self._rects, self._cuts, self._signs)

    def stand(self, attention: Region, mlp: Region) -> None:
        """Stand in two regions, those of attention in a row, and those of the MLP."""
        wide, narrow = (mlp.width - _GAP) / (_WIDEST + 1), (attention.width - 3 * _GAP) / 4
        self.side = min(wide, narrow, mlp.height / _WIDEST, attention.height)
        self._rooms = attention, mlp
        self.show(self.state)

    def write(self, values: tuple[Value, Value], square: float, unit: str = "") -> VGroup:
        """Under the matrices of attention, and under those of the MLP, what they come to.

        A square holds so many of what the values count.
        """
        self._square, edges = square, self._edges(self.state)
        self.figures = [Figure(value, ",d", suffix=unit) for value in values]
        for figure, of in zip(self.figures, (edges[:4], edges[4:]), strict=True):
            x = (of[:, 0].min() + of[:, 2].max()) / 2
            figure.put(np.array([x, of[:, 1].min() - _UNDER, 0.0]))
        return VGroup(*self.figures)

    def unwrite(self) -> list[Figure]:
        """The numbers under the matrices, which belong to them no more."""
        gone, self.figures = self.figures, []
        return gone

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw matrices of these areas, as far as they have come."""
        edges = self._edges(state)
        for rect, sign, (left, bottom, right, top), come in zip(
            self._rects, self._signs, edges, self._come, strict=True
        ):
            foot = top - (top - bottom) * come
            rect.set_points(rectangles(left, foot, right, top) if come > 0 else np.zeros((0, 3)))
            first = min(self.side, right - left), min(self.side, top - bottom)
            sign.move_to((left + first[0] / 2, top - first[1] / 2, 0.0))
            sign.set_opacity(float(come >= 1))
        self._cut_up(edges, float(state[4]), float(state[5]))

    def _cut_up(self, edges: NDArray[np.float64], wide: float, high: float) -> None:
        """Cut what is not square into squares, as far as they go."""
        (left, bottom, _, top), (x, _, right, y) = edges[4:]
        down = left + self.side * np.arange(1, np.ceil(wide - 1e-9))
        across = y - self.side * np.arange(1, np.ceil(high - 1e-9))
        ends = [((at, bottom, 0.0), (at, top, 0.0)) for at in down]
        ends += [((x, at, 0.0), (right, at, 0.0)) for at in across]
        lines = np.array(ends).reshape(-1, 2, 3)
        self._cuts.set_points(straight(lines[:, 0], lines[:, 1]))
        self._cuts.set_stroke(opacity=float(self._come[-1] >= 1))

    def come(self, *, run_time: float) -> Drive:
        """Let one matrix come after another."""

        def show(share: NDArray[np.float64]) -> None:
            self._come = in_turn(float(share), len(_ROLES), _EACH)
            self.show(self.state)

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def stack_in(self, column: Region, *, run_time: float) -> Drive:
        """Let them lie over each other in a column, which they fill: they stand for it no more."""
        start, slabs = self._edges(self.state), self.state / self.state.sum()
        tops = column.bottom + column.height * np.cumsum(slabs)
        sides = np.full(len(slabs), column.left), np.full(len(slabs), column.right)
        end = np.stack([sides[0], tops - column.height * slabs, sides[1], tops], axis=1)
        self._come[:] = 0.0

        def show(share: NDArray[np.float64]) -> None:
            now = start + (end - start) * float(share)
            for rect, edges in zip(self._rects, now, strict=True):
                rect.set_points(rectangles(*edges))
            for faint in (self._cuts, self._signs):
                faint.set_opacity(max(0.0, 1 - 4 * float(share)))

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def _edges(self, state: NDArray[np.float64]) -> NDArray[np.float64]:
        """Left, bottom, right and top of each; (6, 4)."""
        (attention, mlp), d = self._rooms, self.side
        x, y, _ = attention.center
        first = x - 2 * d - 1.5 * _GAP
        squares = [
            (left, y - d / 2, left + d, y + d / 2)
            for left in (first + k * (d + _GAP) for k in range(4))
        ]
        wide, high = state[4] * d, state[5] * d
        x, y, _ = mlp.center
        left, top = x - (wide + d + _GAP) / 2, y + max(d, high) / 2
        right = left + wide + _GAP
        one, two = (left, top - d, left + wide, top), (right, top - high, right + d, top)
        return np.array([*squares, one, two])

    def readings(self) -> Iterator[Reading]:
        """The area of each matrix, in squares as wide as W_Q, and of those over each number."""
        if (self._come < 1).any():
            return
        sizes = np.array([np.ptp(rect.points[:, :2], axis=0) for rect in self._rects])
        areas = sizes.prod(axis=1) / sizes[0, 0] ** 2
        for k, area in enumerate(areas):
            yield Reading(self.shown[k], float(area))
        x = np.array([rect.get_center()[0] for rect in self._rects])
        y = np.array([rect.get_center()[1] for rect in self._rects])
        for figure in self.figures:
            if is_visible(figure) and isinstance(self.shown, Value):
                away = np.hypot(x - figure.get_center()[0], y - figure.get_center()[1])
                over = slice(0, 4) if away.argmin() < 4 else slice(4, 6)
                yield Reading(figure.shown, float(areas[over].sum()) * self._square, _ROUNDING)


class Budget(Picture):
    """A bar cut into what each layer holds and, last, all that is no layer: (L + 1,).

    `lower` is what share of a layer is in attention, `figures` are the numbers over layers and the
    rest, and `words` stand under both.
    """

    def __init__(
        self, value: Value, lower: Value, figures: tuple[Figure, Figure], words: tuple[str, str]
    ) -> None:
        super().__init__(value)
        self._lower, self._figures, self._words = lower, figures, words
        ground = theme().ground
        self._paths = VGroup(*(VMobject(stroke_color=ground, stroke_width=2) for _ in range(3)))
        for path, role in zip(self._paths, ("attention", "token", "residual"), strict=True):
            path.set_fill(_shade(role), 1)
        self.texts = VGroup(VGroup(), VGroup())
        self._come = np.zeros(len(value))
        self.add(self._paths)

    def place(self, region: Region) -> None:
        """Lie across the middle of a region."""
        self._come[0] = 1.0
        high = min(_HIGH, region.height - 3 * _BAND)
        y = region.center[1] + _BAND / 2
        self.bar = Region(region.left, y - high / 2, region.right, y + high / 2)
        cut = self._ends(self.state)[-2]
        for k, (left, right) in enumerate(((region.left, cut), (cut, region.right))):
            figure, room = self._figures[k], right - left - _GAP
            figure.number.center_on(np.array([(left + right) / 2, self.bar.top + _BAND / 2, 0.0]))
            words = Paragraph(self._words[k], width=room, size=SMALL, color=theme().muted)
            words.move_to(((left + right) / 2, self.bar.bottom - 0.15 - words.height / 2, 0.0))
            self.texts[k].add(figure, words)
        self.show(self.state)

    @property
    def first(self) -> Region:
        """Where the first layer is."""
        bar = self.bar
        return Region(bar.left, bar.bottom, float(self._ends(self.state)[0]), bar.top)

    def come(self, first: int, stop: int, *, run_time: float) -> Drive:
        """Let pieces come one after another, each from the left."""

        def show(share: NDArray[np.float64]) -> None:
            self._come[first:stop] = in_turn(float(share), stop - first, _EACH)
            self.show(self.state)

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the pieces, as far as they have come."""
        bar, right = self.bar, self._ends(state)
        left = np.concatenate([[bar.left], right[:-1]])
        right = left + (right - left) * self._come
        cut = bar.bottom + bar.height * float(self._lower.content)
        layers = self._come[:-1] > 0
        sides = left[:-1][layers], right[:-1][layers]
        self._paths[0].set_points(rectangles(sides[0], bar.bottom, sides[1], cut))
        self._paths[1].set_points(rectangles(sides[0], cut, sides[1], bar.top))
        rest = rectangles(left[-1:], bar.bottom, right[-1:], bar.top)
        self._paths[2].set_points(rest if self._come[-1] > 0 else np.zeros((0, 3)))

    def _ends(self, state: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where each piece ends, to the right; (L + 1,)."""
        share = np.cumsum(state) / state.sum()
        return np.asarray(self.bar.left + self.bar.width * share)

    def readings(self) -> Iterator[Reading]:
        """How wide the pieces are, and how high attention reaches in a layer."""
        if not len(self._paths[0].points) or (self._come > 0).sum() != (self._come >= 1).sum():
            return
        scale = float(self.state.sum()) / self.bar.width
        edges = [_boxes(path) for path in self._paths]
        for k, (low, high) in enumerate(zip(edges[0], edges[1], strict=True)):
            yield Reading(self.shown[k], float(low[1, 0] - low[0, 0]) * scale)
            yield Reading(self.shown[k], float(high[1, 0] - high[0, 0]) * scale)
            whole = high[1, 1] - low[0, 1]
            yield Reading(self._lower, float((low[1, 1] - low[0, 1]) / whole))
        cut = self._ends(self.state)[-2]
        for figure in self._figures:
            is_rest = figure.number.get_center()[0] > cut
            under, n = (edges[2], 1) if is_rest else (edges[0], len(self._come) - 1)
            if len(under) == n and is_visible(figure.number):
                whole = float(np.ptp(under[..., 0], axis=1).sum())
                yield Reading(figure.shown, whole * scale, _ROUNDING)
        for box in edges[2]:
            yield Reading(self.shown[len(self._come) - 1], float(box[1, 0] - box[0, 0]) * scale)


def _shade(role: str) -> str:
    return mix(theme().panel, str(getattr(theme(), role)), _STRENGTH)


def _boxes(path: VMobject) -> NDArray[np.float64]:
    """The lower left and upper right corner of every rectangle of a path; (n, 2, 2)."""
    corners = path.points.reshape(-1, 16, 3)[..., :2]
    return np.stack([corners.min(axis=1), corners.max(axis=1)], axis=1)
