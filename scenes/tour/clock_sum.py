"""A row of scores as sums: the hands of query and key on dials, and a stack for every key."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import VGroup

from clockhead.model.previous_token.score_row import ScoreRow
from clockhead.scenes.parts.cells import Hatching, Lattice
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Rule
from clockhead.scenes.parts.dial import Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.scale import Scale, round_ticks, slots
from clockhead.scenes.parts.stacks import Stacks
from clockhead.scenes.previous_token.heights import Heights
from clockhead.scenes.previous_token.piles import sum_format
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import Column, Room, Size, Stage
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import LINE_HEIGHT, SMALL

_LARGEST = 0.75
_FOOT = 0.42
"""Height below the stacks for their offsets, in units."""
_HEAD = 0.4
"""Height above the stacks for their sums, in units."""
_BIG = 30.0
_LEAST_BROKEN = 4.0
"""Smallest value at which an axis is broken; below it, a break saves too little."""


def broken_scale(low: float, high: float, foot: float) -> Scale:
    """A scale from 0 (or `low`, if negative) to `high`, for bars that all extend above `foot`.

    The axis is broken below `foot`, unless that saves too little.
    """
    below = float(np.floor(min(foot, low)))
    broken = below if _LEAST_BROKEN <= below < high else None
    low = min(0.0, float(np.floor(low)))
    start = low if broken is None else broken
    apart = (high - start) / 8
    inner = (t for t in round_ticks(start, high, most=5) if start + apart < t < high - apart)
    return Scale(low, high, tuple(sorted({0.0, *inner, high})), "g", broken=broken)


class ClockSum:
    """Dials that compare the query at m with one key, and beside them a stack for every key.

    `path` is the path of `row`. A group of hands has one dial, for its first hand, and one sliver
    in a stack. The stacks are in the columns of a table, up to that of the query.
    """

    def __init__(self, stage: Stage, row: ScoreRow, path: str = "", *, grown: bool) -> None:
        def value(name: str) -> Any:
            return stage[path + name]

        self.row, n_hands = row, row.head.n_pairs
        mauve, muted = theme().text_color("position"), theme().muted
        steady = np.flatnonzero(row.steady_groups).tolist()
        first = row.target if grown else int(row.walk[0])

        self.faces = Dials(n_hands, labels=None, chosen=row.group_starts, largest=_LARGEST)
        query = value("phases")[row.target] if grown else value("query_phases")[row.m]
        key = value("phases" if grown else "key_phases")[first]
        self.query = Hands(query, self.faces, "query", angles=True)
        self.keys = Hands(key, self.faces, "key", angles=True).set_z_index(1)
        self.heights = Heights(value("cosines"), self.keys, steady, grown=grown)
        self.dials = VGroup(self.faces, self.heights, self.keys)
        self.apart = Figure(value("past_target")[first], "d", size=_BIG, prefix="D = ", color=mauve)
        self.groups = VGroup()
        """The number of groups, if there are too many hands to be drawn."""
        if row.n_groups < n_hands:
            small: dict[str, Any] = {"size": SMALL, "weight": "regular", "color": muted}
            small["prefix"] = f"{said('{n} hands,', n=n_hands)} "
            small["suffix"] = f" {said('groups')}"
            self.groups.add(Figure(value("n_groups"), "d", **small))

        scale = broken_scale(row.lowest_visible_sum, row.target_sum, row.lowest_plinth)
        self.chart = Chart(slots(row.head.n_tokens), scale)
        self.stacks = Stacks(
            value("slivers"),
            self.chart,
            steady=steady,
            plinth=value("plinths"),
            totals=value("visible_sums"),
            spec=sum_format(row),
            leading=[row.target, *np.flatnonzero(row.visible_sums >= row.runner_up)],
            role="position",
            grown=grown,
        )
        self._highest = value("target_sum")
        self.offsets = VGroup(
            *(
                Figure(
                    value("visible_past_target")[n], "d", size=SMALL, weight="regular", color=mauve
                )
                for n in range(row.n_visible)
            )
        )

    def place(self, side: Region, cells: Lattice) -> None:
        """Place the dials beside the table, and the stacks in the columns of its cells."""
        line = Room(Size(0.0, SMALL * LINE_HEIGHT * PX))
        under = [self.apart, line, *self.groups]
        Column(self.faces, *under, gap=0.12, weights=(1, *[0] * len(under))).place(side)
        words = said("steps from the token before")
        if text_width(words, SMALL) > side.width:
            words = said("steps")
        self.meaning = Label(words, size=SMALL, color="muted")
        self.meaning.center_on(line.region.center)
        area = cells.region
        area = Region(area.left, area.bottom + _FOOT, area.right, area.top - _HEAD)
        self.chart.place_area(area)
        if max(figure.width for figure in self.offsets) > 0.9 * self.chart.x.pitch:
            self.offsets = VGroup()  # they would be illegible
        for n, figure in enumerate(self.offsets):
            figure.put(np.array([self.chart.x.at(n), area.bottom - 0.3, 0.0]))
        free = (self.row.head.n_tokens - self.row.n_visible) * self.chart.x.pitch
        all_up = said("all up")
        self.top = Rule(
            self._highest, self.chart, all_up if text_width(all_up, SMALL) < free else ""
        )
        self.top.redraw()
        columns = Lattice(area, 1, self.row.head.n_tokens)
        self.axes = VGroup(self.chart, Hatching(columns, ~self.row.visible[None]), self.top)
        """The axes, the hatched columns of later keys, and the highest sum."""

    @property
    def told(self) -> list[Any]:
        """The offset of the key: the number below the dials, and its meaning."""
        return [self.apart, self.meaning]

    @property
    def marks(self) -> VGroup:
        """The offset of the key below the dials, and that of each key below its stack."""
        return VGroup(*self.told, *self.offsets)
