"""An embedding, an unembedding and their product, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import VGroup
from numpy.typing import NDArray

from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import Picture, Reading, Size, Value
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.text import Formula
from clockhead.scenes.style.theme import Role

_SIGN = 30.0
"""Size of the matrices' letters, in pixels at 720p."""
_BAND, _BETWEEN = 0.42, 0.6
"""Room for the letter above a matrix, and gap between two matrices, in units."""
_LEAST, _MOST = 0.04, 0.25
"""Least and largest side of a cell, in units."""
_SKEW = 2.5
"""Largest aspect ratio of a cell, in either direction."""
_ROUNDING = 1e-6
"""Tolerance of the product's readings, relative to its largest entry."""


class Factors(Picture):
    """E (V, D), U (D, R) and E U (V, R) side by side, as an equation, with cells of one size."""

    def __init__(self, embedding: Value, unembed: Value, product: Value) -> None:
        super().__init__(product)
        self.embedding = shaded_matrix(embedding, "residual")
        self.unembed = shaded_matrix(unembed)
        self.product = shaded_matrix(product)
        self.signs = VGroup(*(Formula(sign, size=_SIGN) for sign in ("E", "U", "E U")))
        self.between = VGroup(*(Formula(sign, size=_SIGN) for sign in ("dot", "=")))

    @property
    def matrices(self) -> tuple[Matrix, Matrix, Matrix]:
        """E, U and E U."""
        return self.embedding, self.unembed, self.product

    @property
    def state(self) -> NDArray[np.float64]:
        """The product as it is displayed now."""
        return self.product.state

    def show(self, state: NDArray[np.float64]) -> None:
        """Do nothing: each matrix draws itself."""

    def readings(self) -> Iterator[Reading]:
        """Compare a row and a column of the product with those of the displayed factors."""
        e, u, product = self.matrices
        found = e.state @ u.state
        row, column = found.shape[0] // 2, found.shape[1] // 2
        within = _ROUNDING * max(1.0, float(np.abs(found).max()))
        cells = {(row, j) for j in range(found.shape[1])} | {
            (i, column) for i in range(found.shape[0])
        }
        for i, j in sorted(cells):
            yield Reading(product.meant(i, j), float(found[i, j]), within)

    @property
    def least(self) -> Size:
        columns, rows = self._shape
        return Size(columns * _LEAST + 2 * _BETWEEN, rows * _LEAST / _SKEW + _BAND)

    @property
    def most(self) -> Size:
        columns, rows = self._shape
        return Size(columns * _MOST + 2 * _BETWEEN, rows * _MOST + _BAND)

    @property
    def _shape(self) -> tuple[int, int]:
        """Total number of columns, and number of rows of the tallest matrix."""
        return sum(m.n_columns for m in self.matrices), max(m.n_rows for m in self.matrices)

    def place(self, region: Region) -> None:
        """Centre the matrices in a region, with cells of one size."""
        columns, rows = self._shape
        width = min((region.width - 2 * _BETWEEN) / columns, _MOST)
        height = min((region.height - _BAND) / rows, _MOST)
        width, height = min(width, _SKEW * height), min(height, _SKEW * width)
        x, y = region.center[0] - (columns * width) / 2 - _BETWEEN, region.center[1] - _BAND / 2
        for k, (matrix, sign) in enumerate(zip(self.matrices, self.signs, strict=True)):
            wide, high = matrix.n_columns * width, matrix.n_rows * height
            matrix.place_cells(Region(x, y - high / 2, x + wide, y + high / 2))
            sign.move_to((x + wide / 2, y + (high + _BAND) / 2, 0.0))
            x += wide + _BETWEEN
            if k < 2:
                self.between[k].move_to((x - _BETWEEN / 2, y, 0.0))
        self.add(*self.matrices, self.signs, self.between)


def bound(value: Value) -> float:
    """The largest absolute value, which gets the strongest shade."""
    return float(abs(value.array).max())


def shaded_matrix(
    value: Value, role: Role = "position", negative: Role = "negative", **options: Any
) -> Matrix:
    """A matrix in two colours, strongest at the largest absolute value."""
    most = bound(value)
    return Matrix(value, role=role, negative=negative, low=-most, high=most, **options)
