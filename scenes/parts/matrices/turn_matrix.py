"""A block-diagonal turn, a vector, and their product: R v = w with every number in sight."""

from __future__ import annotations

import numpy as np
from manim import Rectangle, VGroup
from numpy.typing import ArrayLike, NDArray

from scenes.parts.matrices.grid import Grid, shade
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive
from scenes.style.text import Label, Number
from scenes.style.theme import mix, theme
from scenes.style.type import LABEL, MIN_SIZE

_SIGN = 0.4
"""Room for the equals sign."""


class SignedGrid(Grid):
    """A grid shaded by magnitude, with every number written; zeros off `blocks` are a plain 0.

    The fullest cell has `fullest` of the colour, so that one ink is legible on all of them.
    """

    def __init__(
        self,
        values: ArrayLike,
        region: Region,
        *,
        color: str,
        fullest: float,
        reach: float,
        blocks: ArrayLike,
    ) -> None:
        self._fullest = fullest
        self._blocks = np.asarray(blocks, dtype=bool)
        super().__init__(
            values, region, color=color, high=reach, spec=".3f", most_cell=9.0, square=False
        )

    def show(self, values: ArrayLike) -> None:
        self.values = np.asarray(values, dtype=float)
        for (i, j), share in np.ndenumerate(shade(np.abs(self.values), self.low, self.high)):
            fill = mix(theme().panel, self.color_of_cells, self._fullest * float(share))
            self.cells[i][j].set_fill(fill, 1)
            self._write(i, j, fill, float(share))

    def _write(self, i: int, j: int, fill: str, share: float) -> None:
        if (i, j) not in self.numbers:
            spec = ".3f" if self._blocks[i, j] else "d"
            self.numbers[i, j] = Number(0.0, spec, size=self._number_size())
            self._numbers.add(self.numbers[i, j])
        number = self.numbers[i, j].set_value(float(self.values[i, j]))
        ink = theme().ink_on(fill) if self._blocks[i, j] else theme().muted
        number.set_fill(ink).center_on(self.middle(i, j))

    def _number_size(self) -> float:
        return float(np.clip(self.cell_width / PX / 3.1, MIN_SIZE, 24.0))


class TurnEquation(VGroup):
    """Matrix, vector, equals sign and product in a region, all cells of one size.

    The position is written over the matrix, `token` over its vector. A block is two rows and two
    columns: one hand.
    """

    def __init__(
        self,
        matrix: ArrayLike,
        vector: ArrayLike,
        region: Region,
        *,
        token: str,
        most_cell: tuple[float, float] = (0.82, 0.62),
    ) -> None:
        super().__init__()
        turn = np.asarray(matrix, dtype=float)
        column = np.asarray(vector, dtype=float)[:, None]
        n = len(turn)
        header, body = region.cut_top(LABEL * PX * 1.2, 0.1)
        gap = 0.3
        self.cell_width = min(most_cell[0], (region.width - _SIGN - gap) / (n + 2))
        self.cell_height = min(most_cell[1], body.height / n)
        total = (n + 2) * self.cell_width + _SIGN + gap
        left = region.center[0] - total / 2
        top = body.top
        bottom = top - n * self.cell_height
        edges = np.cumsum([left, n * self.cell_width, gap, self.cell_width, _SIGN, self.cell_width])
        areas = [Region(edges[k], bottom, edges[k + 1], top) for k in (0, 2, 4)]
        hand = np.arange(n) // 2
        look = theme()
        reach = float(np.hypot(column[0::2], column[1::2]).max())
        everywhere = np.ones((n, 1), dtype=bool)
        self.matrix = SignedGrid(
            turn,
            areas[0],
            color=look.position,
            fullest=0.5,
            reach=1.0,
            blocks=hand[:, None] == hand,
        )
        self.vector = SignedGrid(
            column, areas[1], color=look.token, fullest=0.3, reach=reach, blocks=everywhere
        )
        self.product = SignedGrid(
            column, areas[2], color=look.token, fullest=0.3, reach=reach, blocks=everywhere
        )
        self.equals = Label("=", size=30, align="center").center_on(
            np.array([(areas[1].right + areas[2].left) / 2, (top + bottom) / 2, 0.0])
        )
        self.counter = Number(
            0,
            "d",
            size=LABEL,
            weight="semibold",
            prefix="turn to position ",
            color=look.text_color("position"),
        )
        words = (f"“{token}”", "after")
        over = [self.counter, *(Label(w, weight="semibold", align="center") for w in words)]
        for label, area in zip(over, areas, strict=True):
            label.put(np.array([area.center[0], header.bottom + 0.06, 0.0]))
        self.box = Region(left, bottom, left + total, region.top)
        self.add(self.matrix, self.vector, self.product, self.equals, *over)

    def show(self, position: int, matrix: ArrayLike, product: ArrayLike) -> None:
        """Show the turn of another position and what it makes of the vector."""
        self.counter.set_value(position)
        self.matrix.show(matrix)
        self.product.show(np.asarray(product, dtype=float)[:, None])

    def frames(self, i: int) -> VGroup:
        """Frames around block `i`, its pair of the vector, and its pair of the product."""
        w, h = self.cell_width, self.cell_height
        parts = ((self.matrix, 2 * i, 2), (self.vector, 0, 1), (self.product, 0, 1))
        frames = VGroup()
        for grid, column, wide in parts:
            first, last = grid.middle(2 * i, column), grid.middle(2 * i + 1, column + wide - 1)
            frame = Rectangle(width=wide * w, height=2 * h, stroke_color=theme().ink)
            frames.add(frame.set_stroke(width=3.5).move_to((first + last) / 2))
        return frames

    def row(self, i: int) -> float:
        """The y of the middle of block `i`."""
        return float((self.matrix.middle(2 * i, 0) + self.matrix.middle(2 * i + 1, 0))[1] / 2)

    def step_down(self, frames: VGroup, i: int, run_time: float = 1.0) -> Drive:
        """Let the frames go to block `i`."""
        start = np.array([frame.get_center() for frame in frames])
        end = np.array([frame.get_center() for frame in self.frames(i)])

        def show(middles: NDArray[np.float64]) -> None:
            for frame, middle in zip(frames, middles, strict=True):
                frame.move_to(middle)

        return Drive(frames, show, start, end, run_time=run_time)
