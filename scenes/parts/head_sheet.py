"""A sheet of heads: the patterns of many heads as small squares, each under its name.

Every pattern is one raster, so a hundred heads of fifty tokens are drawn in a moment. The squares
stand in an arrangement, a row for each layer or a shelf for each kind of head, and move from one to
another. A sheet is read back: the pixels under a name must be the pattern of this head.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import ceil

import numpy as np
from manim import smooth
from numpy.typing import NDArray

from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.cells import SHADES, Lattice, Ramp, steps
from clockhead.scenes.stage import Picture, Reading, Size, Value
from clockhead.scenes.stage.shown import Readings, is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.raster import Raster
from clockhead.scenes.style.shape import Shapes
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import Role, rgb, theme
from clockhead.scenes.style.type import LABEL, MIN_SIZE

Head = tuple[int, int]
"""A layer and a head of it, both from 0."""

_MOST_TILE, _LEAST_TILE = 5.2, 0.2
"""How large a square is, in units."""
_GAP = 0.14
"""Between two squares, as a share of one."""
_NAME = 1.4
"""The height of a name, in ems; it stands under its square."""
_NAMED = 30.0
"""The largest size of names, in pixels at 720p."""
_WORTH = 1.7
"""So many times as large squares without names would have to be, to be better."""
_CLEARER = 0.016
"""How much of that each pixel of their size adds."""
_BLOCK_GAP = 0.5
"""Between two blocks of layers, in units."""
_TITLE, _UNDER, _ASIDE, _SHELF_GAP = 28.0, 0.16, 0.4, 0.24
"""The size of a shelf's title in pixels; the room under it, beside it and between shelves."""
_NOTHING = 0.01
"""The side of a square, in units, that is none."""
_FADE = 0.18
"""The share of a motion in which names go, and come again."""


def name_of(head: Head) -> str:
    """How a head is called in the field: `4.11` is head 11 of layer 4."""
    return f"{head[0]}.{head[1]}"


@dataclass(frozen=True, eq=False)
class Cells:
    """Values from 0 to `high` as colours, and back; what is hidden is not there at all."""

    ramp: Ramp
    high: float
    hidden: NDArray[np.bool_] | None

    @cached_property
    def _colors(self) -> NDArray[np.uint8]:
        """The colours of the shades; (SHADES + 1, 4)."""
        shades = [[*(round(255 * part) for part in rgb(one)), 255] for one in self.ramp.colors]
        return np.array(shades, dtype=np.uint8)

    def colors_of(self, table: NDArray[np.float64]) -> NDArray[np.uint8]:
        """The colours of values: (..., R, C) to (..., R, C, 4)."""
        colors = self._colors[steps(table, 0.0, self.high)]
        if self.hidden is not None:
            colors[..., self.hidden, :] = 0
        return colors

    def values_of(self, colors: NDArray[np.uint8]) -> NDArray[np.float64]:
        """The values that colours, (N, 4), stand for; -1 for what is no shade."""
        key = colors.astype(np.int64) @ [1 << 24, 1 << 16, 1 << 8, 1]
        known = self._colors.astype(np.int64) @ [1 << 24, 1 << 16, 1 << 8, 1]
        order = np.argsort(known, kind="stable")
        at = order[np.clip(np.searchsorted(known[order], key), 0, SHADES)]
        return np.where(known[at] == key, at * self.high / SHADES, -1.0)

    @property
    def within(self) -> float:
        """What shades cannot tell apart."""
        return self.high / SHADES * (0.5 + 1e-6)


@dataclass(frozen=True, eq=False)
class Arrangement:
    """Where squares stand: middle and side of each, (N, 3); without a side it is not there."""

    spots: NDArray[np.float64]
    name_size: float
    """The size of names in pixels; 0 where there are none."""
    titles: tuple[tuple[str, NDArray[np.float64]], ...] = ()
    """The titles of shelves, and where they begin, on their baselines."""


