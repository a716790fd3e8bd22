"""One block of a matrix, with cells or as a single 0, and the layout of the blocks of a matrix."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.language import language
from clockhead.scenes.parts import cells
from clockhead.scenes.parts.cells import Lattice, Ramp
from clockhead.scenes.parts.matrix import Matrix, Shading
from clockhead.scenes.parts.matrix_layout import Headings
from clockhead.scenes.parts.paths import rectangles
from clockhead.scenes.stage import Reading, Size, Value
from clockhead.scenes.stage.shown import Shown, is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.shape import Shape, Shapes
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import Role, theme
from clockhead.scenes.style.type import LABEL, MIN_SIZE

GAP = 0.16
"""Gap between two blocks, in units."""
BAND_GAP = 0.28
NAME = 22.0
"""Text size of the names of blocks, which are close together, in pixels at 720p."""
TITLE = 1.25 * NAME * PX
"""Height reserved for the name of a block above its column names, in units."""
_LOW = 0.65
"""Smallest ratio of a cell's height to its width."""
TALLEST = 1.25
"""Largest ratio of a cell's height to its width, unless a stage sets another."""
_NARROW = 1.7, 0.36
"""Narrow cells may have this ratio of height to width, up to this height in units."""
Bands = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class Block:
    """The columns (or rows) of a matrix that belong together: their name and range.

    `words` are the names of its first columns, and may be numbers. `spec` lists number formats from
    best to shortest; numbers are written in the rows `numbered` (default: all) if they fit. With
    `plain_zeros`, an exact 0 is a muted 0.
    """

    name: str
    span: slice
    role: Role = "token"
    words: Value | None = None
    spec: Sequence[str] | str = field(default=(), kw_only=True)
    numbered: Sequence[int] | None = field(default=None, kw_only=True)
    plain_zeros: bool = field(default=False, kw_only=True)
    size: float = field(default=MIN_SIZE, kw_only=True)

    @property
    def first(self) -> int:
        """Index of its first column."""
        return int(self.span.start)

    @property
    def n(self) -> int:
        """Number of its columns."""
        return int(self.span.stop) - self.first

    @property
    def room(self) -> float:
        """Minimum width of its name, in units."""
        return text_width(self.name, MIN_SIZE)


