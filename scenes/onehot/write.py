"""Layer 0 writes the previous token into the columns of the position."""

from __future__ import annotations

from typing import Any

from manim import Create

from clockhead.scenes.onehot.focus import recast
from clockhead.scenes.onehot.letters import LetterStage
from clockhead.scenes.onehot.page import ATTENTION, POSITION, PREVIOUS, TOKEN, LetterPage, halves
from clockhead.scenes.onehot.widths import Width
from clockhead.scenes.parts.block_moves import send_cells
from clockhead.scenes.parts.strip_looks import paint
from clockhead.scenes.stage import CAPTION, Steps, beat
from clockhead.scenes.style.motion import FadeIn, FadeOut


class Write(LetterStage):
    """Layer 0 writes the previous token into the columns of the position."""

    title = "Layer 0 writes"
    question = "What does a row take from the row before it?"
    caption = "Every row now names its token and the previous token; BOS names itself twice."
    opens = ("tiles", "rows", "grid", "heading")
    leaves = opens

    def layout(self) -> None:
        head = self.values
        self.n, self.hero = head.n_tokens, head.hero
        self.words = head.text.indices.tolist()
        page = LetterPage(self)
        self.noted = halves(self, PREVIOUS, named=page.named)[1]
        self.tiles, self.rows = page.tiles, page.rows
        shares: dict[str, Any] = {"mask": "causal", "low": 0.0, "high": 1.0, "spec": ".0f"}
        self.grid = page.pair_table("pattern_0", **shares)
        self.heading = page.head(ATTENTION, self.grid)
        self.moves = page.weight_grid("weights.w_ov_0", role="value")
        self.keeps = page.weight_grid("weights.w_skip_0", role="token")
        self.signs = [page.sign("V_0", self.moves), page.sign("W_0", self.keeps)]
        for weights in (self.moves, self.keeps):
            weights.hide()
        self.widths = [
            Width(self["weights.half"], self.rows.part(b.name), head.weights.half, b.role)
            for b in self.rows.across
        ]

    @beat("$V_0$ takes the token of the row found, and puts it where positions stand.")
    def value(self) -> Steps:
        hero, j = self.hero, self.words[self.hero - 1]
        yield self.moves.draw_in(run_time=1.6), FadeIn(self.signs[0])
        self.lit = self.grid.frame(self.grid.cell(hero, hero - 1), "key")
        found = self.rows.frame(hero - 1, TOKEN, role="key")
        self.lands = self.rows.frame(hero, POSITION, j, "value")
        yield paint(self.tiles, hero, "query"), *map(Create, (self.lit, found, self.lands))
        ride = (hero - 1, TOKEN, j), (hero, POSITION, j)
        yield send_cells(self.rows, [ride], "value", run_time=2.2)
        yield FadeOut(found)

    @beat("That is why both halves are equally wide: a token fits where a position stood.")
    def h(self) -> Steps:
        first, second = self.widths
        yield FadeIn(first), FadeIn(second)
        yield 0.4
        yield first.move_over(second, run_time=1.6)
        yield self.reading - 4.0
        yield FadeOut(first), FadeOut(second)

    @beat(
        "Usually a row is kept and added to. Here $W_0$ decides: it keeps the token, "
        "not the position."
    )
    def keep(self) -> Steps:
        before, now = self.signs
        yield FadeOut(self.moves), FadeOut(before)
        yield self.keeps.draw_in(run_time=1.4), FadeIn(now)
        yield self.rows.to(self["resid_tokens"], run_time=1.2)
        yield recast(self.rows, POSITION, self.noted, run_time=1.2)

    @beat(CAPTION)
    def all_(self) -> Steps:
        sources = [max(i - 1, 0) for i in range(self.n)]
        rides = [
            ((k, TOKEN, self.words[k]), (i, PREVIOUS, self.words[k])) for i, k in enumerate(sources)
        ]
        cells = [self.grid.cell(i, k) for i, k in enumerate(sources)]
        steps = self.lit.trace(*cells, run_time=3.2)
        sent = send_cells(self.rows, rides, "value", to=self["resid_mid"], run_time=3.2, each=0.4)
        yield sent, steps, paint(self.tiles, self.hero, None)
        yield FadeOut(self.lit), FadeOut(self.lands)
