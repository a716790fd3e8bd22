"""The whole transformer in one picture, from words to probabilities; rows meet in attention."""

from __future__ import annotations

from typing import Any

from manim import Create

from clockhead.model.primer.worked_block import WorkedBlock
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.table import bound_of, steady
from clockhead.scenes.stage import CAPTION, Column, Room, Row, Size, Steps, beat, fit, together
from clockhead.scenes.style.motion import FadeIn, FadeOut, recolor
from clockhead.scenes.style.text import Formula
from clockhead.scenes.style.theme import theme
from clockhead.scenes.transformer_block.circuit import LayerCircuit
from clockhead.scenes.transformer_block.inputs import BlockStage
from clockhead.scenes.transformer_block.page import TapePage

_SIGN = Size(0.9, 0.4)
"""Room for the sign between the last row and the probabilities."""
_LEAST = 0.5
"""Minimum width of the bars, in units."""
_CLOSE = 0.1
"""Minimum gap between the parts, in units."""


class Flow(BlockStage[WorkedBlock]):
    """Two layers as a circuit, and the path of one row through it."""

    title = "The transformer block"
    question = "Where do the rows meet?"
    caption = "Each layer adds to the stream: attention among its rows, then an MLP for each."
    opens = ("x",)

    def layout(self) -> None:
        page = TapePage(self)
        end = self["second.resid_post"]
        bound = bound_of(end)
        self.x = page.tape(end, low=-bound, high=bound)
        first, second = LayerCircuit(self, 0), LayerCircuit(self, 1)
        onward, split = LayerCircuit(self, 1, goes_on=True), Column(first, second, gap=_CLOSE)
        bars = [self._bars(numbered) for numbered in (True, False)]
        sign = Room(_SIGN, _SIGN)
        outs = [Column(sign, bar.chart, gap=0.0) for bar in bars]
        weights = (first.units, onward.units, 2)
        in_line = Row(first, onward, outs[0], gap=0.0, weights=weights), onward, bars[0]
        beside = Row(split, outs[0], gap=_CLOSE, weights=(4, 1)), second, bars[0]
        tight = Row(split, outs[1], gap=_CLOSE, weights=(4, 1)), second, bars[1]
        below = Column(first, second, outs[0], weights=(1, 1, 0)), second, bars[0]
        ways = (in_line, beside, tight) if page.is_wide else (below, tight)
        chosen = ways[fit(steady(self.canvas), *(way for way, _, _ in ways))]
        self.layers, self.bars = (first, chosen[1]), chosen[2]
        self.sign = Formula("arrow times token(U)", size=26.0).move_to(sign.region.center)

    def _bars(self, numbered: bool) -> Bars:
        top = float(self.values.run.probabilities.max())
        words = slots(self["vocabulary"], down=True)
        chart = Chart(Scale(0.0, top), words, least=(_LEAST, 2.0), most=(3.0, 4.5))
        look: dict[str, Any] = {"spec": ".1%", "numbered": [self.values.prediction]}
        look = look if numbered else {}
        return Bars(self["run.probabilities"], chart, "token", grown=False, **look)

    @beat("{n_tokens} rows go in. They meet in attention; the MLP takes each of them alone.")
    def enter(self) -> Steps:
        begin, time, layer = self["resid_pre"], self.reading, self.layers[0]
        bound = bound_of(begin)
        yield self.x.to(begin, low=-bound, high=bound, run_time=0.15 * time)
        yield from layer.take(self.x, 0.3 * time)
        yield from layer.attend(0.25 * time)
        yield from layer.think(0.25 * time)

    @beat("The second layer adds again; $U$ turns the last row into probabilities.")
    def second_layer(self) -> Steps:
        layer, time = self.layers[1], self.reading
        yield FadeIn(layer.picture, run_time=0.1 * time)
        if len(layer.tapes) > 2:
            layer.tapes[0].open_to(self.layers[0].tapes[-1].opened)
        yield from layer.attend(0.25 * time)
        yield from layer.think(0.25 * time)
        yield FadeIn(self.sign, self.bars.chart, run_time=0.5)
        yield self.bars.grow(lag=0.2, run_time=0.3 * time)

    @beat("The row of {asker} stays {d_model} numbers wide, whatever is added to it.")
    def travel(self) -> Steps:
        last, time, source = self.values.last, 0.14 * self.reading, self.x
        frame = CellFrame(source.row(last), "residual")
        yield Create(frame, run_time=0.3)
        for layer in self.layers:
            source = source if len(layer.tapes) < 3 else layer.tapes[0]
            others = [CellFrame(source.row(n), "attention", 3.0) for n in range(last)]
            self.add(*others)
            middle, source = layer.tapes[-2:]
            row = middle.row(last)
            yield together([one.trace(row) for one in (frame, *others)], run_time=2 * time)
            yield FadeOut(*others, run_time=0.3)
            yield frame.trace(layer.acts.row(last), source.row(last), run_time=2 * time)
        yield frame.trace(self.bars.chart.area, run_time=time)
        yield FadeOut(frame, run_time=0.3)

    @beat(CAPTION)
    def end(self) -> Steps:
        """Highlight the shapes from left to right."""
        shapes = [shape for layer in self.layers for shape in layer.shapes]
        for shape in shapes:
            yield recolor(shape, theme().ink, run_time=0.8 * self.reading / len(shapes))
