"""The row of one token on its way through the MLP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from manim import Animation
from numpy.typing import NDArray

from scenes.parts.cell_outlines import CellFrame
from scenes.parts.matrix import Matrix
from scenes.parts.product import Product
from scenes.stage import Picture, Reading, Value
from scenes.stage.shown import Passing
from scenes.style.motion import Drive
from scenes.style.theme import Role
from scenes.transformer_block.adding import add_into
from scenes.transformer_block.page import bound_of, rows_of

if TYPE_CHECKING:
    from scenes.transformer_block.mlp import Mlp

_CENTRED = 0.02


class OneRow:
    """Row `m` of the tape: `row` in its place, `inner` between W_1 and W_2, and what comes `out`.

    Each lies where the stage has its own matrix for the rows of all tokens.
    """

    def __init__(self, stage: Mlp, m: int) -> None:
        self._stage, self._m = stage, m
        self.seats: list[Seat] = []
        self.row = self._one(stage.x)
        self.inner = self._one(stage.inner, "token").empty()
        self.out = self._one(stage.out).empty()

    def widen(self, *, run_time: float) -> Drive:
        """Let the row meet every column of W_1; it stands aside in the tape for itself."""
        stage = self._stage
        sizes = stage.x.opened
        sizes[self._m] = 0.0
        stage.x.open_to(sizes)
        stage.add(self.row, *stage.veils)
        return self._meet(self.row, 0, self.inner, run_time)

    def cut(self, *, run_time: float) -> Any:
        """Let ReLU turn what is below 0 into 0."""
        return self.inner.to(self._value("first.act"), run_time=run_time)

    def narrow(self, *, run_time: float) -> Drive:
        """Let what ReLU has left meet every column of W_2."""
        return self._meet(self.inner, 1, self.out, run_time)

    def let_go(self) -> Drive:
        """Let the frames around what has met go."""
        return self._product.let_go(run_time=0.4)

    def add(self, *, run_time: float) -> list[Animation]:
        """Let what comes out go to the row, and be added."""
        bound = bound_of(self._stage["first.resid_post"])
        total = self._value("first.resid_post")
        self.out.remove(*self.seats)
        return add_into(self.row, self.out, total, bound=bound, run_time=run_time)

    def kept(self) -> Kept:
        """Frames around what is above 0."""
        return Kept(self.inner, self._stage["survivors"][self._m])

    def _value(self, path: str) -> Value:
        return self._stage[path][self._m : self._m + 1]

    def _one(self, board: Matrix, role: Role = "residual") -> Matrix:
        """This row of a board, in its place there, shaded and written as there."""
        bound, one = board.scale_now.high, board.value[self._m : self._m + 1]
        look: dict[str, Any] = {"low": -bound, "high": bound}
        look["spec"] = board.spec_in(board.lattice) or ()
        row = rows_of(self._stage, one, role, named=False, **look)
        row.place_cells(board.row(self._m))
        self.seats.append(Seat(row, board))
        return row.add(self.seats[-1])

    def _meet(self, left: Matrix, k: int, out: Matrix, run_time: float) -> Drive:
        """Let a row meet the columns of the weights."""
        weights = self._stage.weights[k].matrix
        product = Product(left, weights, out, roles=("residual", "token", "token"))
        product.add(out, product.frames)
        self._product = product
        self._stage.add(product)
        return product.fill_row(0, run_time=run_time)


class Seat(Picture):
    """Draws nothing, and reads where a matrix of one row lies on a board of such rows."""

    def __init__(self, row: Matrix, board: Matrix) -> None:
        super().__init__(board.value)
        self._row, self._board, self._index = row, board, row.value.index[0]

    def show(self, state: NDArray[np.float64]) -> NoReturn:
        """There is nothing to be drawn."""
        raise NotImplementedError("a seat does not run to another value")

    def readings(self) -> Iterator[Reading]:
        """Which row of the board it is."""
        assert isinstance(self._index, slice)
        meant, at = self._board.value, np.array(float(self._index.start))
        seat = self._board.lattice.at(self._row.lattice.region.center)[0]
        # The number of a row is no value of the model, but its index.
        yield Reading(Passing(meant, meant, at, at, at), seat, _CENTRED)


class Kept(Picture):
    """Frames around the cells of a row (1, C) that are above 0; the value says how many."""

    def __init__(self, row: Matrix, count: Value) -> None:
        super().__init__(count)
        places = np.flatnonzero(row.table[0] > 0).tolist()
        self.add(*(CellFrame(row.cell(0, j)) for j in places))

    def show(self, state: NDArray[np.float64]) -> NoReturn:
        """They do not run."""
        raise NotImplementedError("frames do not run to another value")

    def readings(self) -> Iterator[Reading]:
        """How many there are."""
        yield Reading(self.shown, float(len(self.submobjects)))
