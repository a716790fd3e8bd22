"""A text and, under it, what comes next: what the text itself says, and what a head says.

An outline for every token of the vocabulary is its share counted in the text; the filled bar in it
is the head's output.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Animation, FadeIn, VGroup
from numpy.typing import ArrayLike, NDArray

from scenes.parts.charts.bars import Bars
from scenes.parts.tokens.prompt_strip import TokenBox
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive, recolor
from scenes.style.text import Align, Label, Number
from scenes.style.theme import theme
from scenes.style.type import CAP_HEIGHT, MIN_SIZE, SMALL

_FOOT, _HEADING, _OVER = 0.44, 0.36, 0.42
"""Room for the names under the bars, for the heading, and for a number over a full bar."""
_LEAST_SLOT, _MOST_SLOT = 0.32, 0.56
_ROW_GAP = 0.08
_ROOMY, _BESIDE = 0.42, 0.24
"""How far apart bars must stand for BOS to fit under one; else it reaches out to the left."""
_WIDER = 1.5
"""How much wider than a letter's box that of BOS is."""
_FINE = 0.17
"""Where bars stand closer than this, in units, every second is named."""
_TOO_MUCH = 0.1
"""An output so far above what the text says is wrong."""
_MOST_NUMBERS, _SPEC = 2, ".1%"
_NAME = 26.0
"""The largest type for a name under a bar."""


class TextShares(VGroup):
    """`tokens` in boxes, and a bar for each of `names`; `expected` and `output` are (V,).

    `high` is the share that fills the height, and `head` the height for heading and text. Parts
    that are not shown yet: `outlines`, `bars`, and `numbers`, over the largest outputs.
    """

    def __init__(
        self,
        tokens: Sequence[str],
        names: Sequence[str],
        expected: ArrayLike,
        output: ArrayLike,
        region: Region,
        *,
        high: float,
        heading: str,
        head: float,
    ) -> None:
        super().__init__()
        self.output = np.asarray(output, dtype=float)
        self.expected = np.asarray(expected, dtype=float)
        self.wrong = self.output - self.expected > _TOO_MUCH  # (V,)
        self.boxes = _boxes(tokens, region.cut_top(_HEADING, 0.0)[1])
        strip = VGroup(*self.boxes)
        title = Label(heading, size=SMALL, color=theme().muted, align="center")
        self.heading = title.put(np.array([region.center[0], region.top - 0.2, 0.0]))
        top = region.top - head
        self._squeezed = (region.width - _BESIDE) / len(names) < _ROOMY
        inset = _BESIDE if self._squeezed and len(names[0]) > 1 else 0.0
        room = Region(region.left + inset, region.bottom + _FOOT, region.right, top - _OVER)
        self.outlines = self._outlines(room, high)
        self.bars = Bars(self.output, room, high=high, color=theme().value)
        for bar, wrong in zip(self.bars.bars, self.wrong, strict=True):
            bar.set_fill(theme().wrong if wrong else theme().value)
        self.names = [self._name(k, name, region.bottom) for k, name in enumerate(names)]
        self.numbers = self._numbers(high)
        self.bars.show(np.zeros_like(self.output))
        for box in self.boxes:
            box.label.set_fill(theme().muted)
        every = 2 if self.bars.step < _FINE else 1
        shown = self.names[int(self.output.argmax()) % every :: every]
        self.text = VGroup(self.heading, strip, *shown)
        self.add(self.text, self.outlines, self.bars, self.numbers)

    def fill(self, *, run_time: float = 1.0) -> Drive:
        """Let the head's output fill the outlines."""
        return self.bars.to(self.output, run_time=run_time)

    def count(self, *, run_time: float = 0.8) -> FadeIn:
        """Let what the text says appear."""
        return FadeIn(self.outlines, run_time=run_time)

    def wake(self, *, run_time: float = 0.5) -> list[Drive]:
        """Step forward: the text is no longer muted."""
        look = theme()
        tints = [box.tint(ink=look.token, run_time=run_time) for box in self.boxes]
        return [*tints, recolor(self.heading, look.ink, run_time=run_time)]

    def _outlines(self, room: Region, high: float) -> VGroup:
        bars = Bars(self.expected, room, high=high)
        kept = VGroup()
        for bar, share in zip(bars.bars, self.expected, strict=True):
            if share > 0:
                kept.add(bar.set_fill(opacity=0).set_stroke(theme().ink, 2.5))
        return kept

    def tell(self, *, run_time: float = 0.4) -> list[Animation]:
        """The largest outputs as numbers, and whose they are."""
        ink, names = theme().ink, zip(self.names, self.output, strict=True)
        shown = self.text.submobjects
        large = [n for n, share in names if n in shown and share >= 0.5 * self.output.max()]
        lit = [recolor(name, ink, run_time=run_time) for name in large]
        return [FadeIn(self.numbers, run_time=run_time), *lit]

    def _name(self, k: int, name: str, bottom: float) -> Label:
        aside = self._squeezed and len(name) > 1
        room = self.bars.step / PX * (0.9 if len(name) == 1 else 0.6)
        size = max(MIN_SIZE, min(_NAME, room))
        align: Align = "right" if aside else "center"
        label = Label(name, size=size, color=theme().muted, align=align)
        x = self.bars.middle(k) + (0.06 if aside else 0.0)
        return label.put(np.array([x, bottom + 0.1, 0.0]))

    def _numbers(self, high: float) -> VGroup:
        """The largest outputs over their bars; one number for both where two read the same."""
        large = np.flatnonzero(self.output >= 0.5 * self.output.max()).tolist()
        if len(large) > _MOST_NUMBERS:
            large = [int(self.output.argmax())]
        alike = {Number(float(self.output[k]), _SPEC).text for k in large}
        if len(large) > 1 and len(alike) == 1 and not self.wrong.any():
            middle = float(np.mean([self.bars.middle(k) for k in large]))
            return VGroup(self._number(large[0], middle, high, -np.inf, " each"))
        placed, floor, end = VGroup(), -np.inf, -np.inf
        for k in large:
            number = self._number(k, self.bars.middle(k), high, -np.inf)
            if self._beside(number, k, high):
                placed.add(number)
                continue
            if float(number.get_left()[0]) < end + 0.08:
                number = self._number(k, self.bars.middle(k), high, floor + 0.28)
            floor, end = float(number.anchor[1]), float(number.get_right()[0])
            placed.add(number)
        return placed

    def _beside(self, number: Number, k: int, high: float) -> bool:
        """Put the number of a bar that does not fill its outline beside it, if there is room."""
        area, step = self.bars.area, self.bars.step
        left = self.bars.middle(k) + 0.36 * step + 0.1
        width, share = float(number.width), float(self.output[k])
        reached = [
            max(float(self.output[j]), float(self.expected[j]))
            for j in range(k + 1, len(self.output))
            if self.bars.middle(j) - 0.5 * step < left + width
        ]
        short = float(self.expected[k]) - share > _TOO_MUCH
        if not short or left + width > area.right or max(reached, default=0.0) > 0.5 * share:
            return False
        base = area.bottom + share / high * area.height - number.em * CAP_HEIGHT
        number.put(np.array([left + width / 2, base, 0.0]))
        return True

    def _number(self, k: int, x: float, high: float, floor: float, suffix: str = "") -> Number:
        """Output `k`, over the bars around `x`, not under `floor` and within the region."""
        color = theme().text_color("wrong" if self.wrong[k] else "value")
        number = Number(float(self.output[k]), _SPEC, weight="semibold", color=color, suffix=suffix)
        half, area = float(number.width) / 2, self.bars.area
        x = min(max(x, area.left + half), area.right - half)
        bars = range(len(self.output))
        near = [abs(self.bars.middle(j) - x) < half + 0.36 * self.bars.step for j in bars]
        share = float(np.maximum(self.output, self.expected)[near].max())
        y = max(area.bottom + share / high * area.height + 0.12, floor)
        return number.put(np.array([x, y, 0.0]))


