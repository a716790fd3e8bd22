"""Which head matters? A head is switched off by setting its rows of W_O to 0."""

from __future__ import annotations

from typing import Any

from manim import Create

from clockhead.scenes.ablation.heads import place_board
from clockhead.scenes.ablation.inputs import HeadsStage
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.cell_outlines import CellFrame, walk
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.product import Product
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import dim_tiles, paint
from clockhead.scenes.parts.strip_typing import answer
from clockhead.scenes.parts.table import bound_of
from clockhead.scenes.spelling import counted
from clockhead.scenes.stage import CAPTION, Column, Derived, Steps, beat, fit, together
from clockhead.scenes.style.motion import FadeOut

NAME, LONG_NAME = "Ablation", "switch it off and see"
_HERO = 0, 0
"""The layer and the head that are switched off."""
_LETTERS = 40.0


class Silence(HeadsStage):
    """Which head matters? A head is switched off by setting its rows of W_O to 0."""

    title = "Which head matters?"
    question = "What comes after “{line}”?"
    caption = "Cut all of it out, and the same is written: off is as good as gone."
    opens = ("board", "tiles")
    leaves = ("board",)
    derived = {
        "line": Derived("the text", lambda heads: " ".join(heads.tokens)),
        "layers_said": Derived(
            "number of layers, as a word", lambda heads: counted(heads.n_layers)
        ),
        "heads_said": Derived(
            "number of heads per layer, as a word", lambda heads: counted(heads.n_heads)
        ),
    }

    def layout(self) -> None:
        self.board, rest = place_board(self)
        self.tiles = Strip(self["tokens"], wonder=True, hidden=0, size=_LETTERS)
        self.card = TitleCard(NAME, LONG_NAME, role="attention")
        fit(rest, Column(self.tiles, self.card))
        factors = [self[f"first.{name}"] for name in ("concat", "block.w_o", "attn_out")]
        self.silent = [self[f"first_silenced.{name}"] for name in ("block.w_o", "attn_out")]
        blends, _, out = factors
        look: dict[str, Any] = {"role": "value", "spec": (".2f", ".1f"), "aspect": None}
        left = Matrix(blends, low=-bound_of(blends), high=bound_of(blends), **look)
        self.product = Product(
            left,
            *factors[1:],
            roles=("value", "value", "residual"),
            signs=('value("blends")', "value(W_O)", 'residual("written")'),
            spec=(".2f", ".1f"),
            out_bound=max(bound_of(out), bound_of(self.silent[1])),
        )
        fit(rest, *(way for way in self.product.ways if way.shape != "tower"))

    @beat(
        "A model of {layers_said} layers of {heads_said} heads looks back, and says “{predicted}”."
    )
    def read(self) -> Steps:
        last = self.values.last
        rows = [card.pattern.frame_row(last, "query") for card in self.board.cards.values()]
        yield (
            *(Create(row, run_time=0.35 * self.reading) for row in rows),
            paint(self.tiles, last, "query"),
        )
        yield answer(self.tiles, self["predicted"])
        yield FadeOut(*rows, run_time=0.4)

    @beat("Patterns show where heads look, not what comes of it.")
    def wonder(self) -> Steps:
        boxes = [card.region for card in self.board.cards.values()]
        yield from walk(
            [CellFrame(boxes[0], "attention")], [boxes[1:]], 0.7 * self.reading, come=0.5
        )

    @beat("So switch them off, one by one, and see.")
    def name(self) -> Steps:
        each = 0.8 * self.reading / len(self.board.cards)
        yield dim_tiles(self.tiles, len(self.tiles.tiles) - 1, run_time=0.4)
        yield self.card.appear(run_time=2 * each)
        for head in self.board.cards:
            yield self.board.flip(head, run_time=each)
        yield self.board.flip(run_time=0.4)

    @beat(
        "Each head writes what it blends through its own rows of $W_O$.",
        ask="How does one switch off a head?",
    )
    def write(self) -> Steps:
        yield FadeOut(self.card, self.tiles, run_time=0.8)
        yield self.product.empty().come(run_time=0.8)
        yield 0.5 * self.product.fill()
        yield self.product.let_go(run_time=0.3)

    @beat("Set these rows to 0: the head still looks, but nothing of it arrives.")
    def silence(self) -> Steps:
        """Move a frame from the pattern to the head's outputs, and on to its rows of W_O."""
        left, right, _ = self.product.matrices
        width = self.values.d_head
        self.around = CellFrame(self.board.cards[_HERO].pattern.lattice.region, "attention")
        yield Create(self.around, run_time=0.5)
        blends, rows = (
            left.block(0, 0, left.n_rows, width),
            right.block(0, 0, width, right.n_columns),
        )
        yield 0.3 * self.around.trace(blends, rows)
        changed = self.product.right, self.product.out
        for matrix, silent in zip(changed, self.silent, strict=True):
            self.board.couple(matrix, {(): matrix.value, (_HERO,): silent})
        yield 0.4 * together(self.board.flip(_HERO))

    @beat(CAPTION)
    def cut(self) -> Steps:
        """Delete the rows of zeros and the columns they multiply; the result stays the same."""
        left, right, out = self.product.matrices
        width = self.values.d_head
        columns, rows = left.opened, right.opened
        columns[:, :width], rows[:width] = 0.0, 0.0
        yield FadeOut(self.around, run_time=0.3)
        yield 0.35 * together(left.resize(columns), right.resize(rows))
        yield 0.35 * together(Create(CellFrame(out.lattice.region, "residual")))
