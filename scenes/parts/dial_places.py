"""Where dials stand: in the grid that makes them largest, or a column or row for each lane."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.style.layout import Region

LEAST, LEAST_IN_LANE = 0.3, 0.16
"""The smallest radius at which a hand can be read, in units."""
APART, FURTHEST = 2.5, 3.0
"""From dial to dial, in radii: at least, and at most where there is room."""
GAP = 0.14
_LEAST_DRAWN = 0.01
_EVEN = 1.2
"""How much larger dials in rows of unequal length have to be, to be preferred."""
_ROOM = 2.0
"""What a dial and the text under it may always take, in units, however small it is."""


@dataclass(frozen=True, slots=True)
class Places:
    """Middles (N, 3) and the largest radius that they allow."""

    centers: NDArray[np.float64]
    radius: float


@dataclass(frozen=True, slots=True)
class Text:
    """The width of the labels, the height of all lines at a dial, and of those over it."""

    width: float
    height: float
    over: float


def grid_in(region: Region, n: int, columns: int | None, text: Text, largest: float) -> Places:
    """`n` dials in rows around the middle of a region."""

    def radius_of(columns: int) -> float:
        high = region.height / -(-n // columns) - text.height - GAP
        radius = min(largest, region.width / columns / APART, high / 2)
        fits = columns == 1 or region.width / columns >= text.width + GAP / 2
        return max(_LEAST_DRAWN, radius if fits else 0.0)

    options = [columns] if columns else range(n, 0, -1)
    chosen = max(options, key=lambda c: radius_of(c) * (1 if n % c else _EVEN))
    radius, rows = radius_of(chosen), -(-n // chosen)
    step_x = min(region.width / chosen, max(FURTHEST * radius, _ROOM))
    step_y = min(region.height / rows, 2.3 * radius + text.height + GAP)
    row, column = np.divmod(np.arange(n), chosen)
    in_row = np.minimum(chosen, n - row * chosen)
    x = (column - (in_row - 1) / 2) * step_x
    y = ((rows - 1) / 2 - row) * step_y + text.height / 2 - text.over
    return Places(region.center + np.column_stack([x, y, 0.0 * x]), radius)


def lanes_in(region: Region, lanes: int, n: int, width: float, head: float) -> Places:
    """`n` dials in each lane, lane by lane; lanes are columns or rows, as makes larger dials.

    Columns leave `width` at the left for labels, rows leave `head` at the top.
    """
    wide, high = region.width - width, region.height - head
    as_columns = min(wide / lanes, region.height / n)
    as_rows = min(region.width / n, high / lanes)
    lane, row = (part.ravel() for part in np.indices((lanes, n)))
    if as_columns >= as_rows:
        x = region.right - wide + (lane + 0.5) * wide / lanes
        y = region.top - (row + 0.5) * region.height / n
    else:
        x = region.left + (row + 0.5) * region.width / n
        y = region.bottom + high - (lane + 0.5) * high / lanes
    centers = np.column_stack([x, y, 0.0 * x])
    return Places(centers, max(as_columns, as_rows) / APART)


def between_lanes(per_lane: NDArray[np.float64], lanes: NDArray[np.float64]) -> NDArray[np.float64]:
    """What (lanes, n, ...) is in lanes that may lie between two, or outside: (L, n, ...)."""
    count = len(per_lane)
    if count == 1:
        return np.repeat(per_lane, len(lanes), axis=0)
    low = np.clip(np.floor(lanes).astype(int), 0, count - 2)
    share = (lanes - low)[:, None, None]
    return np.asarray(per_lane[low] * (1 - share) + per_lane[low + 1] * share)
