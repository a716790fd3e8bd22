"""The page of this film: the rows of the residual stream, a matrix of weights, and a table.

The rows are on the left, weights and table beside them; each row of the table is level with the
token whose query it is. On a narrow canvas, all three are below each other, or weights and table
are below each other or below the rows, or the weights are above both.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clockhead.model.induction.onehot_layers import OneHotLayers
from clockhead.scenes.parts.block_panels import TITLE, Block
from clockhead.scenes.parts.blocks import Blocks
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.stage import Column, Room, Row, Size, Stage, fit
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.text import Formula, Label
from clockhead.scenes.style.theme import Role

_HEADING = 22.0
"""Letter size of a table's heading, in pixels."""
TOKEN, POSITION, PREVIOUS = "token", "position", "previous token"
"""Names of the halves of a row."""
SCORES, ATTENTION = "scores", "attention"
"""Headings of a table."""
LEAST_WEIGHTS = Size(2.3, 1.9)
"""Least space for a matrix of weights, in units."""
_LEAST_CELL, _LEAST_NAMED, _LEAST_PLAIN = 0.2, 0.21, 0.12
"""Smallest cells, in units: of the table, of rows with words over the columns, and without."""
_LEAST_NUMBERED = 0.53
"""Narrowest cell that has room for a score such as −100, in units."""
_TALLEST = 1.5
"""Largest ratio of a cell's height to its width."""
_NAME = 30.0
"""Letter size of a matrix's sign, in pixels."""
_SIGN, _HEAD = 0.46, 0.32
"""Heights of the space for a matrix's sign and for a table's heading, in units."""


def halves(stage: Stage, second: str = POSITION, *, named: bool = True) -> list[Block]:
    """The two halves of a row: its token, and its position or, later, the previous token.

    With `named`, the columns have words over them.
    """
    h, tokens = stage.values.weights.half, stage["vocabulary.tokens"]
    role: Role = "position" if second == POSITION else "value"
    seconds = stage["positions"] if second == POSITION else tokens
    options: dict[str, Any] = {"spec": ".0f", "plain_zeros": True}
    return [
        Block(TOKEN, slice(0, h), "token", tokens if named else None, **options),
        Block(second, slice(h, 2 * h), role, seconds if named else None, **options),
    ]


def row_blocks(
    stage: Stage, path: str, tiles: Strip, second: str = POSITION, *, named: bool = True
) -> Blocks:
    """The rows of the text, in two halves, beside its tiles; without names they need less room."""
    blocks, least = halves(stage, second, named=named), _LEAST_NAMED if named else _LEAST_PLAIN
    return Blocks(stage[path], blocks, rows=tiles, high=1.0, least_cell=least, tallest=_TALLEST)


