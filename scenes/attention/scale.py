"""Why dot products are divided: those of wide vectors spread far, and softmax freezes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from manim import DL, Create

from clockhead.model.films.attention.scale import ScaledHead, scaled_head
from clockhead.scenes.attention.inputs import ExampleStage
from clockhead.scenes.attention.page import Page, grid_of
from clockhead.scenes.attention.ridges import Ridges
from clockhead.scenes.parts import scale as scales
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.term_moves import become
from clockhead.scenes.stage import CAPTION, Derived, Row, Steps, beat, fit
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.text import Paragraph
from clockhead.scenes.style.type import SMALL

_HEAD, _WORDS, _FORMULA, _LARGE = 0.85, 0.3, 36.0, 44.0
"""The room over the charts, that for words in it, in units; sizes of formulas, over and alone."""
_EXACT = 1e-12
_LEAST = (0.8, 1.2)
"""The least area of a chart, in units."""
_BEST = "share of the best of {spread.n_keys} keys"


def _even_shares(head: ScaledHead) -> str:
    """What the best key gets after the division: from how much to how much."""
    shares = head.spread.divided_largest_shares
    low, high = (f"{share:.0%}" for share in (shares.min(), shares.max()))
    return f"{low.removesuffix('%')} to {high}"


def _equals(number: float, spec: str) -> str:
    """The sign before a number as it is written."""
    return "=" if abs(float(format(number, spec)) - number) < _EXACT else "approx"


class Scale(ExampleStage):
    """Dot products of wide vectors spread far; divided by sqrt(d), they spread alike."""

    title = "Why divide by a square root?"
    question = "Why not take dot products as they are?"
    caption = (
        "Here $d$ = {d_model}, so dot products are divided by {divisor:.4g}: these are scores."
    )
    opens = leaves = ("grid",)
    derived = ExampleStage.derived | {
        "even_shares": Derived("what the best key gets after the division", _even_shares),
    }

    values: ScaledHead

    @classmethod
    def compute(cls, inputs: Any) -> ScaledHead:
        return scaled_head(inputs.example())

    def layout(self) -> None:
        page, head = Page(self), self.values
        self.grid = grid_of(self, "dots", numbers_in_motion=True)
        self.grid.place_cells(page.grid)
        band, room = page.told.cut_top(_HEAD, gap=0.1)
        reach, rows = head.spread.reach, scales.slots(self["widths_named"], down=True)
        ticks = scales.round_ticks(-reach, reach, most=5)
        self.chart = Chart(
            scales.Scale(-reach, reach, (ticks[0], ticks[-1]), "g"), rows, least=_LEAST
        )
        shapes, bins = self["spread.shapes"], self["spread.bins"]
        self.ridges = Ridges(self["spread.roots"], self.chart, shapes, bins)
        along = scales.Scale(0, 1, (1.0,), ".0%")
        blank = replace(rows, names=("",) * len(head.spread.widths))
        self.side = Chart(along, blank, least=_LEAST)
        shares = self["spread.largest_shares"]
        self.bars = Bars(shares, self.side, "attention", spec=".0%", grown=False, width=0.5)
        self.room = page.told
        fit(room, Row(self.chart, self.side, gap=0.2, weights=(2, 1)))
        middle = self.chart.area.center[0]
        half = middle - room.left
        self.place = Region(middle - half, band.bottom + _WORDS, middle + half, band.top)
        self.formula = self._line(("score", "query(q) dot key(k)"))
        left, right = self.side.area.left, room.right
        self.words = Paragraph(self.say_of(_BEST), width=right - left, size=SMALL)
        self.words.shift(np.array([left, band.bottom, 0.0]) - self.words.get_corner(DL))

    def _line(self, *terms: tuple[str, str], place: Region | None = None) -> Equation:
        """What is said over the histograms, or in another place."""
        names = {"dot": "own_dot", "score": "own_score", "d": "d_model", "alpha": "alpha"}
        values = {name: self[path] for name, path in names.items()}
        line = Equation(terms, values=values, size=_FORMULA if place is None else _LARGE)
        line.place(place or self.place)
        return line

    @beat("Softmax, next, makes shares of each row: larger numbers get more.")
    def shared(self) -> Steps:
        cells = [self.grid.cell(self.values.last, n) for n in range(self.values.n_tokens)]
        self.cell = self.grid.frame(cells[0])
        yield Create(self.cell, run_time=0.6)
        yield self.cell.trace(*cells[1:], run_time=0.6 * self.reading)

    @beat("With $d$ random numbers in a vector, four times $d$ spreads dot products twice as far.")
    def wide(self) -> Steps:
        yield FadeIn(self.chart, self.formula, run_time=0.6), FadeOut(self.cell, run_time=0.6)
        self.add(self.ridges)
        yield self.ridges.come(1, run_time=1.0)
        yield self.ridges.come(len(self.values.spread.widths), run_time=3.0)

    @beat(
        "At $d$ = {widest}, the best of {spread.n_keys} keys gets {largest_share:.0%} "
        "on average: softmax freezes: small changes hardly move it."
    )
    def freeze(self) -> Steps:
        yield FadeIn(self.side, self.words, run_time=0.6)
        self.add(self.bars)
        yield self.bars.grow(lag=0.6, run_time=0.6 * self.reading)

    @beat("Divided by $sqrt(d)$, all spread alike, and the best key gets {even_shares}.")
    def divide(self) -> Steps:
        divided = self._line(("score", "query(q) dot key(k)"), ("root", "\\/ sqrt(d)"))
        yield become(self.formula, divided, run_time=0.8)
        yield (
            self.ridges.to(self["even"], run_time=1.6),
            self.bars.to(self["spread.divided_largest_shares"], run_time=1.6),
        )
        yield 0.4
        low, high = self.values.spread.bins[[0, -1]].tolist()
        near = scales.Scale(low, high, (-3.0, 3.0), "g")
        yield self.chart.rescale(x=near, run_time=1.6)

    @beat("Our RoPE films multiply by $alpha$ instead: here, $alpha$ = {alpha:.3g} would do.")
    def beside(self) -> Steps:
        other = self._line(
            ("score", "query(q) dot key(k)"),
            ("root", "\\/ sqrt({d:d})"),
            ("is", _equals(self.values.alpha, ".3g")),
            ("alpha", "{alpha:.3g} thin"),
            ("also", "query(q) dot key(k)"),
            place=self.room,
        )
        gone = self.chart, self.ridges, self.side, self.bars, self.words
        yield [FadeOut(part, run_time=0.6) for part in gone]
        yield become(self.formula, other, run_time=0.4 * self.reading)

    @beat(CAPTION)
    def here(self) -> Steps:
        head = self.values
        own = self._line(
            ("dot", "{dot:.6g}"),
            ("root", "\\/ sqrt({d:d})"),
            ("is", _equals(head.own_score, ".4f")),
            ("score", "{score:.4f}"),
            place=self.room,
        )
        self.cell = self.grid.frame(self.grid.cell(head.last, head.last))
        yield become(self.formula, own, run_time=1.0), Create(self.cell, run_time=0.8)
        bound = float(np.abs(head.scores).max()) or 1.0
        yield self.grid.to(self["scores"], low=-bound, high=bound, run_time=0.5 * self.reading)
