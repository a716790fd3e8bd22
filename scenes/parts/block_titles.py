"""The names of blocks: over their columns, and upright beside their rows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from clockhead.scenes.parts.block_panels import Block
from clockhead.scenes.parts.block_unfold import BlockUnfold
from clockhead.scenes.parts.cell_labels import GAP, TurnedLabel
from clockhead.scenes.stage import Reading, Value
from clockhead.scenes.stage.shown import Passing, Shown, is_visible
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import LABEL, MIN_SIZE

_FOOT = 0.09
"""Between a name and what is under it."""


class BlockTitles(BlockUnfold):
    """The names that `Blocks` writes, and how they are read back."""

    def write_titles(self) -> None:
        """Write all names."""
        self.titles = [self.title_of(a) for a in range(len(self.across))]
        if self.has_down:
            self.titles += [self._side_title(d) for d in range(len(self.down))]

    def title_of(self, a: int) -> Label:
        """The name of a block of columns, over its words."""
        assert self.plan is not None
        block, region = self.across[a], self.plan.regions[0, a]
        size = LABEL if text_width(block.name, LABEL) <= region.width + 0.1 else MIN_SIZE
        label = Label(block.name, size=size, color=theme().text_color(block.role), align="center")
        return label.put(np.array([region.center[0], self.plan.tops[a] + _FOOT, 0.0]))

    def title_readings(self) -> Iterator[Reading]:
        """Over or beside which block each name stands."""
        for k, title in enumerate(self.titles):
            if is_visible(title):
                is_over = k < len(self.across)
                meant = _index(self.across if is_over else self.down, title.text)
                yield _place(self.shown, meant, self._nearest(title, is_over))

    def _side_title(self, d: int) -> Label:
        """The name of a block of rows, upright beside it."""
        assert self.plan is not None
        block, region = self.down[d], self.plan.regions[d, 0]
        label = TurnedLabel(block.name, 90.0, size=MIN_SIZE, color=theme().text_color(block.role))
        spot = np.array([region.left - GAP - 0.5 * MIN_SIZE * PX, region.center[1], 0.0])
        return label.shift(spot - label.get_center())

    def _nearest(self, title: Label, is_over: bool) -> int:
        """The block over which (or beside which) a name stands."""
        line = self.panels[0] if is_over else [line[0] for line in self.panels]
        weights = np.array([1.0, 1.0 if is_over and self.is_banded else 0.0, 0.0])
        weights = weights if is_over else np.array([0.0, 1.0, 0.0])
        spot = title.get_center()
        ends = [p.region.point(0.5, 1.0) if is_over else p.region.center for p in line]
        return int(np.argmin([np.abs((end - spot) * weights).sum() for end in ends]))


def _index(blocks: list[Block], name: str) -> int:
    return next((k for k, block in enumerate(blocks) if block.name == name), -1)


def _place(shown: Shown, meant: int, found: int) -> Reading:
    """The place of a name is no value of the model, but the index of the block it names."""
    value = shown if isinstance(shown, Value) else shown.end
    at = np.array(float(meant))
    return Reading(Passing(value, value, at, at, at), float(found))
