"""Letters as vectors: columns of a heat map, points on a plane, and how alike every two are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Dot, Line, Rectangle, VGroup, VMobject
from numpy.typing import ArrayLike, NDArray

from scenes.parts.matrices.heat_map import HeatMap
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive
from scenes.style.text import Label, Tick
from scenes.style.theme import theme
from scenes.style.type import LABEL, MIN_SIZE, SMALL

_MOST_COLUMN = 0.5
_LEGEND = 0.75
_LETTER_ROOM = 0.34
_READING = 2.1
_READING_HEIGHT = 0.9
"""Room for a reading beside a map, and under one, in units."""


class LetterColumns(VGroup):
    """A heat map with a letter over each column, and a scale beside it.

    `vectors` has a row for each letter, (V, d); on screen a letter is a column.
    """

    def __init__(
        self, letters: Sequence[str], vectors: ArrayLike, region: Region, *, reach: float
    ) -> None:
        super().__init__()
        table = np.asarray(vectors, dtype=float).T  # (d, V)
        column = min(_MOST_COLUMN, (region.width - _LEGEND) / len(letters))
        size = max(MIN_SIZE, min(24.0, column / PX * 0.8))
        _, below = region.cut_top(size * PX * 1.1, 0.1)
        left = below.center[0] - (column * len(letters) + _LEGEND) / 2
        area = Region(left, below.bottom, left + column * len(letters), below.top)
        self.heat = HeatMap(table, area, low=-reach, high=reach)
        self.labels = [
            Label(letter, size=size, align="center").put(
                np.array([self.heat.middle(0, k)[0], area.top + 0.14, 0.0])
            )
            for k, letter in enumerate(letters)
        ]
        self.scale_bar = _scale_bar(area, reach)
        self.add(self.heat, *self.labels, self.scale_bar)

    def frame(self, k: int) -> Rectangle:
        """A frame around column `k`."""
        area = self.heat.region
        frame = Rectangle(width=self.heat.cell_width, height=area.height, stroke_color=theme().ink)
        return frame.set_stroke(width=3).move_to(
            self.heat.middle(0, k) * [1, 0, 0] + area.center * [0, 1, 0]
        )


def _scale_bar(area: Region, reach: float) -> VGroup:
    """Which shade is which value, at the upper right of `area`."""
    height = min(area.height, 2.0)
    strip = Region(area.right + 0.15, area.top - height, area.right + 0.29, area.top)
    shades = np.linspace(1, -1, 49)[:, None]
    marks = VGroup(HeatMap(shades, strip, low=-1, high=1, by_column=False))
    digits = SMALL * PX * 0.66
    for value, share in ((reach, 0.0), (0.0, 0.5), (-reach, 1.0)):
        y = area.top - digits - share * (height - digits)
        tick = Tick(value, "", size=SMALL, color=theme().muted, align="left")
        marks.add(tick.put(np.array([strip.right + 0.08, y, 0.0])))
    return marks


class LetterPlane(VGroup):
    """Letters as points on a plane, both directions to one scale, on the ellipse they form.

    `dots` are the points, `spots` where each letter is to be written, outside the ellipse.
    """

    def __init__(self, points: ArrayLike, region: Region) -> None:
        super().__init__()
        look = theme()
        coordinates = np.asarray(points, dtype=float)  # (V, 2)
        half = np.abs(coordinates).max(axis=0)
        room = np.array([region.width / 2 - 0.42, region.height / 2 - 0.42])
        unit = float((room / half).min())
        places = np.column_stack([coordinates * unit, np.zeros(len(coordinates))])
        self.places = region.center + places
        across, up = (half * unit + 0.12).tolist()
        self.axes = VGroup(
            Line(np.array([-across, 0, 0]), np.array([across, 0, 0])),
            Line(np.array([0, -up, 0]), np.array([0, up, 0])),
        ).set_stroke(look.muted, 1.5)
        self.axes.shift(region.center)
        self.curve = VMobject(stroke_color=look.hairline, stroke_width=3)
        self.curve.set_points_smoothly([*self.places, self.places[0]])
        self.dots = VGroup(*(Dot(place, radius=0.05, color=look.muted) for place in self.places))
        normals = places[:, :2] / half**2
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        self.spots = self.places + 0.24 * np.column_stack([normals, np.zeros(len(normals))])
        self.add(self.curve, self.axes, self.dots)

    def move(self, by: NDArray[np.float64]) -> None:
        """Move the whole plane, before letters fly to it."""
        self.shift(by)
        self.places, self.spots = self.places + by, self.spots + by

    def fly(self, labels: Sequence[Label], run_time: float = 1.0) -> Drive:
        """Let the letters go to their spots."""
        group = VGroup(*labels)
        start = np.array([_middle(label) for label in labels])

        def show(state: NDArray[np.float64]) -> None:
            for label, spot in zip(labels, state, strict=True):
                label.center_on(spot)

        return Drive(group, show, start, self.spots, run_time=run_time)

    def chord(self, i: int, j: int) -> VGroup:
        """The line from letter `i` to letter `j`, its ends marked."""
        ends = self.places[i], self.places[j]
        line = Line(*ends).set_stroke(theme().ink, 3)
        return VGroup(line, *(Dot(end, radius=0.09, color=theme().ink) for end in ends))


class AlikeMap(VGroup):
    """How alike every two letters are, as a square map under a heading.

    The letters `pair` are named beside their rows and columns, and their two cells are framed.
    `corner` is where a reading of the map has room to hang: beside it, or under it in a tall
    region, and `room` is how wide it may be.
    """

    def __init__(
        self,
        heading: str,
        letters: Sequence[str],
        alike: ArrayLike,
        region: Region,
        *,
        pair: tuple[int, int],
    ) -> None:
        super().__init__()
        beside = region.width > 1.15 * region.height
        top, below = region.cut_top(LABEL * PX * 1.2, 0.1 + _LETTER_ROOM)
        foot, margin = (0.0, _READING) if beside else (_READING_HEIGHT, _LEGEND)
        side = min(below.width - _LETTER_ROOM - margin, below.height - foot)
        left = below.center[0] - (side + margin - _LETTER_ROOM) / 2
        area = Region(left, below.top - side, left + side, below.top)
        self.map = HeatMap(alike, area, low=-1.0, high=1.0, by_column=False)
        self.heading = Label(heading, size=LABEL, weight="semibold", align="center")
        self.heading.put(np.array([area.center[0], top.bottom + 0.06, 0.0]))
        self.corner = (
            np.array([area.right + 0.3, area.top - 0.1, 0.0])
            if beside
            else np.array([area.left, area.bottom - 0.16, 0.0])
        )
        self.room = _READING - 0.3 if beside else side
        low = Region(area.left, area.bottom, area.right, area.bottom + 0.45 * side)
        self.add(self.heading, self.map, _scale_bar(low, 1.0))
        for i, j in (pair, pair[::-1]):
            self._name(letters[i], i)
            self.add(self._frame(i, j))

    def _frame(self, i: int, j: int) -> Rectangle:
        frame = Rectangle(width=self.map.cell_width, height=self.map.cell_height)
        return frame.set_stroke(theme().ink, 3).move_to(self.map.middle(i, j))

    def _name(self, letter: str, k: int) -> None:
        beside = np.array([-0.6 * _LETTER_ROOM, 0.0, 0.0])
        above = np.array([0.0, 0.6 * _LETTER_ROOM, 0.0])
        self.add(
            Label(letter, size=LABEL).center_on(self.map.middle(k, 0) + beside),
            Label(letter, size=LABEL).center_on(self.map.middle(0, k) + above),
        )


def _middle(label: Label) -> NDArray[np.float64]:
    """The point that `center_on` would leave the label where it is."""
    x = float(label.get_center()[0])
    return np.array([x, label.anchor[1] + 0.243 * label.em, 0.0])
