"""Why scores are divided by sqrt(d): dot products of wide vectors saturate softmax."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from manim import Create
from numpy.typing import NDArray

from clockhead.model.films.attention.scale import ScaledHead, scaled_head
from clockhead.scenes.attention.desk import Desk, formula_of, grid_of
from clockhead.scenes.attention.inputs import ExampleStage
from clockhead.scenes.attention.ridges import FOOT, Ridges
from clockhead.scenes.parts import scale as scales
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Dots
from clockhead.scenes.parts.equation import Equation, become
from clockhead.scenes.stage import (
    CAPTION,
    REST,
    Column,
    Derived,
    Room,
    Row,
    Size,
    Steps,
    beat,
    fit,
    said,
)
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut

_FORMULA, _LARGE, _SIZE = 44.0, 56.0, 26.0
"""Sizes of the division, of the formula above the charts, and of the charts' text, in pixels."""
_STRIP = 0.8
"""Height of the formula above the charts, in units."""
_EXACT = 1e-12
"""Tolerance within which a number is as written, so that “=” is right."""
_LEAST = (0.8, 1.2)
"""Least area of a chart, in units."""
_BEST = "best of {spread.n_keys} keys"
_SUM = [("dot", "query(q) dot key(k) ="), ("sum", "q_1 k_1 + dots.c + q_d k_d")]


def _divided_share_range(head: ScaledHead) -> str:
    """The range of the best key's weight after the division, as in “25 to 30%”."""
    shares = head.spread.divided_largest_shares
    low, high = (f"{share:.0%}" for share in (shares.min(), shares.max()))
    return f"{low.removesuffix('%')} to {high}"


def _equals_sign(number: float, spec: str) -> str:
    """“=” or “≈” before a number, depending on whether the format rounds it."""
    return "=" if abs(float(format(number, spec)) - number) < _EXACT else "approx"