@dataclass(frozen=True, eq=False)
class Shelves:
    """Shelves of so many squares (`counts`) in a region, `n_columns` of them side by side."""

    region: Region
    counts: Sequence[int]
    n_columns: int
    title: float
    """The width of the widest title."""
    is_aside: bool
    """Whether titles stand beside the squares, not over them."""
    line: float
    """The height of a name, in units."""
    side: float = 0.0
    """The side of squares; until it is known, the largest with which all of them fit, or 0."""

    def __post_init__(self) -> None:
        if self.side:
            return
        for side in np.linspace(_MOST_TILE, _LEAST_TILE, 201).tolist():
            tried = replace(self, side=side)
            fits = tried.room >= side and (self.is_aside or self.title <= tried.column)
            if fits and tried.height <= self.region.height:
                object.__setattr__(self, "side", side)
                return

    @property
    def over(self) -> float:
        """The room over squares for a title."""
        return 0.0 if self.is_aside else _TITLE * PX + _UNDER

    @property
    def aside(self) -> float:
        """The room beside squares for a title."""
        return self.title + _ASIDE if self.is_aside else 0.0

    @property
    def baseline(self) -> float:
        """How far the baseline of a title is below the top of its shelf."""
        return self.side / 2 + 0.3 * _TITLE * PX if self.is_aside else 0.8 * _TITLE * PX

    @property
    def column(self) -> float:
        """The width of a column of shelves."""
        return (self.region.width - (self.n_columns - 1) * _BLOCK_GAP) / self.n_columns

    @property
    def room(self) -> float:
        """How much of it squares have."""
        return self.column - self.aside

    @property
    def pitch(self) -> float:
        """From one square to the next."""
        return self.side * (1 + _GAP)

    @property
    def across(self) -> int:
        """How many squares stand side by side."""
        return max(1, int((self.room + self.side * _GAP) / self.pitch + 1e-9))

    @property
    def heights(self) -> list[float]:
        """The height of each row of shelves, of which the fullest counts."""
        n = self.n_columns
        fullest = [max(self.counts[k : k + n]) for k in range(0, len(self.counts), n)]
        return [self.over + ceil(k / self.across) * (self.pitch + self.line) for k in fullest]

    @property
    def height(self) -> float:
        """The height of all of it."""
        return sum(self.heights) + _SHELF_GAP * (len(self.heights) - 1)

    @property
    def tops(self) -> list[float]:
        """The upper edge of each row of shelves."""
        tops = [self.region.center[1] + self.height / 2]
        for height in self.heights:
            tops.append(tops[-1] - height - _SHELF_GAP)
        return tops

    def left(self, number: int) -> float:
        """The left edge of a shelf."""
        n, across = self.n_columns, self.across
        widths = []
        for column in range(n):
            fullest = min(across, max(self.counts[column::n]))
            tiles = fullest * self.pitch - self.side * _GAP
            widths.append(self.aside + tiles if self.is_aside else max(tiles, self.title))
        total = sum(widths) + (n - 1) * _BLOCK_GAP
        before = sum(widths[: number % n]) + (number % n) * _BLOCK_GAP
        return float(self.region.center[0] - total / 2 + before)


