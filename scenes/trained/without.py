"""One head silent at a time: the head that is missed most only looks at the same letter."""

from __future__ import annotations

import numpy as np
from manim import Rectangle, VGroup

from clockhead.model.films.trained.without import SilentHeads, silent_heads
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Rule
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.head_sheet import Arrangement, HeadSheet
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import (
    CAPTION,
    REST,
    Derived,
    FadeIn,
    FadeOut,
    Handle,
    Stage,
    Steps,
    beat,
    together,
)
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.text import Label
from clockhead.scenes.trained.inputs import OTHER_TEXTS, Trained
from clockhead.scenes.trained.tiles import LABELS, NUMBERS

_HIGH = 2.75
"""The highest loss of the chart."""
_NAMES, _NAMED = 26.0, 0.45
"""The size of the names of heads in pixels, and the room for them under the squares, in units."""
_WORD, _WORDS = 30.0, 1.0
"""The same for what three of them do, with their names."""
_AIR, _GAP = 0.86, 0.28
"""How much of its slot a square takes; from a bar to its number, in units."""
_SHARE, _LEAST = 110.0, 18.0
"""The size of a share by itself, and the least one of letters, in pixels."""
_EDGE = 0.42
"""The room for letters beside a large pattern and below it, in units."""
_BESIDE = 0.6
"""Between a large pattern and the bars beside it, in units."""


def _previous(v: SilentHeads) -> str:
    return f"0.{v.previous}"


