"""The two rings of a cipher wheel: the inner one turns, and both can be cut and unrolled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from clockhead.model.tokens import LETTERS
from clockhead.scenes.caesar.letter import write_letter
from clockhead.scenes.parts.paths import closed, straight
from clockhead.scenes.stage import Column, Picture, Reading, Room, Row, Size, Value, fit
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive, in_turn
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import mix, theme
from clockhead.scenes.style.type import MIN_SIZE

N = len(LETTERS)
STEP = 2 * np.pi / N
"""Angle from letter to letter on a closed ring, in radians."""
_FINE = 8
"""Number of points per letter along a ring's edge."""
_ROW = 1.3
"""Height of a straight band, in ems."""
_HUB, _MIDDLE = 0.56, 0.78
"""Inner and outer radius of the inner ring, relative to that of the wheel."""
_INNER, _OUTER = (_HUB + _MIDDLE) / 2, (_MIDDLE + 1) / 2
"""Radii of the letters on the inner and the outer ring, relative to that of the wheel."""
_LEAST, _MOST = 1.25, 3.0
"""Least radius at which the letters can be read, and largest useful radius, in units."""
_WORD, _BESIDE = Size(1.7, 0.8), 0.25
"""Least room for a word beside the rings, and its distance from them, in units."""
_FILLED, _LARGEST = 0.9, 34.0
"""Size of a letter, relative to the distance between letters, and largest size in pixels."""
_HALF_TURN = (N - 1) / 2
"""Number of letters by which both rings turn until z and a meet at six o'clock."""


@dataclass(frozen=True, eq=False)
class RingBend:
    """The shape of a band: a closed ring, a straight row, or straight at the top and round below.

    `top` is the middle of the straight part, `pitch` the distance between letters, `straight` the
    fraction of the letters on the straight part, `thick` the band's height, `size` that of a letter
    in pixels.
    """

    top: NDArray[np.float64]
    pitch: float
    straight: float
    thick: float
    size: float

    @classmethod
    def from_row(cls, row: Sequence[Label]) -> RingBend:
        """The straight band of a row of letters."""
        first, last, em = row[0].middle, row[-1].middle, row[0].em
        pitch = float(last[0] - first[0]) / (N - 1)
        return cls((first + last) / 2, pitch, 1.0, _ROW * em, em / PX)

    def blend(self, end: RingBend, share: float) -> RingBend:
        """Interpolate to another shape; `share` is 0 to 1."""
        start, other = (np.array([b.pitch, b.straight, b.thick, b.size]) for b in (self, end))
        top = self.top + (end.top - self.top) * share
        return RingBend(top, *(float(x) for x in start + (other - start) * share))

    def at(self, places: NDArray[np.float64], out: float = 0.0) -> NDArray[np.float64]:
        """Points at these letter positions clockwise from the top, `out` units outside; (n, 3)."""
        away, r = np.abs(places), self.pitch / STEP
        level = np.minimum(away, self.straight * N / 2)
        angles = (away - level) * STEP
        across = np.sign(places) * (level * self.pitch + (r + out) * np.sin(angles))
        up = (r + out) * np.cos(angles) - r
        return np.stack([self.top[0] + across, self.top[1] + up, np.zeros(len(places))], axis=1)


class Ring(VGroup):
    """A band with the letters a to z; when it is cut, it is cut at six o'clock."""

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

    def draw(self, bend: RingBend, first: float) -> None:
        """Draw the letters along a band, with a `first` places clockwise from the top."""
        places = np.asarray((np.arange(N) + first + N / 2 + 1e-9) % N - N / 2, dtype=np.float64)
        for label, middle in zip(self.labels, bend.at(places), strict=True):
            write_letter(label, middle, bend.size)
        ends: NDArray[np.float64] = np.linspace(-N / 2, N / 2, N * _FINE + 1)
        rim, foot = (bend.at(ends, side * bend.thick / 2) for side in (1, -1))
        self._plate.set_points(closed(np.concatenate([rim, foot[::-1]])))
        cuts = (bend.at(places + 0.5, side * bend.thick / 2) for side in (1, -1))
        lines = (straight(*cuts), straight(rim[:-1], rim[1:]), straight(foot[:-1], foot[1:]))
        self._edges.set_points(np.concatenate(lines))

    def reveal(self, share: float) -> None:
        """Show the band with this opacity, and this fraction of the letters, one after another."""
        self.fade_band(share)
        for label, seen in zip(self.labels, in_turn(share, N, 0.3), strict=True):
            label.set_fill(opacity=float(seen))

    def fade_band(self, opacity: float) -> None:
        """Set the opacity of the band, but not of the letters."""
        self._plate.set_fill(opacity=float(opacity))
        self._edges.set_stroke(opacity=float(opacity))


