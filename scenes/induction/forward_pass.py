"""The residual stream: columns for word and note, and what the heads copy between rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create

from clockhead.model.films.induction.lanes import StoredTokens, stored_tokens
from clockhead.scenes.induction.note_bars import strip_values
from clockhead.scenes.induction.spread import LARGE, NOTES, OVER, tile_size
from clockhead.scenes.induction.two_places import TwoPlaces
from clockhead.scenes.induction.words import InductionInputs
from clockhead.scenes.parts.block_moves import send_cells, unfold_rows
from clockhead.scenes.parts.block_panels import Block
from clockhead.scenes.parts.blocks import Blocks
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import come_back, hide_tiles, leave, show_notes, take_off
from clockhead.scenes.stage import CAPTION, Claim, Column, Stage, Steps, Value, beat, fit
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.text import text_width
from clockhead.scenes.style.type import MIN_SIZE

CUR, PREV, OUT = "cur", "prev", "out"
_LARGEST, _LEFT = 32.0, 2.4
"""Largest letter size in pixels, and approximate width of the tiles beside the rows in units."""
_LEAST_PLAIN = 0.12
"""Narrowest column without a word over it, in units."""
_DIFFERENCE = 44.0
"""Letter size of the distance between the two orders, in pixels."""


class ForwardPass(Stage[StoredTokens]):
    """The residual stream: columns for word and note, and what the heads copy between rows."""

    Inputs = InductionInputs
    title = "Where does a note go?"
    question = ""
    caption = "These rows are called the residual stream: heads add to them and overwrite nothing."
    opens = ("tiles",)
    leaves = ("tokens as tiles",)
    claims = (
        Claim(
            "if word and note share their columns, two words in either order look nearly the same",
            lambda noted: noted.orders.apart_in_one <= 0.1,
            "they differ by {orders.apart_in_one:.3f}: alpha {inputs.alpha:g} is too small",
        ),
        Claim(
            "nearly all of what layer 0 writes into every row's prev is the token before it",
            lambda noted: noted.head.least_stored >= 0.9,
            "a row gets only {head.least_stored:.0%} of it: alpha {inputs.alpha:g} is too small",
        ),
        Claim(
            "the last row attends to the rows whose prev holds its token",
            lambda noted: noted.head.match_weight >= 0.9,
            "only {head.match_weight:.0%} of its attention goes there: beta {inputs.beta:g} does "
            "not fit alpha {inputs.alpha:g}",
        ),
    )

    compute = stored_tokens

    def layout(self) -> None:
        head, size = self.values.head, tile_size(self.canvas, LARGE)
        self.words, self.last = head.text.indices.tolist(), head.n_tokens - 1
        self.asks, self.n = self.words[self.last], head.n_tokens
        self.tiles = Strip(**strip_values(self, "head."), size=size, note_size=NOTES)
        self.tokens = Strip(self["head.tokens"], size=size)
        for strip in (self.tiles, self.tokens):
            strip.place(self.canvas.inset(0.0, OVER))
        show_notes(self.tiles)
        hide_tiles(self.tokens, *range(self.n))
        own, one = self["orders.own_subspaces"], self["orders.one_subspace"]
        self.places = TwoPlaces(own, one, self["pair"], self["texts"])
        self.total = self.places.total
        red, green = self.theme.text_color("wrong"), self.theme.text_color("right")
        look: dict[str, Any] = {"size": _DIFFERENCE, "prefix": "rows differ by "}
        self.lost = Figure(self["orders.apart_in_one"], ".3f", color=red, **look)
        self.kept = Figure(self["orders.apart"], ".3f", color=green, **look)
        fit(self.canvas, Column(self.places, self.lost, weights=(1, 0)))
        self.kept.number.center_on(self.lost.number.get_center())
        words, n_bands = self["head.vocabulary.tokens"], 1 if self.canvas.wide else 3
        named = self._rows(words, self._size(3 // n_bands * head.n_vocab), most_cell=1.0)
        plain = self._rows(None, MIN_SIZE, least_cell=_LEAST_PLAIN)
        ways = named.banded(n_bands), named.banded(2), plain
        self.rows = (named, named, plain)[fit(self.canvas, *ways)]
        self.rows.hide()

    def _size(self, n_columns: int) -> float:
        """Largest letter size, in pixels, at which every word fits over one of the columns."""
        cell = (self.canvas.width - _LEFT) / n_columns
        texts = self.values.head.vocabulary.tokens
        sizes = np.arange(_LARGEST, MIN_SIZE, -1.0)
        fitting = (s for s in sizes if max(text_width(t, s) for t in texts) < cell - 0.1)
        return float(next(fitting, MIN_SIZE))

    def _rows(self, words: Value | None, size: float, **options: Any) -> Blocks:
        """The residual stream with its columns in blocks, and words over them if given."""
        spans = self.values.head.subspaces
        blocks = [
            Block(CUR, spans["cur"], "token", words, size=size),
            Block(PREV, spans["prev"], "value", words, size=size),
            Block(OUT, spans["out"], "value", words, size=size),
        ]
        rows = self["head.forward.resid_pre"]
        return Blocks(rows, blocks, rows=self.tokens, high=1.0, **options)

    @beat(
        "Take two short texts: here is the last word of each, and its note.",
        ask="Where in its vector does a word keep its note?",
        focus="places",
    )
    def both(self) -> Steps:
        yield leave(self.tiles, *range(self.n)), take_off(self.tiles)
        self.remove(self.tiles)
        self.add(self.places)
        yield self.places.appear(run_time=1.6)

    @beat(
        "If we add the note to the word, both are nearly the same vector. The order is lost.",
        rest=REST,
        focus=("total", "lost"),
    )
    def added(self) -> Steps:
        yield from self.places.overlap()
        yield from self.places.add_up()
        yield self.places.to_middle(1.0)
        yield FadeIn(self.lost)

    @beat(
        "So each gets a place of its own: cur, the current word, and prev, the previous one.",
        rest=REST,
        focus=("places", "kept"),
    )
    def own(self) -> Steps:
        yield FadeOut(self.lost), self.places.to_middle(-1.0)
        yield from self.places.split_sum()
        yield from self.places.separate()
        yield FadeIn(self.kept)

    @beat("In our text, each token gets a row. A 1 in cur says which word it is.", focus="rows")
    def unfold(self) -> Steps:
        yield FadeOut(self.places, self.kept, run_time=0.6)
        yield come_back(self.tokens, *range(self.n))
        yield unfold_rows(self.rows, CUR, run_time=max(3.6, self.reading))

    @beat("The first head copies cur one row down, into prev.", focus="rows")
    def layer_0(self) -> Steps:
        rides = [
            ((k, CUR, self.words[k]), (i, PREV, self.words[k]))
            for i, k in enumerate(self.values.head.sources.tolist())
        ]
        mid, seconds = self["head.forward.resid_mid"], max(4.0, self.reading)
        yield send_cells(self.rows, rides, "value", to=mid, run_time=seconds, each=0.3)

    @beat(
        "The second head compares cur of the last row with prev of every row.",
        ask="In which row does “{head.text.query_token}” stand in prev?",
        focus="rows",
    )
    def find_(self) -> Steps:
        rows, matches = self.rows, self.values.head.matches.tolist()
        at_home, asker = (rows.frame(self.last, CUR, self.asks, "query") for _ in range(2))
        keys = [rows.frame(m, PREV, self.asks, "key") for m in matches]
        self.frames = [at_home, *keys]
        yield Create(at_home), Create(asker)
        way = [rows.cell(i, PREV, self.asks) for i in range(self.last, matches[0] - 1, -1)]
        yield asker.trace(*way, run_time=2.2)
        yield FadeOut(asker, run_time=0.4), *map(FadeIn, keys)

    @beat(
        "The word found there is copied to the last row, into out: there is the answer.",
        focus="rows",
    )
    def out(self) -> Steps:
        rides = [
            ((m, CUR, self.words[m]), (self.last, OUT, self.words[m]))
            for m in self.values.head.matches.tolist()
        ]
        seconds = max(3.0, self.reading)
        yield send_cells(self.rows, rides, "value", to=self["head.resid_asked"], run_time=seconds)

    @beat(CAPTION, focus="rows")
    def stream(self) -> Steps:
        frame = self.rows.frame(self.last, CUR)
        yield *map(FadeOut, self.frames), FadeIn(frame)
        places = [self.rows.part(name, i=self.last) for name in (PREV, OUT)]
        yield frame.trace(*places, run_time=max(2.6, self.reading - 2.0))
        yield FadeOut(frame)
        self.add(self.tokens)  # drawn over the cells in the transition to the next shot
