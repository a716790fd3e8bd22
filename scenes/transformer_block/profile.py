"""A row as bars, with its length written over them"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from manim import VGroup

from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.stage import Passage, Reading, Size, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.type import LABEL

_BAND = 0.4
"""The height of what is written over the bars, in units."""
_FREE = 2
"""Slots without a bar, where a line has its name."""
_WIDTH = 0.8
"""How wide bars are, as shares of a slot."""
_SAME = 1e-4
"""By which lengths may differ, as a share of the largest number."""


class Profile(VGroup):
    """A row (d,) as bars on a scale, under its name and its length."""

    def __init__(self, row: Value, length: Value, scale: Scale, name: str) -> None:
        super().__init__()
        self.chart = Chart(slots(len(row) + _FREE), scale, least=(1.3, 0.9), most=(4.0, 3.0))
        self.bars = Bars(row, self.chart, "residual", width=_WIDTH)
        self.length = Length(length, self.bars, name)
        self.add(self.chart, self.bars, self.length)

    @property
    def least(self) -> Size:
        least = self.chart.least
        return Size(max(least.width, self.length.least.width), least.height + _BAND)

    @property
    def most(self) -> Size:
        most = self.chart.most
        return Size(max(most.width, self.length.least.width), most.height + _BAND)

    def place(self, region: Region) -> None:
        """Stand in a region."""
        over, rest = region.cut_top(_BAND, 0.0)
        self.chart.place(rest)
        area, wide = self.chart.area, self.length.least.width
        left = max(region.left, min(area.left, region.right - wide))
        self.length.place(Region(left, over.bottom, max(area.right, left + wide), over.top))

    def to(self, row: Value, length: Value, run_time: float) -> Sequence[Passage]:
        """Let it run to another row of this length."""
        return self.bars.to(row, run_time=run_time), self.length.to(length, run_time=run_time)

    def through(self, rows: Value, lengths: Value, run_time: float) -> Sequence[Passage]:
        """Let it run through rows (steps, d) of these lengths (steps,)."""
        return (
            self.bars.through(rows, run_time=run_time),
            self.length.through(lengths, run_time=run_time),
        )


class Length(Figure):
    """How long a row is, after its name; read back, it is the length of the bars as drawn."""

    def __init__(self, value: Value, bars: Bars, name: str) -> None:
        super().__init__(value, ".2f", size=LABEL, prefix=f"{name}: ", suffix=" long")
        self._bars = bars

    def readings(self) -> Iterator[Reading]:
        """What is written, and what the bars come to."""
        yield from super().readings()
        if isinstance(self.shown, Value) and is_visible(self.number):
            says = [float(reading.says) for reading in self._bars.readings()]
            yield Reading(self.shown, float(np.linalg.norm(says)), _SAME * max(1.0, *says))
