"""A card for a trial: what was changed, then what is said, and the share that it has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from manim import DOWN, RoundedRectangle
from numpy.typing import NDArray

from scenes.parts.figures import Figure
from scenes.parts.tile import Tile
from scenes.stage import Picture, Reading, Size, Value
from scenes.stage.shown import is_visible
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive
from scenes.style.text import Label, text_width
from scenes.style.theme import Role, mix, theme
from scenes.style.type import CAP_HEIGHT, LABEL, LINE_HEIGHT, MIN_SIZE, SMALL

_WORD, _PAD = 32.0, 0.2
_MOST = Size(3.4, 1.75)
_LINES = (LABEL, _WORD, LABEL)
_LEAST_LINES = (MIN_SIZE, SMALL, MIN_SIZE)
"""The sizes of heading, word and share, in pixels."""


class Outcome(Picture):
    """A heading, and under it `words` and a `share`, which wait unseen behind a "?"."""

    def __init__(
        self,
        heading: str,
        words: Value,
        share: Value,
        spec: str,
        *,
        role: Role | None,
        prefix: str = "",
        filled: bool = False,
    ) -> None:
        super().__init__(words)
        look = theme()
        ink = look.text_color(role) if role else look.ink
        self._role, self._filled, self._lit = role, float(filled), float(filled)
        self.box = RoundedRectangle(corner_radius=0.12, fill_color=look.panel, fill_opacity=1)
        self.heading = Label(heading, size=LABEL, color=look.muted, align="center")
        self.asked = Label("?", size=_WORD, color=look.muted, align="center")
        self.word = Label(str(words.content), size=_WORD, color=ink, align="center",
                          weight="semibold")  # fmt: skip
        self.figure = Figure(share, spec, size=LABEL, weight="regular", color=ink, prefix=prefix)
        self.add(self.box, self.heading, self.asked, self.word, self.figure)

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
        self.box.stretch_to_fit_width(region.width).stretch_to_fit_height(region.height)
        self.box.move_to(region.center)
        part = min(1.0, (region.height - _PAD) / _height(_LINES))
        lines = self.heading, self.word, self.figure.number
        sizes = []
        for line, least, most in zip(lines, _LEAST_LINES, _LINES, strict=True):
            room = most * (region.width - 2 * _PAD) / max(line.width, 1e-9)
            sizes.append(max(least, min(part * most, room)))
            line.scale(sizes[-1] / most)
        x, y, _ = region.center
        y += _height(sizes) / 2
        for line, size in zip(lines, sizes, strict=True):
            y -= size * LINE_HEIGHT * PX / 2
            line.put(np.array([x, y - CAP_HEIGHT / 2 * size * PX, 0.0]))
            y -= size * LINE_HEIGHT * PX / 2
        self.asked.put(self.word.anchor + DOWN * 0.5 * LABEL * PX)
        self._dress()

    @property
    def spot(self) -> NDArray[np.float64]:
        """Where its word stands, or will stand."""
        return np.array(self.word.get_center())

    def light(self, *, run_time: float = 0.6) -> Drive:
        """Let its edge light up: this trial is on."""
        return self._drive("_lit", run_time)

    def fill(self, *, run_time: float = 0.8) -> Drive:
        """Let "?" give way to what is said."""
        return self._drive("_filled", run_time)

    def _drive(self, name: str, run_time: float) -> Drive:
        def show(share: NDArray[np.float64]) -> None:
            setattr(self, name, float(share))
            self._dress()

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def _dress(self) -> None:
        look = theme()
        edge = getattr(look, self._role) if self._role and self._filled else look.ink
        quiet = mix(look.ground, look.muted, 0.5)
        self.box.set_stroke(mix(quiet, edge, self._lit), 2 + 1.5 * self._lit)
        self.asked.set_fill(opacity=max(0.0, 1 - 2 * self._filled))
        for line in (self.word, self.figure.number):
            line.set_fill(opacity=max(0.0, 2 * self._filled - 1))

    def show(self, state: NDArray[np.float64]) -> None:
        """Its words do not change."""

    def readings(self) -> Iterator[Reading]:
        """The words on it."""
        if is_visible(self.word):
            yield Reading(self.shown, self.word.text)


def _height(sizes: Sequence[float]) -> float:
    """What lines of these sizes take."""
    return sum(sizes) * LINE_HEIGHT * PX


def sent(tile: Tile, spot: NDArray[np.float64], *, run_time: float) -> Drive:
    """Let a tile go to a point, and fade as it comes there."""
    start = tile.state
    way = np.array([*(spot[:2] - start[:2]), 0.0, 0.0, 0.0])

    def show(share: NDArray[np.float64]) -> None:
        tile.draw(start + way * float(share))
        tile.present = min(1.0, 4 * (1 - float(share)))
        tile.dress()

    return Drive(tile, show, 0.0, 1.0, run_time=run_time)