class LetterPage:
    """Arranges tiles, rows, weights and table on the page, and makes parts for these places.

    `rows` is the path of the rows in the stage's values, `second` the name of their second half.
    """

    def __init__(
        self,
        stage: Stage,
        rows: str = "resid_pre",
        second: str = POSITION,
        *,
        tiles: Strip | None = None,
    ) -> None:
        self._stage, head = stage, stage.values
        assert isinstance(head, OneHotLayers)
        self.tiles = Strip(stage["tokens"], positions=True) if tiles is None else tiles
        named, plain = (
            row_blocks(stage, rows, self.tiles, second, named=named) for named in (True, False)
        )
        side = _LEAST_CELL * head.n_tokens + 0.55
        weights, table = Room(LEAST_WEIGHTS), Room(Size(side, side + _HEAD))
        broad = Room(Size(_LEAST_NUMBERED * head.weights.half + 0.5, LEAST_WEIGHTS.height))
        numbers = Room(Size(_LEAST_NUMBERED * head.n_tokens + 0.55, side))
        roomy = Row(named, broad, numbers, weights=(5, 4, 3))
        level = Row(named, weights, table, weights=(5, 4, 3))
        beside = Row(named, Column(weights, table), weights=(2, 1))
        below = Column(named, Row(weights, table))
        stacked = Column(named, broad, numbers, weights=(4, 5, 4))
        tight = Column(weights, Row(plain, table, gap=0.2, weights=(2, 1)), gap=0.2)
        wide = (roomy, level, beside, below, tight)
        ways = wide if stage.canvas.wide else (stacked, below, level, beside, tight)
        chosen = ways[fit(stage.canvas, *ways)]
        if chosen in (roomy, stacked):
            weights, table = broad, numbers
        self._level, self.named = chosen in (roomy, level), chosen is not tight
        self.rows = named if self.named else plain
        self.weights_place, self.table_place = weights.region, table.region
        if not self._level:
            _, self.table_place = table.region.cut_top(_HEAD, gap=0.0)
        self.rows.label()

    @property
    def cells(self) -> Region:
        """The region of the rows' cells, both halves."""
        panels = self.rows.cells
        first, last = panels[0].region, panels[-1].region
        return Region(first.left, first.bottom, last.right, first.top)

    def weight_grid(
        self,
        path: str,
        *,
        across: str = POSITION,
        down: str = POSITION,
        role: Role = "attention",
        spec: str = ".0f",
    ) -> Blocks:
        """A matrix of weights in its place; `across` and `down` name the sides' second halves."""
        value, h = self._stage[path], self._stage.values.weights.half
        options: dict[str, Any] = {"spec": spec, "plain_zeros": True}
        sides = [
            [Block(TOKEN, slice(0, h), "token", **options), _second(name, h, **options)]
            for name in (across, down)
        ]
        low = shade_below(float(value.array.min()))
        shades: dict[str, Any] = {"low": low, "least_cell": 0.08, "tallest": _TALLEST}
        grid = Blocks(value, sides[0], down=sides[1], role=role, **shades)
        _, room = self.weights_place.cut_top(_SIGN, gap=0.0)
        if self._level:
            pitch = self.cells.height / self._stage.values.n_tokens
            bottom = max(room.bottom, self.cells.top - h * pitch)
            room = Region(room.left, bottom, room.right, min(room.top, self.cells.top + TITLE))
        grid.place(room)
        return grid

    def sign(self, formula: str, grid: Blocks) -> Formula:
        """A matrix's sign, placed above it."""
        assert grid.plan is not None
        ends = grid.panels[0][0].region, grid.panels[0][-1].region
        x, over = (ends[0].left + ends[1].right) / 2, grid.plan.tops[0] + TITLE + _SIGN / 2
        return Formula(formula, size=_NAME).move_to((x, over, 0.0))

    def head(self, words: str, table: Matrix) -> Label:
        """A table's heading, level with the names of the rows' halves.

        It is higher if the labels of narrow columns, which are turned, reach up to there.
        """
        x = float(table.lattice.region.center[0])
        top = max(float(label.get_top()[1]) for label in table.column_labels)
        level = self.rows.titles[0].anchor[1] if self._level else -np.inf
        y = level if level >= top else top + 0.12
        label = Label(words, size=_HEADING, color="attention", align="center")
        return label.put(np.array([x, y, 0.0]))

    def pair_table(self, path: str, **options: Any) -> Matrix:
        """A table of all pairs of tokens in its place, with a row for each query."""
        tokens = self._stage["tokens"]
        options = {"least_cell": _LEAST_CELL, "plain_zeros": True} | options
        table = Matrix(self._stage[path], rows=tokens, columns=tokens, **options)
        if not self._level:
            table.place(self.table_place)
            return table
        room, rows, n = self.table_place, self.cells, len(tokens)
        left = table.least.width - n * _LEAST_CELL
        width = min(room.width - left, max(1.4 * rows.height, _LEAST_NUMBERED * n))
        start = room.left + left + (room.width - left - width) / 2
        table.place_cells(Region(start, rows.bottom, start + width, rows.top))
        return table


def shade_below(least: float) -> float:
    """Lower end of a colour scale: 0, or below the smallest value if that is negative."""
    return min(1.25 * least, 0.0)


def _second(name: str, h: int, **options: Any) -> Block:
    role: Role = "position" if name == POSITION else "value"
    return Block(name, slice(h, 2 * h), role, **options)
