"""What the heads blend is joined, multiplied by W_O, and added to the rows."""

from __future__ import annotations

import numpy as np
from manim import Animation, Create, FadeIn, FadeOut, VGroup, VMobject

from model.worked_block import WorkedBlock
from scenes.parts.cell_outlines import CellFrame
from scenes.parts.matrix import Matrix
from scenes.parts.product import Product
from scenes.parts.product_layout import Way
from scenes.parts.table import Room
from scenes.spelling import counted
from scenes.stage import CAPTION, Claim, Column, Derived, Row, Size, Steps, beat, fit
from scenes.style.layout import Region
from scenes.style.motion import Drive, fly
from scenes.style.text import Formula, Label, text_width
from scenes.style.type import LABEL
from scenes.transformer_block.adding import add_into
from scenes.transformer_block.heads import Ways, blends_of, names, panels, pattern_of
from scenes.transformer_block.inputs import BlockStage
from scenes.transformer_block.page import NUMBERS, Page, bound_of, rows_of
from scenes.transformer_block.slabs import SlabFrames, SlabNames
from scenes.transformer_block.veil import Veil

_BAND, _SIGN_ROOM, _ASIDE = 0.34, 1.0, 1.4
"""The room for the names of heads over or under columns, for the sign of W_O, and for it
and the names of heads beside it, in units."""
_BESIDE, _PLUS = 0.12, 0.8
"""Between a name and its cells, and between two summands."""
_SIGN, _PLUS_SIZE = 34.0, 44.0


def _wonder(block: WorkedBlock) -> str:
    if block.n_heads == 1:
        return "The head has a blend for each token. How does it get into the row?"
    return (
        f"A head has {counted(block.d_head)} numbers for each token. "
        f"How do they get into a row of {counted(block.d_model)}?"
    )


def _moral(block: WorkedBlock) -> str:
    if block.n_heads == 1:
        return "What the head writes is added to the row of each token."
    return "What the heads write adds up, and is added to the row of each token."


def _joined(block: WorkedBlock) -> str:
    if block.n_heads == 1:
        return "The blend of a single head is as wide as a row: {d_model} numbers."
    return "Joined side by side, the blends of {heads_said} are as wide as a row."


def _why(block: WorkedBlock) -> str:
    if block.n_heads == 1:
        return "With a single head one could: $W_V$ could do the work of $W_O$ as well."
    return "Then head 0 could write into the first {d_head} columns, and into no others."


def _slabs(block: WorkedBlock) -> str:
    if block.n_heads == 1:
        return "A layer has $W_O$ all the same: {d_model} rows of weights for the blends to meet."
    return "So a matrix $W_O$ comes in between. Each head has {d_head} of its rows, a slab."


