"""A message that is read wrongly: what was meant, sent and read, over its dot products."""

from __future__ import annotations

import numpy as np
from manim import Animation, AnimationGroup, FadeIn, VGroup

from model.caesar import N_ROTATIONS
from model.cryptogram import Cryptogram
from scenes.parts.charts.letter_bars import LetterBars, quiet
from scenes.style.layout import PX, Region
from scenes.style.text import Label, Number, text_width
from scenes.style.theme import theme
from scenes.style.type import LABEL

_TEXT = 44.0
_NUMBER = 24.0
_NUMBER_WIDTH = 0.85
_LINE = 0.32
"""The width of a score and the height of a line of them, in units."""


class Misread(VGroup):
    """Three texts side by side, and the dot products under them, all of which appear in turn.

    `reveal_found` marks the rotation that scores most, `reveal_true` the one that was meant.
    """

    def __init__(self, message: Cryptogram, region: Region) -> None:
        super().__init__()
        look = theme()
        self.message = message
        top, below = region.cut_top(1.25, 0.25)
        self.meant, self.sent, self.read = self._texts(top)
        apart = abs(message.found - message.rotation) * (below.width - 0.1) / N_ROTATIONS
        close = apart < _NUMBER_WIDTH
        self.scores = LetterBars(
            message.dot_products,
            below.inset(0.05, 0.0),
            high=float(message.dot_products.max()),
            color=quiet(),
            names=[str(rotation) for rotation in range(N_ROTATIONS)],
            room=0.75 + close * _LINE,
        )
        self.heading = self.scores.heading("dot product of each rotation")
        self.found = self._number(message.found, look.text_color("wrong"))
        self.true = self._number(message.rotation, look.text_color("value"))
        if close:
            self.true.shift(np.array([0.0, self.found.anchor[1] - self.true.anchor[1] + _LINE, 0]))
        self.add(self.meant, self.sent, self.read, self.scores, self.heading, self.found, self.true)

    def reveal_found(self, run_time: float = 0.7) -> Animation:
        """The largest score lights up, and the text that it reads appears."""
        light = self.scores.light([self.message.found], theme().wrong)
        return AnimationGroup(light, FadeIn(self.found, self.read), run_time=run_time)

    def reveal_true(self, run_time: float = 0.7) -> Animation:
        """The score of the rotation that was meant lights up."""
        light = self.scores.light([self.message.rotation], theme().value)
        return AnimationGroup(light, FadeIn(self.true), run_time=run_time)

    def _number(self, rotation: int, color: str) -> Number:
        """A score over its bar, and over the bars beside it if they are taller."""
        scores = self.scores
        score = float(self.message.dot_products[rotation])
        number = scores.number(rotation, score, ".4f", size=_NUMBER, weight="semibold", color=color)
        reach = (number.width + scores.step) / 2
        x = float(number.get_center()[0])
        tips = [scores.tip(k) for k in range(N_ROTATIONS)]
        highest = max(float(tip[1]) for tip in tips if abs(float(tip[0]) - x) < reach)
        return number.shift(np.array([0.0, highest - float(tips[rotation][1]), 0.0]))

    def _texts(self, region: Region) -> list[VGroup]:
        message, look = self.message, theme()
        pieces = (
            ("message", message.text, look.ink),
            (f"turned by {message.rotation}", message.ciphertext, look.text_color("key")),
            (f"turned back by {message.found}", message.decoded, look.text_color("wrong")),
        )
        cells = region.columns(1.0, 1.0, 1.0, gap=0.2)
        widest = max(text_width(text, _TEXT, "semibold") for _, text, _ in pieces)
        size = _TEXT * min(1.0, (cells[0].width - 0.1) / widest)
        groups = []
        for cell, (words, text, color) in zip(cells, pieces, strict=True):
            over = Label(words, size=LABEL, color=look.muted, align="center")
            letters = Label(text, size=size, weight="semibold", color=color, align="center")
            over.put(np.array([cell.center[0], cell.top - LABEL * PX, 0.0]))
            letters.put(np.array([cell.center[0], cell.bottom + 0.2, 0.0]))
            groups.append(VGroup(over, letters))
        return groups
