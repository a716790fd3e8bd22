"""Where each row of a table looks: an outline, in red once it is not where the row should look."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import Picture, Reading, Value


class Winners(Picture):
    """An outline in each row that has a target, around the cell that gets most; (T,)."""

    def __init__(self, looks_at: Value, table: Matrix, rows: Value, targets: Value) -> None:
        super().__init__(looks_at)
        self._targets = np.full(len(looks_at), np.nan)  # (T,)
        self._targets[list(rows.content)] = targets.array
        self.kept = table.outline(looks_at)
        self.lost = table.outline(looks_at, role="wrong")
        self.add(self.kept, self.lost)
        self.show(looks_at.array)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the outlines around these columns, (T,)."""
        away = np.abs(state - self._targets)  # (T,), not a number without a target
        for outline, is_mine in ((self.kept, away < 0.5), (self.lost, away >= 0.5)):
            outline.shown = self.shown
            outline.show(np.where(is_mine, state, np.nan))

    def readings(self) -> Iterator[Reading]:
        """Both kinds of outline tell for themselves where they stand; they are in the scene."""
        return iter(())
