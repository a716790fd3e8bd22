"""How blocks move: cells ride, one block takes all the room, rows come out of their tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from manim import Animation, VGroup, smooth
from numpy.typing import NDArray

from clockhead.scenes.parts.block_panels import Block, Panel
from clockhead.scenes.parts.blocks import Blocks, set_beside
from clockhead.scenes.parts.cells import Ramp, region_between
from clockhead.scenes.parts.matrix import number_share
from clockhead.scenes.parts.paths import rectangles
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_moves import slide_to
from clockhead.scenes.parts.tile import Tile
from clockhead.scenes.stage import Value
from clockhead.scenes.stage.shown import Passing
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, in_turn
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.theme import Role, mix, theme

End = tuple[int, str, int] | Region
"""A cell (row, name of the block, column in it), or a cell of another picture."""
Ride = tuple[End, End]

_LANDS = 0.85
"""The share of a ride after which its cell fills."""
_TIP = 0.3
"""The share of the time in which tiles turn from a line into labels of rows."""
_ROW = 0.25


def send_cells(
    blocks: Blocks,
    rides: Sequence[Ride],
    role: Role = "value",
    *,
    to: Value | None = None,
    across_first: bool = False,
    run_time: float = 2.4,
    each: float = 0.6,
) -> Drive:
    """Let copies of cells ride along two legs, down and then across, one after another.

    A ride takes the share `each` of the time. With `to`, cells take their new values: those
    that get a copy when it comes, the others meanwhile.
    """
    return Send(blocks, rides, role, to, across_first, each, run_time=run_time)


def focus_on(blocks: Blocks, name: str, down: str, *, run_time: float = 1.4) -> Drive:
    """In a grid, let one block take all the room, and the others shrink away."""
    a, d = blocks.column_of(name), blocks.row_of(down)

    def show(place: NDArray[np.float64]) -> None:
        if blocks.plan is None:
            return
        share, home = float(place), blocks.plan.regions
        edges = np.array([[r.left, r.bottom, r.right, r.top] for r in home.values()])
        whole = Region(*edges[:, :2].min(axis=0).tolist(), *edges[:, 2:].max(axis=0).tolist())
        regions = {}
        for (line, column), region in home.items():
            x = _stretched((region.left, region.right), (whole.left, whole.right), column - a)
            y = _stretched((region.bottom, region.top), (whole.bottom, whole.top), d - line)
            regions[line, column] = region_between(region, Region(x[0], y[0], x[1], y[1]), share)
        seen = np.full(blocks.drawn.seen.shape, 1 - share)
        seen[d, a] = 1.0
        opened = np.full(blocks.drawn.opened.shape, 1 - share)
        opened[blocks.panels[d][a].span] = 1.0
        digits = float(share in (0.0, 1.0))
        blocks.draw(replace(blocks.drawn, regions=regions, seen=seen, opened=opened, digits=digits))

    return Drive(blocks, show, 0.0, 1.0, run_time=run_time)


def recast(blocks: Blocks, name: str, block: Block, *, run_time: float = 1.0) -> Drive:
    """Let a block of columns mean something else: another name, other words, another colour."""
    return Recast(blocks, blocks.column_of(name), block, run_time=run_time)


class Send(Drive):
    """Copies of cells on their ways."""

    def __init__(
        self,
        blocks: Blocks,
        rides: Sequence[Ride],
        role: Role,
        to: Value | None,
        across_first: bool,
        each: float,
        **options: Any,
    ) -> None:
        self._blocks, self._rides, self._goal = blocks, list(rides), to
        self._across_first = across_first
        self._each = each if len(self._rides) > 1 else 1.0
        edge = theme().text_color(role)
        self._copies = VGroup(
            *(Shape(stroke_color=edge, stroke_width=3, fill_opacity=1) for _ in self._rides)
        )
        self._role = role
        super().__init__(
            blocks, lambda s: self._at(float(s)), 0.0, 1.0, rate_func=lambda x: x, **options
        )

    def begin(self) -> None:
        blocks = self._blocks
        if blocks.plan is not None:
            shown = blocks.shown
            self._from = shown if isinstance(shown, Value) else shown.end
            self._states = np.stack([blocks.state, (self._goal or self._from).array])
            self._ends = [(self._region(a), self._region(b)) for a, b in self._rides]
            self._colors = [
                (self._color(a, self._states[0]), self._color(b, self._states[1]))
                for a, b in self._rides
            ]
            blocks.add(self._copies)
        super().begin()

    def finish(self) -> None:
        super().finish()
        self._blocks.remove(self._copies)

    def _at(self, share: float) -> None:
        if self._blocks.plan is None:
            return
        parts = in_turn(share, len(self._rides), self._each)
        for copy, ends, colors, part in zip(
            self._copies, self._ends, self._colors, parts, strict=True
        ):
            away = 0.0 if 0 < part < 1 else 1.0
            copy.set_fill(mix(*colors, float(part)), 1 - away).set_stroke(opacity=1 - away)
            copy.set_points(_on_the_way(*ends, smooth(float(part)), self._across_first))
        if self._goal is not None:
            self._fill(share, parts)

    def _fill(self, share: float, parts: NDArray[np.float64]) -> None:
        blocks, goal = self._blocks, self._goal
        assert goal is not None
        if share >= 1:
            blocks.show_digits(1.0)
            blocks.set_to(goal)
            return
        come = np.full(self._states[0].shape, smooth(share))
        for (_, end), part in zip(self._rides, parts, strict=True):
            if not isinstance(end, Region):
                panel = blocks.block(end[1])
                at = panel.down.first + end[0], panel.across.first + end[2]
                come[at] = np.clip((part - _LANDS) / (1 - _LANDS), 0, 1)
        first, last = self._states
        state = first + (last - first) * come
        low, high = np.minimum(first, last), np.maximum(first, last)
        blocks.shown = Passing(self._from, goal, low, high, state)
        blocks.show_digits(number_share(share, self.run_time))
        blocks.show(state)

    def _region(self, end: End) -> Region:
        return end if isinstance(end, Region) else self._blocks.cell(*end)

    def _color(self, end: End, state: NDArray[np.float64]) -> str:
        if isinstance(end, Region):
            return str(getattr(theme(), self._role))
        return self._blocks.block(end[1]).colors_of(state)[end[0]][end[2]]


class Recast(Drive):
    """A block of columns gets another name, other words and another colour."""

    def __init__(self, blocks: Blocks, a: int, block: Block, **options: Any) -> None:
        self._blocks, self._a, self._block = blocks, a, block
        super().__init__(blocks, lambda share: self._at(float(share)), 0.0, 1.0, **options)

    def begin(self) -> None:
        self._before = self._blocks.across[self._a]
        super().begin()

    def _at(self, share: float) -> None:
        blocks, a = self._blocks, self._a
        if blocks.plan is None:
            return
        block = self._block if share >= 0.5 else self._before
        if blocks.across[a] is not block:
            blocks.across[a] = block
            old, new = blocks.titles[a], blocks.title_of(a)
            blocks.titles[a] = new
            blocks.submobjects[blocks.submobjects.index(old)] = new
        first, last = (str(getattr(theme(), b.role)) for b in (self._before, self._block))
        seen = abs(2 * share - 1)
        for line in blocks.panels:
            if isinstance(panel := line[a], Panel):
                panel.recast(block, Ramp(mix(first, last, share)), seen)
        blocks.titles[a].set_fill(opacity=seen)


def _stretched(
    own: tuple[float, float], whole: tuple[float, float], after: int
) -> tuple[float, float]:
    """All the room for the chosen line; none, at one end of it, for those before and after."""
    if after == 0:
        return whole
    edge, sign = (whole[1], -1) if after > 0 else (whole[0], 1)
    return (edge - 0.002, edge) if sign < 0 else (edge, edge + 0.002)


def _on_the_way(
    start: Region, end: Region, share: float, across_first: bool
) -> NDArray[np.float64]:
    """A copy of a cell so far along its two legs."""
    a, b = start.center, end.center
    corner = np.array([b[0], a[1], 0.0] if across_first else [a[0], b[1], 0.0])
    first, second = (float(np.linalg.norm(leg)) for leg in (corner - a, b - corner))
    gone = share * (first + second)
    if gone <= first and first > 0:
        middle = a + (corner - a) * gone / first
    else:
        middle = corner + (b - corner) * (gone - first) / max(second, 1e-9)
    size = np.array([start.width, start.height]) * (1 - share)
    x, y = 0.46 * (size + np.array([end.width, end.height]) * share)
    return rectangles(middle[0] - x, middle[1] - y, middle[0] + x, middle[1] + y)


def unfold_rows(blocks: Blocks, name: str, *, run_time: float = 3.6) -> list[Animation]:
    """Let the tiles become labels of the rows, and unfold: in block `name`, a copy of each
    drops into the column in which its row has most."""
    strip = blocks.strip
    if blocks.plan is None:
        return [Drive(blocks, lambda _: None, 0.0, 1.0, run_time=run_time)]
    tip = Tip(blocks, *blocks.tile_places(), beside=True, run_time=run_time)
    return [tip, _Unfold(blocks, strip, name, run_time=run_time)]


def leave_rows(
    blocks: Blocks,
    places: NDArray[np.float64],
    box: tuple[float, float],
    *,
    run_time: float = 1.6,
) -> Drive:
    """Let the tiles leave their rows, which stay as they are, for given middles."""
    return Tip(blocks, places, box, beside=False, run_time=run_time)


class Tip(Drive):
    """Tiles go between a line and the labels of rows; their numbers go to the other side.

    On their way back they take the whole time; when they come, rows unfold in most of it.
    """

    def __init__(
        self,
        blocks: Blocks,
        goal: NDArray[np.float64],
        box: tuple[float, float],
        *,
        beside: bool,
        run_time: float,
    ) -> None:
        self._blocks, self._beside, strip = blocks, beside, blocks.strip
        self._slide = slide_to(strip, goal, box, rate_func=smooth)
        self._numbers: list[tuple[Tile, NDArray[np.float64]]] = []
        super().__init__(
            strip, lambda s: self._at(float(s)), 0.0, 1.0, rate_func=self._rate, run_time=run_time
        )

    def _rate(self, alpha: float) -> float:
        return min(alpha / _TIP, 1.0) if self._beside else alpha

    def begin(self) -> None:
        self._blocks.labelled = False
        for tile in self._blocks.strip.tiles:
            if tile.number is not None:
                tile.leaves_number = True
                set_beside(tile, self._beside)
                self._numbers.append((tile, tile.number.anchor))
        self._slide.begin()
        super().begin()

    def finish(self) -> None:
        super().finish()
        self._slide.finish()
        for tile, _ in self._numbers:
            tile.leaves_number = False
            tile.draw(tile.state)
        self._blocks.labelled = self._beside

    def _at(self, share: float) -> None:
        self._slide.interpolate_mobject(share)
        part = smooth(share)
        for tile, start in self._numbers:
            if tile.number is not None:
                tile.number.put(start + (tile.number_spot - start) * part)


class _Unfold(Drive):
    """The rows come out of their tiles."""

    def __init__(self, blocks: Blocks, strip: Strip, name: str, **options: Any) -> None:
        self._blocks, self._strip, self._name = blocks, strip, name
        self._copies: list[Tile] = []
        self._flying = VGroup()
        super().__init__(
            blocks, lambda s: self._at(float(s)), 0.0, 1.0, rate_func=lambda x: x, **options
        )

    def begin(self) -> None:
        blocks, strip = self._blocks, self._strip
        panel = blocks.block(self._name)
        places, box = blocks.tile_places()
        self._starts = strip.states_on(places, box)
        part = blocks.state[:, panel.across.span]
        self._columns = [int(np.argmax(row)) if row.any() else -1 for row in part]
        self._copies = [_copy(strip, i) for i in range(len(part))]
        self._flying = VGroup(*self._copies)
        blocks.add(self._flying)
        super().begin()

    def finish(self) -> None:
        super().finish()
        self._blocks.remove(self._flying)

    def _at(self, share: float) -> None:
        blocks, n = self._blocks, len(self._columns)
        leave = _TIP + (1 - _TIP - _ROW) * np.arange(n) / max(n - 1, 1)
        parts = np.clip((share - leave) / _ROW, 0.0, 1.0)  # (R,)
        chosen = blocks.block(self._name)
        total = sum(block.n for block in blocks.across)

        def opened(panel: Panel) -> NDArray[np.float64]:
            at = (panel.across.first + np.arange(panel.n_columns)) / total
            come = np.clip((2 * parts[:, None] - at) / 0.5, 0, 1)
            if panel is chosen:
                for i, j in enumerate(self._columns):
                    if j >= 0:
                        come[i, j] = float(parts[i] >= 1)
            return np.asarray(come)

        blocks.reveal(float(np.clip((share - 0.5 * _TIP) / (0.5 * _TIP), 0, 1)), opened)
        for i, (copy, j) in enumerate(zip(self._copies, self._columns, strict=True)):
            part = smooth(float(parts[i]))
            copy.present = float(0 < part < 1 and j >= 0)
            copy.worded = max(0.0, 1 - 1.5 * part)
            if copy.present:
                room = chosen.cell(i, j)
                end = [*room.center[:2], room.width, room.height, self._starts[i][4]]
                copy.draw(self._starts[i] + (np.array(end) - self._starts[i]) * part)
            copy.dress()


def _copy(strip: Strip, i: int) -> Tile:
    copy = strip.copy_of(i)
    copy.present = 0.0
    copy.dress()
    return copy
