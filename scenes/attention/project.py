"""The rows of a text times three matrices: queries, keys and values."""

from __future__ import annotations

from typing import Any

import numpy as np

from clockhead.scenes.attention.inputs import ExampleStage
from clockhead.scenes.attention.page import COMPUTED, GIVEN, MOST_NUMBER, UNDER, Page, rows_of
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_moves import slide_cells
from clockhead.scenes.parts.product import Product
from clockhead.scenes.stage import CAPTION, Column, Steps, beat, fit
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.text import Paragraph
from clockhead.scenes.style.theme import Role

_PURPOSES: dict[Role, str] = {
    "query": "queries $Q$: what a token asks for",
    "key": "keys $K$: what it is found by",
    "value": "values $V$: what it hands over",
}
_TENTHS, _FINE = GIVEN[:2], COMPUTED[:4]
"""How numbers are written: rather not at all than as whole numbers, which most would be 0."""
_LINE, _WORDS = 34.0, 26.0
"""The sizes of the numbers that are added up, and of what the three are for, in pixels."""


class Project(ExampleStage):
    """The rows of a text times three matrices: queries, keys and values."""

    title = "Ask, be found, hand over"
    question = "How does {asker} say what it is looking for?"
    caption = "Three new rows for each token, all of them made from its own row alone."
    opens = ("x",)
    leaves = ("queries", "keys", "handed")

    def layout(self) -> None:
        page, head = Page(self), self.values
        self.homes = page.queries, page.keys, page.values
        self.x = rows_of(self, "resid_pre", spec=_TENTHS)
        self.x.place_cells(page.x)
        self.queries = rows_of(self, "queries", "query", spec=_FINE)
        self.keys = rows_of(self, "keys", "key", spec=_FINE)
        self.handed = rows_of(self, "values", "value", spec=_FINE)
        self.asking = self._product("w_q", self.queries, "query", "Q")
        self.finding = self._product("w_k", self.keys, "key", "K")
        self.handing = self._product("w_v", self.handed, "value", "V")
        self.sum = self.asking.line(
            head.last, head.entry_column, spec=".6g", out_spec=".8g", plain=True, size=_LINE
        )
        fit(page.canvas, *(Column(way, self.sum) for way in self.asking.ways))
        fit(page.aside, *self.finding.ways)
        assert self.finding.plan is not None
        self.handing.stand(self.finding.plan)
        self.products = self.asking, self.finding, self.handing
        for product in self.products:
            product.empty()
        self.purposes = self._purposes(page)

    def _product(self, weights: str, out: Matrix, role: Role, sign: str) -> Product:
        """The rows times a matrix of weights."""
        signs = "residual(X)", f"{role}(W_{sign})", f"{role}({sign})"
        look: dict[str, Any] = {"spec": _TENTHS, "most_number": MOST_NUMBER}
        roles: tuple[Role, Role, Role] = ("residual", role, role)
        return Product(self.x, self[weights], out, roles=roles, signs=signs, **look)

    def _purposes(self, page: Page) -> list[Paragraph]:
        """What each of the three is for: each under its rows if that is the way of the page."""
        is_under = page.aside.top < self.homes[-1].bottom and not page.canvas.wide
        room = page.canvas if is_under else page.aside
        said = [
            Paragraph(text, width=room.width, size=_WORDS, color=self.theme.text_color(role))
            for role, text in _PURPOSES.items()
        ]
        for k, words in enumerate(said):
            middle = room.point(0.0, (2.5 - k) / 3)
            if is_under:
                home = self.homes[k]
                middle = np.array([home.left, home.bottom - UNDER / 2, 0.0])
            words.shift(middle - np.array([words.get_left()[0], words.get_center()[1], 0.0]))
        return said

    @beat("Its row times a matrix $W_Q$ is its query: what it asks for.")
    def come(self) -> Steps:
        yield self.asking.come(run_time=0.6 * self.reading)
        self.add(self.asking)

    @beat(
        "A row meets a column of $W_Q$: number times number, all added up. A 0 adds nothing.",
        ask="Where does one number of it come from?",
    )
    def entry(self) -> Steps:
        head = self.values
        yield self.asking.meet(head.last, head.entry_column)
        yield self.asking.multiply(self.sum, run_time=max(self.reading, len(self.sum.pairs)))

    @beat("So every row meets every column, and each token has its query.")
    def fill(self) -> Steps:
        yield self.asking.fill(run_time=0.8 * self.reading)
        yield self.asking.let_go(run_time=0.4)

    def _stay(self, done: Product, *coming: Any) -> Steps:
        """What a product gives goes to where it stays; all else of it goes, but for the rows."""
        gone: list[Any] = [done.right, done.signs, done.operators]
        gone += [self.sum] if done is self.asking else []
        gone += [] if coming else [self.x]
        self.add(done.out, self.x, *gone)
        self.remove(done)
        home = self.homes[self.products.index(done)]
        yield (
            *(FadeOut(part, run_time=0.6) for part in gone if len(part)),
            slide_cells(done.out, home, words=True, run_time=1.2),
            *coming,
        )

    def _go_on(self, done: Product, coming: Product) -> Steps:
        """The rows go on to the next product, which is made."""
        yield from self._stay(done, *coming.come(run_time=1.2))
        self.add(coming)
        yield coming.fill(run_time=1.5)
        yield coming.let_go(run_time=0.4)

    @beat("The same rows times $W_K$ are the keys: what a token is found by.")
    def key(self) -> Steps:
        yield from self._go_on(self.asking, self.finding)

    @beat("And times $W_V$ they are the values: what it hands over.")
    def value(self) -> Steps:
        yield from self._go_on(self.finding, self.handing)

    @beat(CAPTION)
    def three(self) -> Steps:
        yield from self._stay(self.handing)
        for words in self.purposes:
            yield FadeIn(words, run_time=0.6)
