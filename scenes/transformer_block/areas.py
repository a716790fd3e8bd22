"""The matrices of a layer as areas to one scale, and the squares that they are cut into."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.paths import rectangles, straight
from clockhead.scenes.stage import Picture, Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.shape import fill_of
from clockhead.scenes.style.text import Formula, Label
from clockhead.scenes.style.theme import Role, mix, theme
from clockhead.scenes.style.type import LABEL, MIN_SIZE

_MATRICES: tuple[tuple[str, Role], ...] = (
    ("W_Q", "query"),
    ("W_K", "key"),
    ("W_V", "value"),
    ("W_O", "value"),
    ("W_1", "token"),
    ("W_2", "token"),
)
"""The matrices of a layer and their roles, in the order of the model."""
_GROUPS = slice(0, 4), slice(4, 6)
"""Those of attention, and those of the MLP."""
_WIDEST = 4
"""How many squares wide W_1 may become."""
_GAP, _STRENGTH, _AWAY = 0.12, 0.6, 0.34
"""Between areas, in units; how much of its role's colour is in each; how far under them their
number is written, in units."""
_SIGN, _LINE, _SHAPE = 26.0, 0.14, 22.0
"""The size of signs, in pixels, how far they and shapes are from the middle of a square, in units,
and the size of shapes in a square of one unit."""
_ROUNDING = 1e-6


class Areas(Picture):
    """Rectangles whose areas are the value (6,), to one scale.

    Four squares lie two by two in the room of attention; in that of the MLP lie W_1, which is wide,
    and W_2, which is high. Under both it can be written what they come to.
    """

    def __init__(self, value: Value, attention: Region, mlp: Region) -> None:
        super().__init__(value)
        self._rooms = attention, mlp
        wide, high = (mlp.width - _GAP) / (_WIDEST + 1), mlp.height / _WIDEST
        self._side = min(wide, high, (attention.width - _GAP) / 2, (attention.height - _GAP) / 2)
        look = theme()
        self.rects = VGroup(*(VMobject(stroke_width=0, fill_opacity=1) for _ in _MATRICES))
        for rect, (_, role) in zip(self.rects, _MATRICES, strict=True):
            rect.set_fill(mix(look.panel, str(getattr(look, role)), _STRENGTH))
        self._square = 1.0
        self.add(self.rects)
        self.show(value.array)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw areas of these sizes; what has been written belongs to them no more."""
        self._figures = VGroup()
        for rect, edges in zip(self.rects, self._edges(state), strict=True):
            rect.set_points(rectangles(*edges))

    def _edges(self, state: NDArray[np.float64]) -> NDArray[np.float64]:
        """Left, bottom, right and top of each; (6, 4)."""
        d, (attention, mlp) = self._side, self._rooms
        x, y, _ = attention.center
        columns = (x - d - _GAP / 2, x + _GAP / 2)
        tops = (y + d + _GAP / 2, y - _GAP / 2)
        squares = [(left, top - d, left + d, top) for top in tops for left in columns]
        wide, high = state[4:] * d
        x, y, _ = mlp.center
        left, top = x - (wide + d + _GAP) / 2, y + high / 2
        right = left + wide + _GAP
        return np.array(
            [*squares, (left, top - d, left + wide, top), (right, top - high, right + d, top)]
        )

    def describe(
        self, shapes: Sequence[str], sums: Sequence[Value], square: float = 1.0, suffix: str = ""
    ) -> VGroup:
        """The sign and the shape of each, and under each group its sum; for what they show now.

        A square is worth so many of what is summed.
        """
        self._square, d, edges = square, self._side, self._edges(self.state)
        self._figures = VGroup(*(Figure(value, ",d", suffix=suffix) for value in sums))
        for figure, group in zip(self._figures, _GROUPS, strict=True):
            some = edges[group]
            x = (some[:, 0].min() + some[:, 2].max()) / 2
            figure.put(np.array([x, some[:, 1].min() - _AWAY, 0.0]))
        size, up = min(LABEL, max(MIN_SIZE, _SHAPE * d)), np.array([0.0, _LINE, 0.0])
        told = VGroup(self._cuts(edges), self._figures)
        for k, (left, bottom, _, top) in enumerate(edges):
            ink = theme().ink_on(fill_of(self.rects[k]))
            middle = np.array([left + d / 2, top - min(d, top - bottom) / 2, 0.0])
            told.add(Formula(_MATRICES[k][0], size=_SIGN, color=ink).move_to(middle + up))
            told.add(Label(shapes[k], size=size, color=ink).center_on(middle - up))
        return told

    def _cuts(self, edges: NDArray[np.float64]) -> VMobject:
        """Lines that cut what is not square into squares, as far as they go."""
        d, lines = self._side, np.zeros((0, 2, 3))
        for left, bottom, right, top in edges[_GROUPS[1]]:
            xs = np.arange(left + d, right - _ROUNDING, d)
            ys = np.arange(top - d, bottom + _ROUNDING, -d)
            across = [((x, bottom, 0.0), (x, top, 0.0)) for x in xs]
            down = [((left, y, 0.0), (right, y, 0.0)) for y in ys]
            lines = np.concatenate([lines, np.array([*across, *down]).reshape(-1, 2, 3)])
        cuts = VMobject(stroke_color=theme().ground, stroke_width=2)
        return cuts.set_points(straight(lines[:, 0], lines[:, 1]))

    def readings(self) -> Iterator[Reading]:
        """Each area, as what it is of all, and the number under a group by what is over it."""
        corners = np.array([rect.points[:, :2] for rect in self.rects])  # (6, 16, 2)
        areas = np.ptp(corners, axis=1).prod(axis=1)
        areas *= float(self.state.sum()) / areas.sum()
        for k, area in enumerate(areas):
            yield Reading(self.shown[k], float(area), _ROUNDING)
        middles = [corners[group].mean(axis=(0, 1)) for group in _GROUPS]
        for figure in self._figures:
            if is_visible(figure) and isinstance(figure, Figure):
                at = figure.get_center()[:2]
                near = int(np.argmin([np.hypot(*(middle - at)) for middle in middles]))
                total = float(areas[_GROUPS[near]].sum()) * self._square
                yield Reading(figure.shown, total, _ROUNDING * max(1.0, total))
