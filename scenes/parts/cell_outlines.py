"""Outlines of cells: of one cell in each row, of any cells, and of rows, columns and blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
from manim import Create, VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.cells import Lattice
from clockhead.scenes.parts.paths import rectangle_middles, rectangles
from clockhead.scenes.stage import Picture, Reading, Steps, Value
from clockhead.scenes.stage.shown import Passing, is_visible
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, FadeOut, together
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.theme import Role, theme

_WIDTH = 4.0
_TOLERANCE = 0.02


class Outline(Picture):
    """An outline around one cell in each row; the value (R,) is its column.

    There is none where the value is negative or not finite, or the row is not in `rows`. `to`
    another value moves the outlines along their rows; `trace` shows them one after another, each
    moving out of the one before.
    """

    def __init__(
        self,
        columns: Value,
        lattice: Callable[[], Lattice],
        *,
        role: Role = "token",
        rows: Sequence[int] | None = None,
        width: float = _WIDTH,
    ) -> None:
        super().__init__(columns)
        self._lattice = lattice
        n = len(columns)
        self._rows = list(range(n) if rows is None else rows)
        self.path = Shape(stroke_color=theme().text_color(role), stroke_width=width)
        self.add(self.path)
        self._progress = float(n)
        self.show(columns.array)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the outlines around these columns (R,), as far as `trace` has got."""
        places = [(float(i), float(state[i])) for i in self._rows if 0 <= state[i] < np.inf]
        there = int(np.floor(self._progress))
        drawn = places[:there]
        if 0 < there < len(places) and self._progress > there:
            last, following = np.array(places[there - 1]), np.array(places[there])
            row, column = last + (following - last) * (self._progress - there)
            drawn = [*drawn, (float(row), float(column))]
        draw_around(self.path, self._lattice(), [(row, column, 1, 1) for row, column in drawn])

    def trace(self, *, run_time: float = 2.0) -> Drive:
        """Show them one after another, each moving out of the one above it."""
        n = len(self._rows)
        return self.drive("_progress", 1.0, float(n), run_time=run_time, rate_func=in_steps(n - 1))

    def readings(self) -> Iterator[Reading]:
        """The column of the outline in each row."""
        if not is_visible(self.path) or not len(self.path.points):
            return
        lattice = self._lattice()
        for middle in rectangle_middles(self.path.points):
            row, column = lattice.at(middle)
            index = lattice.nearest(middle)[0]
            stepping = isinstance(self.shown, Passing) or self._progress < len(self._rows)
            if abs(row - round(row)) < _TOLERANCE:
                yield Reading(self.shown[index], column, _TOLERANCE)
            elif not stepping:
                yield Reading(self.shown[index], "between two rows")


class FramedCells(Picture):
    """Outlines around the cells where a value (R, C) is not 0, in one or more matrices."""

    def __init__(self, value: Value, *lattices: Lattice, role: Role, width: float = _WIDTH) -> None:
        super().__init__(value)
        self._lattices = lattices
        color = theme().text_color(role)
        self.paths = [Shape(stroke_color=color, stroke_width=width) for _ in lattices]
        self.add(*self.paths)
        self.show(self.state)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the frames of a value (R, C)."""
        blocks = [(float(i), float(j), 1, 1) for i, j in np.argwhere(state)]
        for path, lattice in zip(self.paths, self._lattices, strict=True):
            draw_around(path, lattice, blocks)

    def readings(self) -> Iterator[Reading]:
        """The cells that are framed but should not be, or the other way round."""
        for path, lattice in zip(self.paths, self._lattices, strict=True):
            if len(path.points) and not is_visible(path):
                continue
            *places, are_centred = lattice.places(rectangle_middles(path.points))
            if not are_centred.all():
                yield Reading(self.shown[0, 0], "a frame beside its cell")
            framed = np.zeros(self.state.shape, dtype=np.bool_)
            framed[tuple(axis[are_centred] for axis in places)] = True
            for i, j in np.argwhere(framed != (self.state != 0)).tolist():
                yield Reading(self.shown[i, j], "a frame" if framed[i, j] else "no frame")


class CellFrame(Shape):
    """A frame around a region of cells: one cell, a row, a column or a block."""

    def __init__(self, region: Region, role: Role = "token", width: float = _WIDTH) -> None:
        super().__init__(stroke_color=theme().text_color(role), stroke_width=width)
        self._draw_edges(np.array([region.left, region.bottom, region.right, region.top]))

    @property
    def region(self) -> Region:
        """The region inside it."""
        return Region.around(self.points)

    def trace(
        self, *regions: Region, run_time: float = 1.0, rate: Callable[[float], float] | None = None
    ) -> Drive:
        """Move it from region to region; without a `rate` it pauses at each."""
        stops = [self.region, *regions]
        edges = np.array([[r.left, r.bottom, r.right, r.top] for r in stops])  # (stops, 4)

        def show(place: NDArray[np.float64]) -> None:
            before = min(int(place), len(edges) - 2)
            share = float(place) - before
            self._draw_edges(edges[before] * (1 - share) + edges[before + 1] * share)

        n = len(regions)
        return Drive(self, show, 0.0, float(n), run_time=run_time, rate_func=rate or in_steps(n))

    def _draw_edges(self, edges: NDArray[np.float64]) -> None:
        self.set_points(rectangles(*edges))


def walk(
    frames: Sequence[CellFrame],
    ways: Iterable[Sequence[Region]],
    run_time: float,
    *,
    come: float = 0.4,
    go: float = 0.4,
) -> Steps:
    """Fade in frames (`come` seconds), move each along its regions, and fade out (`go` seconds)."""
    yield together(*map(Create, frames), run_time=come)
    steps = [frame.trace(*way) for frame, way in zip(frames, ways, strict=True)]
    yield together(*steps, run_time=run_time)
    yield FadeOut(*frames, run_time=go)


def draw_around(
    path: VMobject, lattice: Lattice, blocks: Sequence[tuple[float, float, int, int]]
) -> None:
    """Draw a rectangle around each block of cells: first row, first column, rows, columns."""
    if not blocks:
        path.clear_points()
        return
    row, column, n_rows, n_columns = np.array(blocks, dtype=float).T
    left = lattice.region.left + column * lattice.cell_width
    top = lattice.region.top - row * lattice.cell_height
    bottom, right = top - n_rows * lattice.cell_height, left + n_columns * lattice.cell_width
    path.set_points(rectangles(left, bottom, right, top))


def in_steps(n: int) -> Callable[[float], float]:
    """A rate function that pauses between n steps of equal length."""

    def rate(share: float) -> float:
        if share >= 1 or n < 1:
            return float(share >= 1)
        whole, rest = divmod(share * n, 1.0)
        moved = min(1.0, rest / 0.7)
        return float((whole + moved * moved * (3 - 2 * moved)) / n)

    return rate
