"""All of it in one picture, from words to probabilities; attention is where rows meet."""

from __future__ import annotations

from typing import Any

from manim import Create, FadeIn, FadeOut

from clockhead.model.logit_lens import LensedBlock
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.token_rows import bound_of, steady
from clockhead.scenes.spelling import counted
from clockhead.scenes.stage import CAPTION, Column, Derived, Row, Steps, beat, fit
from clockhead.scenes.style.motion import recolor
from clockhead.scenes.style.theme import theme
from clockhead.scenes.transformer_block.circuit import LayerCircuit
from clockhead.scenes.transformer_block.inputs import BlockInputs, BlockStage
from clockhead.scenes.transformer_block.page import Page, rows_of
from clockhead.scenes.transformer_block.way_out import WayOut


class Flow(BlockStage):
    """Two layers as a circuit, and the way of one row through it."""

    class Inputs(BlockInputs):
        """A short text and the rows that go in."""

    title = "The transformer block"
    question = "One flow from words to probabilities. Where on the way do the rows meet?"
    caption = "A layer may change every number, never the shape."
    opens = ("x",)
    derived = BlockStage.derived | {
        "n_capital": Derived(
            "how many tokens there are, as a sentence begins",
            lambda lens: counted(lens.n_tokens).capitalize(),
        ),
        "added": Derived("how often something is added", lambda lens: counted(lens.n_stations - 1)),
    }

    values: LensedBlock

    @classmethod
    def compute(cls, inputs: Any) -> LensedBlock:
        return LensedBlock.of(inputs.example())

    def layout(self) -> None:
        page = Page(self)
        bound = bound_of(self["streams"])
        end = self["streams"][self.values.n_stations - 1]
        self.x = rows_of(self, end, low=-bound, high=bound)
        self.x.place_cells(page.x)
        first, second = LayerCircuit(self, 0), LayerCircuit(self, 1)
        onward = LayerCircuit(self, 1, goes_on=True)
        out, plain, split = WayOut(self), WayOut(self, numbered=False), Column(first, second)
        weights = (first.units, onward.units, 2)
        in_line = Row(first, onward, out, gap=0.0, weights=weights), onward, out
        beside = Row(split, out, gap=0.0, weights=(4, 1)), second, out
        tight = Row(split, plain, gap=0.0, weights=(4, 1)), second, plain
        below = Column(first, second, out, weights=(1, 1, 0)), second, out
        ways = (in_line, beside, tight) if page.is_wide else (below, tight)
        chosen = ways[fit(steady(self.canvas), *(way for way, _, _ in ways))]
        self.layers, self.out = (first, chosen[1]), chosen[2]
        self.out.connect(self.layers[1].end)

    @property
    def _sources(self) -> tuple[Matrix, Matrix]:
        """The streams that go into the layers, where their circuits begin."""
        first, second = self.layers
        return self.x, second.tapes[0] if len(second.tapes) > 2 else first.tapes[-1]

    @beat("{n_capital} rows go in. They meet in attention only: the MLP takes each of them alone.")
    def enter(self) -> Steps:
        time = 0.4 * self.reading
        begin = self["streams"][0]
        bound = bound_of(begin)
        yield self.x.to(begin, low=-bound, high=bound, run_time=0.3 * time)
        start, size = self.layers[0].start, self.layers[0].size
        yield self.x.slide_cells_to(start, size=size, run_time=0.4 * time)
        yield [FadeIn(layer.picture, run_time=0.3 * time) for layer in self.layers]
        yield from self._run(0, 0.6 * self.reading)

    def _run(self, k: int, time: float) -> Steps:
        """Let what a layer computes appear from left to right."""
        layer = self.layers[k]
        *begin, middle, end = range(len(layer.tapes))
        if begin:
            yield layer.arrive(0, run_time=0.15 * time)
        yield layer.look(run_time=0.4 * time)
        yield layer.arrive(middle, run_time=0.15 * time)
        yield layer.think(run_time=0.3 * time)
        yield layer.arrive(end, run_time=0.15 * time)

    @beat("The second layer adds again; $U$ turns the last row into probabilities.")
    def second_layer(self) -> Steps:
        yield from self._run(1, 0.6 * self.reading)
        yield FadeIn(self.out, run_time=0.5), FadeIn(self.out.chart, run_time=0.5)
        yield self.out.bars.grow(lag=0.2, run_time=0.3 * self.reading)

    @beat("The row of {asker} is added to {added} times, and is {d_model} numbers wide all along.")
    def travel(self) -> Steps:
        last = self.values.last
        frame = CellFrame(self.x.row(last), "residual")
        yield Create(frame, run_time=0.3)
        for k, layer in enumerate(self.layers):
            middle, end = layer.tapes[-2:]
            source = self._sources[k]
            others = [CellFrame(source.row(n), "attention", 3.0) for n in range(last)]
            self.add(*others)
            meet = layer.joint(0)
            yield [one.trace(meet, run_time=0.7) for one in (frame, *others)]
            yield (
                frame.trace(middle.row(last), run_time=0.3),
                *(FadeOut(one, run_time=0.3) for one in others),
            )
            yield frame.trace(layer.strips[last].row(0), end.row(last), run_time=0.8)
        yield frame.trace(self.out.region, run_time=0.4)
        yield FadeOut(frame, run_time=0.3)

    @beat(
        "The example is from a primer: {printed.n_right} of the {printed.n_numbers} numbers "
        "that it prints are right.",
        when=lambda lens: lens.is_primer,
    )
    def reproduce(self) -> Steps:
        """Every matrix lights up that the primer prints."""
        boards = [self.x, *(tape for layer in self.layers for tape in layer.tapes)]
        frame = CellFrame(boards[0].lattice.region)
        yield Create(frame, run_time=0.4)
        stops = (board.lattice.region for board in boards[1:])
        yield frame.trace(*stops, self.out.region, run_time=0.6 * self.reading)
        yield FadeOut(frame, run_time=0.3)

    @beat(CAPTION)
    def end(self) -> Steps:
        """The shapes light up, from left to right."""
        shapes = [shape for layer in self.layers for shape in layer.shapes]
        for shape in shapes:
            yield recolor(shape, theme().ink, run_time=0.8 * self.reading / len(shapes))
