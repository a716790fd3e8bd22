"""A guess under every character of a text: runs of equal guesses, right or wrong."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import RoundedRectangle, VGroup

from scenes.parts.tokens.lined_text import LinedText
from scenes.style.text import Number
from scenes.style.theme import theme
from scenes.style.type import MIN_SIZE

_SEAM = 0.03
_PAD = 0.07


class GuessStrip(VGroup):
    """Whole numbers in a row of a `LinedText`; equal neighbours share a box and say it once.

    Boxes of right guesses are filled, of wrong ones only outlined. `show(n)` shows the first n.
    """

    def __init__(
        self, lined: LinedText, guesses: Sequence[int], truth: int, *, row: int, size: float
    ) -> None:
        super().__init__()
        self.lined, self.guesses, self._row = lined, [int(g) for g in guesses], row
        look = theme()
        places = range(len(self.guesses))
        starts = [k for k in places if k == 0 or self._breaks(k)]
        ends = [*starts[1:], len(self.guesses)]
        self._runs = list(zip(starts, ends, strict=True))
        self.boxes: list[RoundedRectangle] = []
        self.numbers: list[Number] = []
        for start, end in self._runs:
            right = self.guesses[start] == truth
            color = look.value if right else look.wrong
            box = RoundedRectangle(corner_radius=0.05, width=1.0, height=1.0)
            box.set_stroke(color, 2.5).set_fill(color, 1.0 if right else 0.0)
            ink = look.ink_on(look.value) if right else look.text_color("wrong")
            number = Number(
                self.guesses[start], "d", size=max(MIN_SIZE, size), weight="semibold", color=ink
            )
            self.boxes.append(box)
            self.numbers.append(number.center_on(lined.at(start, row)))
            cell, alone = lined.box(start, row), end == start + 1
            inside = cell.left + _PAD - float(number.get_left()[0])
            number.shift(np.array([0.0 if alone else max(0.0, inside), 0.0, 0.0]))
        self._right = [self.guesses[start] == truth for start in starts]
        self.show(0)

    def show(self, n: int) -> None:
        """Show the guesses under the first n characters."""
        self.submobjects = []
        for i, (start, end) in enumerate(self._runs):
            if start >= n:
                break
            first = self.lined.box(start, self._row)
            last = self.lined.box(min(end, n) - 1, self._row)
            width, height = last.right - first.left - _SEAM, first.height - _SEAM
            fresh = RoundedRectangle(width=width, height=height, corner_radius=0.05)
            fresh.move_to(np.array([(first.left + last.right) / 2, first.center[1], 0.0]))
            self.boxes[i].set_points(fresh.points)
            self.add(self.boxes[i], self.numbers[i])

    def _breaks(self, k: int) -> bool:
        """Whether a new box begins with character k."""
        new_line = self.lined.line_of(k) != self.lined.line_of(k - 1)
        return new_line or self.guesses[k] != self.guesses[k - 1]
