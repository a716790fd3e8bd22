"""A second layer with weights of its own; the shape of the tape never changes. What layers cost."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create, FadeIn, FadeOut, VGroup

from clockhead.model.stacked_layers import StackedLayers
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.table import Room
from clockhead.scenes.parts.token_rows import bound_of
from clockhead.scenes.stage import CAPTION, Column, Row, Size, Steps, Value, beat, fit
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import recolor
from clockhead.scenes.style.text import Formula, Label, Paragraph
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import LABEL, SMALL
from clockhead.scenes.transformer_block.adding import add_into
from clockhead.scenes.transformer_block.areas import (
    ATTENTION,
    MATRICES,
    MLP,
    Areas,
    layers_in,
    matrices_in,
    names_in,
    squares_in,
)
from clockhead.scenes.transformer_block.heads import Panel
from clockhead.scenes.transformer_block.inputs import BlockStage
from clockhead.scenes.transformer_block.page import SHARES, Page, rows_of

_ROOMS = Size(3.78, 2.0), Size(4.0, 2.0)
"""The least room for what happens in attention, and in the MLP."""
_SQUARE = 0.6
"""The least side of a square, in units."""
_NAME, _SHAPE, _PAD = 0.4, 0.36, 0.12
"""The bands for a name and for a shape, and what is left free around all, in units."""
_CELL, _LARGEST = Size(0.2, 0.16), 0.9
"""The least cell without a number, and the largest."""
_UNDER, _SIGN = 0.2, 30.0
_HIGH = 2.4
"""The height of the bar of all layers, in units."""
_SIZE = "{n_tokens} × {d_model}"
_HERE = (_SIZE.replace("{n_tokens}", "{d_model}"),) * 4 + (
    "{d_model} × {d_ff}",
    "{d_ff} × {d_model}",
)
_USUAL = ("d × d",) * 4 + ("d × 4d", "4d × d")
"""The shapes of the matrices, here and usually."""


class Stack(BlockStage):
    """The second layer takes what the first gives; layers cost twelve squares each."""

    title = "One more layer, and what it costs"
    question = "A layer has given back {n_tokens} rows of {d_model}. What can come after it?"
    caption = (
        "$L$ layers hold $12 L d^2$; with all else, GPT-2 learns {in_all:.1f} million numbers."
    )
    opens = ("x",)
    leaves = ("x",)

    values: StackedLayers

    @classmethod
    def compute(cls, inputs: Any) -> StackedLayers:
        block = inputs.example()
        return StackedLayers(block.tokens, block.transformer, block.resid_pre, block.vocabulary)

    def layout(self) -> None:
        self.page = Page(self)
        self.x = rows_of(self, "first.resid_post")
        self.x.place_cells(self.page.x)
        self.shape = self._shape_under(self.page.x, _SIZE)
        self.both = [
            rows_of(self, f"{layer}.block.w_q", "query", named=False, most_cell=_LARGEST)
            for layer in ("first", "second")
        ]
        rest = self.page.rest.cut_top(_NAME, 0.0)[1]
        fit(rest, Row(*self.both), Column(*self.both, gap=_NAME))
        self.layers = VGroup(*map(self._layer_over, range(2), self.both))
        self._lay_panels()
        self._lay_costs()

    def _layer_over(self, k: int, weights: Matrix) -> Formula:
        cells = weights.lattice.region
        name = Formula(f'query(W_Q) "in layer {k}"', size=_SIGN)
        return name.move_to((cells.center[0], cells.top + _NAME / 2, 0.0))

    def _lay_panels(self) -> None:
        """In a panel each, what attention and MLP make inside, and what they add."""
        rooms = Room(_ROOMS[0]), Room(_ROOMS[1])
        fit(self.page.rest, Row(*rooms, gap=_PAD), Column(*rooms, gap=_PAD))
        bands = [room.region.cut_top(_NAME, 0.0) for room in rooms]
        self.panels = VGroup(*(Panel(room.region) for room in rooms))
        for name, (top, _) in zip(("attention", "MLP"), bands, strict=True):
            self.panels.add(Label(name, size=LABEL, color=theme().muted).center_on(top.center))
        look: dict[str, Any] = {"least_cell": _CELL, "most_cell": _LARGEST}
        shares: dict[str, Any] = {"low": 0.0, "high": 1.0, "mask": "causal", "spec": SHARES}
        patterns = [
            Matrix(self["second.patterns"][k], aspect=(0.4, 0.9), **shares, **look)
            for k in range(self.values.n_heads)
        ]
        bound = bound_of(self["second.pre"])
        self.hidden = rows_of(
            self, "second.pre", "token", named=False, low=-bound, high=bound, **look
        )
        self.inside = [patterns, [self.hidden]]
        self.added = [
            rows_of(self, f"second.{out}", named=False, **look) for out in ("attn_out", "mlp_out")
        ]
        n = "{n_tokens} × {n_tokens}"
        of_heads = n if self.values.n_heads == 1 else f"{{n_heads}} × ({n})"
        self.shapes: list[tuple[Label, Label]] = []
        self.within: list[Region] = []
        for inside, added, (_, below), shape in zip(
            self.inside, self.added, bands, (of_heads, "{n_tokens} × {d_ff}"), strict=True
        ):
            room = below.inset(_PAD, 0.0).cut_bottom(_SHAPE, 0.0)[1]
            both = Row(*inside, gap=_PAD), added
            fit(room, Column(*both, gap=_SHAPE), Row(*both))
            cells, last = inside[0].lattice.region, inside[-1].lattice.region
            self.within.append(Region(cells.left, cells.bottom, last.right, cells.top))
            under = (
                self._shape_under(self.within[-1], shape),
                self._shape_under(added.lattice.region, f"adds {_SIZE}"),
            )
            self.shapes.append(under)
            for part in (*inside, added):
                part.empty()

    def _lay_costs(self) -> None:
        """The matrices of a layer as areas, and those of GPT-2 in a bar."""
        rooms = [Room(Size(n * _SQUARE, m * _SQUARE)) for n, m in ((2.2, 3), (5.2, 4.5))]
        row, column = Row(*rooms, weights=(2, 5)), Column(*rooms, weights=(1, 2))
        fit(self.page.rest, *((row, column) if self.page.is_wide else (column, row)))
        attention, mlp = (room.region.cut_bottom(_NAME, 0.0)[1] for room in rooms)
        roles = [role for _, role in MATRICES]
        self.areas = Areas(self["areas"], roles, matrices_in(attention, mlp), (ATTENTION, MLP))
        room, n = self.page.rest, self.values.gpt_2.n_layers
        high = min(_HIGH, room.height - 4 * _NAME) / 2
        bar = Region(room.left, room.center[1] - high, room.right, room.center[1] + high)
        ends = slice(0, len(self.values.budget) - 1), slice(len(self.values.budget) - 1, None)
        self.budget = Areas(
            self["budget"], [*roles * n, "residual"], layers_in(bar, n), ends, over=True
        )

    @beat("Another layer: the same steps, with weights of its own.")
    def open_(self) -> Steps:
        time = 0.5 * self.reading
        yield [FadeIn(name, run_time=0.5) for name in self.layers]
        for weights in self.both:
            self.add(weights.empty())
        yield [weights.fill_rows(run_time=time) for weights in self.both]

    @beat("What attention gives back is added to the rows.")
    def attend(self) -> Steps:
        new = FadeIn(self.panels, run_time=0.6), FadeIn(self.shape, run_time=0.6)
        yield *(FadeOut(part, run_time=0.6) for part in (self.layers, *self.both)), *new
        yield from self._pass(0, "second.resid_mid")

    @beat("Inside the MLP, rows are {d_ff} wide. What it adds is {d_model} wide again.")
    def widen(self) -> Steps:
        yield from self._pass(1, "second.resid_post")

    def _pass(self, k: int, path: str) -> Steps:
        """Panel k takes the rows, and makes what is added to them."""
        time, inside, added, total = self.reading, self.inside[k], self.added[k], self[path]
        frame = CellFrame(self.x.lattice.region, "residual")
        yield Create(frame, run_time=0.1 * time)
        yield frame.trace(self.within[k], run_time=0.15 * time)
        self.add(*inside)
        yield (
            *(part.fill_rows(run_time=0.18 * time) for part in inside),
            *(FadeOut(frame, run_time=0.3), FadeIn(self.shapes[k][0], run_time=0.3)),
        )
        if k == 1:
            yield self.hidden.to(self["second.act"], run_time=0.1 * time)
        self.add(added)
        yield added.fill_rows(run_time=0.2 * time), FadeIn(self.shapes[k][1], run_time=0.3)
        adds = add_into(self.x, added, total, bound=bound_of(total), run_time=0.2 * time)
        yield *adds, FadeOut(self.shapes[k][1], run_time=0.2 * time)

    @beat("Again {n_tokens} × {d_model}: only the numbers may change.")
    def same(self) -> Steps:
        yield recolor(self.shape, theme().ink)

    @beat("Its weights, drawn to scale: here {n_in_layer:d} numbers.")
    def weigh(self) -> Steps:
        inside = [part for parts in self.inside for part in parts]
        gone = [self.panels, *inside, *(shape for shape, _ in self.shapes)]
        yield [FadeOut(part, run_time=0.5) for part in gone]
        self.add(self.areas)
        yield self.areas.come(0, len(MATRICES), run_time=0.4 * self.reading)
        self.names = names_in(self.areas, [self.say_of(shape) for shape in _HERE])
        sums = self["count.in_attention"], self["count.in_mlp"]
        written = self.areas.write(sums, ",d", self.values.d_model**2)
        self.told = VGroup(self.names, written)
        yield FadeIn(self.told, run_time=0.5)

    @beat("Rows are $d$ wide, the MLP usually $4 d$: 4 + 4 + 4 = {n_squares:d} squares, $12 d^2$.")
    def rule(self) -> Steps:
        self.areas.unwrite()
        yield FadeOut(self.told, run_time=0.4)
        yield self.areas.to(self["usual_areas"], run_time=0.3 * self.reading)
        sums = self["squares_of_attention"], self["squares_of_mlp"]
        written = self.areas.write(sums, ",d", 1.0, " d²")
        self.told = VGroup(squares_in(self.areas), names_in(self.areas, _USUAL), written)
        yield FadeIn(self.told, run_time=0.5)

    @beat(
        "The smallest GPT-2 has {gpt_2.n_layers} layers: "
        "{n_squares:d} · {gpt_2.n_layers} · {gpt_2.d_model}² is {in_layers:.1f} million."
    )
    def layers_(self) -> Steps:
        areas, budget, n = self.areas, self.budget, len(MATRICES)
        yield FadeOut(self.told, run_time=0.4)
        yield areas.become(budget, run_time=0.3 * self.reading)
        self.remove(areas)
        self.add(budget)
        yield budget.come(n, len(self.values.budget) - 1, run_time=0.4 * self.reading)
        sums: tuple[Value, Value] = self["in_layers"], self["in_others"]
        self.sums = budget.write(sums, ".1f", 1.0, " million")
        yield FadeIn(
            self._told_of(
                0, "{gpt_2.n_layers} layers, d = {gpt_2.d_model}: attention below, MLP above"
            )
        )

    @beat(CAPTION)
    def all_in_all(self) -> Steps:
        n = len(self.values.budget)
        yield self.budget.come(n - 1, n, run_time=0.3 * self.reading)
        yield FadeIn(self._told_of(1, "embeddings, biases, norms"))

    def _told_of(self, k: int, words: str) -> VGroup:
        """The number over a stretch of the bar, and words under it."""
        edges = self.budget.edges[(slice(0, -1), slice(-1, None))[k]]
        left, right, bottom = edges[:, 0].min(), edges[:, 2].max(), edges[:, 1].min()
        look: dict[str, Any] = {"size": SMALL, "color": theme().muted}
        told = Paragraph(self.say_of(words), width=right - left - _PAD, **look)
        told.move_to(((left + right) / 2, bottom - _PAD - told.height / 2, 0.0))
        return VGroup(self.sums[k], told)

    def _shape_under(self, cells: Region, shape: str) -> Label:
        label = Label(self.say_of(shape), size=LABEL, color=theme().muted)
        return label.center_on(np.array([cells.center[0], cells.bottom - _UNDER, 0.0]))
