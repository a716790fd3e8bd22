"""A weight matrix between one-hot rows as a picture: which half of a query meets which of a key."""

from __future__ import annotations

import numpy as np
from manim import DOWN, RIGHT, Rectangle, VGroup
from numpy.typing import ArrayLike, NDArray

from scenes.parts.matrices.block_map import Block, BlockMap
from scenes.parts.matrices.logit_map import grey
from scenes.style.layout import PX, Region
from scenes.style.text import Formula, Label, Number, text_width
from scenes.style.theme import theme
from scenes.style.type import SMALL, X_HEIGHT

_LINE = SMALL * PX * 1.5
_SIDE = 0.16
_SWATCH = 0.26
_NAME = 34.0


class WeightPicture(VGroup):
    """A matrix (2h, 2h) of which one block is not 0, and what its colours stand for.

    `name` is what the matrix is called, as mathematics. `halves` names the first and the second
    half of a row; `active` is the block that is not 0: the half of the query, then that of the key.
    """

    def __init__(
        self,
        weights: ArrayLike,
        region: Region,
        *,
        name: str,
        halves: tuple[str, str],
        active: tuple[int, int],
    ) -> None:
        values = np.asarray(weights, dtype=float)
        half, look = len(values) // 2, theme()
        high = float(np.abs(values).max())
        lines = [f"{name} of" for name in halves]
        beside = max(text_width(line, SMALL) for line in [*lines, "the query"]) + _SIDE
        inner = Region(
            region.left + beside, region.bottom + 1.3 * _LINE, region.right, region.top - _LINE
        )
        self.map = BlockMap(
            values,
            inner,
            columns=[
                Block("the key" if k == active[1] else name, half, look.attention)
                for k, name in enumerate(halves)
            ],
            rows=[Block("", half), Block("", half)],
            high=high,
            negative=grey(),
        )
        self.block = self.map.block(active[1], active[0])
        self.frame = self.map.frame(self.block)
        for k, label in enumerate(self.map.block_names):
            label.set_fill(look.text_color("key") if k == active[1] else look.muted)
        self.labels = VGroup(
            *self._side_names(halves, active[0]), self._key_name(halves, active[1])
        )
        self.title = self._title(name)
        self.legend = self._legend(np.unique(values)[::-1])
        super().__init__(self.map, self.labels, self.title, self.legend)

    def _title(self, name: str) -> Formula:
        """What the matrix is called, in the corner between the names of both sides."""
        formula, corner = Formula(name, size=_NAME), self.map.area
        place = np.array([corner.left - _SIDE, corner.top + 0.1, 0.0])
        return formula.move_to(place, aligned_edge=DOWN + RIGHT)

    def _side_names(self, halves: tuple[str, str], active: int) -> list[Label]:
        names = []
        for k, name in enumerate(halves):
            color = theme().text_color("query") if k == active else theme().muted
            block = self.map.block(0, k)
            lines = [f"{name} of", "the query"] if k == active else [name]
            for row, line in enumerate(lines):
                drop = (row - (len(lines) - 1) / 2) * _LINE * 0.85 + X_HEIGHT / 2 * SMALL * PX
                label = Label(line, size=SMALL, color=color, align="right")
                place = np.array([block.left - _SIDE, block.center[1] - drop, 0.0])
                names.append(label.put(place))
        return names

    def _key_name(self, halves: tuple[str, str], active: int) -> Label:
        """The line over the name of the key's half."""
        label = self.map.block_names[active]
        color = theme().text_color("key")
        words = Label(f"{halves[active]} of", size=SMALL, color=color, align="center")
        return words.put(label.anchor + np.array([0.0, 0.85 * _LINE, 0.0]))

    def _legend(self, values: NDArray[np.float64]) -> VGroup:
        """A swatch and its number, for each value in the matrix."""
        items, area = VGroup(), self.map.area
        y = area.bottom - 0.85 * _LINE
        step = min(1.3, (area.width + 0.6) / len(values))
        start = area.center[0] - step * len(values) / 2
        for k, value in enumerate(values):
            fill = theme().attention if value > 0 else grey() if value < 0 else theme().panel
            swatch = Rectangle(width=_SWATCH, height=_SWATCH, stroke_width=1.5, fill_color=fill)
            swatch.set_fill(opacity=1).set_stroke(theme().muted)
            x = start + k * step + _SWATCH / 2
            number = Number(float(value), ".0f", size=SMALL, align="left")
            drop = X_HEIGHT / 2 * SMALL * PX
            number.put(np.array([x + _SWATCH / 2 + 0.1, y - drop, 0.0]))
            items.add(swatch.move_to((x, y, 0.0)), number)
        return items
