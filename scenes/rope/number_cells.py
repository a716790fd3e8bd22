"""Matrices and vectors that are multiplied: cells, shaded up to a bound, with their numbers."""

from __future__ import annotations

from typing import Any

from scenes.parts.cells import Brackets
from scenes.parts.matrix import Matrix
from scenes.stage import Size, Value
from scenes.style.layout import Region
from scenes.style.theme import Role

_CELL = Size(0.5, 0.36)
"""The smallest cell in which a number of two decimals can be read, in units."""


class NumberCells(Matrix):
    """Numbers from `-most` to `most`, in which two and two belong together."""

    def __init__(self, value: Value, role: Role, most: float, **options: Any) -> None:
        look: dict[str, Any] = {"negative": "residual", "spec": (".3f", ".2f", ".1f")}
        look |= {"most_cell": 0.85, "aspect": (_CELL.height / _CELL.width, 1.3)}
        super().__init__(value, role=role, low=-most, high=most, **look | options)

    @property
    def least(self) -> Size:
        around = 2 * Brackets.room
        return Size(self.n_columns * _CELL.width + around, self.n_rows * _CELL.height + around)

    def pair(self, i: int) -> Region:
        """The cells of pair i: its block of a matrix, its two numbers of a vector."""
        column, n_columns = (2 * i, 2) if self.n_columns > 1 else (0, 1)
        return self.block(2 * i, column, 2, n_columns)
