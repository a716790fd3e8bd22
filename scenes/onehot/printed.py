"""Coda: all six tables that the slides print, and what a single missing 1 does to them."""

from __future__ import annotations

from typing import Any

from manim import Create

from clockhead.model.films.onehot.printed import PrintedSlides, printed_slides
from clockhead.scenes.onehot.sheets import CorrectedTable
from clockhead.scenes.stage import CAPTION, Column, Row, Stage, StageInputs, Steps, beat, fit
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.theme import Role

_TABLES: dict[str, tuple[str, Role, tuple[str, ...]]] = {
    "scores_1": ("({scores_1.number}) scores", "attention", (".0f",)),
    "pattern_1": ("({pattern_1.number}) attention", "attention", (".0f",)),
    "resid_mid": (
        "({resid_mid.number}) rows after it: token, then token before",
        "residual",
        (".0f",),
    ),
    "scores_2": ("({scores_2.number}) scores", "attention", (".0f",)),
    "pattern_2": ("({pattern_2.number}) attention", "attention", (".2f", ".1f")),
    "resid_post": (
        "({resid_post.number}) rows after it: next token, then nothing",
        "value",
        (".1f", ".0f"),
    ),
}
"""Where each table is, what it is called, its colour, and how its true numbers are written."""


class Printed(Stage[PrintedSlides]):
    """All tables of the slides, in which one missing 1 makes the next ones wrong."""

    class Inputs(StageInputs):
        """It takes nothing: the slides have one text."""

    title = "Coda: a missing 1"
    question = "Which of the slides' six tables are right?"
    caption = "The answer is “{prediction}” in print, too: the head is right."
    opens = ("printed",)

    compute = printed_slides

    def layout(self) -> None:
        self.sheets = {path: CorrectedTable(self, path, *look) for path, look in _TABLES.items()}
        a, b, c, d, e, f = self.sheets.values()
        self.first, self.second = [a, b, c], [d, e, f]
        for x, y, z in ((a, b, c), (d, e, f)):
            wide = Row(x, y, z, gap=0.2)
            two, three = Column(Row(x, y), z), Column(x, y, z)
            fit(self.canvas, *((wide, two, three) if self.canvas.wide else (two, three, wide)))
        self.printed = e.matrix

    @beat("For each layer they show scores, attention, and what comes out.")
    def tables(self) -> Steps:
        pace = max(0.5, 0.7 * self.reading / len(self.sheets))
        for layer in (self.second, self.first):
            for sheet in layer:
                if sheet.matrix is self.printed:
                    yield FadeIn(sheet.title, run_time=pace)
                else:
                    yield FadeIn(sheet.title, run_time=pace), sheet.matrix.fill_rows(run_time=pace)
            if layer is self.second:
                yield self._gone(layer)

    @staticmethod
    def _gone(layer: list[CorrectedTable], *others: Any) -> list[Any]:
        """Let a layer make room for the other, and what else is there."""
        return [FadeOut(part, run_time=0.4) for part in (*layer, *others)]

    @staticmethod
    def _come(layer: list[CorrectedTable], *others: Any) -> list[Any]:
        """Let a layer come, and what else belongs to it."""
        return [FadeIn(part, run_time=0.4) for part in (*layer, *others)]

    @beat(
        "All but {forgetful}, which should name itself twice.",
        ask="({scores_1.number}) and ({pattern_1.number}) are right. "
        "Does every row of ({resid_mid.number}) name two?",
    )
    def forgotten(self) -> Steps:
        first, second, rows = (self.sheets[k] for k in ("scores_1", "pattern_1", "resid_mid"))
        row, column = self.values.forgotten
        n = rows.matrix.n_rows
        self.lit = rows.matrix.frame_row(n - 1, "token")
        yield FadeIn(first.count), FadeIn(second.count), Create(self.lit)
        others = [rows.matrix.row(i) for i in reversed(range(n - 1))]
        yield 0.5 * self.lit.trace(*others)
        yield self.lit.trace(rows.matrix.cell(row, column), run_time=0.6)
        yield FadeIn(rows.marks, rows.count, run_time=0.6)

    @beat("So {forgetful} does not find itself in ({scores_2.number}): {full_score:g} is missing.")
    def unmatched(self) -> Steps:
        scores = self.sheets["scores_2"]
        moves = self.lit.trace(scores.matrix.cell(*self.values.unmatched), run_time=1.2)
        yield [*self._gone(self.first, *self._marks(self.first)), *self._come(self.second), moves]
        yield FadeIn(scores.marks, scores.count, run_time=0.6)

    @beat(
        "({pattern_2.number}) and so ({resid_post.number}) have zeros where nothing matches; "
        "$V_1$ gives {true_answer:g}, not {printed_answer:g}."
    )
    def after(self) -> Steps:
        pattern, rows = self.sheets["pattern_2"], self.sheets["resid_post"]
        time = 0.35 * self.reading
        yield FadeIn(pattern.marks, pattern.count, run_time=time), FadeOut(self.lit, run_time=0.5)
        yield FadeIn(rows.marks, rows.count, run_time=time)

    @beat("Put right, {n_wrong} of {n_numbers} numbers change.")
    def correct(self) -> Steps:
        rows = self.sheets["resid_mid"]
        first, second = (self._marks(layer) for layer in (self.first, self.second))
        yield self._gone(self.second, *second) + self._come(self.first, *first)
        yield rows.correct(run_time=0.8)
        yield 0.8
        first = self._marks(self.first)
        yield self._gone(self.first, *first) + self._come(self.second, *second)
        yield [move for sheet in self.second for move in sheet.correct(run_time=1.2)]

    @staticmethod
    def _marks(layer: list[CorrectedTable]) -> list[Any]:
        """What says how many numbers of a layer are wrong, and which."""
        return [part for sheet in layer for part in sheet.signs]

    @beat(CAPTION)
    def end(self) -> Steps:
        last = [self.sheets[k].matrix for k in ("pattern_2", "resid_post")]
        yield [Create(m.frame_row(m.n_rows - 1, "value"), run_time=1.6) for m in last]
