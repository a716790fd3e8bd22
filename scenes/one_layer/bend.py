"""A neuron is a straight line that bends once; sums of lines without bends, and with bends."""

from __future__ import annotations

from typing import Any

from manim import smooth

from clockhead.model.films.one_layer.bend import OneNeuron, one_neuron
from clockhead.scenes.one_layer.lines import CornerLine, CurvePoint
from clockhead.scenes.one_layer.page import NAME, SHAPE, StepInputs, WavePage, target_line
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.equation import Equation, become
from clockhead.scenes.parts.figures import Readout
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import CAPTION, Stage, Steps, beat
from clockhead.scenes.style.motion import FadeIn, FadeOut, together

_STRAIGHT = [("y", "y"), ("equals", "="), ("sum", "w x + b")]
_CUT = [*_STRAIGHT[:2], ("relu", 'value("ReLU")\\('), ("sum", "w x + b"), ("close", "\\)")]
_FORMULA, _LETTERS = 34.0, 46.0
"""Letter sizes of the formulas and of the title card, in pixels."""
_THIN: dict[str, Any] = {"stroke": 3.0, "opacity": 0.6, "drawn": 0.0}


class Bend(Stage[OneNeuron]):
    """A neuron is a straight line that bends once; many of them will draw a wave of steps."""

    Inputs = StepInputs
    title = "A neuron is a line that bends"
    question = "How many neurons draw this {shape}?"
    caption = "A layer adds up many neurons, each times a weight, and keeps their bends."
    opens = ("chart", "target")
    leaves = ("chart", "target", "net")
    derived = {"shape": SHAPE}

    compute = one_neuron

    def layout(self) -> None:
        page = WavePage(self, self.values.steps)
        self.chart = page.chart
        self.target = target_line(self["steps.corners"], self.chart, drawn=0.0)
        self.net = CornerLine(self["line"], self.chart, drawn=0.0)
        look = {"color": "value"}
        self.dot = CurvePoint(self["bend_points"][0, 0], self.chart)
        self.straight = self._other_lines("lines", "line_sum")
        self.layer = self._other_lines("bent_lines", "bent_sum")
        self.weight = Readout(self["weights"][0], ".2f", words=said("weight w"), **look)
        self.bias = Readout(self["biases"][0], "+.2f", words=said("bias b"), **look)
        self.place = Readout(self["bends"][0], ".2f", words=said("bend −b/w"), color="attention")
        self.formula, self.cut = (Equation(terms, size=_FORMULA) for terms in (_STRAIGHT, _CUT))
        page.finish(self.weight, self.bias, self.place, over=self.cut)
        region = self.cut.region
        assert region is not None
        self.formula.place(region)
        self.card = TitleCard(said(NAME), role="value", size=_LETTERS)
        self.card.place(page.aside)

    @beat("Stephen Wolfram trained networks to draw such steps. Let us set the weights by hand.")
    def riddle(self) -> Steps:
        yield 0.85 * self.target.draw_to()

    @beat("A neuron multiplies x by a weight and adds a bias: a straight line.")
    def line(self) -> Steps:
        yield 0.4 * together(self.net.draw_to(), FadeIn(self.formula))
        yield 0.3 * FadeIn(self.weight, self.bias)

    @beat("Many such lines, added up, make just another straight line.")
    def straight_(self) -> Steps:
        yield from self._draw_sum(self.straight, 0.7 * self.reading)
        yield 0.2 * self.reading
        yield FadeOut(*self.straight, run_time=0.4)

    @beat("Then ReLU makes 0 of all that is below 0, and the line has a bend.")
    def relu(self) -> Steps:
        yield 0.6 * together(self.net.to(self["bent"]), become(self.formula, self.cut))

    @beat("It bends where wx + b is 0, at x = −b/w; beyond that, its slope is w.")
    def turn(self) -> Steps:
        """Change the bias there and back, and then the weight."""
        yield FadeIn(self.dot, self.place, run_time=0.4)
        parts = {
            "bent_ways": self.net,
            "weight_ways": self.weight,
            "bias_ways": self.bias,
            "bend_ways": self.place,
            "bend_points": self.dot,
        }
        ways = len(self.values.weight_ways)
        for k in range(ways):
            moves = [part.through(self[path][k], rate_func=smooth) for path, part in parts.items()]
            yield together(moves, run_time=(0.95 * self.reading - 0.4) / ways)

    @beat(CAPTION)
    def end(self) -> Steps:
        told = self.formula, self.weight, self.bias, self.place, self.dot
        yield FadeOut(*told, run_time=0.5)
        yield from self._draw_sum(self.layer, 0.5 * self.reading)
        yield self.card.appear(run_time=1.2)

    def _other_lines(self, lines: str, total: str) -> list[CornerLine]:
        """Lines of the two other neurons, and of the sum of all three."""
        thin = [CornerLine(self[lines][k], self.chart, **_THIN) for k in (1, 2)]
        return [*thin, CornerLine(self[total], self.chart, "attention", drawn=0.0)]

    def _draw_sum(self, lines: list[CornerLine], time: float) -> Steps:
        """Draw the lines of the other neurons, and then that of the sum."""
        self.add(*lines)
        *thin, total = lines
        yield together([line.draw_to() for line in thin], run_time=0.4 * time)
        yield total.draw_to(run_time=0.6 * time)
