"""Signs in the masked cells of later tokens: “−∞” for scores, 0 for attention weights."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from manim import UP

from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import Picture, Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.type import CAP_HEIGHT

_SIZE = 44.0
"""Size of the signs, in pixels at 720p."""
_SHARE = 0.8
"""Largest size of a sign, as a fraction of the height of a cell."""


class Ahead(Picture):
    """A sign in each cell of a later token: “−∞” as its score, or 0 as its attention weight."""

    def __init__(self, pattern: Value, grid: Matrix, sign: str = "−∞") -> None:
        super().__init__(pattern)
        self._grid, n = grid, grid.n_rows
        self.signs: list[Label] = []
        size = min(_SIZE, _SHARE * grid.lattice.cell_height / PX)
        for i, j in np.argwhere(~np.tri(n, dtype=bool)).tolist():
            label = Label(sign, size=size, align="center", color="muted")
            self.signs.append(
                label.center_on(grid.cell(i, j).center - CAP_HEIGHT / 6 * size * PX * UP)
            )
        self.add(*self.signs)

    def readings(self) -> Iterator[Reading]:
        """Compare the attention weight of every cell with a sign to 0."""
        for sign in self.signs:
            if is_visible(sign):
                yield Reading(self.shown[self._grid.lattice.nearest(sign.middle)], 0.0)
