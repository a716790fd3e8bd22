"""The query of the last token meets every key, and then every query does: dot products."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create

from clockhead.model.attention.worked_head import WorkedHead
from clockhead.scenes.attention.inputs import ExampleStage, said
from clockhead.scenes.attention.page import COMPUTED, MOST_NUMBER, Page, grid_of, rows_of
from clockhead.scenes.parts.matrix_moves import slide_cells, turn_into
from clockhead.scenes.parts.product import Product
from clockhead.scenes.parts.product_layout import ProductPlan
from clockhead.scenes.parts.table import rows
from clockhead.scenes.spelling import listed
from clockhead.scenes.stage import CAPTION, REST, Column, Derived, Size, Steps, Value, beat, fit
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.theme import Role
from clockhead.scenes.style.type import LABEL

_SUM, _APART, _SIGN = 34.0, 0.25, 0.75
"""The size of the numbers that are added up, in pixels; between the tables, and for a sign, in
units."""
_CELLS: dict[str, Any] = {"least_cell": Size(0.5, 0.24), "most_cell": 1.35, "aspect": (0.2, 0.6)}
_DIGITS = ((".7g", ".10g"), (".3g", ".6g"))
"""How numbers are written in the sum: to the last digit of what is given with two decimals."""


def _best(head: WorkedHead) -> str:
    """What the keys that fit best are called in a sentence."""
    best = head.best_keys.tolist()
    if best == [head.last]:
        return "its own key"
    keys = "the key of" if len(best) == 1 else "the keys of"
    return f"{keys} {listed(said(head, n) for n in best)}"


def _fits(head: WorkedHead) -> str:
    if len(head.best_keys) == head.n_tokens:
        return "None: with each of them the dot product is the same."
    return "It is {best}: the largest dot product."


class Scores(ExampleStage):
    """Queries meet keys in dot products."""

    title = "A query meets every key"
    caption = (
        "Above 0, query and key point more or less the same way; below 0, away from each other."
    )
    opens = ("x", "queries", "keys", "handed", "signs")
    leaves = (*opens, "grid")
    derived = ExampleStage.derived | {
        "first_key": Derived("the first token", lambda head: said(head, 0)),
        "best": Derived("whose keys the query of the last token fits best", _best),
        "n_dots": Derived("how many dot products", lambda head: head.dots.size),
    }

    def layout(self) -> None:
        page = Page(self)
        self.x, self.queries, self.keys, self.handed = page.blocks(self)
        self.turning = rows_of(self, "keys", "key")
        self.turning.place_cells(page.keys)
        self.signs, self.home = page.signs(), page.grid
        self.grid = grid_of(self, "dots")
        matrices, tokens = (self.queries, self["keys"], self.grid), self["tokens"]
        look: dict[str, Any] = {"spec": COMPUTED, "lying": True, "most_number": MOST_NUMBER}
        roles: tuple[Role, Role, Role] = ("query", "key", "score")
        self.product = Product(*matrices, roles=roles, columns=tokens, **look)
        self._stand(page)
        self.product.empty()

    def _stand(self, page: Page) -> None:
        """The turned keys over the table, and under them the sum."""
        head, product = self.values, self.product
        n, d = head.n_tokens, head.d_model
        tall = self["dots"].array[:1].repeat(d + n, axis=0)
        model = rows(Value("", tall), None, columns=self["tokens"], **_CELLS)
        lines = [product.line(head.last, 0, spec=a, out_spec=b, size=_SUM) for a, b in _DIGITS]
        work = page.work
        room = Region(work.left, work.bottom, work.right - _SIGN, work.top)
        self.line = lines[fit(room, *(Column(model, line, gap=_APART) for line in lines))]
        product.remove(*lines)
        cells, nowhere = model.lattice.region, np.zeros(3)
        lower, upper = cells.cut_bottom(cells.height * n / (d + n), gap=_APART)
        corner = Region(cells.left, cells.top, cells.left, cells.top)
        plan = (page.queries, upper, lower), (nowhere, nowhere, nowhere), corner, LABEL
        product.stand(ProductPlan("corner", *plan))
        product.signs.add(page.sign("K^top", "key", upper))
        product.add(self.line)

    @beat("The keys turn: each of them now stands over its own column of a table.")
    def turn(self) -> Steps:
        lying = self.product.right
        parts = self.product.out, self.product.signs
        self.add(self.turning)
        turned = turn_into(self.turning, lying, run_time=0.7 * self.reading)
        yield *turned, *(FadeIn(part, run_time=2.0) for part in parts)
        self.remove(self.turning)
        self.product.waiting = []
        self.add(self.product)

    @beat(
        "Pair by pair, multiply; then add. This dot product says how well the key of {first_key} "
        "fits the query of {asker}."
    )
    def dot(self) -> Steps:
        yield self.product.meet(self.values.last, 0)
        yield self.product.multiply(self.line, run_time=max(self.reading, 6.0))

    @beat(_fits, ask="Which key fits the query of {asker} best?", rest=REST)
    def row(self) -> Steps:
        last = self.values.last
        yield FadeOut(self.line, run_time=0.4)
        self.product.remove(self.line)
        yield self.product.fill_row(last, run_time=max(1.6, 0.6 * self.reading))
        cells = [self.grid.cell(last, n) for n in self.values.best_keys.tolist()]
        self.marks = [self.grid.frame(cell, "token") for cell in cells]
        yield [Create(mark) for mark in self.marks]

    @beat("Every word asks every key: {n_dots} dot products.")
    def all_(self) -> Steps:
        yield [FadeOut(mark) for mark in self.marks]
        yield self.product.fill(run_time=0.8 * self.reading)

    @beat(CAPTION)
    def there(self) -> Steps:
        gone = self.product.right, self.product.signs, self.product.frames
        self.remove(self.product)
        self.add(self.queries, self.grid, *gone)
        yield [FadeOut(part, run_time=0.8) for part in gone]
        yield slide_cells(self.grid, self.home, words=True, run_time=1.6)
        yield self.look_at(self.grid)
        yield 0.6 * self.reading
        yield self.look_back()
