"""Where information goes: a line for every token, a column for every layer it passes.

Positions run down and layers run to the right, as in the matrices of a forward pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from manim import Mobject, VGroup, VMobject
from numpy.typing import NDArray

from scenes.parts.hands import straight
from scenes.parts.placing import plated
from scenes.parts.text import Label, Number, text_width
from scenes.style.layout import PX, Region
from scenes.style.theme import theme
from scenes.style.type import LABEL, MIN_SIZE, SMALL, X_HEIGHT

_DOT = 0.035
_MOST_ROW = 0.9
_LEGIBLE = 15.5
"""Rows lower than this, in pixels, are too low for letters right over each other."""


class StreamFlow(VGroup):
    """The residual streams of `n_tokens` positions as lines from left to right.

    Each has `n_levels` dots: what it holds before the first layer, and after every layer.
    """

    def __init__(self, n_tokens: int, n_levels: int, region: Region) -> None:
        self.row = min(_MOST_ROW, region.height / n_tokens)
        top = region.center[1] + self.row * n_tokens / 2
        self.y = top - self.row * (np.arange(n_tokens) + 0.5)  # (n_tokens,)
        self.x = np.linspace(region.left, region.right, n_levels)
        self.streams = VMobject(stroke_color=theme().hairline, stroke_width=2)
        ends = [[np.array([x, y, 0.0]) for y in self.y] for x in (self.x[0], self.x[-1])]
        self.streams.set_points(straight(np.array(ends[0]), np.array(ends[1])))
        self.dots = VMobject(stroke_width=0, fill_color=theme().muted, fill_opacity=1)
        self.dots.set_points(np.concatenate([self._dot(x, y) for x in self.x for y in self.y]))
        super().__init__(self.streams, self.dots)

    def at(self, level: float, k: int) -> NDArray[np.float64]:
        """Where position `k` is at a level; halves lie between two layers."""
        x = np.interp(level, np.arange(len(self.x)), self.x)
        return np.array([x, self.y[k], 0.0])

    def path(
        self, start: tuple[int, int], end: tuple[int, int], color: str, width: float = 5
    ) -> VMobject:
        """From (level, position) to (level, position), leaving and arriving along the streams."""
        a, b = self.at(*start), self.at(*end)
        reach = np.array([0.5 * (b - a)[0], 0.0, 0.0])
        line = VMobject(stroke_color=color, stroke_width=width)
        return line.set_points([a, a + reach, b - reach, b])

    def _dot(self, x: float, y: float) -> NDArray[np.float64]:
        turn = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1], [-1, 1]]) * _DOT
        corners = np.column_stack([turn + np.array([x, y]), np.zeros(5)])
        return straight(corners[:-1], corners[1:])


@dataclass(frozen=True, eq=False)
class Step:
    """Paths that are lit at once, and what is then known where they end."""

    paths: list[VMobject]
    words: list[VGroup]


class Hops(VGroup):
    """How the last token of a text learns what is next: `steps` to be shown one after another.

    `names` are the tokens as they are written; `answers` the rows that have noted the last one,
    and `sources` the rows that told them. If there are none, all rows tell the last one. `says` is
    the predicted token and `output` its logit.
    """

    def __init__(
        self,
        names: Sequence[str],
        answers: Sequence[int],
        sources: Sequence[int],
        says: str,
        output: float,
        region: Region,
    ) -> None:
        self.names, self.answers, self.sources = names, answers, sources
        self.last, self.right = len(names) - 1, region.right
        side = max(text_width(name, LABEL) for name in names) + 0.3
        heading = 1.6 * SMALL * PX
        room = Region(region.left + side, region.bottom, region.right - 0.8, region.top - heading)
        self.flow = StreamFlow(len(names), 4, room)
        self.rows = VGroup(*(self._row_name(k) for k in range(len(names))))
        stagger(self.rows, self.flow.row)
        y = float(self.flow.y[0]) + self.flow.row / 2 + 0.14
        self.heads = VGroup(*(self._head(i, title, y) for i, title in enumerate(_HEADS)))
        super().__init__(self.flow, self.rows, self.heads)
        self.steps = [self._told(), self._fetched(), self._said(says, output)]

    def _told(self) -> Step:
        """Layer 0: the rows that hold the query tell those after them."""
        look, pairs = theme(), list(zip(self.sources, self.answers, strict=True))
        if not pairs:
            rows = range(1, self.last + 1)
            return Step([self.flow.path((0, k - 1), (1, k), look.muted, 2) for k in rows], [])
        paths = [
            self.flow.path((0, a), (1, b), look.wrong if a == b else look.key) for a, b in pairs
        ]
        words: list[VGroup] = []
        query, free = self.names[-1], np.inf
        for a, b in pairs:
            if free - self.flow.y[b] < 0.34 and free < np.inf:
                continue
            free, color = float(self.flow.y[b]), look.text_color("wrong" if a == b else "key")
            note = "noted itself" if a == b else f"after {query}"
            if a != b:
                words.append(self._word(0, a, query, color))
            words.append(self._word(1, b, f"{self.names[b]}, {note}", color))
        return Step(paths, words)

    def _fetched(self) -> Step:
        """Layer 1: the last row asks, and those that know tell it what they hold."""
        look, last = theme(), self.last
        rows = self.answers or range(last + 1)
        paths = [self.flow.path((0, last), (1, last), look.query)]
        width = 5 if self.answers else 2
        paths += [
            self.flow.path((0, k), (1, k), look.value, width)
            for k, source in zip(self.answers, self.sources, strict=True)
            if k != source
        ]
        paths += [self.flow.path((1, k), (2, last), look.value, width) for k in rows]
        held = list(dict.fromkeys(self.names[k] for k in self.answers))
        words = [self._word(0, last, self.names[-1], look.text_color("query"))]
        if 0 < len(held) < 4:
            words.append(self._word(2, last, ", ".join(held), look.text_color("value")))
        return Step(paths, words)

    def _said(self, says: str, output: float) -> Step:
        """The logits of the last row: the prediction and how much of the output it has."""
        look, place = theme(), self.flow.at(3, self.last)
        color = look.text_color("value")
        token = Label(says, size=36, weight="semibold", color=color, align="left")
        number = Number(output, ".2%", size=24, color=color, align="right")
        base = place - np.array([-0.14, X_HEIGHT / 2 * 36 * PX, 0.0])
        token.put(base)
        number.put(np.array([self.right, base[1] + 36 * PX * 0.95, 0.0]))
        path = self.flow.path((2, self.last), (3, self.last), look.value)
        return Step([path], [VGroup(token, number)])

    def _row_name(self, k: int) -> Label:
        size = max(MIN_SIZE, min(LABEL, self.flow.row / PX * 0.85))
        label = Label(self.names[k], size=size, color=theme().muted, align="right")
        return label.put(self.flow.at(0, k) - np.array([0.2, X_HEIGHT / 2 * size * PX, 0.0]))

    def _head(self, i: int, title: str, y: float) -> Label:
        label = Label(title, size=LABEL, color=theme().muted, align="center")
        x = float(self.flow.at(i + 0.5, 0)[0])
        return label.put(np.array([x, y, 0.0]))

    def _word(self, level: int, k: int, text: str, color: str) -> VGroup:
        """A note that ends where the position stands, over what runs there."""
        label = Label(text, size=24, weight="semibold", color=color)
        half = text_width(text, 24, "semibold") / 2 * (level > 0)
        word = plated(label, self.flow.at(level, k) - np.array([half, 0.0, 0.0]))
        return word.set_z_index(1)


def stagger(names: Iterable[Mobject], row: float) -> None:
    """Let every second name step aside where rows are too low for letters over each other."""
    if row < _LEGIBLE * PX:
        for name in list(names)[1::2]:
            name.shift(np.array([-0.2, 0.0, 0.0]))


_HEADS = ("layer 0", "layer 1", "logits")
