"""A text as rows of numbers: a row per token, two one-hot halves side by side under their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from manim import VGroup
from numpy.typing import ArrayLike, NDArray

from scenes.parts.matrices.block_map import Block, BlockMap
from scenes.parts.matrices.logit_map import MOST_CELL
from scenes.style.layout import Region
from scenes.style.motion import Drive
from scenes.style.text import Label, text_width
from scenes.style.theme import theme
from scenes.style.type import LABEL

_BESIDE = 0.16
_BETWEEN = 0.4
_LAG = 0.45
"""How much later than a row the next one sets out, in flights."""


@dataclass(frozen=True, slots=True)
class Half:
    """What a half is called, what its columns stand for, and the colours of cells and names."""

    name: str
    columns: tuple[str, ...]
    color: str
    ink: str


class Halves(VGroup):
    """Two maps with T rows in a region, h columns each; only the left one names the rows.

    `left` and `right` are maps on their own, so that each may appear, dim or be replaced.
    """

    def __init__(
        self, values: ArrayLike, region: Region, rows: Sequence[str], left: Half, right: Half
    ) -> None:
        table = np.asarray(values, dtype=float)  # (T, 2h)
        self.half = table.shape[1] // 2
        beside = max(text_width(name, LABEL) for name in rows) + _BESIDE
        free = region.width - beside - _BETWEEN
        self.cell_width = min(MOST_CELL, free / (2 * self.half))
        width = self.half * self.cell_width
        start = region.center[0] - (beside + 2 * width + _BETWEEN) / 2
        middle = start + beside + width
        self._right = Region(
            middle + _BETWEEN, region.bottom, middle + _BETWEEN + width, region.top
        )
        whole = Region(start, region.bottom, middle, region.top)
        self.left = _map(table[:, : self.half], whole, rows, left)
        self.right = self.other(table[:, self.half :], right)
        super().__init__(self.left, self.right)

    def other(self, values: ArrayLike, half: Half) -> BlockMap:
        """A map (T, h) that may stand in place of the right half."""
        return _map(np.asarray(values, dtype=float), self._right, (), half)

    @property
    def area(self) -> Region:
        """The cells of both halves."""
        left, right = self.left.area, self.right.area
        return Region(left.left, left.bottom, right.right, left.top)

    def row(self, i: int) -> Region:
        """All cells of row `i`."""
        left, right = self.left.row(i), self.right.row(i)
        return Region(left.left, left.bottom, right.right, left.top)


def land(
    board: BlockMap,
    values: NDArray[np.float64],
    chips: Sequence[Label],
    columns: Sequence[int],
    *,
    run_time: float = 1.0,
) -> Drive:
    """Row after row, a chip flies to its column, and where it lands the row of `values` appears.

    `chips` and `columns` (T,): a label for every row, and where it goes.
    """
    starts = [chip.get_center() for chip in chips]
    ends = [board.middle(i, column) for i, column in enumerate(columns)]
    before = board.values.copy()

    def show(reached: NDArray[np.float64]) -> None:
        done = before.copy()
        for i, (chip, start, end) in enumerate(zip(chips, starts, ends, strict=True)):
            share = float(np.clip(float(reached) - i * _LAG, 0.0, 1.0))
            chip.move_to(start + (end - start) * (share * share * (3 - 2 * share)))
            chip.set_opacity(0.0 if share in (0.0, 1.0) else 1.0)
            if share == 1:
                done[i] = values[i]
        board.show(done)

    last = 1.0 + _LAG * (len(chips) - 1)
    return Drive(
        VGroup(board, *chips), show, 0.0, last, run_time=run_time, rate_func=lambda share: share
    )


def _map(values: NDArray[np.float64], region: Region, rows: Sequence[str], half: Half) -> BlockMap:
    board = BlockMap(
        values,
        region,
        columns=[Block(half.name, values.shape[1], half.color)],
        row_names=rows,
        column_names=half.columns,
        spec=".0f",
        most_cell=MOST_CELL,
        square=False,
    )
    for name in [*board.column_names, *board.block_names]:
        name.set_fill(half.ink)
    return board


def names(given: Sequence[str], width: int) -> tuple[str, ...]:
    """As many names as there are columns; those that nothing uses have none."""
    return (*given, *[""] * (width - len(given)))


def token_half(name: str, columns: Sequence[str], width: int) -> Half:
    """Tokens, in the colour of tokens."""
    return Half(name, names(columns, width), theme().token, theme().text_color("token"))
