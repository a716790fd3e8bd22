"""Scores fill row by row, softmax makes a pattern of them, and the sub-diagonal appears."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import FadeIn, FadeOut, LaggedStart, Rectangle, VGroup
from numpy.typing import NDArray

from model.score_row import ScoreRow
from scenes.facts import Fact, fill, format_fact
from scenes.parts.matrices.grid import shade
from scenes.parts.matrices.rowbars import TokenGrid
from scenes.parts.readout import Readout
from scenes.previous_token.common import AskingInputs, HeadInputs
from scenes.stage import Finding, Slide
from scenes.style.layout import GAP, PX, Region
from scenes.style.motion import recolor
from scenes.style.text import Formula, Number, text_width
from scenes.style.theme import mix
from scenes.style.type import LABEL, MIN_SIZE

_NARROW = 0.36
"""The least width of a cell, in units, for which the readouts make room."""
_TALL = 1.3
"""How much taller than wide the cells of a grid may be."""


class SubDiagonal(Slide):
    """Scores fill row by row, softmax makes a pattern of them, and the sub-diagonal appears."""

    class Inputs(AskingInputs, HeadInputs):
        """A head, and the row of it that is looked at."""

    title = "The sub-diagonal appears"
    question = "Each row is one token asking. Where does its attention go?"
    caption = (
        "Every row but the first gives most, {worst_mass:.2%-} or more, to the token before it."
    )

    notes = (
        "A score for each pair, with $alpha$ = {alpha}. Later keys are masked.",
        "Softmax turns each row into shares of attention.",
        "“{asker}” asks at {m}; the best key stands at {target}.",
        "So does every row: a line just below the diagonal.",
        "The first token sees only itself.",
    )

    inputs: Inputs
    values: ScoreRow

    @classmethod
    def compute(cls, inputs: Inputs) -> ScoreRow:
        return inputs.row(inputs.alpha)

    @classmethod
    def facts(cls, values: ScoreRow) -> dict[str, Fact]:
        head = values.head
        return {
            "alpha": head.alpha,
            "n_tokens": head.n_tokens,
            "m": values.m,
            "asker": values.query_token,
            "target": values.target,
            "answer": values.target_token,
            "first": values.tokens[0],
            "mass": float(head.pattern[values.m, values.target]),
            "worst_mass": head.worst_mass,
            "worst_row": head.worst_row,
            "mean_mass": head.mean_mass,
            "first_mass": float(head.pattern[0, 0]),
            "alpha_99": head.alpha_99,
        }

    @classmethod
    def checks(cls, values: ScoreRow) -> list[Finding]:
        torn, first = values.head.missed_rows.tolist(), float(values.head.pattern[0, 0])
        return [
            Finding(
                "every row but the first gives the token before it most",
                values.head.finds_target,
                f"rows {torn} do not",
            ),
            Finding("the first token attends to itself alone", first == 1, f"{first}"),
        ]

    @classmethod
    def arrays(cls, values: ScoreRow) -> dict[str, NDArray[Any]]:
        return {
            "positions": values.head.positions,
            "scores": values.head.scores,
            "pattern": values.head.pattern,
        }

    def construct(self) -> None:
        canvas = self.canvas
        side, main = self._halves(canvas)
        self.corners = side.rows(1, 1, 1) if canvas.wide else side.columns(1, 1, 1)
        scores, pattern = side.rows(1, 1, gap=0.2) if canvas.wide else side.columns(5, 6)
        self.formulas = _alike(
            Formula("query(q_m)^top key(k_n) = alpha thin f(n - m + 1)").fit(scores.width),
            Formula('A_(m n) = "softmax"_n (query(q_m)^top key(k_n))').fit(pattern.width),
        )
        for formula, region in zip(self.formulas, (scores, pattern), strict=True):
            formula.move_to(region.center)
        self.visible = np.tri(len(self.inputs.tokens), dtype=np.bool_)
        self.table = TokenGrid(
            np.zeros(self.visible.shape), self.inputs.tokens, main, tallest=_TALL
        )
        self.grid = self.table.grid
        self._scores()
        self._softmax()
        self._row()
        self._every_row()
        self._first_row()

    def _halves(self, canvas: Region) -> tuple[Region, Region]:
        """Room for formulas and readouts, and for the table, which long words make wider."""
        if not canvas.wide:
            return canvas.cut_top(1.2)
        words = max(text_width(token, LABEL) for token in self.inputs.tokens)
        table = words + 0.6 + _NARROW * len(self.inputs.tokens)
        side = max(2.0, min(0.4 * canvas.width, canvas.width - GAP - table))
        left, right = canvas.columns(side, canvas.width - GAP - side)
        return left, right

    def _scores(self) -> None:
        """Every pair has a score; a query does not see the keys after it."""
        self.beat("scores")
        scores = self.values.head.scores
        low, high = float(scores[self.visible].min()), float(scores[self.visible].max())
        self.low, self.high = low - 0.25 * (high - low), high
        spec = self._fitting(scores[self.visible], [".1f", ".0f"])
        self.grid.rescale(self.low, self.high, spec=spec, write_above=0.1)
        self.grid.show(np.full(scores.shape, self.low))
        self.play(FadeIn(self.table, self.formulas[0]), self.say(0))
        step = min(0.6, 2.8 / len(scores))
        for m, row in enumerate(scores):
            self.play(self.grid.row_to(m, row, run_time=step))
        self.let_read()

    def _softmax(self) -> None:
        """Shares instead of scores: the largest score takes almost all."""
        self.beat("softmax")
        pattern = self.values.head.pattern
        written = VGroup(*self.grid.numbers.values())
        self.play(
            self.say(1), FadeIn(self.formulas[1]), *([FadeOut(written)] if len(written) else [])
        )
        self.grid.rescale(0.0, 1.0, spec=None)
        self.grid.show(shade(self.values.head.scores, self.low, self.high))
        self.play(self.grid.to(pattern, run_time=2.0))
        band = [(0, 0), *((m, m - 1) for m in range(1, len(pattern)))]
        spec = self._fitting(np.array([pattern[cell] for cell in band]), [".1%", ".3f"])
        self.shares = VGroup(*(self._share(cell, spec) for cell in band if spec))
        if spec:
            self.play(FadeIn(self.shares), run_time=0.6)
        self.let_read()

    def _row(self) -> None:
        """One row, read: who asks, who answers, how much."""
        self.beat("row")
        m, target = self.inputs.m, self.values.target
        self._column_color = str(self.table.columns[target].get_fill_color().to_hex())
        self.cross = VGroup(
            self._frame((m, 0), (m, m), self.theme.query),
            self._frame((target, target), (m, target), self.theme.key),
            *self._tags(m, target),
        )
        share = self._readout(0, "“{asker}” gives “{answer}”", "mass", ".2%")
        self.play(FadeOut(*self.formulas), run_time=0.4)
        self.play(
            self.say(2),
            FadeIn(self.cross),
            recolor(self.table.rows[m][0], self.theme.query),
            recolor(self.table.columns[target], self.theme.key),
        )
        self.play(FadeIn(share), run_time=0.6)
        self.let_read()

    def _every_row(self) -> None:
        """All rows do the same, so the cells that count lie on a line."""
        self.beat("every row")
        cells = [(m, m - 1) for m in range(1, len(self.inputs.tokens))]
        frames = [self._frame(cell, cell, self.theme.ink) for cell in cells]
        worst = self._readout(1, "every row, at least", "worst_mass", ".2%-")
        self.play(
            FadeOut(self.cross),
            self.say(3),
            recolor(self.table.rows[self.inputs.m][0], self.theme.token),
            recolor(self.table.columns[self.values.target], self._column_color),
        )
        self.play(LaggedStart(*(FadeIn(frame) for frame in frames), lag_ratio=0.3, run_time=1.6))
        self.play(FadeIn(worst), run_time=0.6)
        self.let_read()

    def _first_row(self) -> None:
        """The exception: nothing before it, so it keeps to itself."""
        self.beat("first row")
        frame = self._frame((0, 0), (0, 0), self.theme.position)
        alone = self._readout(2, "the first gives itself", "first_mass", ".0%")
        self.play(FadeIn(frame), self.say(4))
        self.play(FadeIn(alone), run_time=0.6)
        self.let_read()

    def _fitting(self, values: NDArray[np.float64], specs: list[str]) -> str | None:
        """The first format in which every value can be read inside a cell."""
        for spec in specs:
            widest = max(text_width(format_fact(float(v), spec), MIN_SIZE) for v in values)
            if widest < self.grid.cell_width - 0.06:
                return spec
        return None

    def _share(self, cell: tuple[int, int], spec: str) -> Number:
        value = float(self.values.head.pattern[cell])
        widest = text_width(format_fact(1.0, spec), 1.0)
        size = min(LABEL, max(MIN_SIZE, 0.8 * self.grid.cell_width / widest))
        ink = self.theme.ink_on(mix(self.theme.panel, self.theme.attention, value))
        number = Number(value, spec, size=size, weight="semibold", color=ink)
        return number.center_on(self.grid.middle(*cell))

    def _frame(self, first: tuple[int, int], last: tuple[int, int], color: str) -> Rectangle:
        """A frame around a block of cells."""
        a, b = self.grid.middle(*first), self.grid.middle(*last)
        size = np.abs(b - a)
        frame = Rectangle(
            width=size[0] + self.grid.cell_width,
            height=size[1] + self.grid.cell_height,
            stroke_width=4,
        )
        return frame.set_stroke(color).move_to((a + b) / 2)

    def _tags(self, m: int, target: int) -> list[Formula]:
        """q beside the row's frame and k over the column's, where cells are masked or empty."""
        last = len(self.inputs.tokens) - 1
        spots = {
            "query(q_m)": (m, m + 1) if m < last else (m, 0) if target else None,
            "key(k_n)": (target - 1, target) if target else (m + 1, 0) if m < last else None,
        }
        size = max(MIN_SIZE, min(28.0, 0.6 * self.grid.cell_height / PX))
        return [
            Formula(symbol, size=size).move_to(self.grid.middle(*spot))
            for symbol, spot in spots.items()
            if spot
        ]

    def _readout(self, place: int, meaning: str, fact: str, spec: str = ".1%") -> Readout:
        facts, region = self.facts(self.values), self.corners[place]
        value = float(facts[fact])
        color = self.theme.text_color("attention")
        return Readout(
            fill(meaning, facts), value, spec, region.point(0, 1), width=region.width, color=color
        )


def _alike(*formulas: Formula) -> VGroup:
    """Formulas in one size; none where the smallest could not be read."""
    em = min(formula.em for formula in formulas)
    if em < MIN_SIZE * PX:
        return VGroup(*(VGroup() for _ in formulas))
    return VGroup(*(formula.scale(em / formula.em) for formula in formulas))
