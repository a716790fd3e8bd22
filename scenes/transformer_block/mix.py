"""The outputs of the heads are concatenated, multiplied by W_O, and added to the rows."""

from __future__ import annotations

from typing import Any

from manim import Create, VGroup

from clockhead.model.primer.worked_block import WorkedBlock
from clockhead.scenes.parts.cell_outlines import CellFrame, walk
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_moves import slide_cells
from clockhead.scenes.parts.product import Product
from clockhead.scenes.parts.product_layout import Arrangement
from clockhead.scenes.parts.table import bound_of
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Column,
    Room,
    Row,
    Size,
    Steps,
    beat,
    fit,
    together,
)
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut, fly
from clockhead.scenes.style.text import Formula, text_width
from clockhead.scenes.style.theme import Role
from clockhead.scenes.transformer_block.heads import (
    HEAD_NAME,
    HeadNames,
    LaneGround,
    LanePlaces,
    blends_of,
    pattern_of,
)
from clockhead.scenes.transformer_block.inputs import BlockStage
from clockhead.scenes.transformer_block.page import NUMBERS, TapePage, add_copy, rows_of

_BAND = Size(0.0, 0.34)
"""Height of the names of heads above columns."""
_SIGN = 32.0
"""Size of the sign of W_O, in pixels."""
_LEAST_CELL = 0.27
"""Smallest side of a cell, in units."""
_NAME_GAP = 0.1
"""Gap between the names of two heads, in units."""
_SIGN_GAP = 0.16
"""Gap between the sign and the cells, in units."""


def _add_names(way: Arrangement, sign_width: float) -> Column:
    """An arrangement of the product with room for the names of the heads."""
    beside = Size(sign_width + 2 * _SIGN_GAP, 0.0)
    band, sign = Room(_BAND, _BAND), Room(beside, beside)
    if way.shape == "corner":
        return Column(way, band, gap=0.0)
    return Column(band, Row(sign, way, gap=0.0), gap=0.0)


def _why_sentence(block: WorkedBlock) -> str:
    if block.n_heads == 1:
        return "With a single head one could: $W_V$ could do the work of $W_O$ as well."
    return "Then head 0 could write into the first {d_head} columns, and into no others."


def _width_sentence(block: WorkedBlock) -> str:
    if block.n_heads == 1:
        return "The blend of the one head is as wide as a row: {d_model} numbers."
    return "Side by side, the blends of all heads are as wide as a row: {d_model} numbers."


def _slab_sentence(block: WorkedBlock) -> str:
    if block.n_heads == 1:
        return "A matrix $W_O$ comes in between all the same: this head has all its {d_head} rows."
    return "A matrix $W_O$ comes in between: each head has {d_head} of its rows, a slab."


def _write_sentence(block: WorkedBlock) -> str:
    if block.n_heads == 1:
        return "Through $W_O$ it can write into all {d_model} columns."
    return "Through its slab a head can write into all {d_model} columns. What heads write adds up."


