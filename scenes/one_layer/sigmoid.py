"""Sigmoids instead of ReLUs: half as many neurons, and an error that falls in the same way."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from clockhead.model.films.one_layer.sigmoid import Steepening, steepening
from clockhead.scenes.one_layer.lines import LINE, CornerLine, ErrorArea
from clockhead.scenes.one_layer.page import (
    STEEPNESSES,
    Ramp,
    StepInputs,
    WavePage,
    error_product,
    error_readout,
    first_knob,
    target_line,
)
from clockhead.scenes.parts.curves import Dots, Trace
from clockhead.scenes.parts.equation import Equation, become
from clockhead.scenes.spelling import counted, said
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Derived,
    Handle,
    Layers,
    Picture,
    Stage,
    Steps,
    beat,
)
from clockhead.scenes.style.motion import FadeIn, FadeOut, together

_SIGMOID = [
    ("y", "y ="),
    ("sigma", "position(sigma)\\("),
    ("sum", "position(k) x + b"),
    ("end", "\\)"),
]
_RULE = "(2 ln 2)/position(k) dot"
_FORMULA = 32.0
"""Letter size of the formulas, in pixels."""
_USUAL, _STEEPER, _STEEPEST = 20.0, 1.5, 1000.0
"""Default steepness, the factor by which it grows until the claims hold, and its maximum."""
_CLOSE, _HALFWAY = 0.01, 0.02
"""Relative tolerances: of the error's formula, and of the sums being halfway at the jumps."""


def _halfway_sentence(v: Steepening) -> str:
    if v.gentle.n_neurons == 1:
        return "It does alone what took two ReLUs; at the jump it is halfway."
    return "{Few} of them do what took {many} ReLUs; at every jump the sum is halfway."


def _keeps_rule(v: Steepening) -> bool:
    return v.misprediction <= _CLOSE


def _is_halfway(v: Steepening) -> bool:
    return v.gentle.off_halfway <= _HALFWAY * v.steps.largest_height


def _final_error(v: Steepening) -> str:
    if v.ratio > 1:
        return "{ratio:,.4g} times as steep, it is {ratio:,.4g} times as small: {steep.error:.3g}."
    if v.ratio < 1:
        return "With k = {steep.steepness:g}, less steep, it is larger again: {steep.error:.3g}."
    return "It ends as steep as it began, and so the error stays {steep.error:.3g}."


class Sigmoid(Stage[Steepening]):
    """Sigmoids instead of ReLUs: one neuron per step, and an error of 2 ln 2 / k times heights."""

    class Inputs(StepInputs):
        """A step function, the width of its ramps, and the steepness of sigmoids."""

        narrow: Ramp = Field(0.01, description="width of the ReLUs' ramps")
        steepness: Annotated[float, Field(ge=8, le=1000)] | None = Field(
            None,
            description=f"steepness k of the sigmoids at first; if left out, {_USUAL:g}, or more "
            "if jumps are close to each other",
        )
        steep: float = Field(1000.0, ge=8, le=1000, description="steepness k in the end")

    title = "Neurons that bend smoothly"
    question = "What if a neuron is a sigmoid?"
    caption = "Ten times as steep leaves a tenth of the error: less and less, but never none."
    opens = ("chart", "target", "net", "error")
    leaves = ("chart", "target", "curve as net")
    claims = (
        Claim(
            "the error is close to 2 ln 2 / k times the sum of all heights",
            _keeps_rule,
            "it differs by {misprediction:.1%}, as sigmoids are too broad: set steepness to more "
            "than {gentle.steepness:g}",
        ),
        Claim(
            "at every jump the sum is close to halfway",
            _is_halfway,
            "it is off by {gentle.off_halfway:.2g}: set steepness to more than "
            "{gentle.steepness:g}",
        ),
    )
    derived = {
        "Few": Derived(
            "number of sigmoids, spelled out, capitalized",
            lambda v: counted(v.gentle.n_neurons).capitalize(),
        ),
        "many": Derived("number of ReLUs, spelled out", lambda v: counted(v.relu.n_neurons)),
    }

    handles = (Handle("steep", "30,50,100,200,300,500,1000"),)

    @classmethod
    def compute(cls, inputs: Any) -> Steepening:
        relus, steepness = inputs.relus("narrow"), inputs.steepness or _USUAL
        found = steepening(relus, steepness, inputs.steep)
        while inputs.steepness is None and not (_keeps_rule(found) and _is_halfway(found)):
            steepness = min(_STEEPER * steepness, _STEEPEST)
            found = steepening(relus, steepness, inputs.steep)
            if steepness == _STEEPEST:
                break
        return found

    def layout(self) -> None:
        page, steps = WavePage(self, self.values.steps), self.values.steps
        self.chart = page.chart
        self.target = target_line(self["steps.corners"], self.chart)
        self.net = CornerLine(self["relu.corners"], self.chart)
        first = self["gentle_sums"][1]
        self.curve = Trace(first, self.chart, x=self["x"], role="position", stroke=LINE, drawn=0.0)
        self.knob = first_knob(self["steepnesses"], "k", "position", STEEPNESSES)
        self.error = error_readout(self["relu.error"])
        self.formula = Equation(_SIGMOID, size=_FORMULA)
        self.rule = error_product(self, said("error"), _RULE, _FORMULA)
        self.gaps = ErrorArea(self["errors"][0], self.chart, steps, self.curve)
        at, x = self["gentle.at_jumps"], self["steps.jumps"]
        self.halves = Dots(at, self.chart, x=x, role="attention", standing=())
        page.finish(self.knob, self.error, over=Layers(self.rule, self.formula))

    @beat("A sigmoid goes from 0 to 1 by itself: one neuron makes a whole step.")
    def smooth(self) -> Steps:
        told = FadeIn(self.formula, self.knob, run_time=0.8)
        yield told, FadeOut(self.error, self.net, run_time=0.8)
        yield self.curve.draw_to(run_time=0.8 * self.reading - 0.8)

    @beat(_halfway_sentence)
    def half_as_many(self) -> Steps:
        n = self.values.gentle.n_neurons
        time = 0.85 * self.reading / n
        for k in range(n):
            sums = self["gentle_sums"][k + 1]
            yield self.curve.to(sums, run_time=time), self.halves.appear(k, run_time=time)
        self.gaps.redraw()
        self.error.set_to(self["errors"][0])
        yield FadeIn(self.gaps, self.error, run_time=0.6)

    @beat(
        "On the steepness k, and on all heights: it is 2 ln 2 / k times {steps.total_height:.4g}.",
        ask="The error is {gentle.error:.3g}. What does it depend on?",
    )
    def rule_(self) -> Steps:
        yield 0.9 * become(self.formula, self.rule)

    @beat(_final_error)
    def steepen(self) -> Steps:
        yield FadeOut(self.halves, run_time=0.4)
        self.curve.set_to(self["sums"][0])
        paths = "steepnesses", "sums", "errors", "errors"
        parts: tuple[Picture, ...] = self.knob, self.curve, self.error, self.gaps
        pairs = zip(parts, paths, strict=True)
        yield 0.9 * together([part.through(self[path]) for part, path in pairs])

    @beat(CAPTION)
    def end(self) -> Steps:
        yield 0.25 * self.reading
        yield 0.5 * FadeOut(self.gaps, self.rule)
