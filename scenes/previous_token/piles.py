"""Stacks of what each hand of a key adds to its score, in the columns of a table."""

from __future__ import annotations

import numpy as np

from clockhead.model.previous_token.score_row import ScoreRow
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Rule
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.stacks import Stacks
from clockhead.scenes.spelling import told_apart
from clockhead.scenes.stage import Stage
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.type import LABEL

_FOOT, _HEAD = 0.15, 0.5
"""Free space under and over the stacks, in units."""
_LARGE = 30.0
"""Letter size of the sums if all of them fit, in pixels."""


def sum_format(row: ScoreRow) -> str:
    """Format of a row's sums, with enough decimals to tell the largest two apart."""
    return told_apart([row.runner_up, row.target_sum], (".1f", ".2f"))


def bar_area(cells: Region) -> Region:
    """The area of bars in the columns of a table with these cells."""
    return Region(cells.left, cells.bottom + _FOOT, cells.right, cells.top - _HEAD)


def share_chart(n_tokens: int, cells: Region, canvas: Region) -> Chart:
    """A chart of attention weights in the columns of a table.

    Its axis has no numbers where they would reach beyond the canvas.
    """
    for ticks in ((0.0, 0.5, 1.0), ()):
        chart = Chart(slots(n_tokens), Scale(0, 1, ticks, ".0%"))
        if cells.left - chart.y.thickness >= canvas.left:
            break
    return chart


class Piles:
    """A stack for every visible key of a query, level with the columns of a table's `cells`.

    `path` is the path of `row` in the stage's values.
    """

    def __init__(
        self, stage: Stage, row: ScoreRow, cells: Region, path: str = "", *, grown: bool
    ) -> None:
        hanging = np.clip(-row.slivers, 0, None).sum(axis=1).max()
        low = -float(np.ceil(max(hanging, -row.lowest_visible_sum)))
        high = row.target_sum
        self.chart = Chart(slots(row.head.n_tokens), Scale(low, high, (0.0, high / 2, high), "g"))
        self.stacks = Stacks(
            stage[path + "slivers"],
            self.chart,
            totals=stage[path + "visible_sums"],
            spec=sum_format(row),
            leading=[row.target, *np.flatnonzero(row.visible_sums >= row.runner_up)],
            role="position",
            size=_LARGE if cells.width / row.head.n_tokens > 0.7 else LABEL,
            hanging=True,
            grown=grown,
        )
        self.second = Rule(stage[path + "runner_up"], self.chart)
        self.chart.place_area(bar_area(cells))
