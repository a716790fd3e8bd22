"""The nine tables of the primer's first example, three at a time, with their wrong numbers."""

from __future__ import annotations

from manim import VGroup

from clockhead.model.films.errata.tables import PrintedExample, printed_example
from clockhead.scenes.errata.sheets import Sheet
from clockhead.scenes.stage import CAPTION, REST, Column, Row, Stage, Steps, beat, fit
from clockhead.scenes.style.motion import FadeIn, FadeOut, together
from clockhead.scenes.style.theme import Role

_GAP = 0.45
_PAGES: tuple[tuple[tuple[str, str, Role], ...], ...] = (
    (("queries", "$Q$", "query"), ("keys", "$K$", "key"), ("values", "$V$", "value")),
    (
        ("dots", "$Q K^top$", "score"),
        ("scores", "$Q K^top \\/ sqrt(d)$", "score"),
        ("pattern", "weights", "attention"),
    ),
    (
        ("z", "output", "value"),
        ("last_row", "last row", "residual"),
        ("likely", "mat, floor, on", "probability"),
    ),
)
"""Fact path, name and colour of each table, by page."""


class Tables(Stage[PrintedExample]):
    """The tables from embeddings to predictions, as printed and as they should be."""

    title = "Where does it begin?"
    caption = "Of {n_numbers} printed numbers, {n_right} are right to the last digit."
    opens = ("first",)

    compute = printed_example

    def layout(self) -> None:
        self.pages = []
        for page in _PAGES:
            sheets = [Sheet(self, path, name, role) for path, name, role in page]
            below = Column(*sheets, gap=_GAP)
            wide = Row(*sheets, gap=_GAP)
            if page is _PAGES[-1]:
                wide = Row(sheets[0], Column(*sheets[1:], gap=_GAP), gap=_GAP)
            fit(self.canvas, *((wide, below) if self.canvas.wide else (below, wide)))
            self.pages.append(sheets)
        self.first = VGroup(*self.pages[0])

    @beat(
        "Of {n_words} words, the rows of {n_known} are given, and three matrices. "
        "They make queries, keys and values."
    )
    def given(self) -> Steps:
        yield 0.5 * self.reading

    @beat(
        "{queries.n_wrong} numbers of the queries are off, {keys.n_wrong} of the keys, "
        "and none of the values.",
        rest=REST,
    )
    def slips(self) -> Steps:
        yield from self._mark(0)

    @beat(
        "But every score adds up a whole query and a whole key. Of these {n_square} numbers, "
        "{n_square_wrong} are off.",
        rest=REST,
    )
    def spread(self) -> Steps:
        yield self.screen(*self.pages[1])
        yield from self._mark(1)

    @beat("So what comes out at the end is off as well.", rest=REST)
    def out(self) -> Steps:
        yield self.screen(*self.pages[2])
        yield from self._mark(2)

    @beat(CAPTION)
    def end(self) -> Steps:
        yield FadeOut(*(sheet.count for sheet in self.pages[2]), run_time=0.5)
        yield together(*(sheet.correct() for sheet in self.pages[2]))

    def _mark(self, page: int) -> Steps:
        """Mark and count the wrong numbers, table by table."""
        for sheet in self.pages[page]:
            yield FadeIn(sheet.marks, sheet.count, run_time=0.22 * self.reading)
