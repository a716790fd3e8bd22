"""Two words alone, in either order: the vector at their end, with a place for each or with one."""

from __future__ import annotations

import numpy as np
from manim import Animation, FadeIn, FadeOut, VGroup
from numpy.typing import NDArray

from scenes.parts.matrix import Matrix
from scenes.parts.strip import Strip
from scenes.stage import Size, Value
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive
from scenes.style.text import Label, text_width
from scenes.style.theme import Role, theme
from scenes.style.type import LABEL, X_HEIGHT

_NAME = 26.0
_CELL, _MOST, _WIDE = (1.0, 0.36), (2.7, 0.62), 1.9
"""The smallest and the largest cells, in units, and the width that short words get."""
_HEAD, _FOOT, _GAP, _AIR = 0.7, 0.5, 0.22, 0.16
_ABOUT = "the last token's vector, of two words alone"


class TwoPlaces(VGroup):
    """Panels cur and prev, a column for each order of two words.

    `texts` (2,) stand over the columns, or where these are narrow `stacked` (4,), word over word.
    `own` (2, 2, 2) is place, word, order; `one` (2, 2) is what a single place for both holds.
    """

    def __init__(self, own: Value, one: Value, words: Value, texts: Value, stacked: Value) -> None:
        super().__init__()
        self._own, self._one, self._words, self._texts = own, one, words, texts
        self._joined = Strip(texts, boxes=False, size=LABEL)
        self._stacked = Strip(stacked, boxes=False, size=LABEL)
        high = max(float(own.array.max()), float(one.array.max()))
        self.cur, self.prev = (
            Matrix(
                own[k],
                rows=words,
                role=role,
                low=0.0,
                high=high,
                spec=(".3f", ".2f"),
                aspect=None,
            )
            for k, role in enumerate(roles())
        )
        inks = [theme().text_color(role) for role in roles()]
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
        left = max(text_width(str(word), LABEL) for word in self._words.content) + _AIR
        return left, text_width("prev", _NAME, "semibold") + _AIR

    def _size(self, width: float, height: float) -> Size:
        sides = sum(self._aside) + 2 * width
        about = text_width(_ABOUT, LABEL)
        return Size(max(sides, about), _HEAD + 4 * height + _GAP + _FOOT)

    @property
    def least(self) -> Size:
        return self._size(*_CELL)

    @property
    def most(self) -> Size:
        return self._size(self._widest, _MOST[1])

    @property
    def _widest(self) -> float:
        """As wide a cell as the words over it ask for."""
        return float(np.clip(self._joined_width, _WIDE, _MOST[0]))

    @property
    def _joined_width(self) -> float:
        return max(text_width(str(text), LABEL) for text in self._texts.content) + _AIR

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
        heads, levels = (self._joined, 1) if self._joined_width <= width else (self._stacked, 2)
        lift = np.arange(levels, 0, -1) * 0.5 * _HEAD  # a line of words takes half of it
        xs = x + width * np.array([0.5, 1.5])
        heads.place_at([(float(u), top + float(v) - 0.2 * _HEAD) for v in lift for u in xs])
        foot = top - 4 * height - _GAP - 0.75 * _FOOT
        self.about.put(np.array([region.center[0], foot, 0.0]))
        self._rise: NDArray[np.float64] = np.array([0.0, 2 * height + _GAP, 0.0])
        self.heads = heads
        self.add(self.prev, self.cur, heads, self.names, self.about)

    def appear(self, *, run_time: float = 1.6) -> list[Animation]:
        """Let the cells come, row by row."""
        fills = [panel.empty().fill_rows(run_time=run_time) for panel in (self.cur, self.prev)]
        return [*fills, FadeIn(self.names), FadeIn(self.about), FadeIn(self.heads)]

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


def roles() -> tuple[Role, Role]:
    """The colours of the places cur and prev."""
    return "token", "value"
