"""Three tables in one frame: beside each other with words above and below, or in three rows."""

from __future__ import annotations

from scenes.style.layout import GAP, PX, Region
from scenes.style.type import LABEL, outline

LINE = 0.32
"""Height of a line of words, in units."""


def three_panels(canvas: Region) -> list[tuple[Region, Region, Region]]:
    """For each table, room for its name, its cells, and what is counted in it."""
    if not canvas.wide:
        panels = []
        for row in canvas.rows(1, 1, 1, gap=GAP):
            words, table = row.inset(0.05, 0.0).columns(2.3, 4.5, gap=0.2)
            name, foot = words.cut_top(2.6 * LINE, 0.15)
            panels.append((name, table, foot))
        return panels
    beside = outline("BOS").advance * LABEL * PX + 0.16
    columns = Region(canvas.left + beside, canvas.bottom, canvas.right - 0.05, canvas.top).columns(
        1, 1, 1, gap=GAP
    )
    panels = []
    for k, column in enumerate(columns):
        name, rest = column.cut_top(2.3 * LINE, 0.1)
        foot, table = rest.cut_bottom(2 * LINE, 0.15)
        start = table.left - (beside if k == 0 else 0.0)
        panels.append((name, Region(start, table.bottom, table.right, table.top), foot))
    return panels
