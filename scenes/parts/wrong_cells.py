"""Outlines around the cells of a printed table that are wrong."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from clockhead.scenes.parts.cell_outlines import draw_around
from clockhead.scenes.parts.cells import Lattice
from clockhead.scenes.stage import Picture, Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.theme import theme


class WrongCells(Picture):
    """Around each cell of a matrix that is wrong, (R, C) truth values."""

    def __init__(self, wrong: Value, lattice: Lattice) -> None:
        super().__init__(wrong)
        self._lattice = lattice
        self.path = Shape(stroke_color=theme().text_color("wrong"), stroke_width=4.0)
        self.add(self.path)
        cells = np.argwhere(wrong.array > 0.5).tolist()
        draw_around(self.path, lattice, [(i, j, 1, 1) for i, j in cells])

    def readings(self) -> Iterator[Reading]:
        """Which cells are marked, and which are not."""
        corners = self.path.points.reshape(-1, 16, 3)
        middles = (corners.min(axis=1) + corners.max(axis=1)) / 2
        if len(middles) and not is_visible(self.path):
            return
        *places, are_centred = self._lattice.places(middles)
        marked = {(int(i), int(j)) for i, j in np.column_stack(places)[are_centred]}
        if len(marked) < len(middles):
            yield Reading(self.shown[0, 0], "a mark beside its cell")
        for cell in np.ndindex(self._lattice.n_rows, self._lattice.n_columns):
            yield Reading(self.shown[cell], float(cell in marked))
