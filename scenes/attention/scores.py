"""The query of the last token meets every key, and then every query does: dot products."""

from __future__ import annotations

from typing import Any

from manim import Create

from clockhead.model.attention.worked_head import WorkedHead
from clockhead.scenes.attention.inputs import ExampleStage, said
from clockhead.scenes.attention.page import COMPUTED, MOST_NUMBER, Page, grid_of, rows_of
from clockhead.scenes.parts.matrix_moves import slide_cells
from clockhead.scenes.parts.matrix_turn import turn_into
from clockhead.scenes.parts.product import Product
from clockhead.scenes.parts.product_sum import PairSum
from clockhead.scenes.spelling import listed
from clockhead.scenes.stage import CAPTION, Column, Derived, Steps, beat, fit
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeOut
from clockhead.scenes.style.theme import Role

_SIGNS = ("query(Q)", "key(K)^top", "attention(Q) attention(K)^top")
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
    return "The largest dot product says it: {best}."


class Scores(ExampleStage):
    """Queries meet keys in dot products."""

    title = "A query meets every key"
    question = "How well does the query of {asker} fit each key?"
    caption = (
        "Above 0, query and key point more or less the same way; below 0, away from each other."
    )
    opens = ("queries", "keys")
    leaves = ("grid",)
    derived = ExampleStage.derived | {
        "first_key": Derived("the first token", lambda head: said(head, 0)),
        "best": Derived("whose keys the query of the last token fits best", _best),
        "n_dots": Derived("how many dot products", lambda head: head.dots.size),
    }

    def layout(self) -> None:
        page = Page(self)
        self.queries = rows_of(self, "queries", "query")
        self.keys = rows_of(self, "keys", "key")
        self.queries.place_cells(page.queries)
        self.keys.place_cells(page.keys)
        self.home = page.grid
        if not self._stand_at_corner(page.canvas):
            lines = self._make()
            ways = [(line, Column(way, line)) for line in lines for way in self.product.ways]
            self.line = ways[fit(page.canvas, *(way for _, way in ways))][0]
        self.product.add(self.line)
        self.product.empty()

    def _make(self) -> list[PairSum]:
        """The product, and two ways to write out its last row times its first column."""
        self.grid = grid_of(self, "dots")
        matrices = self.queries, self["keys"], self.grid
        look: dict[str, Any] = {"spec": COMPUTED, "lying": True, "most_number": MOST_NUMBER}
        roles: tuple[Role, Role, Role] = ("query", "key", "attention")
        columns = self["tokens"]
        self.product = Product(*matrices, roles=roles, signs=_SIGNS, columns=columns, **look)
        last, product = self.values.last, self.product
        lines = [product.line(last, 0, spec=each, out_spec=total) for each, total in _DIGITS]
        product.remove(*lines)
        return lines

    def _stand_at_corner(self, canvas: Region) -> bool:
        """Lay the product at a corner, in the room of which the sum stands if it can be read."""
        lines, way = self._make(), self.product.ways[0]
        way.place(canvas)
        self.line = lines[fit(self.product.corner, *lines)]
        pairs = (way, canvas), (self.line, self.product.corner)
        return all(
            box.least.width <= room.width and box.least.height <= room.height for box, room in pairs
        )

    @beat("The keys turn, so that each of them stands over a column of its own.")
    def turn(self) -> Steps:
        lying = self.product.right
        come = self.product.come(but=lying, run_time=2.0)
        yield *come, turn_into(self.keys, lying, run_time=0.7 * self.reading)
        self.remove(self.keys)
        self.add(self.product)

    @beat("Pair by pair, multiply; then add: this is how well the key of {first_key} fits.")
    def dot(self) -> Steps:
        yield self.product.meet(self.values.last, 0)
        yield self.product.multiply(self.line, run_time=max(self.reading, 6.0))

    @beat(_fits, ask="Which key fits the query of {asker} best?")
    def row(self) -> Steps:
        last = self.values.last
        yield FadeOut(self.line, run_time=0.4)
        self.product.remove(self.line)
        yield self.product.fill_row(last, run_time=max(1.6, 0.6 * self.reading))
        cells = [self.grid.cell(last, n) for n in self.values.best_keys.tolist()]
        self.marks = [self.grid.frame(cell, "token") for cell in cells]
        yield [Create(mark) for mark in self.marks]

    @beat("Every token asks every key: {n_dots} dot products.")
    def all_(self) -> Steps:
        yield [FadeOut(mark) for mark in self.marks]
        yield self.product.fill(run_time=0.8 * self.reading)

    @beat(CAPTION)
    def there(self) -> Steps:
        yield FadeOut(self.product.rest, run_time=0.8)
        self.remove(self.product)
        self.add(self.grid)
        yield slide_cells(self.grid, self.home, words=True, run_time=2.4)
