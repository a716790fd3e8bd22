"""Enlarge one block of a matrix to the size of all, or change the meaning of a block's columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts.block_panels import Block, Panel
from clockhead.scenes.parts.blocks import Blocks
from clockhead.scenes.parts.cells import Ramp, region_between
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, Gesture, stay
from clockhead.scenes.style.theme import mix, theme


def focus_on(blocks: Blocks, name: str, down: str, *, run_time: float = 1.4) -> Drive:
    """Enlarge one block of a grid to the size of the whole grid, while the others vanish."""
    a, d = blocks.column_of(name), blocks.row_of(down)

    def show(place: NDArray[np.float64]) -> None:
        if blocks.plan is None:
            return
        share, home = float(place), blocks.plan.regions
        edges = np.array([[r.left, r.bottom, r.right, r.top] for r in home.values()])
        whole = Region(*edges[:, :2].min(axis=0).tolist(), *edges[:, 2:].max(axis=0).tolist())
        regions = {}
        for (line, column), region in home.items():
            x = _span((region.left, region.right), (whole.left, whole.right), column - a)
            y = _span((region.bottom, region.top), (whole.bottom, whole.top), d - line)
            regions[line, column] = region_between(region, Region(x[0], y[0], x[1], y[1]), share)
        seen = np.full(blocks.drawn.seen.shape, 1 - share)
        seen[d, a] = 1.0
        opened = np.full(blocks.drawn.opened.shape, 1 - share)
        opened[blocks.panels[d][a].span] = 1.0
        digits = float(share in (0.0, 1.0))
        blocks.draw(replace(blocks.drawn, regions=regions, seen=seen, opened=opened, digits=digits))

    return Drive(blocks, show, 0.0, 1.0, run_time=run_time)


def recast(blocks: Blocks, name: str, block: Block, *, run_time: float = 1.0) -> Drive:
    """Give a block of columns another name, other words and another colour."""
    a = blocks.column_of(name)

    def prepare() -> Callable[[float], None]:
        before = blocks.across[a]
        first, last = (str(getattr(theme(), one.role)) for one in (before, block))

        def at(share: float) -> None:
            now = block if share >= 0.5 else before
            if blocks.across[a] is not now:
                blocks.across[a] = now
                old, new = blocks.titles[a], blocks.title_of(a)
                blocks.titles[a] = new
                blocks.submobjects[blocks.submobjects.index(old)] = new
            seen = abs(2 * share - 1)
            for line in blocks.panels:
                if isinstance(panel := line[a], Panel):
                    panel.recast(now, Ramp(mix(first, last, share)), seen)
            blocks.titles[a].set_fill(opacity=seen)

        return at if blocks.plan is not None else stay

    return Gesture(blocks, prepare, run_time=run_time)


def _span(own: tuple[float, float], whole: tuple[float, float], after: int) -> tuple[float, float]:
    """The span of a row or column of blocks: everything if chosen, else a sliver at one end.

    `after` is how many places the chosen one is after this one; negative if it is before.
    """
    if after == 0:
        return whole
    edge, sign = (whole[1], -1) if after > 0 else (whole[0], 1)
    return (edge - 0.002, edge) if sign < 0 else (edge, edge + 0.002)
