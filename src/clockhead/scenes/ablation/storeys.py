"""The rows of a text as columns: as they go in and, above, as each layer leaves them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from clockhead.scenes.ablation.card import Head, Switch
from clockhead.scenes.parts.flow import Ribbons
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.paths import straight
from clockhead.scenes.parts.ribbon_shape import bands
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.stage import Picture, Reading, Size, Stage, Value
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import LABEL

Point = NDArray[np.float64]

_NAMES = ("X", "layer 0", "layer 1")
_MOVED = "moved by"
_TILE, _ROW, _MOVE, _STEP, _FOOT, _BAND = 0.5, 0.34, 0.42, 0.5, 0.24, 0.45
"""The heights of a tile, a row and the cell on it; the least way to the next level, and to tiles;
and of the switch of all heads."""
_APART, _LEAST, _MOST, _NAME_GAP, _LARGEST = 0.26, 0.62, 2.6, 0.3, 2.4
"""Between two columns, how wide they are, what is beside them, and the longest way to a level."""
_RIBBONS = 0.28
"""What all shares of attention of a row take of the width of its column."""
_NUMBER = (".3g", ".2g")
_CLOSE = 1e-6
_PATHS = {
    False: ("alone_after.resids", "moves_alone", "alone_before.resids"),
    True: ("after.run.resids", "moves", "before.run.resids"),
}
"""The streams of the other text, how far they are from the first, and those of that, without and
with attention."""


class Storeys(Picture):
    """A column for each token: its tile, and on every level its row and how far that has moved.

    `rows[level][k]` shows the streams without attention, `moves[level][k]` from `tell` on how far
    they have moved. `ribbons` are the attention that each layer and head gives to one token, the
    `source`. By itself it has no shape: it reads back what is drawn by where it stands, and by
    the `switch` of all heads.
    """

    most = Size(math.inf, math.inf)

    def __init__(self, stage: Stage, source: int, bounds: Sequence[float]) -> None:
        self._stage, self._source = stage, source
        tokens, streams = stage["before.tokens"], stage[_PATHS[False][2]]
        super().__init__(streams)
        self.n_levels, self.n = len(streams), len(tokens)
        self.tiles = Strip(tokens, size=LABEL)
        self.rows = [
            [
                Matrix(streams[level, k], lying=True, role="residual", low=-bound, high=bound)
                for k in range(self.n)
            ]
            for level, bound in enumerate(bounds)
        ]
        self.moves: list[list[Matrix]] = []
        self.ribbons: dict[Head, Ribbons] = {}
        self.names = [Label(name, color=theme().muted, size=LABEL) for name in _NAMES]
        self.marks = VGroup(*(Label(_MOVED, size=LABEL) for _ in _NAMES))
        self.wires = VMobject(stroke_color=theme().residual, stroke_width=2)
        self.switch, self.heads = Switch(), Label("all heads", color=theme().muted, size=LABEL)
        self.switch.turn(0.0)
        self._aside = max(text_width(name, LABEL) for name in (*_NAMES, _MOVED)) + _NAME_GAP
        self._column = max(_LEAST, self.tiles.least.width / self.n)

    @property
    def least(self) -> Size:
        high = _BAND + _TILE + _FOOT + self.n_levels * (_ROW + _MOVE + _STEP) - _STEP
        return Size(self._aside + self.n * (self._column + _APART) - _APART, high)

    def place(self, region: Region) -> None:
        """Fill a region; the columns and their names stand in its middle."""
        pitch = min((region.width - self._aside + _APART) / self.n, _MOST + _APART)
        self._width = pitch - _APART
        left = region.center[0] - (self.n * pitch - _APART - self._aside) / 2
        self._x = left + self._width / 2 + pitch * np.arange(self.n)
        spare = max(0.0, region.height - self.least.height) / (self.n_levels - 1)
        step = _ROW + _MOVE + min(_STEP + spare, _LARGEST)
        high = _BAND + _TILE + _FOOT + step * (self.n_levels - 1) + _ROW + _MOVE
        foot = region.center[1] - high / 2
        self._y = foot + _TILE + _FOOT + step * np.arange(self.n_levels)
        self.tiles.place_at([(x, foot + _TILE / 2) for x in self._x], (self._width, _TILE))
        for level, rows in enumerate(self.rows):
            for k, row in enumerate(rows):
                row.place_cells(self._region(level, k, 0.0, _ROW))
            for label, up in ((self.names[level], _ROW / 2), (self.marks[level], _ROW + _MOVE / 2)):
                x = left - _NAME_GAP - label.width / 2
                label.center_on(np.array([x, self._y[level] + up, 0.0]))
        every = [(level, k) for level in range(self.n_levels) for k in range(self.n)]
        starts = [self._point(*at, _ROW) for at in every if at[0] + 1 < self.n_levels]
        feet = [np.array([x, foot + _TILE, 0.0]) for x in self._x]
        ends = [self._point(*at) for at in every]
        self.wires.set_points(straight(np.array(feet + starts), np.array(ends)))
        self.switch.stand(np.array([left + 0.3, foot + high - 0.15, 0.0]))
        aside = np.array([0.3 + _NAME_GAP + self.heads.width / 2, 0.0, 0.0])
        self.heads.center_on(self.switch.get_center() - aside)

    # Where it stands

    def _region(self, level: int, k: int, low: float, high: float) -> Region:
        x, y = self._x[k], self._y[level]
        return Region(x - self._width / 2, y + low, x + self._width / 2, y + high)

    def block(self, level: int, k: int) -> Region:
        """The row of a token and what stands on it."""
        return self._region(level, k, 0.0, _ROW + _MOVE)

    def _point(self, level: int, k: int, up: float = 0.0, aside: float = 0.5) -> Point:
        """So far over the foot of a row, at a share of its width."""
        return np.array([self._x[k] + (aside - 0.5) * self._width, self._y[level] + up, 0.0])

    # What is told

    def tell(self, path: str, most: float) -> None:
        """Make the cells for how far each row has moved, empty; the fullest shade is `most`."""
        moves = self._stage[path]
        look: dict[str, Any] = {"role": "token", "low": 0.0, "high": most, "spec": _NUMBER}
        self.moves = [
            [Matrix(moves[level, k : k + 1], lying=True, **look) for k in range(self.n)]
            for level in range(self.n_levels)
        ]
        for level, cells in enumerate(self.moves):
            for k, cell in enumerate(cells):
                cell.place_cells(self._region(level, k, _ROW, _ROW + _MOVE))
                cell.empty()

    def run(self, path: str, *levels: int, **options: Any) -> list[Drive]:
        """Let the rows on these levels, on all unless some are named, run to other streams."""
        streams = self._stage[path]
        return [
            row.to(streams[level, k], **options)
            for level in levels or range(self.n_levels)
            for k, row in enumerate(self.rows[level])
        ]

    def look(self, path: str) -> list[Ribbons]:
        """The ribbons out of the source for patterns (L, h, T, T), not yet to be seen."""
        patterns = self._stage[path]
        n_layers, n_heads, *_ = patterns.array.shape
        for layer, head in np.ndindex(n_layers, n_heads):
            aside = (head + 0.5) / n_heads

            def start(k: int, layer: int = layer, aside: float = aside) -> Point:
                return self._point(layer, k, _ROW + _MOVE, aside)

            def end(k: int, layer: int = layer, aside: float = aside) -> Point:
                return self._point(layer + 1, k, 0.0, aside)

            width = _RIBBONS * self._width / n_heads
            ribbons = Ribbons(patterns[layer, head], start, end, width=width, giving=[self._source])
            ribbons.place()
            self.ribbons[layer, head] = ribbons.hide()
        return list(self.ribbons.values())

    # What it says

    def show(self, state: NDArray[np.float64]) -> None:
        """There is nothing to be drawn."""

    def readings(self) -> Iterator[Reading]:
        """The numbers of each row and of each cell, and the breadth of each ribbon."""
        rows, moves, _ = _PATHS[self.switch.reads > 0.5]
        told = {self._standing(cell) for cell in _still(self.moves)}
        for matrix in _still([*self.rows, *self.moves]):
            at, is_move = self._standing(matrix), matrix.state.size == 1
            path = moves if is_move else rows if at in told else matrix.value.path
            for j, says in enumerate(matrix.state):
                meant = self._stage[path][at]
                yield Reading(meant if is_move else meant[j], float(says))
        yield from self._ribbon_readings()

    def _ribbon_readings(self) -> Iterator[Reading]:
        for ribbons in self.ribbons.values():
            shown = ribbons.shown
            if not isinstance(shown, Value):
                continue
            for start, end, breadth in (b for path in ribbons.rows for b in bands(path.points)):
                level, n, aside = self._at(start)
                _, m, there = self._at(end)
                whole = self._y[level] + _ROW + _MOVE, self._y[min(level + 1, self.n_levels - 1)]
                if np.allclose([start[1], end[1]], whole, atol=_CLOSE):
                    patterns = self._stage[shown.path]
                    head, lane = (int(x * patterns.array.shape[1]) for x in (aside, there))
                    says = breadth / ribbons.unit if lane == head else "in the lane of another head"
                    yield Reading(patterns[level, head, m, n], says)

    def _at(self, point: Point) -> tuple[int, int, float]:
        """The level and the token at a point, and where in its column it is, from 0 to 1."""
        level = int(np.abs(self._y + (_ROW + _MOVE) / 2 - point[1]).argmin())
        k = min(range(self.n), key=lambda k: abs(self.tiles.middle(k)[0] - point[0]))
        return level, k, float((point[0] - self.tiles.middle(k)[0]) / self._width + 0.5)

    def _standing(self, matrix: Matrix) -> tuple[int, int]:
        """At the name of which level, and over which tile, a matrix stands."""
        middle = matrix.lattice.region.center
        name = min(self.names, key=lambda label: abs(label.middle[1] - middle[1]))
        return _NAMES.index(name.text), self._at(middle)[1]


def _still(matrices: Sequence[Sequence[Matrix]]) -> list[Matrix]:
    """Those that are whole and on no way."""
    each = (matrix for level in matrices for matrix in level)
    return [m for m in each if isinstance(m.shown, Value) and m.opened.min() == 1]
