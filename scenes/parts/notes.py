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
        self.lines = [_even(text, region.width) for text in sentences]
        tallest = max(_n_lines(line) for line in self.lines)
        band, self.above = region.cut_bottom(tallest * LABEL * LINE_HEIGHT * PX, _GAP)
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


def _even(text: str, width: float) -> Paragraph:
    """The text centred, without a last line of one word where it takes more than one."""
    widest = Paragraph(text, width=width, size=LABEL, align="center")
    if _n_lines(widest) == 1:
        return widest
    narrower = Paragraph(text, width=0.8 * width, size=LABEL, align="center")
    return narrower if _n_lines(narrower) == _n_lines(widest) else widest


def _n_lines(paragraph: Paragraph) -> int:
    return max(1, round(float(paragraph.height) / (LABEL * LINE_HEIGHT * PX) + 0.3))
