"""The attention table that the slides print, beside the two readings of their equation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from manim import Create, FadeIn, FadeOut, LaggedStart, VGroup
from numpy.typing import NDArray

from model.arrays import Bools, Floats
from model.onehot_induction import OneHotInduction
from model.onehot_tables import PrintedTable
from scenes.facts import Fact
from scenes.onehot.layer import seen
from scenes.parts.matrices.block_map import Block, BlockMap
from scenes.parts.matrices.cell_marks import lost_cell, wrong_cell
from scenes.parts.matrices.logit_map import SHARE
from scenes.parts.matrices.three_panels import ThreePanels
from scenes.parts.sentence import Sentence
from scenes.spelling import named, spelled
from scenes.stage import Finding, Slide, StageInputs
from scenes.style.layout import Region
from scenes.style.text import text_width
from scenes.style.type import MIN_SIZE

EQUATION = 3
"""The number of the attention equation on the slides."""


@dataclass(frozen=True, eq=False)
class PrintedAttention:
    """Layer 2's attention as printed, and as the two readings have it; every table (6, 6)."""

    causal: PrintedTable
    literal: PrintedTable

    @property
    def head(self) -> OneHotInduction:
        """The head under the literal reading, the one that leaks."""
        return self.literal.model

    @cached_property
    def answers(self) -> list[str]:
        """What the last rows say: printed, masked before the softmax, masked after it."""
        printed = PrintedTable("resid_post").printed[-1].argmax()
        shown = [self.causal.model.prediction, self.literal.model.prediction]
        return [self.head.vocabulary.tokens[int(printed)], *shown]


