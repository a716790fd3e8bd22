"""A matrix in blocks: panels of shaded cells that share their rows, or a grid of blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts.block_panels import (
    NAME,
    TALLEST,
    TITLE,
    Block,
    BlockMeasures,
    BlockPlan,
    Panel,
    ZeroPanel,
)
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.matrix import number_share
from clockhead.scenes.parts.matrix_layout import GAP, TurnedLabel
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.tile import Tile
from clockhead.scenes.stage import Passage, Picture, Reading, Size, Value
from clockhead.scenes.stage.shown import Passing, is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import Role
from clockhead.scenes.style.type import MIN_SIZE

_LEAST_ROW = 0.25
"""Minimum height of rows with labels, in units."""
_NUMBER = 0.42
"""Room for the number to the left of a tile, in units."""
_SEAM = 0.04
_FOOT = 0.09
"""Gap between the name of a block and its column names, in units."""


@dataclass(frozen=True, eq=False)
class BlocksState:
    """How blocks are drawn, apart from their numbers and their colour scale."""

    regions: dict[tuple[int, int], Region]
    """The region of the cells of row block d and column block a."""
    seen: NDArray[np.float64]
    """Opacity of the lines and names of each block, from 0 to 1: (D, A)."""
    opened: NDArray[np.float64]
    """Size of each cell, from 0 to 1: (R, C)."""
    digits: float = 1.0
    """Opacity of the numbers, from 0 to 1."""


class Blocks(Picture):
    """A matrix (R, C) in blocks of columns, `across`; the name of each block is above its cells.

    `rows` label the rows: the tiles of a strip, which remains a picture of its own, or plain words.
    With `down` there are blocks of rows too, with names on the left; a block of zeros is then one
    plain panel. Colours range from `low` to `high`, by default from 0 to the maximum, or
    symmetrically around 0 if there are negative values. `role` colours all cells alike; otherwise
    each block has its own role. `bands` is the number of lines that the blocks of columns are
    arranged in. Cells are at most `tallest` times as high as wide.
    """

    def __init__(
        self,
        value: Value,
        across: Sequence[Block],
        *,
        rows: Strip | Value | None = None,
        down: Sequence[Block] = (),
        role: Role | None = None,
        negative: Role = "residual",
        low: float | None = None,
        high: float | None = None,
        bands: int = 1,
        least_cell: float = 0.21,
        most_cell: float = 0.6,
        tallest: float = TALLEST,
    ) -> None:
        super().__init__(value)
        self.across, self.rows, self.has_down = list(across), rows, bool(down)
        self.down = list(down) or [Block("", slice(0, len(value)))]
        self._cells, self._n_bands, self._tallest = (least_cell, most_cell), bands, tallest
        bounds = _bounds(value.array, low, high)
        self.panels: list[list[Panel | ZeroPanel]] = [
            [
                ZeroPanel(d, a)
                if down and not value.array[d.span, a.span].any()
                else Panel(value, d, a, role=role or a.role, negative=negative, bounds=bounds)
                for a in self.across
            ]
            for d in self.down
        ]
        self.titles: list[Label] = []
        self.plan: BlockPlan | None = None
        self.drawn = self._whole({})
        self.labelled = False
        """Whether the tiles are beside the rows."""

    # Position

    @property
    def least(self) -> Size:
        return self.banded(self._n_bands).least

    @property
    def most(self) -> Size:
        return self.banded(self._n_bands).most

    def place(self, region: Region) -> None:
        """Centre it in a region; the tiles of a strip stay where they are."""
        self.banded(self._n_bands).place(region)

    def banded(self, n: int) -> Banded:
        """The same blocks in n lines, one below the other, as an alternative for `fit`."""
        return Banded(self, n)

    def stand(self, plan: BlockPlan) -> None:
        """Draw the blocks where a plan puts them."""
        self.plan, tokens = plan, self.tokens
        for band in plan.bands:
            for a in band:
                has_tiles = isinstance(self.rows, Strip) and a == plan.bands[0][0]
                words = tokens if a == band[0] and not has_tiles else None
                for d, line in enumerate(self.panels):
                    line[a].stand(plan.regions[d, a], words)
        self.titles = [self.title_of(a) for a in range(len(self.across))]
        if self.has_down:
            self.titles += [self._side_title(d) for d in range(len(self.down))]
        self.submobjects = [*(panel for line in self.panels for panel in line), *self.titles]
        self.drawn = self._whole(plan.regions)
        self.draw(self.drawn)
        self.show(self.state)

    @property
    def tokens(self) -> Value | None:
        """The names of the rows."""
        if isinstance(self.rows, Strip):
            return self.rows.shown if isinstance(self.rows.shown, Value) else None
        return self.rows

    @property
    def tile_width(self) -> float:
        """The width of a tile beside its row."""
        size = self.across[0].size
        return self.rows.measures.width(size) if isinstance(self.rows, Strip) else 0.0

    def tile_places(self) -> tuple[NDArray[np.float64], tuple[float, float]]:
        """The middles of tiles beside their rows, (R, 2), and the width and height of tiles."""
        panel = self.block(self.across[0].name)
        region, n = panel.region, panel.n_rows
        pitch = region.height / n
        x = region.left - GAP - self.tile_width / 2
        if (spare := self.across[0].room - region.width) > 0:
            x -= spare / 2
        y = region.top - (np.arange(n) + 0.5) * pitch
        return np.column_stack([np.full(n, x), y]), (
            self.tile_width,
            min(pitch - _SEAM, 0.5 * self.across[0].size / MIN_SIZE),
        )

    def label(self) -> None:
        """Place the tiles beside their rows without an animation, for a first frame."""
        self.strip.place_at(*self.tile_places())
        for tile in self.strip.tiles:
            set_beside(tile, True)
            tile.draw(tile.state)
        self.labelled = True

    @property
    def measures(self) -> BlockMeasures:
        """The sizes that the layout needs."""
        first = [
            next((p for p in c if isinstance(p, Panel)), None)
            for c in zip(*self.panels, strict=True)
        ]

        def words(a: int, width: float) -> float:
            panel = first[a]
            return 0.0 if panel is None else panel.word_room(width)

        left = 1.3 * MIN_SIZE * PX + GAP if self.has_down else 0.0
        if isinstance(self.rows, Strip):
            left = self.tile_width + (_NUMBER if self.rows.measures.numbered else 0.0) + GAP
        elif isinstance(self.rows, Value):
            left = max(text_width(str(word), MIN_SIZE) for word in self.rows.content) + GAP
        return BlockMeasures(
            across=tuple(block.n for block in self.across),
            down=tuple(block.n for block in self.down),
            titles=tuple(block.room for block in self.across),
            left=left,
            words=words,
            cell=self._cells,
            least_height=0.0 if self.rows is None else _LEAST_ROW,
            tallest=self._tallest,
            title=TITLE * self.across[0].size / MIN_SIZE,
        )

    # Access to its parts

    @property
    def strip(self) -> Strip:
        """The tiles that label its rows.

        Raises:
            TypeError: if the rows are not labelled by tiles.
        """
        if not isinstance(self.rows, Strip):
            raise TypeError("the rows of these blocks are not labelled by the tiles of a strip")
        return self.rows

    @property
    def cells(self) -> list[Panel]:
        """All panels that have cells."""
        return [panel for line in self.panels for panel in line if isinstance(panel, Panel)]

    def block(self, name: str, down: str | None = None) -> Panel:
        """The panel of a block; KeyError if there is none or it is all 0."""
        d = 0 if down is None else self.row_of(down)
        panel = self.panels[d][self.column_of(name)]
        if isinstance(panel, ZeroPanel):
            raise KeyError(f"the block {down!r}, {name!r} is 0 and has no cells")
        return panel

    def column_of(self, name: str) -> int:
        """Index of a block of columns; KeyError if there is none."""
        names = [block.name for block in self.across]
        if name not in names:
            raise KeyError(f"there is no block {name!r}, only {', '.join(names)}")
        return names.index(name)

    def row_of(self, name: str) -> int:
        """Index of a block of rows."""
        return [block.name for block in self.down].index(name)

    def cell(self, i: int, name: str, j: int, down: str | None = None) -> Region:
        """Cell (i, j) of a block."""
        return self.block(name, down).cell(i, j)

    def part(
        self, name: str, *, i: int | None = None, j: int | None = None, down: str | None = None
    ) -> Region:
        """A block, or its row i, column j or cell (i, j)."""
        panel = self.block(name, down)
        if i is not None and j is not None:
            return panel.cell(i, j)
        if i is not None:
            return panel.row(i)
        return panel.region if j is None else panel.column(j)

    def row(self, i: int) -> Region:
        """Row i, from the first to the last block of the first line."""
        assert self.plan is not None
        band = self.plan.bands[0]
        ends = [self.block(self.across[a].name).row(i) for a in (band[0], band[-1])]
        return Region(ends[0].left, ends[0].bottom, ends[1].right, ends[0].top)

    def frame(
        self,
        i: int | None,
        name: str,
        j: int | None = None,
        role: Role = "token",
        *,
        down: str | None = None,
    ) -> CellFrame:
        """A frame around a cell, a row of a block (no j), a column (no i) or a block (neither)."""
        return CellFrame(self.part(name, i=i, j=j, down=down), role)

    # State

    def show(self, state: NDArray[np.float64]) -> None:
        for panel in self.cells:
            panel.shown = self.shown
            panel.show(state)

    def set_to(self, value: Value) -> None:
        self.shown = value
        for panel in self.cells:
            panel.set_to(value)

    def draw(self, state: BlocksState) -> None:
        """Draw the blocks in this state, with the current numbers."""
        if self.plan is None:
            return
        moves = state.regions is not self.drawn.regions
        self.drawn = state
        for (d, a), region in state.regions.items():
            panel = self.panels[d][a]
            if moves:
                panel.stretch(region)
            if isinstance(panel, Panel):
                panel.draw_at(panel.scale_now, state.digits)
            panel.reveal(float(state.seen[d, a]), state.opened[panel.span])
            if isinstance(panel, Panel) and moves and state.digits >= 1:
                panel.choose_numbers()
        n = len(self.across)
        for k, title in enumerate(self.titles):
            if moves:
                region = state.regions[(0, k) if k < n else (k - n, 0)]
                spot, axis = title.get_center(), int(k >= n)
                spot[axis] = region.center[axis]
                title.shift(spot - title.get_center())
            blocks = state.seen[:, k] if k < n else state.seen[k - n]
            title.set_fill(opacity=float(blocks.max()))

    def reveal(self, share: float, opened: Callable[[Panel], NDArray[np.float64]]) -> None:
        """Set the opacity of lines and names, and the size of the cells of each panel, (R, C)."""
        sizes = np.zeros(self.drawn.opened.shape)
        for panel in self.cells:
            sizes[panel.span] = opened(panel)
        seen = np.full(self.drawn.seen.shape, share)
        self.draw(replace(self.drawn, seen=seen, opened=sizes))

    def hide(self) -> None:
        """Hide everything until it is drawn in or unfolded."""
        self.reveal(0.0, lambda panel: np.zeros(panel.hidden.shape))

    def show_digits(self, digits: float) -> None:
        """Set the opacity of numbers in cells, from the next `show` on."""
        self.drawn = replace(self.drawn, digits=digits)
        for panel in self.cells:
            panel.draw_at(panel.scale_now, digits)

    # Motion

    def to(self, value: Value, **options: Any) -> Passage:
        """Animate all cells to another value, and with `high` or `spec` to another scale."""
        return BlockPassage(self, value, np.stack([self.state, value.array]), **options)

    def draw_in(self, *, run_time: float = 1.6) -> Drive:
        """Fade in lines and names, and grow the cells from the upper left to the lower right."""

        def show(share: NDArray[np.float64]) -> None:
            part = float(share)

            def opened(panel: Panel) -> NDArray[np.float64]:
                i, j = np.indices(panel.hidden.shape)
                at = (i + j) / max(panel.n_rows + panel.n_columns - 2, 1)
                return np.asarray(np.clip((part - 0.3 - 0.4 * at) / 0.3, 0, 1))

            self.reveal(min(1.0, 3 * part), opened)

        return Drive(self, show, 0.0, 1.0, run_time=run_time, rate_func=lambda x: x)

    # Readings

    def readings(self) -> Iterator[Reading]:
        """The single zeros, the names of the blocks, and the tiles beside the rows.

        Panels read their own cells and column names.
        """
        if self.plan is None:
            return
        for line in self.panels:
            for panel in line:
                if isinstance(panel, ZeroPanel):
                    yield from panel.readings(self.shown)
        yield from self._title_readings()
        if isinstance(self.rows, Strip) and self.labelled:
            yield from self._tile_readings(self.rows, self.plan)

    def _tile_readings(self, strip: Strip, plan: BlockPlan) -> Iterator[Reading]:
        """The token at each row, in every block of the first line."""
        for k in range(len(strip.shown.content)):
            tile = strip.tiles[k]
            if k in strip.moving or not is_visible(tile.label):
                continue
            for a in plan.bands[0]:
                lattice = self.block(self.across[a].name).lattice
                row, _ = lattice.at(tile.middle)
                i = lattice.nearest(tile.middle)[0]
                says = tile.label.text if abs(row - i) < 0.1 else f"{tile.label.text} off its row"
                yield Reading(strip.shown[i], says)

    def _title_readings(self) -> Iterator[Reading]:
        """The index of the block that each name is next to, to be compared with its own index."""
        value = self.shown if isinstance(self.shown, Value) else self.shown.end
        for k, title in enumerate(self.titles):
            if is_visible(title):
                is_over = k < len(self.across)
                names = [block.name for block in (self.across if is_over else self.down)]
                at = np.array(float(names.index(title.text) if title.text in names else -1))
                found = self._nearest(title, is_over)
                yield Reading(Passing(value, value, at, at, at), float(found))

    def _nearest(self, title: Label, is_over: bool) -> int:
        """The block nearest to a name."""
        spot = title.get_center()
        if not is_over:
            heights = [line[0].region.center[1] for line in self.panels]
            return int(np.argmin(np.abs(np.array(heights) - spot[1])))
        is_banded = self.plan is not None and len(self.plan.bands) > 1
        tops = np.array([panel.region.point(0.5, 1.0) for panel in self.panels[0]])  # (A, 3)
        return int(np.argmin(np.abs(tops - spot) @ np.array([1.0, float(is_banded), 0.0])))

    # Construction

    def _whole(self, regions: dict[tuple[int, int], Region]) -> BlocksState:
        """The fully visible state in these regions."""
        seen = np.ones((len(self.down), len(self.across)))
        return BlocksState(regions, seen, np.ones(self.state.shape))

    def title_of(self, a: int) -> Label:
        """The name of a block of columns, above its column names."""
        assert self.plan is not None
        block, region = self.across[a], self.plan.regions[0, a]
        large = NAME * block.size / MIN_SIZE
        size = large if text_width(block.name, large) <= region.width else block.size
        label = Label(block.name, size=size, color=block.role, align="center")
        return label.put(np.array([region.center[0], self.plan.tops[a] + _FOOT, 0.0]))

    def _side_title(self, d: int) -> Label:
        """The name of a block of rows, turned upright, to the left of it."""
        assert self.plan is not None
        block, region = self.down[d], self.plan.regions[d, 0]
        label = TurnedLabel(block.name, 90.0, size=MIN_SIZE, color=block.role)
        spot = np.array([region.left - GAP - 0.5 * MIN_SIZE * PX, region.center[1], 0.0])
        return label.shift(spot - label.get_center())


class Banded:
    """Layout of blocks in a given number of lines."""

    def __init__(self, blocks: Blocks, n: int) -> None:
        self._blocks, self._n = blocks, n

    @property
    def least(self) -> Size:
        measures = self._blocks.measures
        side = measures.cell[0]
        return measures.extent(side, max(side, measures.least_height), measures.bands(self._n))

    @property
    def most(self) -> Size:
        measures = self._blocks.measures
        side = measures.cell[1]
        return measures.extent(side, side, measures.bands(self._n))

    def place(self, region: Region) -> None:
        """Centre the blocks in a region."""
        measures = self._blocks.measures
        self._blocks.stand(measures.plan(region, measures.bands(self._n)))


class BlockPassage(Passage):
    """Animation of blocks to another value and perhaps another scale.

    The numbers in the cells fade out during the change.
    """

    def __init__(
        self,
        blocks: Blocks,
        end: Value,
        states: NDArray[np.float64],
        *,
        high: float | None = None,
        spec: Sequence[str] | str | None = None,
        **options: Any,
    ) -> None:
        self._blocks = blocks
        self._scales = [(p, p.scale_now, p.scale_to(high, spec)) for p in blocks.cells]
        super().__init__(blocks, end, states, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        for panel, start, goal in self._scales:
            panel.draw_at(start.towards(goal, self.rate_func(alpha)), 1.0)
        self._blocks.show_digits(number_share(alpha, self.run_time))
        super().interpolate_mobject(alpha)


def set_beside(tile: Tile, beside: bool) -> None:
    """Set on which side of a tile its number will be, before it or below; does not move it yet."""
    tile.beside = beside
    if tile.number is not None:
        tile.number.align = "right" if beside else "center"


def _bounds(
    whole: NDArray[np.float64], low: float | None, high: float | None
) -> tuple[float, float]:
    """Bounds of the colours: from 0 to the maximum, or symmetric if there are negative values."""
    largest = float(np.abs(whole).max(initial=0.0)) or 1.0
    signed = float(whole.min(initial=0.0)) < 0
    least = (-largest if signed else 0.0) if low is None else low
    return least, largest if high is None else high
