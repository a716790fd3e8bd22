"""A matrix that can be made wide while it is talked about, and narrow when it is not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from manim import Rectangle
from numpy.typing import ArrayLike, NDArray

from scenes.parts.matrices.block_map import Block, BlockMap
from scenes.style.layout import Region
from scenes.style.motion import Drive
from scenes.style.theme import theme
from scenes.style.type import LABEL


class Pane(BlockMap):
    """A block map whose columns can be laid out anew, between any two x; its rows stay.

    It fills its region. `hidden` cells are left out; `edged` draws a line around all of them.
    """

    def __init__(
        self,
        values: ArrayLike,
        region: Region,
        *,
        columns: Sequence[Block],
        row_names: Sequence[str] = (),
        hidden: NDArray[np.bool_] | None = None,
        edged: bool = False,
    ) -> None:
        super().__init__(
            values,
            region,
            columns=columns,
            row_names=row_names,
            hidden=hidden,
            most_cell=region.width,
            square=False,
            name_size=LABEL,
        )
        self._edge = Rectangle().set_stroke(theme().hairline, 1.5)
        if edged:
            self.add_to_back(self._edge)
        self._fit_edge()

    def lay(self, left: float, right: float) -> None:
        """Lay the columns out between two x."""
        before = self.area
        old = [self.block(k).center[0] for k, block in enumerate(self.column_blocks) if block.name]
        ordinals = np.repeat(
            np.arange(len(self.column_blocks)), [block.size for block in self.column_blocks]
        )
        gaps = before.width - self.cell_width * len(ordinals)
        gap = gaps / max(1, len(self.column_blocks) - 1)
        self.cell_width = (right - left - gaps) / len(ordinals)
        self._x = left + (np.arange(len(ordinals)) + 0.5) * self.cell_width + gap * ordinals
        self._squares = self._square_paths()
        new = [self.block(k).center[0] for k, block in enumerate(self.column_blocks) if block.name]
        for name, a, b in zip(self.block_names, old, new, strict=True):
            name.shift(np.array([b - a, 0.0, 0.0]))
        for name in self.row_names:
            name.shift(np.array([left - before.left, 0.0, 0.0]))
        self._fit_edge()
        self.show(self.values)

    def lay_to(self, left: float, right: float, **options: Any) -> Drive:
        """Let the columns move to where they stand between two other x."""
        ends = self.area.left, self.area.right
        return Drive(self, lambda x: self.lay(*x.tolist()), ends, (left, right), **options)

    def _fit_edge(self) -> None:
        area = self.area
        self._edge.stretch_to_fit_width(area.width).stretch_to_fit_height(area.height)
        self._edge.move_to(area.center)
