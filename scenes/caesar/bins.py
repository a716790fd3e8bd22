"""The transformer's histogram with 27 bins, and the room above and beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from clockhead.scenes.caesar.letters_chart import BAND, LetterRow
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.stage import Column, Row, Size, Stage, Value, fit
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.text import text_width
from clockhead.scenes.style.type import MIN_SIZE

_GAP = 0.3
"""Gap between the rows above the bins and the bars in them, in units."""
_SEAM = 0.03
"""Least gap between two letters, in units."""
_MARGIN = (0.85, 2.1)
"""Least and largest width of the margin beside the rows, in units."""
_LEAST_OVER, _LEAST_BARS = 0.6, 0.5
"""Least heights of the rows and of the bars, in units."""
_LEAST_SQUAT = 1.35
"""Least height of a squat chart, in units."""
_OVER = 0.65
"""Fraction of the height that the rows above the bins take."""


class Bins:
    """A bin for each token, a to z and the space, with a bar for its share of the text.

    The stage shows `counted`, the bars, and `letters`. With `rows`, the region `over` above the
    bins is for rows of cells, and the region `margin` beside it for their labels.
    """

    def __init__(
        self, stage: Stage, counted: Value, *, high: float, rows: bool = False, **options: Any
    ) -> None:
        names = stage["transformer.alphabet"]
        self._n, self._rows = len(names), rows
        self.chart = Chart(slots(self._n), share_scale(high))
        self.counted = Bars(counted, self.chart, "residual", **options)
        self.letters = LetterRow(names, self.chart)
        self.over = self.margin = Region(0.0, 0.0, 0.0, 0.0)

    @property
    def least(self) -> Size:
        """Large enough to read the letters, distinguish the rows and compare the bars."""
        letter = max(text_width(text, MIN_SIZE) for text in self.letters.texts) + _SEAM
        rows = _LEAST_OVER + _GAP if self._rows else 0.0
        return Size(self._margin + self._n * letter, rows + _LEAST_BARS + BAND)

    @property
    def most(self) -> Size:
        return Size(np.inf, np.inf)

    @property
    def _margin(self) -> float:
        """Least width of the margin; 0 without rows."""
        return _MARGIN[0] if self._rows else 0.0

    def place(self, region: Region) -> None:
        """Fill a region with the margin, and rows, bars and letters beside it."""
        spare = region.width - self.least.width
        most = _MARGIN[1] if self._rows else 0.0
        left = region.left + float(np.clip(self._margin + spare / 2, self._margin, most))
        high = (region.height - BAND - _GAP) * _OVER if self._rows else 0.0
        foot = region.top - high
        self.over = replace(region, left=left, bottom=foot)
        self.margin = replace(region, right=left, bottom=foot)
        ceiling = foot - _GAP if self._rows else region.top
        self.chart.place_area(Region(left, region.bottom + BAND, region.right, ceiling))


def share_scale(high: float) -> Scale:
    """A scale from 0 to `high`, without a line or numbers."""
    return Scale(0.0, high, line=False)


class Squat:
    """A chart of rotations with the least height, without the axis name."""

    def __init__(self, chart: Chart) -> None:
        self.chart = chart

    @property
    def least(self) -> Size:
        """The chart's least width, and a little more height than words and numbers need."""
        return Size(self.chart.least.width, _LEAST_SQUAT)

    @property
    def most(self) -> Size:
        return self.chart.most

    def place(self, region: Region) -> None:
        """Place the chart in a region, without its axis name."""
        self.chart.x.rescale(replace(self.chart.x.scaling, name=""))
        self.chart.place(region)


def fit_beside(region: Region, bins: Bins, rotations: Chart) -> None:
    """Place the bins, and the scores of the rotations beside or below them."""
    fit(
        region,
        Row(bins, rotations, weights=(3, 2)),
        Column(bins, rotations, weights=(3, 2), gap=0.2),
        Column(bins, Squat(rotations), weights=(3, 2), gap=0.12),
    )
