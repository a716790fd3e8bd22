"""A matrix of weights in small, under its sign: which of its blocks is not 0."""

from __future__ import annotations

from typing import Any

from manim import VGroup

from clockhead.scenes.parts.block_panels import TITLE, Block
from clockhead.scenes.parts.blocks import Blocks
from clockhead.scenes.stage import Size, Stage, Value
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.text import Formula
from clockhead.scenes.style.theme import Role

_SIGN = 30.0
"""The size of its sign, in pixels."""
_ROOM = 0.2
"""What the sign needs over the room that names of blocks would have."""
_LEAST_CELL, _MOST_CELL = 0.03, 0.13


class Mini(VGroup):
    """A matrix of weights (2h, 2h) in four blocks, without words, and its sign over it."""

    def __init__(self, stage: Stage, path: str, sign: str, role: Role) -> None:
        super().__init__()
        value: Value = stage[path]
        h = len(value) // 2
        sides = [Block("", slice(0, h)), Block("", slice(h, 2 * h))]
        cells: dict[str, Any] = {"least_cell": _LEAST_CELL, "most_cell": _MOST_CELL}
        self.grid = Blocks(value, sides, down=sides, role=role, **cells)
        self.sign = Formula(sign, size=_SIGN)

    @property
    def least(self) -> Size:
        least = self.grid.least
        return Size(least.width, least.height + _ROOM)

    @property
    def most(self) -> Size:
        most = self.grid.most
        return Size(most.width, most.height + _ROOM)

    def place(self, region: Region) -> None:
        """Stand in the middle of a region; the sign stands where the names of blocks would."""
        self.grid.place(region.cut_top(_ROOM, gap=0.0)[1])
        plan = self.grid.plan
        assert plan is not None
        middle = (plan.regions[0, 0].left + plan.regions[0, 1].right) / 2
        self.sign.move_to((middle, plan.tops[0] + TITLE / 2 + _ROOM / 2, 0.0))
        self.add(self.grid, self.sign)
