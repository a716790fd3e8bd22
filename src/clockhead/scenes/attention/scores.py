"""The query of the last token meets every key, and then every query does: dot products."""

from __future__ import annotations

from typing import Any

from manim import Create, FadeOut

from clockhead.model.worked_head import WorkedHead
from clockhead.scenes.attention.inputs import ExampleStage, said
from clockhead.scenes.attention.page import COMPUTED, MOST_NUMBER, Page, grid_of, rows_of
from clockhead.scenes.parts.product import Product
from clockhead.scenes.parts.product_sum import PairSum
from clockhead.scenes.spelling import listed
from clockhead.scenes.stage import CAPTION, Column, Derived, Steps, beat, fit
from clockhead.scenes.stage.layout import Box, Layers
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.theme import Role

_SIGNS = ("query(Q)", "key(K)^top", "attention(Q) attention(K)^top")
_DIGITS = (".7g", ".3g")
"""How numbers are written in the sum: to the last digit of what is given with two decimals."""


def _named(head: WorkedHead) -> str:
    """What these keys are called in a sentence."""
    best = head.best_keys.tolist()
    if best == [head.last]:
        return "its own key"
    keys = "the key of" if len(best) == 1 else "the keys of"
    return f"{keys} {listed(said(head, n) for n in best)}"


def _side(head: WorkedHead) -> str:
    dot = head.dots[head.last, 1]
    if abs(dot) <= head.rounding[1]:
        return "The key of {second_key}: its dot product is 0, so it says nothing to this query."
    if dot > 0:
        return "The key of {second_key}: above 0, so it points the query's way, more or less."
    return "The key of {second_key}: below 0, so it points away from the query."


def _found(head: WorkedHead) -> str:
    dots, best = head.dots[head.last], head.best_keys
    if len(best) == head.n_tokens:
        return "All of them fit it alike: every dot product is the same."
    how = "best" if dots.max() > 0 else "least badly"
    fit_ = "fits" if len(best) == 1 else "fit"
    named = _named(head)
    return f"{named[0].upper()}{named[1:]} {fit_} {how}."


def _lacks(box: Box, region: Region) -> bool:
    """Whether a region is too small for a box."""
    return box.least.width > region.width or box.least.height > region.height


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
        "second_key": Derived("the second token", lambda head: said(head, 1)),
        "best": Derived("whose keys the query of the last token fits best", _named),
        "n_dots": Derived("how many dot products", lambda head: head.dots.size),
    }

    def layout(self) -> None:
        page = Page(self)
        self.queries = rows_of(self, "queries", "query")
        self.keys = rows_of(self, "keys", "key")
        self.queries.place_cells(page.queries)
        self.keys.place_cells(page.keys)
        self.home = page.grid
        self._make(_DIGITS[0])
        tries = [(digits, k) for digits in _DIGITS for k in range(len(self.product.ways))]
        if not any(self._stand(*way, page.canvas) for way in tries):
            self._make(_DIGITS[-1])
            fit(page.canvas, Column(self.product, self.sums))
        self.product.empty()

    def _make(self, digits: str) -> None:
        """The product, its last row times its first column as a sum, and its cells."""
        self.grid = grid_of(self, "dots")
        matrices = self.queries, self["keys"], self.grid
        look: dict[str, Any] = {"spec": COMPUTED, "lying": True, "most_number": MOST_NUMBER}
        roles: tuple[Role, Role, Role] = ("query", "key", "attention")
        tokens = self["tokens"]
        self.product = Product(*matrices, roles=roles, signs=_SIGNS, columns=tokens, **look)
        self.line, self.second = (self._sum(digits, key) for key in (0, 1))
        self.sums = Layers(*sorted((self.line, self.second), key=lambda s: -s.least.height))

    def _sum(self, digits: str, key: int) -> PairSum:
        """The dot product of the last query and a key, written out."""
        total = ".10g" if digits == _DIGITS[0] else ".6g"
        return self.product.line(self.values.last, key, spec=digits, out_spec=total)

    def _stand(self, digits: str, k: int, canvas: Region) -> bool:
        """Lay the product in one of its ways, if the sum can be read as well.

        At a corner that stands in the room left free, else below.
        """
        self._make(digits)
        way = self.product.ways[k]
        at_corner = way.shape == "corner"
        box = way if at_corner else Column(way, self.sums)
        if _lacks(box, canvas):
            return False
        box.place(canvas)
        if at_corner:
            self.sums.place(self.product.corner)
        return not (at_corner and _lacks(self.sums, self.product.corner))

    @beat("The keys turn, so that each of them stands over a column of its own.")
    def turn(self) -> Steps:
        lying = self.product.right
        moves: list[Any] = self.product.come(run_time=2.0)
        come = [move for move in moves if move.mobject is not lying]
        yield *come, self.keys.turn_into(lying, run_time=0.7 * self.reading)
        self.remove(self.keys)
        self.add(self.product)

    @beat("Pair by pair, multiply; then add: this is how well the key of {first_key} fits.")
    def dot(self) -> Steps:
        yield self.product.meet(self.values.last, 0)
        yield self.product.multiply(self.line, run_time=max(self.reading, 5.0))

    @beat(_side)
    def side(self) -> Steps:
        yield FadeOut(self.line, run_time=0.4)
        self.product.remove(self.line)
        yield self.product.meet(self.values.last, 1, run_time=0.8)
        yield self.product.multiply(self.second, run_time=4.0)

    @beat(_found, ask="Which key fits the query of {asker} best?")
    def row(self) -> Steps:
        last = self.values.last
        yield FadeOut(self.second, run_time=0.4)
        self.product.remove(self.second)
        yield self.product.fill_row(last, run_time=1.6)
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
        yield self.grid.slide_cells_to(self.home, words=True, run_time=2.4)
