"""The knob for beta, with what it is for written over it."""

from __future__ import annotations

from manim import RIGHT, UP, VGroup

from scenes.parts.knob import Knob
from scenes.stage import Size, Value
from scenes.style.layout import PX, Region
from scenes.style.text import Paragraph, text_width
from scenes.style.theme import theme
from scenes.style.type import LABEL, LINE_HEIGHT

MEANING = "what agreement is worth"
_LOW, _HIGH = 1.0, 1e4
_GAP = 0.12


class BetaKnob(VGroup):
    """A knob that stands at beta, under its meaning."""

    def __init__(self, beta: Value, *, meaning: str = MEANING) -> None:
        super().__init__()
        self._meaning = meaning
        self.knob = Knob(beta, _LOW, _HIGH, spec="g", prefix="β = ")

    def _words(self, width: float) -> Paragraph:
        return Paragraph(
            self._meaning, width=width, size=LABEL, color=theme().muted, align="center"
        )

    def _around(self, knob: Size) -> Size:
        longest = max(text_width(word, LABEL) for word in self._meaning.split())
        width = max(knob.width, longest + 0.05)
        lines = len(self._words(width))
        return Size(width, knob.height + _GAP + lines * LABEL * LINE_HEIGHT * PX)

    @property
    def least(self) -> Size:
        return self._around(self.knob.least)

    @property
    def most(self) -> Size:
        return self._around(self.knob.most)

    def place(self, region: Region) -> None:
        """Stand in the middle of a region."""
        words = self._words(region.width)
        high = min(region.height, self._around(self.knob.most).height)
        top = region.center[1] + high / 2
        words.shift(UP * (top - words.get_top()[1]))
        words.shift(RIGHT * (region.center[0] - words.get_center()[0]))
        low = words.get_bottom()[1] - _GAP
        self.knob.place(Region(region.left, top - high, region.right, low))
        self.add(words, self.knob)
