"""An embedding, the unembedding that undoes it, and their product, as shaded cells."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import VGroup
from numpy.typing import ArrayLike, NDArray

from scenes.parts.matrices.block_map import Block, BlockMap
from scenes.style.layout import Region
from scenes.style.motion import Drive
from scenes.style.text import Formula, Label
from scenes.style.theme import theme
from scenes.style.type import LABEL

_SIGN = 0.75
"""Room between two matrices, for the sign between them, in units."""
_ABOVE, _BELOW = 0.45, 0.42
"""Room for a matrix's name and for its shape, in units."""


class EmbeddingProduct(VGroup):
    """E times U is F: matrices (n, d), (d, c) and (n, c), each shaded from 0 to its largest entry.

    They stand in a row where the region is wide or flat; in a tall one the product stands below.
    """

    def __init__(
        self, embedding: ArrayLike, unembedding: ArrayLike, product: ArrayLike, region: Region
    ) -> None:
        look = theme()
        tables = [scaled(table) for table in (embedding, unembedding, product)]
        colors = (look.token, look.attention, look.attention)
        places = _places(tables, region)
        self.maps = [_map(*each) for each in zip(tables, places, colors, strict=True)]
        names = ("embedding E", "unembedding U", "E U")
        self.names = [_over(m, name) for m, name in zip(self.maps, names, strict=True)]
        self.shapes = [_under(m) for m in self.maps]
        first, second, third = (m.area for m in self.maps)
        in_a_row = third.left > second.right
        x = (second.right + third.left) / 2 if in_a_row else third.left - _SIGN / 2
        times, equals = (Formula(sign, size=36, color=look.ink) for sign in ("times", "="))
        times.move_to(np.array([(first.right + second.left) / 2, first.center[1], 0.0]))
        equals.move_to(np.array([x, third.center[1], 0.0]))
        self.factors = VGroup(*self.maps[:2], *self.names[:2], *self.shapes[:2], times)
        self.whole = VGroup(self.maps[2], self.names[2], self.shapes[2], equals)
        super().__init__(self.factors, self.whole)

    def to(self, embedding: ArrayLike, unembedding: ArrayLike, *, run_time: float) -> list[Drive]:
        """Let the two factors run to others of the same shapes."""
        options: dict[str, Any] = {"run_time": run_time}
        return [
            self.maps[0].to(scaled(embedding), **options),
            self.maps[1].to(scaled(unembedding), **options),
        ]


def scaled(table: ArrayLike) -> NDArray[np.float64]:
    """A matrix in shares of its largest |entry|."""
    values = np.asarray(table, dtype=float)
    return np.asarray(values / np.abs(values).max())


def _places(tables: list[NDArray[np.float64]], region: Region) -> list[Region]:
    """Where the cells of each matrix go, all cells of one size and rows starting on one line."""
    rows, columns = (np.array(axis) for axis in zip(*(t.shape for t in tables), strict=True))
    band = _ABOVE + _BELOW
    flat = min(
        (region.width - 2 * _SIGN) / columns.sum(), (region.height - band) / float(rows.max())
    )
    tall = min(
        (region.width - _SIGN) / columns[:2].sum(),
        (region.height - 2 * band) / float(rows[:2].max() + rows[2]),
    )
    if flat >= tall:
        starts = np.cumsum([0.0, columns[0] * flat + _SIGN, columns[1] * flat + _SIGN])
        width, height = starts[2] + columns[2] * flat, rows.max() * flat + band
        left, top = region.center[0] - width / 2, region.center[1] + height / 2 - _ABOVE
        corners = [(left + start, top) for start in starts]
        return [_cells(c, t, flat) for c, t in zip(corners, tables, strict=True)]
    width = columns[:2].sum() * tall + _SIGN
    height = (rows[:2].max() + rows[2]) * tall + 2 * band
    left, top = region.center[0] - width / 2, region.center[1] + height / 2 - _ABOVE
    below = top - rows[:2].max() * tall - band
    middle = region.center[0] - columns[2] * tall / 2
    corners = [(left, top), (left + columns[0] * tall + _SIGN, top), (middle, below)]
    return [_cells(c, t, tall) for c, t in zip(corners, tables, strict=True)]


def _cells(corner: tuple[float, float], table: NDArray[np.float64], cell: float) -> Region:
    rows, columns = table.shape
    return Region(corner[0], corner[1] - rows * cell, corner[0] + columns * cell, corner[1])


def _map(table: NDArray[np.float64], place: Region, color: str) -> BlockMap:
    block = Block("", table.shape[1], color)
    return BlockMap(table, place, columns=[block], negative=theme().muted)


def _over(matrix: BlockMap, name: str) -> Label:
    spot = np.array([matrix.area.center[0], matrix.area.top + 0.16, 0.0])
    return Label(name, size=LABEL, weight="semibold", align="center").put(spot)


def _under(matrix: BlockMap) -> Label:
    rows, columns = matrix.values.shape
    spot = np.array([matrix.area.center[0], matrix.area.bottom - 0.3, 0.0])
    shape = f"{rows} × {columns}"
    return Label(shape, size=LABEL, color=theme().muted, align="center").put(spot)
