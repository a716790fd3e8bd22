"""A title card: a name in large type, its long name, and credits."""

from __future__ import annotations

from typing import Literal

import numpy as np
from manim import UP, Rectangle, VGroup
from numpy.typing import NDArray

from clockhead.scenes.stage import Size
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.shape import Shapes
from clockhead.scenes.style.text import Align, Paragraph, text_width
from clockhead.scenes.style.theme import Role, theme
from clockhead.scenes.style.type import SMALL, Weight

NAME = 60.0
LONG_NAME = 30.0
_LEAST_NAME = 36.0
_GAP = 0.34
_PAD = 0.35
_STEPS = 12

Side = Literal["left", "center"]


class TitleCard(Shapes):
    """A name in the colour of a role, below it the long name and, muted, the credit.

    It has an opaque plate in the background colour, so that it can cover a dimmed picture. Words
    wrap where the region is narrow.
    """

    def __init__(
        self,
        name: str,
        long_name: str = "",
        credit: str = "",
        *,
        role: Role = "position",
        size: float = NAME,
        align: Side = "center",
    ) -> None:
        super().__init__()
        self._name, self._long_name, self._credit = name, long_name, credit
        self._role, self._size = role, size
        self._align: Align = align
        self.plate = Rectangle(stroke_width=0, fill_color=theme().ground, fill_opacity=1)
        self.lines: list[Paragraph] = []
        """The text: the name, then the long name and the credit if there are any."""

    @property
    def least(self) -> Size:
        """The size with the widest word on a line and the name at its smallest."""
        width = max(
            text_width(word, size, weight)
            for text, size, weight, _ in self._texts(_LEAST_NAME)
            for word in text.split()
        )
        return self._size_at(width + 0.02, _LEAST_NAME)

    @property
    def most(self) -> Size:
        """The size with each text on one line."""
        width = max(text_width(t, size, weight) for t, size, weight, _ in self._texts(self._size))
        return self._size_at(width + 0.02, self._size)

    def place(self, region: Region) -> None:
        """Centre it in a region, with the name as large as fits."""
        sizes = np.linspace(self._size, _LEAST_NAME, _STEPS)
        fitting = (s for s in sizes if self._fits(region, float(s)))
        size = float(next(fitting, _LEAST_NAME))
        self.lines = self._wrapped_lines(region.width - 2 * _PAD, size)
        words = VGroup(*self.lines)
        aside = region.left + _PAD - words.get_left()[0] if self._align == "left" else 0.0
        words.move_to(region.center if self._align == "center" else words.get_center())
        words.shift(np.array([aside, region.center[1] - words.get_center()[1], 0.0]))
        self.plate.stretch_to_fit_width(words.width + 2 * _PAD)
        self.plate.stretch_to_fit_height(words.height + 2 * _PAD)
        self.plate.move_to(words.get_center())
        self.add(self.plate, *self.lines)

    def appear(self, *, run_time: float = 1.2) -> Drive:
        """Fade in the plate, and then the lines from top to bottom."""
        return Drive(
            self, lambda s: self._fade(self._opacities(float(s))), 0.0, 1.0, run_time=run_time
        )

    def _texts(self, size: float) -> list[tuple[str, float, Weight, str]]:
        """Text, size, weight and colour of each paragraph."""
        look = theme()
        texts: list[tuple[str, float, Weight, str]] = [
            (self._name, size, "semibold", look.text_color(self._role)),
            (self._long_name, LONG_NAME, "regular", look.ink),
            (self._credit, SMALL, "regular", look.muted),
        ]
        return [text for text in texts if text[0]]

    def _wrapped_lines(self, width: float, size: float) -> list[Paragraph]:
        """The wrapped paragraphs, one below the other."""
        lines: list[Paragraph] = []
        for text, em, weight, color in self._texts(size):
            paragraph = Paragraph(
                text, width=width, size=em, weight=weight, color=color, align=self._align
            )
            if lines:
                drop = lines[-1].get_bottom()[1] - _GAP - paragraph.get_top()[1]
                paragraph.shift(UP * drop)
            lines.append(paragraph)
        return lines

    def _size_at(self, width: float, size: float) -> Size:
        words = VGroup(*self._wrapped_lines(width, size))
        return Size(max(width, words.width) + 2 * _PAD, words.height + 2 * _PAD)

    def _fits(self, region: Region, size: float) -> bool:
        width = region.width - 2 * _PAD
        longest = max(text_width(w, size, "semibold") for w in self._name.split())
        return longest <= width and self._size_at(width, size).height <= region.height

    def _opacities(self, share: float) -> NDArray[np.float64]:
        """The opacity of the plate and of each line; they fade in one after another."""
        if share == 1:
            return np.ones(1 + len(self.lines))
        starts = np.concatenate([[0.0], np.linspace(0.15, 0.6, len(self.lines))])
        return np.clip((share - starts) / 0.4, 0.0, 1.0)

    def _fade(self, opacity: NDArray[np.float64]) -> None:
        for part, seen in zip((self.plate, *self.lines), opacity, strict=True):
            part.set_fill(opacity=float(seen))
