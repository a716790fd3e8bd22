"""Shaded cells: their layout, colours and paths, and the numbers in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from manim import VMobject
from numpy.typing import ArrayLike, NDArray

from clockhead.scenes.facts import format_fact
from clockhead.scenes.parts.paths import points_at, rectangle_middles, rectangles, straight
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.shape import Shape, Shapes, fill_of
from clockhead.scenes.style.text import Number, text_width
from clockhead.scenes.style.theme import mix, rgb, theme
from clockhead.scenes.style.type import CAP_HEIGHT, MIN_SIZE, X_HEIGHT

SHADES = 64
"""Number of steps from the emptiest colour to the fullest; even, to include a middle."""
_RULE = 0.45
"""Share of the muted colour in rules and hatching: enough for a contrast of 1.5 : 1."""
_SEAM = 0.028
_HATCH = 0.13
"""Distance between two lines of the hatching, in units."""
_TOLERANCE = 0.02
"""How far a shape may be from the middle of a cell, in cells, to be read as that cell's."""
_NUMBER_MARGIN = 0.13
"""Least horizontal space around a number, in units, both sides together."""


def rule_color() -> str:
    """The colour of rules and hatching: a contrast of at least 1.5 : 1 to background and panels."""
    return mix(theme().ground, theme().muted, _RULE)


@dataclass(frozen=True)
class Ramp:
    """Colours from empty to full, or from negative through empty to positive."""

    positive: str
    negative: str | None = None

    @cached_property
    def colors(self) -> list[str]:
        """`SHADES` + 1 colours as `#RRGGBB`."""
        empty = theme().panel
        if self.negative is None:
            return [mix(empty, self.positive, k / SHADES) for k in range(SHADES + 1)]
        half = SHADES // 2
        below = [mix(self.negative, empty, k / half) for k in range(half)]
        return below + [mix(empty, self.positive, k / half) for k in range(half + 1)]

    @cached_property
    def inks(self) -> list[str]:
        """The text colour on each of the colours."""
        return [theme().ink_on(color) for color in self.colors]

    @cached_property
    def _table(self) -> NDArray[np.float64]:
        """The colours as numbers; (SHADES + 1, 3)."""
        return np.array([rgb(color) for color in self.colors])

    @cached_property
    def _steps(self) -> dict[str, int]:
        """The first step with each colour."""
        return {color: step for step, color in reversed(list(enumerate(self.colors)))}

    def step_of(self, color: str) -> int:
        """The step whose colour is nearest to this one."""
        if color in self._steps:
            return self._steps[color]
        return int(np.argmin(np.abs(self._table - rgb(color)).sum(axis=1)))


def steps(values: NDArray[np.float64], low: float, high: float) -> NDArray[np.int64]:
    """The step of each value, (R, C), between two bounds."""
    share = np.clip((values - low) / max(high - low, 1e-300), 0.0, 1.0)
    return np.asarray(np.rint(share * SHADES), dtype=np.int64)