class Scale(ExampleStage):
    """Dot products of wide vectors spread far; divided by sqrt(d), they all spread equally."""

    title = "Why divide by a square root?"
    caption = (
        "Here $d$ = {d_model}: every dot product is divided by {divisor:.3f}. From now on, this is "
        "the score."
    )
    opens = leaves = ("formula", "grid")
    derived = ExampleStage.derived | {
        "even_shares": Derived(
            "range of the best key's weight after the division", _divided_share_range
        )
    }

    values: ScaledHead

    compute = scaled_head

    def layout(self) -> None:
        lit = "query", "key", "turned", "value"
        self.desk = Desk(self, *lit, root=False)
        self.whole = self.desk.place_formula(formula_of(*lit, "root"))
        self.formula, head = self.desk.formula, self.values
        self.grid = grid_of(self, "dots", numbers_in_motion=True)
        self.desk.place_grids(self.grid)
        self._lay_charts()
        own = [
            ("dot", "score({dot:.6g})"),
            ("root", "\\/ sqrt({d:d})"),
            ("is", _equals_sign(head.own_score, ".4f")),
            ("score", "score({score:.4f})"),
        ]
        values = {"dot": self["own_dot"], "score": self["own_score"], "d": self["d_model"]}
        self.own = Equation(own, values=values, size=_FORMULA)
        self.own.place(self.room)

    def _lay_charts(self) -> None:
        """Make the histograms, the bars of the best key's weight, and the formulas above them."""
        spread = self.values.spread
        reach, rows = spread.reach, scales.slots(self["widths_named"], down=True)
        ticks = scales.round_ticks(-reach, reach, most=5)
        ends = ticks[0], 0.0, ticks[-1]
        across = scales.Scale(-reach, reach, ends, "g", said("dot product"))
        self.chart = Chart(across, rows, size=_SIZE, least=_LEAST)
        self.ridges = Ridges(
            self["spread.roots"], self.chart, self["spread.shapes"], self["spread.bins"]
        )
        along = scales.Scale(0, 1, (0.0, 1.0), ".0%", self.say_of(_BEST))
        canvas = self.desk.below
        blank = replace(rows, names=("",) * len(spread.widths)) if canvas.wide else rows
        self.side = Chart(along, blank, size=_SIZE, least=_LEAST)
        shares = self["spread.largest_shares"]
        look: dict[str, Any] = {"spec": ".0%", "grown": False, "width": 0.55, "size": _SIZE}
        self.bars = Bars(shares, self.side, "attention", **look)
        start, root = ("score", "query(q) dot key(k)"), ("root", "\\/ sqrt(d)")
        self.dot, self.divided = (
            Equation(terms, size=_LARGE) for terms in ([start], [start, root])
        )
        kind = Row if canvas.wide else Column
        charts = kind(self.chart, self.side, gap=0.3, weights=(2, 1))
        room = Room(Size(0.0, 0.0), Size(np.inf, 0.0 if canvas.wide else _STRIP))
        fit(canvas, Column(room, charts, gap=0.15, weights=(1, 4)))
        strip = self.desk.strip
        if canvas.wide:
            left = float(self.whole.term("value").get_right()[0]) + 0.3
            room.region = Region(left, strip.bottom, strip.right, strip.top)
        self.room = room.region
        for equation in (self.dot, self.divided):
            equation.place(room.region)
        self.sum = Equation(_SUM, size=_LARGE)
        self.sum.place(self.side.area)
        some = self["spread.dots"]
        self.dots = [
            Dots(some[k][0], self.chart, x=np.full(spread.n_keys, k + FOOT), role=None, standing=())
            for k in range(len(spread.widths))
        ]

    @beat(
        "One step is still missing. Say, query and key are $d$ random numbers each: every ring is "
        "one such dot product."
    )
    def draw_one(self) -> Steps:
        yield FadeOut(self.grid, run_time=0.6)
        yield FadeIn(self.chart, self.sum, run_time=0.6)
        self.add(self.ridges)
        yield from self._show_width(0, 0.3 * self.reading)

    @beat(
        "Four times as many numbers: four times as many products are added up, and the sums "
        "scatter twice as far.",
        rest=REST,
    )
    def wide(self) -> Steps:
        for k in range(1, len(self.dots)):
            yield from self._show_width(k, 1.0)

    def _show_width(self, k: int, run_time: float) -> Steps:
        """Show dot products of one width, and then the histogram of all of them."""
        self.add(self.dots[k])
        yield self._show_dots(self.dots[k], run_time=run_time)
        yield self.ridges.reveal(k + 1, run_time=1.0)

    def _show_dots(self, dots: Dots, *, run_time: float) -> Drive:
        """Show dots one after another."""

        def show(share: NDArray[np.float64]) -> None:
            dots.standing = set(range(round(float(share) * len(dots.x))))
            dots.redraw()

        return Drive(dots, show, 0.0, 1.0, run_time=run_time)

    @beat(
        "Let a query meet {spread.n_keys} keys: at $d$ = {widest}, softmax gives the best of them "
        "{largest_share:.0%} on average. The others go unheard.",
        rest=REST,
    )
    def freeze(self) -> Steps:
        yield FadeOut(self.sum, run_time=0.4)
        yield FadeIn(self.side, self.dot, run_time=0.6)
        self.add(self.bars)
        yield self.bars.grow(lag=0.6, run_time=0.6 * self.reading)

    @beat(
        "Divided by the square root of $d$, all scatter equally far, and the best key gets "
        "{even_shares}.",
        rest=2 * REST,
    )
    def divide(self) -> Steps:
        yield [FadeOut(dots, run_time=0.4) for dots in self.dots]
        for dots in self.dots:
            self.chart.marks.remove(dots)
        yield become(self.dot, self.divided, run_time=0.8)
        yield self.bars.unwrite(run_time=0.2)
        yield (
            self.ridges.to(self["even"], run_time=2.4),
            self.bars.to(self["spread.divided_largest_shares"], run_time=2.4),
        )
        yield self.bars.write(range(len(self.bars.places)), ".0%", run_time=0.3)

    @beat(CAPTION)
    def here(self) -> Steps:
        head = self.values
        gone = self.chart, self.ridges, self.side, self.bars, self.dot
        yield [FadeOut(part, run_time=0.6) for part in gone]
        yield FadeIn(self.grid, run_time=0.6)
        cell = self.grid.frame(self.grid.cell(head.last, head.last))
        yield FadeIn(self.own, run_time=0.8), Create(cell, run_time=0.8)
        bound = float(np.abs(head.scores).max()) or 1.0
        yield self.grid.to(self["scores"], low=-bound, high=bound, run_time=0.4 * self.reading)
        yield become(self.formula, self.whole, run_time=1.2)
        yield FadeOut(self.own, run_time=0.5), FadeOut(cell, run_time=0.5)
