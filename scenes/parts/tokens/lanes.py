"""Lanes: a text with a lane for each token, in which what belongs to the token is drawn.

Where there is room the text runs across and the lanes run down, like a text with notes under every
word; else the text runs down and the lanes run across. A place in a lane is a lane's number, which
may be fractional for something that moves, and how far along the lane it lies, in units.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from manim import VGroup
from numpy.typing import NDArray

from scenes.style.layout import PX, Region
from scenes.style.text import Label, Number, text_width
from scenes.style.theme import Role, theme
from scenes.style.type import DESCENT, LABEL, LINE_HEIGHT, MIN_SIZE, SMALL, X_HEIGHT

_PAD = 0.22
_BAND_GAP = 0.22


@dataclass(frozen=True, slots=True)
class Band:
    """A stretch of all lanes, and a name for it of one line or two.

    It is `length` units long, and of what is then left it gets its share.
    """

    key: str
    share: float
    name: str = ""
    length: float = 0.0


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of every lane: from `start` to `end`, in units along the lane."""

    start: float
    end: float

    @property
    def length(self) -> float:
        return self.end - self.start

    @property
    def middle(self) -> float:
        return (self.start + self.end) / 2

    def spread(self, n: int) -> NDArray[np.float64]:
        """The middles of `n` equal parts; shape (n,)."""
        return self.start + (np.arange(n) + 0.5) * self.length / n


class Lanes(VGroup):
    """The heads of the lanes (token and position) and the names of the bands that cross them.

    `spans` and `names` hold the bands by their key; `margin` is the least room for names beside
    the lanes, where they run down, and `slimmest` how wide lanes have to be to do so.
    """

    def __init__(
        self,
        tokens: Sequence[str],
        region: Region,
        bands: Sequence[Band],
        *,
        margin: float = 0.0,
        slimmest: float = 0.0,
    ) -> None:
        super().__init__()
        n = len(tokens)
        widest = max(text_width(token, LABEL) for token in tokens)
        lines = [line for band in bands for line in band.name.split("\n") if line]
        margin = max([margin, *(text_width(line, SMALL) for line in lines)])
        margin += _PAD if margin else 0.0
        head = (LABEL + SMALL) * PX * 1.6
        abreast = (region.width - margin) / n
        self.down = region.wide and abreast >= max(widest + 0.14, slimmest)
        if self.down:
            self.area = Region(region.left + margin, region.bottom, region.right, region.top - head)
            self.lane, self.run = self.area.width / n, self.area.height
        else:
            side = widest + SMALL * PX * 1.4 + _PAD
            above = SMALL * PX * 1.7 if margin else 0.0
            self.area = Region(region.left + side, region.bottom, region.right, region.top - above)
            self.lane, self.run = self.area.height / n, self.area.width
        self.spans = spans_of(bands, self.run)
        self.labels = [self._head(k, token) for k, token in enumerate(tokens)]
        self.positions = [self._position(k) for k in range(n)]
        self.names = {b.key: self._name(b.name, self.spans[b.key]) for b in bands}
        self.heads = VGroup(*self.labels, *self.positions)
        self.add(self.heads, *self.names.values())

    def at(self, lane: float, along: float) -> NDArray[np.float64]:
        """The point in the middle of a lane, `along` units from its head."""
        across = (lane + 0.5) * self.lane
        if self.down:
            return np.array([self.area.left + across, self.area.top - along, 0.0])
        return np.array([self.area.left + along, self.area.top - across, 0.0])

    def box(self, lane: float, span: Span, pad: float = 0.0) -> Region:
        """The part of a lane that `span` takes, smaller by `pad` on every side."""
        a, b = self.at(lane - 0.5, span.start), self.at(lane + 0.5, span.end)
        low, high = np.minimum(a, b), np.maximum(a, b)
        return Region(low[0], low[1], high[0], high[1]).inset(pad)

    def mark(self, lane: int, role: Role | None) -> None:
        """Write a token in a role's colour; None takes it back."""
        self.labels[lane].set_fill(theme().token if role is None else theme().text_color(role))

    def _head(self, k: int, token: str) -> Label:
        label = Label(token, color=theme().token, align="center" if self.down else "left")
        if self.down:
            return label.put(self.at(k, -(LABEL * DESCENT + SMALL * 1.75) * PX))
        size = min(LABEL, max(MIN_SIZE, self.lane / PX * 0.8))
        label = Label(token, size=size, color=theme().token, align="right")
        start = self.at(k, -_PAD - SMALL * PX * 1.4)
        return label.put(start - np.array([0.0, X_HEIGHT / 2 * size * PX, 0.0]))

    def _position(self, k: int) -> Number:
        number = Number(k, "d", size=SMALL, color=theme().text_color("position"), align="center")
        if self.down:
            return number.put(self.at(k, -SMALL * PX * 0.6))
        start = self.at(k, -_PAD - SMALL * PX * 0.55)
        return number.put(start - np.array([0.0, X_HEIGHT / 2 * SMALL * PX, 0.0]))

    def _name(self, name: str, span: Span) -> VGroup:
        if not name:
            return VGroup()
        lines, middle = name.split("\n"), self.at(0, span.middle)
        if not self.down:
            label = Label(", ".join(lines), size=SMALL, color=theme().muted, align="center")
            top = self.area.top + SMALL * PX * 0.5
            return VGroup(label.put(np.array([middle[0], top, 0.0])))
        stack = VGroup()
        for k, line in enumerate(lines):
            label = Label(line, size=SMALL, color=theme().muted, align="right")
            drop = X_HEIGHT / 2 + LINE_HEIGHT * (k - (len(lines) - 1) / 2)
            place = np.array([self.area.left - _PAD, middle[1] - drop * SMALL * PX, 0.0])
            stack.add(label.put(place))
        return stack


def spans_of(bands: Sequence[Band], run: float, *, gap: float = _BAND_GAP) -> dict[str, Span]:
    """Cut `run` units into the bands, one after another with a gap between."""
    free = run - gap * (len(bands) - 1) - sum(band.length for band in bands)
    unit = free / sum(band.share for band in bands)
    spans, start = {}, 0.0
    for band in bands:
        spans[band.key] = Span(start, start + band.length + band.share * unit)
        start = spans[band.key].end + gap
    return spans
