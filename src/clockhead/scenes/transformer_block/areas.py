"""What layers learn, as areas to one scale: the matrices of a layer, and the numbers of a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.paths import rectangles, straight
from clockhead.scenes.stage import Picture, Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, hex_of, in_turn
from clockhead.scenes.style.text import Formula, Label
from clockhead.scenes.style.theme import Role, mix, theme
from clockhead.scenes.style.type import LABEL, MIN_SIZE

MATRICES: tuple[tuple[str, Role], ...] = (
    ("W_Q", "query"),
    ("W_K", "key"),
    ("W_V", "value"),
    ("W_O", "value"),
    ("W_1", "token"),
    ("W_2", "token"),
)
"""The matrices of a layer and their roles, in the order of the model."""
ATTENTION, MLP = slice(0, 4), slice(4, 6)
"""Those of attention, and those of the MLP."""
WIDEST = 4
"""How many squares wide W_1 may become."""

_GAP = 0.12
_STRENGTH = 0.6
"""How much of its role's colour is in an area."""
_EACH = 0.3
"""The share of the time that one area needs to come."""
_AWAY = 0.34
"""How far from areas their number is written, in units."""
_SIGN, _LINE, _SHAPE = 26.0, 0.14, 22.0
"""The size of signs, in pixels, how far they and shapes are from the middle of a square, in units,
and the size of shapes in a square of one unit."""
_ROUNDING = 1e-6

Edges = NDArray[np.float64]
"""Left, bottom, right and top of each area; (N, 4)."""


