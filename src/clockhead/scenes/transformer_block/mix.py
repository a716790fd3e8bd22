"""What the heads blend is joined, multiplied by W_O, and added to the rows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from manim import Create, FadeIn, FadeOut, VGroup
from numpy.typing import NDArray

from clockhead.model.worked_block import WorkedBlock
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.cells import Lattice
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.product import Product
from clockhead.scenes.parts.product_layout import Way
from clockhead.scenes.parts.table import Room
from clockhead.scenes.parts.token_rows import bound_of
from clockhead.scenes.spelling import counted
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Column,
    Derived,
    Picture,
    Reading,
    Row,
    Size,
    Steps,
    Value,
    beat,
    fit,
)
from clockhead.scenes.stage.shown import Passing
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive, fly
from clockhead.scenes.style.text import Formula, Label, text_width
from clockhead.scenes.style.theme import Role, theme
from clockhead.scenes.style.type import LABEL, X_HEIGHT
from clockhead.scenes.transformer_block.adding import add_into
from clockhead.scenes.transformer_block.heads import (
    HeadNames,
    Panel,
    Ways,
    blend_of,
    blends_of,
    pattern_of,
)
from clockhead.scenes.transformer_block.inputs import BlockStage
from clockhead.scenes.transformer_block.page import NUMBERS, Page, rows_of
from clockhead.scenes.transformer_block.veil import Veil

_BAND, _SIGN_ROOM, _ASIDE = 0.34, 1.0, 1.4
"""The room for the names of heads over or under columns, for the sign of W_O, and for it
and the names of heads beside it, in units."""
_SIGN, _BESIDE = 34.0, 0.12
"""The size of the sign of W_O, in pixels, and how far names are from their rows, in units."""


def _why(block: WorkedBlock) -> str:
    if block.n_heads == 1:
        return "With a single head one could: $W_V$ could do the work of $W_O$ as well."
    return "Then head 0 could write into the first {d_head} columns, and into no others."


def _others(block: WorkedBlock) -> str:
    if block.n_heads == 2:
        return "So does head 1 through its own slab, and both parts add up."
    return "So do the other heads through their slabs, and all parts add up."


def _with_names(way: Way) -> Column:
    """One way in which the product can stand, with room for the names of the heads."""
    over, under = (Room(Size(0.0, _BAND), Size(0.0, _BAND)) for _ in range(2))
    if way.shape == "corner":
        return Column(way, under, gap=0.0)
    beside = Room(Size(_ASIDE, 0.0), Size(_ASIDE, 0.0))
    return Column(over, Row(beside, way, gap=0.0), under, gap=0.0)


class Mix(BlockStage):
    """The blends of all heads, side by side, times W_O, are added to the tape."""

    title = "What the heads write"
    question = "A head has {few} numbers for each token. How do they get into a row of {wide}?"
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
    derived = BlockStage.derived | {
        "few": Derived("the width of a head, in words", lambda block: counted(block.d_head)),
        "wide": Derived("the width of a row, in words", lambda block: counted(block.d_model)),
    }

    values: WorkedBlock

    def layout(self) -> None:
        page, block = Page(self), self.values
        self.page = page
        self.x = rows_of(self, "resid_pre")
        self.x.place_cells(page.x)
        ways = Ways(page.rest, block.n_heads, block.n_tokens, block.d_head)
        self.names = HeadNames(ways)
        self.grounds = VGroup(VGroup(*map(Panel, ways.lanes)), self.names)
        self.patterns = VGroup()
        for k, room in enumerate(ways.heads):
            pattern = pattern_of(self, k, room)
            pattern.place(room)
            self.patterns.add(pattern)
        self.blends = blends_of(self, ways)
        self._lay_product(page.rest)

    def _lay_product(self, room: Region) -> None:
        """The joined blends, W_O and what they make, with names at what each head has."""
        block, bound = self.values, bound_of(self["first.values"])
        joined = rows_of(self, "first.concat", "value", low=-bound, high=bound)
        weights = rows_of(self, "first.block.w_o", "value", named=False)
        most = max(bound_of(self["first.head_outs"]), bound_of(self["first.attn_out"]))
        self.out = rows_of(self, "first.attn_out", low=-most, high=most)
        self.joined, self.weights = joined, weights
        roles: tuple[Role, Role, Role] = ("value", "value", "residual")
        product = Product(joined, weights, self.out, roles=roles, spec=NUMBERS)
        fit(room, *(_with_names(way) for way in product.ways if way.shape != "row"))
        self.out.empty()
        for pattern in (joined, self.out):
            pattern.words_to(0.0)
        y = weights.lattice.region.center[1]
        self.slab_names = SlabNames(weights, block.n_heads)
        heads = [f"head {k}" for k in range(block.n_heads)]
        self.wrote = [self._name_out(text) for text in (*heads, " + ".join(heads))]
        self.sign = Formula("times value(W_O)", size=_SIGN)
        self.sign.move_to((self.slab_names.get_left()[0] - _SIGN_ROOM / 2, y, 0.0))

    def _name_out(self, text: str) -> Label:
        """Under what is written: by which heads."""
        under, half = self.out.lattice.region, text_width(text, LABEL) / 2
        x = min(under.center[0], self.page.rest.right - half)
        label = Label(text, size=LABEL, color=self.theme.muted)
        return label.center_on(np.array([x, under.bottom - _BAND / 2, 0.0]))

    def _columns(self, matrix: Matrix, k: int) -> Region:
        """The columns of head k."""
        width = self.values.d_head
        return matrix.block(0, k * width, matrix.n_rows, width)

    def _slab(self, k: int) -> Region:
        """The rows of W_O that head k has."""
        high = self.values.d_head
        return self.weights.block(k * high, 0, high, self.weights.n_columns)

    @beat("Side by side, the blends of {heads_said} are as wide as a row: {d_model} numbers.")
    def join(self) -> Steps:
        time = 0.95 * self.reading
        heads = range(self.values.n_heads)
        tops = [self._columns(self.joined, k) for k in heads]
        self.remove(self.grounds)
        self.add(self.grounds[0], self.names, self.blends)
        yield (
            FadeOut(self.patterns, run_time=0.6 * time),
            FadeOut(self.grounds[0], run_time=time),
            *(
                self.blends[k].slide_cells_to(self._columns(self.joined, k), run_time=time)
                for k in heads
            ),
            *(
                fly(name, (top.center[0], top.top + _BAND / 2, 0.0), run_time=time)
                for name, top in zip(self.names, tops, strict=True)
            ),
        )
        self.remove(*self.blends, self.blends)
        self.add(self.joined)

    @beat(_why, ask="Why not just add them to the rows?")
    def wonder(self) -> Steps:
        time, n_heads = 0.9 * self.reading, self.values.n_heads
        frame = CellFrame(self._columns(self.joined, 0), "value")
        out_of_reach = Veil(*(self._columns(self.x, k) for k in range(1, n_heads)))
        yield Create(frame, run_time=0.15 * time)
        yield frame.trace(self._columns(self.x, 0), run_time=0.4 * time)
        self.add(out_of_reach, frame)
        yield out_of_reach.draw(run_time=0.25 * time)
        yield FadeOut(frame, run_time=0.4), out_of_reach.lift()
        self.remove(out_of_reach)

    @beat("A matrix $W_O$ comes in between: each head has {d_head} of its rows, a slab.")
    def come(self) -> Steps:
        time, joined = 0.4 * self.reading, self.joined
        new = self.weights, self.sign, self.slab_names
        yield (
            *(FadeIn(part, run_time=time) for part in new),
            Drive(joined, lambda seen: joined.words_to(float(seen)), 0.0, 1.0, run_time=time),
        )
        slabs = [self._slab(k) for k in range(self.values.n_heads)]
        frame = CellFrame(slabs[0])
        yield Create(frame, run_time=0.5)
        if slabs[1:]:
            yield frame.trace(*slabs[1:], run_time=time)
        yield FadeOut(frame, run_time=0.4)

    @beat("Through its slab head 0 can write into all {d_model} columns of a row.")
    def first(self) -> Steps:
        self.veil = self._veil(0)
        if self.values.n_heads > 1:
            yield self.veil.draw()
        yield from self._write(0, 0.7 * self.reading)

    def _write(self, k: int, run_time: float) -> Steps:
        """Let the blends of head k meet its slab."""
        self.out.set_to(self["first.head_outs"][k])
        parts = blend_of(self, k), rows_of(self, self["slabs"][k], named=False)
        parts[0].place_cells(self._columns(self.joined, k))
        parts[1].place_cells(self._slab(k))
        product = Product(*parts, self.out, roles=("value", "value", "residual"))
        product.add(self.out, product.frames)  # the parts are seen in the whole
        self.add(product)
        yield product.fill(run_time=run_time), FadeIn(self.wrote[k], run_time=0.4)
        yield product.let_go(run_time=0.3)
        self.remove(product)
        self.add(self.out)

    @beat(_others, when=lambda block: block.n_heads > 1)
    def others(self) -> Steps:
        """What a head has written waits in the place of its slab, until all parts are there."""
        total, most, parts = self["first.attn_out"], self.out.scale_now.high, []
        for k in range(1, self.values.n_heads):
            veil, self.veil = self.veil, self._veil(k)
            self.add(self.veil)  # under what waits
            parts.append(self._copy(self["first.head_outs"][k - 1]))
            self.out.empty()
            yield (
                *(veil.lift(), self.veil.draw(), FadeOut(self.wrote[k - 1], run_time=0.4)),
                parts[-1].slide_cells_to(self._slab(k - 1), run_time=0.9),
                self._open_slab(k - 1, 0.0),
            )
            yield from self._write(k, 0.5 * self.reading)
        yield 0.3
        yield (
            *add_into(self.out, parts, total, bound=most, run_time=0.4 * self.reading),
            *(FadeOut(self.wrote[-2], run_time=0.4), self.veil.lift()),
        )
        self.remove(*parts)
        back = [self._open_slab(k, 1.0) for k in range(len(parts))]
        yield FadeIn(self.wrote[-1], run_time=0.6), *back

    def _copy(self, written: Value) -> Matrix:
        """What has been written, to be taken away from where it came to be."""
        most = self.out.scale_now.high
        copy = rows_of(self, written, named=False, low=-most, high=most)
        copy.place_cells(self.out.lattice.region)
        self.add(copy)
        return copy

    def _open_slab(self, k: int, size: float) -> Drive:
        """Let the rows of W_O that head k has come or go."""
        weights, high = self.weights, self.values.d_head
        start = float(weights.opened[k * high, 0])

        def show(share: NDArray[np.float64]) -> None:
            sizes = weights.opened
            sizes[k * high : (k + 1) * high] = float(share)
            weights.open_to(sizes)

        return Drive(weights, show, start, size, run_time=0.5)

    @beat(CAPTION)
    def add_(self) -> Steps:
        """A copy of what is written goes to the rows; all that made it stays."""
        total = self["first.resid_mid"]
        copy, bound = self._copy(self["first.attn_out"]), bound_of(total)
        yield add_into(self.x, copy, total, bound=bound, run_time=0.6 * self.reading)
        self.remove(copy)

    def _veil(self, *heads: int) -> Veil:
        """Over all that other heads have."""
        others = [k for k in range(self.values.n_heads) if k not in heads]
        return Veil(
            *(part for k in others for part in (self._columns(self.joined, k), self._slab(k)))
        )


class SlabNames(Picture):
    """Beside the rows of W_O that a head has, (h d_head, d_model): which head it is."""

    def __init__(self, weights: Matrix, n_heads: int) -> None:
        super().__init__(weights.value)
        self._slabs = Lattice(weights.lattice.region, n_heads, 1)
        for k in range(n_heads):
            slab = self._slabs.block(k, 0)
            label = Label(f"head {k}", size=LABEL, color=theme().muted, align="right")
            middle = np.array([slab.left - _BESIDE, slab.center[1], 0.0])
            self.add(label.put(middle - np.array([0.0, X_HEIGHT / 2 * LABEL * PX, 0.0])))

    def readings(self) -> Iterator[Reading]:
        """Which head has the slab that a name stands beside."""
        for label in self.submobjects:
            assert isinstance(label, Label)
            rows, at = self.shown, np.array(float(self._slabs.nearest(label.middle)[0]))
            assert isinstance(rows, Value)
            # The number of a head is no value of the model, but the index of its slab.
            yield Reading(Passing(rows, rows, at, at, at), float(label.text.split()[-1]))
