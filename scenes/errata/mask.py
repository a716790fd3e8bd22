"""Rows of attention weights that add up to 0, because the mask came after the softmax."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from manim import Create

from clockhead.model.films.errata.mask import MaskOrders, mask_orders
from clockhead.scenes.errata.sheets import NUMBER
from clockhead.scenes.parts.cell_outlines import CellFrame, FramedCells, walk
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_moves import slide_cells
from clockhead.scenes.stage import (
    CAPTION,
    REST,
    Room,
    Size,
    Stage,
    Steps,
    beat,
    beside,
    fit,
    together,
)
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import Role

_SIDE, _SUM, _HEAD = 0.85, 0.95, 0.95
"""Room for words at the left of the cells, sums at their right, and names above, in units."""
_CELL, _LARGEST = 0.42, 1.0
"""Least and largest side of a cell, in units."""
_TO_SUM = 0.15
"""Gap between the cells and the sums, in units."""
_INSIDE = 0.04
"""How far frames of rows are inset, so that neighbouring frames do not touch, in units."""
_SPEC = (".2f", ".1f")


class Mask(Stage[MaskOrders]):
    """The printed attention weights, and both orders of mask and softmax."""

    title = "Rows of zeros"
    caption = "The printed table mixes both orders. Rows are shares only if the mask comes first."
    opens = ("printed",)

    compute = mask_orders

    def layout(self) -> None:
        self.n = self.values.n_tokens
        least = Size(_SIDE + _SUM + self.n * _CELL, _HEAD + self.n * _CELL)
        left, right, alone = Room(least), Room(least), Room(least)
        fit(self.canvas, beside(left, right))
        fit(self.canvas, alone)
        self.left, self.right = (_cells(room.region, self.n) for room in (left, right))
        middle = _cells(alone.region, self.n)
        self.printed = self._table("printed", middle, spec=".0f")
        self.printed_sums = self._sums("printed_sums", middle, spec=".0f")
        self.grid = self._table("scores", self.right, role="score", high=100.0, spec=".0f")
        self.over_all = self._table("over_all", self.right)
        self.masked = self._table("last.true", self.right, mask="causal")
        self.sums = self._sums("last_sums", self.right)

    def _table(self, path: str, area: Region, **options: Any) -> Matrix:
        look: dict[str, Any] = {"low": 0.0, "high": 1.0, "spec": _SPEC, "plain_zeros": True}
        words = {"rows": self["tokens"], "columns": self["tokens"]}
        table = Matrix(self[path], **(look | words | {"most_number": NUMBER} | options))
        table.place_cells(area, size=NUMBER)
        return table

    def _sums(self, path: str, area: Region, spec: Any = _SPEC) -> Matrix:
        look: dict[str, Any] = {"role": "residual", "low": 0.0, "high": 1.0, "aspect": None}
        sums = Matrix(self[path], spec=spec, most_number=NUMBER, **look)
        sums.place_cells(_sum_cells(area))
        return sums

    def _name(self, words: str, area: Region, *, over_sums: bool = False) -> Label:
        x = _sum_cells(area).center[0] if over_sums else area.center[0]
        label = Label(self.say_of(words), size=NUMBER, align="center", color="muted")
        return label.put(np.array([x, area.top + (0.2 if over_sums else 0.62), 0.0]))

    @staticmethod
    def _around(table: Matrix, rows: Iterable[int], role: Role) -> list[CellFrame]:
        return [table.frame(table.row(i).inset(_INSIDE), role) for i in rows]

    @beat("Each row says how one token shares out its attention.")
    def rows(self) -> Steps:
        ways = [[self.printed.row(i) for i in range(1, self.n)]]
        yield from walk([self.printed.frame_row(0, "query")], ways, 0.5 * self.reading)

    @beat(
        "Attention weights are shares, so each row must add up to 1. "
        "But {n_zero_rows} of these rows add up to 0.",
        ask="Which of these rows cannot be right?",
        rest=REST,
    )
    def zeros(self) -> Steps:
        self.sum_name = self._name("sum", self.printed.lattice.region, over_sums=True)
        yield 0.6 * together(FadeIn(self.sum_name), self.printed_sums.fill_rows())
        pairs = (self.printed, self.printed_sums)
        rows = self.values.zero_rows.tolist()
        self.empty = [frame for table in pairs for frame in self._around(table, rows, "wrong")]
        yield 0.3 * together(*map(Create, self.empty))

    @beat(
        "How can that happen? These are the scores: {full_score:g} where a token finds what it "
        "looks for."
    )
    def scores(self) -> Steps:
        yield FadeOut(*self.empty, self.sum_name, run_time=0.5)
        yield (
            slide_cells(self.printed, self.left, size=NUMBER, run_time=1.2),
            slide_cells(self.printed_sums, _sum_cells(self.left), run_time=1.2),
        )
        self.sum_name = self._name("sum", self.left, over_sums=True)
        self.name = self._name("scores", self.right)
        yield FadeIn(self._name("printed", self.left), self.sum_name, self.name, run_time=0.6)
        yield self.grid.fill_rows(run_time=1.6)

    @beat("Softmax makes them shares: two hits get one half each. Some of it goes to later tokens.")
    def softmax(self) -> Steps:
        yield self._rename("softmax"), self._swap(self.over_all)
        self.ahead = FramedCells(self["ahead"], self.grid.lattice, role="attention")
        yield 0.5
        yield FadeIn(self.ahead)

    @beat(
        "Now mask what lies ahead. The shares that were there are lost, and whole rows are empty.",
        rest=REST,
    )
    def mask(self) -> Steps:
        yield FadeOut(self.ahead, run_time=0.5)
        yield self._rename("softmax, then mask"), self._swap(self.masked)
        more = self._name("sum", self.right, over_sums=True)
        yield FadeIn(more, run_time=0.4), self.sums.fill_rows(run_time=1.4)

    @beat(
        "Not quite. {last.n_wrong} numbers are only half of what is printed.",
        ask="So this is how the table was made?",
    )
    def halves(self) -> Steps:
        lattices = self.printed.lattice, self.grid.lattice
        self.marks = FramedCells(self["last.wrong"], *lattices, role="wrong")
        yield FadeIn(self.marks)

    @beat(
        "Mask first, and every row adds up to 1. But now {first.n_wrong} numbers of the empty rows "
        "differ.",
        rest=REST,
    )
    def first(self) -> Steps:
        yield FadeOut(self.marks, run_time=0.5), self._rename("mask, then softmax")
        moves = self.grid.to(self["first.true"]), self.sums.to(self["first_sums"])
        yield together(*moves, run_time=1.6)
        lattices = self.printed.lattice, self.grid.lattice
        self.marks = FramedCells(self["first.wrong"], *lattices, role="wrong")
        yield FadeIn(self.marks)

    @beat(CAPTION)
    def end(self) -> Steps:
        yield FadeOut(self.marks, run_time=0.5)
        zeros = self.values.zero_rows.tolist()
        others = [i for i in range(self.n) if i not in zeros]
        frames = self._around(self.printed, zeros, "wrong")
        frames += self._around(self.printed, others, "right")
        yield [
            Create(frame) for frame in (*frames, self.grid.frame(self.grid.lattice.region, "right"))
        ]

    def _swap(self, table: Matrix) -> Any:
        """Replace the table at the right by another one."""
        before, self.grid = self.grid, table
        return together(FadeOut(before), FadeIn(table), run_time=1.0)

    def _rename(self, words: str) -> Any:
        """Change the name of the table at the right."""
        before, self.name = self.name, self._name(words, self.right)
        return together(FadeOut(before), FadeIn(self.name), run_time=1.0)


def _cells(region: Region, n: int) -> Region:
    """The region of a table's cells, which are slightly wider than high."""
    height = min((region.height - _HEAD) / n, _LARGEST)
    width = min((region.width - _SIDE - _SUM) / n, 1.2 * height)
    height = min(height, width)
    left = region.center[0] - (n * width + _SIDE + _SUM) / 2 + _SIDE
    top = region.center[1] + (n * height + _HEAD) / 2 - _HEAD
    return Region(left, top - n * height, left + n * width, top)


def _sum_cells(area: Region) -> Region:
    """The region of the rows' sums, beside the cells."""
    return Region(area.right + _TO_SUM, area.bottom, area.right + _SUM, area.top)
