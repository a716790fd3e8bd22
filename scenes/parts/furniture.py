"""What every frame has: a title, the question under it, and a band for the caption."""

from __future__ import annotations

from manim import DOWN, RIGHT, UP, Line, VGroup

from scenes.parts.text import Paragraph
from scenes.style.layout import MARGIN, PX, Region
from scenes.style.theme import theme
from scenes.style.type import CAPTION, SUBTITLE, TITLE

_UNDER_TITLE = 0.16
_UNDER_QUESTION = 0.42
_RULE = 0.2
"""Distances, in units."""


class Furniture:
    """Title and question at the top left, caption band at the bottom, and the canvas between."""

    def __init__(self, title: str, subtitle: str, caption: str, frame: Region) -> None:
        page = frame.inset(MARGIN)
        heading, top = _heading(title, subtitle, page)
        self.caption, rule, bottom = _caption_band(caption, page)
        self.opening = VGroup(heading, rule)
        self.canvas = Region(page.left, bottom, page.right, top)


def _heading(title: str, subtitle: str, page: Region) -> tuple[VGroup, float]:
    big = Paragraph(title, width=page.width, size=TITLE, weight="semibold")
    big.shift(page.point(0, 1) - big.get_corner(UP + RIGHT * -1))
    small = Paragraph(subtitle, width=page.width, size=SUBTITLE, color=theme().muted)
    small.shift(big.get_corner(DOWN - RIGHT) + DOWN * _UNDER_TITLE - small.get_corner(UP - RIGHT))
    heading = VGroup(big, small)
    return heading, float(heading.get_bottom()[1]) - _UNDER_QUESTION


def _caption_band(caption: str, page: Region) -> tuple[Paragraph, Line, float]:
    words = Paragraph(caption, width=page.width - 0.6, size=CAPTION, align="center")
    words.move_to(page.point(0.5, 0), aligned_edge=DOWN)
    height = max(words.height, CAPTION * PX)
    y = page.bottom + height + _RULE
    ends = (page.left, y, 0.0), (page.right, y, 0.0)
    rule = Line(*ends, stroke_width=1.5, stroke_color=theme().hairline)
    return words, rule, y + _RULE
