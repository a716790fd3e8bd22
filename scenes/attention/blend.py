"""Values are scaled by their attention weights and added up, and the sum is added to the row."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create, VGroup

from clockhead.scenes.attention.desk import (
    COMPUTED,
    GIVEN,
    SIGNS,
    Desk,
    formula_of,
    grid_of,
    move,
    rows_of,
)
from clockhead.scenes.attention.inputs import ExampleStage
from clockhead.scenes.attention.pour import Pour
from clockhead.scenes.parts.equation import become
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_moves import slide_cells
from clockhead.scenes.parts.product import Product
from clockhead.scenes.parts.table import bound_of
from clockhead.scenes.stage import CAPTION, REST, Steps, beat, fit
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.text import Formula, Label, text_width

_SUM, _LARGE, _LARGEST = 38.0, 46.0, 92.0
"""Sizes of the numbers in the sum, in the rows at the end, and of the last formula, in pixels."""
_DIGITS = ((".3g", ".4f"), (".2g", ".3f"))
"""Formats of the factors and of the sum: the usual ones, and shorter ones for narrow pages."""
_WIDE, _HIGH, _AIR = 2.0, 0.9, 0.35
"""Largest width and height of the cells of a single row, and the gap between rows, in units."""


class Blend(ExampleStage):
    """Values scaled by their attention weights fill one row, which is added to the last token's."""

    title = "Values, added up"
    caption = (
        "This is the whole formula of “Attention is all you need” (2017). Every sign of it has "
        "been worked out."
    )
    opens = ("formula", "grid")
    leaves = ("formula",)

    def layout(self) -> None:
        self.desk = desk = Desk(self, *SIGNS, root=True)
        self.formula, last = desk.formula, self.values.last
        self.grid = grid_of(self, "pattern")
        desk.place_grids(self.grid)
        self.home = grid_of(self, "pattern", columns=None)
        bound = bound_of(self["values"])
        look: dict[str, Any] = {"low": -bound, "high": bound}
        self.handed = rows_of(self, "values", "value", **look)
        self.blend = rows_of(self, "z", "value", named=False, **look)
        self.product = Product(
            self.home, self.handed, self.blend, roles=("attention", "value", "value")
        )
        room = desk.place_product(self.product, "", "V")
        sums = [
            self.product.line(last, self._column_to_compute(), spec=a, out_spec=b, size=_SUM)
            for a, b in _DIGITS
        ]
        self.line = sums[fit(room, *sums)]
        self.product.remove(*sums)
        self.product.empty()
        self.weights = self.home.lattice.region
        move(self.home, self.grid.lattice.region)
        self.places = self.handed.lattice.region
        desk.put_away_now(self.handed, "value")
        self._lay_rows(desk.below)
        self.whole = formula_of(*SIGNS, size=_LARGEST)
        self.whole.place(desk.canvas)

    def _column_to_compute(self) -> int:
        """The first column whose values differ clearly, so that the weights matter."""
        spread = np.ptp(self.values.values, axis=0)
        return int(np.argmax(spread > 0.5 * spread.max()))

    def _lay_rows(self, room: Region) -> None:
        """Place the last token's row, the head's output and their sum below each other."""
        last, bound = self.values.last, bound_of(self["resid_post"])
        look: dict[str, Any] = {"lying": True, "low": -bound, "high": bound, "most_number": _LARGE}
        self.own = Matrix(self["resid_pre"][last], role="residual", spec=GIVEN, **look)
        self.alone = Matrix(self["z"][last], role="value", spec=COMPUTED, **look)
        self.new = Matrix(self["resid_post"][last], role="residual", spec=COMPUTED, **look)
        word = text_width(self.values.tokens[last], _LARGE) + 0.3
        d = self.values.d_model
        wide = min(_WIDE, (room.width - word - 0.4) / d)
        high = min(_HIGH, (room.height - 2 * _AIR) / 3)
        left = room.center[0] + (word - d * wide) / 2
        top = room.center[1] + 1.5 * high + _AIR
        self.signs = VGroup()
        for k, (row, sign) in enumerate(((self.own, ""), (self.alone, "+"), (self.new, "="))):
            low = top - k * (high + _AIR) - high
            row.place_cells(Region(left, low, left + d * wide, low + high))
            if sign:
                self.signs.add(Formula(sign, size=_LARGE).move_to((left - 0.4, low + high / 2, 0)))
        self.called = Label(str(self["tokens"][last].content), size=_LARGE, align="right")
        self.called.put(np.array([left - 0.2, self.own.lattice.region.center[1] - 0.12, 0.0]))
        self.second = self.alone.lattice.region
        self.new.empty()

    @beat("Last come the values. Each word hands over its own, as much of it as its weight says.")
    def stand(self) -> Steps:
        self.remove(self.grid)
        self.add(self.home)
        yield slide_cells(self.home, self.weights, run_time=1.2)
        yield slide_cells(self.handed, self.places, words=False, run_time=1.2)
        self.handed.words_to(1.0)
        rest = self.product.out, self.product.signs
        yield [FadeIn(part, run_time=0.5) for part in rest]
        self.asks = self.home.frame_row(self.values.last, "query")
        yield Create(self.asks, run_time=0.5)

    @beat(
        "Each value shrinks to its share. The shares add up to 1, so together they fill one row.",
        rest=REST,
    )
    def shrink(self) -> Steps:
        last = self.values.last
        goal, out = self.blend.row(last), self["z"][last]
        self.pour = Pour(self.handed, self["last_weights"], out, goal)
        self.add(self.pour)
        yield self.pour.shrink(run_time=0.3 * self.reading)
        yield self.pour.stack(run_time=0.5 * self.reading)

    @beat("Column by column, weight times value is added up for {asker}.", rest=REST)
    def mix(self) -> Steps:
        last, product = self.values.last, self.product
        back = self.handed.fill_rows(run_time=1.0, labels=False)
        yield self.pour.mix(run_time=1.0), back, FadeOut(self.asks, run_time=0.5)
        product.waiting = []
        product.add(self.line)
        self.add(product)
        yield product.meet(last, self.line.spot[1])
        yield product.multiply(self.line, run_time=max(self.reading, 1.6 * len(self.line.pairs)))
        yield product.fill_row(last, run_time=1.6)
        self.remove(self.pour)

    @beat("In the same way every word gets a blend of its own.")
    def others(self) -> Steps:
        yield FadeOut(self.line, run_time=0.4)
        self.product.remove(self.line)
        yield self.product.fill(run_time=0.7 * self.reading)
        yield self.product.let_go()

    @beat(
        "No, that would wipe out the word itself. It is added.",
        ask="Does this blend replace the row of {asker}?",
    )
    def place_(self) -> Steps:
        last = self.values.last
        move(self.alone, self.blend.row(last))
        self.blend.empty(last)
        self.remove(self.product)
        gone = self.home, self.handed, self.blend, self.product.signs
        self.add(*gone, self.alone)
        yield [FadeOut(part, run_time=0.6) for part in gone]
        yield slide_cells(self.alone, self.second, run_time=1.0)
        yield FadeIn(self.own, self.called, self.signs[0], run_time=0.8)

    @beat(
        "So {asker} keeps its own row, and takes in what attention brought.", rest=REST, focus="new"
    )
    def add_(self) -> Steps:
        yield FadeIn(self.signs[1], run_time=0.4)
        when = np.linspace(0, 1, self.values.d_model)[None]
        self.add(self.new)
        yield self.new.fill(when, run_time=0.6 * self.reading)

    @beat(CAPTION, rest=2 * REST, focus="whole")
    def line_(self) -> Steps:
        rows = self.own, self.alone, self.new, self.signs, self.called
        yield [FadeOut(part, run_time=0.6) for part in rows]
        yield become(self.formula, self.whole, run_time=1.6)
        for name in ("query", "key", "root", "softmax", "value"):
            yield self.formula.pulse(name, run_time=0.7)
