"""One block of a matrix, its cells or a plain 0; and where the blocks of a matrix come to lie."""

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
"""Between two blocks."""
BAND_GAP = 0.28
NAME = 22.0
"""The size of the names of blocks, which stand close, in pixels at 720p."""
TITLE = 1.25 * NAME * PX
"""What the name of a block needs above its words."""
_LOW, TALLEST = 0.65, 1.25
"""How much higher than wide cells may be; the second, unless something else is asked for."""
_NARROW = 1.7, 0.36
"""Narrow cells may be this much higher than wide, up to that height."""
Bands = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class Block:
    """Columns (or rows) of a matrix that belong together: their name, and where they lie.

    `words` stand over its first columns, and may be numbers. `spec` lists formats of the numbers
    in its cells, from best to shortest, written in the rows `numbered` (all unless given) if they
    fit, with `plain_zeros` as a muted 0 where it is exactly that.
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
        """Its first column."""
        return int(self.span.start)

    @property
    def n(self) -> int:
        """How many columns it has."""
        return int(self.span.stop) - self.first

    @property
    def room(self) -> float:
        """How wide its name is at least, in units."""
        return text_width(self.name, MIN_SIZE)


class Panel(Matrix):
    """The cells of a matrix (R, C) at the rows of one block and the columns of another.

    It stands for the whole matrix, and draws its part of it.
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
        """What its cells fill, as they stand."""
        return self.lattice.region

    def index(self, i: Any, j: Any) -> tuple[Any, ...]:
        """Where cell (i, j) of the block is in the value."""
        return self.down.first + i, self.across.first + j

    def word_room(self, pitch: float) -> float:
        """How far the words over columns so wide reach upwards."""
        names = self.plan.column_names
        return 0.0 if names is None else names.room(self.plan.angle(pitch), self.across.size)

    def stand(self, region: Region, rows: Value | None = None) -> None:
        """Draw the cells into a region, and words outside of it: on the left if rows have any."""
        self._name(self.across.words)
        self.plan.row_names = None
        if rows is not None:
            self.plan.row_names = Headings(rows, positions=False, is_row=True)
        self.submobjects = []
        self._draw(region, self.plan.angle(region.width / self.n_columns), self.across.size)
        for number in self._numbers.numbers:
            if not is_visible(number):  # so that it does not count as far away
                number.center_on(region.center)

    def stretch(self, region: Region) -> None:
        """Let the cells, which have no words, fill another region."""
        self.lie(region)
        self._numbers.move()

    def reveal(self, share: float, opened: NDArray[np.float64]) -> None:
        """Let lines and words be seen so far, and cells be so large, (R, C)."""
        self.fade_lines(share)
        self.words_to(share)
        self.open_to(opened)

    def recast(self, across: Block, ramp: Ramp, seen: float) -> None:
        """Mean something else: other words over the columns, so far visible, and other colours."""
        if across is not self.across:
            self.across = across
            if self.plan.column_names is not None:
                self.remove(self.plan.column_names)
            self._name(across.words)
            if (names := self.plan.column_names) is not None:
                pitch = self.region.width / self.n_columns
                names.place(self.lattice, self.plan.angle(pitch), self.across.size)
                self.submobjects.insert(2, names)  # where `stand` puts them
        if self.plan.column_names is not None:
            self.plan.column_names.show(seen)
        self.ramp = ramp
        for shades in (self._cells, self._sliding):
            shades.recolor(ramp)
        self.show(self.state)

    def colors_of(self, state: NDArray[np.float64]) -> list[list[str]]:
        """The colours of all its cells in a state of the whole matrix."""
        scale = self.scale_now
        steps = cells.steps(self._table(state), scale.low, scale.high)
        return [[self.ramp.colors[int(step)] for step in row] for row in steps]

    def scale_to(self, high: float | None, spec: Sequence[str] | str | None) -> Shading:
        """The scale as it is now, with another upper bound and other formats."""
        low = None if high is None or not self._is_signed else -high
        return self._scale(low, high, spec)

    def choose_numbers(self) -> None:
        """Write numbers anew, as large as the cells are now."""
        self._choose(self.state)
        self.show(self.state)

    def _name(self, words: Value | None) -> None:
        self.plan.column_names = None
        if words is not None:
            self.plan.column_names = BlockWords(words, positions=False, is_row=False)

    def _table(self, state: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(state, dtype=float)[self.span]


class BlockWords(Headings):
    """Words over the first columns of a block; numbers say which number they are."""

    def readings(self, lattice: Lattice) -> Iterator[Reading]:
        """What stands over which column, where there is anything to stand."""
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
    """A block that is 0 throughout: a plain panel with a single 0."""

    def __init__(self, down: Block, across: Block) -> None:
        super().__init__()
        self.down, self.across, self.span = down, across, (down.span, across.span)
        page = theme()
        self.plate = Shape(fill_color=page.panel, stroke_color=cells.rule_color(), stroke_width=1.5)
        self.label = Label("0", size=LABEL, color="muted")

    @property
    def region(self) -> Region:
        """What it fills, as it stands."""
        return Region.around(self.plate.points)

    def stand(self, region: Region, rows: Value | None = None) -> None:
        """Fill a region; there are no words beside it."""
        self.stretch(region)
        self.submobjects = [self.plate, self.label]

    def stretch(self, region: Region) -> None:
        """Fill another region."""
        self.plate.set_points(rectangles(region.left, region.bottom, region.right, region.top))
        self.label.center_on(region.center)

    def reveal(self, share: float, opened: NDArray[np.float64]) -> None:
        """Be seen so far; there are no cells to open."""
        self.plate.set_fill(opacity=share).set_stroke(opacity=share)
        self.label.set_fill(opacity=share)

    def readings(self, value: Shown) -> Iterator[Reading]:
        """All of the block is what the label says."""
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
    """Where the blocks lie: a region for row block d and column block a."""

    regions: dict[tuple[int, int], Region]
    tops: tuple[float, ...]
    """The foot of the name of each column block."""
    bands: Bands


@dataclass(frozen=True)
class BlockMeasures:
    """What blocks ask for.

    `across` and `down` are how many columns and rows they have, `titles` the least widths of their
    names, `left` the room for the labels of the rows, `title` that of the names, and `words(a, w)`
    that over the columns of block a if they are w wide. `cell` is the least and the largest side of
    a cell, and `tallest` how much higher than wide cells may be.
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
        """The blocks in n bands, one below the other, as even as they can be."""
        count = len(self.across)
        splits = [(0, *cut, count) for cut in combinations(range(1, count), min(n, count) - 1)]

        def widest(edges: Sequence[int]) -> int:
            return max(sum(self.across[a:b]) for a, b in pairwise(edges))

        best = min(splits, key=widest)
        return tuple(tuple(range(a, b)) for a, b in pairwise(best))

    def slot(self, a: int, width: float) -> float:
        """The width of block a, with columns so wide."""
        return max(self.across[a] * width, self.titles[a])

    def header(self, band: Sequence[int], width: float) -> float:
        """What names and words need over a band."""
        return self.title + max(self.words(a, width) for a in band)

    def extent(self, width: float, height: float, bands: Bands) -> Size:
        """How large it all is, with cells of this width and height."""
        widths = [sum(self.slot(a, width) for a in band) + GAP * (len(band) - 1) for band in bands]
        rows = sum(self.down) * height + GAP * (len(self.down) - 1)
        heights = [self.header(band, width) + rows for band in bands]
        return Size(self.left + max(widths), sum(heights) + BAND_GAP * (len(bands) - 1))

    def _largest_cell(self, region: Region, bands: Bands) -> tuple[float, float]:
        """Width and height of the largest cells that a region has room for."""
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
        """The blocks in the middle of a region, with cells as large as fit."""
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