class HeadSheet(Picture):
    """Patterns (L, H, T, T) as small squares, those of `heads`, or all: as `rows` of layers first.

    Patterns (N, T, T) are those of N `heads`, which may be some of many.
    `causal` leaves out what no token may look at. Shades run from 0 to `high`. Names are as large
    as leaves most room to the squares, or have a `name_size` in pixels.
    """

    def __init__(
        self,
        patterns: Value,
        heads: Sequence[Head] | None = None,
        *,
        causal: bool = True,
        high: float = 1.0,
        role: Role = "attention",
        named: bool = True,
        name_size: float | None = None,
    ) -> None:
        super().__init__(patterns)
        *counts, n_rows, n_columns = self.state.shape
        self.heads: list[Head] = list(heads or np.ndindex(*counts))
        one_by_one = [(k,) for k in range(len(self.heads))]
        places: list[tuple[int, ...]] = [*(self.heads if len(counts) == 2 else one_by_one)]
        self._places = dict(zip(self.heads, places, strict=True))
        self._index = tuple(np.array(places).T)
        largest = np.arange(_NAMED, MIN_SIZE - 1, -2.0).tolist()
        self._name_sizes: list[float] = [name_size] if name_size else largest if named else []
        hidden = ~np.tri(n_rows, n_columns, dtype=np.bool_) if causal else None
        self.cells = Cells(Ramp(getattr(theme(), role)), high, hidden)
        self.tiles = [Raster(n_rows, n_columns) for _ in self.heads]
        self.names = [Label(name_of(head), size=LABEL, align="center") for head in self.heads]
        # A square and its name go to the next shot as one.
        pairs = zip(self.tiles, self.names, strict=True)
        self._cards = [Shapes(tile, name) for tile, name in pairs]
        self.arrangement: Arrangement | None = None
        self._goal = Arrangement(np.zeros((len(self.heads), 3)), 0.0)

    # Where it stands

    @property
    def least(self) -> Size:
        side = _LEAST_TILE * len(self.heads) ** 0.5 * (1 + _GAP)
        return Size(side, side)

    @property
    def most(self) -> Size:
        side = _MOST_TILE * len(self.heads) * (1 + _GAP)
        return Size(side, side)

    def place(self, region: Region) -> None:
        """Stand in rows, one for each layer."""
        self.stand(self.rows(region))

    def stand(self, arrangement: Arrangement) -> None:
        """Stand in an arrangement, at once."""
        self.add(*self._cards)
        self.show(self.state)
        self._put(arrangement, arrangement.spots, float(arrangement.name_size > 0))
        self.arrangement = self._goal = arrangement

    def go(self, arrangement: Arrangement, *, run_time: float = 2.0) -> Drive:
        """Let the squares move to another arrangement; their names go before and come after."""
        start, self._goal = self._now, arrangement
        before, after = start.name_size > 0, arrangement.name_size > 0

        def show(share: NDArray[np.float64]) -> None:
            at = float(share)
            if at >= 1:
                self._put(arrangement, arrangement.spots, float(after))
                self.arrangement = arrangement
                return
            moved = smooth(min(1.0, max(0.0, (at - _FADE) / (1 - 2 * _FADE))))
            spots = start.spots + (arrangement.spots - start.spots) * moved
            coming = at > 0.5
            seen = (at - 1 + _FADE if coming else _FADE - at) / _FADE
            there = after if coming else before
            self._put(arrangement if coming else start, spots, max(0.0, seen) * there)

        return Drive(self, show, 0.0, 1.0, run_time=run_time, rate_func=lambda share: share)

    def tile(self, head: Head) -> Region:
        """Where the square of a head is now."""
        return Region.around(self.tiles[self.heads.index(head)].points)

    def lattice(self, head: Head) -> Lattice:
        """The cells of the square of a head."""
        return Lattice(self.tile(head), *self.state.shape[-2:])

    def frame(self, head: Head, role: Role = "attention", width: float = 4.0) -> CellFrame:
        """A frame around the square of a head."""
        return CellFrame(self.tile(head).inset(-0.03), role, width)

    # Arrangements

    def rows(self, region: Region) -> Arrangement:
        """A row for each layer; many layers stand in blocks side by side, as fills a region best.

        Names stand under the squares where there is room for them.
        """
        layers = sorted({layer for layer, _ in self.heads})
        each = [[k for k, head in enumerate(self.heads) if head[0] == layer] for layer in layers]
        widest = max(map(len, each))
        found: list[tuple[float, float, float, int]] = []
        for n_blocks, size in product(range(1, len(layers) + 1), (*self._name_sizes, 0.0)):
            high = ceil(len(layers) / n_blocks)
            side = self._side(region, widest * n_blocks, high, n_blocks - 1, size)
            if side > 0 and (not size or self._names_fit(side, size)):
                worth = _WORTH + _CLEARER * size if size else 1.0
                found.append((side * worth, side, size, n_blocks))
        _, side, size, n_blocks = max(found, default=(0.0, _LEAST_TILE, 0.0, 1))
        high = ceil(len(layers) / n_blocks)
        pitch, line = side * (1 + _GAP), _NAME * size * PX
        n_blocks = ceil(len(layers) / high)
        wide = [max(map(len, each[k * high : (k + 1) * high])) for k in range(n_blocks)]
        total = sum(wide) * pitch - n_blocks * side * _GAP + (n_blocks - 1) * _BLOCK_GAP
        left, middle = region.center[0] - total / 2, region.center[1]
        top = middle + (min(high, len(layers)) * (pitch + line) - side * _GAP) / 2
        spots = np.zeros((len(self.heads), 3))
        for number, squares in enumerate(each):
            block, row = divmod(number, high)
            x = left + sum(wide[:block]) * pitch + block * (_BLOCK_GAP - side * _GAP)
            for at, k in enumerate(squares):
                down = row * (pitch + line) + side / 2
                spots[k] = x + at * pitch + side / 2, top - down, side
        return Arrangement(spots, size)

    def shelves(
        self, region: Region, titles: Sequence[str], groups: Sequence[Sequence[Head]]
    ) -> Arrangement:
        """A shelf for each group of heads, with its title over it or beside it.

        Shelves stand in one column or in several, whatever makes the squares largest. Heads of no
        group are not there.
        """
        widest = max(text_width(title, _TITLE, "semibold") for title in titles)
        counts = [len(group) for group in groups]
        sizes = (*self._name_sizes, 0.0)
        found: list[tuple[float, Shelves, float]] = []
        for n_columns, is_aside, size in product(range(1, len(groups) + 1), (0, 1), sizes):
            line = _NAME * size * PX
            way = Shelves(region, counts, n_columns, widest, bool(is_aside), line)
            side = way.side
            if side and (not size or self._names_fit(side, size)):
                found.append((side + 0.02 * size, replace(way, side=side), size))
        if not found:
            smallest = Shelves(region, counts, 1, widest, True, 0.0)
            found = [(0.0, replace(smallest, side=_LEAST_TILE), 0.0)]
        _, way, size = max(found, key=lambda one: one[0])
        spots = self._now.spots.copy()
        spots[:, 2] = 0.0
        tops = way.tops
        places = []
        for number, group in enumerate(groups):
            left, top = way.left(number), tops[number // way.n_columns]
            places.append(np.array([left, top - way.baseline, 0.0]))
            for at, head in enumerate(group):
                row, column = divmod(at, way.across)
                x = left + way.aside + column * way.pitch + way.side / 2
                y = top - way.over - row * (way.pitch + way.line) - way.side / 2
                spots[self.heads.index(head)] = x, y, way.side
        return Arrangement(spots, size, tuple(zip(titles, places, strict=True)))

    def titles(self) -> Shapes:
        """The titles of the shelves that it stands on, or is on its way to."""
        return Shapes(
            *(Label(text, size=_TITLE, weight="semibold").put(at) for text, at in self._goal.titles)
        )

    def zoomed(self, head: Head, region: Region) -> Arrangement:
        """One head as a square that fills a region; the others are not there."""
        spots = self._now.spots.copy()
        spots[:, 2] = 0.0
        side = min(region.width, region.height)
        spots[self.heads.index(head)] = *region.center[:2], side
        return Arrangement(spots, 0.0)

    # What it shows

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw other patterns, of the same shape."""
        colors = self.cells.colors_of(state[self._index])
        for tile, cells in zip(self.tiles, colors, strict=True):
            tile.paint(cells)

    def readings(self) -> Iterator[Reading]:
        """The value of each pixel, one by one."""
        for read in self.read_together():
            yield from read if isinstance(read, Readings) else (read,)

    def read_together(self) -> Iterator[Reading | Readings]:
        """The pixels of each square, for the head whose name stands under it."""
        if self.arrangement is None:
            return
        names = [name for name in self.names if is_visible(name)]
        feet = np.array([name.middle for name in names])  # (N, 3)
        for head, tile in zip(self.heads, self.tiles, strict=True):
            if not is_visible(tile):
                continue
            area = Region.around(tile.points)
            if names:
                foot = np.array([area.center[0], area.bottom, 0.0])
                told = names[int(np.linalg.norm(feet - foot, axis=1).argmin())].text
                layer, number = map(int, told.split("."))
                head = (layer, number)
            there = tile.colors[..., 3] > 0
            i, j = np.nonzero(there)
            says = self.cells.values_of(tile.colors[there])
            at = (np.full(len(i), index) for index in self._places[head])
            yield Readings(
                self.shown, (*at, i, j), says, self.cells.within + self.cells.high * 1e-9
            )

    # How it is done

    @property
    def _now(self) -> Arrangement:
        if self.arrangement is None:
            raise RuntimeError("the sheet stands nowhere before it is placed")
        return self.arrangement

    def _put(self, arrangement: Arrangement, spots: NDArray[np.float64], seen: float) -> None:
        """Stand on spots, (N, 3), with names so far visible."""
        for (x, y, side), tile, name in zip(spots.tolist(), self.tiles, self.names, strict=True):
            half, is_there = side / 2, side > _NOTHING
            if is_there:
                tile.stand_in(Region(x - half, y - half, x + half, y + half))
            else:
                tile.clear_points()
            shown = seen if is_there else 0.0
            if shown and arrangement.name_size:
                em = arrangement.name_size * PX
                name.scale(em / name.em)
                name.center_on(np.array([x, y - half - (_NAME - 0.55) * em, 0.0]))
            name.set_fill(opacity=shown)

    def _side(self, region: Region, across: int, high: int, gaps: int, size: float) -> float:
        """The side of squares of which so many stand side by side and one below the other."""
        wide = (region.width - gaps * _BLOCK_GAP) / (across * (1 + _GAP) - (gaps + 1) * _GAP)
        tall = (region.height - high * _NAME * size * PX) / (high * (1 + _GAP) - _GAP)
        return min(wide, tall, _MOST_TILE)

    def _names_fit(self, side: float, size: float) -> bool:
        widest = max(text_width(name.text, size) for name in self.names)
        return widest <= side * (1 + _GAP) - 0.08
