"""The MLP, row by row: W_1 widens a row, ReLU cuts it, W_2 narrows it, and it is added."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import Create, VGroup, VMobject

from clockhead.scenes.parts.cell_outlines import CellFrame, walk
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.paths import rectangles
from clockhead.scenes.parts.product import Product
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    Derived,
    Picture,
    Reading,
    Room,
    Row,
    Size,
    Steps,
    Value,
    beat,
    fit,
)
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.text import Formula
from clockhead.scenes.transformer_block.inputs import BlockStage
from clockhead.scenes.transformer_block.page import TapePage, add_copy, rows_of

_SIGN = 34.0
"""Size of the names of weights, in pixels."""
_BAND = Size(0.0, 0.56)
"""Height of the band above the weights, in units."""
_WEIGHT = Size(0.16, 0.1)
"""Smallest cell of weights, which have no numbers."""
_CELL = Size(0.58, 0.24)
"""Smallest cell of activations."""
_LARGEST = 0.3
"""Largest cell of weights, in units."""
_WIDEST = 0.8
"""Largest cell of activations, in units."""
_SHAPE = (0.5, 0.9)
"""Limits of the height of a cell of weights, as fractions of its width."""
_VEIL_OPACITY = 0.72
"""Opacity of the veil over the rows above the last one."""


class Mlp(BlockStage):
    """An MLP processes each row alone."""

    title = "Every row for itself"
    question = "What does the MLP do with each row?"
    caption = "Attention lets rows meet; the MLP takes each row alone, by the same weights."
    opens = ("x",)
    leaves = ("x",)
    derived = BlockStage.derived | {
        "kept": Derived(
            "number of the last token's activations that ReLU keeps",
            lambda block: int(block.survivors[block.last]),
        )
    }

    def layout(self) -> None:
        page = TapePage(self)
        self.x = page.tape("first.resid_mid")
        look: dict[str, Any] = {"least_cell": _CELL, "most_cell": _WIDEST}
        self.inner = rows_of(self, "first.pre", "token", **look)
        self.out = rows_of(self, "first.mlp_out", **look)
        look = {"least_cell": _WEIGHT, "most_cell": _LARGEST, "aspect": _SHAPE, "spec": ()}
        self.weights = [
            rows_of(self, f"first.block.w_{k}", "token", named=False, **look) for k in (1, 2)
        ]
        one, two = (Column(Room(_BAND, _BAND), some, gap=0.0) for some in self.weights)
        floors = Column(Row(one, self.inner), Row(two, self.out))
        fit(page.rest, floors, Column(Row(one, two), self.inner, self.out))
        self.signs = VGroup(*(Formula(f"times token(W_{k})", size=_SIGN) for k in (1, 2)))
        for sign, some in zip(self.signs, self.weights, strict=True):
            cells = some.lattice.region
            sign.move_to((cells.center[0], cells.top + _BAND.height / 2, 0.0))
        self.wider = self._product(self.x, self.weights[0], self.inner)
        above = self.x.block(0, 0, self.values.last, self.values.d_model)
        self.veil = VMobject(
            stroke_width=0, fill_color=self.theme.ground, fill_opacity=_VEIL_OPACITY
        )
        self.veil.set_points(rectangles(above.left, above.bottom, above.right, above.top))

    def _product(self, left: Matrix, right: Matrix, out: Matrix) -> Product:
        """A product of rows and weights, with its frames and result still hidden."""
        product = Product(left, right, out, roles=("residual", "token", "token"))
        product.add(out.empty(), product.frames)
        return product

    @beat(
        "A multi-layer perceptron takes one row alone. $W_1$ turns {d_model} numbers into {d_ff}."
    )
    def widen(self) -> Steps:
        yield FadeIn(*self.weights, self.signs, self.inner, self.veil, run_time=0.8)
        yield 0.6 * self.wider.fill_row(self.values.last)
        yield self.wider.let_go()

    @beat(
        "What is above 0 stays: here {kept} of {d_ff} numbers.",
        ask="ReLU sets what is below 0 to 0. How much is left?",
    )
    def cut(self) -> Steps:
        kept = KeptFrames(self.inner, self.values.last, self["survivors"][self.values.last])
        yield [Create(frame, run_time=0.3 * self.reading) for frame in kept] or 0.2
        self.add(kept)
        yield 0.4 * self.inner.to(self["first.act"])
        yield FadeOut(kept, run_time=0.4)

    @beat("$W_2$ makes {d_model} again. Without ReLU, two matrices could do no more than one.")
    def narrow(self) -> Steps:
        self.narrower = self._product(self.inner, self.weights[1], self.out)
        yield FadeIn(self.out, run_time=0.5)
        yield 0.7 * self.narrower.fill_row(self.values.last)
        yield self.narrower.let_go()

    @beat("Every other row goes the same way: no token sees another here.")
    def others(self) -> Steps:
        last, time = self.values.last, 0.8 * self.reading
        yield FadeOut(self.veil, run_time=0.4)
        for m in range(last):
            yield self.wider.fill_row(m, run_time=0.5 * time / last)
            yield self.narrower.fill_row(m, run_time=0.5 * time / last)
        yield self.wider.let_go(), self.narrower.let_go()

    @beat("To each row is added what came out for it.")
    def add_(self) -> Steps:
        self.remove(self.wider, self.narrower)
        self.add(self.inner, self.out)
        yield from add_copy(self.x, self.out, self["first.resid_post"], 0.7 * self.reading)

    @beat(CAPTION)
    def end(self) -> Steps:
        """Move a frame in each matrix through the rows, in parallel."""
        boards, rows = (self.x, self.inner, self.out), range(1, self.values.n_tokens)
        frames = [CellFrame(board.row(0)) for board in boards]
        ways = [[board.row(m) for m in rows] for board in boards]
        yield from walk(frames, ways, 0.6 * self.reading, come=0.6)


class KeptFrames(Picture):
    """Frames around the positive cells of a row; the value is their number."""

    def __init__(self, matrix: Matrix, row: int, count: Value) -> None:
        super().__init__(count)
        places = np.flatnonzero(matrix.table[row] > 0).tolist()
        self.add(*(CellFrame(matrix.cell(row, j)) for j in places))

    def readings(self) -> Iterator[Reading]:
        """The number of frames."""
        yield Reading(self.shown, float(len(self.submobjects)))
