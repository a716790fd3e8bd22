"""A row of scores as sums: the hands of query and key on dials, and a stack for every key."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from model.score_row import ScoreRow
from scenes.parts.cells import Hatching, Lattice
from scenes.parts.chart import Chart
from scenes.parts.curves import Rule
from scenes.parts.dial import Dials
from scenes.parts.dial_hands import Hands
from scenes.parts.figures import Figure
from scenes.parts.scale import Scale, round_ticks, slots
from scenes.parts.stacks import Stacks
from scenes.previous_token.heights import Heights
from scenes.previous_token.table import Room
from scenes.stage import Column, Size, Stage, Value
from scenes.style.layout import PX, Region
from scenes.style.text import Label, text_width
from scenes.style.theme import theme
from scenes.style.type import LINE_HEIGHT, MIN_SIZE, SMALL

_LARGEST = 0.75
_LEAST_BROKEN = 4.0
"""An axis is broken only where that saves more than what it costs to be understood."""
_FOOT, _HEAD = 0.42, 0.4
"""What is kept under the stacks for their offsets, and over them for their sums, in units."""
_ALL_UP = "all up"
_BIG = 30.0
_MEANINGS = "steps from the token before", "steps from there", "steps"
"""What D counts; the longest that there is room for is written."""
_LINE = Size(0.0, MIN_SIZE * LINE_HEIGHT * PX)


class ClockSum:
    """Dials that compare the query at m with one key, and beside them a stack for every key.

    `path` leads to the `row`; a group of hands has one dial, that of its first hand, and one
    sliver in a stack. The stacks stand in the columns of a table, up to that of the query.
    """

    def __init__(self, stage: Stage, row: ScoreRow, path: str = "", *, grown: bool) -> None:
        def value(name: str) -> Any:
            return stage[path + name]

        self.row = row
        n_hands = row.head.d_head // 2
        steady = np.flatnonzero(row.steady_groups)
        first = row.target if grown else int(row.walk[0])
        self.faces = Dials(n_hands, labels=None, chosen=row.group_starts, largest=_LARGEST)
        upright = value("phases")[row.target]
        query = upright if grown else value("query_phases")[row.m]
        key = value("phases") if grown else value("key_phases")
        self.query = Hands(query, self.faces, "query", angles=True)
        self.keys = Hands(key[first], self.faces, "key", angles=True).set_z_index(1)
        self.heights = Heights(value("cosines"), self.keys, steady.tolist(), grown=grown)
        self.dials = VGroup(self.faces, self.heights, self.keys)
        mauve = theme().text_color("position")
        self.apart = Figure(value("offsets")[first], "d", size=_BIG, prefix="D = ", color=mauve)
        self.drawn = self._drawn(stage, value("n_groups"))
        self.chart = Chart(slots(row.head.n_tokens), _scale(row))
        leading = [row.target, *np.flatnonzero(row.visible_sums >= row.visible_runner_up)]
        spec = ".2f" if row.visible_gap < 0.1 else ".1f"
        self.stacks = Stacks(
            value("slivers"),
            self.chart,
            steady=steady.tolist(),
            totals=value("visible_sums"),
            spec=spec,
            leading=leading,
            grown=grown,
        )
        self.all_up = value("target_sum")
        self.offsets = [
            Figure(value("visible_offsets")[int(n)], "d", size=SMALL, weight="regular", color=mauve)
            for n in row.visible_positions
        ]

    def place(self, side: Region, cells: Lattice) -> None:
        """Dials into the region beside the table, stacks into the columns of its cells."""
        line = Room(_LINE)
        under: list[Figure | Room] = [self.apart, line, *self.drawn]
        Column(self.faces, *under, gap=0.12, weights=(1, *[0] * len(under))).place(side)
        widths = {words: text_width(words, MIN_SIZE) for words in _MEANINGS}
        words = next((w for w in _MEANINGS if widths[w] <= side.width), _MEANINGS[-1])
        self.meaning = Label(words, size=MIN_SIZE, color=theme().muted, align="center")
        self.meaning.center_on(line.region.center)
        area = cells.region
        area = Region(area.left, area.bottom + _FOOT, area.right, area.top - _HEAD)
        self.chart.place_area(area)
        for n, figure in enumerate(self.offsets):
            figure.put(np.array([self.chart.x.at(n), area.bottom - 0.3, 0.0]))
        self.future = self._future(area)
        self.top = self._top()

    def points(self) -> NDArray[np.float64]:
        """Where slivers fly from: the middles of the heights in the dials, (G, 3)."""
        return self.heights.middles

    @property
    def told(self) -> list[VMobject]:
        """How far the key is off: the number under the dials, and what it counts."""
        return [self.apart, self.meaning]

    @property
    def marks(self) -> VGroup:
        """How far the key is off, under the dials, and under every stack for its own key."""
        return VGroup(*self.told, *self.offsets)

    @property
    def groups(self) -> VGroup:
        """How hands are taken together; nothing if all are drawn."""
        return VGroup(*self.drawn)

    def _drawn(self, stage: Stage, n_groups: Value) -> list[Figure]:
        """How hands are taken together, where there are too many to be drawn."""
        if n_groups.content == self.row.head.d_head // 2:
            return []
        words = stage.say_of("{n_hands} hands, ")
        return [Figure(n_groups, "d", prefix=words, suffix=" groups", size=SMALL, weight="regular",
                       color=theme().muted)]  # fmt: skip

    @property
    def axes(self) -> VGroup:
        """What stands around the stacks: axes, the keys that are not seen, the highest sum."""
        return VGroup(self.chart, self.future, self.top)

    def _top(self) -> Rule:
        """A line at the sum of hands that are all upright, with words where no stack stands."""
        free = (self.row.head.n_tokens - self.row.n_visible) * self.chart.x.pitch
        words = _ALL_UP if text_width(_ALL_UP, SMALL) < free else ""
        rule = Rule(self.all_up, self.chart, words)
        rule.redraw()
        return rule

    def _future(self, area: Region) -> VMobject:
        """The columns of the keys that the query does not see, hatched."""
        cells = Lattice(area, 1, self.row.head.n_tokens)
        hatching = Hatching(cells, ~self.row.visible[None])
        return VGroup(hatching) if not self.row.visible.all() else VGroup()


def _scale(row: ScoreRow) -> Scale:
    """From nothing to the sum of upright hands, broken below what no stack falls short of."""
    plinth = row.slivers[:, row.steady_groups].sum(axis=1).min()
    broken = float(np.floor(min(plinth, row.lowest_visible_sum)))
    low = min(0.0, float(np.floor(row.lowest_visible_sum)))
    high = row.target_sum
    is_broken = _LEAST_BROKEN <= broken < high
    foot = broken if is_broken else low
    apart = (high - foot) / 8
    inner = (t for t in round_ticks(foot, high, most=5) if foot + apart < t < high - apart)
    ticks = tuple(sorted({0.0, *inner, high}))
    return Scale(low, high, ticks, "g", broken=broken if is_broken else None)
