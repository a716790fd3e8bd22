"""The 27 bins of the transformer's histogram, and the room over and beside them."""

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
"""Between what stands over the bins and the bars in them, in units."""
_SEAM = 0.03
_MARGIN = (0.85, 2.1)
"""The least and the most room for the words of rows, beside the bins."""
_LEAST_OVER, _LEAST_BARS = 0.6, 0.5
_LEAST_SQUAT = 1.35
_OVER = 0.65
"""The share of the height that rows over the bins take."""


class Bins:
    """A bin for each token, a to z and the space, with a bar for its share.

    A stage adds `counted`, the bars, and `letters`. With `rows` there is room over them for rows
    of cells, `over`, and beside these a `margin` for their words.
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
        """Letters side by side, rows that can be told apart, bars that can be compared."""
        letter = max(text_width(text, MIN_SIZE) for text in self.letters.texts) + _SEAM
        rows = _LEAST_OVER + _GAP if self._rows else 0.0
        return Size(self._margin + self._n * letter, rows + _LEAST_BARS + BAND)

    @property
    def most(self) -> Size:
        return Size(np.inf, np.inf)

    @property
    def _margin(self) -> float:
        """The least room for the words of rows, if there are any."""
        return _MARGIN[0] if self._rows else 0.0

    def place(self, region: Region) -> None:
        """Fill a region: the margin, and beside it rows, bars and letters."""
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
    """From nothing to `high`, without a line or numbers."""
    return Scale(0.0, high, line=False)


class Squat:
    """A chart of rotations as low as it may be, without the word under it."""

    def __init__(self, chart: Chart) -> None:
        self.chart = chart

    @property
    def least(self) -> Size:
        """As narrow as it may be, and a little higher than words and numbers alone."""
        return Size(self.chart.least.width, _LEAST_SQUAT)

    @property
    def most(self) -> Size:
        return self.chart.most

    def place(self, region: Region) -> None:
        """Draw the chart into a region."""
        self.chart.x.rescale(replace(self.chart.x.scaling, name=""))
        self.chart.place(region)


def fit_beside(region: Region, bins: Bins, rotations: Chart) -> None:
    """Place bins and, beside or under them, the scores of rotations."""
    fit(
        region,
        Row(bins, rotations, weights=(3, 2)),
        Column(bins, rotations, weights=(3, 2), gap=0.2),
        Column(bins, Squat(rotations), weights=(3, 2), gap=0.12),
    )
