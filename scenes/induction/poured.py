"""Shares of attention that leave their bars and gather at one place: what a head puts into out."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from scenes.parts.chart import Chart, Mark
from scenes.parts.paths import rectangles
from scenes.stage import Reading, Value
from scenes.stage.shown import is_visible
from scenes.style.layout import PX
from scenes.style.motion import Drive, in_turn
from scenes.style.text import Label
from scenes.style.theme import mix, theme
from scenes.style.type import MIN_SIZE

_EACH = 0.6
"""The share of the time that one of several shares is on its way."""
_WIDTH = 0.72
_FRAME = 0.06
_ARCH = 0.5


class Poured(Mark):
    """Copies of the bars of `shares` (T,), each with its token, that pile up at the slot `goal`.

    They are piled in `order`, from zero on: together they reach as far as their sum. If they are
    `named`, a word is written on each share that has room for it.
    """

    def __init__(
        self, shares: Value, tokens: Value, chart: Chart, goal: int, order: list[int], named: bool
    ) -> None:
        super().__init__(shares, chart)
        self._tokens, self._goal, self._order, self._named = tokens, goal, order, named
        self._lying = bool(chart.y.scaling.names)
        self._gone = np.zeros(len(self._order))
        self.pieces: list[VMobject] = []
        self.words: list[Label] = []
        look = theme()
        for k in self._order:
            piece = VMobject(fill_opacity=1, stroke_color=look.ground, stroke_width=1.5)
            self.pieces.append(piece)
            ink = look.ink_on(look.value)
            self.words.append(Label(str(tokens.content[k]), size=MIN_SIZE, color=ink))
        self.add(*reversed(self.pieces), *self.words)

    def pour(self, **options: object) -> Drive:
        """Let the copies leave their bars, one after another, and pile up."""

        def show(share: NDArray[np.float64]) -> None:
            self._gone = in_turn(float(share), len(self._order), _EACH)
            self.redraw()

        return Drive(self, show, 0.0, 1.0, **options)  # type: ignore[arg-type]

    def draw(self, state: NDArray[np.float64]) -> None:
        """Draw each copy as far on its way as it has come."""
        along, across = (
            (self.chart.x, self.chart.y) if self._lying else (self.chart.y, self.chart.x)
        )
        look, half, foot = theme(), _WIDTH / 2 * across.pitch, 0.0
        for k, gone, piece, word in zip(
            self._order, self._gone, self.pieces, self.words, strict=True
        ):
            share = float(state[k])
            low = foot * float(gone)
            middle = float(across.at(k + (self._goal - k) * float(gone)))
            ends = [float(along.at(low)), float(along.at(low + share))]
            box = np.array([[ends[0], middle - half, ends[1], middle + half]])
            if not self._lying:
                box = box[:, [1, 0, 3, 2]]
            piece.set_points(rectangles(*box.T))
            piece.set_fill(mix(look.attention, look.value, min(1.0, 2 * float(gone))))
            width, height = box[0, 2] - box[0, 0], box[0, 3] - box[0, 1]
            fits = word.width + _FRAME <= width and height >= MIN_SIZE * PX + _FRAME
            word.center_on(np.array([(box[0, 0] + box[0, 2]) / 2, (box[0, 1] + box[0, 3]) / 2, 0]))
            word.set_fill(opacity=float(self._named and fits and gone > 0))
            foot += share

    def readings(self) -> Iterator[Reading]:
        """How long each piece is, where the pile begins and in what order, and what is written."""
        if not self.chart.placed:
            return
        i = 0 if self._lying else 1
        along = self.chart.x if self._lying else self.chart.y
        for k, piece, word in zip(self._order, self.pieces, self.words, strict=True):
            if not is_visible(piece):
                continue
            low, high = piece.points[:, i].min(), piece.points[:, i].max()
            says = float(along.read(high) - along.read(low))
            yield Reading(self.shown[k], says, along.scaling.within(says))
            if is_visible(word):
                yield Reading(self._tokens[k], word.text)
