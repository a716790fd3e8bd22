"""Layout of the matrices of a product, and the frames around a row, a column and their cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts.cell_outlines import draw_around
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.paths import points_at, rectangle_middles
from clockhead.scenes.stage import Picture, Reading, Size
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.theme import Role, theme
from clockhead.scenes.style.type import LABEL, MIN_SIZE

Form = Literal["corner", "tower", "row"]
_SIZES = (LABEL, 20.0, MIN_SIZE)
_SEAM = 0.3
"""Gap between matrices, in units."""
_AIR = 0.16
"""Gap between a sign and its matrix, in units."""
_OPERATOR = 0.64
"""Space for × and = between matrices in a row, in units."""
_ASPECT = (0.5, 1.3)
"""Smallest and largest ratio of a cell's height to its width."""
_WIDTH = 4.0
_TOLERANCE = 0.02
"""How far a frame may be from the middle of its cell, in cells, to be read as that cell's."""
_WITHIN = 1e-6
Spot = tuple[float, float]


@dataclass(frozen=True)
class ProductPlan:
    """Layout of a product: the regions of the three matrices, and the middles of their signs."""

    shape: Form
    cells: tuple[Region, Region, Region]
    signs: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
    corner: Region
    """The free region above the left factor; empty unless the shape is "corner"."""
    size: float
    """Largest size of names, in pixels."""


@dataclass(frozen=True)
class Needs:
    """The matrices, signs and cell size that the layout depends on."""

    matrices: tuple[Matrix, Matrix, Matrix]
    sign_sizes: Sequence[Size]
    """Sizes of the three signs; width 0 for a sign that does not exist."""
    most_cell: float

    @property
    def counts(self) -> tuple[int, int, int]:
        """n, m and p of (n, m) times (m, p)."""
        left, right, _ = self.matrices
        return left.n_rows, left.n_columns, right.n_columns


class Arrangement:
    """One layout of a product, with a smallest cell: an alternative for `fit`."""

    def __init__(
        self, needs: Needs, stand: Callable[[ProductPlan], None], shape: Form, cell: Size
    ) -> None:
        self._needs, self._stand, self.shape, self._cell = needs, stand, shape, cell

    @property
    def least(self) -> Size:
        return self._extent(self._cell.width, self._cell.height, MIN_SIZE)

    @property
    def most(self) -> Size:
        side = self._needs.most_cell
        return self._extent(side, side, LABEL)

    def place(self, region: Region) -> None:
        """Lay out the product like this, centred in a region."""
        cell = self._cell
        fitting = ((size, *self._sides(region, size)) for size in _SIZES)
        enough = (one for one in fitting if one[1] >= cell.width and one[2] >= cell.height)
        size, width, height = next(enough, (MIN_SIZE, *self._sides(region, MIN_SIZE)))
        whole = self._extent(width, height, size)
        left = region.center[0] - whole.width / 2
        top = region.center[1] + whole.height / 2
        plans = {"corner": self._at_corner, "tower": self._in_tower, "row": self._in_row}
        self._stand(plans[self.shape](left, top, width, height, size))

    # Size

    @property
    def _counts(self) -> tuple[int, int]:
        """Number of columns side by side, and of rows one below the other."""
        n, m, p = self._needs.counts
        if self.shape == "corner":
            return m + p, m + n
        return (max(m, p), n + m + n) if self.shape == "tower" else (m + p + p, max(n, m))

    def _extent(self, width: float, height: float, size: float) -> Size:
        columns, rows = self._counts
        wide, high = self._fixed(width, size)
        return Size(wide + columns * width, high + rows * height)

    def _fixed(self, pitch: float, size: float) -> tuple[float, float]:
        """Width and height of everything that does not grow with the cells."""
        (a, over_a), (b, over_b), (c, _) = self._margins(pitch, size)
        signs, highest = self._needs.sign_sizes, self._highest
        if self.shape == "corner":
            return a + _SEAM + _sign_width(signs[2]), over_b + _SEAM
        if self.shape == "tower":
            beside = max(_sign_width(sign) for sign in signs)
            return max(a, b, c) + beside, over_a + over_b + 2 * _SEAM
        return a + b + 2 * _OPERATOR, max(over_a, over_b) + highest

    def _margins(self, pitch: float, size: float) -> list[tuple[float, float]]:
        """Space for names left of and above the cells of each matrix."""
        return [matrix.plan.margins(pitch, size) for matrix in self._needs.matrices]

    @property
    def _highest(self) -> float:
        """Height of the signs above matrices."""
        return max((sign.height + _AIR for sign in self._needs.sign_sizes if sign.width), default=0)

    def _sides(self, region: Region, size: float) -> tuple[float, float]:
        """Width and height of a cell in a region."""
        columns, rows = self._counts
        most, (least, highest) = self._needs.most_cell, _ASPECT
        pitch = most
        for _ in range(2):  # whether words must be turned depends on the width of cells
            wide, high = self._fixed(pitch, size)
            pitch = min(most, (region.width - wide) / columns)
        height = min(most, (region.height - high) / rows, highest * pitch)
        return min(pitch, height / least), height

    # The three layouts

    def _at_corner(self, left: float, top: float, w: float, h: float, size: float) -> ProductPlan:
        n, m, p = self._needs.counts
        (a, over_a), (b, over_b), _ = self._margins(w, size)
        signs = self._needs.sign_sizes
        x, y = left + a, top - over_b
        x_right, y_low = x + m * w + _SEAM, y - m * h - _SEAM
        one = Region(x, y_low - n * h, x + m * w, y_low)
        two = Region(x_right, y - m * h, x_right + p * w, y)
        three = Region(two.left, one.bottom, two.right, one.top)
        over = one.top + max(over_a, _AIR)
        middles = (
            points_at(one.center[0], over + signs[0].height / 2),
            points_at(two.left - max(b, _AIR) - signs[1].width / 2, two.center[1]),
            points_at(three.right + _AIR + signs[2].width / 2, three.center[1]),
        )
        edge = two.left - b - _sign_width(signs[1]) - _AIR
        corner = Region(left, over + signs[0].height + _AIR, edge, top)
        return ProductPlan("corner", (one, two, three), middles, corner, size)

    def _in_tower(self, left: float, top: float, w: float, h: float, size: float) -> ProductPlan:
        n, m, p = self._needs.counts
        (a, over_a), (b, over_b), (c, _) = self._margins(w, size)
        x, y = left + max(a, b, c), top - over_a
        y_two = y - n * h - _SEAM - over_b
        y_three = y_two - m * h - _SEAM
        one = Region(x, y - n * h, x + m * w, y)
        two = Region(x, y_two - m * h, x + p * w, y_two)
        three = Region(x, y_three - n * h, x + p * w, y_three)
        cells = (one, two, three)
        middles = [
            points_at(part.right + _AIR + sign.width / 2, part.center[1])
            for part, sign in zip(cells, self._needs.sign_sizes, strict=True)
        ]
        corner = Region(left, top, left, top)
        return ProductPlan("tower", cells, (middles[0], middles[1], middles[2]), corner, size)

    def _in_row(self, left: float, top: float, w: float, h: float, size: float) -> ProductPlan:
        n, m, p = self._needs.counts
        (a, over_a), (b, over_b), _ = self._margins(w, size)
        over = max(over_a, over_b)
        middle = top - over - self._highest - max(n, m) * h / 2
        x = left + a
        x_two = x + m * w + _OPERATOR + b
        x_three = x_two + p * w + _OPERATOR
        one = Region(x, middle - n * h / 2, x + m * w, middle + n * h / 2)
        two = Region(x_two, middle - m * h / 2, x_two + p * w, middle + m * h / 2)
        three = Region(x_three, one.bottom, x_three + p * w, one.top)
        cells, rooms = (one, two, three), (over_a, over_b, 0.0)
        middles = [
            points_at(part.center[0], part.top + max(room, _AIR) + sign.height / 2)
            for part, room, sign in zip(cells, rooms, self._needs.sign_sizes, strict=True)
        ]
        corner = Region(left, top, left, top)
        return ProductPlan("row", cells, (middles[0], middles[1], middles[2]), corner, size)


