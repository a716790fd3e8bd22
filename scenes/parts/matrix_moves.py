"""Animations of matrices: moving to another place, rows sliding out of a row, transposing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts import cells
from clockhead.scenes.parts.cells import Lattice, ShadedCells, region_between
from clockhead.scenes.parts.matrix import Matrix, MatrixState, number_share
from clockhead.scenes.parts.matrix_layout import TurnedLabel
from clockhead.scenes.stage import Picture, Reading
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, in_turn
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.type import LABEL

_EACH = 0.6
"""Fraction of the time that one row takes to turn."""
_SEAM = 0.028


def slide_matrix(
    matrix: Matrix, region: Region, *, words: bool | None = None, run_time: float = 1.5
) -> MatrixSlide:
    """Move a matrix to where `place` would put it in a region.

    `words` says whether its names are visible at the end; by default this does not change.
    """
    return MatrixSlide(matrix, *matrix.plan.spot_in(region), words, run_time=run_time)


def slide_cells(
    matrix: Matrix,
    region: Region,
    *,
    size: float = LABEL,
    words: bool | None = None,
    run_time: float = 1.5,
) -> MatrixSlide:
    """Move a matrix so that its cells fill a region, as with `place_cells`."""
    angle = matrix.plan.angle_over(region)
    return MatrixSlide(matrix, region, angle, size, words, run_time=run_time)


class MatrixSlide(Drive):
    """Animation of a matrix to other cells: names and lines move along, numbers where they fit."""

    def __init__(
        self,
        matrix: Matrix,
        cells: Region,
        angle: float,
        size: float,
        words: bool | None,
        **options: Any,
    ) -> None:
        self._matrix = matrix
        self._to = Lattice(cells, matrix.n_rows, matrix.n_columns)
        self._label_style, self._seen = (angle, size), words
        super().__init__(matrix, lambda share: self._go(float(share)), 0.0, 1.0, **options)

    def begin(self) -> None:
        """Record where everything is now."""
        matrix = self._matrix
        self._from = matrix.lattice
        self._specs = [matrix.spec_in(lattice) for lattice in (self._from, self._to)]
        self._keeps_format = self._specs[0] == self._specs[1]
        self._words = [
            _Word(old, new, self._seen)
            for old, new in matrix.rewrite_words(self._to, *self._label_style)
        ]
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        seen = 1.0 if self._keeps_format else number_share(alpha, self.run_time)
        self._matrix.draw_at(self._matrix.scale_now, seen)
        super().interpolate_mobject(alpha)

    def _go(self, share: float) -> None:
        matrix = self._matrix
        matrix.lie(region_between(self._from.region, self._to.region, share))
        for word in self._words:
            word.go(share)
        spec = self._specs[int(share >= 0.5)]
        matrix.choose_for([matrix.state], () if spec is None else (spec,))
        matrix.show(matrix.state)


class _Word:
    """A name that moves to its new place; if its angle changes, it fades out and in instead."""

    def __init__(self, old: Label, new: Label, seen: bool | None) -> None:
        self._new, self._ends = new, (old.points.copy(), new.points.copy())
        self._moves = type(old) is type(new) and old.points.shape == new.points.shape
        if isinstance(old, TurnedLabel) and isinstance(new, TurnedLabel):
            self._moves = self._moves and old.angle == new.angle
        self._start_opacity = float(old.get_fill_opacity())
        self._seen = self._start_opacity if seen is None else float(seen)
        new.set_fill(old.get_fill_color(), 0.0)

    def go(self, share: float) -> None:
        start, end = self._ends
        if self._moves:
            self._new.points = start + (end - start) * share if share < 1 else end
            self._new.set_fill(
                opacity=self._start_opacity + (self._seen - self._start_opacity) * share
            )
        else:
            self._new.set_fill(opacity=self._seen * max(0.0, 2 * share - 1))


def shift_rows(matrix: Matrix, source: int, *, run_time: float = 4.0) -> Drive:
    """Slide copies out of one row, each row being the previous one shifted by one cell.

    The rows below are filled from above, shifted one cell to the right, and the rows above from
    below, shifted one cell to the left. Cells with no source grow in place.
    """
    distance = np.abs(np.arange(matrix.n_rows) - source)  # (R,)
    n = int(distance.max())

    def show(share: NDArray[np.float64]) -> None:
        come = np.concatenate([[1.0], in_turn(float(share), n, 1.4 / max(n, 1.4))])[distance]
        matrix.draw(_shift_state(matrix, source, come))

    return Drive(matrix, show, 0.0, 1.0, run_time=run_time)


def _shift_state(matrix: Matrix, source: int, come: NDArray[np.float64]) -> MatrixState:
    """The state in which row i is a fraction of the way, (R,), out of the row next to it."""
    side = np.sign(np.arange(matrix.n_rows) - source)  # (R,)
    has = np.zeros_like(matrix.hidden)  # whether the neighbour has a cell for this one
    for i in range(matrix.n_rows):
        for j in range(matrix.n_columns):
            near = i - side[i], j - side[i]
            inside = 0 <= near[0] < matrix.n_rows and 0 <= near[1] < matrix.n_columns
            has[i, j] = inside and not matrix.hidden[near]
    opened = np.where(has, come[:, None] > 0, come[:, None]).astype(float)
    back = (come - 1) * side  # in cells, to the right and down
    offsets = np.where(has[..., None], back[:, None, None], 0.0) * np.ones(2)
    return replace(matrix.drawn, opened=opened, offsets=offsets)


class Rods(Picture):
    """The rows of a matrix during `turn_into`: straight rows of upright cells that turn.

    A matrix that turns into its transpose as a whole is flat half way; its rows are not.
    """

    def __init__(self, source: Matrix, target: Matrix) -> None:
        super().__init__(source.value)
        self._source, self._ends = source, (source.lattice, target.lattice)
        self._step = cells.steps(source.table, source.scale_now.low, source.scale_now.high)
        self._cells, self._numbers = ShadedCells(source.ramp), source.new_numbers()
        self._specs = [source.spec_in(source.lattice), target.spec_in(target.lattice)]
        self._middles = source.lattice.middles
        self._moving: NDArray[np.bool_] = np.zeros(self._step.shape, dtype=np.bool_)
        self.add(self._cells, self._numbers)

    def lie(self, come: NDArray[np.float64]) -> None:
        """Draw row i at a fraction of its way, (R,); rows that are at either end are not drawn."""
        start, end = self._ends
        table, (n_rows, n_columns) = self._source.table, self._step.shape
        share = come[:, None]  # (R, 1)
        begun, ended = start.middles.mean(axis=1), end.middles.mean(axis=0)  # (R, 2)
        middle = begun + (ended - begun) * share
        pitch = start.cell_width + (end.cell_height - start.cell_width) * share  # (R, 1)
        away = (np.arange(n_columns) - (n_columns - 1) / 2) * pitch  # (R, C)
        angle = share * np.pi / 2
        along = np.stack([np.cos(angle), -np.sin(angle)], axis=-1)  # (R, 1, 2)
        self._middles = middle[:, None] + away[..., None] * along  # (R, C, 2)
        sides = np.array([[at.cell_width, at.cell_height] for at in self._ends])
        half = (sides[0] + (sides[1] - sides[0]) * share - _SEAM)[:, None] / 2  # (R, 1, 2)
        self._moving = np.repeat((come > 0) & (come < 1), n_columns).reshape(n_rows, n_columns)
        low, high = self._middles - half, self._middles + half
        self._cells.draw_between(low, high, self._step, self._moving)
        smaller = min(self._ends, key=lambda at: at.cell_width)
        self._numbers.choose(smaller, [spec for spec in self._specs[-1:] if spec], [table])
        seen = self._moving.astype(float)
        self._numbers.draw(self._middles, table, self._step, seen, self._source.ramp)

    def show(self, state: NDArray[np.float64]) -> None:
        """Not supported: rows that turn keep their values."""
        raise NotImplementedError("standing rows cannot be animated to another value")

    def readings(self) -> Iterator[Reading]:
        """The value of each shade and number, by the current positions of the cells."""
        scale = self._source.scale_now
        middles, steps = self._cells.seen()
        for middle, says in zip(middles, scale.values_of(steps), strict=True):
            yield Reading(self._value_at(middle), float(says), scale.within)
        for number in self._numbers.seen():
            meant = self._value_at(number.middle)
            yield Reading(meant, self._numbers.says(number, float(meant.content)), 0.0)

    def _value_at(self, point: NDArray[np.float64]) -> Any:
        away = np.where(self._moving, np.hypot(*np.moveaxis(self._middles - point[:2], -1, 0)), 99)
        i, j = np.unravel_index(int(away.argmin()), away.shape)
        return self._source.meant(int(i), int(j))


def turn_into(
    source: Matrix, target: Matrix, *, each: float = _EACH, run_time: float = 2.5
) -> tuple[Drive, Drive]:
    """Turn every row of a matrix into a column of its transpose, the target.

    The rows turn one after another, the last one first, with upright digits. Nothing of the source
    remains.

    Raises:
        ValueError: if the target is not the transpose of the source.
    """
    if target.table.shape != source.table.T.shape or np.any(target.table != source.table.T):
        raise ValueError("only the same matrix on its side has its rows as columns")
    full, n = source.opened, source.n_rows
    each = each if n > 1 else 1.0
    rods: list[Rods] = []
    target.open_to(np.zeros(target.table.shape))
    target.words_to(0.0)

    def leave(share: NDArray[np.float64]) -> None:
        come = in_turn(float(share), n, each)[::-1]  # the last row first
        source.open_to(np.where(come[:, None] > 0, 0.0, full))
        source.fade_lines(1 - float(share))
        source.words_to(1 - float(share), rows=False)
        for label, gone in zip(source.row_labels, come > 0, strict=False):
            label.set_fill(opacity=float(not gone))

    def arrive(share: NDArray[np.float64]) -> None:
        come = in_turn(float(share), n, each)[::-1]
        target.open_to(np.where(come >= 1, full.T, 0.0))
        target.words_to(float(share), columns=False)
        for label, there in zip(target.column_labels, come >= 1, strict=False):
            label.set_fill(opacity=float(there))
        if not rods:
            rods.append(Rods(source, target))
            target.add(rods[0])
        rods[0].lie(come)
        if share >= 1:
            target.remove(rods.pop())

    return (
        Drive(source, leave, 0.0, 1.0, run_time=run_time),
        Drive(target, arrive, 0.0, 1.0, run_time=run_time),
    )
