"""How rows that have been computed are added to the tape."""

from __future__ import annotations

import numpy as np
from manim import Animation, rush_into
from numpy.typing import NDArray

from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import Value
from clockhead.scenes.style.motion import Drive


def add_into(
    rows: Matrix, more: Matrix | list[Matrix], total: Value, *, bound: float, run_time: float
) -> list[Animation]:
    """Let `more`, one or several, slide onto `rows` and vanish there; these become the sum of all.

    The shades of the sum run from minus to plus `bound`. Raises ValueError where `total` is not
    that sum.
    """
    parts = more if isinstance(more, list) else [more]
    if not np.allclose(sum((part.table for part in parts), rows.table), total.array):
        names = " and ".join(part.value.name for part in (rows, *parts))
        raise ValueError(f"{names} do not add up to {total.name}")
    moves: list[Animation] = [rows.to(total, low=-bound, high=bound, run_time=run_time)]
    for part in parts:
        moves.append(part.slide_cells_to(rows.lattice.region, run_time=run_time))
        moves.append(_close(part, run_time))
    return moves


def _close(part: Matrix, run_time: float) -> Drive:
    """Let a matrix vanish, most of it at the end."""
    opened = part.opened

    def close(share: NDArray[np.float64]) -> None:
        part.open_to(opened * (1 - float(share)))
        part.fade_lines(1 - float(share))

    return Drive(part, close, 0.0, 1.0, run_time=run_time, rate_func=rush_into)
