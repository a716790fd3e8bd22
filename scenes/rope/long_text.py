"""A long text whose last word looks for the one before it, under clocks and the waves they draw."""

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
"""The room under the charts, and right of them, in units."""
_BLOCK, _TALL_BLOCK, _AXIS = 0.38, 0.42, 1.0
"""The share of a wide canvas and of a tall one for large dials, and the room for numbers, units."""
_HEAD = 0.4
"""The room over an axis for its name, in units."""
ROOM = 0.16
"""The share over the highest wave that stays free."""
_SMALL = 24.0


class LongTextInputs(ClockInputs):
    """The text, and how sharp the head is."""

    alpha: float = Field(40.0, ge=4, le=40, description="scale of the scores; larger is sharper")
    long: int = Field(46, ge=40, le=64, description="tokens in the text")


class LongTextStage(Stage):
    """Large dials beside or over a chart of scores; under it the text, and its attention."""

    values: Any

    @property
    def head(self) -> LookingBack:
        """The head with many speeds."""
        raise NotImplementedError

    def lay_charts(self, path: str, low: float, *, grown: bool = False) -> None:
        """The text and the scores, from `low` on, of the head at a path; large dials, and bars."""
        v, canvas, name = self.head, self.canvas, f"{path}." if path else ""
        foot, right = canvas.bottom + FOOT, canvas.right - EDGE
        if canvas.wide:
            left, high = canvas.left + _BLOCK * canvas.width, canvas.top - _HEAD
            room = Region(canvas.left, foot - 0.3, left - _AXIS, high)
        else:
            left, high = canvas.left + _AXIS, canvas.top - _TALL_BLOCK * canvas.height
            room = Region(canvas.left, high + _HEAD, canvas.right, canvas.top)
        self.whole = Region(left, foot, right, high)
        self.block = Dials(v.n_pairs, labels=None, largest=1.6, columns=2)
        self.block.place(room)
        ticks, words = round_ticks(0, v.long - 1), said("words back from the last one")
        back = Scale(v.long - 0.5, -0.5, ticks=ticks, spec="d", name=words)
        self.text = TextChart(back, Scale(0, 1 / (1 - ROOM), line=False), size=_SMALL)
        self.slots = Slots(self[f"{name}long"], self.text)
        self.asker = SlotFrame(self[f"{name}back"][v.target + 1], self.text, "query")
        self.lens = SlotFrame(self[f"{name}back"][v.target], self.text, "key")
        options: dict[str, Any] = {"at": v.back, "grown": grown, "most_width": 0.5}
        self.bars = Bars(self[f"{name}row"], self.text, **options)
        self.text.place_area(self.whole)
        self.asker.line.set_stroke(opacity=0)
        ends = *((low,) if low == -v.full else ()), 0.0, v.full / 2, v.full
        y = Scale(low, v.full / (1 - ROOM), ticks=ends, spec=",.12g", name=said("score"))
        self.sums = self.chart(y, self.whole, size=NUMBER)
        self.sum = Trace(
            self[f"{name}score"], self.sums, x=self[f"{name}places"], role="score", stroke=7
        )
        look: dict[str, Any] = {"x": self[f"{name}words"], "role": "score"}
        self.dots = Dots(self[f"{name}word_scores"], self.sums, radius=0.085, **look)
        self.sum.redraw()
        self.dots.redraw()
        top = float(self.sums.y.at(v.full))
        self.inner = Region(left, foot, right, top)

    def chart(self, y: Scale, area: Region, size: float = _SMALL) -> Chart:
        """A chart over the places of the text that fills an area."""
        chart = Chart(Scale(self.head.long - 0.5, -0.5, line=False), y, size=size)
        chart.place_area(area)
        return chart

    def lay_waves(self, waves: Value, places: Value, areas: list[Region]) -> None:
        """A wave of every hand in an area of its own."""
        scale = Scale(-1, 1, line=False)
        self.charts = [self.chart(scale, area) for area in areas]
        self.waves = [
            Trace(waves[k], chart, x=places, role="key") for k, chart in enumerate(self.charts)
        ]
        for wave in self.waves:
            wave.redraw()

    def lay_key(self, phases: Value, dials: Dials) -> None:
        """The hands of a key."""
        self.key_hands = Hands(phases, dials, "key", angles=True, rim=True)

    def slide(self, goals: list[tuple[Chart, Region]], **options: Any) -> Drive:
        """Charts, and all that is drawn over them, go to other areas."""
        ways = [(chart, _corners(chart.area), _corners(goal)) for chart, goal in goals]

        def show(share: NDArray[np.float64]) -> None:
            for chart, start, end in ways:
                chart.place_area(Region(*(start + (end - start) * float(share))))

        seen = self.get_mobject_family_members()
        parts = (part for chart, _ in goals for part in (chart, *chart.marks) if part in seen)
        return Drive(VGroup(*parts), show, 0.0, 1.0, **options)

    def walk(self, places: Value, phases: Value, **options: Any) -> Moves:
        """A key goes from place to place."""
        return together(
            self.lens.through(places, **options), self.key_hands.through(phases, **options)
        )

    def figures_over(
        self, chart: Chart, spec: str, *numbers: tuple[Value, int, Align, Role], lift: float = 0.5
    ) -> VGroup:
        """Numbers, each over the place of its word, so many of its sizes over its own height."""
        found = VGroup()
        for value, back, align, role in numbers:
            color = self.theme.text_color(role)
            figure = Figure(value, spec, size=NUMBER, color=color, align=align)
            aside = {"right": 0.5 * chart.x.pitch, "center": 0.0, "left": 0.12}[align]
            x = float(chart.x.at(back)) + aside
            y = float(chart.y.at(value.array)) + lift * NUMBER * PX
            found.add(figure.put(np.array([x, y, 0.0])))
        return found


def _corners(area: Region) -> NDArray[np.float64]:
    """Left, bottom, right and top."""
    return np.array([area.left, area.bottom, area.right, area.top])
