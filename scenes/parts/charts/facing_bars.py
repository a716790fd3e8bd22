"""Two charts that share a row of letters: one stands on it, the other hangs under it and slides."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import VGroup, smooth
from numpy.typing import ArrayLike, NDArray

from scenes.parts.charts.letter_bars import LetterBars, letter_size, names_height
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive
from scenes.style.text import Label, Number
from scenes.style.theme import theme
from scenes.style.type import LABEL, LINE_HEIGHT, SMALL

_HEADINGS = ("ciphertext", "English")
_SIDE = 1.65
"""Room for headings beside the charts, in units; where it is missing, they go over and under."""
_WIDE = 8.5
_ROOM = SMALL * PX * 1.25
"""Room for a number at the end of a bar."""
_HEADING = 0.42
_LOW = 3.6
"""Both headings share a line over charts that are lower, in units."""
_MOST_LOPSIDED = 2.4
"""Charts are to one scale unless one is so much taller; then the other is said to be enlarged."""


class FacingBars(VGroup):
    """What was counted in a ciphertext stands over the letters; what English has hangs under them.

    The hanging chart carries its own row of letters and slides round with it (`slide_to`), like a
    slide rule; `counter` says how far. `outline` is the hanging chart once more, to be laid over
    the standing one (`lay_over`), and slides along. `n_places` is the length of a turn. `numbers`
    keeps room for numbers at the ends of bars. Counter and outline are not added.

    Both charts are to one scale, unless one of them could then not be read: it is enlarged until
    both are equally high, and a word at its heading says so.
    """

    def __init__(
        self,
        counted: ArrayLike,
        expected: ArrayLike,
        region: Region,
        *,
        numbers: bool = True,
    ) -> None:
        super().__init__()
        look = theme()
        above, below = np.asarray(counted, dtype=float), np.asarray(expected, dtype=float)
        self.n_places = len(above)
        self.is_wide = region.width > _WIDE
        self.is_low = not self.is_wide and region.height < _LOW
        side = _SIDE if self.is_wide else 0.0
        room = _ROOM if numbers else 0.0
        heads = 0.0 if self.is_wide else _HEADING, 0.0 if self.is_wide or self.is_low else _HEADING
        charts = Region(region.left + side, region.bottom, region.right, region.top)
        size = letter_size(charts.width / self.n_places)
        row = names_height(size)
        tallest = float(above.max()), float(below.max())
        to_one_scale = max(tallest) <= _MOST_LOPSIDED * min(tallest)
        share = tallest[0] / sum(tallest) if to_one_scale else 0.5
        height = charts.height - sum(heads) - 2 * room - 2 * row
        edge = charts.bottom + heads[1] + room + row + (1 - share) * height
        colors = look.text_color("key"), look.text_color("attention")
        self.upper = LetterBars(
            above,
            Region(charts.left, edge, charts.right, charts.top),
            high=tallest[0],
            color=look.key,
            names_color=colors[0],
            size=size,
            room=room + heads[0],
        )
        self.lower = LetterBars(
            below,
            Region(charts.left, charts.bottom, charts.right, edge),
            high=tallest[1],
            hanging=True,
            names_turn=True,
            names_color=colors[1],
            size=size,
            room=room + heads[1],
        )
        self.outline = LetterBars(below, self.lower.region, high=tallest[1], names=())
        for bar in self.outline.bars:
            bar.set_fill(opacity=0).set_stroke(look.attention, 3)
        self.outline.remove(self.outline.line)
        self._is_laid_over = False
        self.enlarged = None if to_one_scale else int(np.argmin(tallest))
        self.headings = [
            VGroup(*(Label(words, size=LABEL, color=color) for words in self._called(k, name)))
            for k, (name, color) in enumerate(zip(_HEADINGS, colors, strict=True))
        ]
        self.counter = Number(
            0,
            "d",
            size=44.0 if self.is_wide else 30.0,
            weight="semibold",
            prefix="+",
            color=colors[1],
            align="left",
        )
        self._place_words(region)
        self.standing = VGroup(self.upper, self.headings[0])
        self.hanging = VGroup(self.lower, self.headings[1])
        self.add(self.standing, self.hanging)

    def _called(self, k: int, name: str) -> list[str]:
        """The heading of a chart, in lines where it stands beside it."""
        if k != self.enlarged:
            return [name]
        return [name, "enlarged"] if self.is_wide else [f"{name}, enlarged"]

    def _place_words(self, region: Region) -> None:
        """Headings beside their rows of letters, or at the far ends of the bars."""
        upper, lower = self.headings
        if not self.is_wide:
            upper[0].put(self.upper.heading_start())
            start = self.lower.heading_start()
            if self.is_low:
                start = self.upper.heading_start() + np.array([0.6 * region.width, 0.0, 0.0])
            lower[0].put(start)
            self.counter.put(start + np.array([lower.width + 0.2, 0.0, 0.0]))
            return
        line = np.array([0.0, LINE_HEIGHT * LABEL * PX, 0.0])
        for heading, chart in ((upper, self.upper), (lower, self.lower)):
            heading[0].put(np.array([region.left, chart.names[0].anchor[1], 0.0]))
        for heading, way in ((upper, line), (lower, -line)):
            for more in heading[1:]:
                more.put(heading[0].anchor + way)
        drop = np.array([0.0, -1.25 * 44.0 * PX, 0.0])
        self.counter.put(lower[-1].anchor + drop)

    def slide_to(self, by: int, *, run_time: float) -> Drive:
        """Let the hanging chart slide on to `by` columns in all, resting at each of them."""
        part = VGroup(self.lower, self.counter)
        if self._is_laid_over:
            part.add(self.outline)
        start = self.lower.turned

        def show(at: NDArray[np.float64]) -> None:
            whole = np.floor(float(at) + 1e-9)
            self.turn(whole + smooth(float(at) - whole))

        return Drive(part, show, start, by, run_time=run_time)

    def turn(self, by: float) -> None:
        """Set how far the hanging chart has slid."""
        self.lower.turn(by)
        self.outline.turn(by)
        self.counter.set_value(int(by + 0.5) % self.n_places)

    def lay_over(self, **options: Any) -> Drive:
        """Let the outline rise from the hanging bars onto the standing ones, to their scale."""
        ends = (self.lower.zero, self.lower.unit), (self.upper.zero, -self.lower.unit)
        self._is_laid_over = True

        def show(at: NDArray[np.float64]) -> None:
            self.outline.zero, self.outline.unit = float(at[0]), float(at[1])
            self.outline.show(self.outline.values)

        return Drive(self.outline, show, *ends, **options)
