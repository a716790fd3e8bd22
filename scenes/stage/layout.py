"""Layout by alternatives: parts say how small they may be, stages say how they could be arranged.

`fit(canvas, Row(words, grid), Column(grid, words))` takes the first arrangement whose parts all get
their least size, and places them; no stage compares a width with a number of its own. `beside` is
both at once: a row first on a wide canvas, a column first on a tall one; `wide_or_tall` is that
for two arrangements of any kind.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Protocol

from clockhead.scenes.style.layout import GAP, Region

_LOOSE = 1e-6


@dataclass(frozen=True, slots=True)
class Size:
    """A width and a height, in units."""

    width: float
    height: float


class Box(Protocol):
    """What can be arranged: it knows its least size, and is drawn once it has a region."""

    @property
    def least(self) -> Size:
        """The smallest size at which it can be read."""

    @property
    def most(self) -> Size:
        """The size beyond which it gains nothing; infinite for what fills any room."""

    def place(self, region: Region) -> None:
        """Draw it into a region."""


class Room:
    """Room that is kept for something, and is a region once it has been placed."""

    def __init__(
        self, least: Size = Size(2.7, 1.75), most: Size = Size(math.inf, math.inf)
    ) -> None:
        self.least, self.most = least, most
        self.region = Region(0.0, 0.0, 0.0, 0.0)

    def place(self, region: Region) -> None:
        """Be this region."""
        self.region = region


class Boxes:
    """Boxes beside or over each other, in order.

    Each gets its least size along the way; what is left is shared out by `weights` (equal unless
    given), up to each one's most.
    """

    def __init__(
        self, *boxes: Any, gap: float = GAP, weights: Sequence[float] | None = None
    ) -> None:
        self.boxes, self.gap = boxes, gap
        self.weights = list(weights or [1.0] * len(boxes))
        if len(self.weights) != len(boxes):
            raise ValueError(f"{len(boxes)} boxes need as many weights, got {len(self.weights)}")

    def _lengths(self, least: list[float], most: list[float], room: float) -> list[float]:
        """The length of each box: its least, and its share of the rest up to its most."""
        lengths = list(least)
        rest = room - self.gap * (len(least) - 1) - sum(least)
        open_ones = [k for k in range(len(least)) if lengths[k] < most[k] and self.weights[k] > 0]
        while rest > _LOOSE and open_ones:
            total = sum(self.weights[k] for k in open_ones)
            steps = {
                k: min(rest * self.weights[k] / total, most[k] - lengths[k]) for k in open_ones
            }
            for k, step in steps.items():
                lengths[k] += step
            rest -= sum(steps.values())
            open_ones = [k for k in open_ones if lengths[k] < most[k] - _LOOSE]
        if rest < 0:
            lengths = [length * (1 + rest / max(sum(least), _LOOSE)) for length in lengths]
        return lengths


class Row(Boxes):
    """Boxes from left to right."""

    @property
    def least(self) -> Size:
        sizes = [box.least for box in self.boxes]
        gaps = self.gap * (len(sizes) - 1)
        return Size(sum(s.width for s in sizes) + gaps, max(s.height for s in sizes))

    @property
    def most(self) -> Size:
        sizes = [box.most for box in self.boxes]
        gaps = self.gap * (len(sizes) - 1)
        return Size(sum(s.width for s in sizes) + gaps, max(s.height for s in sizes))

    def place(self, region: Region) -> None:
        """Draw every box into its column of the region."""
        least, most = [b.least.width for b in self.boxes], [b.most.width for b in self.boxes]
        lengths = self._lengths(least, most, region.width)
        left = region.left + max(0.0, region.width - sum(lengths) - self._gaps) / 2
        for box, length in zip(self.boxes, lengths, strict=True):
            box.place(Region(left, region.bottom, left + length, region.top))
            left += length + self.gap

    @property
    def _gaps(self) -> float:
        return self.gap * (len(self.boxes) - 1)


class Column(Boxes):
    """Boxes from top to bottom."""

    @property
    def least(self) -> Size:
        sizes = [box.least for box in self.boxes]
        gaps = self.gap * (len(sizes) - 1)
        return Size(max(s.width for s in sizes), sum(s.height for s in sizes) + gaps)

    @property
    def most(self) -> Size:
        sizes = [box.most for box in self.boxes]
        gaps = self.gap * (len(sizes) - 1)
        return Size(max(s.width for s in sizes), sum(s.height for s in sizes) + gaps)

    def place(self, region: Region) -> None:
        """Draw every box into its row of the region."""
        least, most = [b.least.height for b in self.boxes], [b.most.height for b in self.boxes]
        lengths = self._lengths(least, most, region.height)
        top = region.top - max(0.0, region.height - sum(lengths) - self._gaps) / 2
        for box, length in zip(self.boxes, lengths, strict=True):
            box.place(Region(region.left, top - length, region.right, top))
            top -= length + self.gap

    @property
    def _gaps(self) -> float:
        return self.gap * (len(self.boxes) - 1)


class Alternatives:
    """Arrangements of the same boxes, of which the first that fits is taken."""

    def ways(self, region: Region) -> Iterator[Box]:
        """Every arrangement, the one that suits the region best first."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class _RowOrColumn(Alternatives):
    """Boxes side by side or one above the other; `row_first` None leaves it to the region."""

    boxes: tuple[Any, ...]
    row_first: bool | None
    options: dict[str, Any]

    def ways(self, region: Region) -> Iterator[Box]:
        row_first = region.wide if self.row_first is None else self.row_first
        for kind in (Row, Column) if row_first else (Column, Row):
            for boxes in product(*(tuple(_ways(part, region)) for part in self.boxes)):
                yield kind(*boxes, **self.options)


