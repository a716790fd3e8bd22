"""A card for a trial: what was changed, then what is said, and the share that it has."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from manim import DOWN, Animation, RoundedRectangle
from numpy.typing import NDArray

from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.stage import Picture, Reading, Size, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive, FadeIn, recolor
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import Role, mix, theme
from clockhead.scenes.style.type import LABEL, LINE_HEIGHT, MIN_SIZE, SMALL

_PAD, _MOST = 0.2, Size(3.4, 1.75)
_LINES, _LEAST_LINES = (LABEL, 32.0, LABEL), (MIN_SIZE, SMALL, MIN_SIZE)
"""The sizes of heading, word and share, in pixels."""


class Outcome(Picture):
    """A heading, and under it a "?" that gives way to `words` and their `share`."""

    def __init__(
        self,
        heading: str,
        words: Value,
        share: Value,
        spec: str,
        *,
        role: Role | None,
        prefix: str = "",
    ) -> None:
        super().__init__(words)
        look = theme()
        ink = look.text_color(role) if role else look.ink
        self._lit, self._answered = look.ink, getattr(look, role) if role else look.ink
        self.box = RoundedRectangle(corner_radius=0.12, stroke_width=0, fill_opacity=1)
        self.edge = RoundedRectangle(corner_radius=0.12, stroke_width=3)
        self.box.set_fill(look.panel)
        self.edge.set_stroke(mix(look.ground, look.muted, 0.5))
        self.heading = Label(heading, size=LABEL, color=look.muted, align="center")
        self.asked = Label("?", size=_LINES[1], color=look.muted, align="center")
        self.word = Label(str(words.content), size=_LINES[1], color=ink, align="center",
                          weight="semibold")  # fmt: skip
        self.figure = Figure(share, spec, size=LABEL, weight="regular", color=ink, prefix=prefix)
        self.add(self.box, self.edge, self.heading, self.asked)

    @property
    def least(self) -> Size:
        """As wide as its lines, the words as small as they may be."""
        words = text_width(self.word.text, SMALL, "semibold")
        others = text_width(self.heading.text, MIN_SIZE), text_width(self.figure.number.text, SMALL)
        return Size(max(words, *others) + 2 * _PAD, _height(_LEAST_LINES) + _PAD)

    @property
    def most(self) -> Size:
        return Size(max(self.least.width, _MOST.width), _MOST.height)

    def place(self, region: Region) -> None:
        """Fill a region."""
        for piece in (self.box, self.edge):
            piece.stretch_to_fit_width(region.width).stretch_to_fit_height(region.height)
            piece.move_to(region.center)
        share = min(1.0, (region.height - _PAD) / _height(_LINES))
        x, y = region.center[0], region.center[1] + share * _height(_LINES) / 2
        lines = self.heading, self.word, self.figure.number
        for line, most, least in zip(lines, _LINES, _LEAST_LINES, strict=True):
            room = most * (region.width - 2 * _PAD) / max(line.width, 1e-9)
            line.scale(max(least, min(share * most, room)) / most)
            y -= share * _height((most,))
            line.put(np.array([x, y + 0.3 * share * most * PX, 0.0]))
        self.asked.put(self.word.anchor + DOWN * 0.5 * LABEL * PX)

    @property
    def spot(self) -> NDArray[np.float64]:
        """Where its word stands, or will stand."""
        return np.array(self.word.get_center())

    def light(self) -> Drive:
        """Let its edge light up: this trial is on."""
        return recolor(self.edge, self._lit)

    def fill(self, *, run_time: float = 0.8) -> tuple[Animation, ...]:
        """Let "?" give way to what is said."""
        going = recolor(self.asked, theme().panel, opacity=0.0)
        coming = (FadeIn(part, run_time=run_time) for part in (self.word, self.figure))
        return going, *coming, recolor(self.edge, self._answered)

    def show(self, state: NDArray[np.float64]) -> None:
        """Its words do not change."""

    def answer(self) -> Outcome:
        """Say at once what is said."""
        self.edge.set_stroke(self._answered)
        self.remove(self.asked).add(self.word, self.figure)
        return self

    def readings(self) -> Iterator[Reading]:
        """The words on it."""
        if is_visible(self.word):
            yield Reading(self.shown, self.word.text)


def _height(sizes: tuple[float, ...]) -> float:
    """What lines of these sizes take."""
    return sum(sizes) * LINE_HEIGHT * PX
