"""A line of words with numbers in it, on one baseline."""

from __future__ import annotations

from typing import Self

import numpy as np
from manim import RIGHT, VGroup
from numpy.typing import NDArray

from scenes.style.text import Align, Label, Number, text_width
from scenes.style.theme import theme
from scenes.style.type import LABEL, Weight


class Sentence(VGroup):
    """Words and numbers from the model, one after another.

    `pieces` are texts, and values with their format, such as `(0.42, ".1%")`. `numbers` holds the
    numbers in order. A number that grows wider later does not push the words after it.
    """

    def __init__(
        self,
        *pieces: str | tuple[float, str],
        size: float = LABEL,
        weight: Weight = "regular",
        color: str | None = None,
        align: Align = "left",
    ) -> None:
        super().__init__()
        ink = color or theme().ink
        self.align: Align = align
        self.numbers: list[Number] = []
        self._starts = [0.0]
        for piece in pieces:
            part: Label
            if isinstance(piece, str):
                part = Label(piece, size=size, weight=weight, color=ink)
            else:
                value, spec = piece
                part = Number(value, spec, size=size, weight=weight, color=ink, align="left")
                self.numbers.append(part)
            self._starts.append(self._starts[-1] + text_width(part.text, size, weight))
            self.add(part)
        self.put(np.zeros(3))

    @property
    def length(self) -> float:
        """How far the line reaches, in units."""
        return self._starts[-1]

    def put(self, point: NDArray[np.float64]) -> Self:
        """Move the aligned end of the baseline to `point`."""
        side = {"left": 0.0, "center": 0.5, "right": 1.0}[self.align]
        left = point - RIGHT * side * self.length
        for part, start in zip(self.submobjects, self._starts, strict=False):
            part.put(left + RIGHT * start)
        return self
