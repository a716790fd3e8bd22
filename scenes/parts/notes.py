"""A running line under a picture: what is being shown right now."""

from __future__ import annotations

from collections.abc import Sequence

from manim import Animation, FadeIn, FadeOut, Succession

from scenes.parts.text import Paragraph
from scenes.style.layout import PX, Region
from scenes.style.type import LABEL, LINE_HEIGHT

_GAP = 0.3


class Notes:
    """Sentences that take each other's place at the foot of a region.

    `above` is what they leave of the region.
    """

    def __init__(self, sentences: Sequence[str], region: Region) -> None:
        self.lines = [
            Paragraph(text, width=region.width, size=LABEL, align="center") for text in sentences
        ]
        line_height = LABEL * LINE_HEIGHT * PX
        tallest = max(round(line.height / line_height + 0.3) for line in self.lines)
        band, self.above = region.cut_bottom(max(1, tallest) * line_height, _GAP)
        for line in self.lines:
            line.move_to(band.center)
        self._shown: Paragraph | None = None

    def say(self, k: int) -> Animation:
        """Let sentence `k` take the place of the one that stands there."""
        before, self._shown = self._shown, self.lines[k]
        appear = FadeIn(self._shown, run_time=0.5)
        return appear if before is None else Succession(FadeOut(before, run_time=0.3), appear)

    def hush(self) -> Animation:
        """Take the last sentence away."""
        assert self._shown is not None
        before, self._shown = self._shown, None
        return FadeOut(before, run_time=0.4)
