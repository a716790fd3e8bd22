"""The lanes of the heads: their layout, and their content at the boundaries of shots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from manim import VGroup, VMobject

from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.table import bound_of
from clockhead.scenes.parts.tile import rounded
from clockhead.scenes.stage import Picture, Reading, Size, Stage, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.text import Formula, Label
from clockhead.scenes.style.theme import Role, theme
from clockhead.scenes.transformer_block.page import SHARES, rows_of

QKV: tuple[tuple[str, Role, str], ...] = (
    ("queries", "query", "Q"),
    ("keys", "key", "K"),
    ("values", "value", "V"),
)
"""Name, role and sign of queries, keys and values."""

SIGN = 0.5
"""Width of the column of signs at the right, in units."""
_NAME = 0.42
"""Height of the names of the heads, in units."""
_GAP = 0.24
"""Gap between lanes, in units."""
_SEAM = 0.18
"""Gap between matrices in a lane, in units."""
_PAD = 0.14
"""Padding of a lane, in units."""
_MOST = 0.9
"""Largest width of a cell, in units."""
_HIGH = 0.8
"""Largest height of a cell in a lane, as a fraction of that width."""
_SLIM = 1.2
"""Largest height of a cell in a pattern, as a fraction of that width."""
_SIZE = 30.0
_LEAST = Size(0.3, 0.22)
"""Smallest cell of a pattern."""
_CORNER = 0.16
"""Gap between queries, keys and their pattern, in units."""


class LanePlaces:
    """Layout of lanes side by side in a room, with three matrices one above the other in each.

    `lanes` are the lanes (h), `names` the bands above them. `queries`, `keys` and `values` are the
    regions of the cells in each lane; the head outputs end up in `values`. `heads` are the regions
    above the values, for queries, keys and patterns; `tops` are the regions of patterns above two
    other matrices. `slots` are the three bands over the whole width.
    """

    def __init__(self, room: Region, n_heads: int, n_tokens: int, d_head: int) -> None:
        top, area = room.cut_top(_NAME, 0.0)
        left, right = room.left, room.right - SIGN
        width = (right - left - _GAP * (n_heads - 1)) / n_heads
        lefts = [left + k * (width + _GAP) for k in range(n_heads)]
        self.lanes = [Region(x, room.bottom, x + width, room.top) for x in lefts]
        self.names = [Region(x, top.bottom, x + width, top.top) for x in lefts]
        high = (area.height - _PAD - 2 * _SEAM) / 3
        tops = [area.top - k * (high + _SEAM) for k in range(3)]
        self.slots = [Region(room.left, y - high, room.right, y) for y in tops]
        cell = min(_MOST, (width - 2 * _PAD) / d_head)
        row = min(high / n_tokens, _HIGH * cell)
        self.queries, self.keys, self.values = (
            [_middle(lane, slot, d_head * cell, n_tokens * row) for lane in self.lanes]
            for slot in self.slots
        )
        self.heads = [
            Region(x + _PAD, self.slots[1].bottom, x + width - _PAD, area.top) for x in lefts
        ]
        wide = min(n_tokens * cell, width - 2 * _PAD)
        self.tops = [_middle(lane, self.slots[0], wide, n_tokens * row) for lane in self.lanes]
        self._counts = n_tokens, d_head

    def corner(self, k: int) -> tuple[Region, Region, Region]:
        """Regions above the values of head k: its queries, its transposed keys, their product."""
        room, (n, d) = self.heads[k], self._counts
        cell = min(_MOST, (room.width - _CORNER) / (n + d))
        row = min(_SLIM * cell, (room.height - _CORNER) / (n + d))
        left = room.center[0] - ((n + d) * cell + _CORNER) / 2
        top = room.center[1] + ((n + d) * row + _CORNER) / 2
        x, y = left + d * cell, top - d * row
        asked = Region(x + _CORNER, y, x + _CORNER + n * cell, top)
        low, high = y - _CORNER - n * row, y - _CORNER
        return Region(left, low, x, high), asked, Region(asked.left, low, asked.right, high)


class HeadLanes(VGroup):
    """Queries, keys and values of every head, one above the other in its lane."""

    def __init__(self, stage: Stage, ways: LanePlaces) -> None:
        super().__init__()
        n_heads = len(ways.lanes)
        self.panels = VGroup(*map(LaneGround, ways.lanes))
        self.names = HeadNames(ways)
        self.signs = VGroup(
            *(
                Formula(f"{role}({sign})", size=_SIZE).move_to(
                    (slot.right - SIGN / 2, slot.center[1], 0.0)
                )
                for (_, role, sign), slot in zip(QKV, ways.slots, strict=True)
            )
        )
        self.matrices = [
            [lane_matrix(stage, name, role, k) for k in range(n_heads)] for name, role, _ in QKV
        ]
        self.queries, self.keys, self.values = self.matrices
        for (name, _, _), matrices in zip(QKV, self.matrices, strict=True):
            self.names.watch(stage[f"lane_{name}"], matrices)
        self.homes = [ways.queries, ways.keys, ways.values]
        self.add(self.panels, self.names, self.signs)
        self.add(*(matrix for three in self.matrices for matrix in three))

    def place(self) -> HeadLanes:
        """Place every matrix in its lane."""
        for matrices, homes in zip(self.matrices, self.homes, strict=True):
            for matrix, home in zip(matrices, homes, strict=True):
                matrix.place_cells(home)
        return self


def lane_matrix(stage: Stage, name: str, role: Role, k: int, **options: Any) -> Matrix:
    """The queries, keys or values of head k, (T, d_head), with one colour scale for all heads."""
    bound = bound_of(stage[f"first.{name}"])
    part: Value = stage[f"lane_{name}"][k]
    return rows_of(stage, part, role, named=False, low=-bound, high=bound, **options)


def blends_of(stage: Stage, ways: LanePlaces) -> VGroup:
    """The outputs z of all heads, each at the bottom of its lane, coloured like the values."""
    bound, blends = bound_of(stage["first.values"]), VGroup()
    for k, home in enumerate(ways.values):
        z = stage["first.z"][k]
        blend = rows_of(stage, z, "value", named=False, low=-bound, high=bound)
        blend.place_cells(home)
        blends.add(blend)
    return blends


def pattern_of(stage: Stage, k: int, room: Region | None = None) -> Matrix:
    """The pattern of head k, (T, T), with as many of its names as fit the room."""
    words = stage["tokens"]
    look: dict[str, Any] = {"low": 0.0, "high": 1.0, "mask": "causal", "spec": SHARES}
    look |= {"least_cell": _LEAST, "aspect": (0.4, _SLIM)}
    named: list[dict[str, Any]] = [{"rows": words, "columns": words}, {"columns": words}, {}]
    ways = [Matrix(stage["first.patterns"][k], **look, **names) for names in named]
    for way in ways:
        if room is None or (way.least.width <= room.width and way.least.height <= room.height):
            return way
    return ways[-1]


HEAD_NAME = 22.0
"""Size of the names of heads, of which three are side by side."""


class HeadNames(Picture):
    """The names of the heads, each above its lane.

    Watched matrices are read back as those of the head whose name is above them.
    """

    def __init__(self, ways: LanePlaces) -> None:
        super().__init__(Value("n_heads", len(ways.lanes)))
        self._watched: list[tuple[Value, Sequence[Matrix]]] = []
        self.labels = [
            Label(f"head {k}", size=HEAD_NAME, color="muted").center_on(band.center)
            for k, band in enumerate(ways.names)
        ]
        self.add(*self.labels)

    def watch(self, whole: Value, matrices: Sequence[Matrix]) -> None:
        """Read these matrices, one for each head, as the parts of a value (h, R, C)."""
        self._watched.append((whole, matrices))

    def readings(self) -> Iterator[Reading]:
        """The numbers of visible matrices, for the head whose name is above them."""
        if not all(map(is_visible, self.labels)):
            return
        middles = np.array([label.middle[0] for label in self.labels])
        for whole, matrices in self._watched:
            for matrix in matrices:
                if not matrix.placed or not (is_visible(matrix) and matrix.opened.any()):
                    continue
                if not (isinstance(matrix.shown, Value) and matrix.shown.path == whole.path):
                    continue  # it shows another value, or is changing to one
                near = int(np.abs(middles - matrix.lattice.region.center[0]).argmin())
                head = int(self.labels[near].text.removeprefix("head "))
                meant, table = whole[head], matrix.table
                for i, j in np.ndindex(table.shape):
                    yield Reading(meant[i, j], float(table[i, j]))


class LaneGround(VMobject):
    """The background of a lane."""

    def __init__(self, region: Region) -> None:
        look = theme()
        super().__init__(
            stroke_color=look.hairline, stroke_width=2, fill_color=look.panel, fill_opacity=1
        )
        self.set_points(rounded(region.width, region.height) + region.center)
        self.set_z_index(-1)


def _middle(lane: Region, slot: Region, width: float, height: float) -> Region:
    """A region of a given size, centred where a lane and a slot intersect."""
    x, y = lane.center[0], slot.center[1]
    return Region(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
