"""What every frame has: a title, the question under it, and a band for what is said."""

from __future__ import annotations

from collections.abc import Sequence

from manim import UP, Animation, FadeIn, FadeOut, Line, Succession, VGroup

from scenes.parts.placing import hang, under
from scenes.parts.text import Paragraph
from scenes.style.layout import MARGIN, PX, Region
from scenes.style.theme import theme
from scenes.style.type import CAPTION, LINE_HEIGHT, SUBTITLE, TITLE

_UNDER_TITLE = 0.16
_UNDER_QUESTION = 0.4
_RULE = 0.2
"""Distances, in units."""


class Furniture:
    """Title and question at the top left, a band at the bottom, and the canvas between.

    `sentences` take each other's place in the band; it is as high as the longest needs.
    """

    def __init__(self, title: str, subtitle: str, sentences: Sequence[str], frame: Region) -> None:
        page = frame.inset(MARGIN)
        heading, top = _heading(title, subtitle, page)
        self._sentences, rule, bottom = _band(sentences, page)
        self._said: Paragraph | None = None
        self.opening = VGroup(heading, rule)
        self.canvas = Region(page.left, bottom, page.right, top)

    def say(self, sentence: int) -> Animation:
        """Let a sentence take the place of the one that stands in the band."""
        before, self._said = self._said, self._sentences[sentence]
        appear = FadeIn(self._said, run_time=0.5)
        return appear if before is None else Succession(FadeOut(before, run_time=0.3), appear)


def _heading(title: str, subtitle: str, page: Region) -> tuple[VGroup, float]:
    big = Paragraph(title, width=page.width, size=TITLE, weight="semibold")
    hang(big, page.point(0, 1))
    small = Paragraph(subtitle, width=page.width, size=SUBTITLE, color=theme().muted)
    hang(small, under(big, _UNDER_TITLE))
    heading = VGroup(big, small)
    return heading, float(heading.get_bottom()[1]) - _UNDER_QUESTION


def _band(sentences: Sequence[str], page: Region) -> tuple[list[Paragraph], Line, float]:
    """Sentences under a rule, first lines on one height; and where the canvas begins."""
    said = [Paragraph(s, width=page.width - 0.6, size=CAPTION, align="center") for s in sentences]
    line = CAPTION * PX * LINE_HEIGHT
    n_lines = max(1, *(round(paragraph.height / line + 0.3) for paragraph in said))
    height = n_lines * line
    for paragraph in said:
        paragraph.move_to(page.point(0.5, 0) + UP * height / 2)
    y = page.bottom + height + _RULE
    ends = (page.left, y, 0.0), (page.right, y, 0.0)
    rule = Line(*ends, stroke_width=1.5, stroke_color=theme().hairline)
    return said, rule, y + _RULE
