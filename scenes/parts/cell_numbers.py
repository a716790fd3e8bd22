"""Numbers in cells: as exact as fits, legible on the shade, and true while they are seen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.facts import format_fact
from clockhead.scenes.parts.cells import Lattice, Ramp
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.shape import Shapes
from clockhead.scenes.style.text import Number, text_width
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import CAP_HEIGHT, MIN_SIZE, X_HEIGHT

_AIR = 0.13
"""At least beside a number, in units, both sides together."""


def least_width(table: NDArray[np.float64], spec: str) -> float:
    """The width, in units, of the narrowest cells that hold the numbers of a table."""
    texts = {format_fact(float(value), spec) for value in np.unique(table)}
    return max((text_width(text, MIN_SIZE) for text in texts), default=0.0) + _AIR


class CellNumbers(Shapes):
    """A number for each of the `written` cells, row by row.

    `plain_zeros` writes what is exactly 0 as a muted 0, in whatever format the others are.
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
        """Take the first format in which the numbers of these states, (R, C) each, all fit."""
        sizes = [*np.arange(self._most, MIN_SIZE, -1.0), MIN_SIZE]
        fitting = [size for size in sizes if size * PX <= lattice.cell_height]
        room = lattice.cell_width - _AIR
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
        """From the next `draw` on, stand in the middles of cells that have moved."""
        self._placed.clear()

    def draw(
        self,
        middles: NDArray[np.float64],
        state: NDArray[np.float64],
        step: NDArray[np.int64],
        share: NDArray[np.float64],
        ramp: Ramp,
    ) -> None:
        """Write the state (R, C) at the middles (R, C, 2), so far visible as `share` (R, C)."""
        for index, (cell, number) in enumerate(zip(self.cells, self.numbers, strict=True)):
            seen = 0.0 if self.spec is None else float(share[cell])
            if seen > 0 and self.spec is not None:
                value = float(state[cell])
                number.spec, number.unit = self._spec_of(value, self.spec), self._unit
                before = number.text
                number.set_value(value)
                if number.text != before or index not in self._placed:
                    self._placed.add(index)
                    number.center_on(np.array([*middles[cell], 0.0]) - _lift(number))
            plain = self._is_plain(float(state[cell]))
            ink = theme().muted if plain else ramp.inks[int(step[cell])]
            if ink != self._inks[index] or abs(number.get_fill_opacity() - seen) > 1e-9:
                self._inks[index] = ink
                number.set_fill(ink, seen)

    def seen(self) -> list[Number]:
        """The numbers that can be read."""
        return [number for number in self.numbers if is_visible(number)]

    def are_written(
        self, numbers: Sequence[Number], values: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """Whether numbers, N, are written as these values should be, (N,)."""
        pairs = zip(numbers, values.tolist(), strict=True)
        return np.array([self._is_written(number, value) for number, value in pairs], dtype=bool)

    def says(self, number: Number, value: float) -> float | str:
        """The value, if a number is written as the value should be; else what is written."""
        return value if self._is_written(number, value) else number.text

    def _is_written(self, number: Number, value: float) -> bool:
        return self.spec is not None and number.text == self._write(value, self.spec)

    def _is_plain(self, value: float) -> bool:
        return self._plain_zeros and value == 0

    def _spec_of(self, value: float, spec: str) -> str:
        return "d" if self._is_plain(value) else spec

    def _write(self, value: float, spec: str) -> str:
        return format_fact(float(value), self._spec_of(float(value), spec), self._unit)


def _lift(number: Number) -> NDArray[np.float64]:
    """Digits are as high as capitals: by their x-height they would stand too high."""
    return np.array([0.0, (CAP_HEIGHT - X_HEIGHT) / 2 * number.em, 0.0])
