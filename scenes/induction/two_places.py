"""Two words alone, in either order: the vector at their end, with a place for each or with one."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Animation, VGroup
from numpy.typing import NDArray

from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import Size, Value
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import LABEL, MIN_SIZE, X_HEIGHT

_NAME = 26.0
_CELL, _MOST, _WIDE = (1.0, 0.36), (2.7, 0.62), 1.9
"""The smallest and the largest cells, in units, and the width that short words get."""
_HEAD, _FOOT, _GAP, _AIR = 0.5, 0.5, 0.22, 0.16
_ABOUT = "the last token's vector, of two words alone"


class TwoPlaces(VGroup):
    """Panels cur and prev, a column for each order of two words, `texts` (2,).

    `own` (2, 2, 2) is place, word, order; `one` (2, 2) is what a single place for both holds.
    """

    def __init__(self, own: Value, one: Value, words: Value, texts: Value) -> None:
        super().__init__()
        self._own, self._one, self._words, self._texts = own, one, words.content, texts.content
        high = max(float(own.array.max()), float(one.array.max()))
        options: dict[str, Any] = {"rows": words, "low": 0.0, "high": high, "turns": (0.0,),
                                   "spec": (".3f", ".2f"), "aspect": None}  # fmt: skip
        self.cur = Matrix(own[0], columns=texts, role="token", **options)
        self.prev = Matrix(own[1], role="value", **options)
        inks = theme().text_color("token"), theme().text_color("value")
        self.names = VGroup(
            *(
                Label(name, size=_NAME, weight="semibold", color=ink)
                for name, ink in zip(("cur", "prev"), inks, strict=True)
            )
        )
        self.about = Label(_ABOUT, size=LABEL, color=theme().muted, align="center")

    @property
    def _aside(self) -> tuple[float, float]:
        """The room for words on the left and for names on the right."""
        left = max(text_width(word, LABEL) for word in self._words) + _AIR
        return left, text_width("prev", _NAME, "semibold") + _AIR

    def _size(self, width: float, height: float) -> Size:
        sides = sum(self._aside) + 2 * width
        about = text_width(_ABOUT, LABEL)
        return Size(max(sides, about), _HEAD + 4 * height + _GAP + _FOOT)

    def _asked(self, size: float) -> float:
        """How wide a cell is that has room for the words over it."""
        return max(text_width(text, size) for text in self._texts) + _AIR

    @property
    def least(self) -> Size:
        return self._size(max(_CELL[0], self._asked(MIN_SIZE)), _CELL[1])

    @property
    def most(self) -> Size:
        return self._size(self._widest, _MOST[1])

    @property
    def _widest(self) -> float:
        return float(np.clip(self._asked(LABEL), _WIDE, _MOST[0]))

    def place(self, region: Region) -> None:
        """Stand in the middle of a region."""
        left, right = self._aside
        width = min(self._widest, (region.width - left - right) / 2)
        height = min(_MOST[1], (region.height - _HEAD - _GAP - _FOOT) / 4)
        whole = self._size(width, height)
        x = region.center[0] - (left + 2 * width + right) / 2 + left
        top = region.center[1] + whole.height / 2 - _HEAD
        for k, (panel, name) in enumerate(zip((self.cur, self.prev), self.names, strict=True)):
            y = top - k * (2 * height + _GAP)
            panel.place_cells(Region(x, y - 2 * height, x + 2 * width, y))
            base = y - height - X_HEIGHT / 2 * _NAME * PX
            name.put(np.array([x + 2 * width + _AIR, base, 0.0]))
        foot = top - 4 * height - _GAP - 0.75 * _FOOT
        self.about.put(np.array([region.center[0], foot, 0.0]))
        self._rise: NDArray[np.float64] = np.array([0.0, 2 * height + _GAP, 0.0])
        self.add(self.prev, self.cur, self.names, self.about)

    def appear(self, *, run_time: float = 1.6) -> list[Animation]:
        """Let the cells come, row by row."""
        fills = [panel.empty().fill_rows(run_time=run_time) for panel in (self.cur, self.prev)]
        return [*fills, FadeIn(self.names), FadeIn(self.about)]

    def pour(self, *, run_time: float = 1.8) -> list[Animation]:
        """Let prev go behind cur and be added to it."""
        return [
            self._move(1.0, run_time),
            self.cur.to(self._one, run_time=run_time),
            FadeOut(self.names),
        ]

    def part(self, *, run_time: float = 1.8) -> list[Animation]:
        """Let what was added come out again, to a place of its own."""
        self.add_to_back(self.prev)
        self.add(self.names)
        return [
            self._move(-1.0, run_time),
            self.cur.to(self._own[0], run_time=run_time),
            FadeIn(self.names),
        ]

    def _move(self, way: float, run_time: float) -> Drive:
        """Let prev go up behind cur, where it is not seen any more, or come down."""
        gone = [0.0]

        def show(share: NDArray[np.float64]) -> None:
            self.prev.shift(way * (float(share) - gone[0]) * self._rise)
            gone[0] = float(share)
            if way > 0 and share == 1:
                self.remove(self.prev)

        return Drive(self.prev, show, 0.0, 1.0, run_time=run_time)
