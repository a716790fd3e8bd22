"""Layer 0: a position picks a row of one block of weights, which is compared with the keys."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create

from clockhead.scenes.onehot.focus import focus_on
from clockhead.scenes.onehot.letters import LetterStage
from clockhead.scenes.onehot.page import ATTENTION, POSITION, SCORES, LetterPage, shade_below
from clockhead.scenes.parts.block_moves import send_cells
from clockhead.scenes.parts.strip_looks import paint
from clockhead.scenes.stage import CAPTION, Steps, beat
from clockhead.scenes.style.motion import FadeIn, FadeOut


class Previous(LetterStage):
    """Layer 0: every row attends to the row before it, by one block of weights for positions."""

    title = "Layer 0: who stands before?"
    question = "How does a row find the row before it?"
    caption = "A position finds the one before it, whatever token stands there, without clocks."
    opens = ("tiles", "rows")
    leaves = ("tiles", "rows", "grid", "heading")

    def layout(self) -> None:
        self.n, self.hero = self.values.n_tokens, self.values.hero
        page = LetterPage(self)
        self.tiles, self.rows = page.tiles, page.rows
        c = self.values.weights.sharpness
        both: dict[str, Any] = {"low": shade_below(-c), "high": c, "spec": ".0f"}
        self.scores = page.pair_table("scores_0", **both)
        self.grid = page.pair_table("scores_0", mask="causal", **both)
        self.scored, self.heading = (page.head(name, self.grid) for name in (SCORES, ATTENTION))
        self.weights = page.weight_grid("weights.w_qk_0")
        self.sign = page.sign("A_0", self.weights)
        self.weights.hide()

    @beat("$A_0$ is 0 but for position against position.")
    def block(self) -> Steps:
        yield self.weights.draw_in(run_time=2.4), FadeIn(self.sign)
        yield focus_on(self.weights, POSITION, POSITION)

    @beat("The row of {hero_named} walks in: its position picks one row of that block.")
    def walk(self) -> Steps:
        hero, block = self.hero, self.weights.block(POSITION, POSITION)
        self.asker = self.rows.frame(hero, POSITION, role="query")
        yield Create(self.asker), paint(self.tiles, hero, "query")
        ride = (hero, POSITION, hero), block.cell(hero, 0)
        yield send_cells(self.rows, [ride], "position", across_first=True, run_time=2.0)
        self.picked = block.frame(block.cell(hero, 0), "query")
        yield Create(self.picked, run_time=0.4)
        yield self.picked.trace(block.row(hero), run_time=0.9)

    @beat(
        "Then it meets the keys: {weights.sharpness:g} for the position before, "
        "−{weights.sharpness:g} for all others."
    )
    def meet(self) -> Steps:
        hero, n = self.hero, self.n
        block = self.weights.block(POSITION, POSITION)
        key = self.rows.frame(0, POSITION, 0, "key")
        entry = block.frame(block.cell(hero, 0), "key")
        self.scores.empty()
        when = np.where(np.arange(n)[:, None] == hero, np.linspace(0, 1, n), np.inf)
        frame = self.scores.fill(np.full((n, n), np.inf), run_time=0.6)
        yield Create(key), Create(entry), frame, FadeIn(self.scored)
        seconds = max(self.reading - 0.6, 0.5 * n)
        yield (
            key.trace(*(self.rows.cell(j, POSITION, j) for j in range(1, n)), run_time=seconds),
            entry.trace(*(block.cell(hero, j) for j in range(1, n)), run_time=seconds),
            self.scores.fill(when, each=1 / (n + 1), run_time=seconds, labels=False),
        )
        self.keys = [key, entry]

    @beat("Every row does the same.")
    def all_(self) -> Steps:
        n, others = self.n, [i for i in range(self.n) if i != self.hero]
        at = dict(zip(others, np.linspace(0, 1, len(others)), strict=True))
        when = np.array([[at.get(i, -np.inf)] * n for i in range(n)])
        block = self.weights.block(POSITION, POSITION)
        places = [block.row(i) for i in others]
        rows = [self.rows.part(POSITION, i=i) for i in others]
        yield (
            self.scores.fill(when, run_time=2.4, labels=False),
            self.picked.trace(*places, run_time=2.4),
            self.asker.trace(*rows, run_time=2.4),
            paint(self.tiles, self.hero, None),
            *map(FadeOut, self.keys),
        )

    @beat(
        "Later keys are masked. With {weights.sharpness:g}, softmax gives all to the row before; "
        "BOS has only itself."
    )
    def mask(self) -> Steps:
        yield FadeIn(self.grid), *map(FadeOut, (self.scores, self.scored, self.picked, self.asker))
        yield 0.6
        shares = self["pattern_0"]
        softmax = self.grid.to(shares, low=0.0, high=1.0, spec=".0f", run_time=2.4)
        yield softmax, FadeIn(self.heading)

    @beat(CAPTION)
    def say(self) -> Steps:
        cells = [self.grid.cell(i, max(i - 1, 0)) for i in range(self.n)]
        frame = self.grid.frame(cells[0], "key")
        yield Create(frame)
        yield frame.trace(*cells[1:], run_time=1.8)
