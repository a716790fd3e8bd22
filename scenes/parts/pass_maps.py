"""A forward pass on one page: the residual stream, the patterns of two layers, and the logits.

All rows are positions and stand on the same heights, so that a token is one row from left to right.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import DOWN, RIGHT, Rectangle, VGroup
from numpy.typing import ArrayLike, NDArray

from scenes.parts.bars import Bars
from scenes.parts.block_map import Block, BlockMap
from scenes.parts.motion import Drive
from scenes.parts.stream_flow import stagger
from scenes.parts.text import Formula, Label, Number, text_width
from scenes.style.layout import PX, Region
from scenes.style.theme import theme
from scenes.style.type import LABEL, MIN_SIZE, SMALL, Weight

_APART = 0.5
"""Between two matrices, in units."""
_FOOT = 0.46
"""Room under a matrix for what its columns are called."""
_MOST_CELL, _MOST_ROW = 0.6, 0.8
_LEVEL = 0.42
"""Width of what the stream is called."""
_ASIDE = 0.2
"""Room for names that step aside."""
_LEAST_LANE = 0.52
"""Width of a lane that has room for its name."""


class PassMaps(VGroup):
    """Where everything of a pass is drawn; nothing of it is on screen yet.

    `stream` (T, 3V + 1) has the lanes cur, prev, out and one, of `n_vocab` coordinates but for the
    last; `patterns` (2, T, T). `logits` is the room for a bar for every token of the vocabulary.
    """

    def __init__(
        self,
        stream: NDArray[np.float64],
        patterns: NDArray[np.float64],
        vocabulary: Sequence[str],
        names: Sequence[str],
        region: Region,
    ) -> None:
        super().__init__()
        look, n_vocab = theme(), len(vocabulary)
        lanes = [
            Block("cur", n_vocab, look.token),
            Block("prev", n_vocab, look.key),
            Block("out", n_vocab, look.value),
            Block("1", 1, look.residual),
        ]
        own = max(text_width(name, LABEL) for name in names)
        side = max(_LEVEL, own + _ASIDE)
        rooms = _rooms(region, side + 0.16, len(names), n_vocab)
        two_bands = rooms[1].left < rooms[0].right
        for k in (0, 1) if two_bands else (0,):
            room = rooms[k]
            rooms[k] = Region(room.left + side - own, room.bottom, room.right, room.top)
        self.stream = _map(stream, rooms[0], lanes, names)
        stagger(self.stream.row_names, self.stream.cell_height)
        beside = names if two_bands else ()
        hidden = ~np.tri(len(names), dtype=np.bool_)
        self.patterns = [
            _map(pattern, room, [Block(title, len(names), look.attention)], tags, hidden)
            for pattern, room, title, tags in zip(
                patterns, rooms[1:3], ("layer 0", "layer 1"), (beside, ()), strict=True
            )
        ]
        stagger(self.patterns[0].row_names, self.patterns[0].cell_height)
        self.vocabulary = vocabulary
        area, room = self.patterns[1].area, rooms[3]
        self.logits = Region(room.left, area.bottom, room.right, area.top)
        self.n_vocab = n_vocab
        self.places = VGroup(*(self._place(part.area) for part in self.patterns), self._logits())

    def bars(self, values: ArrayLike, high: float) -> Bars:
        """A bar for every token of the vocabulary, on the height of the last row."""
        logits = self.logits
        room = Region(logits.left, logits.bottom, logits.right, logits.top - 0.45)
        return Bars(values, room, high=high, color=theme().value, most_width=0.5)

    def bar_names(self, bars: Bars, said: int) -> VGroup:
        """Which token a bar stands for, where there is room; always that of bar `said`."""
        look, y, names = theme(), foot_line(self.patterns[1].area), VGroup()
        size = LABEL if bars.step > 0.24 else MIN_SIZE
        for k, token in enumerate(self.vocabulary):
            roomy = bars.step > 0.18 and len(token) == 1 and abs(k - said) * bars.step > 0.2
            if k != said and not roomy:
                continue
            color = look.text_color("value") if k == said else look.muted
            weight: Weight = "semibold" if k == said else "regular"
            name = Label(token, size=size, weight=weight, color=color, align="center")
            names.add(name.put(np.array([self._beside(name, bars.middle(k)), y, 0.0])))
        return names

    def top_logit(self, bars: Bars, said: int) -> Number:
        """The logit of bar `said`, over it."""
        color = theme().text_color("value")
        number = Number(float(bars.values[said]), ".2%", weight="semibold", color=color)
        x = self._beside(number, bars.middle(said))
        return number.put(np.array([x, bars.tip(said)[1] + 0.12, 0.0]))

    def _beside(self, label: Label, x: float) -> float:
        """The x next to a bar's at which a label stays over the logits."""
        half = float(label.width) / 2
        return min(max(x, self.logits.left + half), self.logits.right - half)

    def _place(self, area: Region) -> Rectangle:
        """Where something will stand."""
        box = Rectangle(width=area.width, height=area.height).move_to(area.center)
        return box.set_stroke(theme().hairline, 1.5)

    def _logits(self) -> VGroup:
        name = Label("logits", size=SMALL, color=theme().muted, align="center")
        top = np.array([self.logits.center[0], self.logits.top + 0.12, 0.0])
        return VGroup(self._place(self.logits), name.put(top))

    def level(self, name: str) -> Formula:
        """What the stream is called, over the names of its rows."""
        area = self.stream.area
        formula = Formula(name, size=26, color=theme().muted)
        left = np.array([area.left - 0.16, area.top + 0.12, 0.0])
        return formula.move_to(left, aligned_edge=DOWN + RIGHT)

    def lane(self, name: str) -> range:
        """The columns of a lane."""
        start = ("cur", "prev", "out").index(name) * self.n_vocab
        return range(start, start + self.n_vocab)

    def frame(self, row: int, lane: str, token: int, color: str) -> Rectangle:
        """A frame around what a position has in a lane for one token."""
        return self.stream.frame(self.stream.cell(row, self.lane(lane)[token]), color, 4)

    def foot(self, matrix: BlockMap, column: int, text: str, color: str) -> Label:
        """What a column is called, under the matrix."""
        label = Label(text, size=24, weight="semibold", color=color, align="center")
        x = float(matrix.middle(0, column)[0])
        return label.put(np.array([x, foot_line(matrix.area), 0.0]))

    def carry(
        self, moves: Sequence[tuple[int, int, int]], start: str, end: str, color: str
    ) -> tuple[VGroup, Drive]:
        """Cells on their way from lane to lane: (from row, to row, token) each."""
        cells, steps = VGroup(), []
        for row, to, token in moves:
            a = self.stream.middle(row, self.lane(start)[token])
            steps.append(self.stream.middle(to, self.lane(end)[token]) - a)
            cell = Rectangle(width=self.stream.cell_width, height=self.stream.cell_height)
            cells.add(cell.set_stroke(width=0).set_fill(color, 1).move_to(a))
        starts = [cell.get_center() for cell in cells]

        def show(share: NDArray[np.float64]) -> None:
            for cell, at, step in zip(cells, starts, steps, strict=True):
                cell.move_to(at + float(share) * step)

        return cells, Drive(cells, show, 0.0, 1.0, run_time=1.2)


