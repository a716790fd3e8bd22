"""With one diagonal a row lower, layer 0 looks two tokens back, and the head copies two ahead."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from manim import Create

from clockhead.model.films.onehot.skip import SkippingLayers, skipping_layers
from clockhead.model.induction.onehot_layers import OneHotLayers, onehot_vocabulary
from clockhead.scenes.onehot.focus import focus_on, recast
from clockhead.scenes.onehot.letters import LetterStage, quote_token
from clockhead.scenes.onehot.match import SHARES, rows_found
from clockhead.scenes.onehot.page import POSITION, PREVIOUS, TOKEN, LetterPage, halves, shade_below
from clockhead.scenes.parts.block_moves import leave_rows, send_cells
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_moves import slide_cells
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import paint
from clockhead.scenes.parts.strip_typing import answer, ask_next
from clockhead.scenes.spelling import listed
from clockhead.scenes.stage import CAPTION, Derived, Handle, Steps, beat, together
from clockhead.scenes.style.motion import FadeIn, FadeOut

_BACK = 2
"""Offset of layer 0, in tokens."""
_NOTED = "two before"
"""Name of the second half of a row."""
_LETTERS, _FEW = 38.0, 3
"""Letter size on tiles, in pixels, and the largest number of tokens that a sentence lists."""
_ASIDE = 0.4
"""Gap between the final text and the table, in units."""


def _attended_rows(head: OneHotLayers) -> str:
    rows = rows_found(head) if head.n_matches else ""
    if head.n_matches == 1:
        return f"R{rows[1:]}: it gets all attention of the last row."
    if rows:
        return f"R{rows[1:]}: they share the attention of the last row."
    return "None: the attention of the last row is spread evenly."


def _prediction(head: OneHotLayers) -> str:
    if not head.copied:
        return "So each token gets the share it has in the text."
    if len(head.copied) == 1:
        return (
            f"So it says {quote_token(head.copied[0])} next: that came two after {{query}} before."
        )
    names = listed(map(quote_token, head.copied)) if len(head.copied) <= _FEW else None
    which = names or f"{len(head.copied)} tokens"
    return f"So it says {which} next: what came two after {{query}} before, by shares."


class Skip(LetterStage):
    """Layer 0 looks two tokens back, with a lower diagonal, and the head copies two ahead."""

    title = "What if it looks two back?"
    question = "One diagonal says whom a row looks for."
    caption = "So one diagonal says how far after a match a head copies."
    opens = ("tiles", "rows", "grid", "heading")
    derived = LetterStage.derived | {
        "c": Derived("scale of the scores", lambda head: head.weights.sharpness)
    }

    handles = (Handle("text", ("!hello hel", "!abcab", "!ababab", "!aab"), beat="say"),)

    @classmethod
    def compute(cls, inputs: Any) -> SkippingLayers:
        return skipping_layers(inputs.tokens, onehot_vocabulary(inputs.tokens), offset=_BACK)

    def layout(self) -> None:
        head = self.values
        self.last, self.own = head.last, head.text.indices.tolist()
        self.tiles = Strip(self["tokens"], wonder=True, positions=True, size=_LETTERS)
        page = LetterPage(self, tiles=self.tiles)
        self.rows = page.rows
        self.noted = replace(halves(self, PREVIOUS, named=page.named)[1], name=_NOTED)
        shares: dict[str, Any] = {"mask": "causal", "low": 0.0, "high": 1.0, "spec": SHARES}
        self.grid = page.pair_table("one_back.pattern_0", **shares)
        self.heading, self.second = (page.head(f"layer {k}", self.grid) for k in (0, 1))
        self.weights = page.weight_grid("one_back.weights.w_qk_0")
        self.sign = page.sign("A_0", self.weights)
        self.weights.hide()
        self.end = Strip(self["tokens"], wonder=True, positions=True, hidden=0, size=_LETTERS)
        cells, table, canvas = page.cells, page.table_place, self.canvas
        right = table.left - _ASIDE if table.left > cells.right else canvas.right
        self.end.place(replace(cells, left=canvas.left, right=right))

    @beat("In $A_0$, a diagonal of {c:g} lets each position find the one before it.")
    def diagonal(self) -> Steps:
        yield self.weights.draw_in(run_time=1.2), FadeIn(self.sign)
        yield focus_on(self.weights, POSITION, POSITION)

    @beat(
        "Each finds the one two before it, or BOS, for which row 1 keeps its {c:g}.",
        ask="What if it sits one row lower?",
    )
    def lower(self) -> Steps:
        block = self.weights.block(POSITION, POSITION)
        cells = [self._entry(k) for k in range(1, self.values.weights.half - 1)]
        yield 0.3 * together(
            self.weights.to(self["weights.w_qk_0"]),
            *(slide_cells(cell, block.cell(k + 2, k)) for k, cell in enumerate(cells)),
        )
        self.remove(*cells)
        self.kept = block.frame(block.cell(1, 0), "key")
        yield self.grid.to(self["pattern_0"], run_time=0.3 * self.reading), Create(self.kept)

    def _entry(self, k: int) -> Matrix:
        """A copy, without its number, of the weight between position k and the one before."""
        block, h, c = (
            self.weights.block(POSITION, POSITION),
            self.values.weights.half,
            self.values.weights.sharpness,
        )
        value = self["one_back.weights.w_qk_0"][h + k, h + k - 1 : h + k]
        cell = Matrix(value, low=shade_below(-c), high=c, aspect=None)
        cell.place_cells(block.cell(k, k - 1))
        self.add(cell)
        return cell

    @beat("So layer 0 notes the token two before.")
    def note(self) -> Steps:
        yield self.rows.to(self["resid_tokens"], run_time=0.5)
        yield recast(self.rows, POSITION, self.noted, run_time=0.6)
        sources = self.values.sources.tolist()
        rides = [((k, TOKEN, self.own[k]), (i, _NOTED, self.own[k])) for i, k in enumerate(sources)]
        sent = send_cells(self.rows, rides, "value", to=self["resid_mid"], run_time=1.6, each=0.4)
        yield sent, [FadeOut(part) for part in (self.weights, self.sign, self.kept)]

    @beat(_attended_rows, ask="Which row has {query} two before it?")
    def match(self) -> Steps:
        head, last = self.values, self.last
        matches = head.matches.tolist()
        self.asker = self.rows.frame(last, TOKEN, self.own[last], "query")
        self.row = self.grid.frame_row(last, "query")
        yield Create(self.asker), paint(self.tiles, last, "query"), Create(self.row)
        words = FadeOut(self.heading), FadeIn(self.second)
        yield self.grid.to(self["pattern_1"], run_time=1.0), *words
        self.finds = [CellFrame(self.grid.cell(last, m), "value") for m in matches]
        spots = [self.rows.cell(m, _NOTED, self.own[last]) for m in matches]
        self.notes = [CellFrame(spot, "key") for spot in spots]
        yield [Create(f, run_time=0.4) for f in (*self.finds, *self.notes)] or 0.4
        if self.finds:
            yield [
                *(
                    find.trace(self.rows.cell(m, TOKEN, self.own[m]), run_time=0.9)
                    for find, m in zip(self.finds, matches, strict=True)
                ),
                paint(self.tiles, matches, "correct", run_time=0.9),
            ]

    @beat(_prediction)
    def say(self) -> Steps:
        gone = [FadeOut(p, run_time=0.6) for p in (self.rows, self.asker, *self.finds, *self.notes)]
        yield [*gone, FadeOut(self.row, run_time=0.6)]
        box = self.end.tiles[0].box
        places = np.array([tile.middle for tile in self.end.tiles])
        yield leave_rows(self.rows, places, (box.width, box.height), run_time=1.2)
        yield ask_next(self.tiles)
        if len(self.values.copied) == 1:
            source = self.tiles.middle(int(self.values.matches[-1]))
            yield answer(self.tiles, self["prediction"], source, run_time=1.2)

    @beat(CAPTION)
    def end_(self) -> Steps:
        matches = self.values.matches.tolist()
        cells = [self.grid.cell(self.last, m) for m in matches] or [self.grid.row(self.last)]
        yield [Create(CellFrame(cell, "value"), run_time=0.4 * self.reading) for cell in cells]
