"""English as a strip of 26 cells, two slices of it put together below, and all rows under these."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from clockhead.model.caesar.cipher import N_ROTATIONS
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.scale import Scale
from clockhead.scenes.stage import Size, Value
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.text import text_width
from clockhead.scenes.style.type import LABEL, MIN_SIZE

_PITCH = 0.46
"""The most from one letter to the next, in units."""
_STRIP, _TALLEST, _WORDS = 0.34, 0.75, 1.35 * LABEL * PX
"""The least and the most height of a strip, and that of the letters over it."""
_GAP = 0.1
_MARGIN = 0.5
"""The room for the numbers of rows, and as much at the other side."""
_LEAST_ROWS = 26 * 0.045
_FIFTHS = tuple(float(r) for r in range(0, N_ROTATIONS, 5))


def strip(frequencies: Value, letters: Value, high: float) -> Matrix:
    """A row of frequencies, (1, n), under its letters."""
    look: dict[str, Any] = {"role": "position", "low": 0.0, "high": high, "turns": (0.0,)}
    return Matrix(frequencies, columns=letters, aspect=None, least_cell=0.1, **look)


class Slices:
    """Room for two strips; `upper` holds all letters, `lower` what is put together of them."""

    def __init__(self) -> None:
        self.upper = self.lower = Region(0.0, 0.0, 0.0, 0.0)

    @property
    def least(self) -> Size:
        letter = text_width("m", MIN_SIZE) + 0.02
        return Size(2 * _MARGIN + N_ROTATIONS * letter, 2 * (_STRIP + _WORDS) + _GAP)

    @property
    def most(self) -> Size:
        more = 2 * (_TALLEST - _STRIP)
        return Size(2 * _MARGIN + N_ROTATIONS * _PITCH, self.least.height + more)

    def place(self, region: Region) -> None:
        """Fill a region from its middle."""
        left, right = columns_in(region)
        high = max(_STRIP, min(_TALLEST, (region.height - _GAP) / 2 - _WORDS))
        top = region.center[1] + high + _GAP / 2
        self.upper = Region(left, top - high, right, top)
        under = self.upper.bottom - _GAP - _WORDS
        self.lower = replace(self.upper, top=under, bottom=under - high)

    def part(self, first: int, n: int, *, lower: bool = False) -> Region:
        """So many places from one on."""
        whole = self.lower if lower else self.upper
        pitch = whole.width / N_ROTATIONS
        left = whole.left + first * pitch
        return replace(whole, left=left, right=left + n * pitch)


class Rows:
    """A matrix with a row for each rotation, numbered at the left, under the strips."""

    def __init__(self, matrix: Matrix) -> None:
        self.matrix = matrix
        down = Scale(N_ROTATIONS - 0.5, -0.5, _FIFTHS, "d", line=False)
        self.numbers = Chart(Scale(-0.5, N_ROTATIONS - 0.5, line=False), down)

    @property
    def least(self) -> Size:
        return Size(2 * _MARGIN + N_ROTATIONS * 0.1, _LEAST_ROWS)

    @property
    def most(self) -> Size:
        width = 2 * _MARGIN + N_ROTATIONS * _PITCH
        return Size(width, width)

    def place(self, region: Region) -> None:
        """Fill a region."""
        left, right = columns_in(region)
        area = Region(left, region.bottom, right, region.top)
        self.matrix.place_cells(area)
        self.numbers.place_area(area)


def columns_in(region: Region) -> tuple[float, float]:
    """Where the 26 columns begin and end in a region."""
    half = min(region.width / 2 - _MARGIN, N_ROTATIONS * _PITCH / 2)
    return float(region.center[0] - half), float(region.center[0] + half)
