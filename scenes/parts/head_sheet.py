"""A sheet of heads: the patterns of many heads as small squares, each above its name.

Every pattern is one raster, so that a hundred heads with fifty tokens are drawn in a moment. The
squares are in an arrangement, a row for each layer or a shelf for each kind of head, and move from
one arrangement to another. A sheet is read back: the pixels above a name must be the pattern of
that head.
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
"""A layer and a head in it, both from 0."""

_MOST_TILE, _LEAST_TILE = 5.2, 0.2
"""Largest and smallest side of a square, in units."""
_GAP = 0.14
"""Gap between two squares, as a fraction of their side."""
_NAME = 1.4
"""Height of the line of names below the squares, in ems."""
_LARGEST_NAME = 30.0
"""Largest size of names, in pixels at 720p."""
_NAMES_FACTOR = 1.7
"""Squares without names must be this many times larger to be preferred to squares with names."""
_NAMES_FACTOR_PER_PIXEL = 0.016
"""Addition to that factor for each pixel of the names' size."""
_BLOCK_GAP = 0.5
"""Gap between two blocks of layers, in units."""
_TITLE = 28.0
"""Size of a shelf's title, in pixels."""
_UNDER = 0.16
"""Gap below a title that is above its squares, in units."""
_ASIDE = 0.4
"""Gap beside a title that is left of its squares, in units."""
_SHELF_GAP = 0.24
"""Gap between shelves, in units."""
_SMALLEST_SIDE = 0.01
"""A square whose side, in units, is smaller than this is not drawn."""
_FADE = 0.18
"""Fraction of a motion in which names fade out at its start, and fade in at its end."""


def name_of(head: Head) -> str:
    """The usual name of a head: `4.11` is head 11 of layer 4."""
    return f"{head[0]}.{head[1]}"


@dataclass(frozen=True, eq=False)
class Cells:
    """Colours of values from 0 to `high`, and values of colours; hidden cells are transparent."""

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
        """The values of colours, (N, 4); -1 for a colour that is no shade."""
        key = colors.astype(np.int64) @ [1 << 24, 1 << 16, 1 << 8, 1]
        known = self._colors.astype(np.int64) @ [1 << 24, 1 << 16, 1 << 8, 1]
        order = np.argsort(known, kind="stable")
        at = order[np.clip(np.searchsorted(known[order], key), 0, SHADES)]
        return np.where(known[at] == key, at * self.high / SHADES, -1.0)

    @property
    def within(self) -> float:
        """Tolerance of a value read from a colour: half the step between two shades."""
        return self.high / SHADES * (0.5 + 1e-6)


@dataclass(frozen=True, eq=False)
class Arrangement:
    """The position of each square: middle and side, (N, 3). A square with side 0 is not drawn."""

    spots: NDArray[np.float64]
    name_size: float
    """The size of names in pixels; 0 for no names."""
    titles: tuple[tuple[str, NDArray[np.float64]], ...] = ()
    """The titles of shelves, and the left ends of their baselines."""


