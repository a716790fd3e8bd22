"""Layer 1: the last row attends to the rows whose previous token is its own token."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create

from clockhead.model.induction.onehot_layers import OneHotLayers
from clockhead.scenes.onehot.focus import focus_on
from clockhead.scenes.onehot.letters import LetterStage, quote_token
from clockhead.scenes.onehot.page import ATTENTION, PREVIOUS, SCORES, TOKEN, LetterPage
from clockhead.scenes.parts.block_moves import send_cells
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.strip_looks import paint
from clockhead.scenes.spelling import listed
from clockhead.scenes.stage import CAPTION, Derived, Handle, Steps, beat
from clockhead.scenes.style.motion import FadeIn, FadeOut

SHARES = (".2f", ".1f")
"""Formats of attention weights in cells."""
SIDES: dict[str, Any] = {"across": PREVIOUS, "down": "previous"}
"""Names of the second halves of the sides of layer 1's weights."""


def rows_found(head: OneHotLayers) -> str:
    """The rows whose previous token is the last token, in words: "row 3", or "rows 3 and 5"."""
    rows = listed(map(str, head.matches.tolist()))
    return f"row {rows}" if head.n_matches == 1 else f"rows {rows}"


def _last_scores(head: OneHotLayers) -> str:
    if not head.n_matches:
        return "The last row scores 0 with every row: none has {query} as its previous token."
    return "The last row scores {c:g} with {rows_found}, and 0 with the rest."


def _attention(head: OneHotLayers) -> str:
    if not head.n_matches:
        return "So its attention is spread evenly over all rows: there is nothing to repeat."
    stands = f"what stands there came after {quote_token(head.text.query_token)}"
    if head.n_matches == 1:
        return f"All its attention goes to {rows_found(head)}: {stands}."
    return f"Its attention is shared evenly by {rows_found(head)}: {stands}."


class Match(LetterStage):
    """Layer 1: the last row attends to the rows whose previous token is its own token."""

    title = "Layer 1: what came after {query}?"
    question = "Which row has {query} as its previous token?"
    caption = "{found}"
    opens = ("tiles", "rows", "grid", "heading")
    leaves = ("tiles", "rows", "masked as grid", "heading")
    derived = {
        **LetterStage.derived,
        "c": Derived("scale of the scores", lambda head: head.weights.sharpness),
        "rows_found": Derived(
            "the rows whose previous token is the last token",
            lambda head: rows_found(head) if head.n_matches else "no row",
        ),
        "found": Derived("where the attention of the last row goes, in a sentence", _attention),
    }

    handles = (Handle("text", ("!hello hel", "!abcab", "!ababab", "!aab")),)

    def layout(self) -> None:
        head = self.values
        self.n, self.last = head.n_tokens, head.last
        self.own = head.text.indices.tolist()
        self.before = head.vocabulary.encode(head.stored).tolist()
        page = LetterPage(self, "resid_mid", PREVIOUS)
        self.tiles, self.rows = page.tiles, page.rows
        c = head.weights.sharpness
        self.grid = page.pair_table("pattern_0", mask="causal", low=0.0, high=1.0, spec=".0f")
        self.scores = page.pair_table("scores_1", low=0.0, high=c, spec=".0f").empty()
        self.masked = page.pair_table("scores_1", mask="causal", low=0.0, high=c, spec=".0f")
        self.scored, self.heading = (page.head(name, self.grid) for name in (SCORES, ATTENTION))
        self.weights = page.weight_grid("weights.w_qk_1", **SIDES)
        self.sign = page.sign("A_1", self.weights)
        self.weights.hide()

    @beat("$A_1$ compares the token of one row with the previous token of every row.")
    def block(self) -> Steps:
        yield (
            self.weights.draw_in(run_time=1.6),
            FadeIn(self.sign),
            FadeOut(self.grid),
            FadeOut(self.heading),
            FadeIn(self.scores),
        )
        sides = (
            self.rows.frame(None, TOKEN, role="query"),
            self.rows.frame(None, PREVIOUS, role="key"),
        )
        yield *map(Create, sides), FadeIn(self.scored)
        yield focus_on(self.weights, PREVIOUS, TOKEN)
        yield [FadeOut(side) for side in sides]

    @beat(_last_scores)
    def score(self) -> Steps:
        n, last, asks = self.n, self.last, self.own[self.last]
        block = self.weights.block(PREVIOUS, TOKEN)
        self.asker = self.rows.frame(last, TOKEN, asks, "query")
        yield Create(self.asker, run_time=0.6), paint(self.tiles, last, "query", run_time=0.6)
        ride = ((last, TOKEN, asks), block.cell(asks, 0))
        yield send_cells(self.rows, [ride], "query", across_first=True, run_time=1.0)
        self.picked = block.frame(block.row(asks), "query")
        key = self.rows.frame(0, PREVIOUS, self.before[0], "key")
        entry = block.frame(block.cell(asks, self.before[0]), "key")
        yield Create(self.picked, run_time=0.5), Create(key), Create(entry)
        when = np.where(np.arange(n)[:, None] == last, np.linspace(0, 1, n), np.inf)
        seconds = max(self.reading - 1.5, 0.5 * n)
        yield (
            key.trace(
                *(self.rows.cell(i, PREVIOUS, self.before[i]) for i in range(1, n)),
                run_time=seconds,
            ),
            entry.trace(*(block.cell(asks, self.before[i]) for i in range(1, n)), run_time=seconds),
            self.scores.fill(when, each=1 / (n + 1), run_time=seconds, labels=False),
        )
        self.keys = [key, entry]

    @beat()
    def all_(self) -> Steps:
        at = np.append(np.linspace(0, 1, self.last), -np.inf)
        when = np.repeat(at[:, None], self.n, axis=1)
        gone = [FadeOut(frame) for frame in (*self.keys, self.picked)]
        yield self.scores.fill(when, run_time=1.6, labels=False), *gone

    @beat("Mask, then softmax, as in layer 0. A row without a match spreads its attention evenly.")
    def mask(self) -> Steps:
        yield FadeIn(self.masked), FadeOut(self.scores), FadeOut(self.scored)
        softmax = self.masked.to(self["pattern_1"], low=0.0, high=1.0, spec=SHARES, run_time=2.2)
        yield softmax, FadeIn(self.heading)

    @beat(CAPTION)
    def there(self) -> Steps:
        matches, last = self.values.matches.tolist(), self.last
        row = self.masked.frame_row(last, "query")
        finds = [CellFrame(self.masked.cell(last, m), "value") for m in matches]
        drawn = [Create(frame) for frame in (row, *finds)]
        yield *drawn, FadeOut(self.weights), FadeOut(self.sign)
        if finds:
            yield [
                *(
                    find.trace(self.rows.cell(m, TOKEN, self.own[m]), run_time=1.6)
                    for find, m in zip(finds, matches, strict=True)
                ),
                paint(self.tiles, matches, "correct", run_time=1.6),
            ]
            yield 0.6
        yield [FadeOut(part) for part in (*finds, row, self.asker)]
