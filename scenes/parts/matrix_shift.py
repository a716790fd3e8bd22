"""Copies slide out of one row of a matrix, each row the last one moved on by one cell."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts.matrix import Matrix, MatrixState
from clockhead.scenes.style.motion import Drive, in_turn


def shift_rows(matrix: Matrix, source: int, *, run_time: float = 4.0) -> Drive:
    """Let copies slide out of one row, each row the last one moved on by one cell.

    The rows below get theirs from above, one cell to the right, and those above from below,
    one cell to the left. What comes from no cell grows where it is.
    """
    distance = np.abs(np.arange(matrix.n_rows) - source)  # (R,)
    n = int(distance.max())

    def show(share: NDArray[np.float64]) -> None:
        come = np.concatenate([[1.0], in_turn(float(share), n, 1.4 / max(n, 1.4))])[distance]
        matrix.draw(_shifted(matrix, source, come))

    return Drive(matrix, show, 0.0, 1.0, run_time=run_time)


def _shifted(matrix: Matrix, source: int, come: NDArray[np.float64]) -> MatrixState:
    """Row i has come so far, (R,), out of its neighbour on the side of the source."""
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
