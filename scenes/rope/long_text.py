"""Base of the stages with a long text, under dials and a chart of the last word's scores."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import VGroup
from numpy.typing import NDArray
from pydantic import Field

from clockhead.model.films.rope.word_before import LookingBack
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Dots, Trace
from clockhead.scenes.parts.dial import Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.scale import Scale, round_ticks
from clockhead.scenes.rope.chart_slots import SlotFrame, Slots, TextChart
from clockhead.scenes.rope.inputs import ClockInputs
from clockhead.scenes.rope.word_line import NUMBER
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import Stage, Value
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive, Moves, together
from clockhead.scenes.style.text import Align
from clockhead.scenes.style.theme import Role

FOOT, EDGE = 1.28, 0.3
"""Space under the charts, and to their right, in units."""
_BLOCK, _TALL_BLOCK = 0.38, 0.42
"""Share of a wide canvas' width, and of a tall one's height, for large dials."""
_AXIS = 1.0
"""Space for the numbers along an axis, in units."""
_HEAD, _NAMES = 0.4, 1.35
"""Space over an axis for its name, and over a text for the names of words, in units."""
_SHORT = 0.3
"""Height of the lines over words without a chart, in units."""
_ROOM = 0.16
"""Fraction of a chart's height that stays free over the highest wave."""
_SMALL = 24.0
"""Letter size of the text's numbers, in pixels."""


class LongTextInputs(ClockInputs):
    """The size of the head, its scale alpha, and the length of the text."""

    alpha: float = Field(40.0, ge=4, le=40, description="scale of the scores; larger is sharper")
    long: int = Field(46, ge=40, le=64, description="number of tokens in the text")


class LongTextStage(Stage):
    """A text under a row of dials, or under a chart of scores with large dials beside or above."""

    values: Any
    path = ""
    """Path of the head with different speeds in the stage's values, with a dot at the end."""

    @property
    def head(self) -> LookingBack:
        """The head with different speeds."""
        head: LookingBack = self.values
        return head

    def head_value(self, path: str) -> Value:
        """The value at a path in the head."""
        return self[f"{self.path}{path}"]

    def lay_text(self) -> None:
        """Lay out the text under a row of dials, with frames for the query and the current key."""
        v, canvas = self.head, self.canvas
        ticks, words = round_ticks(0, v.long - 1), said("words back from the last one")
        back = Scale(v.long - 0.5, -0.5, ticks=ticks, spec="d", name=words)
        self.text = TextChart(back, Scale(0, 1 / (1 - _ROOM), line=False), size=_SMALL)
        self.slots = Slots(self.head_value("long"), self.text)
        self.asker = SlotFrame(self.head_value("back")[v.target + 1], self.text, "query")
        self.lens = SlotFrame(self.head_value("back")[v.target], self.text, "key")
        self.foot, self.end = canvas.bottom + FOOT, canvas.right - EDGE
        self.text.place_area(Region(canvas.left + 0.1, self.foot, self.end, self.foot + _SHORT))
        self.asker.line.set_stroke(opacity=0)
        self.faces = Dials(v.n_pairs, labels=None, largest=1.6)
        rows = self.faces.in_rows(1 if canvas.wide else 2)
        rows.place(Region(canvas.left, self.foot + _NAMES, canvas.right, canvas.top))

    def lay_hands(self, query: Value, key: Value) -> None:
        """Lay out the hands of query and key on the dials."""
        self.query = Hands(query, self.faces, "query", angles=True)
        self.key_hands = Hands(key, self.faces, "key", angles=True, rim=True)

    def lay_scores(self, low: float, *, grown: bool = False) -> None:
        """Lay out a chart of scores from `low` up, bars of attention, and large dials."""
        v, canvas = self.head, self.canvas
        if canvas.wide:
            left, high = canvas.left + _BLOCK * canvas.width, canvas.top - _HEAD
            room = Region(canvas.left, self.foot - 0.3, left - _AXIS, high)
        else:
            left, high = canvas.left + _AXIS, canvas.top - _TALL_BLOCK * canvas.height
            room = Region(canvas.left, high + _HEAD, canvas.right, canvas.top)
        self.whole = Region(left, self.foot, self.end, high)
        block = Dials(v.n_pairs, labels=None, largest=1.6, columns=2)
        block.place(room)
        self.block = block.centers[0], block.radius
        options: dict[str, Any] = {"at": v.back, "grown": grown, "most_width": 0.5}
        self.bars = Bars(self.head_value("row"), self.text, **options)
        ticks = *((low,) if low <= -v.full / 2 else ()), 0.0, v.full / 2, v.full
        y = Scale(low, v.full / (1 - _ROOM), ticks=ticks, spec=",.12g", name=said("score"))
        self.sums = Chart(Scale(v.long - 0.5, -0.5, line=False), y, size=NUMBER)
        self.sums.place_area(self.whole)
        x: dict[str, Any] = {"x": self.head_value("places")}
        parts = self.head_value("parts")
        self.parts = [Trace(parts[k], self.sums, role="key", **x) for k in range(v.n_pairs)]
        self.sum = Trace(self.head_value("score"), self.sums, role="score", stroke=7, **x)
        words: dict[str, Any] = {"x": self.head_value("words"), "role": "score", "radius": 0.085}
        self.dots = Dots(self.head_value("word_scores"), self.sums, **words)
        for mark in (self.sum, self.dots, *self.parts):
            mark.redraw()

    def slide(self, goals: list[tuple[Chart, Region]], **options: Any) -> Drive:
        """Move charts, with all their marks, to other areas."""
        ways = [(chart, _corners(chart.area), _corners(goal)) for chart, goal in goals]

        def show(share: NDArray[np.float64]) -> None:
            for chart, start, end in ways:
                chart.place_area(Region(*(start + (end - start) * float(share))))

        seen = self.get_mobject_family_members()
        parts = (part for chart, _ in goals for part in (chart, *chart.marks) if part in seen)
        return Drive(VGroup(*parts), show, 0.0, 1.0, **options)

    def walk(self, places: Value, phases: Value, **options: Any) -> Moves:
        """Move the key's frame through places, and its hands through phases."""
        return together(
            self.lens.through(places, **options), self.key_hands.through(phases, **options)
        )

    def figures_over(
        self,
        chart: Chart,
        spec: str,
        *numbers: tuple[Value, int, Align, Role],
        lift: float = 0.5,
        prefix: str = "",
    ) -> VGroup:
        """Numbers over their words, each `lift` letter sizes above its value in the chart."""
        found = VGroup()
        for value, back, align, role in numbers:
            figure = Figure(value, spec, size=NUMBER, color=role, align=align, prefix=prefix)
            aside = {"right": 0.5 * chart.x.pitch, "center": 0.0, "left": 0.12}[align]
            x = float(chart.x.at(back)) + aside
            y = float(chart.y.at(value.array)) + lift * NUMBER * PX
            found.add(figure.put(np.array([x, y, 0.0])))
        return found


def _corners(area: Region) -> NDArray[np.float64]:
    """Left, bottom, right and top of an area."""
    return np.array([area.left, area.bottom, area.right, area.top])