@dataclass(frozen=True, eq=False)
class Shelves:
    """Layout of shelves with `counts` squares in a region, `n_columns` shelves side by side."""

    region: Region
    counts: Sequence[int]
    n_columns: int
    title: float
    """The width of the widest title."""
    is_aside: bool
    """Whether titles are beside the squares, not above them."""
    line: float
    """The height of a name, in units."""
    side: float = 0.0
    """The side of squares; if it is 0, the largest with which all of them fit, or 0 if none does.
    """

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
        """Height above the squares for a title."""
        return 0.0 if self.is_aside else _TITLE * PX + _UNDER

    @property
    def aside(self) -> float:
        """Width beside the squares for a title."""
        return self.title + _ASIDE if self.is_aside else 0.0

    @property
    def baseline(self) -> float:
        """Distance of a title's baseline from the top of its shelf."""
        return self.side / 2 + 0.3 * _TITLE * PX if self.is_aside else 0.8 * _TITLE * PX

    @property
    def column(self) -> float:
        """The width of a column of shelves."""
        return (self.region.width - (self.n_columns - 1) * _BLOCK_GAP) / self.n_columns

    @property
    def room(self) -> float:
        """The width of a column that squares can use."""
        return self.column - self.aside

    @property
    def pitch(self) -> float:
        """Distance between neighbouring squares."""
        return self.side * (1 + _GAP)

    @property
    def across(self) -> int:
        """Number of squares side by side."""
        return max(1, int((self.room + self.side * _GAP) / self.pitch + 1e-9))

    @property
    def heights(self) -> list[float]:
        """The height of each row of shelves, which is that of its fullest shelf."""
        n = self.n_columns
        fullest = [max(self.counts[k : k + n]) for k in range(0, len(self.counts), n)]
        return [self.over + ceil(k / self.across) * (self.pitch + self.line) for k in fullest]

    @property
    def height(self) -> float:
        """The total height."""
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
    """Patterns (L, H, T, T) as small squares, those of `heads` or all; first as `rows` of layers.

    Patterns (N, T, T) are those of the N `heads`, which may be a selection. `causal` hides the
    cells above the diagonal. Colours range from 0 to `high`. Names have the size that leaves most
    room for the squares, or `name_size` in pixels.
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
        largest = np.arange(_LARGEST_NAME, MIN_SIZE - 1, -2.0).tolist()
        self._name_sizes: list[float] = [name_size] if name_size else largest if named else []
        hidden = ~np.tri(n_rows, n_columns, dtype=np.bool_) if causal else None
        self.cells = Cells(Ramp(getattr(theme(), role)), high, hidden)
        self.tiles = [Raster(n_rows, n_columns) for _ in self.heads]
        self.names = [Label(name_of(head), size=LABEL, align="center") for head in self.heads]
        # A square and its name are carried over to the next shot together.
        pairs = zip(self.tiles, self.names, strict=True)
        self._cards = [Shapes(tile, name) for tile, name in pairs]
        self.arrangement: Arrangement | None = None
        self._goal = Arrangement(np.zeros((len(self.heads), 3)), 0.0)

    # Position

    @property
    def least(self) -> Size:
        side = _LEAST_TILE * len(self.heads) ** 0.5 * (1 + _GAP)
        return Size(side, side)

    @property
    def most(self) -> Size:
        side = _MOST_TILE * len(self.heads) * (1 + _GAP)
        return Size(side, side)

    def place(self, region: Region) -> None:
        """Place the squares in rows, one for each layer."""
        self.stand(self.rows(region))

    def stand(self, arrangement: Arrangement) -> None:
        """Draw the squares in an arrangement, without an animation."""
        self.add(*self._cards)
        self.show(self.state)
        self._put(arrangement, arrangement.spots, float(arrangement.name_size > 0))
        self.arrangement = self._goal = arrangement

    def go(self, arrangement: Arrangement, *, run_time: float = 2.0) -> Drive:
        """Move the squares to another arrangement; names fade out before and fade in after."""
        start, self._goal = self._current, arrangement
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
        """The region of the square of a head now."""
        return Region.around(self.tiles[self.heads.index(head)].points)

    def lattice(self, head: Head) -> Lattice:
        """The grid of the square of a head."""
        return Lattice(self.tile(head), *self.state.shape[-2:])

    def frame(self, head: Head, role: Role = "attention", width: float = 4.0) -> CellFrame:
        """A frame around the square of a head."""
        return CellFrame(self.tile(head).inset(-0.03), role, width)

    # Arrangements

    def rows(self, region: Region) -> Arrangement:
        """A row for each layer, in blocks side by side if there are many layers.

        Names are below the squares if there is room for them.
        """
        layers = sorted({layer for layer, _ in self.heads})
        each = [[k for k, head in enumerate(self.heads) if head[0] == layer] for layer in layers]
        widest = max(map(len, each))
        found: list[tuple[float, float, float, int]] = []
        for n_blocks, size in product(range(1, len(layers) + 1), (*self._name_sizes, 0.0)):
            high = ceil(len(layers) / n_blocks)
            side = self._side(region, widest * n_blocks, high, n_blocks - 1, size)
            if side > 0 and (not size or self._names_fit(side, size)):
                worth = _NAMES_FACTOR + _NAMES_FACTOR_PER_PIXEL * size if size else 1.0
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
        """A shelf for each group of heads, with its title above or beside it.

        Shelves are in one or more columns, whichever makes the squares largest. Heads that are in
        no group are not drawn.
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
        spots = self._current.spots.copy()
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
        """The titles of the shelves of the current arrangement, or of the one that it moves to."""
        return Shapes(
            *(Label(text, size=_TITLE, weight="semibold").put(at) for text, at in self._goal.titles)
        )

    def zoomed(self, head: Head, region: Region) -> Arrangement:
        """One head as a square that fills a region; the others are not drawn."""
        spots = self._current.spots.copy()
        spots[:, 2] = 0.0
        side = min(region.width, region.height)
        spots[self.heads.index(head)] = *region.center[:2], side
        return Arrangement(spots, 0.0)

    # Readings

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
        """The pixels of each square, for the head whose name is below it."""
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

    # Drawing

    @property
    def _current(self) -> Arrangement:
        if self.arrangement is None:
            raise RuntimeError("the sheet has no cells before it is placed")
        return self.arrangement

    def _put(self, arrangement: Arrangement, spots: NDArray[np.float64], seen: float) -> None:
        """Draw the squares at spots, (N, 3), with names of this opacity."""
        for (x, y, side), tile, name in zip(spots.tolist(), self.tiles, self.names, strict=True):
            half, is_there = side / 2, side > _SMALLEST_SIDE
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
        """The side of squares in a grid of `across` by `high`, with names of this size."""
        wide = (region.width - gaps * _BLOCK_GAP) / (across * (1 + _GAP) - (gaps + 1) * _GAP)
        tall = (region.height - high * _NAME * size * PX) / (high * (1 + _GAP) - _GAP)
        return min(wide, tall, _MOST_TILE)

    def _names_fit(self, side: float, size: float) -> bool:
        widest = max(text_width(name.text, size) for name in self.names)
        return widest <= side * (1 + _GAP) - 0.08