def foot_line(area: Region) -> float:
    """The baseline of what is written under a matrix or under bars."""
    return area.bottom - 0.36


def _map(
    values: NDArray[np.float64],
    room: Region,
    columns: Sequence[Block],
    names: Sequence[str],
    hidden: NDArray[np.bool_] | None = None,
) -> BlockMap:
    return BlockMap(
        values,
        room,
        columns=columns,
        row_names=names,
        hidden=hidden,
        most_cell=room.width,
        square=False,
        name_size=SMALL,
    )


def _rooms(region: Region, side: float, n_tokens: int, n_vocab: int) -> list[Region]:
    """Rooms for stream, patterns and logits: in one row, or in two where the region is tall."""
    gaps = 3 * 0.14
    most = float(np.clip(0.27 * n_vocab, 1.3, 0.2 * region.width))
    if region.height > 1.25 * region.width:
        upper, lower = region.rows(1, 1, gap=0.5)
        cell = min(_lane_cell(n_vocab), (upper.width - side - gaps) / (3 * n_vocab + 1))
        below = min(_MOST_CELL, (lower.width - side - most - 2 * _APART) / (2 * n_tokens))
        stream = _row(upper, [side + gaps + cell * (3 * n_vocab + 1)], n_tokens)
        widths = [side + below * n_tokens, below * n_tokens, most]
        return stream + _row(lower, widths, n_tokens)
    columns = 3 * n_vocab + 1 + 2 * n_tokens
    cell = min(_MOST_CELL, (region.width - side - gaps - most - 3 * _APART) / columns)
    wide = max(cell, _LEAST_LANE / n_vocab) * (3 * n_vocab + 1)
    free = region.width - side - gaps - wide - most - 3 * _APART
    cell = min(cell, free / (2 * n_tokens))
    widths = [side + gaps + wide, cell * n_tokens, cell * n_tokens, most]
    return _row(region, widths, n_tokens)


def _lane_cell(n_vocab: int) -> float:
    """The widest cell that a lane needs."""
    return max(_MOST_CELL, _LEAST_LANE / n_vocab)


def _row(region: Region, widths: Sequence[float], n_tokens: int) -> list[Region]:
    """Rooms beside each other in the middle of a region, no higher than the rows need."""
    total = sum(widths) + _APART * (len(widths) - 1)
    names = 1.5 * SMALL * PX
    height = min(region.height, n_tokens * _MOST_ROW + names + _FOOT)
    x, top = region.center[0] - total / 2, region.center[1] + height / 2
    rooms = []
    for width in widths:
        rooms.append(Region(x, top - height + _FOOT, x + width, top))
        x += width + _APART
    return rooms