class Areas(Picture):
    """Rectangles whose areas are the value (N,), to one scale; `lay` says where they lie.

    `groups` are those whose sum is written under them, or `over` them. All have the size of their
    number as soon as they have come.
    """

    def __init__(
        self,
        value: Value,
        roles: Sequence[Role],
        lay: Callable[[NDArray[np.float64]], Edges],
        groups: Sequence[slice],
        *,
        over: bool = False,
    ) -> None:
        super().__init__(value)
        look, self._lay, self._groups, self._over = theme(), lay, groups, over
        self.rects = VGroup(*(VMobject(stroke_color=look.ground, stroke_width=2) for _ in roles))
        for rect, role in zip(self.rects, roles, strict=True):
            rect.set_fill(mix(look.panel, str(getattr(look, role)), _STRENGTH), 1)
        self._come = np.zeros(len(roles))
        self._square, self._figures = 1.0, VGroup()
        self.add(self.rects)

    @property
    def edges(self) -> Edges:
        """Where they lie once they have come."""
        return self._lay(self.state)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw areas of these sizes, as far as they have come."""
        for rect, come, (left, bottom, right, top) in zip(
            self.rects, self._come, self._lay(state), strict=True
        ):
            inside = rectangles(left, bottom, left + (right - left) * come, top)
            rect.set_points(inside if come > 0 else np.zeros((0, 3)))

    def come(self, first: int, stop: int, *, run_time: float) -> Drive:
        """Let areas come one after another, each from the left."""

        def show(share: NDArray[np.float64]) -> None:
            self._come[first:stop] = in_turn(float(share), stop - first, _EACH)
            self.show(self.state)

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def become(self, other: Areas, *, run_time: float) -> Drive:
        """Let them go where the first of others lie, which then take their place."""
        start, end = self.edges, other.edges[: len(self.rects)]
        self._come[:] = 0.0

        def show(share: NDArray[np.float64]) -> None:
            for rect, edges in zip(self.rects, start + (end - start) * share, strict=True):
                rect.set_points(rectangles(*edges))

        other._come[: len(start)] = 1.0
        other.show(other.state)
        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def write(
        self, values: Sequence[Value], spec: str, square: float = 1.0, suffix: str = ""
    ) -> VGroup:
        """The sum of each group, at its side; an area of 1 holds so many of what values count."""
        self._square = square
        self._figures = VGroup(*(Figure(value, spec, suffix=suffix) for value in values))
        for figure, group in zip(self._figures, self._groups, strict=True):
            edges = self.edges[group]
            y = edges[:, 3].max() + _AWAY / 2 if self._over else edges[:, 1].min() - _AWAY
            figure.put(np.array([(edges[:, 0].min() + edges[:, 2].max()) / 2, y, 0.0]))
        return self._figures

    def unwrite(self) -> None:
        """What is written belongs to them no more."""
        self._figures = VGroup()

    def readings(self) -> Iterator[Reading]:
        """Each area, as what it is of all, and of a group those beside the number of its sum."""
        if (self._come < 1).any():
            return
        corners = np.array([rect.points[:, :2] for rect in self.rects])  # (N, 16, 2)
        areas = np.ptp(corners, axis=1).prod(axis=1)
        areas *= float(self.state.sum()) / areas.sum()
        for k, area in enumerate(areas):
            yield Reading(self.shown[k], float(area), _ROUNDING)
        middles = [corners[group].mean(axis=(0, 1)) for group in self._groups]
        for figure in self._figures:
            if is_visible(figure) and isinstance(figure, Figure):
                at = figure.get_center()[:2]
                near = int(np.argmin([np.hypot(*(middle - at)) for middle in middles]))
                total = float(areas[self._groups[near]].sum()) * self._square
                yield Reading(figure.shown, total, _ROUNDING * max(1.0, total))


def names_in(areas: Areas, shapes: Sequence[str]) -> VGroup:
    """In the first square of each matrix of a layer its sign, and under that its shape."""
    names, edges = VGroup(), areas.edges
    side = float(edges[0, 2] - edges[0, 0])
    size = min(LABEL, max(MIN_SIZE, _SHAPE * side))
    for rect, (sign, _), shape in zip(areas.rects, MATRICES, shapes, strict=True):
        (left, top), ink = (
            (rect.get_left()[0], rect.get_top()[1]),
            theme().ink_on(hex_of(rect.get_fill_color())),
        )
        half = min(side, rect.height) / 2
        middle, up = np.array([left + side / 2, top - half, 0.0]), np.array([0.0, _LINE, 0.0])
        names.add(Formula(sign, size=_SIGN, color=ink).move_to(middle + up))
        names.add(Label(shape, size=size, color=ink).center_on(middle - up))
    return names


def squares_in(areas: Areas) -> VMobject:
    """Lines that cut what is not square into squares, as far as they go."""
    edges, lines = areas.edges, []
    side = edges[0, 2] - edges[0, 0]
    for left, bottom, right, top in edges[MLP]:
        xs, ys = (
            np.arange(left + side, right - _ROUNDING, side),
            np.arange(top - side, bottom + _ROUNDING, -side),
        )
        lines += [((x, bottom, 0.0), (x, top, 0.0)) for x in xs]
        lines += [((left, y, 0.0), (right, y, 0.0)) for y in ys]
    ends = np.array(lines).reshape(-1, 2, 3)
    cuts = VMobject(stroke_color=theme().ground, stroke_width=2)
    return cuts.set_points(straight(ends[:, 0], ends[:, 1]))


def matrices_in(attention: Region, mlp: Region) -> Callable[[NDArray[np.float64]], Edges]:
    """Four squares two by two, and beside or below them W_1, which is wide, and W_2, high."""
    wide, high = (mlp.width - _GAP) / (WIDEST + 1), mlp.height / WIDEST
    d = min(wide, high, (attention.width - _GAP) / 2, (attention.height - _GAP) / 2)

    def lay(areas: NDArray[np.float64]) -> Edges:
        x, y, _ = attention.center
        first, top = x - d - _GAP / 2, y + d + _GAP / 2
        lefts, tops = (first, first + d + _GAP), (top, top - d - _GAP)
        squares = [(left, top - d, left + d, top) for top in tops for left in lefts]
        right, down = areas[4] * d, areas[5] * d
        x, y, _ = mlp.center
        left, top = x - (right + d + _GAP) / 2, y + down / 2
        edge = left + right + _GAP
        one, two = (left, top - d, edge - _GAP, top), (edge, top - down, edge + d, top)
        return np.array([*squares, one, two])

    return lay


def layers_in(bar: Region, n: int) -> Callable[[NDArray[np.float64]], Edges]:
    """A bar cut into n layers of six matrices over each other, and last all that is no layer."""

    def lay(areas: NDArray[np.float64]) -> Edges:
        layers, unit = areas[:-1].reshape(n, -1), bar.width / areas.sum()
        right = bar.left + unit * layers.sum(axis=1).cumsum()  # (n,)
        left = np.concatenate([[bar.left], right[:-1]])
        tops = bar.bottom + bar.height * (layers / layers.sum(axis=1, keepdims=True)).cumsum(axis=1)
        bottoms = np.hstack([np.full((n, 1), bar.bottom), tops[:, :-1]])
        sides = (np.repeat(side, layers.shape[1]) for side in (left, right))
        lefts, rights = sides
        inside = np.stack([lefts, bottoms.ravel(), rights, tops.ravel()], axis=1)
        return np.vstack([inside, [right[-1], bar.bottom, bar.right, bar.top]])

    return lay
