"""The table of a head's attention, and the room beside it."""

from __future__ import annotations

from typing import Any

from clockhead.scenes.parts.cell_labels import Headings
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import Room, Value, beside, fit
from clockhead.scenes.style.layout import Region


class Table(Matrix):
    """Who looks at whom: a row for every token that asks, a column for every token it may look at.

    The words over the columns (`tiles`) and beside the rows (`askers`) are pictures of their own,
    which a stage carries over by themselves; the table places them, and reads them back.
    """

    def __init__(self, pattern: Value, tokens: Value, **options: Any) -> None:
        shares: dict[str, Any] = {"low": 0.0, "high": 1.0, "mask": "causal"}
        super().__init__(pattern, rows=tokens, columns=tokens, positions=True, **(shares | options))

    @property
    def tiles(self) -> Headings:
        """The words over the columns, and their positions."""
        assert self.plan.column_names is not None
        return self.plan.column_names

    @property
    def askers(self) -> Headings:
        """The words beside the rows, and their positions."""
        assert self.plan.row_names is not None
        return self.plan.row_names

    def _draw(self, area: Region, angle: float, size: float) -> None:
        super()._draw(area, angle, size)
        self.remove(self.tiles, self.askers)


def room_beside(canvas: Region, table: Matrix) -> Region:
    """Place the table at the right, or below on a tall canvas; what is left is returned."""
    room = Room()
    fit(canvas, beside(room, table))
    return room.region
