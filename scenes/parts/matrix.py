"""A matrix of shaded cells: attention patterns, scores, rotations, columns of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from manim import VGroup, VMobject, linear
from numpy.typing import NDArray

from clockhead.scenes.parts import cells
from clockhead.scenes.parts.cell_outlines import CellFrame, Outline
from clockhead.scenes.parts.cells import (
    Brackets,
    CellNumbers,
    Hatching,
    Lattice,
    Ramp,
    Rules,
    ShadedCells,
)
from clockhead.scenes.parts.matrix_layout import Headings, MatrixLayout
from clockhead.scenes.stage import Passage, Picture, Reading, Size, Value
from clockhead.scenes.stage.shown import Readings, Shown
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import Role, theme
from clockhead.scenes.style.type import LABEL

_FADE = 0.3
"""Seconds in which numbers fade out before a motion, and fade in after it."""


@dataclass(frozen=True, eq=False)
class Shading:
    """The colour scale and the number formats of a matrix."""

    low: float
    high: float
    spec: tuple[str, ...]

    @property
    def within(self) -> float:
        """Tolerance of a value read from a colour: half the step between two shades."""
        return (self.high - self.low) / cells.SHADES * 0.501

    def values_of(self, steps: Any) -> Any:
        """The values at steps of the colour scale: one, or (N,)."""
        return self.low + (self.high - self.low) * steps / cells.SHADES

    def towards(self, end: Shading, share: float) -> Shading:
        """The scale interpolated towards another one; the number format changes half way."""
        if share >= 1:
            return end
        return Shading(
            self.low + (end.low - self.low) * share,
            self.high + (end.high - self.high) * share,
            end.spec if share >= 0.5 else self.spec,
        )


@dataclass(frozen=True, eq=False)
class MatrixState:
    """How the cells of a matrix are drawn, apart from their numbers and positions."""

    scale: Shading
    opened: NDArray[np.float64]
    """Size of each cell, from 0 to 1: (R, C)."""
    offsets: NDArray[np.float64]
    """Displacement of each cell, in cells to the right and down: (R, C, 2)."""
    digits: float = 1.0
    """Opacity of the numbers, from 0 to 1."""


class Matrix(Picture):
    """Shaded cells: (R, C), or (R,) as one column. With `lying`, transposed: (C, R), or (C,).

    Colours range from `low` to `high`, by default the minimum and maximum of the visible cells;
    with `low == -high` there are two colours, `negative` and `role`. `mask` hatches cells that do
    not exist: "causal", or (R, C) booleans. `rows` and `columns` are the names to the left of the
    cells and above them; `positions` numbers them too. `spec` lists number formats from best to
    shortest; the first in which all numbers fit is used, in the rows `numbered` (required if `spec`
    is set only later). Numbers fade out while the matrix changes, unless `numbers_in_motion`.
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "readings" in vars(cls):
            raise TypeError(f"{cls.__name__}: extend read_together; readings are those, one by one")

    def __init__(
        self,
        value: Value,
        *,
        rows: Value | None = None,
        columns: Value | None = None,
        positions: bool = False,
        role: Role = "attention",
        negative: Role = "negative",
        low: float | None = None,
        high: float | None = None,
        mask: Literal["causal"] | NDArray[np.bool_] | None = None,
        spec: Sequence[str] | str = (),
        numbered: Sequence[int] | None = None,
        numbers_in_motion: bool = False,
        plain_zeros: bool = False,
        most_number: float = LABEL,
        brackets: bool = False,
        lying: bool = False,
        least_cell: float | Size = 0.36,
        most_cell: float = 1.2,
        aspect: tuple[float, float] | None = (0.65, 1.3),
        turns: Sequence[float] = (0.0, 90.0),
    ) -> None:
        self._lying = lying
        table = self._table(value.array)
        super().__init__(value)
        self.hidden = _hidden(mask, table.shape)
        self.n_rows, self.n_columns = table.shape
        square = least_cell if isinstance(least_cell, Size) else Size(least_cell, least_cell)
        self.plan = MatrixLayout(
            n_rows=self.n_rows,
            n_columns=self.n_columns,
            row_names=_headings(rows, positions, is_row=True),
            column_names=_headings(columns, positions, is_row=False),
            has_brackets=brackets,
            least_cell=square,
            most_cell=most_cell,
            aspect=aspect,
            turns=tuple(turns),
        )
        self._rules: Rules | None = None
        scale = Shading(*_bounds(table[~self.hidden], low, high), _specs(spec))
        self.drawn = MatrixState(scale, np.ones(table.shape), np.zeros((*table.shape, 2)))
        self._is_signed = self.scale_now.low == -self.scale_now.high
        look = theme()
        second = getattr(look, negative) if self._is_signed else None
        self.ramp = Ramp(getattr(look, role), second)
        self.numbers_in_motion = numbers_in_motion
        written = spec or numbered is not None
        rows_written = range(len(table)) if numbered is None else numbered
        self._written = ~self.hidden & np.isin(np.arange(len(table)), rows_written)[:, None]
        self._written &= bool(written)
        self._plain_zeros, self._most_number = plain_zeros, most_number

    # Position

    @property
    def least(self) -> Size:
        return self.plan.least

    @property
    def most(self) -> Size:
        return self.plan.most

    def place(self, region: Region) -> None:
        """Centre it in a region, with its names."""
        self._draw(*self.plan.spot_in(region))

    def place_cells(self, region: Region, *, size: float = LABEL) -> None:
        """Fill a region with the cells; the names, with `size` as the largest size, are outside."""
        self._draw(region, self.plan.angle_over(region), size)

    def lie(self, cells: Region) -> None:
        """Move the grid lines, hatching and brackets to cells that fill a region."""
        for old, new in zip(self._lines, self._lines_in(cells), strict=True):
            for piece, other in zip(old.get_family(), new.get_family(), strict=True):
                piece.set_points(other.points)

    @property
    def placed(self) -> bool:
        """Whether it has been drawn."""
        return self._rules is not None

    @property
    def lattice(self) -> Lattice:
        """The grid of its cells, where it is now.

        Raises:
            RuntimeError: if it has not been placed.
        """
        if self._rules is None:
            raise RuntimeError("the matrix has no cells before it is placed")
        return Lattice(self._rules.region, self.n_rows, self.n_columns)

    def cell(self, i: int, j: int) -> Region:
        """Cell (i, j)."""
        return self.lattice.block(i, j)

    def row(self, i: int) -> Region:
        """All cells of row i."""
        return self.lattice.block(i, 0, 1, self.n_columns)

    def column(self, j: int) -> Region:
        """All cells of column j."""
        return self.lattice.block(0, j, self.n_rows, 1)

    def block(self, i: int, j: int, n_rows: int, n_columns: int) -> Region:
        """A block of cells whose upper left cell is (i, j)."""
        return self.lattice.block(i, j, n_rows, n_columns)

    @property
    def row_labels(self) -> list[Label]:
        """The labels to the left of the rows."""
        return self.plan.row_names.labels if self.plan.row_names is not None else []

    @property
    def column_labels(self) -> list[Label]:
        """The labels above the columns."""
        return self.plan.column_names.labels if self.plan.column_names is not None else []

    # State

    def meant(self, i: int, j: int) -> Shown:
        """The value of cell (i, j)."""
        return self.shown[self.index(i, j)]

    def index(self, i: Any, j: Any) -> tuple[Any, ...]:
        """Index of cell (i, j) in the value; for arrays i and j, one index array for each axis."""
        if np.ndim(self.shown.content) == 2:
            return (j, i) if self._lying else (i, j)
        return (j,) if self._lying else (i,)

    @property
    def value(self) -> Value:
        """The value that it shows, or changes to."""
        return self.shown if isinstance(self.shown, Value) else self.shown.end

    @property
    def table(self) -> NDArray[np.float64]:
        """The current numbers, as they are arranged: (R, C)."""
        return self._table(self.state)

    @property
    def opened(self) -> NDArray[np.float64]:
        """Size of each cell, from 0 to 1: (R, C)."""
        return self.drawn.opened.copy()

    @property
    def scale_now(self) -> Shading:
        """The current colour scale and number formats."""
        return self.drawn.scale

    def open_to(self, sizes: NDArray[np.float64]) -> None:
        """Set the sizes of the cells, (R, C), each in its place, without an animation."""
        self.draw(replace(self.drawn, opened=sizes, offsets=np.zeros((*sizes.shape, 2))))

    def draw(self, state: MatrixState) -> None:
        """Draw the cells in this state, with the current numbers."""
        self.drawn = state
        self.show(self.state)

    def draw_at(self, scale: Shading, digits: float) -> None:
        """Set the scale and the opacity of numbers, from the next `show` on."""
        digits = 1.0 if self.numbers_in_motion else digits
        self.drawn = replace(self.drawn, scale=scale, digits=digits)

    def show(self, state: NDArray[np.float64]) -> None:
        if self._rules is None:
            return
        table, lattice, drawn = self._table(state), self.lattice, self.drawn
        step = cells.steps(table, drawn.scale.low, drawn.scale.high)
        size = np.where(self.hidden, 0.0, drawn.opened)
        slides = drawn.offsets.any(axis=2)
        self._cells.draw(lattice, step, np.where(slides, 0.0, size), drawn.offsets)
        self._sliding.draw(lattice, step, np.where(slides, size, 0.0), drawn.offsets)
        share = np.where(slides, 0.0, np.clip(4 * size - 3, 0, 1)) * drawn.digits
        self._numbers.draw(lattice.middles, table, step, share, self.ramp)

    def set_to(self, value: Value) -> None:
        self.shown = value
        if not self.numbers_in_motion:
            self._choose(value.array)
        self.show(value.array)

    def rescale(
        self,
        low: float | None = None,
        high: float | None = None,
        *,
        spec: Sequence[str] | str | None = None,
    ) -> None:
        """Change the bounds of the colours or the number formats, without an animation."""
        self.drawn = replace(self.drawn, scale=self._scale(low, high, spec))
        self._choose(self.state)
        self.show(self.state)

    def readings(self) -> Iterator[Reading]:
        """The value of each shade by its position, each number, and the names."""
        for read in self.read_together():
            if isinstance(read, Readings):
                yield from read
            else:
                yield read

    def read_together(self) -> Iterator[Reading | Readings]:
        """The same readings, with those of the shades as one."""
        if self._rules is None:
            return
        lattice, scale = self.lattice, self.scale_now
        middles, steps = self._cells.seen()
        rows, columns, are_centred = lattice.places(middles)
        says = scale.values_of(steps)
        places = self.index(rows[are_centred], columns[are_centred])
        yield Readings(self.shown, places, says[are_centred], scale.within)
        for i, j in zip(rows[~are_centred].tolist(), columns[~are_centred].tolist(), strict=True):
            yield Reading(self.meant(i, j), "beside its cell")
        yield from self._read_numbers()
        for names in self.plan.names:
            yield from names.readings(lattice)

    def _read_numbers(self) -> Iterator[Reading | Readings]:
        """The numbers at the cells that they are in; the correct ones together."""
        numbers = self._numbers.seen()
        if not numbers:
            return
        rows, columns, _ = self.lattice.places(np.array([number.middle for number in numbers]))
        places = self.index(rows, columns)
        due = np.asarray(self.shown.content, dtype=float)[places]
        are_so = self._numbers.are_written(numbers, due)
        yield Readings(self.shown, tuple(axis[are_so] for axis in places), due[are_so], 0.0)
        for k in np.flatnonzero(~are_so).tolist():
            yield Reading(self.meant(int(rows[k]), int(columns[k])), numbers[k].text, 0.0)

    # Motion

    def to(self, value: Value, **options: Any) -> Passage:
        """Animate to another value, and with `low`, `high` or `spec` to another scale."""
        scale = self._scale(**_scale_of(options))
        return MatrixPassage(self, value, np.stack([self.state, value.array]), scale, **options)

    def through(self, series: Value, **options: Any) -> Passage:
        """Animate through a series of values, (steps, R, C), to the last one."""
        scale = self._scale(**_scale_of(options))
        options = {"rate_func": linear} | options
        return MatrixPassage(self, series[len(series) - 1], series.array, scale, **options)

    def fill(
        self,
        when: NDArray[np.float64],
        *,
        run_time: float = 2.0,
        each: float = 0.25,
        labels: bool = True,
    ) -> Drive:
        """Grow the cells, each at its time from 0 to 1, (R, C); labels fade in first."""

        def show(share: NDArray[np.float64]) -> None:
            at = np.asarray(when, dtype=float) * (1 - each)
            self.open_to(np.clip((float(share) - at) / each, 0.0, 1.0))
            if labels:
                for names in self.plan.names:
                    names.show(min(1.0, float(share) / each))

        return Drive(self, show, 0.0, 1.0, run_time=run_time, rate_func=linear)

    def fill_rows(self, *, run_time: float = 2.0, labels: bool = True) -> Drive:
        """Grow the cells row by row."""
        at = np.linspace(0, 1, self.n_rows) if self.n_rows > 1 else np.zeros(1)
        return self.fill(
            np.repeat(at[:, None], self.n_columns, axis=1), run_time=run_time, labels=labels
        )

    def resize(self, sizes: NDArray[np.float64], **options: Any) -> Drive:
        """Animate the cells to sizes from 0 to 1, (R, C)."""
        return Drive(self, self.open_to, self.opened, sizes, **options)

    def fill_columns(self, **options: Any) -> Drive:
        """Grow the cells column by column."""
        at = np.linspace(0, 1, self.n_columns)
        return self.fill(np.repeat(at[None], self.n_rows, axis=0), **options)

    def empty(self, *rows: int) -> Matrix:
        """Hide the cells of these rows (default: all) until they are filled."""
        opened = self.opened
        opened[list(rows) or slice(None)] = 0.0
        self.open_to(opened)
        return self

    def shade_of(self, i: int, j: int) -> str:
        """The colour of cell (i, j)."""
        step = cells.steps(self._table(self.state), self.scale_now.low, self.scale_now.high)
        return self.ramp.colors[int(step[i, j])]

    def words_to(self, share: float, *, rows: bool = True, columns: bool = True) -> None:
        """Set the opacity of the row and column names."""
        for names, asked in ((self.plan.row_names, rows), (self.plan.column_names, columns)):
            if names is not None and asked:
                names.show(share)

    def fade_lines(self, share: float) -> None:
        """Set the opacity of grid lines and hatching."""
        VGroup(*self._lines).set_stroke(opacity=share)

    def rewrite_words(
        self, lattice: Lattice, angle: float, size: float
    ) -> list[tuple[Label, Label]]:
        """Write the names for other cells; returns pairs of old and new labels."""
        pairs = []
        for names in self.plan.names:
            old = [*names.labels, *names.places]
            names.remove(*old)
            names.labels, names.places = [], []
            names.place(lattice, angle, size)
            pairs += list(zip(old, [*names.labels, *names.places], strict=True))
        return pairs

    # Outlines of cells

    def outline(
        self,
        columns: Value,
        *,
        role: Role = "token",
        rows: Sequence[int] | None = None,
        width: float = 4.0,
    ) -> Outline:
        """An outline around one cell in each row; the value (R,) is its column."""
        return Outline(columns, lambda: self.lattice, role=role, rows=rows, width=width)

    def frame(self, region: Region, role: Role = "token", width: float = 4.0) -> CellFrame:
        """A frame around a region of cells; `trace` moves it to other regions."""
        return CellFrame(region, role, width)

    def frame_row(self, i: int, role: Role = "token") -> CellFrame:
        """A frame around row i."""
        return self.frame(self.row(i), role)

    def frame_column(self, j: int, role: Role = "token") -> CellFrame:
        """A frame around column j."""
        return self.frame(self.column(j), role)

    # Drawing

    def choose_for(
        self, states: Sequence[NDArray[np.float64]], spec: Sequence[str] | None = None
    ) -> None:
        """Choose the number format that fits all of these states."""
        if self._rules is not None:
            tables = [self._table(state) for state in states]
            self._numbers.choose(
                self.lattice, self.scale_now.spec if spec is None else spec, tables
            )

    def spec_in(self, lattice: Lattice) -> str | None:
        """The format in which numbers would be written in other cells; None if none fits."""
        numbers = self.new_numbers()
        numbers.choose(lattice, self.scale_now.spec, [self.table])
        return numbers.spec

    def new_numbers(self) -> CellNumbers:
        """New numbers for its cells."""
        unit = self.shown.unit if isinstance(self.shown, Value) else None
        return CellNumbers(
            self._written, unit=unit, plain_zeros=self._plain_zeros, most=self._most_number
        )

    def _choose(self, state: NDArray[np.float64]) -> None:
        self.choose_for([state])

    def _draw(self, area: Region, angle: float, size: float) -> None:
        """Draw cells that fill an area, and the names around them."""
        self._cells, self._sliding = ShadedCells(self.ramp), ShadedCells(self.ramp)
        self._numbers = self.new_numbers()
        self._lines = self._lines_in(area)
        self._rules = self._lines[0]
        self.add(*self._lines)
        lattice = self.lattice
        for names in self.plan.names:
            names.place(lattice, angle, size)
            self.add(names)
        self.add(
            self._sliding, self._cells, self._numbers
        )  # sliding copies are drawn behind the cells
        self._choose(self.state)
        self.show(self.state)

    def _lines_in(self, area: Region) -> tuple[Rules, *tuple[VMobject, ...]]:
        """Grid lines, hatching and brackets for cells that fill an area."""
        lattice = Lattice(area, self.n_rows, self.n_columns)
        brackets = (Brackets(lattice),) if self.plan.has_brackets else ()
        return Rules(lattice), Hatching(lattice, self.hidden), *brackets

    def _table(self, state: NDArray[np.float64]) -> NDArray[np.float64]:
        """The numbers of a state as rows and columns."""
        if np.ndim(state) == 2:
            table = np.asarray(state, dtype=float)
            return table.T if self._lying else table
        return np.asarray(state, dtype=float).reshape((1, -1) if self._lying else (-1, 1))

    def _scale(
        self, low: float | None, high: float | None, spec: Sequence[str] | str | None
    ) -> Shading:
        """The current scale with other bounds or formats."""
        now = self.scale_now
        least = now.low if low is None else low
        most = now.high if high is None else high
        if self._is_signed and not np.isclose(least, -most):
            raise ValueError(f"shades of two colours need low == -high, got {low} and {high}")
        return Shading(least, most, now.spec if spec is None else _specs(spec))


