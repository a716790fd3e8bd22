"""Bars with the scores of the 26 rotations, and a label at the best one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from clockhead.model.caesar.cipher import N_ROTATIONS
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart, Mark
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.paths import straight
from clockhead.scenes.parts.scale import Scale
from clockhead.scenes.stage import Reading, Stage, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.theme import Role, theme

_FIFTHS = tuple(float(r) for r in range(0, N_ROTATIONS, 5))
_EVERY = tuple(float(r) for r in range(N_ROTATIONS))
_LEAST = 0.9
"""Least height of the bars, in units."""
_WORDS = 0.55
"""Room for words above the bars, in units."""
NAMED = 30.0
"""Size of these words, in pixels at 720p."""
_LEAD = 0.1
"""Least gap between two labels, in units."""
_APART = 0.16
"""Gap between the words of a label and its score, in units."""


class Rotations(Chart):
    """A chart with a slot for each rotation; all are numbered, or every fifth if it is narrow.

    With `words`, there is room above the bars for a `Found` label.
    """

    def __init__(self, x: Scale, y: Scale, *, words: bool = False, **options: Any) -> None:
        super().__init__(x, y, **options)
        self._words = _WORDS if words else 0.0

    @property
    def _margins(self) -> tuple[float, float, float, float]:
        left, bottom, right, top = super()._margins
        return left, bottom, right, max(top, self._words)

    def place_area(self, area: Region) -> None:
        """Fill an area; its width decides which rotations are numbered."""
        whole = replace(self.x.scaling, ticks=_EVERY)
        self.x.rescale(whole)
        if self.x.least > area.width:
            self.x.rescale(replace(whole, ticks=_FIFTHS))
        super().place_area(area)


def score_chart(
    stage: Stage, path: str = "dot_products", *, name: str = "rotation", words: bool = True
) -> Chart:
    """A chart of rotations for the scores at a fact path, (26,) or a series (..., 26).

    With `words`, there is room above the bars for a `Found` label.
    """
    scores = stage[path].array
    low, high = min(0.0, float(scores.min())), max(float(scores.max()), 1e-9)
    across = Scale(-0.5, N_ROTATIONS - 0.5, _FIFTHS, "d", name=name)
    return Rotations(across, Scale(low, high, line=False), least=(1.5, _LEAST), words=words)


def score_bars(
    scores: Value, chart: Chart, role: Role = "score", *, grown: bool = True, **options: Any
) -> Bars:
    """The scores (26,) as bars."""
    return Bars(scores, chart, role, grown=grown, **options)


class Found(Mark):
    """A label such as "rotation 7 0.0631" above the bar of a rotation, with a line to it."""

    headroom = _WORDS

    def __init__(
        self,
        rotation: Value,
        bars: Bars,
        *,
        spec: str = ".4f",
        role: Role = "score",
        size: float = NAMED,
        words: str = "rotation ",
    ) -> None:
        super().__init__(rotation, bars.chart)
        self.bars = bars
        color = theme().text_color(role)
        score = bars.shown[int(rotation.content)]
        self.heading = Figure(rotation, "d", prefix=words, size=size, color=color, align="left")
        self.score = Figure(score, spec, size=size, color=color, align="left")  # type: ignore[arg-type]
        self.stroke = VMobject(stroke_color=color, stroke_width=2)
        self.add(self.stroke, self.heading, self.score)

    def draw(self, state: NDArray[np.float64]) -> None:
        """Place the label above the bar, inside the chart."""
        area = self.chart.area
        r = int(state)
        tip = self.chart.at(r, max(0.0, float(self.bars.state[r])))
        width = self.heading.number.width + _APART + self.score.number.width
        left = float(np.clip(tip[0] - width / 2, area.left, max(area.left, area.right - width)))
        foot = tip + np.array([0.0, _LEAD + 0.08, 0.0])
        self.stroke.set_points(straight((tip + np.array([0.0, 0.03, 0.0]))[None], foot[None]))
        base = foot[1] + 0.06 + 0.2 * self.heading.number.em
        self.heading.put(np.array([left, base, 0.0]))
        self.score.put(np.array([left + self.heading.number.width + _APART, base, 0.0]))

    def is_clear_of(self, other: Found) -> bool:
        """Whether its words do not overlap those of another label."""
        own, its = (VGroup(label.heading, label.score) for label in (self, other))
        away = np.abs(own.get_center() - its.get_center())
        return bool(
            away[0] > (own.width + its.width) / 2 + _LEAD or away[1] > (own.height + its.height) / 2
        )

    def readings(self) -> Iterator[Reading]:
        """Compare the bar below the line, and the score."""
        if self.chart.placed and is_visible(self.stroke):
            slot = float(self.chart.x.read(self.stroke.points[:, 0].mean()))
            yield Reading(self.shown, slot, 1e-6 * N_ROTATIONS)
            yield Reading(self.bars.shown[round(slot)], self.score.number.value, 1e-9)
