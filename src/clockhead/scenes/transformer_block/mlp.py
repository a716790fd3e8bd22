"""The MLP: one row at a time, wider by W_1, cut by ReLU, narrower by W_2, and added."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create, FadeIn, FadeOut, VGroup

from clockhead.model.worked_block import WorkedBlock
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.token_rows import bound_of
from clockhead.scenes.spelling import counted
from clockhead.scenes.stage import CAPTION, Column, Derived, Row, Size, Steps, beat, fit
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.text import Formula
from clockhead.scenes.transformer_block.inputs import BlockStage
from clockhead.scenes.transformer_block.page import Page, rows_of
from clockhead.scenes.transformer_block.some_rows import SomeRows
from clockhead.scenes.transformer_block.veil import Veil

_SIGN, _BAND = 34.0, 0.56
"""The size of the names of weights, in pixels, and the band over them, in units."""
_UP = 0.56
"""How far up in the band they stand."""
_WEIGHT, _CELL = Size(0.16, 0.1), Size(0.58, 0.24)
"""The least cells of weights, which have no numbers, and of what they make."""
_LARGEST, _WIDEST = 0.3, 0.8
_SHAPE = (0.5, 0.9)
"""The largest of both, and how high those of weights are, as shares of their width."""


def _kept(block: WorkedBlock) -> int:
    return int(block.survivors[block.last])


def _survive(block: WorkedBlock) -> str:
    kept, of = _kept(block), block.d_ff
    if kept == of:
        return "All of them: here nothing is below 0."
    if not kept:
        return "None: nothing here is above 0. This row will get nothing from the MLP."
    number = counted(kept).capitalize()
    return f"{number} of {counted(of)}: what is above 0 stays, all else becomes 0."


class Mlp(BlockStage):
    """An MLP takes each row alone."""

    title = "Every row for itself"
    question = "Attention has let the rows meet. What does the MLP do with each of them?"
    caption = "Attention lets rows meet; the MLP takes each row alone, by the same weights."
    opens = ("x",)
    leaves = ("x",)
    derived = BlockStage.derived | {
        "kept": Derived("how many numbers of the last token ReLU keeps", _kept),
        "wide": Derived("how wide a row becomes, in words", lambda block: counted(block.d_ff)),
    }

    values: WorkedBlock

    def layout(self) -> None:
        page, block = Page(self), self.values
        self.x = rows_of(self, "first.resid_mid")
        self.x.place_cells(page.x)
        look: dict[str, Any] = {"least_cell": _CELL, "most_cell": _WIDEST}
        self.inner = rows_of(self, "first.pre", "token", **look)
        self.out = rows_of(self, "first.mlp_out", **look)
        self.weights = [Weights(self, k) for k in (1, 2)]
        one, two = self.weights
        floors = Column(Row(one, self.inner), Row(two, self.out))
        fit(page.rest, floors, Column(Row(one, two), self.inner, self.out))
        for matrix in (self.inner, self.out):
            matrix.empty()
        last = block.last
        self.hero, self.rest = SomeRows(self, slice(last, last + 1)), SomeRows(self, slice(0, last))
        below = Veil(self.x.row(last))
        self.veils = [Veil(self.x.block(0, 0, last, block.d_model)), below]

    @beat("It takes one row alone. Times $W_1$, the {d_model} numbers of {asker} become {d_ff}.")
    def widen(self) -> Steps:
        self.add(*self.veils)
        new = (*self.weights, self.inner)
        yield *(FadeIn(part, run_time=0.8) for part in new), self.veils[0].draw()
        yield self.hero.widen(run_time=0.6 * self.reading)
        yield self.hero.let_go()

    @beat(_survive, ask="ReLU turns what is below 0 into 0. Which of the {wide} survive?")
    def cut(self) -> Steps:
        kept = self.hero.kept()
        yield [Create(frame, run_time=0.25 * self.reading) for frame in kept] or 0.2
        self.add(kept)
        yield self.hero.cut(run_time=0.4 * self.reading)
        yield FadeOut(kept, run_time=0.4)

    @beat("$W_2$ makes {d_model} again. Without ReLU, two matrices could do no more than one.")
    def narrow(self) -> Steps:
        yield FadeIn(self.out, run_time=0.5)
        yield self.hero.narrow(run_time=0.7 * self.reading)
        yield self.hero.let_go()

    @beat("These are added to the row that they came from.")
    def add_(self) -> Steps:
        yield self.hero.add(run_time=0.6 * self.reading)

    @beat("Every other row goes through the same two matrices. No token sees another here.")
    def others(self) -> Steps:
        rest, time = self.rest, 0.27 * self.reading
        yield self.veils[1].draw(), self.veils[0].lift()
        yield rest.widen(run_time=time)
        yield rest.let_go(), rest.cut(run_time=0.8)
        yield rest.narrow(run_time=time)
        yield rest.let_go(), *rest.add(run_time=time)

    @beat(CAPTION)
    def end(self) -> Steps:
        """One frame in each matrix, always at the same row."""
        total = self["first.resid_post"]
        bound, boards = bound_of(total), (self.x, self.inner, self.out)
        self.x.set_to(total)
        self.x.rescale(-bound, bound)
        self.x.open_to(np.ones(self.x.table.shape))
        self.remove(self.hero.row, self.rest.row)
        frames = [CellFrame(board.row(0)) for board in boards]
        yield self.veils[1].lift(), *(Create(frame, run_time=0.6) for frame in frames)
        rows, time = range(1, self.values.n_tokens), 0.5 * self.reading
        yield [
            frame.trace(*(board.row(m) for m in rows), run_time=time)
            for frame, board in zip(frames, boards, strict=True)
        ]
        yield [FadeOut(frame, run_time=0.4) for frame in frames]


class Weights(VGroup):
    """Weights, without numbers, under their name: a box."""

    def __init__(self, stage: BlockStage, k: int) -> None:
        super().__init__()
        look: dict[str, Any] = {"least_cell": _WEIGHT, "most_cell": _LARGEST, "spec": ()}
        value = f"first.block.w_{k}"
        self.matrix = rows_of(stage, value, "token", named=False, aspect=_SHAPE, **look)
        self.sign = Formula(f"times token(W_{k})", size=_SIGN)
        self.add(self.matrix, self.sign)

    @property
    def least(self) -> Size:
        least = self.matrix.least
        return Size(least.width, least.height + _BAND)

    @property
    def most(self) -> Size:
        most = self.matrix.most
        return Size(most.width, most.height + _BAND)

    def place(self, region: Region) -> None:
        """Stand in the middle of a region."""
        self.matrix.place(region.cut_top(_BAND, 0.0)[1])
        cells = self.matrix.lattice.region
        self.sign.move_to((cells.center[0], cells.top + _BAND * _UP, 0.0))
