"""The rows of a text as columns: as they go in and, above, as each layer leaves them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.flow import Ribbons
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.paths import straight
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import hide_tiles
from clockhead.scenes.stage import Size, Stage
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import LABEL

_NAMES, _MOVED = ("X", "layer 0", "layer 1"), "distance"
_TILE, _ROW, _MOVE, _FOOT = 0.5, 0.34, 0.42, 0.24
"""The heights of a tile, a row and the cell on it, and the way from tiles to rows, in units."""
_STEP, _LONGEST = 0.5, 2.8
"""The way to the next level at least, and at most."""
_APART, _LEAST, _MOST, _ASIDE = 0.26, 0.62, 2.6, 0.3
"""Between two columns; how wide they are at least and at most; from them to the names."""
_RIBBONS = 0.28
"""What all shares of attention of a row take of the width of its column."""


class Storeys(VGroup):
    """A column for each token: its tile and, on every level, its row and how far that has moved.

    `rows[level][k]` show the streams without attention. What waits to be brought in: the
    `moves[level][k]`, up to `most` in the fullest shade; `new_tile`, of the other word at `source`;
    and `ribbons[level]` for each head, the attention that goes from there to the level above.
    """

    most = Size(math.inf, math.inf)

    def __init__(self, stage: Stage, source: int, bounds: Sequence[float], most: float) -> None:
        super().__init__()
        self._stage, self._source = stage, source
        streams, moves = stage["alone_before.resids"], stage["moves_alone"]
        self.tiles = Strip(stage["before.tokens"], size=LABEL)
        self.new_tile = Strip(stage["after.tokens"][source : source + 1], size=LABEL)
        self.n = len(self.tiles.tiles)
        self.rows = [
            [
                Matrix(streams[level, k], lying=True, role="residual", low=-bound, high=bound)
                for k in range(self.n)
            ]
            for level, bound in enumerate(bounds)
        ]
        look: dict[str, Any] = {"role": "token", "low": 0.0, "high": most, "spec": (".3g", ".2g")}
        self.moves = [
            [Matrix(moves[level, k : k + 1], lying=True, **look) for k in range(self.n)]
            for level in range(len(bounds))
        ]
        self.names = [Label(name, color=theme().muted, size=LABEL) for name in _NAMES]
        self.marks = VGroup(*(Label(_MOVED, size=LABEL) for _ in _NAMES))
        self.wires = VMobject(stroke_color=theme().residual, stroke_width=2)
        self.ribbons: list[list[Ribbons]] = []
        self._aside = text_width(_MOVED, LABEL) + _ASIDE
        tiles = [strip.measures.block(1, 1, LABEL).width for strip in (self.tiles, self.new_tile)]
        self._column = max(_LEAST, *tiles)

    @property
    def least(self) -> Size:
        high = _TILE + _FOOT + len(self.rows) * (_ROW + _MOVE + _STEP) - _STEP
        return Size(self._aside + self.n * (self._column + _APART) - _APART, high)

    def place(self, region: Region) -> None:
        """Fill a region; the columns and their names stand in its middle."""
        pitch = min((region.width - self._aside + _APART) / self.n, _MOST + _APART)
        self._width = pitch - _APART
        left = region.center[0] - (self.n * pitch - _APART - self._aside) / 2
        self._x = left + self._width / 2 + pitch * np.arange(self.n)
        gaps = len(self.rows) - 1
        spare = max(0.0, region.height - self.least.height) / gaps
        step = _ROW + _MOVE + min(_STEP + spare, _LONGEST)
        tile = region.center[1] - (step * gaps + _ROW + _MOVE + _FOOT) / 2
        self._y = tile + _TILE / 2 + _FOOT + step * np.arange(len(self.rows))
        middles = [(x, tile) for x in self._x]
        self.tiles.place_at(middles, (self._width, _TILE))
        self.new_tile.place_at([middles[self._source]], (self._width, _TILE))
        hide_tiles(self.new_tile, 0)
        for level, y in enumerate(self._y):
            for k in range(self.n):
                self.rows[level][k].place_cells(self._region(level, k, 0.0, _ROW))
                self.rows[level][k].empty()
                self.moves[level][k].place_cells(self._region(level, k, _ROW, _ROW + _MOVE))
            for label, up in ((self.names[level], _ROW / 2), (self.marks[level], _ROW + _MOVE / 2)):
                label.center_on(np.array([left - _ASIDE - label.width / 2, y + up, 0.0]))
        feet = [self._point(0, k, -_FOOT) for k in range(self.n)]
        tops = [self._point(level, k, _ROW) for level in range(gaps) for k in range(self.n)]
        ends = [self._point(level, k) for level in range(gaps + 1) for k in range(self.n)]
        self.wires.set_points(straight(np.array(feet + tops), np.array(ends)))

    def _region(self, level: int, k: int, low: float, high: float) -> Region:
        x, y = self._x[k], self._y[level]
        return Region(x - self._width / 2, y + low, x + self._width / 2, y + high)

    def block(self, level: int, k: int) -> Region:
        """The row of a token and what stands on it."""
        return self._region(level, k, 0.0, _ROW + _MOVE)

    def _point(
        self, level: int, k: int, up: float = 0.0, aside: float = 0.5
    ) -> NDArray[np.float64]:
        """So far over the foot of a row, at a share of its width."""
        return np.array([self._x[k] + (aside - 0.5) * self._width, self._y[level] + up, 0.0])

    # How it changes

    def run(self, path: str, *levels: int, **options: Any) -> list[Drive]:
        """Let the rows on these levels, on all unless some are named, run to other streams."""
        streams = self._stage[path]
        return [
            row.to(streams[level, k], **options)
            for level in levels or range(len(self.rows))
            for k, row in enumerate(self.rows[level])
        ]

    def boxes(self, path: str) -> list[VMobject]:
        """What names the boxes for the moves, and the boxes, at once for others and empty."""
        for level, cells in enumerate(self.moves):
            for k, cell in enumerate(cells):
                cell.set_to(self._stage[path][level, k : k + 1])
                cell.empty()
        return [self.marks, *(cell for cells in self.moves for cell in cells)]

    def look(self, path: str) -> list[Ribbons]:
        """Make the ribbons for patterns (L, h, T, T), not yet to be seen."""
        patterns = self._stage[path]
        self.ribbons = [
            [self._ribbons(patterns[level, head], level, (head + 0.5) / n) for head in range(n)]
            for level, n in enumerate(map(len, patterns.content))
        ]
        return [ribbons for level in self.ribbons for ribbons in level]

    def _ribbons(self, pattern: Any, level: int, aside: float) -> Ribbons:
        """The ribbons of a head, at a share of the width of the columns."""
        ribbons = Ribbons(
            pattern,
            lambda k: self._point(level, k, _ROW + _MOVE, aside),
            lambda k: self._point(level + 1, k, 0.0, aside),
            width=_RIBBONS * self._width / len(self._stage["before.patterns"][level]),
            giving=[self._source],
        )
        ribbons.place()
        return ribbons.hide()
