"""Positions of tiles: in lines that fill a region, or at given points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts.tile import HEIGHT, NOTE_GAP, NOTE_HEIGHT, NOTE_SIZE, NUMBER_ROOM, PAD
from clockhead.scenes.stage import Size
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.text import text_width
from clockhead.scenes.style.type import MIN_SIZE

SEAM = 0.1
LINE_GAP = 0.22
_LEAST_BOX = 0.5
_NARROW = 6.8
"""Width of the narrowest canvas, in units: every text must fit it."""
_LARGE_ENOUGH = 0.8
"""Letters of at least this fraction of the requested size need no additional line."""


@dataclass(frozen=True)
class TileMeasures:
    """The sizes of tiles, which depend on their words, numbers and notes."""

    words: tuple[str, ...]
    notes: tuple[str, ...]
    size: float
    """The largest size of letters, in pixels."""
    numbered: bool
    beside: bool
    boxed: bool
    aside: bool = False
    """Whether notes are behind their tiles instead of below."""
    gutter: float = LINE_GAP
    """Gap between two lines, in units."""
    note_size: float = NOTE_SIZE
    """The largest size of the letters of a note, in pixels."""
    number_size: float = MIN_SIZE
    """The size of the numbers, in pixels."""

    @property
    def widest(self) -> float:
        """The width of the widest word, in ems."""
        return max((text_width(word, 1.0) for word in self.words), default=0.0) / PX

    def width(self, size: float) -> float:
        """The width of a tile for letters of this size."""
        note = max((text_width(word, MIN_SIZE) for word in self.notes), default=-1.0) + 0.22
        if not self.boxed:
            return max(self.widest * size * PX, 0.05)
        return max(_LEAST_BOX, self.widest * size * PX + 2 * PAD, note)

    @property
    def before(self) -> float:
        """Room to the left of a tile for a number."""
        return 0.42 * self.number_size / MIN_SIZE if self.numbered and self.beside else 0.0

    @property
    def below(self) -> float:
        """Room below a tile for its note and its number."""
        high = NOTE_HEIGHT * self.note_size / NOTE_SIZE
        note = NOTE_GAP + high if self.notes and not self.aside else 0.0
        number = NUMBER_ROOM * self.number_size / MIN_SIZE
        return note + (number if self.numbered and not self.beside else 0.0)

    def block(self, n_lines: int, per_line: int, size: float) -> Size:
        """The size of a block of lines of tiles."""
        width = self.width(size)
        pitch = width + self.before + SEAM + (width + NOTE_GAP) * self.aside
        height = HEIGHT * size * PX + self.below
        return Size(per_line * pitch - SEAM, n_lines * (height + self.gutter) - self.gutter)

    def fitting(self, n_lines: int, per_line: int, width: float, height: float) -> float:
        """The largest size of letters at which lines of tiles fit, or the minimum size."""
        sizes = np.arange(MIN_SIZE, self.size + 0.01, 0.5)
        blocks = [self.block(n_lines, per_line, float(size)) for size in sizes]
        fits = [
            float(size)
            for size, block in zip(sizes, blocks, strict=True)
            if block.width <= width + 1e-6 and block.height <= height + 1e-6
        ]
        return max(fits, default=MIN_SIZE)

    def n_lines(self, wanted: int | None) -> int:
        """The number of lines with which the text fits every canvas."""
        if wanted:
            return wanted
        n = len(self.words)
        for lines in range(1, n):
            if self.block(lines, -(-n // lines), MIN_SIZE).width <= _NARROW:
                return lines
        return max(n, 1)


@dataclass(frozen=True)
class Lines:
    """Positions for tiles in lines, in reading order."""

    region: Region
    measures: TileMeasures
    n_lines: int
    per_line: int
    size: float

    @classmethod
    def filling(cls, region: Region, measures: TileMeasures, wanted: int | None) -> Lines:
        """The fewest lines with letters of nearly the requested size, or those with the largest."""
        n = len(measures.words)
        best: Lines | None = None
        for lines in [wanted] if wanted else range(1, n + 1):
            per_line = -(-n // lines)
            size = measures.fitting(lines, per_line, region.width, region.height)
            block = measures.block(lines, per_line, size)
            spills = block.width > region.width + 1e-6
            found = cls(region, measures, -(-n // per_line), per_line, size)
            if not spills and size >= _LARGE_ENOUGH * measures.size:
                return found
            if best is None or (best.spills and not spills) or size > best.size:
                best = found
        assert best is not None
        return best

    @property
    def spills(self) -> bool:
        """Whether the lines are wider than the region."""
        block = self.measures.block(self.n_lines, self.per_line, self.size)
        return block.width > self.region.width + 1e-6

    def states(self, n: int) -> NDArray[np.float64]:
        """States of the first n tiles, (n, 5): one line is centred, several are left-aligned."""
        measures, size = self.measures, self.size
        width, height = measures.width(size), HEIGHT * size * PX
        block = measures.block(self.n_lines, self.per_line, size)
        pitch = width + measures.before + SEAM + (width + NOTE_GAP) * measures.aside
        in_line = min(n, self.per_line) if self.n_lines == 1 else self.per_line
        x0, y0, _ = self.region.center
        left = x0 - (in_line * pitch - SEAM) / 2 + measures.before + width / 2
        top = y0 + block.height / 2 - height / 2
        line, place = np.divmod(np.arange(n), self.per_line)
        x = left + place * pitch
        y = top - line * (height + measures.below + measures.gutter)
        return np.column_stack([x, y, *np.full((3, n), [[width], [height], [size]])])


def states_at(
    points: NDArray[np.float64], measures: TileMeasures, box: tuple[float, float] | None
) -> NDArray[np.float64]:
    """States of tiles with given middles, such that neighbours do not touch; (n, 5)."""
    across, down = _pitches(points)
    room = across - SEAM - measures.before
    size = min(measures.size, (room - 2 * PAD * measures.boxed) / max(measures.widest, 1e-9) / PX)
    size = min(size, (down - SEAM - measures.below) / HEIGHT / PX)
    size = max(size, MIN_SIZE)
    width, height = measures.width(size), HEIGHT * size * PX
    if measures.boxed:
        # A word may use up the padding of its box before the box grows beyond its room.
        width = max(min(width, room), measures.widest * size * PX + 0.08)
    if box:
        width, height = box
        fits = (width - 0.12) / max(measures.widest, 1e-9) / PX
        size = max(MIN_SIZE, min(measures.size, fits, height / 1.3 / PX))
    n = len(points)
    return np.column_stack([points[:, :2], *np.full((3, n), [[width], [height], [size]])])


def reading_order(middles: NDArray[np.float64], height: float) -> list[int]:
    """Indices of the tiles in reading order: line by line, from the left."""
    lines: list[list[int]] = []
    for k in np.argsort(-middles[:, 1], kind="stable"):
        if lines and middles[lines[-1][0], 1] - middles[k, 1] < height / 2:
            lines[-1].append(int(k))
        else:
            lines.append([int(k)])
    return [k for line in lines for k in sorted(line, key=lambda k: float(middles[k, 0]))]


def as_points(points: Sequence[Sequence[float]] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Points in the plane or in space, as (n, 3)."""
    given = np.asarray(points, dtype=float)
    return np.column_stack([given[:, :2], np.zeros(len(given))])


def _pitches(points: NDArray[np.float64]) -> tuple[float, float]:
    """Smallest horizontal distance of neighbours in a line, and smallest distance of lines."""
    gaps = np.abs(points[:, None, :2] - points[None, :, :2])  # (n, n, 2)
    abreast = (gaps[..., 1] < 0.3) & (gaps[..., 0] > 1e-6)
    stacked = (gaps[..., 0] < 0.3) & (gaps[..., 1] > 1e-6)
    across = gaps[..., 0][abreast].min(initial=np.inf)
    return float(across), float(gaps[..., 1][stacked].min(initial=np.inf))