def _sign_width(sign: Size) -> float:
    return sign.width + _AIR if sign.width else 0.0


@dataclass(frozen=True)
class MeetingState:
    """The state of the frames around row i, column j and the cell where they meet."""

    at: Spot | None = None
    """Row and column, fractional during a motion; None if there are no frames."""
    pair: float | None = None
    """Index of the pair that is framed within row and column, if any."""
    seen: float = 1.0
    """Opacity of the frames, from 0 to 1."""
    moves: bool = False
    """Whether the frames are moving between cells."""


class Meeting(Picture):
    """Frames around row i of the left factor, column j of the right one, and cell (i, j).

    The reading checks that the framed row times the framed column is the framed cell.
    """

    def __init__(self, left: Matrix, right: Matrix, out: Matrix, role: Role) -> None:
        super().__init__(out.value)
        self._matrices, self.drawn = (left, right, out), MeetingState()
        self.paths = [
            Shape(stroke_color=theme().text_color(role), stroke_width=_WIDTH) for _ in range(5)
        ]
        self.row, self.column, self.cell, *_ = self.paths
        self.add(*self.paths)

    def show(self, state: NDArray[np.float64]) -> None:
        """Not supported: frames have no value to animate; use `draw`."""
        raise NotImplementedError("frames cannot be animated to another value")

    def draw(self, **changes: Any) -> None:
        """Draw the frames with these changes to their state."""
        self.drawn = state = replace(self.drawn, **changes)
        left, right, out = self._matrices
        lattices = [matrix.lattice for matrix in (left, right, out, left, right)]
        blocks: list[tuple[float, float, int, int]] = []
        if state.at is not None:
            i, j = state.at
            blocks = [(i, 0, 1, left.n_columns), (0, j, right.n_rows, 1), (i, j, 1, 1)]
            if state.pair is not None:
                blocks += [(i, state.pair, 1, 1), (state.pair, j, 1, 1)]
        for k, path in enumerate(self.paths):
            path.set_stroke(opacity=state.seen)
            draw_around(path, lattices[k], blocks[k : k + 1])

    def readings(self) -> Iterator[Reading]:
        """The framed row times the framed column, for the framed cell; none in motion."""
        left, right, _ = self._matrices
        if self.drawn.moves or not all(len(path.points) for path in self.paths[:3]):
            return
        places = [
            np.array(matrix.lattice.at(rectangle_middles(path.points)[0]))
            for matrix, path in zip(self._matrices, self.paths, strict=False)
        ]
        last = np.array(np.shape(self.shown.content)) - 1
        i, j = round(places[0][0]), round(places[1][1])
        cell = np.clip(np.rint(places[2]), 0, last).astype(int)
        meant = self.shown[int(cell[0]), int(cell[1])]
        off = np.abs([places[0][0] - i, places[1][1] - j, *(places[2] - cell)])
        if off.max() > _TOLERANCE:
            yield Reading(meant, "between two rows")
        else:
            says = float(left.table[i] @ right.table[:, j])
            yield Reading(meant, says, _WITHIN * max(1.0, abs(says)))
