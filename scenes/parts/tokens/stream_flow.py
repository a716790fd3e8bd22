"""Where information goes: a line for every token, a step along it for every layer it passes.

In a wide frame the text runs to the right and layers follow each other downwards; in a tall frame
the text runs down and layers follow to the right.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from manim import Mobject, VGroup, VMobject
from numpy.typing import NDArray

from scenes.parts.paths import straight
from scenes.parts.placing import plated
from scenes.style.layout import PX, Region
from scenes.style.text import Align, Label, Number, text_width
from scenes.style.theme import theme
from scenes.style.type import LABEL, MIN_SIZE, X_HEIGHT

_DOT = 0.035
_MOST_STEP = 0.9
_TALL = 1.15
"""How much higher than wide a region is in which the text runs down."""
_NAME, _WORD, _SAID = 30.0, 26.0, 44.0
"""The largest type for a token, that for a note, and that for the prediction; in pixels."""
_LEGIBLE = 15.5
"""Rows lower than this, in pixels, are too low for letters right over each other."""


class StreamFlow(VGroup):
    """The residual streams of `n_tokens` positions as parallel lines.

    Each has `n_levels` dots: what it holds before the first layer, and after every layer. `down`
    says whether the text runs down the region; `step` is from one position to the next.
    """

    def __init__(self, n_tokens: int, n_levels: int, region: Region, *, down: bool) -> None:
        self.down, look = down, theme()
        extent = region.height if down else region.width
        self.step = min(_MOST_STEP, extent / n_tokens)
        offsets = self.step * (np.arange(n_tokens) - (n_tokens - 1) / 2)  # (n_tokens,)
        middle = region.center
        self._places = middle[1] - offsets if down else middle[0] + offsets  # (n_tokens,)
        ends = (region.left, region.right) if down else (region.top, region.bottom)
        self._levels = np.linspace(*ends, n_levels)
        self.streams = VMobject(stroke_color=look.hairline, stroke_width=2.5)
        starts, stops = (
            np.array([self.at(level, k) for k in range(n_tokens)]) for level in (0, n_levels - 1)
        )
        self.streams.set_points(straight(starts, stops))
        self.dots = VMobject(stroke_width=0, fill_color=look.muted, fill_opacity=1)
        dots = [self._dot(self.at(i, k)) for i in range(n_levels) for k in range(n_tokens)]
        self.dots.set_points(np.concatenate(dots))
        super().__init__(self.streams, self.dots)

    def at(self, level: float, k: int) -> NDArray[np.float64]:
        """Where position `k` is at a level; halves lie between two layers."""
        along = float(np.interp(level, np.arange(len(self._levels)), self._levels))
        place = float(self._places[k])
        return np.array([along, place, 0.0] if self.down else [place, along, 0.0])

    def path(
        self, start: tuple[int, int], end: tuple[int, int], color: str, width: float = 6
    ) -> VMobject:
        """From (level, position) to (level, position), leaving and arriving along the streams."""
        a, b = self.at(*start), self.at(*end)
        reach = 0.5 * (b - a) * np.array([self.down, not self.down, False])
        line = VMobject(stroke_color=color, stroke_width=width)
        return line.set_points([a, a + reach, b - reach, b])

    def _dot(self, middle: NDArray[np.float64]) -> NDArray[np.float64]:
        turn = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1], [-1, 1]]) * _DOT
        corners = np.column_stack([turn, np.zeros(5)]) + middle
        return straight(corners[:-1], corners[1:])


@dataclass(frozen=True, eq=False)
class Step:
    """Paths that are lit at once, what is then known where they end, and names in new colours."""

    paths: list[VMobject]
    words: list[VGroup] = field(default_factory=list)
    names: list[tuple[Label, str]] = field(default_factory=list)


class Hops(VGroup):
    """How the last token of a text learns what is next: `steps` to be shown one after another.

    `names` are the tokens as they are written; `answers` the positions that have noted the last
    one, and `sources` those that told them. If there are none, all tell the last one. `says` is
    the predicted token and `output` its logit, written with `around` before and after it.
    """

    def __init__(
        self,
        names: Sequence[str],
        answers: Sequence[int],
        sources: Sequence[int],
        says: str,
        output: float,
        region: Region,
        *,
        around: tuple[str, str] = ("", ""),
    ) -> None:
        self.tokens, self.answers, self.sources = names, answers, sources
        self.last, self.region = len(names) - 1, region
        down = region.height > _TALL * region.width
        self.flow = StreamFlow(len(names), 4, self._room(down), down=down)
        self.names = [self._name(k) for k in range(len(names))]
        if down:
            stagger(self.names, self.flow.step)
        self.heads = VGroup(*(self._head(i, title) for i, title in enumerate(_HEADS)))
        super().__init__(self.flow, *self.names, self.heads)
        self.steps = [self._told(), self._fetched(), self._said(says, output, *around)]

    def _room(self, down: bool) -> Region:
        """What is left for the streams beside names, headings and prediction."""
        side = max(text_width(name, LABEL) for name in self.tokens) + 0.3
        heads = max(text_width(title, LABEL) for title in _HEADS) + 0.25
        above, below = 1.6 * LABEL * PX, 1.3 * _SAID * PX
        area = self.region
        if down:
            return Region(area.left + side, area.bottom, area.right - 0.8, area.top - above)
        return Region(area.left + heads, area.bottom + below, area.right, area.top - above)

    def _told(self) -> Step:
        """Layer 0: the positions that hold the query tell those after them."""
        look, pairs = theme(), list(zip(self.sources, self.answers, strict=True))
        if not pairs:
            places = range(1, self.last + 1)
            return Step([self.flow.path((0, k - 1), (1, k), look.muted, 2) for k in places])
        paths = [
            self.flow.path((0, a), (1, b), look.wrong if a == b else look.key) for a, b in pairs
        ]
        words: list[VGroup] = []
        for a, b in pairs:
            color = look.text_color("wrong" if a == b else "key")
            note = "noted itself" if a == b else f"after {self.tokens[-1]}"
            word = self._word(1, b, note, color)
            if not words or _clear(words[-1], word):
                words.append(word)
        key = look.text_color("key")
        return Step(paths, words, [(self.names[a], key) for a, b in pairs if a != b])

    def _fetched(self) -> Step:
        """Layer 1: the last position asks, and those that know tell it what they hold."""
        look, last = theme(), self.last
        places = self.answers or range(last + 1)
        paths = [self.flow.path((0, last), (1, last), look.query)]
        width = 6 if self.answers else 2
        paths += [
            self.flow.path((0, k), (1, k), look.value, width)
            for k, source in zip(self.answers, self.sources, strict=True)
            if k not in (source, last)
        ]
        paths += [self.flow.path((1, k), (2, last), look.value, width) for k in places]
        held = list(dict.fromkeys(self.tokens[k] for k in self.answers))
        value = look.text_color("value")
        words = [self._word(2, last, ", ".join(held), value)] if 0 < len(held) < 4 else []
        free = [k for k in self.answers if k not in (last, *self.sources)]
        lit = [(self.names[k], value) for k in free]
        return Step(paths, words, [*lit, (self.names[last], look.text_color("query"))])

    def _said(self, says: str, output: float, before: str, after: str) -> Step:
        """The logits of the last position: the prediction and how much of the output it has."""
        place, color, edge = self.flow.at(3, self.last), theme().text_color("value"), self.region
        number = Number(output, ".4f", size=_WORD, color=color, prefix=before, suffix=after)
        token = Label(says, size=_SAID, weight="semibold", color=color)
        width = text_width(says, _SAID, "semibold") + 0.16
        if self.flow.down:
            middle = [max(width, 0.7), float(number.width) + 0.2] / np.array(-2) + edge.right
            rise = 0.36 * _SAID * PX + 0.62 * _WORD * PX
            words = [
                plated(token, np.array([middle[0], place[1], 0.0])),
                plated(number, np.array([middle[1], place[1] + rise, 0.0])),
            ]
        else:
            left = min(place[0] - width / 2, edge.right - width)
            base = np.array([left, place[1] - 0.12 - 0.72 * _SAID * PX, 0.0])
            number.align = "right"
            words = [VGroup(token.put(base)), VGroup(number.put(base - np.array([0.2, 0.0, 0.0])))]
        path = self.flow.path((2, self.last), (3, self.last), theme().value)
        return Step([path], [word.set_z_index(1) for word in words])

    def _name(self, k: int) -> Label:
        """A token, where its stream begins."""
        text, step = self.tokens[k], self.flow.step / PX
        aside: Align = "right" if self.flow.down else "center"
        room = 0.85 * step if self.flow.down else 0.9 * step / text_width(text, PX**-1)
        size = max(MIN_SIZE, min(LABEL if self.flow.down else _NAME, room))
        label = Label(text, size=size, weight="semibold", color=theme().muted, align=aside)
        if self.flow.down:
            return label.put(self.flow.at(0, k) - np.array([0.2, X_HEIGHT / 2 * size * PX, 0.0]))
        return label.put(self.flow.at(0, k) + np.array([0.0, 0.2, 0.0]))

    def _head(self, i: int, title: str) -> Label:
        """What lies between two levels."""
        place = self.flow.at(i + 0.5, 0)
        if self.flow.down:
            label = Label(title, size=LABEL, color=theme().muted, align="center")
            return label.put(place + np.array([0.0, self.flow.step / 2 + 0.14, 0.0]))
        left = self.flow.at(0, 0)[0] - 0.25
        label = Label(title, size=LABEL, color=theme().muted, align="right")
        return label.put(np.array([left, place[1] - X_HEIGHT / 2 * LABEL * PX, 0.0]))

    def _word(self, level: int, k: int, text: str, color: str) -> VGroup:
        """A note where the position stands, over what runs there; kept within the region."""
        label = Label(text, size=_WORD, weight="semibold", color=color)
        half, place = text_width(text, _WORD, "semibold") / 2 + 0.08, self.flow.at(level, k)
        if self.flow.down:
            return plated(label, place - np.array([half, 0.0, 0.0])).set_z_index(1)
        x = min(max(place[0], self.region.left + half), self.region.right - half)
        return plated(label, np.array([x, place[1], 0.0])).set_z_index(1)


def stagger(names: Iterable[Mobject], row: float) -> None:
    """Let every second name step aside where rows are too low for letters over each other."""
    if row < _LEGIBLE * PX:
        for name in list(names)[1::2]:
            name.shift(np.array([-0.2, 0.0, 0.0]))


def _clear(a: Mobject, b: Mobject) -> bool:
    """Whether one note lies beside or under the other, with some air between."""
    apart = np.abs(a.get_center() - b.get_center())[:2]
    size = np.array([a.width + b.width, a.height + b.height]) / 2
    return bool((apart > size + 0.03).any())


_HEADS = ("layer 0", "layer 1", "logits")