class Without(Stage[SilentHeads]):
    """One head silent at a time: the head that is missed most only looks at the same letter."""

    Inputs = Trained
    title = "Take one away"
    caption = "Our own circuit had two heads. This one needs a third, which only repeats."
    opens = ("chart", "level", "sheet")
    derived = {
        "previous_name": Derived("the head that looks one letter back", _previous),
        "own_name": Derived("the head that looks at the same letter", lambda v: f"0.{v.own}"),
    }
    handles = (Handle("text", OTHER_TEXTS, beat="itself"),)

    compute = silent_heads

    def layout(self) -> None:
        v, page = self.values, self.canvas
        ticks = (0.0, v.whole, v.plateau)
        self.chart = Chart(
            slots(v.n_heads), Scale(0.0, _HIGH, ticks, ".2f", said("loss")), size=LABELS
        )
        left = page.left + self.chart.y.thickness
        pitch = (page.right - left) / v.n_heads
        side = min(_AIR * pitch, 0.3 * page.height)
        foot = page.bottom + side + _NAMED + 0.15
        area = Region(left, foot, page.right, page.top - self.chart.y.headroom)
        lead = v.plateau - min(v.previous_loss, v.own_loss)
        gap = max(_GAP, lead * area.height / _HIGH + 0.08)  # numbers stand over the line
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
        self._lay_parts(page)
        self._lay_circuit(page)

    def _lay_parts(self, page: Region) -> None:
        """The large pattern, and the bars of what layer 1 makes of what the head writes."""
        if page.wide:
            side = min(page.height, 0.44 * page.width)
            left = Region(page.left, page.bottom, page.left + side, page.top)
            room = Region(page.left + side + _BESIDE, page.bottom, page.right, page.top)
        else:
            side = min(page.width, 0.5 * page.height)
            left, room = page.cut_top(side)
        self.large = Region(left.left + _EDGE, left.bottom + _EDGE, left.right, left.top)
        self._letter_rows()
        self.share = Figure(self["own_share"], ".0%", size=_SHARE, color="attention")
        self.share.put(room.center)
        self.on = Label(said("to the same letter"), size=28.0, align="center")
        self.on.put(room.center + np.array([0.0, -0.7, 0.0]))
        self.shares = Chart(
            slots(self["parts"], name=said("hidden from")),
            Scale(0.0, 1.8, (0.0, self.values.whole), ".2f", said("loss")),
            size=LABELS,
        )
        self.hidden = Bars(
            self["hidden"], self.shares, "query", spec=".2f", size=NUMBERS, grown=False, gap=_GAP
        )
        self.same = Rule(self["whole"], self.shares)
        self.shares.place(room)

    def _letter_rows(self) -> None:
        """The letters of the large pattern, of its rows on the left and of its columns below."""
        letters = ("^", *self.values.riddle.shown)
        side = min(self.large.width, self.large.height)
        left, bottom = self.large.center[0] - side / 2, self.large.center[1] - side / 2
        cell = side / len(letters)
        size = min(30.0, 0.85 * cell / PX)
        self.letters = VGroup()
        for k, letter in enumerate(letters if size >= _LEAST else ()):
            row, column = (Label(letter, size=size, align="center") for _ in range(2))
            row.center_on(np.array([left - _EDGE / 2, bottom + side - (k + 0.5) * cell, 0.0]))
            column.center_on(np.array([left + (k + 0.5) * cell, bottom - _EDGE / 2, 0.0]))
            self.letters.add(row, column)

    def _lay_circuit(self, page: Region) -> None:
        """Three heads large, side by side or one below the other, and what each of them does."""
        v = self.values
        wide, high = (3, 1) if page.width > 0.9 * page.height else (1, 3)
        room = np.array([page.width / wide, page.height / high])
        side = 0.92 * min(room[0], room[1] - _WORDS)
        spots = np.zeros((v.n_heads, 3))
        heads = (v.previous, v.n_heads // 2 + v.looking_up, v.own)
        words = (said("one back"), said("looks up"), said("repeats"))
        self.words = VGroup()
        for place, (k, word) in enumerate(zip(heads, words, strict=True)):
            x, y = (place, 0) if wide > 1 else (0, place)
            middle = page.left + (x + 0.5) * room[0]
            top = page.top - y * room[1] - (room[1] - side - _WORDS) / 2
            spots[k] = middle, top - side / 2, side
            foot = np.array([middle, top - side - _WORDS + 0.15, 0.0])
            self.words.add(Label(word, size=_WORD, align="center").put(foot))
        self.circuit = Arrangement(spots, LABELS)

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
            yield from self._silence(k)

    @beat(ask="Layer 0 is left. Which of its heads will be missed most?")
    def most(self) -> Steps:
        v = self.values
        for k in range(v.n_heads // 2):
            if k not in (v.own, v.previous):
                yield from self._silence(k)
        yield from self._silence(v.previous, run_time=1.2)

    @beat(
        "Without head {previous_name}, the previous-token head, it is {previous_loss:.2f}: nearly "
        "as high as after the first fall.",
        focus="chart",
    )
    def lower(self) -> Steps:
        yield FadeIn(self.plateau, run_time=0.8)

    @beat(
        "But without head {own_name}, it is even {own_loss:.2f}. What does this head look at?",
        focus="chart",
    )
    def own(self) -> Steps:
        yield from self._silence(self.values.own, run_time=1.2)

    @beat(
        "Only at the same letter, where it stands and where it stood before: {own_share:.0%}.",
        focus="sheet",
    )
    def itself(self) -> Steps:
        yield FadeOut(self.chart, self.bars, self.level, self.plateau, run_time=0.5)
        yield self.sheet.go(self.sheet.zoomed((0, self.values.own), self.large), run_time=1.8)
        yield FadeIn(self.letters, self.share, self.on, run_time=0.6)

    @beat(
        "It writes every letter once more. Layer 1 needs that in its queries and its values; the "
        "keys do without.",
        rest=REST,
        focus="shares",
    )
    def parts(self) -> Steps:
        yield FadeOut(self.share, self.on, run_time=0.4)
        yield FadeIn(self.shares, self.same, run_time=0.6)
        yield together(self.hidden.recolor(1, "key", run_time=0.1), self.hidden.recolor(2, "value"))
        yield self.hidden.grow(lag=1.0, run_time=3.0)

    @beat(CAPTION, focus="sheet")
    def third(self) -> Steps:
        yield FadeOut(self.shares, self.hidden, self.same, self.letters, run_time=0.5)
        yield self.sheet.go(self.circuit, run_time=2.0)
        yield FadeIn(self.words, run_time=0.5)

    def _silence(self, k: int, *, run_time: float = 0.6) -> Steps:
        """The square of a head goes dark, its bar grows, and the head is back."""
        area = self.sheet.tile(self.sheet.heads[k])
        veil = Rectangle(width=area.width + 0.06, height=area.height + 0.06, stroke_width=0)
        veil.set_fill(self.theme.ground, 0.85).move_to(area.center)
        yield FadeIn(veil, run_time=0.15)
        yield self.bars.grow([k], run_time=run_time)
        yield FadeOut(veil, run_time=0.15)