@dataclass(frozen=True)
class Lattice:
    """A grid of cells of equal size that fills a region; row 0 is on top."""

    region: Region
    n_rows: int
    n_columns: int

    @property
    def cell_width(self) -> float:
        return self.region.width / self.n_columns

    @property
    def cell_height(self) -> float:
        return self.region.height / self.n_rows

    def block(self, i: int, j: int, n_rows: int = 1, n_columns: int = 1) -> Region:
        """The region of a block of cells whose upper left cell is (i, j)."""
        left = self.region.left + j * self.cell_width
        top = self.region.top - i * self.cell_height
        right, bottom = left + n_columns * self.cell_width, top - n_rows * self.cell_height
        return Region(left, bottom, right, top)

    @cached_property
    def middles(self) -> NDArray[np.float64]:
        """The middle of every cell: (R, C, 2)."""
        middles = np.empty((self.n_rows, self.n_columns, 2))
        middles[..., 0] = self.region.left + (np.arange(self.n_columns) + 0.5) * self.cell_width
        rows = self.region.top - (np.arange(self.n_rows) + 0.5) * self.cell_height
        middles[..., 1] = rows[:, None]
        return middles

    def at(self, point: ArrayLike) -> tuple[float, float]:
        """Row and column of a point; whole numbers are middles of cells."""
        x, y, *_ = np.asarray(point, dtype=float).tolist()
        row = (self.region.top - y) / self.cell_height - 0.5
        return row, (x - self.region.left) / self.cell_width - 0.5

    def places(
        self, points: NDArray[np.float64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
        """For points (N, 3): rows and columns of the nearest cells, and whether points are
        centred.

        All three are (N,).
        """
        row = (self.region.top - points[:, 1]) / self.cell_height - 0.5
        column = (points[:, 0] - self.region.left) / self.cell_width - 0.5
        i = np.clip(np.rint(row), 0, self.n_rows - 1)
        j = np.clip(np.rint(column), 0, self.n_columns - 1)
        is_middle = np.maximum(np.abs(row - i), np.abs(column - j)) < _TOLERANCE
        return i.astype(np.int64), j.astype(np.int64), is_middle

    def nearest(self, point: ArrayLike) -> tuple[int, int]:
        """The cell whose middle is nearest to a point."""
        row, column = self.at(point)
        i = min(max(round(row), 0), self.n_rows - 1)
        return i, min(max(round(column), 0), self.n_columns - 1)


class Rules(Shape):
    """The lines between cells. They span all cells, so they show where the matrix is."""

    def __init__(self, lattice: Lattice) -> None:
        super().__init__(stroke_color=rule_color(), stroke_width=1.5)
        area = lattice.region
        x = np.linspace(area.left, area.right, lattice.n_columns + 1)
        y = np.linspace(area.bottom, area.top, lattice.n_rows + 1)
        upright = straight(points_at(x, area.bottom), points_at(x, area.top))
        level = straight(points_at(area.left, y), points_at(area.right, y))
        self.set_points(np.concatenate([upright, level]))

    @property
    def region(self) -> Region:
        """The region that they span."""
        return Region.around(self.points)


class Hatching(Shapes):
    """Hatching of cells that do not exist."""

    def __init__(self, lattice: Lattice, hidden: NDArray[np.bool_]) -> None:
        areas = [lattice.block(int(i), int(j)) for i, j in np.argwhere(hidden)]
        lines = [line for area in areas for line in _slants(area.inset(_SEAM / 2))]
        path = Shape(stroke_color=rule_color(), stroke_width=1.5)
        if lines:
            ends = np.array(lines)  # (N, 2, 3)
            path.set_points(straight(ends[:, 0], ends[:, 1]))
        super().__init__(path)


class Brackets(Shape):
    """Square brackets at both sides of cells; a matrix leaves `room` units for each."""

    room = 0.16

    def __init__(self, lattice: Lattice) -> None:
        super().__init__(stroke_color=theme().ink, stroke_width=2.5)
        area, foot = lattice.region.inset(-0.08, -0.04), 0.1
        for x, way in ((area.left, 1), (area.right, -1)):
            ends = [(x + way * foot, area.top), (x, area.top), (x, area.bottom)]
            corners = np.array([(*end, 0.0) for end in [*ends, (x + way * foot, area.bottom)]])
            self.append_points(straight(corners[:-1], corners[1:]))


class ShadedCells(Shapes):
    """Shaded cells, one path for each shade in use."""

    def __init__(self, ramp: Ramp) -> None:
        super().__init__()
        self.ramp = ramp
        self._paths: dict[int, VMobject] = {}

    def recolor(self, ramp: Ramp) -> None:
        """Change the colours to those of another ramp."""
        self.ramp = ramp
        for step, path in self._paths.items():
            path.set_fill(ramp.colors[step])

    def draw(
        self,
        lattice: Lattice,
        step: NDArray[np.int64],
        size: NDArray[np.float64],
        way: NDArray[np.float64],
    ) -> None:
        """Draw cells with shades `step`, (R, C), and sizes from 0 to 1, (R, C).

        `way` is the displacement of each cell from its place, in cells to the right and down; (R,
        C, 2).
        """
        if not size.any() and not self.submobjects:
            return
        pitch = np.array([lattice.cell_width, -lattice.cell_height])
        seam = min(_SEAM, 0.08 * lattice.cell_width, 0.08 * lattice.cell_height)
        half = (np.abs(pitch) - seam) / 2 * size[..., None]  # (R, C, 2)
        middle = lattice.middles + way * pitch
        self.draw_between(middle - half, middle + half, step, size > 0)

    def draw_between(
        self,
        low: NDArray[np.float64],
        high: NDArray[np.float64],
        step: NDArray[np.int64],
        there: NDArray[np.bool_],
    ) -> None:
        """Draw cells between corners, (R, C, 2) each, where `there`, (R, C)."""
        order = np.argsort(step[there], kind="stable")
        shades, first = np.unique(step[there][order], return_index=True)
        points = rectangles(*low[there][order].T, *high[there][order].T)
        ends = 16 * np.array([*first[1:], len(order)])
        self.submobjects = [self._path(int(shade)) for shade in shades]
        for path, start, end in zip(self.submobjects, 16 * first, ends, strict=False):
            path.set_points(points[start:end])

    def _path(self, step: int) -> VMobject:
        if step not in self._paths:
            color = self.ramp.colors[step]
            self._paths[step] = Shape(stroke_width=0, fill_color=color, fill_opacity=1)
        return self._paths[step]

    def seen(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """The middles, (N, 3), and steps, (N,), of the visible cells, read from the paths."""
        paths = [path for path in self.submobjects if path.get_fill_opacity() > 0.05]
        if not paths:
            return np.zeros((0, 3)), np.zeros(0, dtype=np.int64)
        middles = rectangle_middles(np.concatenate([path.points for path in paths]))
        steps = [self.ramp.step_of(fill_of(path)) for path in paths]
        return middles, np.repeat(steps, [len(path.points) // 16 for path in paths])


def region_between(start: Region, end: Region, share: float) -> Region:
    """A region interpolated between two others."""
    if share >= 1:
        return end
    sides = ("left", "bottom", "right", "top")
    ways = ((getattr(start, side), getattr(end, side)) for side in sides)
    return Region(*(a + (b - a) * share for a, b in ways))


def _slants(area: Region) -> Iterator[list[list[float]]]:
    """Slanted lines in an area; they continue in neighbouring areas."""
    first = int(np.ceil((area.left + area.bottom) / _HATCH))
    last = int(np.floor((area.right + area.top) / _HATCH))
    for total in _HATCH * np.arange(first, last + 1):
        left, right = max(area.left, total - area.top), min(area.right, total - area.bottom)
        if right > left:
            yield [[left, total - left, 0.0], [right, total - right, 0.0]]


class CellNumbers(Shapes):
    """A number in each of the `written` cells, row by row.

    With `plain_zeros`, an exact 0 is a muted 0 whatever the format.
    """

    def __init__(
        self, written: NDArray[np.bool_], *, unit: str | None, plain_zeros: bool, most: float
    ) -> None:
        self.cells = [(int(i), int(j)) for i, j in np.argwhere(written)]
        self._unit, self._plain_zeros, self._most = unit, plain_zeros, most
        self.spec: str | None = None
        self.numbers = [Number(0.0, "d", size=MIN_SIZE) for _ in self.cells]
        self._inks = [""] * len(self.cells)
        self._placed: set[int] = set()
        super().__init__(*(number.set_fill(opacity=0) for number in self.numbers))

    def choose(
        self, lattice: Lattice, specs: Sequence[str], states: Sequence[NDArray[np.float64]]
    ) -> None:
        """Choose the first format that fits the numbers of all these states, (R, C) each."""
        sizes = [*np.arange(self._most, MIN_SIZE, -1.0), MIN_SIZE]
        fitting = [size for size in sizes if size * PX <= lattice.cell_height]
        room = lattice.cell_width - _NUMBER_MARGIN
        self.spec = None
        for spec in specs:
            texts = {self._write(state[cell], spec) for state in states for cell in self.cells}
            widest = max((text_width(text, 1.0) for text in texts), default=0.0)
            size = next((size for size in fitting if widest * size <= room), None)
            if size is not None:
                self._use(spec, float(size))
                return

    def _use(self, spec: str, size: float) -> None:
        self.spec = spec
        self._placed.clear()
        for number in self.numbers:
            if abs(number.em - size * PX) > 1e-9:
                number.scale(size * PX / number.em)

    def move(self) -> None:
        """At the next `draw`, move the numbers to the middles of their cells, which have moved."""
        self._placed.clear()

    def draw(
        self,
        middles: NDArray[np.float64],
        state: NDArray[np.float64],
        step: NDArray[np.int64],
        share: NDArray[np.float64],
        ramp: Ramp,
    ) -> None:
        """Write the state (R, C) at the middles (R, C, 2), with opacity `share` (R, C)."""
        for index, (cell, number) in enumerate(zip(self.cells, self.numbers, strict=True)):
            seen = 0.0 if self.spec is None else float(share[cell])
            if seen > 0 and self.spec is not None:
                value = float(state[cell])
                number.spec, number.unit = self._spec_of(value, self.spec), self._unit
                before = number.text
                number.set_value(value)
                if number.text != before or index not in self._placed:
                    self._placed.add(index)
                    number.center_on(np.array([*middles[cell], 0.0]) - _baseline_shift(number))
            plain = self._is_plain(float(state[cell]))
            ink = theme().muted if plain else ramp.inks[int(step[cell])]
            if ink != self._inks[index] or abs(number.get_fill_opacity() - seen) > 1e-9:
                self._inks[index] = ink
                number.set_fill(ink, seen)

    def seen(self) -> list[Number]:
        """The visible numbers."""
        return [number for number in self.numbers if is_visible(number)]

    def are_written(
        self, numbers: Sequence[Number], values: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """Whether each of N numbers is written the way its value in `values` (N,) should be."""
        pairs = zip(numbers, values.tolist(), strict=True)
        return np.array([self._is_written(number, value) for number, value in pairs], dtype=bool)

    def says(self, number: Number, value: float) -> float | str:
        """The value if the number is written the way the value should be, else the drawn text."""
        return value if self._is_written(number, value) else number.text

    def _is_written(self, number: Number, value: float) -> bool:
        return self.spec is not None and number.text == self._write(value, self.spec)

    def _is_plain(self, value: float) -> bool:
        return self._plain_zeros and value == 0

    def _spec_of(self, value: float, spec: str) -> str:
        return "d" if self._is_plain(value) else spec

    def _write(self, value: float, spec: str) -> str:
        return format_fact(float(value), self._spec_of(float(value), spec), self._unit)


def _baseline_shift(number: Number) -> NDArray[np.float64]:
    """A shift that centres digits: they are as tall as capitals, not as the x-height."""
    return np.array([0.0, (CAP_HEIGHT - X_HEIGHT) / 2 * number.em, 0.0])