@dataclass(frozen=True, eq=False)
class _WideOrTall(Alternatives):
    """One arrangement for wide regions, another for tall ones."""

    wide: Box | Alternatives
    tall: Box | Alternatives

    def ways(self, region: Region) -> Iterator[Box]:
        for way in (self.wide, self.tall) if region.wide else (self.tall, self.wide):
            yield from _ways(way, region)


def beside(
    *boxes: Box | Alternatives, gap: float = GAP, weights: Sequence[float] | None = None
) -> Alternatives:
    """Boxes side by side in a wide region, one above the other in a tall one; what fits."""
    return _RowOrColumn(boxes, None, {"gap": gap, "weights": weights})


def stack(
    *boxes: Box | Alternatives, gap: float = GAP, weights: Sequence[float] | None = None
) -> Alternatives:
    """Boxes one above the other, or side by side where only that fits."""
    return _RowOrColumn(boxes, False, {"gap": gap, "weights": weights})


def wide_or_tall(wide: Box | Alternatives, tall: Box | Alternatives) -> Alternatives:
    """The first arrangement in a wide region, the second in a tall one; what fits.

    For boxes that `beside` cannot arrange, because their order or weights differ in the two.
    """
    return _WideOrTall(wide, tall)


class Layers:
    """Boxes in one place, of which one is seen after the other.

    It is as wide as the widest needs, and as high as the first: the others, words, can wrap.
    """

    def __init__(self, *boxes: Box) -> None:
        self.boxes = boxes

    @property
    def least(self) -> Size:
        return Size(max(box.least.width for box in self.boxes), self.boxes[0].least.height)

    @property
    def most(self) -> Size:
        return Size(max(box.most.width for box in self.boxes), self.boxes[0].most.height)

    def place(self, region: Region) -> None:
        """Draw every box into the whole region."""
        for box in self.boxes:
            box.place(region)


def fit(region: Region, *alternatives: Box | Alternatives) -> int:
    """Place the first alternative whose least size the region has; returns which one it was.

    Each stands for several if there is a `beside`, a `stack` or a `wide_or_tall` within. Where none
    fits, the one that lacks least is placed, and the layout check says what is wrong with it.
    """
    ways = [(k, way) for k, box in enumerate(alternatives) for way in _ways(box, region)]
    lacks = [_lack(way.least, region) for _, way in ways]
    fitting = next((k for k, lack in enumerate(lacks) if lack <= _LOOSE), lacks.index(min(lacks)))
    chosen, way = ways[fitting]
    way.place(region)
    return chosen


def _ways(box: Any, region: Region) -> Iterator[Box]:
    """Every arrangement that a box stands for, the one that suits the region best first."""
    if isinstance(box, Alternatives):
        yield from box.ways(region)
    elif isinstance(box, Row | Column):
        for boxes in product(*(tuple(_ways(part, region)) for part in box.boxes)):
            is_same = boxes == tuple(box.boxes)
            yield box if is_same else type(box)(*boxes, gap=box.gap, weights=box.weights)
    else:
        yield box


def _lack(least: Size, region: Region) -> float:
    """By what share of itself a size exceeds a region, along the worse of its sides."""
    return max(least.width / region.width, least.height / region.height) - 1
