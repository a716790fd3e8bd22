"""A matrix of shaded cells: attention patterns, scores, rotations, columns of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
from manim import linear
from numpy.typing import NDArray

from clockhead.scenes.parts import cells
from clockhead.scenes.parts.cell_numbers import CellNumbers
from clockhead.scenes.parts.cell_outlines import CellFrame, Outline
from clockhead.scenes.parts.cells import Lattice, Ramp, ShadedCells
from clockhead.scenes.parts.matrix_moves import MatrixMoves
from clockhead.scenes.parts.matrix_passages import MatrixPassage, Scale
from clockhead.scenes.stage import Passage, Reading, Size, Value
from clockhead.scenes.stage.shown import Readings, Shown
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, in_turn
from clockhead.scenes.style.theme import Role, theme
from clockhead.scenes.style.type import LABEL


class Matrix(MatrixMoves):
    """Shaded cells: (R, C), or (R,) as one column. Where `lying`, on its side: (C, R), or (C,).

    Shades run from `low` to `high`, by default the least and the most of what is visible; with
    `low == -high` they are of two colours, `negative` and `role`. `mask` hatches cells that are
    not there: "causal", or (R, C) truth values. `rows` and `columns` are the words beside and over
    the cells, with `positions` numbered too. `spec` lists formats from best to shortest; the
    numbers are written in the first in which all of them fit, in the rows `numbered` (to be given
    where `spec` comes later). They go while the matrix moves, unless `numbers_in_motion`.
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
        negative: Role = "position",
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
        super().__init__(
            value,
            _hidden(mask, table.shape),
            rows=rows,
            columns=columns,
            positions=positions,
            brackets=brackets,
            least_cell=least_cell,
            most_cell=most_cell,
            aspect=aspect,
            turns=turns,
        )
        self.scale_now = Scale(*_bounds(table[~self.hidden], low, high), _specs(spec))
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
        self._grown = np.ones(table.shape)
        self._way = np.zeros((*table.shape, 2))
        self._number_share = 1.0

    # What it shows

    def meant(self, i: int, j: int) -> Shown:
        """What cell (i, j) stands for."""
        return self.shown[self.index(i, j)]

    def index(self, i: Any, j: Any) -> tuple[Any, ...]:
        """Where cell (i, j) is in the value; of many cells, where each of them is."""
        if np.ndim(self.shown.content) == 2:
            return (j, i) if self._lying else (i, j)
        return (j,) if self._lying else (i,)

    @property
    def value(self) -> Value:
        """The value that it stands for, or is on its way to."""
        return self.shown if isinstance(self.shown, Value) else self.shown.end

    @property
    def table(self) -> NDArray[np.float64]:
        """The numbers that it shows now, where they stand: (R, C)."""
        return self._table(self.state)

    @property
    def opened(self) -> NDArray[np.float64]:
        """How large cells are, from 0 to 1: (R, C)."""
        return self._grown.copy()

    def open_to(self, sizes: NDArray[np.float64]) -> None:
        """Let cells be so large, (R, C), at once."""
        self._grow(sizes)

    def show(self, state: NDArray[np.float64]) -> None:
        if self._rules is None:
            return
        table, lattice = self._table(state), self.lattice
        step = cells.steps(table, self.scale_now.low, self.scale_now.high)
        size = np.where(self.hidden, 0.0, self._grown)
        slides = self._way.any(axis=2)
        self._cells.draw(lattice, step, np.where(slides, 0.0, size), self._way)
        self._sliding.draw(lattice, step, np.where(slides, size, 0.0), self._way)
        share = np.where(slides, 0.0, np.clip(4 * size - 3, 0, 1)) * self._number_share
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
        """Shade between other bounds, or write numbers in other formats, at once."""
        self.scale_now = self._scale(low, high, spec)
        self._choose(self.state)
        self.show(self.state)

    def readings(self) -> Iterator[Reading]:
        """The value of each shade by its place, each number, and the words at rows and columns."""
        for read in self.read_together():
            if isinstance(read, Readings):
                yield from read
            else:
                yield read

    def read_together(self) -> Iterator[Reading | Readings]:
        """The same; the shades together."""
        if self._rules is None:
            return
        lattice, scale = self.lattice, self.scale_now
        middles, steps = self._cells.seen()
        rows, columns, are_centred = lattice.places(middles)
        span = scale.high - scale.low
        says = scale.low + span * steps / cells.SHADES
        places = self.index(rows[are_centred], columns[are_centred])
        yield Readings(self.shown, places, says[are_centred], span / cells.SHADES * 0.501)
        for i, j in zip(rows[~are_centred].tolist(), columns[~are_centred].tolist(), strict=True):
            yield Reading(self.meant(i, j), "beside its cell")
        yield from self._read_numbers()
        for names in self._names:
            yield from names.readings(lattice)

    def _read_numbers(self) -> Iterator[Reading | Readings]:
        """The numbers in the cells that they stand in; those that are right together."""
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

    # How it moves

    def to(self, value: Value, **options: Any) -> Passage:
        """Let it run to another value, and with `low`, `high`, `spec` to another scale."""
        scale = self._scale(**_scale_of(options))
        return MatrixPassage(self, value, np.stack([self.state, value.array]), scale, **options)

    def through(self, series: Value, **options: Any) -> Passage:
        """Let it run through a series of values, (steps, R, C), to the last of them."""
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
        """Let the cells appear, each at its time from 0 to 1, (R, C); labels come with the first.

        `each` is the share of the whole time that one cell needs.
        """

        def show(share: NDArray[np.float64]) -> None:
            at = np.asarray(when, dtype=float) * (1 - each)
            self._grow(np.clip((float(share) - at) / each, 0.0, 1.0))
            if labels:
                for names in self._names:
                    names.show(min(1.0, float(share) / each))

        return Drive(self, show, 0.0, 1.0, run_time=run_time, rate_func=linear)

    def fill_rows(self, *, run_time: float = 2.0, labels: bool = True) -> Drive:
        """Let the rows appear one after another."""
        at = np.linspace(0, 1, self.n_rows) if self.n_rows > 1 else np.zeros(1)
        return self.fill(
            np.repeat(at[:, None], self.n_columns, axis=1), run_time=run_time, labels=labels
        )

    def empty(self, *rows: int) -> Matrix:
        """Take the cells of these rows away, or of all, until they are filled."""
        grown = self._grown.copy()
        grown[list(rows) or slice(None)] = 0.0
        self._grow(grown)
        return self

    def shift_rows(self, source: int, *, run_time: float = 4.0) -> Drive:
        """Let copies slide out of one row, each row the last one moved on by one cell.

        The rows below get theirs from above, one cell to the right, and those above from below,
        one cell to the left. What comes from no cell grows where it is.
        """
        distance = np.abs(np.arange(self.n_rows) - source)  # (R,)
        n = int(distance.max())

        def show(share: NDArray[np.float64]) -> None:
            come = np.concatenate([[1.0], in_turn(float(share), n, 1.4 / max(n, 1.4))])[distance]
            self._slide_from(source, come)

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def shade_of(self, i: int, j: int) -> str:
        """The colour of cell (i, j)."""
        step = cells.steps(self._table(self.state), self.scale_now.low, self.scale_now.high)
        return self.ramp.colors[int(step[i, j])]

    # What is drawn around cells

    def outline(
        self,
        columns: Value,
        *,
        role: Role = "token",
        rows: Sequence[int] | None = None,
        width: float = 4.0,
    ) -> Outline:
        """Around one cell in each row: the value says its column, (R,)."""
        return Outline(columns, lambda: self.lattice, role=role, rows=rows, width=width)

    def frame(self, region: Region, role: Role = "token", width: float = 4.0) -> CellFrame:
        """Around a region of cells; `trace` lets it step to others."""
        return CellFrame(region, role, width)

    def frame_row(self, i: int, role: Role = "token") -> CellFrame:
        """Around row i."""
        return self.frame(self.row(i), role)

    def frame_column(self, j: int, role: Role = "token") -> CellFrame:
        """Around column j."""
        return self.frame(self.column(j), role)

    # How it is done

    def draw_at(self, scale: Scale, number_share: float) -> None:
        """From the next `show` on: what shades mean, and how far numbers are to be seen."""
        self.scale_now = scale
        self._number_share = 1.0 if self.numbers_in_motion else number_share

    def choose_for(
        self, states: Sequence[NDArray[np.float64]], spec: Sequence[str] | None = None
    ) -> None:
        """Take the format of numbers that fits in all of these states."""
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
        """Numbers such as it has."""
        unit = self.shown.unit if isinstance(self.shown, Value) else None
        return CellNumbers(
            self._written, unit=unit, plain_zeros=self._plain_zeros, most=self._most_number
        )

    def _choose(self, state: NDArray[np.float64]) -> None:
        self.choose_for([state])

    def _draw(self, area: Region, angle: float, size: float) -> None:
        self._cells, self._sliding = ShadedCells(self.ramp), ShadedCells(self.ramp)
        self._numbers = self.new_numbers()
        super()._draw(area, angle, size)
        self.add(self._sliding, self._cells, self._numbers)  # copies slide out from behind
        self._choose(self.state)
        self.show(self.state)

    def _table(self, state: NDArray[np.float64]) -> NDArray[np.float64]:
        """A state as rows and columns."""
        if np.ndim(state) == 2:
            table = np.asarray(state, dtype=float)
            return table.T if self._lying else table
        return np.asarray(state, dtype=float).reshape((1, -1) if self._lying else (-1, 1))

    def _scale(
        self, low: float | None, high: float | None, spec: Sequence[str] | str | None
    ) -> Scale:
        """The scale as it is now, with other bounds or formats."""
        now = self.scale_now
        least = now.low if low is None else low
        most = now.high if high is None else high
        if self._is_signed and not np.isclose(least, -most):
            raise ValueError(f"shades of two colours need low == -high, got {low} and {high}")
        return Scale(least, most, now.spec if spec is None else _specs(spec))

    def _grow(self, grown: NDArray[np.float64]) -> None:
        self._grown, self._way = grown, np.zeros((*grown.shape, 2))
        self.show(self.state)

    def _slide_from(self, source: int, come: NDArray[np.float64]) -> None:
        """Let row i have come so far, (R,), out of its neighbour on the side of the source."""
        side = np.sign(np.arange(self.n_rows) - source)  # (R,)
        has = np.zeros_like(self.hidden)  # whether the neighbour has a cell for this one
        for i in range(self.n_rows):
            for j in range(self.n_columns):
                near = i - side[i], j - side[i]
                inside = 0 <= near[0] < self.n_rows and 0 <= near[1] < self.n_columns
                has[i, j] = inside and not self.hidden[near]
        self._grown = np.where(has, come[:, None] > 0, come[:, None]).astype(float)
        back = (come - 1) * side  # in cells, to the right and down
        self._way = np.where(has[..., None], back[:, None, None], 0.0) * np.ones(2)
        self.show(self.state)


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
    """The bounds of the shades; some span where all values are one."""
    least = float(visible.min()) if low is None else low
    most = float(visible.max()) if high is None else high
    return least, most if most > least else least + 1.0


def _scale_of(options: dict[str, Any]) -> dict[str, Any]:
    """Take out of some options what is said of the scale."""
    return {name: options.pop(name, None) for name in ("low", "high", "spec")}


def _specs(spec: Sequence[str] | str) -> tuple[str, ...]:
    return (spec,) if isinstance(spec, str) else tuple(spec)
