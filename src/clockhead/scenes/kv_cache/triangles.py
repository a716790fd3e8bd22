"""Scores that are computed step by step: cells that come, swell when they are computed again, and
brighten with each time; how many there have been, and how many the step adds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import VGroup
from numpy.typing import NDArray

from clockhead.scenes.parts.cell_outlines import CellFrame, in_steps
from clockhead.scenes.parts.chart import Chart, Mark
from clockhead.scenes.parts.figures import Figure, Readout
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import Column, Reading, Row, Value
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import SMALL, X_HEIGHT

_GAP, _UNDER = 0.2, 0.1
_STEP, _LINE = 28.0, 0.42
_LEAST, _MOST = 1.9, 4.9
"""The sides of a triangle."""
_FAINTEST = 0.3
"""How bright a cell is that was computed once, where the brightest is 1."""
_SHRINK = 0.45
"""How much a cell shrinks before it is computed again."""
_WHOLE = 1e-6


class CountedCells(Matrix):
    """How often each cell was computed, (T, T); one that was never computed is not there."""

    def readings(self) -> Iterator[Reading]:
        """The shades, and that cells which are there, and no others, have been computed."""
        yield from super().readings()
        sizes, counts = self.opened, self.table
        wrong = np.where(counts > 0, sizes == 0, sizes == 1) & sizes.any()
        for i, j in np.argwhere(wrong):
            yield Reading(self.meant(int(i), int(j)), "there" if sizes[i, j] else "not there")


class Triangle(VGroup):
    """The scores of a text, T x T, with what they are called and how many there have been.

    `times` (steps, T, T) is how often each was computed, `rows` (steps, T) whose rows each step
    computes, `counts` (steps,) how many there have been, and `added` (steps,) how many each step
    adds. It begins with the first step done. The `count` is a picture of its own.
    """

    def __init__(self, name: str, times: Value, rows: Value, counts: Value, added: Value) -> None:
        super().__init__()
        self._times, self._rows, self._counts, self._added = times, rows, counts, added
        n_steps, n = rows.array.shape
        self.matrix = CountedCells(
            times[0],
            role="token",
            low=1 - (n_steps - 1) * _FAINTEST / (1 - _FAINTEST),
            high=float(n_steps),
            mask="causal",
            least_cell=_LEAST / n,
            most_cell=_MOST / n,
            aspect=(1.0, 1.0),
        )
        self.count = Readout(counts[0], ",d", words=name, words_color=theme().ink)
        self.step = Figure(
            added[0], "+,d", size=_STEP, color=theme().text_color("query"), align="left"
        )
        self.over = Column(self.count, self.matrix, weights=(0, 1), gap=_UNDER)
        self.beside = Row(self.count, self.matrix, weights=(0, 1), gap=_UNDER)

    def begin(self, *, under: bool) -> None:
        """Be what it is after the first step; what a step adds stands beside the count or under."""
        self.frame = CellFrame(self._rows_of(0), "query")
        number = self.count.figure.number
        wide = text_width(f"{int(self._counts.array[-1]):,d}", number.em / PX, number.weight)
        aside = np.array([0.0, -_LINE, 0.0] if under else [wide + _GAP, 0.0, 0.0])
        self.step.put(number.anchor + aside)
        self.add(self.matrix, self.step, self.frame)
        self._go_to(0.0)

    def run(self, start: int, end: int, *, run_time: float) -> tuple[Drive, Drive]:
        """Go on from step to step."""
        rows = [self._rows_of(k) for k in range(start + 1, end + 1)]
        options: dict[str, Any] = {"run_time": run_time, "rate_func": in_steps(end - start)}
        way = float(start), float(end)
        steps = Drive(VGroup(self, self.count), lambda at: self._go_to(float(at)), *way, **options)
        return steps, self.frame.trace(*rows, run_time=run_time)

    def _go_to(self, place: float) -> None:
        """Be so far: 0 after the first step, and so on."""
        place = round(place) if abs(place - round(place)) < _WHOLE else place
        last, share = int(np.floor(place)), place - np.floor(place)
        self.matrix.set_to(self._times[last])
        self.matrix.open_to(self._sizes(last, share))
        self.count.set_to(self._counts[last])
        self.step.set_to(self._added[last + int(share > 0)])

    def _rows_of(self, step: int) -> Region:
        """The rows that a step computes, up to the cell of their own key."""
        rows = np.flatnonzero(self._rows.array[step])
        return self.matrix.block(int(rows[0]), 0, len(rows), int(rows[-1]) + 1)

    def _sizes(self, last: int, share: float) -> NDArray[np.float64]:
        """How large cells are, (T, T): new ones grow, and those computed again shrink and swell."""
        known, n = self._times.array[last] > 0, self.matrix.n_rows
        sizes: NDArray[np.float64] = known.astype(float)
        if share == 0:
            return sizes
        computed = self._rows.array[last + 1].astype(bool)[:, None] & np.tri(n, dtype=np.bool_)
        again = 1 - _SHRINK * np.sin(np.pi * share)
        return np.where(computed, np.where(known, again, share), sizes)


class TipName(Mark):
    """The name of a curve, to the right of where it ends: at a value over `x`."""

    def __init__(self, value: Value, chart: Chart, name: str, x: float) -> None:
        self.beside = text_width(name, SMALL) + 0.15
        super().__init__(value, chart)
        self._x = x
        self.label = Label(name, size=SMALL, color=theme().ink)
        self.add(self.label)

    def draw(self, state: NDArray[np.float64]) -> None:
        """Stand beside the end of the curve."""
        end = self.chart.at(self._x, state)
        self.label.put(end + np.array([0.12, -X_HEIGHT / 2 * SMALL * PX, 0.0]))

    def readings(self) -> Iterator[Reading]:
        """At which height it stands."""
        if self.chart.placed and self.label.get_fill_opacity() > 0:
            says = float(self.chart.y.read(self.label.middle[1]))
            yield Reading(self.shown, says, self.chart.y.scaling.within(says))