class Readings(Slide):
    """The attention table that the slides print, beside the two readings of their equation."""

    title = "One equation, two readings"
    question = "Does it matter whether the mask comes before the softmax or after?"
    caption = "Mask before the softmax: after it, whatever attention went to later keys is lost."
    notes = (
        "The slides that this head comes from print this attention for layer 2.",
        "Mask, then softmax: {n_wrong_causal} of {n_cells} printed cells differ.",
        "Equation ({equation}) read to the letter masks last: {n_wrong_literal} cells differ.",
        "But in {n_leaks} of {n_tokens} rows attention went to later keys, and is lost.",
        "Nothing comes after the last row: there, all three say {prediction}.",
    )

    values: PrintedAttention

    @classmethod
    def compute(cls, inputs: StageInputs) -> PrintedAttention:
        return PrintedAttention(
            PrintedTable("pattern_2", "causal"), PrintedTable("pattern_2", "literal")
        )

    @classmethod
    def facts(cls, values: PrintedAttention) -> dict[str, Fact]:
        return {
            "equation": EQUATION,
            "n_tokens": len(values.head.tokens),
            "n_cells": values.causal.printed.size,
            "n_wrong_causal": values.causal.n_wrong,
            "n_wrong_literal": values.literal.n_wrong,
            "n_leaks": len(values.head.leaks),
            "n_leaks_causal": len(values.causal.model.leaks),
            "prediction": named(values.answers[0]),
        }

    @classmethod
    def checks(cls, values: PrintedAttention) -> list[Finding]:
        sums = values.causal.model.row_sums
        tables = (values.causal, values.literal)
        return [
            Finding(
                "neither reading gives the printed table",
                all(table.n_wrong > 0 for table in tables),
                f"{[table.n_wrong for table in tables]} cells differ",
            ),
            Finding(
                "masked before the softmax, every row sums to 1",
                bool(np.allclose(sums, 1, rtol=0, atol=1e-12)),
                f"{sums.tolist()}",
            ),
            Finding(
                "masked after it, rows leak, and all of the loss is to later keys",
                bool(set(np.flatnonzero(values.head.lost.any(axis=1))) == set(values.head.leaks)),
                f"rows {values.head.leaks.tolist()}",
            ),
            Finding(
                "in the last row all three agree",
                not any(table.wrong[-1].any() for table in tables),
                "the last row differs",
            ),
            Finding("all three say the same", len(set(values.answers)) == 1, f"{values.answers}"),
        ]

    @classmethod
    def arrays(cls, values: PrintedAttention) -> dict[str, NDArray[Any]]:
        return {
            "printed": values.causal.printed,
            "causal": values.causal.true,
            "literal": values.literal.true,
            "unmasked": values.head.unmasked_2,
            "row_sums_literal": values.head.row_sums,
        }

    def construct(self) -> None:
        self._lay_out()
        self._printed()
        self._causal()
        self._literal()
        self._leak()
        self._last()

    def _lay_out(self) -> None:
        values = self.values
        hidden = np.triu(np.ones_like(values.causal.printed, bool), 1)
        tables = (values.causal.printed, values.causal.true, values.head.unmasked_2)
        self.panels = ThreePanels(self.canvas, spelled(values.head.tokens[0]))
        self.maps = [
            self._map(seen(table), room, k, hidden if k == 1 else None)
            for k, (table, room) in enumerate(zip(tables, self.panels.tables, strict=True))
        ]
        self.heads = self.panels.heads(
            (
                ("as printed", "on the slide"),
                ("mask, then softmax", "the causal reading"),
                ("softmax, then mask", f"equation ({EQUATION}), literally"),
            )
        )

    def _map(self, table: Floats, region: Region, k: int, hidden: Bools | None) -> BlockMap:
        tokens = [spelled(token) for token in self.values.head.tokens]
        named_rows = tokens if k == 0 or not self.canvas.wide else []
        board = BlockMap(
            table,
            region,
            columns=[Block("", len(tokens), self.theme.attention)],
            row_names=named_rows,
            column_names=tokens,
            spec=SHARE,
            hidden=hidden,
            most_cell=0.75,
            square=False,
        )
        if text_width("0.33", MIN_SIZE) > board.cell_width - 0.06:
            board.spec = ".1g"
            board.show(np.zeros(table.shape))
            board.show(table)
        for name in board.row_names:
            name.set_fill(self.theme.text_color("query"))
        for name in board.column_names:
            name.set_fill(self.theme.text_color("key"))
        return board

    def _printed(self) -> None:
        """The table of the slide, alone."""
        self.beat("printed")
        self.play(self.say(0), FadeIn(self.heads[0], self.maps[0]), run_time=0.8)
        self.let_read()

    def _causal(self) -> None:
        """What causal attention gives, and where the print differs."""
        self.beat("causal")
        self.play(self.say(1), FadeIn(self.heads[1], self.maps[1]), run_time=0.8)
        self.marks = self._marks(self.values.causal.wrong)
        self.play(LaggedStart(*(Create(m) for m in self.marks), lag_ratio=0.15, run_time=1.4))
        self.play(FadeIn(self._differ(1, self.values.causal.n_wrong)), run_time=0.4)
        self.let_read()

    def _literal(self) -> None:
        """Softmax over all keys; only then does the mask take the later ones away."""
        self.beat("literal")
        table = self.maps[2]
        self.play(self.say(2), FadeOut(self.marks), FadeIn(self.heads[2], table), run_time=0.8)
        self.wait(0.6)
        self.play(table.mask(run_time=1.2))
        self.marks = self._marks(self.values.literal.wrong)
        self.play(LaggedStart(*(Create(m) for m in self.marks), lag_ratio=0.3, run_time=0.8))
        self.play(FadeIn(self._differ(2, self.values.literal.n_wrong)), run_time=0.4)
        self.let_read()

    def _leak(self) -> None:
        """The shares that went to later keys, gone from rows that should sum to 1."""
        self.beat("leak")
        lost = np.argwhere(self.values.head.lost).tolist()
        ghosts = VGroup(*(self._ghost(i, j) for i, j in lost))
        self.play(self.say(3), FadeOut(self.marks), run_time=0.6)
        self.play(LaggedStart(*(FadeIn(g) for g in ghosts), lag_ratio=0.3, run_time=1.4))
        facts = self.facts(self.values)
        counts = VGroup(
            self._rows_leak(1, int(facts["n_leaks_causal"]), self.theme.text_color("value")),
            self._rows_leak(2, int(facts["n_leaks"]), self.theme.text_color("wrong")),
        )
        self.play(FadeIn(counts), run_time=0.5)
        self.let_read()

    def _last(self) -> None:
        """Where nothing is later, the order does not matter."""
        self.beat("last row")
        last = len(self.values.head.tokens) - 1
        frames = [m.frame(m.row(last), self.theme.value, 5) for m in self.maps]
        self.play(self.say(4), *(Create(frame) for frame in frames), run_time=0.9)
        self.let_read()

    def _marks(self, wrong: Bools) -> VGroup:
        """The printed cells that are wrong."""
        return VGroup(*(wrong_cell(self.maps[0], i, j) for i, j in np.argwhere(wrong).tolist()))

    def _ghost(self, i: int, j: int) -> VGroup:
        """A share that the late mask took away, where it was."""
        board, share = self.maps[2], float(self.values.head.unmasked_2[i, j])
        return lost_cell(board, i, j, share, board.spec or SHARE)

    def _differ(self, k: int, count: int) -> Sentence:
        cells = self.values.causal.printed.size
        return self.panels.foot(k, 0, (count, "d"), " of ", (cells, "d"), " differ")

    def _rows_leak(self, k: int, count: int, color: str) -> Sentence:
        rows = len(self.values.head.tokens)
        return self.panels.foot(k, 1, (count, "d"), " of ", (rows, "d"), " rows leak", color=color)
