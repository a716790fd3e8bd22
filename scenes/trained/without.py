"""Ablating one head at a time: the most important head only attends to the same letter."""

from __future__ import annotations

import numpy as np
from manim import Rectangle

from clockhead.model.films.trained.without import SilentHeads, silent_heads
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Rule
from clockhead.scenes.parts.head_sheet import Arrangement, HeadSheet
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import (
    CAPTION,
    Derived,
    FadeIn,
    FadeOut,
    Handle,
    Stage,
    Steps,
    beat,
)
from clockhead.scenes.style.layout import Region
from clockhead.scenes.trained.inputs import OTHER_TEXTS, Trained
from clockhead.scenes.trained.tiles import LABELS, NUMBERS

_HIGH = 2.75
"""Highest loss on the chart."""
_NAMES = 26.0
"""Size of the names of heads, in pixels."""
_NAMED = 0.45
"""Height of the names below the squares, in units."""
_SQUARE_WIDTH = 0.86
"""Width of a square as a fraction of its slot."""
_GAP = 0.28
"""Gap between a bar and its number, in units."""


def _previous_name(v: SilentHeads) -> str:
    return f"0.{v.previous}"


class Without(Stage[SilentHeads]):
    """Ablating one head at a time: the most important head only attends to the same letter."""

    Inputs = Trained
    title = "Take one away"
    caption = "But without head {own_name}, it is even {own_loss:.2f}. What does this head look at?"
    opens = ("chart", "level", "sheet")
    derived = {
        "previous_name": Derived("the head that looks one letter back", _previous_name),
        "own_name": Derived("the head that attends to the same letter", lambda v: f"0.{v.own}"),
    }
    handles = (Handle("text", OTHER_TEXTS, beat="own"),)

    compute = silent_heads

    def layout(self) -> None:
        v, page = self.values, self.canvas
        ticks = (0.0, v.whole, v.plateau)
        self.chart = Chart(
            slots(v.n_heads), Scale(0.0, _HIGH, ticks, ".2f", said("loss")), size=LABELS
        )
        left = page.left + self.chart.y.thickness
        pitch = (page.right - left) / v.n_heads
        side = min(_SQUARE_WIDTH * pitch, 0.3 * page.height)
        foot = page.bottom + side + _NAMED + 0.15
        area = Region(left, foot, page.right, page.top - self.chart.y.headroom)
        lead = v.plateau - min(v.previous_loss, v.own_loss)
        gap = max(_GAP, lead * area.height / _HIGH + 0.08)  # numbers are placed above the line
        self.bars = Bars(
            self["losses"],
            self.chart,
            "wrong",
            spec=".2f",
            grown=False,
            gap=gap,
            size=NUMBERS if pitch > 1 else 26.0,
        )
        self.level = Rule(self["whole"], self.chart)
        first = said("after the first fall")
        self.plateau = Rule(self["plateau"], self.chart, first, size=LABELS)
        self.chart.place_area(area)
        self.sheet = HeadSheet(self["patterns"], named=True)
        spots = np.array(
            [[left + (k + 0.5) * pitch, foot - 0.15 - side / 2, side] for k in range(v.n_heads)]
        )
        self.sheet.stand(Arrangement(spots, _NAMES))

    @beat(
        "With all eight heads, the loss on letters that come again is {whole:.2f}. "
        "Now silence one at a time.",
        focus="chart",
    )
    def all_(self) -> Steps:
        yield 1.0

    @beat(
        "Without any one head of layer 1, it rises to {upper:.2f} at most: the other three "
        "look things up, too.",
        focus="chart",
    )
    def upper(self) -> Steps:
        for k in range(self.values.n_heads // 2, self.values.n_heads):
            yield from self._ablate(k)

    @beat(ask="Layer 0 is left. Which of its heads will be missed most?")
    def most(self) -> Steps:
        v = self.values
        for k in range(v.n_heads // 2):
            if k not in (v.own, v.previous):
                yield from self._ablate(k)
        yield from self._ablate(v.previous, run_time=1.2)

    @beat(
        "Without head {previous_name}, the previous-token head, it is {previous_loss:.2f}: nearly "
        "as high as after the first fall.",
        focus="chart",
    )
    def lower(self) -> Steps:
        yield FadeIn(self.plateau, run_time=0.8)

    @beat(CAPTION, focus="chart")
    def own(self) -> Steps:
        yield from self._ablate(self.values.own, run_time=1.2)

    def _ablate(self, k: int, *, run_time: float = 0.6) -> Steps:
        """Darken the square of a head, grow its bar, and restore the square."""
        area = self.sheet.tile(self.sheet.heads[k])
        veil = Rectangle(width=area.width + 0.06, height=area.height + 0.06, stroke_width=0)
        veil.set_fill(self.theme.ground, 0.85).move_to(area.center)
        yield FadeIn(veil, run_time=0.15)
        yield self.bars.grow([k], run_time=run_time)
        yield FadeOut(veil, run_time=0.15)
