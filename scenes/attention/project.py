"""A text's embeddings times W_Q, W_K and W_V: queries, keys and values."""

from __future__ import annotations

from typing import Any

from manim import Create

from clockhead.scenes.attention.desk import Desk, rows_of
from clockhead.scenes.attention.inputs import ExampleStage
from clockhead.scenes.parts.product import Product
from clockhead.scenes.stage import CAPTION, REST, Steps, beat, fit
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.theme import Role

_LINE = 42.0
"""Size of the numbers in the sum, in pixels at 720p."""
_MADE: dict[str, tuple[str, Role]] = {
    "q": ("queries", "query"),
    "k": ("keys", "key"),
    "v": ("values", "value"),
}
"""The product with each weight matrix: its fact path and its colour role."""


class Project(ExampleStage):
    """A text's embeddings times three weight matrices: queries, keys and values."""

    title = "Queries, keys and values"
    caption = (
        "And times $W_V$ they are the values. Three new rows for each word, made from its own."
    )
    opens = ("formula", "x")
    leaves = ("formula",)

    def layout(self) -> None:
        self.desk, head = Desk(self, root=False), self.values
        self.formula = self.desk.formula
        self.x = rows_of(self, "resid_pre", most_number=46.0)
        large = rows_of(self, "resid_pre", most_cell=1.9)
        large.place(self.desk.below)
        self.x.place_cells(large.lattice.region)
        self.products = [self._product(letter) for letter in "qkv"]
        self.asking, *_ = self.products
        self.sum = self.asking.line(
            head.last, head.entry_column, spec=".6g", out_spec=".8g", size=_LINE
        )
        fit(self.room, self.sum)

    def _product(self, letter: str) -> Product:
        """The product of the embeddings and a weight matrix, placed on the page."""
        path, role = _MADE[letter]
        product = Product(
            self.x,
            rows_of(self, f"w_{letter}", role, named=False),
            rows_of(self, path, role),
            roles=("residual", role, role),
        )
        self.room = self.desk.place_product(product, "X", f"W_{letter.upper()}")
        return product.empty()

    @beat(
        "Now another text: each word is a row of {d_model} numbers. As in a trained model, we "
        "cannot say what they mean, but we can check every step."
    )
    def rows(self) -> Steps:
        frame = self.x.frame_row(0)
        yield Create(frame, run_time=0.5)
        rest = [self.x.row(k) for k in range(1, self.values.n_tokens)]
        yield frame.trace(*rest, run_time=0.5 * self.reading)
        yield FadeOut(frame, run_time=0.4)

    @beat("These rows, the matrix $X$, times a matrix $W_Q$ are the queries. How?", rest=REST)
    def come(self) -> Steps:
        rows, *rest = self.asking.come(run_time=0.3 * self.reading)
        yield rows
        yield rest
        self.add(self.asking)

    @beat("A row meets a column: multiply number by number, and add.")
    def entry(self) -> Steps:
        yield self.asking.meet(self.values.last, self.values.entry_column)
        time = max(0.6 * self.reading, 1.2 * len(self.sum.pairs))
        yield self.asking.multiply(self.sum, run_time=time)

    @beat("So every row meets every column, and each word has its query.")
    def fill(self) -> Steps:
        yield self.asking.fill(run_time=0.7 * self.reading)
        yield from self._put_away(0)

    @beat("The same rows times $W_K$ are the keys.")
    def key(self) -> Steps:
        yield from self._make(1)

    @beat(CAPTION)
    def value(self) -> Steps:
        yield from self._make(2)

    def _make(self, k: int) -> Steps:
        """Fade in the next weight matrix, multiply, and put the product away."""
        product = self.products[k]
        product.waiting = []
        yield [FadeIn(part, run_time=0.8) for part in (product.right, product.out, product.signs)]
        self.add(product)
        yield product.fill(run_time=3.0)
        yield from self._put_away(k)

    def _put_away(self, k: int) -> Steps:
        """Shrink a product into its letter; the embeddings stay."""
        product = self.products[k]
        yield product.let_go(run_time=0.3)
        gone: list[Any] = [product.right, product.signs]
        gone += [self.sum] if k == 0 else []
        self.remove(product)
        self.add(self.x, product.out, *gone)
        yield [FadeOut(part, run_time=0.5) for part in gone]
        yield self.desk.put_away(product.out, ("query", "key", "value")[k])
        self.remove(product.out)