class Rings(Picture):
    """Two rings of letters a to z around a hub: plaintext inside, ciphertext outside.

    The value is the number of places that the inner ring has turned clockwise: at r, inner letter p
    is below outer letter p + r. The outer a is at twelve o'clock; letters always stay upright.
    """

    def __init__(self, turned: Value) -> None:
        super().__init__(turned)
        page = theme()
        self.middle, self.radius = np.zeros(3), _LEAST
        self.outer = Ring(page.token, page.panel)
        self.inner = Ring(page.text_color("position"), page.ground)
        self.window = VMobject(fill_color=mix(page.ground, page.position, 0.1), fill_opacity=1)
        self.window.set_stroke(page.position, 4)
        self.placed, self.is_open, self._at = False, False, 0.0
        self.add(self.outer.band, self.inner.band, self.window)
        self.add(*self.outer.labels, *self.inner.labels)

    @property
    def least(self) -> Size:
        return Size(2 * _LEAST, 2 * _LEAST)

    @property
    def most(self) -> Size:
        return Size(2 * _MOST, 2 * _MOST)

    def place(self, region: Region) -> None:
        """Centre the rings in a region, as large as fits."""
        self.middle = region.center
        self.radius = min(_MOST, min(region.width, region.height) / 2)
        self.placed = True
        self.show(self.state)

    @property
    def hub(self) -> float:
        """Radius of the free hub, in units."""
        return _HUB * self.radius

    def outer_place(self, letter: int) -> tuple[NDArray[np.float64], float]:
        """The position of a letter on the outer ring, and its size in pixels."""
        return self._tip(_OUTER, letter), self._size(_OUTER)

    def show(self, state: NDArray[np.float64]) -> None:
        """Turn the inner ring by this number of places."""
        if self.placed:
            self._turn(float(state), 0.0)

    def _turn(self, inner: float, outer: float) -> None:
        """Draw both rings with their a at these places clockwise from twelve."""
        self.outer.draw(self._closed_band(_OUTER), outer)
        self.inner.draw(self._closed_band(_INNER), inner)

    def _closed_band(self, share: float) -> RingBend:
        """A closed ring at this fraction of the radius."""
        pitch, thick = STEP * share * self.radius, (1 - _MIDDLE) * self.radius
        return RingBend(self._tip(share, 0), pitch, 0.0, thick, self._size(share))

    def _tip(self, share: float, place: float) -> NDArray[np.float64]:
        """The point at a fraction of the radius, `place` letters clockwise from twelve."""
        way = np.array([np.sin(place * STEP), np.cos(place * STEP), 0.0])
        return np.asarray(self.middle + share * self.radius * way)

    def _size(self, share: float) -> float:
        return float(np.clip(_FILLED * share * self.radius * STEP / PX, MIN_SIZE, _LARGEST))

    def appear(self, **options: Any) -> Drive:
        """Reveal both rings letter by letter."""

        def show(share: NDArray[np.float64]) -> None:
            for ring in (self.inner, self.outer):
                ring.reveal(float(share))

        return Drive(self, show, 0.0, 1.0, **options)

    def frame(self, letter: int, **options: Any) -> Drive:
        """Move the window to a letter of the inner ring; it starts at twelve o'clock."""
        start, goal = self._at, letter + float(self.state)
        self._at = start + (goal - start + N / 2) % N - N / 2

        def show(at: NDArray[np.float64]) -> None:
            edge = at + np.linspace(-0.5, 0.5, 9)
            near, far = ([self._tip(share, p) for p in edge] for share in (_HUB, 1.0))
            self.window.set_points(closed(np.array([*near, *reversed(far)])))

        return Drive(self, show, start, self._at, **options)

    def turn_to_cut(self, **options: Any) -> Drive:
        """Turn both rings together until z and a meet at six o'clock."""
        return Drive(
            self,
            lambda by: self._turn(float(self.state) + float(by), float(by)),
            0.0,
            -_HALF_TURN,
            **options,
        )

    def unroll(self, outer: Sequence[Label], inner: Sequence[Label], **options: Any) -> Drive:
        """Cut both rings at six o'clock and unroll them onto two rows of letters."""
        pairs = [
            (ring, self._closed_band(share), RingBend.from_row(row))
            for ring, share, row in ((self.outer, _OUTER, outer), (self.inner, _INNER, inner))
        ]
        self.is_open = True

        def show(share: NDArray[np.float64]) -> None:
            s = float(share)
            for ring, start, end in pairs:
                ring.draw(start.blend(end, s), -_HALF_TURN)
                ring.fade_band(1 - np.clip(2 * s - 1, 0.0, 1.0))

        return Drive(self, show, 0.0, 1.0, **options)

    def readings(self) -> Iterator[Reading]:
        """Compare the rotation, measured at each inner letter against the outer ring."""
        outer = [label for label in self.outer.labels if is_visible(label)]
        if not self.placed or self.is_open or not outer:
            return
        angles = np.array([self._angle(label) for label in outer])
        for label in filter(is_visible, self.inner.labels):
            apart = (self._angle(label) - angles + np.pi) % (2 * np.pi) - np.pi
            over = int(np.abs(apart).argmin())
            c, p = LETTERS.encode((outer[over].text, label.text))
            turned = float(c - p + apart[over] / STEP)
            yield Reading(self.shown, turned + N * round((float(self.state) - turned) / N), 1e-4)

    def _angle(self, label: Label) -> float:
        """The angle of a letter, clockwise from twelve, in radians."""
        x, y, _ = label.middle - self.middle
        return float(np.arctan2(x, y))


def place_rings(region: Region, rings: Rings) -> tuple[Region, Region]:
    """Place the rings, as in every shot; return the rooms before and after them."""
    before, after = Room(_WORD), Room(_WORD)
    column = Column(before, rings, after, gap=_BESIDE, weights=(1, 4, 1))
    fit(region, column, Row(before, rings, after, gap=_BESIDE))
    return before.region, after.region
