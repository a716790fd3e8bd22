"""Outcomes of a few trials side by side: what was tried, what came out, and how much of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import FadeIn, RoundedRectangle, VGroup
from numpy.typing import NDArray

from scenes.style.layout import PX, Region
from scenes.style.motion import Drive, hex_of, recolor
from scenes.style.text import Label, Number, text_width
from scenes.style.theme import mix, theme
from scenes.style.type import LABEL, MIN_SIZE, SMALL, X_HEIGHT

_BIG = 48.0
"""The largest type for what came out, in pixels."""
_PAD = 0.14
_BETWEEN = 0.2
_WIDE = 2.2
"""A card as wide as this has its number beside what came out, else under it; in units."""
_LOW, _HIGH = 1.25, 1.6
_GAP = 0.3


class Outcome(VGroup):
    """A card with a name on it, and an empty place for what comes out."""

    def __init__(self, name: str, region: Region) -> None:
        look = theme()
        self.region = region
        self.card = RoundedRectangle(width=region.width, height=region.height, corner_radius=0.1)
        self.card.set_fill(look.panel, 1).set_stroke(look.hairline, 2).move_to(region.center)
        room = region.width - 2 * _PAD
        size = max(MIN_SIZE, min(LABEL, room / text_width(name, 1.0)))
        self.title = Label(name, size=size, color=look.muted)
        self.title.center_on(np.array([region.center[0], region.top - 0.26, 0.0]))
        rest = region.cut_top(0.42, 0.0)[1].inset(_PAD, 0.12)
        super().__init__(self.card, self.title)
        self.place, self.foot = rest, None
        if region.width < _WIDE:
            self.foot, self.place = rest.cut_bottom(1.2 * SMALL * PX, 0.06)

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
        """What came out, large, with a number beside or under it."""
        beside = 0.0 if self.foot else float(number.width) + _BETWEEN
        room = self.place.width - beside
        most = min(_BIG, self.place.height / PX, room / text_width(words or "0", 1.0, "semibold"))
        label = Label(words, size=max(MIN_SIZE, most), weight="semibold", color=color)
        shown = VGroup(number)
        if not words or most < MIN_SIZE:
            low = np.array([0.0, X_HEIGHT / 2 * (_BIG - LABEL) * PX, 0.0])
            at = self.region.point(0.5, 0.4) if self.foot else self.place.center - low
            number.center_on(at)
        elif self.foot:
            shown.add(label.center_on(self.place.center))
            number.center_on(self.foot.center)
        else:
            width = float(label.width)
            left = self.place.center[0] - (width + beside) / 2
            drop = X_HEIGHT / 2 * min(max(MIN_SIZE, most), _BIG) * PX
            base = np.array([left, self.place.center[1] - drop, 0.0])
            label.align = number.align = "left"
            number.put(base + np.array([width + _BETWEEN, 0.0, 0.0]))
            shown.add(label.put(base))
        self.add(shown)
        return FadeIn(shown, run_time=0.5)


def cards(names: Sequence[str], region: Region) -> tuple[list[Outcome], Region]:
    """A card for every name, side by side along the bottom of a region; and what is left of it."""
    gap, n = min(_GAP, 0.02 * region.width), len(names)
    wide = (region.width - gap * (n - 1)) / n >= _WIDE
    below, above = region.cut_bottom(_LOW if wide else _HIGH, gap=_GAP)
    rooms = below.columns(*([1.0] * n), gap=gap)
    return [Outcome(name, room) for name, room in zip(names, rooms, strict=True)], above
