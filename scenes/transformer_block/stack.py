"""A second layer with weights of its own; the shape of the tape never changes. What layers cost."""

from __future__ import annotations

from typing import Any

from clockhead.model.films.transformer_block.stack import StackedLayers, stacked_layers
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.matrix_moves import slide_cells
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.table import Room
from clockhead.scenes.parts.token_rows import steady
from clockhead.scenes.stage import CAPTION, Column, Row, Size, Steps, beat, fit, together
from clockhead.scenes.style.motion import FadeIn, FadeOut, recolor
from clockhead.scenes.style.theme import theme
from clockhead.scenes.transformer_block.areas import Areas
from clockhead.scenes.transformer_block.circuit import LayerCircuit
from clockhead.scenes.transformer_block.inputs import BlockStage
from clockhead.scenes.transformer_block.page import Page, rows_of

_SQUARE, _NAME = 0.6, 0.4
"""The least side of a square, and the band under squares for their number, in units."""
_HERE = ("{d_model} × {d_model}",) * 4 + ("{d_model} × {d_ff}", "{d_ff} × {d_model}")
_USUAL = ("d × d",) * 4 + ("d × 4d", "4d × d")
"""The shapes of the matrices, here and usually."""


def _widened(block: StackedLayers) -> str:
    if block.d_ff == block.d_model:
        return "Inside its MLP rows are {d_ff} wide as well, and so is what it adds."
    way = "widens" if block.d_ff > block.d_model else "narrows"
    return f"Its MLP {way} rows to {{d_ff}}; what it adds is {{d_model}} wide."


class Stack(BlockStage):
    """The second layer takes what the first gives; layers cost twelve squares each."""

    title = "One more layer, and what it costs"
    question = "What can come after a layer?"
    caption = (
        "$L$ layers hold ${n_squares:d} L d^2$; with all else, GPT-2 learns {in_all:.1f} million "
        "numbers."
    )
    opens = ("x",)
    leaves = ("after as x",)

    values: StackedLayers

    @classmethod
    def compute(cls, inputs: Any) -> StackedLayers:
        return stacked_layers(inputs.example())

    def layout(self) -> None:
        self.page = Page(self)
        self.x = rows_of(self, "first.resid_post")
        self.x.place_cells(self.page.x)
        self.circuit = LayerCircuit(self, 1)
        self.circuit.place(steady(self.canvas))
        self.after = rows_of(self, "second.resid_post")
        rooms = [Room(Size(n * _SQUARE, m * _SQUARE)) for n, m in ((2.2, 3), (5.2, 4.5))]
        row, column = Row(*rooms, weights=(2, 5)), Column(*rooms, weights=(1, 2))
        fit(self.page.rest, *((row, column) if self.page.is_wide else (column, row)))
        attention, mlp = (room.region.cut_bottom(_NAME, 0.0)[1] for room in rooms)
        self.areas = Areas(self["areas"], attention, mlp)
        names = slots(self["budget_names"], down=True)
        millions = Scale(0.0, float(self.values.budget.max()), name="million numbers")
        self.chart = Chart(millions, names, least=(1.0, 1.0), most=(6.0, 2.0))
        self.budget = Bars(self["budget"], self.chart, "residual", spec=".1f", grown=False)
        self.chart.place(self.page.rest)

    @beat("Another layer: the same steps, with weights of its own.")
    def open_(self) -> Steps:
        yield from self.circuit.take(self.x, 0.6 * self.reading)

    @beat("Attention mixes the rows: the broader a ribbon, the larger its share.")
    def attend(self) -> Steps:
        yield from self.circuit.attend(0.8 * self.reading)

    @beat(_widened)
    def widen(self) -> Steps:
        yield from self.circuit.think(0.8 * self.reading)

    @beat("It gives {n_tokens} × {d_model} again, so one more layer could follow.")
    def same(self) -> Steps:
        shapes = self.circuit.shapes
        for shape in shapes:
            yield recolor(shape, theme().ink, run_time=0.7 * self.reading / len(shapes))

    @beat("Its weights, drawn to scale: here {n_in_layer:d} numbers.")
    def weigh(self) -> Steps:
        circuit, end = self.circuit, self.circuit.tapes[-1].lattice.region
        self.remove(self.x)
        self.after.place_cells(end, size=circuit.size)
        self.after.words_to(0.0)
        self.add(self.after)
        yield FadeOut(circuit.picture, run_time=0.4)
        yield 0.4 * together(slide_cells(self.after, self.page.x, words=True))
        sums = self["count.in_attention"], self["count.in_mlp"]
        shapes = [self.say_of(shape) for shape in _HERE]
        self.told = self.areas.describe(shapes, sums, self.values.d_model**2)
        yield together(FadeIn(self.areas), FadeIn(self.told), run_time=0.5)

    @beat(
        "Rows are $d$ wide, the MLP usually ${usual_width} d$: {squares_of_attention:d} + "
        "{usual_width} + {usual_width} = {n_squares:d} squares, ${n_squares:d} d^2$."
    )
    def rule(self) -> Steps:
        yield FadeOut(self.told, run_time=0.4)
        yield 0.3 * self.areas.to(self["usual_areas"])
        sums = self["squares_of_attention"], self["squares_of_mlp"]
        self.told = self.areas.describe(_USUAL, sums, suffix=" d²")
        yield FadeIn(self.told, run_time=0.5)

    @beat(
        "The smallest GPT-2 has {gpt_2.n_layers} layers: "
        "{n_squares:d} · {gpt_2.n_layers} · {gpt_2.d_model}² is {in_layers:.1f} million."
    )
    def layers_(self) -> Steps:
        yield together(FadeOut(self.told), FadeOut(self.areas), run_time=0.5)
        yield FadeIn(self.chart, run_time=0.5)
        yield 0.5 * self.budget.grow([0])

    @beat(CAPTION)
    def all_in_all(self) -> Steps:
        yield 0.4 * self.budget.grow([1])
