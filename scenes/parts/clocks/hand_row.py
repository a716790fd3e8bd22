"""A vector's pairs as hands: dials whose hands have the pair's length as well as its angle."""

from __future__ import annotations

import numpy as np
from manim import Line, VGroup
from numpy.typing import ArrayLike, NDArray

from scenes.parts.clocks.clock import Clock
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive
from scenes.style.text import Number
from scenes.style.theme import theme
from scenes.style.type import LABEL, SMALL

_REACH = 0.9
"""How far the longest hand reaches, as a share of the dial's radius."""
_LEAST_WIDTH = 1.7
"""Room that a pair of numbers takes over a dial, in units."""


class HandDial(Clock):
    """A dial whose hand is the pair (x, y), x upwards and y to the right.

    `unit` is the length that reaches the rim. A ghost of the pair at the start stays behind once
    `ghost` is made visible.
    """

    def __init__(
        self, radius: float, pair: ArrayLike, unit: float, *, color: str | None = None
    ) -> None:
        super().__init__(radius, color=color)
        self._scale = _REACH * radius / unit
        self.ghost = Line(self.middle, self.end(pair)).set_stroke(theme().muted, 2.5, opacity=0)
        self.remove(self.hand, self.hub)
        self.add(self.ghost, self.hand, self.hub)
        self.pair = np.asarray(pair, dtype=float)
        self.show_pair(self.pair)

    def end(self, pair: ArrayLike) -> NDArray[np.float64]:
        """Where the hand of a pair ends."""
        x, y = np.asarray(pair, dtype=float) * self._scale
        return np.asarray(self.middle + np.array([y, x, 0.0]))

    def show_pair(self, pair: ArrayLike) -> None:
        """Set the hand; a pair of zeros is a hub without a hand."""
        self.pair = np.asarray(pair, dtype=float)
        end = self.end(self.pair)
        if np.allclose(end, self.middle, atol=1e-9):
            end = self.middle + np.array([0.0, 1e-6, 0.0])
        self.hand.set_points_as_corners([self.middle, end])

    def place(self, middle: NDArray[np.float64]) -> HandDial:
        """Move the dial."""
        self.shift(middle - self.middle)
        return self


class HandRow(VGroup):
    """The hands of a vector as its position runs, in rows that fill a region.

    `along` holds the pairs at the positions 0, 1, 2, ... (n_positions, n_hands, 2) and `turns` how
    far each hand has turned there, in radians. Over each dial stands its pair, how far up and how
    far right; under it, how far it has turned, in degrees.
    """

    def __init__(
        self, along: ArrayLike, turns: ArrayLike, region: Region, *, most_radius: float = 1.45
    ) -> None:
        super().__init__()
        self.along = np.asarray(along, dtype=float)
        self.turns = np.asarray(turns, dtype=float)
        start = self.along[0]
        self._lengths = np.hypot(start[:, 0], start[:, 1])
        self._angles = np.arctan2(start[:, 1], start[:, 0])
        boxes = _boxes(len(start), region)
        text = _type_size(boxes[0].width)
        band = text * PX * 1.6
        self.radius = min(
            most_radius, boxes[0].width * 0.46, (min(b.height for b in boxes) - 2 * band) / 2
        )
        unit = float(self._lengths.max())
        self.dials = [
            HandDial(self.radius, pair, unit).place(box.center)
            for pair, box in zip(start, boxes, strict=True)
        ]
        self.grown = float(np.clip(boxes[0].width / (7.8 * text * PX), 1.0, 1.6))
        self.over = [_pair_numbers(dial, text) for dial in self.dials]
        self.under = [_degrees(dial, text) for dial in self.dials]
        self.pairs = VGroup(*(number for pair in self.over for number in pair))
        self.add(*self.dials, self.pairs, *self.under)

    def show(self, position: float) -> None:
        """Set hands and numbers for a position; between two of them the hands are on their way."""
        before = int(position)
        share = position - before
        pairs, turned = self.along[before], self.turns[before]
        if share:
            turned = turned + share * (self.turns[before + 1] - turned)
            angles = self._angles + turned
            pairs = self._lengths[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
        for k, dial in enumerate(self.dials):
            dial.show_pair(pairs[k])
            self.over[k][0].set_value(float(pairs[k, 0]))
            self.over[k][1].set_value(float(pairs[k, 1]))
            self.under[k].set_value(float(np.rad2deg(turned[k])))

    def lift(self, run_time: float = 1.0) -> Drive:
        """Let the pairs, large and in the dials' places, shrink and rise to stand over them."""
        numbers = [number for pair in self.over for number in pair]
        small = [(number.anchor, number.em) for number in numbers]
        drop = np.array([0.0, self.radius, 0.0])
        middles = [dial.middle for dial in self.dials for _ in range(2)]

        def show(share: NDArray[np.float64]) -> None:
            large = 1 - float(share)
            for number, (anchor, em), middle in zip(numbers, small, middles, strict=True):
                factor = 1 + (self.grown - 1) * large
                number.scale(factor * em / number.em)
                out = (anchor - middle) * [factor, 1, 1]
                number.put(middle + out - drop * large)

        show(np.array(0.0))
        return Drive(self.pairs, show, 0.0, 1.0, run_time=run_time)

    def grow(self, *, rightwards: bool, run_time: float = 1.0) -> Drive:
        """Let every hand grow from its hub: up by x, and in a second play right by y."""
        pairs = self.along[0]
        up = pairs * [1.0, 0.0]

        def show(states: NDArray[np.float64]) -> None:
            for dial, pair in zip(self.dials, states, strict=True):
                dial.show_pair(pair)

        start, end = (up, pairs) if rightwards else (0 * up, up)
        return Drive(VGroup(*self.dials), show, start, end, run_time=run_time)


def _type_size(width: float) -> float:
    """Of the numbers over and under a dial that has `width` to itself."""
    return 26.0 if width > 2.9 else LABEL if width > 2.4 else SMALL


def _boxes(n: int, region: Region) -> list[Region]:
    """`n` boxes in the rows that allow the largest dials."""
    enough = [r for r in range(1, n + 1) if region.width / -(-n // r) >= _LEAST_WIDTH]
    rows = max(enough, key=lambda r: min(region.width / -(-n // r), region.height / r - 1))
    columns = -(-n // rows)
    boxes = []
    for k, row in enumerate(region.rows(*[1.0] * rows, gap=0.2)):
        in_row = min(columns, n - k * columns)
        spare = row.width * (1 - in_row / columns) / 2
        boxes += row.inset(spare, 0).columns(*[1.0] * in_row, gap=0.2)
    return boxes


def _pair_numbers(dial: HandDial, size: float) -> tuple[Number, Number]:
    """How far up and how far right the hand reaches, over the dial."""
    color = theme().text_color("token")
    up, right = (
        Number(float(value), ".2f", size=size, color=color, prefix=arrow)
        for value, arrow in zip(dial.pair, ("\u2191 ", "\u2192 "), strict=True)
    )
    y = dial.middle[1] + dial.radius + size * PX * 0.6
    apart = size * PX * 1.75
    up.put(np.array([dial.middle[0] - apart, y, 0.0]))
    right.put(np.array([dial.middle[0] + apart, y, 0.0]))
    return up, right


def _degrees(dial: HandDial, size: float) -> Number:
    color = theme().text_color("position")
    number = Number(0.0, ",.1f", size=size, weight="semibold", color=color, suffix="°")
    return number.put(dial.middle - np.array([0.0, dial.radius + size * PX * 1.15, 0.0]))
