"""A ring of letters, closed or on its way to a straight row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from clockhead.model.tokens import LETTERS
from clockhead.scenes.caesar.letter import write_letter
from clockhead.scenes.parts.paths import closed, straight
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.motion import in_turn
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import mix, theme

N = len(LETTERS)
STEP = 2 * np.pi / N
"""From letter to letter on a closed ring, in radians."""
_FINE = 8
"""Points of an edge for each letter."""
_ROW = 1.3
"""The height of a straight band, in ems."""


@dataclass(frozen=True, eq=False)
class Bend:
    """A closed ring, a straight row, or what is between: straight about its top, then round.

    `top` is its middle, `pitch` the way from letter to letter, `straight` the share of the letters
    that stand on the straight stretch; letters are `size` pixels large.
    """

    top: NDArray[np.float64]
    pitch: float
    straight: float
    thick: float
    size: float

    @classmethod
    def along(cls, row: Sequence[Label]) -> Bend:
        """The straight one on which a row of letters stands."""
        first, last, em = row[0].middle, row[-1].middle, row[0].em
        pitch = float(last[0] - first[0]) / (N - 1)
        return cls((first + last) / 2, pitch, 1.0, _ROW * em, em / PX)

    def towards(self, end: Bend, share: float) -> Bend:
        """The bend `share` of the way to another one."""
        start, other = (np.array([b.pitch, b.straight, b.thick, b.size]) for b in (self, end))
        top = self.top + (end.top - self.top) * share
        return Bend(top, *(float(x) for x in start + (other - start) * share))

    def at(self, places: NDArray[np.float64], out: float = 0.0) -> NDArray[np.float64]:
        """Points so many letters clockwise from the top, `out` units further out; (n, 3)."""
        away, r = np.abs(places), self.pitch / STEP
        level = np.minimum(away, self.straight * N / 2)
        angles = (away - level) * STEP
        across = np.sign(places) * (level * self.pitch + (r + out) * np.sin(angles))
        up = (r + out) * np.cos(angles) - r
        return np.stack([self.top[0] + across, self.top[1] + up, np.zeros(len(places))], axis=1)


class Ring(VGroup):
    """The letters a to z on a band; where it is cut, it is cut at six o'clock."""

    def __init__(self, ink: str, ground: str) -> None:
        super().__init__()
        page = theme()
        self.labels = [
            Label(c, weight="semibold", color=ink, align="center") for c in LETTERS.tokens
        ]
        self._plate = VMobject(fill_color=ground, fill_opacity=1, stroke_width=0)
        color = mix(page.hairline, page.muted, 0.35)
        self._edges = VMobject(stroke_color=color, stroke_width=1.5)
        self.band = VGroup(self._plate, self._edges)
        self.add(self.band, *self.labels)

    def draw(self, bend: Bend, first: float) -> None:
        """Stand along an arc, with a `first` places clockwise from its top."""
        places = np.asarray((np.arange(N) + first + N / 2 + 1e-9) % N - N / 2, dtype=np.float64)
        for label, middle in zip(self.labels, bend.at(places), strict=True):
            write_letter(label, middle, bend.size)
        ends: NDArray[np.float64] = np.linspace(-N / 2, N / 2, N * _FINE + 1)
        rim, foot = (bend.at(ends, side * bend.thick / 2) for side in (1, -1))
        self._plate.set_points(closed(np.concatenate([rim, foot[::-1]])))
        cuts = (bend.at(places + 0.5, side * bend.thick / 2) for side in (1, -1))
        lines = (straight(*cuts), straight(rim[:-1], rim[1:]), straight(foot[:-1], foot[1:]))
        self._edges.set_points(np.concatenate(lines))

    def come(self, share: float) -> None:
        """Be there up to a share: the band, and letter after letter."""
        self.fade_band(share)
        for label, seen in zip(self.labels, in_turn(share, N, 0.3), strict=True):
            label.set_fill(opacity=float(seen))

    def fade_band(self, opacity: float) -> None:
        """Let the band be seen so much, and the letters as they are."""
        self._plate.set_fill(opacity=float(opacity))
        self._edges.set_stroke(opacity=float(opacity))
