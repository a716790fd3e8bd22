"""How rows that have been computed are added to the tape."""

from __future__ import annotations

import numpy as np
from manim import Animation, rush_into
from numpy.typing import NDArray

from scenes.parts.matrix import Matrix
from scenes.stage import Value
from scenes.style.motion import Drive


def add_into(
    rows: Matrix, more: Matrix, total: Value, *, bound: float, run_time: float
) -> list[Animation]:
    """Let `more` slide onto `rows` and vanish there, while these become the sum of both.

    The shades of the sum run from minus to plus `bound`. Raises ValueError where `total` is not
    that sum.
    """
    if not np.allclose(rows.table + more.table, total.array):
        raise ValueError(f"{rows.value.name} and {more.value.name} do not add up to {total.name}")
    opened = more.opened

    def close(share: NDArray[np.float64]) -> None:
        more.open_to(opened * (1 - float(share)))
        more.fade_lines(1 - float(share))

    return [
        more.slide_cells_to(rows.lattice.region, run_time=run_time),
        Drive(more, close, 0.0, 1.0, run_time=run_time, rate_func=rush_into),
        rows.to(total, low=-bound, high=bound, run_time=run_time),
    ]
