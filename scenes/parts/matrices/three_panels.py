"""Three tables in one frame: beside each other with words above and below, or in three rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import VGroup

from scenes.parts.sentence import Sentence
from scenes.style.layout import GAP, Region
from scenes.style.text import Align, Label, text_width
from scenes.style.theme import theme
from scenes.style.type import LABEL, MIN_SIZE, SMALL

_LINE = 0.32
"""Height of a line of words, in units."""
_NAME = 24.0


class ThreePanels:
    """For each of three tables, room for its name, its cells, and lines about it.

    `tables` are regions for the cells and the names of rows, of which the widest is `row_name`;
    side by side, only the first table has room for those.
    """

    def __init__(self, canvas: Region, row_name: str) -> None:
        self.wide = canvas.wide
        rooms = _columns(canvas, row_name) if self.wide else _rows(canvas)
        self._names = [name for name, _, _ in rooms]
        self.tables = [table for _, table, _ in rooms]
        self._feet = [foot for _, _, foot in rooms]

    def heads(self, words: Sequence[tuple[str, str]]) -> VGroup:
        """What each table is called, and what it is, in one size for all."""
        room = min(room.width for room in self._names)
        widest = max(text_width(name, 1.0, "semibold") for name, _ in words)
        size = max(MIN_SIZE, min(_NAME, room / widest))
        what_size = max(MIN_SIZE, min(SMALL, room / max(text_width(w, 1.0) for _, w in words)))
        heads = VGroup()
        for (name, what), place in zip(words, self._names, strict=True):
            big = Label(name, size=size, weight="semibold", align=self._side)
            small = Label(what, size=what_size, color=theme().muted, align=self._side)
            x = self._x(place)
            big.put(np.array([x, place.top - 0.8 * _LINE, 0.0]))
            small.put(np.array([x, place.top - 1.85 * _LINE, 0.0]))
            heads.add(VGroup(big, small))
        return heads

    def foot(
        self, k: int, line: int, *pieces: str | tuple[float, str], color: str | None = None
    ) -> Sentence:
        """A line about table `k`, below it or beside it."""
        words = Sentence(*pieces, size=LABEL, weight="semibold", color=color, align=self._side)
        room = self._feet[k]
        return words.put(np.array([self._x(room), room.top - (line + 0.75) * 1.1 * _LINE, 0.0]))

    @property
    def _side(self) -> Align:
        return "center" if self.wide else "left"

    def _x(self, room: Region) -> float:
        return float(room.center[0]) if self.wide else room.left


def _rows(canvas: Region) -> list[tuple[Region, Region, Region]]:
    panels = []
    for row in canvas.rows(1, 1, 1, gap=GAP):
        words, table = row.inset(0.05, 0.0).columns(2.3, 4.5, gap=0.2)
        name, foot = words.cut_top(2.6 * _LINE, 0.15)
        panels.append((name, table, foot))
    return panels


def _columns(canvas: Region, row_name: str) -> list[tuple[Region, Region, Region]]:
    beside = text_width(row_name, LABEL) + 0.16
    columns = Region(canvas.left + beside, canvas.bottom, canvas.right - 0.05, canvas.top).columns(
        1, 1, 1, gap=GAP
    )
    panels = []
    for k, column in enumerate(columns):
        name, rest = column.cut_top(2.3 * _LINE, 0.1)
        foot, table = rest.cut_bottom(2 * _LINE, 0.15)
        start = table.left - (beside if k == 0 else 0.0)
        panels.append((name, Region(start, table.bottom, table.right, table.top), foot))
    return panels
