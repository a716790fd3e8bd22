"""Which head matters? A head is switched off by setting its rows of W_O to 0."""

from __future__ import annotations

import numpy as np
from manim import Animation, Create, FadeIn, FadeOut
from numpy.typing import NDArray

from clockhead.model.head_effects import HeadEffects
from clockhead.scenes.ablation.board import Board, beside
from clockhead.scenes.ablation.inputs import HeadsStage
from clockhead.scenes.ablation.written import Written
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.product import Product
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.token_rows import bound_of
from clockhead.scenes.spelling import counted
from clockhead.scenes.stage import CAPTION, Column, Derived, Layers, Steps, beat, fit
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.theme import Role

NAME, LONG_NAME = "Ablation", "switch it off and see"
_HERO = 0, 0
"""The layer and the head that is switched off."""
_NUMBERS = (".2f", ".1f")
_LETTERS = 40.0


class Silence(HeadsStage):
    """Which head matters? A head is switched off by setting its rows of W_O to 0."""

    title = "Which head matters?"
    question = "A small transformer reads “{line}”. What comes next?"
    caption = "Cut out its blends and rows, too: the same is written. Off is as good as gone."
    opens = ("board", "tiles")
    leaves = ("board",)
    derived = HeadsStage.derived | {
        "line": Derived("the text", lambda heads: " ".join(heads.tokens)),
        "layers_said": Derived("how many layers", lambda heads: counted(heads.n_layers)),
        "heads_said": Derived("how many heads a layer has", lambda heads: counted(heads.n_heads)),
    }

    values: HeadEffects

    def layout(self) -> None:
        self.board = Board(self, words=True)
        self.rest = beside(self, self.board)
        self.tiles = Strip(self["tokens"], wonder=True, hidden=0, size=_LETTERS)
        self.card = TitleCard(NAME, LONG_NAME, role="attention")
        over = Layers(self.card, self.tiles)
        self.covered = fit(self.rest, Column(self.tiles, self.card), over) > 0
        self.card.hide()
        self.product = self._product()
        self.blends = [self._blend(k) for k in range(self.values.n_heads)]
        head = self["first.head_outs"][_HERO[1]]
        self.written = Written(self["first.attn_out"], self.product.matrices, self.blends, head)

    def _product(self) -> Product:
        """The blends of the first layer side by side, times W_O, are what its heads write."""
        factors = ("first.concat", "first.block.w_o", "first.attn_out")
        roles: tuple[Role, Role, Role] = ("value", "value", "residual")
        signs = ('value("blends")', "value(W_O)", 'residual("written")')
        blends, right, out = (self[path] for path in factors)
        bound = bound_of(blends)
        left = Matrix(blends, role="value", low=-bound, high=bound, spec=_NUMBERS, aspect=None)
        most = max(bound_of(out), bound_of(self["first_silenced.attn_out"]))
        product = Product(left, right, out, roles=roles, signs=signs, spec=_NUMBERS, out_bound=most)
        fit(self.rest, *(way for way in product.ways if way.shape != "tower"))
        return product

    def _blend(self, k: int) -> Matrix:
        """What a head of the first layer blends, where its pattern is."""
        bound = self.product.left.scale_now.high
        blend = Matrix(self["first.blends"][k], role="value", low=-bound, high=bound, aspect=None)
        blend.place_cells(self.board.cards[0, k].pattern.lattice.region)
        return blend

    def _leave(self) -> Animation:
        """Let the text go."""
        return self.tiles.leave(*range(len(self.tiles.tiles)))

    def _columns(self, k: int) -> Region:
        """The columns that a head has in the joined blends."""
        left, width = self.product.left, self.values.d_head
        return left.block(0, k * width, left.n_rows, width)

    @property
    def _slab(self) -> Region:
        """The rows of W_O of the head that is switched off."""
        right = self.product.right
        return right.block(0, 0, self.values.d_head, right.n_columns)

    @beat("Its {layers_said} layers of {heads_said} heads look back, and it says “{predicted}”.")
    def read(self) -> Steps:
        last = self.values.last
        rows = [card.pattern.frame_row(last, "query") for card in self.board.cards.values()]
        yield (
            *(Create(row, run_time=0.35 * self.reading) for row in rows),
            self.tiles.paint(last, "query"),
        )
        yield self.tiles.answer(self["predicted"])
        yield [FadeOut(row, run_time=0.4) for row in rows]

    @beat(
        "Patterns show where heads look, not what comes of it.",
        ask="Which of these {n_said} heads changes the next word most?",
    )
    def wonder(self) -> Steps:
        boxes = [card.region for card in self.board.cards.values()]
        frame = CellFrame(boxes[0], "attention")
        yield Create(frame, run_time=0.5)
        yield frame.trace(*boxes[1:], run_time=0.7 * self.reading)
        yield FadeOut(frame, run_time=0.4)

    @beat("So switch them off, one by one, and see.")
    def name(self) -> Steps:
        heads = list(self.board.cards)
        each = 0.8 * self.reading / len(heads)
        if self.covered:
            yield self._leave()
        for k, head in enumerate(heads):
            comes = () if k else (self.card.appear(run_time=2 * each),)
            yield *self.board.flip(head, run_time=each), *comes
        yield self.board.flip(run_time=0.4)

    @beat(
        "Each head writes what it blends through its own rows of $W_O$.",
        ask="How does one switch off a head?",
    )
    def write(self) -> Steps:
        product, gone = self.product, list[Animation]([self.card.disappear()])
        gone += [] if self.covered else [self._leave()]
        self.add(self.written)
        yield *gone, *(FadeIn(blend, run_time=0.6) for blend in self.blends)
        self.remove(self.card, self.tiles)
        yield (
            *(
                blend.slide_cells_to(self._columns(k), run_time=1.4)
                for k, blend in enumerate(self.blends)
            ),
            FadeIn(product.right, product.signs[1], run_time=1.4),
        )
        self.remove(*self.blends)
        self.add(product.left, product.signs[0])
        product.out.empty()
        self.add(product.out, product.frames)
        yield product.fill(run_time=0.4 * self.reading), FadeIn(product.signs[2])
        yield product.let_go(run_time=0.3)

    @beat("Set these rows to 0: the head still looks, but nothing of it arrives.")
    def silence(self) -> Steps:
        product, time = self.product, 0.4 * self.reading
        pattern = self.board.cards[_HERO].pattern
        self.around = CellFrame(pattern.lattice.region, "attention")
        yield Create(self.around, run_time=0.5)
        self.written.frame = self.around
        yield self.around.trace(self._columns(0), self._slab, run_time=0.3 * self.reading)
        silent = self["first_silenced.block.w_o"], self["first_silenced.attn_out"]
        usual = product.right.value, product.out.value
        for matrix, on, off in zip((product.right, product.out), usual, silent, strict=True):
            self.board.watch(matrix, {(): on, (_HERO,): off})
        yield (
            *self.board.flip(_HERO, run_time=time),
            product.right.to(silent[0], run_time=time),
            product.out.to(silent[1], run_time=time),
        )

    @beat(CAPTION)
    def cut(self) -> Steps:
        """What is 0 goes, with the blends that it meets; what comes out stays as it is."""
        left, right, out = self.product.matrices
        width, time = self.values.d_head, 0.35 * self.reading
        self.written.frame = None
        yield FadeOut(self.around, run_time=0.3)
        around = CellFrame(out.lattice.region, "residual")
        yield (
            _shrink(left, np.arange(left.n_columns)[None, :] < width, time),
            _shrink(right, np.arange(right.n_rows)[:, None] < width, time),
        )
        yield Create(around, run_time=time)


def _shrink(matrix: Matrix, where: NDArray[np.bool_], run_time: float) -> Drive:
    """Let some cells become nothing."""
    goes = np.broadcast_to(where, matrix.opened.shape)

    def show(share: NDArray[np.float64]) -> None:
        matrix.open_to(np.where(goes, 1 - float(share), 1.0))

    return Drive(matrix, show, 0.0, 1.0, run_time=run_time)
