"""The rows of a text times three matrices: queries, keys and values, one below the other."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create

from clockhead.scenes.attention.inputs import ExampleStage
from clockhead.scenes.attention.page import GIVEN, MOST_NUMBER, Page, rows_of
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.product import Product
from clockhead.scenes.parts.product_layout import ProductPlan
from clockhead.scenes.stage import CAPTION, Column, Room, Steps, beat, fit
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.theme import Role
from clockhead.scenes.style.type import LABEL

_LINE, _LARGE = 40.0, 44.0
"""The size of the numbers that are added up, and of those of X where it is large, in pixels."""
_SUM = 1.3
"""The height of the room for them, in units."""


class Project(ExampleStage):
    """The rows of a text times three matrices: queries, keys and values."""

    title = "Queries, keys and values"
    caption = "Queries, keys and values: three new rows for each word, all made from its own row."
    opens = ("x",)
    leaves = ("x", "queries", "keys", "handed", "signs")

    def layout(self) -> None:
        page, head = Page(self), self.values
        self.x = rows_of(self, "resid_pre", most_number=_LARGE)
        large = rows_of(self, "resid_pre", most_cell=1.9)
        large.place(page.canvas)
        self.x.place_cells(large.lattice.region)
        self.queries = rows_of(self, "queries", "query")
        self.keys = rows_of(self, "keys", "key")
        self.handed = rows_of(self, "values", "value")
        self.signs = page.signs()
        places = page.queries, page.keys, page.values
        outs = self.queries, self.keys, self.handed
        weights, room = Room(), Room()
        room.least = room.most = type(room.least)(3.0, _SUM)
        fit(page.work, Column(weights, room, gap=0.2))
        self.asking, self.finding, self.handing = self.products = [
            self._product(name, out, place, page, weights.region)
            for name, out, place in zip(("w_q", "w_k", "w_v"), outs, places, strict=True)
        ]
        self.sum = self.asking.line(
            head.last, head.entry_column, spec=".6g", out_spec=".8g", plain=True, size=_LINE
        )
        fit(room.region, self.sum)
        for product in self.products:
            product.empty()

    def _product(
        self, weights: str, out: Matrix, place: Region, page: Page, room: Region
    ) -> Product:
        """The rows times a matrix of weights, which stands in the room; the map has the others."""
        sign = weights[-1].upper()
        role: Role = {"Q": "query", "K": "key", "V": "value"}[sign]  # type: ignore[assignment]
        roles: tuple[Role, Role, Role] = ("residual", role, role)
        model = rows_of(self, weights, role, named=False, spec=GIVEN)
        model.place(Region(room.left, room.bottom, room.right - 0.9, room.top))
        look: dict[str, Any] = {"spec": GIVEN[:2], "most_number": MOST_NUMBER}
        product = Product(self.x, self[weights], out, roles=roles, signs=None, **look)
        cells, nowhere = model.lattice.region, np.zeros(3)
        corner = Region(room.left, room.top, room.left, room.top)
        plan = (page.x, cells, place), (nowhere, nowhere, nowhere), corner, LABEL
        product.stand(ProductPlan("tower", *plan))
        product.signs.add(page.sign(f"W_{sign}", role, cells))
        return product

    @beat(
        "Now another text, with all its numbers. Each word is a row of {d_model} of them, and "
        "together the rows are the matrix $X$."
    )
    def rows(self) -> Steps:
        frame = self.x.frame_row(0)
        yield Create(frame, run_time=0.5)
        rest = [self.x.row(k) for k in range(1, self.values.n_tokens)]
        yield frame.trace(*rest, run_time=0.6 * self.reading)
        yield FadeOut(frame, run_time=0.4)

    @beat(
        "A matrix $W_Q$ makes queries of them. Its numbers are learned from text; here we take "
        "them as given."
    )
    def come(self) -> Steps:
        yield *self.asking.come(run_time=1.6), FadeIn(self.signs[0], run_time=1.6)
        self.add(self.asking)

    @beat(
        "A row meets a column: multiply number by number, and add. A product with 0 adds nothing.",
        ask="Where does one number of a query come from?",
    )
    def entry(self) -> Steps:
        head = self.values
        yield self.asking.meet(head.last, head.entry_column)
        yield self.asking.multiply(self.sum, run_time=max(self.reading, len(self.sum.pairs)))

    @beat("So every row meets every column, and each word has its query.")
    def fill(self) -> Steps:
        yield self.asking.fill(run_time=0.8 * self.reading)

    @beat("The same rows times $W_K$ are the keys.")
    def key(self) -> Steps:
        yield from self._go_on(0, 1)

    @beat("And times $W_V$ they are the values.")
    def value(self) -> Steps:
        yield from self._go_on(1, 2)

    def _go_on(self, done: int, coming: int) -> Steps:
        """The rows stay, and so does what was made; the next matrix comes."""
        yield from self._leave(done)
        product = self.products[coming]
        product.waiting = []
        yield [FadeIn(part, run_time=0.8) for part in (product.right, product.out, product.signs)]
        self.add(product)
        yield product.fill(run_time=2.5)

    def _leave(self, done: int) -> Steps:
        product = self.products[done]
        yield product.let_go(run_time=0.4)
        gone: list[Any] = [product.right, product.signs]
        gone += [self.sum] if product is self.asking else []
        self.remove(product)
        self.add(self.x, product.out, *gone)
        yield (
            *(FadeOut(part, run_time=0.6) for part in gone),
            FadeIn(self.signs[done + 1], run_time=0.6),
        )

    @beat(CAPTION)
    def three(self) -> Steps:
        yield from self._leave(2)
        for block, sign in zip((self.queries, self.keys, self.handed), self.signs[1:], strict=True):
            yield self.look_at(block, sign, run_time=1.2)
            yield 0.5
        yield self.look_back()