def _first(block: WorkedBlock) -> str:
    if block.n_heads == 1:
        return "Every column of $W_O$ gives a column of what the head writes."
    return "Through its slab head 0 can write into all {d_model} columns of a row."


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
    question = "{wonder}"
    caption = "{moral}"
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
        "wonder": Derived("what is asked", _wonder),
        "moral": Derived("what to take away", _moral),
    }

    values: WorkedBlock

    def layout(self) -> None:
        page, block = Page(self), self.values
        self.page = page
        self.x = rows_of(self, "resid_pre")
        self.x.place_cells(page.x)
        ways = Ways(page.rest, block.n_heads, block.n_tokens, block.d_head)
        self.names = names(ways)
        self.grounds = VGroup(panels(ways), self.names)
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
        self.three = joined, weights, self.out
        product = Product(*self.three, roles=("value", "value", "residual"), spec=NUMBERS)
        fit(room, *(_with_names(way) for way in product.ways if way.shape != "row"))
        self.out.empty()
        for pattern in (joined, self.out):
            pattern.words_to(0.0)
        y = weights.lattice.region.center[1]
        self.slab_names = SlabNames(weights, block.n_heads)
        self.sums = self._name_sum()
        self.sign = Formula("times value(W_O)", size=_SIGN)
        self.sign.move_to((self.slab_names.get_left()[0] - _SIGN_ROOM / 2, y, 0.0))

    def _name_sum(self) -> VGroup:
        """Under what is written: by head 0, and by the others."""
        under, muted = self.out.lattice.region, self.theme.muted
        others = "".join(f" + head {k}" for k in range(1, self.values.n_heads))
        width = text_width(f"head 0{others}", LABEL)
        x = min(under.center[0] - width / 2, self.page.rest.right - width)
        at = np.array([x, under.bottom - _BAND * 0.7, 0.0])
        one, more = Label("head 0", size=LABEL, color=muted), Label(others, size=LABEL, color=muted)
        way = np.array([text_width("head 0", LABEL), 0.0, 0.0])
        return VGroup(one.put(at), more.put(at + way))

    def _columns(self, matrix: Matrix, k: int) -> Region:
        """The columns of head k."""
        width = self.values.d_head
        return matrix.block(0, k * width, matrix.n_rows, width)

    def _slab(self, k: int) -> Region:
        """The rows of W_O that head k has."""
        high = self.values.d_head
        return self.weights.block(k * high, 0, high, self.weights.n_columns)

    @beat(_joined)
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

    @beat(_slabs)
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

    @beat(_first)
    def first(self) -> Steps:
        head = self["first.head_outs"][0]
        self.out.set_to(head)
        self.add(self.out)
        self.veil = self._veil(0)
        time = 0.6 * self.reading
        if self.values.n_heads > 1:
            yield self.veil.draw(), FadeIn(self.sums[0], run_time=0.4)
        n, shape = self.values.n_tokens, self.out.table.shape
        at = np.linspace(0, 1, n)[:, None] * np.ones(shape)
        fill = self.out.fill(at, each=1 / n, labels=False, run_time=time)
        yield from self._sweep(SlabFrames(self.three, slice(0, self.values.d_head), head), fill)

    @beat(_others, when=lambda block: block.n_heads > 1)
    def others(self) -> Steps:
        time = 0.5 * self.reading
        new = self._veil(*range(1, self.values.n_heads))
        yield self.veil.lift(), new.draw()
        self.veil = new
        columns, total = slice(self.values.d_head, self.values.d_model), self["first.attn_out"]
        frames = SlabFrames(self.three, columns, total, self.out.table)
        adds = self.out.to(total, run_time=time)
        yield from self._sweep(frames, adds, FadeIn(self.sums[1], run_time=time))

    @beat(CAPTION)
    def add_(self) -> Steps:
        x, time = self.page.x, 0.35 * self.reading
        rest: list[VMobject] = [self.joined, self.names, self.weights, self.slab_names, self.sign]
        rest += [self.veil, self.sums] if self.values.n_heads > 1 else []
        yield [FadeOut(part, run_time=0.6) for part in rest]
        way = (x.width + _PLUS, 0.0) if self.page.is_wide else (0.0, -x.height - _PLUS)
        beside = Region(x.left + way[0], x.bottom + way[1], x.right + way[0], x.top + way[1])
        plus = Formula("+", size=_PLUS_SIZE).move_to((*((x.center + beside.center) / 2)[:2], 0.0))
        yield self.out.slide_cells_to(beside, run_time=time), FadeIn(plus, run_time=time)
        yield 0.1 * self.reading
        total = self["first.resid_mid"]
        yield (
            *add_into(self.x, self.out, total, bound=bound_of(total), run_time=time),
            FadeOut(plus, run_time=0.5),
        )
        self.remove(self.out)

    def _sweep(self, frames: SlabFrames, fill: Animation, *others: Animation) -> Steps:
        """Frames go down the rows, while cells fill."""
        yield frames.come()
        self.add(frames)
        yield fill, *others, *frames.go_down(run_time=fill.run_time)
        yield FadeOut(frames, run_time=0.4)

    def _veil(self, *heads: int) -> Veil:
        """Over all that other heads have."""
        others = [k for k in range(self.values.n_heads) if k not in heads]
        return Veil(
            *(part for k in others for part in (self._columns(self.joined, k), self._slab(k)))
        )
