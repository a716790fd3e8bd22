"""How blocks move: cells that ride from block to block, one block that takes all the room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts.block_panels import Block, ZeroPanel
from clockhead.scenes.parts.block_send import BlockPassage, Recast, Ride, Send
from clockhead.scenes.parts.block_unfold import BlockUnfold
from clockhead.scenes.stage import Passage, Value
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.theme import Role


class BlockMoves(BlockUnfold):
    """The animations of `Blocks` that change what its cells say, or where they are."""

    def to(self, value: Value, **options: Any) -> Passage:
        """Let all cells run to another value, and with `high`, `spec` to another scale."""
        return BlockPassage(self, value, np.stack([self.state, value.array]), **options)

    def send(
        self,
        rides: Sequence[Ride],
        role: Role = "value",
        *,
        to: Value | None = None,
        across_first: bool = False,
        run_time: float = 2.4,
        each: float = 0.6,
    ) -> Drive:
        """Let copies of cells ride along two legs, down and then across, one after another.

        A ride takes the share `each` of the time. With `to`, cells take their new values: those
        that get a copy when it comes, the others meanwhile.
        """
        return Send(self, rides, role, to, across_first, each, run_time=run_time)

    def focus(self, name: str, down: str, *, run_time: float = 1.4) -> Drive:
        """In a grid, let one block take all the room, and the others shrink away."""
        a, d = self.column_of(name), self._line_of(down)

        def show(share: NDArray[np.float64]) -> None:
            if self.plan is not None:
                self.spread(a, d, float(share))

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def recast(self, name: str, block: Block, *, run_time: float = 1.0) -> Drive:
        """Let a block mean something else: another name, other words and another colour."""
        return Recast(self, self.column_of(name), block, run_time=run_time)

    def _line_of(self, down: str) -> int:
        return [block.name for block in self.down].index(down)

    def spread(self, a: int, d: int, share: float) -> None:
        """Draw the grid with block (d, a) so far on its way to all the room."""
        assert self.plan is not None
        home = self.plan.regions
        whole = _around(list(home.values()))
        n_lines, n_columns = len(self.panels), len(self.panels[0])
        for line in range(n_lines):
            for column in range(n_columns):
                panel, region = self.panels[line][column], home[line, column]
                x = _stretched((region.left, region.right), (whole.left, whole.right), column - a)
                y = _stretched((region.bottom, region.top), (whole.bottom, whole.top), d - line)
                goal = Region(x[0], y[0], x[1], y[1])
                is_chosen = (line, column) == (d, a)
                panel.stretch(_between(region, goal, share))
                if isinstance(panel, ZeroPanel):
                    panel.reveal(1 - share)
                else:
                    rests = share in (0.0, 1.0)
                    panel.draw_at(panel.scale_now, float(rests))
                    panel.reveal(1.0 if is_chosen else 1 - share)
                    if rests:
                        panel.choose_numbers()
        for k, title in enumerate(self.titles):
            beside = k >= n_columns
            at, axis = (k - n_columns, 1) if beside else (k, 0)
            stays = at == (d if beside else a)
            region = self.panels[at][0].region if beside else self.panels[0][at].region
            spot = title.get_center()
            spot[axis] = region.center[axis]
            title.shift(spot - title.get_center())
            title.set_fill(opacity=1.0 if stays else 1 - share)


def _around(regions: Sequence[Region]) -> Region:
    return Region(
        min(r.left for r in regions),
        min(r.bottom for r in regions),
        max(r.right for r in regions),
        max(r.top for r in regions),
    )


def _stretched(
    own: tuple[float, float], whole: tuple[float, float], after: int
) -> tuple[float, float]:
    """All the room for the chosen line; none, at one end of it, for those before and after."""
    if after == 0:
        return whole
    edge, sign = (whole[1], -1) if after > 0 else (whole[0], 1)
    return (edge - 0.002, edge) if sign < 0 else (edge, edge + 0.002)


def _between(a: Region, b: Region, share: float) -> Region:
    def edge(x: float, y: float) -> float:
        return x + (y - x) * share

    return Region(
        edge(a.left, b.left), edge(a.bottom, b.bottom), edge(a.right, b.right), edge(a.top, b.top)
    )