class Mix(BlockStage):
    """The outputs of all heads, concatenated, times W_O, are added to the residual stream."""

    crosses = {"join": "tables are laid together, and their names pass each other"}
    title = "What the heads write"
    question = "How do {d_head} numbers of a head get into rows of {d_model}?"
    caption = "What attention writes is added to the row of each token."
    opens = ("x", "grounds", "patterns", "blends")
    leaves = ("x",)
    claims = (
        Claim(
            "every head can write into every column",
            lambda block: bool(block.slabs.any(axis=1).all()),
            "the rows of W_O that one head has hold a column of 0; give another seed",
        ),
    )

    def layout(self) -> None:
        page, block = TapePage(self), self.values
        self.x = page.tape("resid_pre")
        ways = LanePlaces(page.rest, block.n_heads, block.n_tokens, block.d_head)
        self.names = HeadNames(ways)
        self.grounds = VGroup(VGroup(*map(LaneGround, ways.lanes)), self.names)
        self.patterns = VGroup()
        for k, room in enumerate(ways.heads):
            pattern = pattern_of(self, k, room)
            pattern.place(room)
            self.patterns.add(pattern)
        self.blends = blends_of(self, ways)
        self._lay_product(page.rest)

    def _lay_product(self, room: Region) -> None:
        """Lay out the concatenated outputs, W_O and their product."""
        bound = bound_of(self["first.values"])
        self.joined = rows_of(self, "first.concat", "value", low=-bound, high=bound)
        self.weights = rows_of(self, "first.block.w_o", "value", named=False)
        self.out = rows_of(self, "first.attn_out")
        roles: tuple[Role, Role, Role] = ("value", "value", "residual")
        name = text_width(f"head {self.values.n_heads - 1}", HEAD_NAME) + _NAME_GAP
        look: dict[str, Any] = {"roles": roles, "spec": NUMBERS, "least_cell": _LEAST_CELL}
        look |= {"least_width": name / self.values.d_head}
        self.product = Product(self.joined, self.weights, self.out, **look)
        self.sign = Formula("times value(W_O)", size=_SIGN)
        width = float(self.sign.width)
        fit(room, *(_add_names(way, width) for way in self.product.ways if way.shape != "row"))
        self.out.empty()
        for matrix in (self.joined, self.out):
            matrix.words_to(0.0)
        cells = self.weights.lattice.region
        self.sign.move_to((cells.left - _SIGN_GAP - width / 2, cells.center[1], 0.0))

    def _columns(self, matrix: Matrix, k: int) -> Region:
        """The columns of head k."""
        width = self.values.d_head
        return matrix.block(0, k * width, matrix.n_rows, width)

    @beat(_width_sentence)
    def join(self) -> Steps:
        time, heads = 0.9 * self.reading, range(self.values.n_heads)
        tops = [self._columns(self.joined, k) for k in heads]
        blends: list[Any] = list(self.blends)
        self.remove(self.grounds)
        self.add(self.grounds[0], self.patterns, self.names, self.blends)
        yield (
            FadeOut(self.patterns, run_time=0.6 * time),
            FadeOut(self.grounds[0], run_time=time),
            *(slide_cells(blends[k], tops[k], run_time=time) for k in heads),
            *(
                fly(name, (top.center[0], top.top + _BAND.height / 2, 0.0), run_time=time)
                for name, top in zip(self.names, tops, strict=True)
            ),
        )
        self.remove(*self.blends, self.blends)
        self.add(self.joined)

    @beat(_why_sentence, ask="Why not just add them to the rows?")
    def wonder(self) -> Steps:
        frame = CellFrame(self._columns(self.joined, 0), "value")
        way, time = [self._columns(self.x, 0)], self.reading
        yield from walk([frame], [way], 0.5 * time, come=0.2 * time)

    @beat(_slab_sentence)
    def come(self) -> Steps:
        """Move a frame from the columns of each head to the rows of W_O that they meet."""
        time, joined = 0.35 * self.reading, self.joined
        words = Drive(joined, lambda seen: joined.words_to(float(seen)), 0.0, 1.0)
        yield together(FadeIn(self.weights, self.sign), words, run_time=time)
        high, each = self.values.d_head, 1.5 * time / self.values.n_heads
        for k in range(self.values.n_heads):
            frame = CellFrame(self._columns(joined, k), "value")
            slab = self.weights.block(k * high, 0, high, self.weights.n_columns)
            yield from walk([frame], [[slab]], each, come=0.3, go=0.3)

    @beat(_write_sentence)
    def write(self) -> Steps:
        yield 0.8 * self.product.fill()
        yield self.product.let_go(run_time=0.4)

    @beat(
        "The first row attends to itself alone, and writes itself times $W_V W_O$. It is doubled "
        "only where that leaves it as it is."
    )
    def alone(self) -> Steps:
        frames = [CellFrame(self.x.row(0), "residual"), CellFrame(self.out.row(0), "residual")]
        yield Create(frames[0], run_time=0.5)
        yield 0.3 * self.reading
        yield Create(frames[1], run_time=0.5)
        yield 0.3 * self.reading
        yield FadeOut(*frames, run_time=0.4)

    @beat(CAPTION)
    def add_(self) -> Steps:
        """Add a copy of the head outputs to the rows; everything else stays."""
        yield from add_copy(self.x, self.out, self["first.resid_mid"], 0.6 * self.reading)
