"""Outcomes of a few trials side by side: what was tried, what came out, and how much of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import FadeIn, RoundedRectangle, VGroup
from numpy.typing import NDArray

from scenes.parts.motion import Drive, hex_of, recolor
from scenes.parts.text import Label, Number, text_width
from scenes.style.layout import PX, Region
from scenes.style.theme import mix, theme
from scenes.style.type import LABEL, MIN_SIZE, X_HEIGHT

_BIG = 36.0
_BETWEEN = 0.16


class Outcome(VGroup):
    """A card with a name on it, and an empty place for what comes out."""

    def __init__(self, name: str, region: Region) -> None:
        look = theme()
        self.region = region
        self.card = RoundedRectangle(width=region.width, height=region.height, corner_radius=0.1)
        self.card.set_fill(look.panel, 1).set_stroke(look.hairline, 2).move_to(region.center)
        size = max(MIN_SIZE, min(LABEL, (region.width - 0.16) / text_width(name, 1.0)))
        self.title = Label(name, size=size, color=look.muted)
        super().__init__(self.card, self.title.center_on(region.point(0.5, 0.76)))

    def open(self) -> list[Drive]:
        """It is this one's turn."""
        return self._turn(theme().ink, theme().ink)

    def close(self) -> list[Drive]:
        """Its turn is over."""
        return self._turn(theme().muted, theme().hairline)

    def _turn(self, ink: str, edge: str) -> list[Drive]:
        before = hex_of(self.card.get_stroke_color())

        def show(share: NDArray[np.float64]) -> None:
            self.card.set_stroke(mix(before, edge, float(share)))

        return [recolor(self.title, ink), Drive(self.card, show, 0.0, 1.0, run_time=0.6)]

    def tell(self, words: str, number: Number, color: str) -> FadeIn:
        """What came out, large, and how much of it beside it; if there is room for words."""
        room = self.region.width - 0.2 - float(number.width) - _BETWEEN
        wanted = text_width(words, 1.0, "semibold")
        place, parts = self.region.point(0.5, 0.32), VGroup(number)
        if words and wanted * MIN_SIZE <= room:
            size = min(_BIG, room / wanted)
            label = Label(words, size=size, weight="semibold", color=color)
            total = float(label.width) + _BETWEEN + float(number.width)
            drop = np.array([total / 2, X_HEIGHT / 2 * max(size, LABEL) * PX, 0.0])
            base = place - drop
            label.align, number.align = "left", "left"
            label.put(base)
            number.put(base + np.array([float(label.width) + _BETWEEN, 0.0, 0.0]))
            parts.add(label)
        else:
            number.center_on(place)
        self.add(parts)
        return FadeIn(parts, run_time=0.5)


def cards(names: Sequence[str], region: Region, *, gap: float = 0.3) -> list[Outcome]:
    """A card for every name, side by side."""
    rooms = region.columns(*([1.0] * len(names)), gap=min(gap, 0.02 * region.width))
    return [Outcome(name, room) for name, room in zip(names, rooms, strict=True)]
