"""Heat maps drawn as shapes: cells of one shade are one path, so thousands stay fast."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import ArrayLike, NDArray

from scenes.parts.matrices.grid import shade
from scenes.parts.paths import closed
from scenes.style.layout import Region
from scenes.style.motion import Drive
from scenes.style.theme import mix, theme

_SHADES = 48
_SEAM = 0.03
_FINE = 0.2
"""Cells smaller than this, in units, stand without a seam between them."""


class HeatMap(VGroup):
    """Values as shaded cells that fill a region, the first row on top.

    Every column is a group of its own, so that it can appear or dim; with `by_column` False the
    whole map is one. Shades are steps of 2 %, finer than one sees.
    """

    def __init__(
        self,
        values: ArrayLike,
        region: Region,
        *,
        low: float,
        high: float,
        color: str | None = None,
        by_column: bool = True,
    ) -> None:
        super().__init__()
        table = np.asarray(values, dtype=float)
        n_rows, n_columns = table.shape
        self.region = region
        self.cell_width, self.cell_height = region.width / n_columns, region.height / n_rows
        steps = np.rint(shade(table, low, high) * _SHADES).astype(int)  # (n_rows, n_columns)
        full = color or theme().token
        inks = [mix(theme().panel, full, step / _SHADES) for step in range(_SHADES + 1)]
        columns = np.split(np.arange(n_columns), n_columns if by_column else 1)
        self.columns = [self._group(steps, column, inks) for column in columns]
        self.opacities = np.ones(len(self.columns))
        self.add(*self.columns)

    def middle(self, i: int, j: int) -> NDArray[np.float64]:
        """The middle of cell (i, j)."""
        x = self.region.left + (j + 0.5) * self.cell_width
        return np.array([x, self.region.top - (i + 0.5) * self.cell_height, 0.0])

    def show(self, opacities: ArrayLike) -> None:
        """Make columns more or less visible: one opacity for each, from 0 to 1."""
        self.opacities = np.clip(np.asarray(opacities, dtype=float), 0, 1)
        for column, opacity in zip(self.columns, self.opacities, strict=True):
            column.set_fill(opacity=float(opacity))

    def write(self, run_time: float = 1.0) -> Drive:
        """Let the columns appear from left to right."""
        order = np.arange(len(self.columns))
        return Drive(
            self,
            lambda reached: self.show(float(reached) - order),
            0.0,
            len(order),
            run_time=run_time,
        )

    def keep(self, kept: Sequence[int], opacity: float = 0.25, run_time: float = 1.0) -> Drive:
        """Dim all columns but `kept`."""
        after = np.full(len(self.columns), opacity)
        after[list(kept)] = 1.0
        return Drive(self, self.show, self.opacities, after, run_time=run_time)

    def _group(
        self, steps: NDArray[np.int64], columns: NDArray[np.int64], inks: Sequence[str]
    ) -> VGroup:
        group = VGroup()
        for step in np.unique(steps[:, columns]):
            rows, places = np.nonzero(steps[:, columns] == step)
            path = VMobject(stroke_width=0, fill_color=inks[step], fill_opacity=1)
            group.add(path.set_points(self._cells(rows, columns[places])))
        return group

    def _cells(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.float64]:
        """Rectangles as cubic curves, one after the other; (16 N, 3)."""
        seam = _SEAM if min(self.cell_width, self.cell_height) > _FINE else -0.01
        half = np.array([self.cell_width - seam, self.cell_height - seam]) / 2
        turn = np.array([[1, 1, 0], [-1, 1, 0], [-1, -1, 0], [1, -1, 0]]) * [*half, 0]  # (4, 3)
        middles = np.array([self.middle(i, j) for i, j in zip(rows, columns, strict=True)])
        return closed(middles[:, None] + turn).reshape(-1, 3)
