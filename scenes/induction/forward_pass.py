"""The two layers in numbers: a row for every token, and what each layer moves between rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import Create

from clockhead.model.induction.circuit import Induction
from clockhead.scenes.induction.spread import LARGE, OVER, letters
from clockhead.scenes.induction.words import InductionInputs
from clockhead.scenes.parts.block_moves import send_cells, unfold_rows
from clockhead.scenes.parts.block_panels import Block
from clockhead.scenes.parts.blocks import Blocks
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Picture,
    Reading,
    Stage,
    Steps,
    Value,
    beat,
    fit,
)
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.text import text_width
from clockhead.scenes.style.type import MIN_SIZE

CUR, PREV, OUT, ONE = "cur", "prev", "out", "1"
_LARGEST, _LEFT = 32.0, 2.4
"""The largest size of words, in pixels, and about what tiles beside the rows need."""
_LEAST_PLAIN = 0.12
"""The least side of a column without a word over it."""


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
    question = ""
    caption = "Heads add to these rows and overwrite nothing: they are the residual stream."
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
        self.tiles = Strip(tokens, positions=True, size=letters(self.canvas, LARGE))
        self.tiles.place(self.canvas.inset(0.0, OVER))
        words, n_bands = self["vocabulary.tokens"], 1 if self.canvas.wide else 2
        size = self._size(3 // n_bands * head.n_vocab + 1)
        named = self._rows(words, size, most_cell=1.0)
        plain = self._rows(None, MIN_SIZE, least_cell=_LEAST_PLAIN)
        ways = named.banded(n_bands), named.banded(3 - n_bands), plain
        self.rows = (named, named, plain)[fit(self.canvas, *ways)]
        self.rows.hide()

    def _size(self, n_columns: int) -> float:
        """The size of words that fit over so many columns."""
        cell = (self.canvas.width - _LEFT) / n_columns
        texts = self.values.vocabulary.tokens
        sizes = np.arange(_LARGEST, MIN_SIZE, -1.0)
        fitting = (s for s in sizes if max(text_width(t, s) for t in texts) < cell - 0.1)
        return float(next(fitting, MIN_SIZE))

    def _rows(self, words: Value | None, size: float, **options: Any) -> Blocks:
        """The rows of the text, their places in blocks, with words over the columns."""
        spans = self.values.subspaces
        blocks = [
            Block(CUR, spans["cur"], "token", words, size=size),
            Block(PREV, spans["prev"], "value", words, size=size),
            Block(OUT, spans["out"], "value", words, size=size),
            Block(ONE, spans["one"], "residual", size=size),
        ]
        return Blocks(self["forward.resid_pre"], blocks, rows=self.tiles, high=1.0, **options)

    @beat("Each token becomes a row of {d_model} numbers. A 1 in cur says which word it is.")
    def unfold(self) -> Steps:
        yield unfold_rows(self.rows, CUR, run_time=self.reading)

    @beat(
        "The last number is always 1. From it, the first head makes its keys, the same for all "
        "words."
    )
    def constant(self) -> Steps:
        frame = self.rows.frame(None, ONE, role="key")
        yield Create(frame)
        yield self.reading - 1.6
        yield FadeOut(frame, run_time=0.6)

    @beat("The first head copies cur one row down, into prev.")
    def layer_0(self) -> Steps:
        rides = [
            ((k, CUR, self.words[k]), (i, PREV, self.words[k]))
            for i, k in enumerate(self.values.sources.tolist())
        ]
        mid, seconds = self["forward.resid_mid"], max(4.0, self.reading)
        yield send_cells(self.rows, rides, "value", to=mid, run_time=seconds, each=0.3)

    @beat(
        "The second head compares cur of the last row with prev of every row.",
        ask="In which row does “{text.query_token}” stand in prev?",
        rest=REST,
    )
    def find_(self) -> Steps:
        rows, matches = self.rows, self.values.matches.tolist()
        at_home, asker = (rows.frame(self.last, CUR, self.asks, "query") for _ in range(2))
        cells = [rows.cell(m, PREV, self.asks) for m in matches]
        keys = Keys(self["matches"], self["text.indices"][self.last], rows.block(PREV), cells)
        self.frames = [at_home, keys]
        yield Create(at_home), Create(asker)
        way = [rows.cell(i, PREV, self.asks) for i in range(self.last, matches[0] - 1, -1)]
        yield asker.trace(*way, run_time=2.2)
        yield FadeOut(asker, run_time=0.4), FadeIn(keys)

    @beat(
        "The word found there is copied to the last row, into out: {match_weight:.1%} of what "
        "arrives.",
        rest=REST,
    )
    def out(self) -> Steps:
        rides = [
            ((m, CUR, self.words[m]), (self.last, OUT, self.words[m]))
            for m in self.values.matches.tolist()
        ]
        seconds = max(3.0, self.reading)
        yield send_cells(self.rows, rides, "value", to=self["resid_asked"], run_time=seconds)

    @beat(CAPTION)
    def stream(self) -> Steps:
        frame = self.rows.frame(self.last, CUR)
        yield *map(FadeOut, self.frames), FadeIn(frame)
        places = [self.rows.part(name, i=self.last) for name in (PREV, OUT)]
        yield frame.trace(*places, run_time=max(2.6, self.reading))
        yield FadeOut(frame)
        self.add(self.tiles)  # over the cells when they go on
