"""Dot products of the last token's query with every key, and then of all queries."""

from __future__ import annotations

from typing import Any

from manim import Create

from clockhead.model.attention.worked_head import WorkedHead
from clockhead.scenes.attention.desk import COMPUTED, Desk, grid_of, rows_of
from clockhead.scenes.attention.inputs import ExampleStage, quoted_token
from clockhead.scenes.parts.matrix_moves import slide_cells, turn_into
from clockhead.scenes.parts.product import Product
from clockhead.scenes.spelling import listed
from clockhead.scenes.stage import CAPTION, REST, Derived, Steps, beat, fit
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeIn, FadeOut

_SUM = 38.0
"""Size of the numbers in the sum, in pixels at 720p."""
_DIGITS = ((".7g", ".10g"), (".3g", ".6g"))
"""Formats of the factors and of the sum: exact for inputs with two decimals, and shorter ones."""


def _best_key_names(head: WorkedHead) -> str:
    """The best keys, as a sentence names them."""
    best = head.best_keys.tolist()
    if best == [head.last]:
        return "its own key"
    keys = "the key of" if len(best) == 1 else "the keys of"
    return f"{keys} {listed(quoted_token(head, n) for n in best)}"


def _best_keys_sentence(head: WorkedHead) -> str:
    if len(head.best_keys) == head.n_tokens:
        return "None: with each of them the dot product is the same."
    return "It is {best}: the largest dot product."


class Scores(ExampleStage):
    """The dot product of every query with every key."""

    title = "A query meets every key"
    caption = (
        "Above 0, query and key point more or less the same way; below 0, away from each other."
    )
    opens = ("formula",)
    leaves = ("formula", "grid")
    derived = ExampleStage.derived | {
        "first_key": Derived("the first token", lambda head: quoted_token(head, 0)),
        "best": Derived("the keys that fit the last token's query best", _best_key_names),
        "n_dots": Derived("number of dot products", lambda head: head.dots.size),
    }

    def layout(self) -> None:
        self.desk = desk = Desk(self, "query", "key", "turned", "value", root=False)
        self.formula = desk.formula
        self.queries, self.grid = rows_of(self, "queries", "query"), grid_of(self, "dots")
        self.standing = rows_of(self, "keys", "key")
        look: dict[str, Any] = {"spec": COMPUTED, "lying": True, "most_number": 36.0}
        self.product = Product(
            self.queries,
            self["keys"],
            self.grid,
            roles=("query", "key", "score"),
            columns=self["tokens"],
            **look,
        )
        room = desk.place_product(self.product, "Q", "K^top")
        last = self.values.last
        lines = [self.product.line(last, 0, spec=a, out_spec=b, size=_SUM) for a, b in _DIGITS]
        self.line = lines[fit(room, *lines)]
        self.product.remove(*lines)
        self.product.add(self.line)
        self.product.empty()
        self.places = self.queries.lattice.region, self._keys_region(room)
        self.standing.place_cells(self.places[1])
        desk.put_away_now(self.queries, "query")
        desk.put_away_now(self.standing, "key")

    def _keys_region(self, room: Region) -> Region:
        """The keys' region before they turn: above the queries, or where the table will be."""
        queries, table = self.queries.lattice.region, self.grid.lattice.region
        if self.product.plan is not None and self.product.plan.shape == "tower":
            return Region(table.left, table.bottom, queries.right, table.top)
        middle, high = room.center[1], min(room.height, queries.height)
        return Region(queries.left, middle - high / 2, queries.right, middle + high / 2)

    @beat(
        "Back come the queries and the keys. The keys turn: each stands over a column of a table."
    )
    def turn(self) -> Steps:
        both = list(zip((self.queries, self.standing), self.places, strict=True))
        yield [slide_cells(matrix, cells, words=False, run_time=1.2) for matrix, cells in both]
        for matrix, _ in both:
            matrix.words_to(1.0)
        parts = self.product.out, self.product.signs
        yield turn_into(
            self.standing,
            self.product.right,
            each=1 / self.values.n_tokens,
            run_time=0.5 * self.reading,
        )
        self.remove(self.standing)
        yield [FadeIn(part, run_time=0.6) for part in parts]
        self.product.waiting = []
        self.add(self.product)

    @beat(
        "Pair by pair, multiply; then add. This dot product says how well the key of {first_key} "
        "fits the query of {asker}."
    )
    def dot(self) -> Steps:
        yield self.product.meet(self.values.last, 0)
        yield self.product.multiply(self.line, run_time=max(self.reading, 6.0))

    @beat(_best_keys_sentence, ask="Which key fits the query of {asker} best?", rest=REST)
    def row(self) -> Steps:
        last = self.values.last
        yield FadeOut(self.line, run_time=0.4)
        self.product.remove(self.line)
        yield self.product.fill_row(last, run_time=max(1.6, 0.6 * self.reading))
        yield self.product.let_go(run_time=0.3)
        cells = [self.grid.cell(last, n) for n in self.values.best_keys.tolist()]
        self.marks = [self.grid.frame(cell, "token") for cell in cells]
        yield [Create(mark) for mark in self.marks]

    @beat("Every word asks every key: {n_dots} dot products.")
    def all_(self) -> Steps:
        yield [FadeOut(mark) for mark in self.marks]
        yield self.product.fill(run_time=0.8 * self.reading)

    @beat(CAPTION)
    def there(self) -> Steps:
        gone = self.product.right, self.product.signs, self.product.frames, self.queries
        self.remove(self.product)
        self.add(self.grid, *gone)
        yield [FadeOut(part, run_time=0.8) for part in gone]
        home = grid_of(self, "dots")
        self.desk.place_grids(home)
        yield slide_cells(
            self.grid, home.lattice.region, size=self.desk.words, words=True, run_time=1.6
        )
