"""Readouts: what a number means, small and muted, and the number, large, under it."""

from __future__ import annotations

import numpy as np
from manim import DOWN, LEFT, VGroup
from numpy.typing import NDArray

from scenes.parts.placing import hang
from scenes.style.layout import PX
from scenes.style.text import Label, Number, Paragraph
from scenes.style.theme import theme
from scenes.style.type import LABEL

BIG = 36.0


class Readout(VGroup):
    """A meaning and its number, hanging from a top left corner."""

    def __init__(
        self,
        meaning: str,
        value: float,
        spec: str,
        corner: NDArray[np.float64],
        *,
        width: float,
        color: str | None = None,
        suffix: str = "",
    ) -> None:
        super().__init__()
        self.meaning = Paragraph(meaning, width=width, size=LABEL, color=theme().muted)
        hang(self.meaning, corner)
        self.number = Number(
            value,
            spec,
            size=BIG,
            weight="semibold",
            color=color or theme().ink,
            align="left",
            suffix=suffix,
        )
        left, bottom = self.meaning.get_corner(DOWN + LEFT)[:2]
        self.number.put(np.array([left, bottom - BIG * PX * 0.95, 0.0]))
        self.add(self.meaning, self.number)


def on_one_line(readouts: list[Readout]) -> list[Readout]:
    """Give readouts side by side the baselines of the first: meanings on one, numbers on another.

    Meanings hang by their ink, which is lower for words without tall letters.
    """
    first = readouts[0]
    for readout in readouts:
        for part, model in ((readout.number, first.number), (readout.meaning, first.meaning)):
            level = _baseline(model) - _baseline(part)
            part.shift(np.array([0.0, level, 0.0]))
    return readouts


def _baseline(text: Number | Paragraph) -> float:
    """The height of the first line's baseline; the lower edge of a typeset paragraph."""
    line = text if isinstance(text, Label) else text[0]
    return float(line.anchor[1] if isinstance(line, Label) else text.get_bottom()[1])
