"""Softmax turns differences of scores into factors, which can be checked by eye."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create

from clockhead.model.films.errata.ratios import PrintedRatio, printed_ratio
from clockhead.scenes.errata.sheets import NUMBER, SMALLER
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Rule
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.stage import CAPTION, REST, Stage, Steps, beat
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import Role

_SCORES, _SIDE, _FACTOR = 0.9, 1.5, 1.05
"""Height of the row of scores, width of the words beside it, and height of the factor, in units."""
_TOP = 0.5
"""Upper end of the scale of attention weights."""


class Ratios(Stage[PrintedRatio]):
    """Printed scores, and the printed attention weights, which do not fit them."""

    title = "Differences become factors"
    caption = (
        "From the given rows and matrices, “{rival}” gets {true_rival:.1%}: even less than "
        "“{first}”, which gets {true_first:.1%}."
    )
    opens = ("chart", "bars", "scores", "words")

    compute = printed_ratio

    def layout(self) -> None:
        canvas = self.canvas
        area = Region(canvas.left + _SIDE, canvas.bottom + 0.7, canvas.right, canvas.top - 0.1)
        area = area.cut_top(_SCORES, gap=0.0)[1]
        height = min(area.height - _FACTOR, 1.1 * area.width)
        area = Region(area.left, area.bottom, area.right, area.bottom + height)
        scale = Scale(0.0, _TOP, ticks=(0.0, _TOP))
        self.chart = Chart(slots(self["tokens"]), scale, size=NUMBER)
        self.bars = Bars(
            self["weights"], self.chart, "attention", spec=".3f", size=NUMBER, width=0.5
        )
        name = self.say_of("{rival} × {factor:.2f} =")
        line: dict[str, Any] = {"spec": ".3f", "align": "left", "size": SMALLER, "role": "right"}
        self.due = Rule(self["due"], self.chart, name, **line)
        self.chart.place_area(area)
        top = area.top + _FACTOR + _SCORES
        cells = Region(area.left, top - _SCORES, area.right, top)
        look: dict[str, Any] = {"role": "score", "low": -0.3, "high": 0.3, "aspect": None}
        look |= {"spec": ".3f", "most_number": NUMBER, "lying": True}
        self.scores = Matrix(self["scores"], **look)
        self.scores.place_cells(cells.inset(0.0, 0.1))
        x = canvas.left
        self.words = Label("scores", size=SMALLER, color="muted")
        self.words.put(cells.point(0, 0.38) * [0, 1, 0] + [x, 0, 0])
        at = float(self.chart.x.at(1.5)), area.top + 0.5
        self.factor = self._factor("factor", *at, role="right")
        at = float(self.chart.x.at(1.5)), float(self.chart.y.at(0.27))
        self.printed_factor = self._factor("printed_factor", *at, role="wrong")

    def _factor(self, path: str, x: float, y: float, role: Role) -> Figure:
        figure = Figure(self[path], ".2f", prefix="× ", size=1.2 * NUMBER, color=role)
        return figure.put(np.array([x, y, 0.0]))

    @beat(
        "These are the scores of “{asker}” and, as bars, the attention weights that softmax "
        "should make of them."
    )
    def both(self) -> Steps:
        frame = CellFrame(self.scores.cell(0, 0), "query")
        yield Create(frame, run_time=0.4)
        yield frame.trace(self.scores.cell(0, 1), self.scores.cell(0, 2), run_time=1.6)
        self.lit = frame

    @beat(
        "“{asker}” scores {step:.3f} more than “{rival}”. Softmax turns a difference into a "
        "factor: e to the {step:.3f}, or {factor:.2f}."
    )
    def step(self) -> Steps:
        pair = self.scores.block(0, 1, 1, 2)
        yield self.lit.trace(pair)
        yield FadeIn(self.factor)

    @beat(
        "No. It is {printed_factor:.2f} times as much.",
        ask="So the bar of “{asker}” should be {factor:.2f} times that of “{rival}”. Is it?",
        rest=REST,
    )
    def no(self) -> Steps:
        yield Create(self.due, run_time=1.2)
        yield FadeIn(self.printed_factor)

    @beat(CAPTION)
    def true(self) -> Steps:
        yield FadeOut(self.due, self.factor, self.printed_factor, self.lit, run_time=0.6)
        yield (
            self.scores.to(self["true_scores"], run_time=2.0),
            self.bars.to(self["true_weights"], run_time=2.0),
        )