class Panel(Matrix):
    """The cells of a matrix (R, C) in the rows of one block and the columns of another.

    Its value is the whole matrix; it draws only its block.
    """

    def __init__(
        self,
        value: Value,
        down: Block,
        across: Block,
        *,
        role: Role,
        negative: Role,
        bounds: tuple[float, float],
    ) -> None:
        self.down, self.across, self.span = down, across, (down.span, across.span)
        super().__init__(
            value,
            role=role,
            negative=negative,
            low=bounds[0],
            high=bounds[1],
            spec=across.spec,
            numbered=across.numbered,
            plain_zeros=across.plain_zeros,
            aspect=None,
        )
        self._name(across.words)

    @property
    def region(self) -> Region:
        """The region that its cells fill."""
        return self.lattice.region

    def index(self, i: Any, j: Any) -> tuple[Any, ...]:
        """Index of the block's cell (i, j) in the whole value."""
        return self.down.first + i, self.across.first + j

    def word_room(self, pitch: float) -> float:
        """Height of the column names for columns of this width, in units."""
        names = self.plan.column_names
        return 0.0 if names is None else names.room(self.plan.angle(pitch), self.across.size)

    def stand(self, region: Region, rows: Value | None = None) -> None:
        """Draw the cells into a region and the names outside it, those of the rows on the left."""
        self._name(self.across.words)
        self.plan.row_names = None
        if rows is not None:
            self.plan.row_names = Headings(rows, positions=False, is_row=True)
        self.submobjects = []
        self._draw(region, self.plan.angle(region.width / self.n_columns), self.across.size)
        for number in self._numbers.numbers:
            if not is_visible(
                number
            ):  # an invisible number elsewhere would make the picture's bounding box too large
                number.center_on(region.center)

    def stretch(self, region: Region) -> None:
        """Fit the cells, without any names, into another region."""
        self.lie(region)
        self._numbers.move()

    def reveal(self, share: float, opened: NDArray[np.float64]) -> None:
        """Set the opacity of lines and words, and the size of the cells (R, C), from 0 to 1."""
        self.fade_lines(share)
        self.words_to(share)
        self.open_to(opened)

    def recast(self, across: Block, ramp: Ramp, seen: float) -> None:
        """Change the column names, with this opacity, and the colours."""
        if across is not self.across:
            self.across = across
            if self.plan.column_names is not None:
                self.remove(self.plan.column_names)
            self._name(across.words)
            if (names := self.plan.column_names) is not None:
                pitch = self.region.width / self.n_columns
                names.place(self.lattice, self.plan.angle(pitch), self.across.size)
                self.submobjects.insert(2, names)  # the order in which `stand` adds them
        if self.plan.column_names is not None:
            self.plan.column_names.show(seen)
        self.ramp = ramp
        for shades in (self._cells, self._sliding):
            shades.recolor(ramp)
        self.show(self.state)

    def colors_of(self, state: NDArray[np.float64]) -> list[list[str]]:
        """The colours of all its cells for a state of the whole matrix."""
        scale = self.scale_now
        steps = cells.steps(self._table(state), scale.low, scale.high)
        return [[self.ramp.colors[int(step)] for step in row] for row in steps]

    def scale_to(self, high: float | None, spec: Sequence[str] | str | None) -> Shading:
        """The current scale with another upper bound and other formats."""
        low = None if high is None or not self._is_signed else -high
        return self._scale(low, high, spec)

    def choose_numbers(self) -> None:
        """Write the numbers again, at a size that fits the current cells."""
        self._choose(self.state)
        self.show(self.state)

    def _name(self, words: Value | None) -> None:
        self.plan.column_names = None
        if words is not None:
            self.plan.column_names = BlockWords(words, positions=False, is_row=False)

    def _table(self, state: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(state, dtype=float)[self.span]


class BlockWords(Headings):
    """Names over the first columns of a block; a number is read as its value."""

    def readings(self, lattice: Lattice) -> Iterator[Reading]:
        """The name that is drawn over each column."""
        for index, label in enumerate(self.labels):
            if not is_visible(label):
                continue
            at = self._nearest(lattice, label)
            if at >= len(self.words):
                yield Reading(self.words[index], f"{label.text} over column {at}")
                continue
            meant = self.words[at]
            is_word = isinstance(meant.content, str)
            yield Reading(meant, label.text if is_word else language().value(label.text))


class ZeroPanel(Shapes):
    """A block of zeros: a plain panel with a single 0."""

    def __init__(self, down: Block, across: Block) -> None:
        super().__init__()
        self.down, self.across, self.span = down, across, (down.span, across.span)
        page = theme()
        self.plate = Shape(fill_color=page.panel, stroke_color=cells.rule_color(), stroke_width=1.5)
        self.label = Label("0", size=LABEL, color="muted")

    @property
    def region(self) -> Region:
        """The region that it fills."""
        return Region.around(self.plate.points)

    def stand(self, region: Region, rows: Value | None = None) -> None:
        """Fill a region; there are no names beside it."""
        self.stretch(region)
        self.submobjects = [self.plate, self.label]

    def stretch(self, region: Region) -> None:
        """Fill another region."""
        self.plate.set_points(rectangles(region.left, region.bottom, region.right, region.top))
        self.label.center_on(region.center)

    def reveal(self, share: float, opened: NDArray[np.float64]) -> None:
        """Set the opacity; there are no cells to open."""
        self.plate.set_fill(opacity=share).set_stroke(opacity=share)
        self.label.set_fill(opacity=share)

    def readings(self, value: Shown) -> Iterator[Reading]:
        """What the label says, for every cell of the block."""
        if not self.submobjects or not is_visible(self.label):
            return
        for i in range(self.down.n):
            for j in range(self.across.n):
                yield Reading(
                    value[self.down.first + i, self.across.first + j],
                    language().value(self.label.text),
                )


@dataclass(frozen=True)
class BlockPlan:
    """The layout of the blocks: a region for row block d and column block a."""

    regions: dict[tuple[int, int], Region]
    tops: tuple[float, ...]
    """The bottom edge of the name of each column block."""
    bands: Bands


@dataclass(frozen=True)
class BlockMeasures:
    """Sizes that determine the layout of blocks.

    `across` and `down` are the numbers of columns and rows of the blocks, `titles` the minimum
    widths of their names, `left` the width of the row labels, `title` the height of the block
    names, and `words(a, w)` the height of the column names of block a at a column width of w.
    `cell` is the smallest and largest side of a cell, and `tallest` the largest ratio of a cell's
    height to its width.
    """

    across: tuple[int, ...]
    down: tuple[int, ...]
    titles: tuple[float, ...]
    left: float
    words: Callable[[int, float], float]
    cell: tuple[float, float]
    least_height: float
    tallest: float
    title: float = TITLE

    def bands(self, n: int) -> Bands:
        """The blocks in n bands, one below the other, as even as possible."""
        count = len(self.across)
        splits = [(0, *cut, count) for cut in combinations(range(1, count), min(n, count) - 1)]

        def widest(edges: Sequence[int]) -> int:
            return max(sum(self.across[a:b]) for a, b in pairwise(edges))

        best = min(splits, key=widest)
        return tuple(tuple(range(a, b)) for a, b in pairwise(best))

    def slot(self, a: int, width: float) -> float:
        """The width of block a for columns of this width."""
        return max(self.across[a] * width, self.titles[a])

    def header(self, band: Sequence[int], width: float) -> float:
        """The height of names and column names over a band."""
        return self.title + max(self.words(a, width) for a in band)

    def extent(self, width: float, height: float, bands: Bands) -> Size:
        """The total size for cells of this width and height."""
        widths = [sum(self.slot(a, width) for a in band) + GAP * (len(band) - 1) for band in bands]
        rows = sum(self.down) * height + GAP * (len(self.down) - 1)
        heights = [self.header(band, width) + rows for band in bands]
        return Size(self.left + max(widths), sum(heights) + BAND_GAP * (len(bands) - 1))

    def _largest_cell(self, region: Region, bands: Bands) -> tuple[float, float]:
        """Width and height of the largest cells that fit a region."""
        least, most = self.cell
        n_rows = sum(self.down) * len(bands)
        for width in map(float, np.linspace(most, least, 160)):
            size = self.extent(width, 0.0, bands)
            room = (region.height - size.height) / n_rows
            height = min(room, max(self.tallest * width, min(_NARROW[0] * width, _NARROW[1])))
            if size.width <= region.width + 1e-6 and height >= max(
                _LOW * width, min(width, self.least_height)
            ):
                return width, height
        return least, max(least, self.least_height)

    def plan(self, region: Region, bands: Bands) -> BlockPlan:
        """Centre the blocks in a region, with cells as large as fit."""
        width, height = self._largest_cell(region, bands)
        size = self.extent(width, height, bands)
        start = region.center[0] - size.width / 2 + self.left
        top = region.center[1] + size.height / 2
        regions: dict[tuple[int, int], Region] = {}
        tops = [0.0] * len(self.across)
        for band in bands:
            y = top - self.header(band, width)
            for d, n_rows in enumerate(self.down):
                x = start
                for a in band:
                    slot = self.slot(a, width)
                    left = x + (slot - self.across[a] * width) / 2
                    right, bottom = left + self.across[a] * width, y - n_rows * height
                    regions[d, a] = Region(left, bottom, right, y)
                    x += slot + GAP
                y -= n_rows * height + GAP
            for a in band:
                tops[a] = regions[0, a].top + self.header(band, width) - self.title
            top = y + GAP - BAND_GAP
        return BlockPlan(regions, tuple(tops), bands)
