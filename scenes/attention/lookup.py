"""A text waits for its next word; each of its words fetches its row of numbers from a table."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create, CurvedArrow, LaggedStart
from numpy.typing import NDArray

from clockhead.model.films.attention.lookup import VocabularyRows, vocabulary_rows
from clockhead.scenes.attention.fetch import RowMark, only_row
from clockhead.scenes.attention.inputs import ExampleInputs, ExampleStage
from clockhead.scenes.attention.page import GIVEN, Page, rows_of
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.glance import Glance
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_moves import slide_cells
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import come_back, leave, paint
from clockhead.scenes.parts.strip_moves import slide_to
from clockhead.scenes.parts.table import Room
from clockhead.scenes.spelling import counted
from clockhead.scenes.stage import CAPTION, Column, Derived, Row, Size, Steps, beat, fit
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut, fly

NAME, LONG_NAME = "Attention", "{n_spelled} words, one head, every digit"
_LETTERS, _TALL = 60.0, 72.0
"""The size of the letters on the tiles, in pixels, and where the canvas is higher than wide."""
_CARD = 0.6
"""Seconds that the written name stands."""
_BEND = -1.8
"""The angle of an arc from tile to tile."""
_LEAST_TABLE = Size(0.34, 0.21)
_SHAPE = [("x", "residual(X)"), ("is", ":"), ("t", "T"), ("times", "times"), ("d", 'd_"model"')]
_COUNTS = [("t", '{t:d} "tokens"'), ("times", "times"), ("d", '{d:d} "numbers"')]


def _told(head: VocabularyRows) -> str:
    more = " in a table."
    if head.of_primer:
        more = ". The primer we follow prints {n_known} of {n_words}."
    return f"A token, here a word, is a row of numbers{more}"


class Lookup(ExampleStage):
    """A text waits for its next word; each of its words fetches its row of numbers."""

    title = "What comes next?"
    question = "“{line} …”"
    caption = "A row depends on its word alone. How can {asker} learn what came before?"
    opens = ("tiles",)
    leaves = ("x",)
    derived = ExampleStage.derived | {
        "line": Derived("the text", lambda head: " ".join(head.tokens)),
        "last_word": Derived("the last word", lambda head: head.tokens[-1]),
        "n_spelled": Derived("how many tokens", lambda head: counted(head.n_tokens)),
    }

    values: VocabularyRows

    @classmethod
    def compute(cls, inputs: Any) -> VocabularyRows:
        assert isinstance(inputs, ExampleInputs)
        of_primer = inputs.embedding is None and inputs.seed is None
        return vocabulary_rows(super().compute(inputs), of_primer=of_primer)

    def layout(self) -> None:
        page, canvas = Page(self), self.canvas
        size = _LETTERS if canvas.wide else _TALL
        self.tiles, raised = (Strip(self["tokens"], wonder=True, hidden=0, size=size) for _ in "ab")
        self.tiles.place(canvas)
        self.card = TitleCard(NAME, self.say_of(LONG_NAME), role="attention")
        fit(canvas, Column(raised, self.card))
        self.raised = np.array([tile.middle for tile in raised.tiles])
        self.box = raised.tiles[0].box.width, raised.tiles[0].box.height
        self.card.hide()
        self.x, self.home = rows_of(self, "resid_pre"), page.x
        self.table = self._table()
        room = Room(self.x.least, self.x.most)
        ways = Row(room, self.table), Column(room, self.table)
        fit(page.canvas, *(ways if canvas.wide else reversed(ways)))
        self.x.place(room.region)
        self.x.empty()
        self.x.words_to(0.0)
        fields = {"t": self["n_tokens"], "d": self["d_model"]}
        self.shape, self.counts = Equation(_SHAPE), Equation(_COUNTS, values=fields)
        fit(page.rest, Column(self.shape, self.counts, gap=0.25))
        self.shape.hide()
        self.counts.hide()

    def _table(self) -> Matrix:
        """The table of the vocabulary; rows whose numbers are not known are empty."""
        head, known = self.values, self.values.known.tolist()
        bound = float(np.abs(head.embedding).max()) or 1.0
        look: dict[str, Any] = {"low": -bound, "high": bound, "spec": GIVEN, "numbered": known}
        shape: dict[str, Any] = {"least_cell": _LEAST_TABLE, "aspect": (0.2, 0.62)}
        return Matrix(self["table"], rows=self["words"], role="residual", **look, **shape)

    def _arcs(self) -> list[CurvedArrow]:
        """From the tiles before the last to the last."""
        tops = [self.tiles.top(k) for k in range(self.values.n_tokens)]
        look: dict[str, Any] = {"color": self.theme.text_color("attention"), "stroke_width": 3.5}
        return [
            CurvedArrow(top, tops[-1], angle=_BEND, tip_length=0.15, **look) for top in tops[:-1]
        ]

    @beat("You guess from everything you have read.")
    def guess(self) -> Steps:
        eye = Glance(self.tiles, 0)
        yield eye.open(run_time=0.4)
        yield eye.sweep(range(1, self.values.n_tokens), run_time=self.reading)
        yield eye.close(run_time=0.3)
        self.remove(eye)

    @beat(
        "There is little to go by: what came before has to reach it.",
        ask="And if you had read only “{last_word}”?",
    )
    def cover(self) -> Steps:
        tiles, last = self.tiles, self.values.last
        before = range(last)
        yield leave(tiles, *before), paint(tiles, last, "query")
        yield 0.6
        yield come_back(tiles, *before)
        self.arcs = self._arcs()
        yield LaggedStart(*map(Create, self.arcs), lag_ratio=0.6, run_time=1.6)

    @beat("In a transformer, that is the work of attention.")
    def name(self) -> Steps:
        yield FadeOut(*self.arcs, run_time=0.6)
        raised = slide_to(self.tiles, self.raised, self.box, run_time=1.4)
        yield raised, self.card.appear(run_time=1.6)
        yield _CARD

    @beat(_told)
    def rows(self) -> Steps:
        tiles, x, table = self.tiles, self.x, self.table
        labels = [tiles.tiles[k].label for k in range(self.values.n_tokens)]
        words = [label.copy().set_fill(self.theme.ink) for label in labels]
        homes = [label.get_center() for label in x.row_labels]
        size = x.row_labels[0].em / words[0].em
        for tile in tiles.tiles:
            tile.worded = 0.0
        for k in set(range(self.values.n_words)) - set(self.values.known.tolist()):
            table.row_labels[k].set_fill(self.theme.muted)
        known = np.isin(np.arange(table.n_rows), self.values.known)
        when = np.where(known, np.linspace(0, 1, table.n_rows), np.inf)[:, None]
        self._fade_lines(np.zeros(()))
        self.add(*words, x, table.empty())
        yield (
            self.card.disappear(run_time=0.6),
            leave(tiles, *range(len(tiles.tiles))),
            *(fly(*pair, scale=size, run_time=1.4) for pair in zip(words, homes, strict=True)),
            Drive(x, self._fade_lines, 0.0, 1.0, run_time=1.4),
            table.fill(when * np.ones(table.table.shape), run_time=3.0),
        )
        x.words_to(1.0)
        self.remove(*words, tiles, self.card)
        self.add(x)

    def _fade_lines(self, seen: NDArray[np.float64]) -> None:
        """Let the lines of the rows and of the table be seen so far."""
        for matrix in (self.x, self.table):
            matrix.fade_lines(float(seen))

    @beat("Each token takes a copy of its word's row. Together they are the matrix $X$.")
    def fetch(self) -> Steps:
        x, table, n = self.x, self.table, self.values.n_tokens
        mark = RowMark(self["tokens"], self.values.fetched, table)
        bare = [rows_of(self, "resid_pre", named=False) for _ in range(n)]
        rows = [only_row(bare[i], i, mark.regions[i]) for i in range(n)]
        first, *rest = (slide_cells(row, x.lattice.region, run_time=1.4) for row in rows)
        yield FadeIn(mark, run_time=0.4)
        self.add(rows[0], mark)
        yield first
        self.add(*rows, mark)
        flights = LaggedStart(*rest, lag_ratio=0.3)
        yield mark.frame.trace(*mark.regions[1:], run_time=flights.run_time), flights
        x.open_to(np.ones(x.table.shape))
        self.remove(*rows)
        gone = FadeOut(table, run_time=0.6), FadeOut(mark, run_time=0.6)
        yield *gone, slide_cells(x, self.home, run_time=1.2)
        yield self.shape.appear(run_time=0.6)
        yield self.counts.appear(run_time=0.8)

    @beat(CAPTION)
    def alone(self) -> Steps:
        x, last = self.x, self.values.last
        frame = x.frame_row(last)
        yield Create(frame)
        before = [x.row(k) for k in reversed(range(last))]
        yield frame.trace(*before, x.row(last), run_time=0.8 * self.reading)
