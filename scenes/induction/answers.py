"""Stages with several texts and their notes, one at a time, and a bar for every word's output."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from manim import AnimationGroup

from clockhead.model.induction.circuit import Induction
from clockhead.scenes.induction.note_bars import strip_values
from clockhead.scenes.induction.spread import LARGE, tile_size
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_lines import SEAM
from clockhead.scenes.parts.strip_looks import (
    come_back,
    frame_notes,
    hide_tiles,
    leave,
    paint,
    show_notes,
    take_off,
    wear,
)
from clockhead.scenes.parts.tile import HEIGHT, NOTE_GAP
from clockhead.scenes.stage import Column, Layers, Row, Size, Stage, Steps, Value, fit
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.type import MIN_SIZE

SHARE = ".1%"
SIZE = 30.0
"""Letter size of the words under the bars and of the numbers over them, in pixels."""
_NOTES = 34.0
"""Letter size of notes, in pixels."""
_AXIS, _SHORT = (Scale(0.0, 1.0, ticks, ".0%") for ticks in ((0.0, 0.5, 1.0), (0.0, 1.0)))
_FLIGHT = 1.6
"""Seconds in which words fly to their bars."""
_LINE, _LOW = 0.35, 0.3
"""Smallest pitch of lines of tiles, and smallest height of a tile in them, in units."""


class Answering(Stage[Any]):
    """A stage that shows texts and the head's output after each of them."""

    tiles: Strip
    """The text on screen."""

    def lay_out(self, prefix: str, names: tuple[str, ...], output: Value) -> None:
        """Lay out the texts of the heads with these names, and bars that show `output` (V,)."""
        words = self[f"{prefix}vocabulary.tokens"]
        size = tile_size(self.canvas, LARGE)

        def texts(lines: int | None) -> list[Strip]:
            look: dict[str, Any] = {"size": size, "note_size": _NOTES, "lines": lines}
            return [Strip(**strip_values(self, f"{prefix}{name}."), **look) for name in names]

        line, two, lines = texts(1), texts(2), texts(None)
        column: list[Strip] = [
            ColumnText(strip_values(self, f"{prefix}{name}."), size) for name in names
        ]
        upright = Chart(slots(words), _AXIS, size=SIZE)
        level = Chart(slots(words), _AXIS)
        lying = Chart(_AXIS, slots(words, down=True), size=SIZE)
        small = Chart(_SHORT, slots(words, down=True), size=MIN_SIZE, least=(1.0, 1.0))
        over = [(line, upright, Column), (line, level, Column), (lines, level, Column)]
        beside: list[tuple[list[Strip], Chart, Any]] = [(lines, lying, Column)]
        if not self.canvas.wide:
            beside.insert(0, (two, lying, Column))
        pages = [*over, *beside] if self.canvas.wide else [*beside, *over]
        pages += [(lines, lying, Row), (column, small, Row)]
        bars = [
            Bars(output, chart, "probability", spec=SHARE, numbered=(), grown=False,
                 size=MIN_SIZE if chart is small else SIZE)
            for _, chart, _ in pages
        ]  # fmt: skip
        ways = [kind(_layers(text), chart, weights=(2, 3)) for text, chart, kind in pages]
        chosen = fit(self.canvas, *ways)
        strips, self.chart, _ = pages[chosen]
        self.bars = bars[chosen]
        self.chart.marks = [self.bars]
        self.strips = dict(zip(names, strips, strict=True))
        for name, strip in self.strips.items():
            show_notes(strip)
            strip.look([self.head(name).n_tokens - 1], "query")
        self.tiles = strips[0]
        self.words = list(words.content)

    def head(self, name: str) -> Induction:
        """The head with this name, run over its text."""
        raise NotImplementedError

    def change_text(self, name: str) -> Steps:
        """Replace the text on screen by another one, and lower the bars."""
        old, new = self.tiles, self.strips[name]
        n_old, n_new = (range(len(strip.tiles)) for strip in (old, new))
        yield (
            leave(old, *n_old),
            take_off(old, *n_old),
            self.bars.sink(run_time=0.6),
            self.bars.unwrite(),
        )
        self.remove(old)
        hide_tiles(new, *n_new)
        self.tiles = new
        self.add(new)
        yield come_back(new, *n_new, run_time=0.8), wear(new, *n_new, run_time=0.8)

    def fill_bars(self, name: str, output: Value, *wrong: int, spec: str = SHARE) -> Steps:
        """Highlight matching notes, fly their words to the bars, and grow these to `output` (V,).

        `wrong` are the indices of words that get attention by mistake: their bars are red.
        """
        head = self.head(name)
        found = head.text.followers.tolist()
        self.bars.set_to(output)
        if found:
            yield frame_notes(self.tiles, *found, role="key", run_time=0.6)
        yield (
            paint(self.tiles, found, "correct"),
            self.bars.recolor(range(len(self.words)), "probability"),
        )
        if wrong:  # the first word, which notes itself
            found = [0, *found]
            yield paint(self.tiles, 0, "wrong")
        copies = [self.tiles.copy_of(k) for k in found]
        self.add(*copies)
        flights = [
            copy.fly_to(self.bars.foot(self.words.index(head.tokens[k])), run_time=_FLIGHT)
            for copy, k in zip(copies, found, strict=True)
        ]
        if flights:
            yield AnimationGroup(*flights)
        self.remove(*copies)
        yield self.bars.grow(run_time=1.2), *self._mark_wrong(wrong)
        places = sorted({self.words.index(head.tokens[k]) for k in found} | set(wrong))
        yield self.bars.write(places or range(len(self.words)), spec)

    def _mark_wrong(self, wrong: tuple[int, ...]) -> list[Drive]:
        return [self.bars.recolor(list(wrong), "wrong")] if wrong else []


def _layers(texts: list[Strip]) -> Layers:
    """Layers for texts that are shown one after the other, as high as the highest one."""
    return Layers(*sorted(texts, key=lambda text: -text.least.height))


class ColumnText(Strip):
    """A column of tokens with notes (see `note_bars.strip_values`), as dense as is legible."""

    def __init__(self, values: Mapping[str, Any], size: float) -> None:
        n = len(values["tokens"])
        super().__init__(**values, aside=True, size=size, lines=n)

    @property
    def least(self) -> Size:
        return Size(self.measures.block(1, 1, MIN_SIZE).width, len(self.tiles) * _LINE)

    @property
    def most(self) -> Size:
        width = self.measures.block(1, 1, self.size).width
        return Size(width, len(self.tiles) * (HEIGHT * self.size * PX + SEAM))

    def place(self, region: Region) -> None:
        """Place the column in the middle of a region."""
        n, width = len(self.tiles), (region.width - NOTE_GAP) / 2
        pitch = min(region.height / n, HEIGHT * self.size * PX + SEAM)
        top, x = region.center[1] + n * pitch / 2, region.left + width / 2
        places = [(x, top - (k + 0.5) * pitch) for k in range(n)]
        self.place_at(np.array(places), (width, max(_LOW, pitch - SEAM)))
