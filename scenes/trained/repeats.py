"""The most important head only repeats each letter, because the letter itself is faint."""

from __future__ import annotations

import numpy as np
from manim import VGroup

from clockhead.model.films.trained.without import SilentHeads, silent_heads
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
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
)
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.text import Label
from clockhead.scenes.trained.inputs import OTHER_TEXTS, Trained
from clockhead.scenes.trained.tiles import LABELS, NUMBERS

_WORD = 30.0
"""Size of the descriptions of three heads, in pixels."""
_WORDS = 1.0
"""Height for the descriptions and the names, in units."""
_SHARE = 110.0
"""Size of a single attention weight, in pixels."""
_LEAST = 18.0
"""Smallest size of letters, in pixels."""
_EDGE = 0.42
"""Margin for letters beside and below a large pattern, in units."""
_BESIDE = 0.6
"""Gap to the right of a large pattern, in units."""


class Repeats(Stage[SilentHeads]):
    """The most important head only repeats each letter, because the letter itself is faint."""

    Inputs = Trained
    title = "A head that repeats"
    caption = "Our own circuit had no such head. This one cannot do without it."
    opens = ("sheet", "letters")
    derived = {
        "own_name": Derived("the head that attends to the same letter", lambda v: f"0.{v.own}")
    }
    handles = (Handle("text", OTHER_TEXTS, beat="itself"),)

    compute = silent_heads

    def layout(self) -> None:
        self.sheet = HeadSheet(self["patterns"], named=True)
        self.sheet.place(self.canvas)
        self._lay_stream(self.canvas)
        self._lay_circuit(self.canvas)
        self.sheet.stand(self.sheet.zoomed((0, self.values.own), self.large))

    def _lay_stream(self, page: Region) -> None:
        """Lay out the large pattern, and bars for the vectors in the residual stream."""
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
        self.stream = Chart(slots(self["kinds"]), Scale(0.0, 9.0, name=said("length")), size=LABELS)
        self.lengths = Bars(
            self["lengths"], self.stream, "token", spec=".1f", size=NUMBERS, grown=False
        )
        self.stream.place(room.inset(0.35, 0.0))

    def _letter_rows(self) -> None:
        """The letters of the large pattern: of its rows on the left, of its columns below."""
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
        """Lay out three large heads with their descriptions, in a row or a column."""
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
        "Head {own_name} looks only at the same letter, where it stands or where it stood before: "
        "{own_share:.0%}.",
        focus="sheet",
    )
    def itself(self) -> Steps:
        yield FadeIn(self.share, self.on, run_time=0.6)

    @beat(ask="So it writes a letter that is already there. Why?")
    def why(self) -> Steps:
        yield FadeOut(self.share, self.on, run_time=0.4)
        yield FadeIn(self.stream, run_time=0.5)
        yield self.lengths.recolor(1, "key", run_time=0.1)
        yield self.lengths.recolor(2, "value", run_time=0.1)
        yield self.lengths.grow([0, 1], lag=1.0, run_time=1.6)

    @beat(
        "The letter itself is faint: a vector of length {letter_length:.1f}, and the note about "
        "the letter before is {note_length:.1f} long.",
        focus="stream",
    )
    def faint(self) -> Steps:
        yield 0.5

    @beat(
        "Head {own_name} writes the letter once more, as loud as the note: {copy_length:.1f}.",
        rest=REST,
        focus="stream",
    )
    def loud(self) -> Steps:
        yield self.lengths.grow([2], run_time=1.2)

    @beat(CAPTION, focus="sheet")
    def third(self) -> Steps:
        yield FadeOut(self.stream, self.lengths, self.letters, run_time=0.5)
        yield self.sheet.go(self.circuit, run_time=2.0)
        yield FadeIn(self.words, run_time=0.5)