def head_height(tokens: Sequence[str], width: float) -> float:
    """How much room heading and text take at this width."""
    rows, slot = _rows(tokens, width)
    return _HEADING + len(rows) * (_height(slot) + _ROW_GAP)


def _boxes(tokens: Sequence[str], region: Region) -> list[TokenBox]:
    """Boxes along the top of a region, in as many rows as they need."""
    rows, slot = _rows(tokens, region.width)
    widths, height, boxes = _widths(tokens), _height(slot), []
    left = region.center[0] - slot * max(float(widths[row].sum()) for row in rows) / 2
    for i, row in enumerate(rows):
        top = region.top - i * (height + _ROW_GAP)
        ends = left + slot * np.cumsum(widths[row])
        for k, end in zip(range(row.start, row.stop), ends.tolist(), strict=True):
            box = Region(end - slot * float(widths[k]) + 0.03, top - height, end - 0.03, top)
            boxes.append(TokenBox(tokens[k], box, size=min(28.0, 0.8 * height / PX)))
    return boxes


def _rows(tokens: Sequence[str], width: float) -> tuple[list[slice], float]:
    """Which tokens stand in a row, and the width of a letter's box."""
    widths = _widths(tokens)
    n_rows = 1
    while n_rows < len(tokens) and width / (widths.sum() / n_rows) < _LEAST_SLOT:
        n_rows += 1
    per_row = -(-len(tokens) // n_rows)
    rows = [slice(k, min(k + per_row, len(tokens))) for k in range(0, len(tokens), per_row)]
    return rows, min(_MOST_SLOT, width / max(float(widths[row].sum()) for row in rows))


def _widths(tokens: Sequence[str]) -> NDArray[np.float64]:
    return np.array([_WIDER if len(token) > 1 else 1.0 for token in tokens])


def _height(slot: float) -> float:
    return min(0.5, 1.25 * slot)


def spread(region: Region, n: int) -> tuple[Region, list[Region]]:
    """Rooms for a text and for 1 to 3 smaller ones: in a line, or below if the region is tall."""
    if region.height > 1.25 * region.width:
        main, lower = region.rows(1, 1, gap=0.5)
        others = lower.columns(*([1.0] * n), gap=0.25)
    elif region.width > 2 * region.height:
        main, *others = region.columns(*[2.2, *([1.0] * n)], gap=0.55)
    else:
        main, *others = region.columns(*[1.7, *([1.0] * n)], gap=0.32)
    return main, others
