"""A matrix in blocks: panels of shaded cells side by side that share their rows, or a grid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts.block_layout import TALLEST, Banded, Bands, Measures, Plan
from clockhead.scenes.parts.block_moves import BlockMoves
from clockhead.scenes.parts.block_panels import Block, Panel, ZeroPanel
from clockhead.scenes.parts.block_parts import BlockParts
from clockhead.scenes.parts.block_titles import BlockTitles
from clockhead.scenes.parts.cell_labels import GAP as LABEL_GAP
from clockhead.scenes.parts.cells import Lattice
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.stage import Reading, Size, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import Role
from clockhead.scenes.style.type import MIN_SIZE

_LEAST_ROW = 0.25
"""The least height of rows that have words beside them."""
_NUMBER = 0.42
"""The room for the number before a tile."""
_SEAM = 0.04


class Blocks(BlockParts, BlockTitles, BlockMoves):
    """A matrix (R, C) in blocks of columns, `across`; the name of each stands over its cells.

    `rows` label the rows: the tiles of a strip, which stay a picture of their own, or plain words.
    With `down` there are blocks of rows too, and their names stand on the left; blocks that are 0
    throughout are then one plain panel each. Shades run from `low` to `high`, by default from 0
    to the most of all, or between plus and minus the largest. `role` colours all cells alike;
    else each block has its own. `bands` is in how many lines blocks of columns stand. Cells
    are at most `tallest` times as high as wide.
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
        self.plan: Plan | None = None

    @classmethod
    def grid(cls, value: Value, heads: Sequence[Block], **options: Any) -> Blocks:
        """A weight matrix (2h, 2h): the same names down and across, as small as shades allow."""
        settings: dict[str, Any] = {"role": "attention", "least_cell": 0.1}
        return cls(value, heads, down=heads, **{**settings, **options})

    def banded(self, n: int) -> Banded:
        """The same blocks in n lines below each other, as an alternative for `fit`."""
        return Banded(self, n)

    # Where it stands

    @property
    def least(self) -> Size:
        return self.least_in(self._n_bands)

    def least_in(self, n_bands: int) -> Size:
        """The smallest size in so many lines."""
        asks, side = self._asks, self._cells[0]
        return asks.extent(side, max(side, asks.least_height), asks.bands(n_bands))

    @property
    def most(self) -> Size:
        return self.most_in(self._n_bands)

    def most_in(self, n_bands: int) -> Size:
        """The largest size in so many lines."""
        asks, side = self._asks, self._cells[1]
        return asks.extent(side, side, asks.bands(n_bands))

    def place(self, region: Region) -> None:
        """Stand in the middle of a region; the tiles of a strip stay where they are."""
        self.place_in(region, self._n_bands)

    def place_in(self, region: Region, n_bands: int) -> None:
        """Stand in so many lines in the middle of a region."""
        asks = self._asks
        bands: Bands = asks.bands(n_bands)
        plan = asks.plan(region, *asks.cell(region, bands, *self._cells), bands)
        self.plan = plan
        tokens = self.tokens
        starts = {band[0] for band in bands}
        for d, line in enumerate(self.panels):
            for a, panel in enumerate(line):
                first_band = isinstance(self.rows, Strip) and a == bands[0][0]
                words = tokens if a in starts and not first_band else None
                if isinstance(panel, ZeroPanel):
                    panel.stand(plan.regions[d, a])
                else:
                    panel.stand(plan.regions[d, a], words)
        self.write_titles()
        self.submobjects = [*(panel for line in self.panels for panel in line), *self.titles]
        self.show(self.state)

    @property
    def tokens(self) -> Value | None:
        """The words of the rows."""
        if isinstance(self.rows, Strip):
            return self.rows.shown if isinstance(self.rows.shown, Value) else None
        return self.rows

    @property
    def is_banded(self) -> bool:
        """Whether blocks of columns stand in several lines."""
        return self.plan is not None and len(self.plan.bands) > 1

    # What it shows

    def show(self, state: NDArray[np.float64]) -> None:
        for panel in self.cells:
            panel.shown = self.shown
            panel.show(state)

    def set_to(self, value: Value) -> None:
        self.shown = value
        for panel in self.cells:
            panel.set_to(value)

    def readings(self) -> Iterator[Reading]:
        """The plain zeros, the names of the blocks, and the tiles beside the rows; the cells and
        the words over them are read by their panels."""
        if self.plan is None:
            return
        for line in self.panels:
            for panel in line:
                if isinstance(panel, ZeroPanel):
                    yield from panel.readings(self.shown)
        yield from self.title_readings()
        yield from self._tile_readings()

    def _tile_readings(self) -> Iterator[Reading]:
        """Which token stands at which row, in every block of the first line."""
        strip, plan = self.rows, self.plan
        if not isinstance(strip, Strip) or not self.labelled or plan is None:
            return
        for k in range(len(strip.shown.content)):
            tile = strip.tiles[k]
            if k in strip.moving or not is_visible(tile.label):
                continue
            for a in plan.bands[0]:
                lattice: Lattice = self.block(self.across[a].name).lattice
                row, _ = lattice.at(tile.middle)
                i = lattice.nearest(tile.middle)[0]
                says = tile.label.text if abs(row - i) < 0.1 else f"{tile.label.text} off its row"
                yield Reading(strip.shown[i], says)

    # How it is made

    @property
    def _asks(self) -> Measures:
        first = [
            next((p for p in c if isinstance(p, Panel)), None)
            for c in zip(*self.panels, strict=True)
        ]

        def words(a: int, width: float) -> float:
            panel = first[a]
            return 0.0 if panel is None else panel.word_room(width)

        return Measures(
            tuple(block.n for block in self.across),
            tuple(block.n for block in self.down),
            tuple(block.room for block in self.across),
            self._left,
            words,
            0.0 if self.rows is None else _LEAST_ROW,
            self._tallest,
        )

    @property
    def _left(self) -> float:
        """The room for what stands on the left."""
        if isinstance(self.rows, Strip):
            return self.tile_width + self._number_room + LABEL_GAP
        if isinstance(self.rows, Value):
            return max(text_width(str(w), MIN_SIZE) for w in self.rows.content) + LABEL_GAP
        return 1.3 * MIN_SIZE * PX + LABEL_GAP if self.has_down else 0.0

    @property
    def tile_width(self) -> float:
        """The width of a tile beside its row."""
        return self.rows.measures.width(MIN_SIZE) if isinstance(self.rows, Strip) else 0.0

    @property
    def _number_room(self) -> float:
        return _NUMBER if isinstance(self.rows, Strip) and self.rows.measures.numbered else 0.0

    def tile_places(self) -> tuple[NDArray[np.float64], tuple[float, float]]:
        """The middles of tiles beside their rows, (R, 2), and the width and height of tiles."""
        assert self.plan is not None
        panel = self.block(self.across[0].name)
        region, n = panel.region, panel.n_rows
        pitch = region.height / n
        x = region.left - LABEL_GAP - self.tile_width / 2
        if (spare := self.across[0].room - region.width) > 0:
            x -= spare / 2
        y = region.top - (np.arange(n) + 0.5) * pitch
        return np.column_stack([np.full(n, x), y]), (self.tile_width, min(pitch - _SEAM, 0.5))


def _bounds(
    whole: NDArray[np.float64], low: float | None, high: float | None
) -> tuple[float, float]:
    """From 0 to the most; of signed values, the largest on both sides."""
    largest = float(np.abs(whole).max(initial=0.0)) or 1.0
    signed = float(whole.min(initial=0.0)) < 0
    least = (-largest if signed else 0.0) if low is None else low
    return least, largest if high is None else high
