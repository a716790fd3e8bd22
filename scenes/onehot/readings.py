"""Coda: the table of attention that the slides print, beside what their equation gives."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create
from numpy.typing import NDArray

from clockhead.model.films.onehot.readings import PrintedAttention, printed_attention
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.table import Room
from clockhead.scenes.parts.term_moves import become
from clockhead.scenes.stage import CAPTION, Column, Row, Size, Stage, StageInputs, Steps, beat, fit
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import Role
from clockhead.scenes.style.type import LABEL

_EQUATION = 36.0
_LITERAL = [
    ("left", "hat(a)_(i j) ="),
    ("share", "exp(a_(i j)) / (sum_(key(s)) exp(a_(i key(s))))"),
    ("mask", 'quad "and" quad 0 quad "for" quad j > i'),
    ("number", "quad (3)"),
]
_CAUSAL = [
    ("left", "hat(a)_(i j) ="),
    ("share", "exp(a_(i j)) / (sum_(key(s <= i)) exp(a_(i key(s))))"),
    ("mask", 'quad "and" quad 0 quad "for" quad j > i'),
]
_CELL, _SIDE, _SUM, _SAYS = 0.4, 0.85, 0.75, 0.7
"""The least cell; the room for words at the left of a table, for its sums, and for its answer."""
_HEAD = 0.95
"""The room over a table for its name and the words over its columns."""
_SPEC = (".2f", ".1f")


class Readings(Stage[PrintedAttention]):
    """The attention that the slides print, beside both readings of the equation they print."""

    class Inputs(StageInputs):
        """It takes nothing: the slides have one text."""

    title = "Coda: where does the mask go?"
    question = "Does the slides' equation give their table?"
    caption = "Mask before softmax: no token may attend to what is not there yet."
    opens = ("tiles", "grid", "equation", "heading")
    leaves = ("printed",)

    compute = printed_attention

    def layout(self) -> None:
        self.n = self.values.n_tokens
        self.equation = Equation(_LITERAL, size=_EQUATION)
        self.right_one = Equation(_CAUSAL, size=_EQUATION)
        size = Size(_SIDE + _SUM + _SAYS + self.n * _CELL, _HEAD + self.n * _CELL)
        left, right = Room(size), Room(size)
        fit(
            self.canvas,
            Column(self.equation, Row(left, right), weights=(0, 1)),
            Column(self.equation, left, right, weights=(0, 1, 1)),
        )
        areas = [_cells(room.region, self.n) for room in (left, right)]
        self.printed = self._table("printed", areas[0], spec=".0f")
        self.grid = self._table("causal.true", areas[1], mask=True)
        self.open = self._table("unmasked", areas[1])
        self.literal = self._table("literal.true", areas[1], mask=True)
        self.sums = Matrix(
            self["row_sums"], role="value", low=0.0, high=1.0, spec=_SPEC, aspect=None
        )
        edge = areas[1].right + 0.12
        self.sums.place_cells(Region(edge, areas[1].bottom, edge + _SUM - 0.12, areas[1].top))
        self.heading = _head("computed", areas[1])
        self.literal_head = _head("mask last", areas[1])
        self.causal_head = _head("mask first", areas[1])
        self.heads = [_head("printed on the slide", areas[0]), _head("sum", self.sums.row(0))]
        rows = np.array([self.printed.row(i).center for i in range(self.n)])
        rows[:, 0] = areas[0].left - _SIDE / 2
        box = (_SIDE - 0.2, min(0.5, areas[0].height / self.n - 0.06))
        self.tiles = Strip(self["tokens"]).place_at(rows, box)
        ends = [table.row(self.n - 1) for table in (self.printed, self.grid)]
        xs = ends[0].right + _SAYS / 2, ends[1].right + _SUM + _SAYS / 2
        self.says = [
            Strip(self["answers"][k : k + 1]).place_at([(x, end.center[1])], box)
            for k, (x, end) in enumerate(zip(xs, ends, strict=True))
        ]
        for said in self.says:
            said.look([0], "correct")

    def _table(self, path: str, area: Region, *, mask: bool = False, **options: Any) -> Matrix:
        shown: dict[str, Any] = {"low": 0.0, "high": 1.0, "spec": _SPEC, "plain_zeros": True}
        hidden: dict[str, Any] = {"mask": "causal"} if mask else {}
        words: dict[str, Any] = {"columns": self["tokens"]}
        if path != "printed":
            words["rows"] = self["tokens"]
        table = Matrix(self[path], **(shown | hidden | words | options))
        table.place_cells(area)
        return table

    def _around(self, table: Matrix, cells: NDArray[np.bool_], role: Role) -> list[CellFrame]:
        return [table.frame(table.cell(int(i), int(j)), role) for i, j in np.argwhere(cells)]

    @beat("Their table for our layer 1 has zeros in rows without a match.")
    def print_(self) -> Steps:
        yield FadeIn(self.heads[0]), self.printed.fill_rows(run_time=self.reading)

    @beat(
        "Equation (3), here in both layers, sums over all keys $s$, and only then sets later ones "
        "to 0."
    )
    def letter(self) -> Steps:
        long = {"run_time": 1.4}
        pulses = [self.equation.pulse(name, **long) for name in ("share", "mask")]
        yield FadeOut(self.grid, **long), FadeIn(self.open, **long), pulses[0]
        self.grid = self.literal
        yield FadeOut(self.open, **long), FadeIn(self.grid, **long), pulses[1]
        yield (
            FadeIn(self.heads[1]),
            self.sums.fill_rows(run_time=1.0),
            FadeOut(self.heading, run_time=0.5),
            FadeIn(self.literal_head, run_time=0.5),
        )

    @beat("No: {n_wrong_literal} of {n_cells} numbers differ.")
    def differ(self) -> Steps:
        wrong = self._wrong(self.values.literal.wrong)
        yield [Create(frame, run_time=1.0) for frame in wrong]
        yield 0.4
        yield [FadeOut(frame, run_time=0.6) for frame in wrong]

    @beat("And {n_leaks} rows add up to less than 1: later letters took the rest.")
    def lost(self) -> Steps:
        lost = self._around(self.grid, self.values.lost, "attention")
        lost += [self.sums.frame_row(i, "attention") for i in self.values.leaks.tolist()]
        yield [Create(frame, run_time=0.5 * self.reading) for frame in lost]
        yield 0.8
        yield [FadeOut(frame, run_time=0.6) for frame in lost]

    @beat("It should mask first: $s$ ends at $i$, and every row adds up to 1.")
    def right(self) -> Steps:
        yield (
            become(self.equation, self.right_one, run_time=2.4),
            self.grid.to(self["causal.true"], run_time=2.4),
            self.sums.to(self["causal_row_sums"], run_time=2.4),
            FadeOut(self.literal_head, run_time=1.2),
            FadeIn(self.causal_head, run_time=2.4),
        )

    @beat(
        "Now {n_wrong_causal} numbers differ, in rows without a match; the last row says "
        "“{prediction}” either way."
    )
    def still(self) -> Steps:
        wrong = self._wrong(self.values.causal.wrong)
        yield [Create(frame, run_time=1.6) for frame in wrong]
        yield 0.4
        last = [table.frame_row(self.n - 1, "value") for table in (self.printed, self.grid)]
        gone = [FadeOut(frame, run_time=0.6) for frame in wrong]
        yield [*gone, *(Create(frame) for frame in last), *(FadeIn(said) for said in self.says)]
        yield 1.2
        yield [FadeOut(frame, run_time=0.6) for frame in last]

    @beat(CAPTION)
    def why(self) -> Steps:
        area = self.grid.lattice.region
        yield Create(self.grid.frame(area, "value"), run_time=2.4)

    def _wrong(self, cells: NDArray[np.bool_]) -> list[CellFrame]:
        """Frames around cells in both tables."""
        tables = (self.printed, self.grid)
        return [frame for table in tables for frame in self._around(table, cells, "wrong")]


def _cells(region: Region, n: int) -> Region:
    """Where the cells of a table stand in its room, about as high as wide."""
    width, height = region.width - _SIDE - _SUM - _SAYS, region.height - _HEAD
    width, height = min(width, 1.5 * height, 0.9 * n), min(height, 0.75 * n)
    left = region.left + _SIDE + (region.width - _SIDE - _SUM - _SAYS - width) / 2
    return Region(left, region.top - _HEAD - height, left + width, region.top - _HEAD)


def _head(words: str, area: Region) -> Label:
    label = Label(words, size=LABEL, align="center")
    return label.put(np.array([area.center[0], area.top + 0.6, 0.0]))
