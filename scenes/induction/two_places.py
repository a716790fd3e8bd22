"""Vectors of two words in either order, with word and note in separate or in shared columns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from manim import Animation, VGroup
from numpy.typing import NDArray

from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import Size, Steps, Value
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import Role, theme
from clockhead.scenes.style.type import MIN_SIZE, X_HEIGHT

_NAME, _WORDS = 38.0, 34.0
"""Letter sizes of the panels' names and of the words around the panels, in pixels."""
_CELL, _MOST = (0.75, 0.36), (2.5, 1.5)
"""Width and height of the smallest and of the largest cells, in units."""
_FREE = 0.5
"""Cells with values below this fade out before the note is added to the word."""
_HEAD, _GAP, _AIR = 1.1, 0.7, 0.25
"""Space over the cells for words and names, between the panels, and beside the cells, in units."""


class TwoPlaces(VGroup):
    """Two panels, the word and its note, with one row for each order of two words, `texts` (2,).

    `own` (2, 2, 2) holds the entries by panel, order and word; `one` (2, 2) is the sum of word and
    note in shared columns. The panels are side by side, or one below the other in a tall region.
    """

    def __init__(self, own: Value, one: Value, words: Value, texts: Value) -> None:
        super().__init__()
        self._words, self._texts = words.content, texts.content
        high = max(float(own.array.max()), float(one.array.max()))
        options: dict[str, Any] = {"columns": words, "low": 0.0, "high": high,
                                   "turns": (0.0,), "spec": (".3f", ".2f"), "aspect": None,
                                   "most_number": _NAME}  # fmt: skip
        self.cur = Matrix(own[0], rows=texts, role="token", **options)
        self.prev = Matrix(own[1], role="value", **options)
        self.total = Matrix(one, rows=texts, role="residual", **options)
        self.parts = self._name_labels("the word", "its note")
        self.names = self._name_labels("cur", "prev")

    def _name_labels(self, *names: str) -> VGroup:
        roles: tuple[Role, ...] = "token", "value"
        inks = [theme().text_color(role) for role in roles]
        return VGroup(
            *(
                Label(name, size=_NAME, weight="semibold", color=ink, align="center")
                for name, ink in zip(names, inks, strict=True)
            )
        )

    @property
    def _aside(self) -> float:
        """Width that the texts on the left need, in units."""
        return self._widest + _AIR

    @property
    def _widest(self) -> float:
        return max(text_width(text, _WORDS) for text in self._texts)

    @property
    def least(self) -> Size:
        least = max(text_width(text, MIN_SIZE) for text in self._texts) + _AIR
        cell = max(_CELL[0], *(text_width(word, MIN_SIZE) + 0.1 for word in self._words))
        return Size(least + 2 * cell, 2 * (_HEAD + 2 * _CELL[1]) + _GAP)

    most = Size(float("inf"), float("inf"))

    def place(self, region: Region) -> None:
        """Place the panels in the middle of a region."""
        aside = min(self._aside, 0.4 * region.width)
        least = max(text_width(word, MIN_SIZE) for word in self._words) + 0.1
        is_wide = (region.width - aside - _GAP) / 4 >= max(_CELL[0], least)
        across, down = (4, 2) if is_wide else (2, 4)
        gaps = (_GAP, 0.0) if is_wide else (0.0, _GAP + _HEAD)
        width = min(_MOST[0], (region.width - aside - gaps[0]) / across)
        height = min(_MOST[1], (region.height - _HEAD - gaps[1]) / down)
        step = np.array([2 * width + gaps[0], 0.0] if is_wide else [0.0, -2 * height - gaps[1]])
        whole = np.array([2 * width, 2 * height]) + abs(step)
        left = region.center[0] - (aside + whole[0]) / 2 + aside
        top = region.center[1] + (whole[1] - _HEAD) / 2
        words = max(text_width(word, 1.0) for word in self._words)
        size = min(_WORDS * (aside - _AIR) / self._widest, (2 * width - 0.2) / 2 / words)
        for k, panel in enumerate((self.cur, self.prev)):
            x, y = np.array([left, top]) + k * step
            cells = Region(x, y - 2 * height, x + 2 * width, y)
            for one in (panel, self.total)[: 2 - k]:
                one.place_cells(cells, size=max(MIN_SIZE, min(_WORDS, size)))
            over = np.array([x + width, y + 0.8 - X_HEIGHT / 2 * _NAME * PX, 0.0])
            self.parts[k].put(over)
            self.names[k].put(over)
        self._way: NDArray[np.float64] = -np.array([*step, 0.0])
        self.add(self.cur, self.prev, self.parts)

    def appear(self, *, run_time: float = 1.6) -> list[Animation]:
        """Fill the cells row by row, and fade in the names."""
        fills = [panel.empty().fill_rows(run_time=run_time) for panel in (self.cur, self.prev)]
        return [*fills, FadeIn(self.parts)]

    def overlap(self) -> Steps:
        """Slide the note's panel onto the word's, after fading out the cells that are near 0."""
        yield self._fade_small(1.0, 0.0), FadeOut(self.parts, run_time=0.5)
        self.remove(self.parts)
        yield self._shift(self.prev, self._way, 1.2)

    def add_up(self) -> Steps:
        """Fade from the two overlapping panels to their sum; the numbers fade out first."""
        yield self._fade_numbers(1.0, 0.0)
        self.total.words_to(0.0)  # the words of `cur` are still on screen
        yield FadeIn(self.total, run_time=0.8)
        self.remove(self.cur, self.prev)
        self.total.words_to(1.0)

    def split_sum(self) -> Steps:
        """Fade from the sum back to the two overlapping panels."""
        self.total.words_to(0.0)
        self.add(self.cur, self.prev)
        yield FadeOut(self.total, run_time=0.8)
        yield self._fade_numbers(0.0, 1.0)

    def _fade_numbers(self, start: float, end: float) -> Drive:
        panels = self.cur, self.prev

        def show(share: NDArray[np.float64]) -> None:
            for panel in panels:
                panel.draw(replace(panel.drawn, digits=float(share)))

        return Drive(self, show, start, end, run_time=0.4)

    def to_middle(self, way: float) -> Drive:
        """Move the sum to the middle between the panels, or back if `way` is -1."""
        return self._shift(self.total, -way * self._way / 2, 0.8)

    def separate(self) -> Steps:
        """Slide the note's panel out again, back to its own place."""
        yield self._shift(self.prev, -self._way, 1.2)
        self.add(self.names)
        yield self._fade_small(0.0, 1.0), FadeIn(self.names, run_time=0.5)

    def _fade_small(self, start: float, end: float) -> Drive:
        """Fade cells near 0, and the words over `prev`, from one opacity to another."""
        panels = self.cur, self.prev

        def show(share: NDArray[np.float64]) -> None:
            for panel in panels:
                panel.open_to(np.where(panel.table < _FREE, float(share), 1.0))
            self.prev.words_to(float(share))

        return Drive(self, show, start, end, run_time=0.5)

    def _shift(self, panel: Matrix, by: NDArray[np.float64], run_time: float) -> Drive:
        gone = [0.0]

        def show(share: NDArray[np.float64]) -> None:
            panel.shift((float(share) - gone[0]) * by)
            gone[0] = float(share)

        return Drive(panel, show, 0.0, 1.0, run_time=run_time)
