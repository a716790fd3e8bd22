"""Animations of blocks: cells travel from block to block, and rows unfold from their tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from manim import Animation, VGroup, linear, smooth
from numpy.typing import NDArray

from clockhead.scenes.parts.block_panels import Panel
from clockhead.scenes.parts.blocks import Blocks, set_beside
from clockhead.scenes.parts.matrix import number_share
from clockhead.scenes.parts.paths import rectangles
from clockhead.scenes.parts.strip import slide_to
from clockhead.scenes.stage import Value
from clockhead.scenes.stage.shown import Passing
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, Gesture, in_turn, stay
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.theme import Role, mix, theme

End = tuple[int, str, int] | Region
"""A cell (row, name of the block, column in the block), or a cell of another picture."""
Ride = tuple[End, End]

_LANDING = 0.85
"""Fraction of a ride after which the cell at its end starts to fill."""
_TIP = 0.3
"""Fraction of the time in which tiles turn from a line into labels of rows."""
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
    """Move copies of cells in two legs, down and then across, one after another.

    Each ride takes the fraction `each` of the time. With `to`, cells change to their new values:
    those at the end of a ride when the copy arrives, the others during the whole motion.
    """
    each = each if len(rides) > 1 else 1.0
    edge = theme().text_color(role)
    copies = VGroup(*(Shape(stroke_color=edge, stroke_width=3, fill_opacity=1) for _ in rides))

    def region(end: End) -> Region:
        return end if isinstance(end, Region) else blocks.cell(*end)

    def color(end: End, state: NDArray[np.float64]) -> str:
        if isinstance(end, Region):
            return str(getattr(theme(), role))
        return blocks.block(end[1]).colors_of(state)[end[0]][end[2]]

    def prepare() -> Callable[[float], None]:
        if blocks.plan is None:
            return stay
        start = blocks.shown if isinstance(blocks.shown, Value) else blocks.shown.end
        states = np.stack([blocks.state, (to or start).array])
        ends = [(region(a), region(b)) for a, b in rides]
        colors = [(color(a, states[0]), color(b, states[1])) for a, b in rides]
        blocks.add(copies)

        def at(share: float) -> None:
            parts = in_turn(share, len(rides), each)
            for copy, way, inks, part in zip(copies, ends, colors, parts, strict=True):
                there = float(0 < part < 1)
                copy.set_fill(mix(*inks, float(part)), there).set_stroke(opacity=there)
                copy.set_points(_ride_rectangle(*way, smooth(float(part)), across_first))
            if to is not None:
                _fill(blocks, rides, (start, to), states, share, parts, ride.run_time)

        return at

    def settle() -> None:
        blocks.remove(copies)

    ride = Gesture(blocks, prepare, settle, run_time=run_time, rate_func=linear)
    return ride


def _fill(
    blocks: Blocks,
    rides: Sequence[Ride],
    values: tuple[Value, Value],
    states: NDArray[np.float64],
    share: float,
    parts: NDArray[np.float64],
    run_time: float,
) -> None:
    """Change cells to their new values: those at the end of a ride when it is over."""
    start, goal = values
    if share >= 1:
        blocks.show_digits(1.0)
        blocks.set_to(goal)
        return
    come = np.full(states[0].shape, smooth(share))
    for (_, end), part in zip(rides, parts, strict=True):
        if not isinstance(end, Region):
            panel = blocks.block(end[1])
            at = panel.down.first + end[0], panel.across.first + end[2]
            come[at] = np.clip((part - _LANDING) / (1 - _LANDING), 0, 1)
    state = states[0] + (states[1] - states[0]) * come
    blocks.shown = Passing(start, goal, states.min(axis=0), states.max(axis=0), state)
    blocks.show_digits(number_share(share, run_time))
    blocks.show(state)


def _ride_rectangle(
    start: Region, end: Region, share: float, across_first: bool
) -> NDArray[np.float64]:
    """The rectangle of a copy after a fraction of its two-legged path."""
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
    """Turn the tiles into labels of the rows, then unfold the rows.

    In block `name`, a copy of each tile drops into the column where its row is largest.
    """
    if blocks.plan is None:
        return [Drive(blocks, lambda _: None, 0.0, 1.0, run_time=run_time)]
    tip = _move_tiles(blocks, *blocks.tile_places(), beside=True, run_time=run_time)
    return [tip, _unfold(blocks, name, run_time)]


def leave_rows(
    blocks: Blocks, places: NDArray[np.float64], box: tuple[float, float], *, run_time: float = 1.6
) -> Drive:
    """Move the tiles away from their rows to these middles; the rows stay as they are."""
    return _move_tiles(blocks, places, box, beside=False, run_time=run_time)


def _move_tiles(
    blocks: Blocks,
    goal: NDArray[np.float64],
    box: tuple[float, float],
    *,
    beside: bool,
    run_time: float,
) -> Gesture:
    """Move tiles from a line to the labels of rows, or away from there; their numbers change sides.

    Moving away takes the whole time; moving in is quicker, because the rows unfold afterwards.
    """
    slide = slide_to(blocks.strip, goal, box)
    numbered = [tile for tile in blocks.strip.tiles if tile.number is not None]

    def prepare() -> Callable[[float], None]:
        blocks.labelled = False
        for tile in numbered:
            tile.leaves_number = True
            set_beside(tile, beside)
        starts = [tile.number.anchor for tile in numbered if tile.number is not None]
        slide.begin()

        def at(share: float) -> None:
            slide.interpolate_mobject(share)
            for tile, start in zip(numbered, starts, strict=True):
                if tile.number is not None:
                    tile.number.put(start + (tile.number_spot - start) * smooth(share))

        return at

    def settle() -> None:
        slide.finish()
        for tile in numbered:
            tile.leaves_number = False
            tile.draw(tile.state)
        blocks.labelled = beside

    def rate(alpha: float) -> float:
        return min(alpha / _TIP, 1.0) if beside else alpha

    return Gesture(blocks.strip, prepare, settle, rate_func=rate, run_time=run_time)


def _unfold(blocks: Blocks, name: str, run_time: float) -> Gesture:
    """Unfold the rows from their tiles."""
    strip, flying = blocks.strip, VGroup()

    def prepare() -> Callable[[float], None]:
        chosen = blocks.block(name)
        starts = strip.states_on(*blocks.tile_places())
        rows = blocks.state[:, chosen.across.span]
        columns = [int(np.argmax(row)) if row.any() else -1 for row in rows]
        copies = [strip.copy_of(i) for i in range(len(rows))]
        for copy in copies:  # without its word, which would cover the word of the original
            copy.present = copy.worded = 0.0
            copy.dress()
        flying.add(*copies)
        blocks.add(flying)
        n, total = len(columns), sum(block.n for block in blocks.across)
        leave = _TIP + (1 - _TIP - _ROW) * np.arange(n) / max(n - 1, 1)

        def at(share: float) -> None:
            parts = np.clip((share - leave) / _ROW, 0.0, 1.0)  # (R,)

            def opened(panel: Panel) -> NDArray[np.float64]:
                place = (panel.across.first + np.arange(panel.n_columns)) / total
                come = np.clip((2 * parts[:, None] - place) / 0.5, 0, 1)
                if panel is chosen:
                    for i, j in enumerate(columns):
                        if j >= 0:
                            come[i, j] = float(parts[i] >= 1)
                return np.asarray(come)

            blocks.reveal(float(np.clip((share - 0.5 * _TIP) / (0.5 * _TIP), 0, 1)), opened)
            for i, (copy, j) in enumerate(zip(copies, columns, strict=True)):
                part = smooth(float(parts[i]))
                copy.present = float(0 < part < 1 and j >= 0)
                if copy.present:
                    room = chosen.cell(i, j)
                    end = [*room.center[:2], room.width, room.height, starts[i][4]]
                    copy.draw(starts[i] + (np.array(end) - starts[i]) * part)
                copy.dress()

        return at

    return Gesture(
        blocks, prepare, lambda: blocks.remove(flying), run_time=run_time, rate_func=linear
    )
