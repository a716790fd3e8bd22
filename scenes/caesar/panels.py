"""Where the arrows and the scores of this film stand: side by side, words over both."""

from __future__ import annotations

from manim import VGroup

from clockhead.scenes.caesar.fan import Fan
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.stage import Column, Row, Size, fit
from clockhead.scenes.stage.layout import Box
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import Role, theme

_GAP = 0.15
HEAD = 0.5
"""The height of what stands over arrows and scores, in units."""
_WORDS = 28.0
"""The size of the words of a legend, in pixels."""
_APART = 0.5
"""Between two words of a legend, in units."""


class Legend(VGroup):
    """Words in one line, each in the colour of a role."""

    def __init__(self, *entries: tuple[str, Role]) -> None:
        super().__init__()
        for text, role in entries:
            color = theme().text_color(role)
            self.add(Label(text, size=_WORDS, weight="semibold", color=color, align="center"))

    @property
    def least(self) -> Size:
        width = sum(word.width for word in self) + _APART * (len(self) - 1)
        return Size(width, 1.2 * _WORDS * PX)

    most = least

    def place(self, region: Region) -> None:
        """Stand in the middle of a region."""
        x, y, _ = region.center
        left = x - self.least.width / 2
        for word in self:
            word.center_on((left + word.width / 2, y, 0.0))
            left += word.width + _APART


def beside(canvas: Region, head: Box, fan: Fan, chart: Chart) -> None:
    """The arrows to the left of the scores, or over them; the same for all that stands on top."""
    top, rest = canvas.cut_top(HEAD, _GAP)
    head.place(top)
    row, column = Row(fan, chart), Column(fan, chart, gap=_GAP, weights=(3, 2))
    fit(rest, *((row, column) if canvas.wide else (column, row)))