class MatrixPassage(Passage):
    """Animation of a matrix through states, (steps, R, C), to a value and a scale."""

    def __init__(
        self,
        matrix: Matrix,
        end: Value,
        states: NDArray[np.float64],
        scale: Shading,
        **options: Any,
    ) -> None:
        self._matrix = matrix
        self._numbers = _Numbers(matrix, (matrix.scale_now, scale), states[[0, -1]])
        super().__init__(matrix, end, states, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        self._numbers.at(self.rate_func(alpha), number_share(alpha, self.run_time))
        super().interpolate_mobject(alpha)


class _Numbers:
    """The format of numbers during an animation between two states, (2, R, C)."""

    def __init__(
        self, matrix: Matrix, scales: tuple[Shading, Shading], ends: NDArray[np.float64]
    ) -> None:
        self._matrix, self._scales, self._ends = matrix, scales, ends
        self._half: bool | None = None

    def at(self, share: float, seen: float) -> None:
        """Set the scale; choose the format at the start of the animation and again half way."""
        start, end = self._scales
        matrix, half = self._matrix, share >= 0.5
        matrix.draw_at(start.towards(end, share), seen)
        if half != self._half:
            self._half = half
            both = matrix.numbers_in_motion
            matrix.choose_for(list(self._ends) if both else [self._ends[int(half)]])


def number_share(alpha: float, run_time: float) -> float:
    """The opacity of numbers at the fraction `alpha` of the time of a motion."""
    if alpha >= 1:
        return 1.0
    gone, to_come = alpha * run_time / _FADE, (1 - alpha) * run_time / _FADE
    return float(np.clip(max(1 - gone, 1 - to_come), 0.0, 1.0))


def _headings(words: Value | None, positions: bool, *, is_row: bool) -> Headings | None:
    return None if words is None else Headings(words, positions=positions, is_row=is_row)


def _hidden(
    mask: Literal["causal"] | NDArray[np.bool_] | None, shape: tuple[int, ...]
) -> NDArray[np.bool_]:
    if mask is None:
        return np.zeros(shape, dtype=np.bool_)
    if isinstance(mask, str):
        return ~np.tri(*shape, dtype=np.bool_)
    return np.asarray(mask, dtype=np.bool_)


def _bounds(
    visible: NDArray[np.float64], low: float | None, high: float | None
) -> tuple[float, float]:
    """The bounds of the colours; some range if all values are equal."""
    least = float(visible.min()) if low is None else low
    most = float(visible.max()) if high is None else high
    return least, most if most > least else least + 1.0


def _scale_of(options: dict[str, Any]) -> dict[str, Any]:
    """Remove the options of the scale from `options`, and return them."""
    return {name: options.pop(name, None) for name in ("low", "high", "spec")}


def _specs(spec: Sequence[str] | str) -> tuple[str, ...]:
    return (spec,) if isinstance(spec, str) else tuple(spec)
