"""Some rows of the tape on their way through the MLP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from manim import Animation

from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.product import Product
from clockhead.scenes.parts.token_rows import bound_of
from clockhead.scenes.stage import Picture, Reading, Value
from clockhead.scenes.stage.shown import Passing
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.theme import Role
from clockhead.scenes.transformer_block.adding import add_into
from clockhead.scenes.transformer_block.page import rows_of

if TYPE_CHECKING:
    from clockhead.scenes.transformer_block.mlp import Mlp

_CENTRED = 0.02


class SomeRows:
    """Rows of the tape: `row` in their place, `inner` between W_1 and W_2, and what comes `out`.

    Each lies where the stage has its own matrix for the rows of all tokens.
    """

    def __init__(self, stage: Mlp, which: slice) -> None:
        self._stage, self._which = stage, which
        self.seats: list[Seat] = []
        self.row = self._some(stage.x)
        self.inner = self._some(stage.inner, "token").empty()
        self.out = self._some(stage.out).empty()

    def widen(self, *, run_time: float) -> Drive:
        """Let the rows meet every column of W_1; they stand aside in the tape for themselves."""
        stage = self._stage
        self._open(stage.x, 0.0)
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
        """Let a copy of what comes out go to the rows, and be added."""
        bound = bound_of(self._stage["first.resid_post"])
        total = self._value("first.resid_post")
        self.out.remove(*self.seats)
        self._open(self._stage.out, 1.0)
        return add_into(self.row, self.out, total, bound=bound, run_time=run_time)

    def kept(self) -> Kept:
        """Frames around what is above 0, in the first of them."""
        return Kept(self.inner, self._stage["survivors"][self._which.start])

    def _value(self, path: str) -> Value:
        return self._stage[path][self._which]

    def _open(self, board: Matrix, size: float) -> None:
        """Let these rows of a board be so large."""
        sizes = board.opened
        sizes[self._which] = size
        board.open_to(sizes)

    def _some(self, board: Matrix, role: Role = "residual") -> Matrix:
        """These rows of a board, in their place there, shaded and written as there."""
        bound, some = board.scale_now.high, board.value[self._which]
        look: dict[str, Any] = {"low": -bound, "high": bound}
        look["spec"] = board.spec_in(board.lattice) or ()
        rows = rows_of(self._stage, some, role, named=False, **look)
        rows.place_cells(board.block(self._which.start, 0, len(some), board.n_columns))
        self.seats.append(Seat(rows, board))
        return rows.add(self.seats[-1])

    def _meet(self, left: Matrix, k: int, out: Matrix, run_time: float) -> Drive:
        """Let rows meet the columns of the weights."""
        weights = self._stage.weights[k].matrix
        product = Product(left, weights, out, roles=("residual", "token", "token"))
        product.add(out, product.frames)
        self._product = product
        self._stage.add(product)
        return product.fill(run_time=run_time)


class Seat(Picture):
    """Draws nothing, and reads where a matrix of some rows lies on a board of such rows."""

    def __init__(self, rows: Matrix, board: Matrix) -> None:
        super().__init__(board.value)
        self._rows, self._board = rows, board

    def readings(self) -> Iterator[Reading]:
        """Which row of the board is the first of them."""
        which = self._rows.value.index[0]
        assert isinstance(which, slice)
        meant, at = self._board.value, np.array(float(which.start))
        cell = self._rows.cell(0, 0)
        # The number of a row is no value of the model, but its index.
        yield Reading(
            Passing(meant, meant, at, at, at), self._board.lattice.at(cell.center)[0], _CENTRED
        )


class Kept(Picture):
    """Frames around the cells of a row (1, C) that are above 0; the value says how many."""

    def __init__(self, row: Matrix, count: Value) -> None:
        super().__init__(count)
        places = np.flatnonzero(row.table[0] > 0).tolist()
        self.add(*(CellFrame(row.cell(0, j)) for j in places))

    def readings(self) -> Iterator[Reading]:
        """How many there are."""
        yield Reading(self.shown, float(len(self.submobjects)))
