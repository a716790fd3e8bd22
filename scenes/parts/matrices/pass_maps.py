"""A forward pass on one page: the residual stream, the patterns of two layers, and the logits.

All rows are positions and stand on the same heights, so that a token is one row from left to right.
What is talked about is wide; what has been said of is narrow, and what comes later is not there.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import DOWN, RIGHT, Rectangle, VGroup
from numpy.typing import ArrayLike, NDArray

from scenes.parts.charts.bars import Bars
from scenes.parts.matrices.block_map import Block
from scenes.parts.matrices.pane import Pane
from scenes.parts.matrices.pass_plan import plan_of, room_of
from scenes.parts.tokens.stream_flow import stagger
from scenes.style.layout import Region
from scenes.style.motion import Drive, slide
from scenes.style.text import Formula, Label, Number, text_width
from scenes.style.theme import mix, theme
from scenes.style.type import LABEL, MIN_SIZE, Weight

_LEVEL = 0.42
"""Width of what the stream is called."""
_ASIDE = 0.2
"""Room for names that step aside."""
_SEEN = 0.05
"""Less than this of a token is not carried to the logits."""


class PassMaps(VGroup):
    """Where everything of a pass is drawn; nothing of it is on screen yet.

    `stream` (T, 3V + 1) has the lanes cur, prev, out and 1, of `n_vocab` coordinates but for the
    last; `patterns` (2, T, T). `logits` is the room for a bar for every token of the vocabulary.
    `make_room` tells what moves for the next of them.
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
        look, self.vocabulary = theme(), vocabulary
        self.n_vocab = n_vocab = len(vocabulary)
        lanes = [
            Block("cur", n_vocab, look.token),
            Block("prev", n_vocab, look.key),
            Block("out", n_vocab, look.value),
            Block("1", 1, look.residual),
        ]
        own = max(text_width(name, LABEL) for name in names)
        side = max(_LEVEL, own + _ASIDE) + 0.16
        self._plan = plan = plan_of(region, side, len(names), n_vocab)
        self.stream = Pane(
            stream, room_of(plan.upper, plan.alone, own + 0.16), columns=lanes, row_names=names
        )
        stagger(self.stream.row_names, self.stream.cell_height)
        hidden = ~np.tri(len(names), dtype=np.bool_)
        beside = names if plan.upper != plan.lower else ()
        self.patterns = [
            Pane(
                pattern,
                room_of(plan.lower, span, own + 0.16 if tags else 0.0),
                columns=[Block(title, len(names), look.attention)],
                row_names=tags,
                hidden=hidden,
                edged=True,
            )
            for pattern, span, title, tags in zip(
                patterns, plan.wide, ("layer 0", "layer 1"), (beside, ()), strict=True
            )
        ]
        stagger(self.patterns[0].row_names, self.patterns[0].cell_height)
        area = self.patterns[1].area
        self.logits = Region(plan.logits[0], area.bottom, plan.logits[1], area.top)

    def make_room(self, k: int, level: Formula) -> list[Drive]:
        """Everything steps aside for pattern `k`, or for the logits if `k` is 2.

        `level`, what the stream is called, goes along with it.
        """
        plan = self._plan
        if k > 0:
            return [self.patterns[k - 1].lay_to(*plan.narrow[k - 1], run_time=0.7)]
        if plan.beside == plan.alone:
            return []
        aside = slide(level, [plan.beside[0] - plan.alone[0], 0.0, 0.0], run_time=0.8)
        return [self.stream.lay_to(*plan.beside, run_time=0.8), aside]

    def bars(self, values: ArrayLike, high: float) -> Bars:
        """A bar for every token of the vocabulary, on the height of the last row."""
        logits = self.logits
        room = Region(logits.left, logits.bottom, logits.right, logits.top - 0.45)
        return Bars(values, room, high=high, color=theme().value, most_width=0.6)

    def heading(self) -> Label:
        """What the bars are."""
        name = Label("logits", color=theme().muted, align="center")
        return name.put(np.array([self.logits.center[0], self.logits.top + 0.12, 0.0]))

    def bar_names(self, bars: Bars, said: int, lead: Sequence[int]) -> VGroup:
        """Which token a bar stands for, where there is room; always that of bar `said`.

        Those of the bars that `lead` are lit.
        """
        look, y, names = theme(), foot_line(self.patterns[1].area), VGroup()
        size = LABEL if bars.step > 0.24 else MIN_SIZE
        for k, token in enumerate(self.vocabulary):
            roomy = bars.step > 0.18 and len(token) == 1 and abs(k - said) * bars.step > 0.2
            if k != said and not roomy:
                continue
            color = look.text_color("value") if k in lead else look.muted
            weight: Weight = "semibold" if k in lead else "regular"
            large = 28 if k in lead and bars.step > 0.24 else size
            name = Label(token, size=large, weight=weight, color=color, align="center")
            names.add(name.put(np.array([self._beside(name, bars.middle(k)), y, 0.0])))
        return names

    def top_logit(self, bars: Bars, said: int) -> Number:
        """The logit of bar `said`, over it."""
        color = theme().text_color("value")
        number = Number(float(bars.values[said]), ".4f", size=28, weight="semibold", color=color)
        x = self._beside(number, bars.middle(said))
        return number.put(np.array([x, bars.tip(said)[1] + 0.12, 0.0]))

    def _beside(self, label: Label, x: float) -> float:
        """The x next to a bar's at which a label stays over the logits."""
        half = float(label.width) / 2
        return min(max(x, self.logits.left + half), self.logits.right - half)

    def under(self, k: int, number: Number, columns: Sequence[int]) -> Number:
        """Put a number under the middle of some columns of pattern `k`, within the pattern."""
        pattern = self.patterns[k]
        x = float(np.mean([pattern.middle(0, column)[0] for column in columns]))
        half, area = float(number.width) / 2, pattern.area
        low, high = area.left + half, area.right - half
        x = min(max(x, low), high) if low < high else float(area.center[0])
        return number.put(np.array([x, foot_line(area), 0.0]))

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

    def foot(self, lane: str, token: int, text: str, color: str) -> Label:
        """What a column of the stream is called, under it."""
        label = Label(text, size=26, weight="semibold", color=color, align="center")
        x = float(self.stream.middle(0, self.lane(lane)[token])[0])
        return label.put(np.array([x, foot_line(self.stream.area), 0.0]))

    def carry(
        self, moves: Sequence[tuple[int, int, int]], start: str, end: str, color: str
    ) -> tuple[VGroup, Drive]:
        """Cells on their way from lane to lane: (from row, to row, token) each."""
        ways = [
            (
                self.stream.middle(row, self.lane(start)[token]),
                self.stream.middle(to, self.lane(end)[token]),
            )
            for row, to, token in moves
        ]
        return self._send(ways, [color] * len(ways))

    def read_out(self, bars: Bars) -> tuple[VGroup, Drive]:
        """What the last row has in out, on its way to the feet of the bars."""
        stream, columns = self.stream, self.lane("out")
        held = [stream.values[-1, column] for column in columns]
        seen = [k for k, share in enumerate(held) if share > _SEEN]
        ways = [
            (stream.middle(-1, columns[k]), np.array([bars.middle(k), bars.area.bottom, 0.0]))
            for k in seen
        ]
        look = theme()
        return self._send(ways, [mix(look.panel, look.value, float(held[k])) for k in seen])

    def _send(
        self, ways: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]], colors: Sequence[str]
    ) -> tuple[VGroup, Drive]:
        cells = VGroup()
        for (start, _), color in zip(ways, colors, strict=True):
            cell = Rectangle(width=self.stream.cell_width, height=self.stream.cell_height)
            cells.add(cell.set_stroke(width=0).set_fill(color, 1).move_to(start))

        def show(share: NDArray[np.float64]) -> None:
            for cell, (start, end) in zip(cells, ways, strict=True):
                cell.move_to(start + float(share) * (end - start))

        return cells, Drive(cells, show, 0.0, 1.0, run_time=0.9)


def foot_line(area: Region) -> float:
    """The baseline of what is written under a matrix or under bars."""
    return area.bottom - 0.36
