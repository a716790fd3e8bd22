"""The two layers in numbers: a row for every token, and what each layer moves between rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import Create

from clockhead.model.induction.circuit import Induction
from clockhead.scenes.induction.spread import OVER, letters
from clockhead.scenes.induction.words import InductionInputs
from clockhead.scenes.parts.block_moves import send_cells
from clockhead.scenes.parts.block_panels import Block
from clockhead.scenes.parts.block_unfold import unfold_rows
from clockhead.scenes.parts.blocks import Blocks
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.table import Room
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Column,
    Picture,
    Reading,
    Row,
    Size,
    Stage,
    Steps,
    Value,
    beat,
    fit,
)
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.type import LABEL, MIN_SIZE

CUR, PREV, OUT, ONE = "cur", "prev", "out", "1"
_LEAST_CELL, _NAME = 0.2, Size(2.4, 0.32)
_LEAST_PLAIN = 0.12
"""The least side of a cell of attention, the room for what is over them; and that of a column
without a word over it."""


class Keys(Picture):
    """Frames around cells of a block: in the rows (N,), in the column of one word."""

    def __init__(self, rows: Value, word: Value, block: Matrix, cells: list[Region]) -> None:
        super().__init__(rows)
        self._word, self._block = word, block
        self.frames = [CellFrame(cell, "key", 6.0) for cell in cells]
        self.add(*self.frames)

    def readings(self) -> Iterator[Reading]:
        """The row and the column of each frame."""
        for k, frame in enumerate(self.frames):
            row, column = self._block.lattice.nearest(frame.region.center)
            yield Reading(self.shown[k], float(row), 0.0)
            yield Reading(self._word, float(column), 0.0)


class ForwardPass(Stage[Induction]):
    """Every token is a row of numbers; each layer adds to the rows what it moves between them."""

    class Inputs(InductionInputs):
        """The two layers over a text."""

    title = "The same in numbers"
    question = "{n_tokens} rows of {d_model} numbers. Who moves what?"
    caption = "These rows are the residual stream: heads add to them, and overwrite nothing."
    opens = ("tiles",)
    leaves = ("tiles",)
    claims = (
        Claim(
            "every row gets the token before it into prev, at least nine tenths of it",
            lambda head: head.least_stored >= 0.9,
            "a row gets only {least_stored:.0%} of it: alpha {inputs.alpha:g} is too small",
        ),
        Claim(
            "the last row looks where its token stands in prev",
            lambda head: head.match_weight >= 0.9,
            "only {match_weight:.0%} of its attention goes there: beta {inputs.beta:g} does not "
            "fit alpha {inputs.alpha:g}",
        ),
    )

    @classmethod
    def compute(cls, inputs: InductionInputs) -> Induction:
        return inputs.induction()

    def layout(self) -> None:
        head, tokens = self.values, self["tokens"]
        self.words, self.last = head.text.indices.tolist(), head.n_tokens - 1
        self.asks = self.words[self.last]
        self.tiles = Strip(tokens, positions=True, size=letters(self.canvas))
        self.tiles.place(self.canvas.inset(0.0, OVER))
        words = self["vocabulary.tokens"]
        named, plain = self._rows(words), self._rows(None, least_cell=_LEAST_PLAIN)
        self.rows = (*[named] * 4, plain)[self._lay(named, plain)]
        self.rows.hide()

    def _rows(self, words: Value | None, **options: Any) -> Blocks:
        """The rows of the text, their places in blocks, with words over the columns."""
        spans = self.values.subspaces
        blocks = [
            Block(CUR, spans["cur"], "token", words),
            Block(PREV, spans["prev"], "value", words),
            Block(OUT, spans["out"], "value", words),
            Block(ONE, spans["one"], "residual"),
        ]
        return Blocks(self["forward.resid_pre"], blocks, rows=self.tiles, high=1.0, **options)

    def _lay(self, rows: Blocks, plain: Blocks) -> int:
        """Who looks at whom, layer by layer in one place: level with the rows, or below them.

        A square frame has room for the rows alone, and so has a tall one if they are long.
        """
        tokens, n = self["tokens"], self.values.n_tokens
        shares: dict[str, Any] = {"mask": "causal", "low": 0.0, "high": 1.0}
        options = {"columns": tokens, "least_cell": _LEAST_CELL, **shares}
        first = Matrix(self["forward.head_0.pattern"], rows=tokens, **options)
        side = _LEAST_CELL * n
        room, name = Room(Size(max(side, _NAME.width), side)), Room(_NAME)
        name.most = name.least
        below = Column(rows, Column(name, first, gap=0.0))
        level = Row(rows, room, weights=(2, 1))
        way = fit(self.canvas, level, below, rows.banded(2), rows, plain)
        self.patterns: list[tuple[Matrix, Label]] = []
        if way > 1:
            return way
        if way == 0:
            cells, x = rows.block(CUR).region, float(room.region.center[0])
            half = min(room.region.width, 1.2 * cells.height) / 2
            area = Region(x - half, cells.bottom, x + half, cells.top)
            over = np.array([x, rows.titles[0].anchor[1], 0.0])
        else:
            area, over = first.lattice.region, name.region.point(0.5, 0.3)
        color = self.theme.text_color("attention")
        for k in (0, 1):
            beside = tokens if way else None
            pattern = Matrix(self[f"forward.head_{k}.pattern"], rows=beside, **options)
            pattern.place_cells(area, size=MIN_SIZE)
            heading = Label(f"attention, layer {k}", size=LABEL, color=color, align="center")
            self.patterns.append((pattern, heading.put(over)))
        return way

    @beat("Each token is a row: a 1 in cur says which word it is.")
    def unfold(self) -> Steps:
        yield unfold_rows(self.rows, CUR, run_time=self.reading)

    @beat("The last number, always 1, is for layer 0's clocks.")
    def constant(self) -> Steps:
        frame = self.rows.frame(None, ONE, role="key")
        yield Create(frame)
        yield self.reading - 1.6
        yield FadeOut(frame, run_time=0.6)

    @beat("Layer 0 sends cur one row down, into prev; BOS, the first, keeps its own.")
    def layer_0(self) -> Steps:
        for pattern, heading in self.patterns[:1]:
            yield pattern.fill_rows(run_time=1.6), FadeIn(heading)
        rides = [
            ((k, CUR, self.words[k]), (i, PREV, self.words[k]))
            for i, k in enumerate(self.values.sources.tolist())
        ]
        mid, seconds = self["forward.resid_mid"], self.reading - 1.6 * len(self.patterns[:1])
        yield send_cells(self.rows, rides, "value", to=mid, run_time=seconds, each=0.3)

    @beat(
        "In layer 1, cur of the last row asks, and looks there.",
        ask="Where does “{text.query_token}” stand in prev?",
    )
    def find_(self) -> Steps:
        rows, matches = self.rows, self.values.matches.tolist()
        at_home, asker = (rows.frame(self.last, CUR, self.asks, "query") for _ in range(2))
        cells = [rows.cell(m, PREV, self.asks) for m in matches]
        keys = Keys(self["matches"], self["text.indices"][self.last], rows.block(PREV), cells)
        self.frames = [at_home, keys]
        gone = [FadeOut(part) for pair in self.patterns[:1] for part in pair]
        yield Create(at_home), Create(asker), *gone
        way = [rows.cell(i, PREV, self.asks) for i in range(self.last, matches[0] - 1, -1)]
        yield asker.trace(*way, run_time=2.2)
        come: list[Any] = []
        when = np.full((self.last + 1, self.last + 1), np.inf)
        when[self.last] = 0.0
        for pattern, heading in self.patterns[1:]:
            filled = pattern.fill(when, each=0.6, run_time=1.0)
            come += [filled, FadeIn(heading)]
        yield FadeOut(asker, run_time=0.4), FadeIn(keys), *come

    @beat("From there, cur goes into out of the last row: {match_weight:.1%} of all it gets.")
    def out(self) -> Steps:
        rides = [
            ((m, CUR, self.words[m]), (self.last, OUT, self.words[m]))
            for m in self.values.matches.tolist()
        ]
        yield send_cells(self.rows, rides, "value", to=self["resid_asked"], run_time=self.reading)

    @beat(CAPTION)
    def stream(self) -> Steps:
        frame = self.rows.frame(self.last, CUR)
        yield *map(FadeOut, self.frames), FadeIn(frame)
        places = [self.rows.part(name, i=self.last) for name in (PREV, OUT)]
        yield frame.trace(*places, run_time=2.6)
        self.add(self.tiles)  # over the cells when they go on
