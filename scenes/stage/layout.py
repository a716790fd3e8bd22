"""Layout by alternatives: parts have minimum sizes, and stages list possible arrangements.

`fit(canvas, Row(words, grid), Column(grid, words))` chooses the first arrangement in which all
parts get their minimum size, and places them; no stage compares sizes with numbers of its own.
`beside` combines both: a row first on a wide canvas, a column first on a tall one. `wide_or_tall`
does the same for any two arrangements.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Protocol

from clockhead.scenes.style.layout import GAP, Region

_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Size:
    """A width and a height, in units."""

    width: float
    height: float


class Box(Protocol):
    """Something that can be arranged: it has a minimum size, and is drawn once it has a region."""

    @property
    def least(self) -> Size:
        """The smallest size at which it is legible."""

    @property
    def most(self) -> Size:
        """The largest useful size; infinite if it can use any space."""

    def place(self, region: Region) -> None:
        """Draw it into a region."""


class Room:
    """Reserved space; its region is known once it has been placed."""

    def __init__(
        self, least: Size = Size(2.7, 1.75), most: Size = Size(math.inf, math.inf)
    ) -> None:
        self.least, self.most = least, most
        self.region = Region(0.0, 0.0, 0.0, 0.0)

    def place(self, region: Region) -> None:
        """Take this region."""
        self.region = region


class Boxes:
    """Boxes beside or over each other, in order.

    Each gets its minimum size along this direction; the remaining space is distributed by `weights`
    (default: equal), up to each box's maximum.
    """

    def __init__(
        self, *boxes: Any, gap: float = GAP, weights: Sequence[float] | None = None
    ) -> None:
        self.boxes, self.gap = boxes, gap
        self.weights = list(weights or [1.0] * len(boxes))
        if len(self.weights) != len(boxes):
            raise ValueError(f"{len(boxes)} boxes need as many weights, got {len(self.weights)}")

    def _lengths(self, least: list[float], most: list[float], room: float) -> list[float]:
        """The length of each box: its minimum plus its share of the rest, up to its maximum."""
        lengths = list(least)
        rest = room - self.gap * (len(least) - 1) - sum(least)
        open_ones = [k for k in range(len(least)) if lengths[k] < most[k] and self.weights[k] > 0]
        while rest > _TOLERANCE and open_ones:
            total = sum(self.weights[k] for k in open_ones)
            steps = {
                k: min(rest * self.weights[k] / total, most[k] - lengths[k]) for k in open_ones
            }
            for k, step in steps.items():
                lengths[k] += step
            rest -= sum(steps.values())
            open_ones = [k for k in open_ones if lengths[k] < most[k] - _TOLERANCE]
        if rest < 0:
            lengths = [length * (1 + rest / max(sum(least), _TOLERANCE)) for length in lengths]
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
    """Several arrangements of the same boxes; the first one that fits is used."""

    def ways(self, region: Region) -> Iterator[Box]:
        """All arrangements, the most suitable for the region first."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class _RowOrColumn(Alternatives):
    """Boxes side by side or one above the other; with `row_first` None, the region decides."""

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
    """An arrangement for wide regions and one for tall ones."""

    wide: Box | Alternatives
    tall: Box | Alternatives

    def ways(self, region: Region) -> Iterator[Box]:
        for way in (self.wide, self.tall) if region.wide else (self.tall, self.wide):
            yield from _ways(way, region)


def beside(
    *boxes: Box | Alternatives, gap: float = GAP, weights: Sequence[float] | None = None
) -> Alternatives:
    """Boxes side by side in a wide region, one above the other in a tall one, or whichever fits."""
    return _RowOrColumn(boxes, None, {"gap": gap, "weights": weights})


def stack(
    *boxes: Box | Alternatives, gap: float = GAP, weights: Sequence[float] | None = None
) -> Alternatives:
    """Boxes one above the other, or side by side if only that fits."""
    return _RowOrColumn(boxes, False, {"gap": gap, "weights": weights})


def wide_or_tall(wide: Box | Alternatives, tall: Box | Alternatives) -> Alternatives:
    """The first arrangement in a wide region, the second in a tall one, or whichever fits.

    For boxes that need another order or other weights in the two cases; otherwise use `beside`.
    """
    return _WideOrTall(wide, tall)


class Layers:
    """Boxes in the same place, which are shown one after the other.

    It has the largest of their widths, and the height of the first: the others are texts that wrap.
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
    """Place the first alternative whose minimum size fits the region; returns its index.

    An alternative with a `beside`, `stack` or `wide_or_tall` inside expands to several. If none
    fits, the one that exceeds the region least is placed, and the layout check reports it.
    """
    ways = [(k, way) for k, box in enumerate(alternatives) for way in _ways(box, region)]
    lacks = [_excess(way.least, region) for _, way in ways]
    fitting = next(
        (k for k, lack in enumerate(lacks) if lack <= _TOLERANCE), lacks.index(min(lacks))
    )
    chosen, way = ways[fitting]
    way.place(region)
    return chosen


def _ways(box: Any, region: Region) -> Iterator[Box]:
    """All arrangements of a box, the most suitable for the region first."""
    if isinstance(box, Alternatives):
        yield from box.ways(region)
    elif isinstance(box, Row | Column):
        for boxes in product(*(tuple(_ways(part, region)) for part in box.boxes)):
            is_same = boxes == tuple(box.boxes)
            yield box if is_same else type(box)(*boxes, gap=box.gap, weights=box.weights)
    else:
        yield box


def _excess(least: Size, region: Region) -> float:
    """By what fraction a size exceeds a region, in the worse direction."""
    return max(least.width / region.width, least.height / region.height) - 1
