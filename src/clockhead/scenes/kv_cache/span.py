"""Which rows of a matrix were the prompt, and which were written: a line beside them and a word."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.cells import Lattice
from clockhead.scenes.parts.paths import straight
from clockhead.scenes.stage import Picture, Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import SMALL

PROMPT, WRITTEN = "prompt", "written"
_OFF, _STEP, _GAP = 0.1, 0.06, 0.1
_WITHIN = 1e-6
ROOM = max(text_width(word, SMALL) for word in (PROMPT, WRITTEN)) + _OFF + _STEP + _GAP
"""What it needs to the left of the matrix."""


class Span(Picture):
    """So many rows: the first of a matrix if they are the prompt, its last if they are written."""

    def __init__(self, n_rows: Value, lattice: Lattice, word: str) -> None:
        super().__init__(n_rows)
        look = theme()
        self._lattice, self._from_top = lattice, word == PROMPT
        self.line = VMobject(stroke_color=look.ink, stroke_width=3.0)
        self.word = Label(word, size=SMALL, color=look.ink, align="right")
        self.add(self.line, self.word)
        self.show(self.state)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the line beside so many rows."""
        area, high = self._lattice.region, float(state) * self._lattice.cell_height
        top = area.top if self._from_top else area.bottom + high
        x = area.left - _OFF - (0.0 if self._from_top else _STEP)
        ends = np.array([[x, top, 0.0], [x, top - high, 0.0]])
        self.line.set_points(straight(ends[:1], ends[1:]))
        middle = np.array([x - _GAP - self.word.width / 2, top - high / 2, 0.0])
        self.word.center_on(middle)

    def readings(self) -> Iterator[Reading]:
        """How many rows it goes past, from the top or from the foot."""
        if not is_visible(self.word):
            return
        y, area, high = self.line.points[:, 1], self._lattice.region, self._lattice.cell_height
        past = area.top - y.min() if self._from_top else y.max() - area.bottom
        yield Reading(self.shown, float(past) / high, _WITHIN)
