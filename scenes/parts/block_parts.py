"""The parts of blocks by name: panels, rows and columns of them, cells."""

from __future__ import annotations

from clockhead.scenes.parts.block_panels import Panel, ZeroPanel
from clockhead.scenes.parts.block_unfold import BlockUnfold
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.theme import Role


class BlockParts(BlockUnfold):
    """Where the parts of `Blocks` are."""

    @property
    def cells(self) -> list[Panel]:
        """All panels that have cells."""
        return [panel for line in self.panels for panel in line if isinstance(panel, Panel)]

    def block(self, name: str, down: str | None = None) -> Panel:
        """The cells of a block."""
        d = 0 if down is None else next(k for k, b in enumerate(self.down) if b.name == down)
        panel = self.panels[d][self.column_of(name)]
        if isinstance(panel, ZeroPanel):
            raise KeyError(f"the block {down!r}, {name!r} is 0 and has no cells")
        return panel

    def column_of(self, name: str) -> int:
        """The place of a block of columns."""
        names = [block.name for block in self.across]
        if name not in names:
            raise KeyError(f"there is no block {name!r}, only {', '.join(names)}")
        return names.index(name)

    def cell(self, i: int, name: str, j: int, down: str | None = None) -> Region:
        """Cell (i, j) of a block."""
        return self.block(name, down).cell(i, j)

    def part(
        self, name: str, *, i: int | None = None, j: int | None = None, down: str | None = None
    ) -> Region:
        """A block, or its row i, its column j or its cell (i, j)."""
        panel = self.block(name, down)
        if i is not None and j is not None:
            return panel.cell(i, j)
        if i is not None:
            return panel.row(i)
        return panel.region if j is None else panel.column(j)

    def row(self, i: int) -> Region:
        """Row i from the first block of the first line to the last."""
        assert self.plan is not None
        band = self.plan.bands[0]
        ends = [self.block(self.across[a].name).row(i) for a in (band[0], band[-1])]
        return Region(ends[0].left, ends[0].bottom, ends[1].right, ends[0].top)

    def frame(
        self,
        i: int | None,
        name: str,
        j: int | None = None,
        role: Role = "token",
        *,
        down: str | None = None,
    ) -> CellFrame:
        """Around a cell, a row of a block (no j), a column (no i) or a block (neither)."""
        return CellFrame(self.part(name, i=i, j=j, down=down), role)
