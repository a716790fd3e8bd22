"""Bars of several colours in one chart: each is a picture of its own, and belongs to its row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scenes.parts.bars import Bars
from scenes.parts.chart import Chart
from scenes.stage import Reading, Value
from scenes.style.motion import Drive
from scenes.style.theme import Role

_ARRIVES = 0.75
"""When a bar is in its row, as a share of the time; then its number appears."""


class RowBar(Bars):
    """The bar of values (n,) that stands in a row: in row k, value k.

    With `hidden`, it waits in the row above, and is as long as the bar there until it comes.
    """

    def __init__(
        self,
        values: Value,
        row: int,
        chart: Chart,
        role: Role,
        *,
        hidden: bool = False,
        **options: Any,
    ) -> None:
        self._values, self._own, self._come = values, row, float(not hidden)
        super().__init__(values[row : row + 1], chart, role, at=[float(row)], **options)
        self._seen = self._come

    def come(self, **options: Any) -> Drive:
        """Let it leave the row above for its own."""

        def show(share: NDArray[np.float64]) -> None:
            self._come = float(np.interp(share, [0.0, _ARRIVES], [0.0, 1.0]))
            self._seen = float(np.interp(share, [_ARRIVES, 1.0], [0.0, 1.0]))
            self.redraw()

        return Drive(self, show, 0.0, 1.0, **options)

    def draw(self, state: NDArray[np.float64]) -> None:
        """Draw it as far as it has come."""
        if self._come < 1:
            above = self._values.array[self._own - 1]
            state = above + (state - above) * self._come
        self.places = np.array([self._own - 1 + self._come])
        super().draw(state)

    def readings(self) -> Iterator[Reading]:
        """Its length and its number, by the row in which it is drawn, once it is there."""
        for reading in super().readings() if self._come == 1 else ():
            is_own = isinstance(self.shown, Value)
            yield replace(reading, meant=self._values[self._row]) if is_own else reading

    @property
    def _row(self) -> int:
        """The row in which it is drawn."""
        y = self.paths.get_center()[1]
        return round(float(self.chart.y.read(y)))
