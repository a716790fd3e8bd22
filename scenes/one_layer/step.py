"""Two neurons make one step: the first climbs forever, the second cancels its slope."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clockhead.model.networks.relu_wave import N_STEPS, Narrowing, narrow_to
from clockhead.scenes.one_layer.lines import CornerLine
from clockhead.scenes.one_layer.page import (
    EPSILONS,
    Ramp,
    StepInputs,
    WavePage,
    first_knob,
    target_line,
)
from clockhead.scenes.parts.figures import Readout
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import CAPTION, Handle, Stage, Steps, beat
from clockhead.scenes.style.motion import FadeIn, FadeOut, Moves, together

_THIN: dict[str, Any] = {"stroke": 3.0, "opacity": 0.8}
"""The look of single neurons' lines beside their sum."""
_HALF = N_STEPS // 2
"""The step of the narrowing at which the second beat ends."""


class Step(Stage[Narrowing]):
    """Two neurons make one step: the first climbs forever, the second cancels its slope."""

    class Inputs(StepInputs):
        """A step function, and the width of its ramps."""

        epsilon: Ramp = Field(0.1, description="width of the ramps in the end")

    title = "Two neurons make one step"
    question = "How can lines that bend make a jump?"
    caption = "Two neurons make one step, as steep as their weights are large."
    opens = ("chart", "target", "net")
    leaves = ("chart", "target", "sum as net", "knob")

    handles = (Handle("epsilon", "0.005,0.01,0.02,0.05,0.1,0.2,0.3,0.5,0.7"),)

    @classmethod
    def compute(cls, inputs: Any) -> Narrowing:
        return narrow_to(inputs.steps, inputs.relus("epsilon").epsilon)

    def layout(self) -> None:
        page = WavePage(self, self.values.steps)
        self.chart = page.chart
        self.target = target_line(self["steps.corners"], self.chart)
        self.net = CornerLine(self["wide.gentle_line"], self.chart)
        self.sum = CornerLine(self["wide.gentle"], self.chart)
        first, second = self["wide.sums"][1], self["wide.second"]
        self.first = CornerLine(first, self.chart, **_THIN)
        self.second = CornerLine(second, self.chart, "query", **_THIN, drawn=0.0)
        self.knob = first_knob(self["epsilons"], "ε", "value", EPSILONS)
        self.weight = Readout(
            self["first_weights"][0], ".3g", words=said("weight: height / ε"), color="value"
        )
        page.finish(self.knob, self.weight)

    @beat("With a large weight, a neuron is soon at the new level, but it does not stop there.")
    def climb(self) -> Steps:
        self.remove(self.net)
        yield 0.9 * self.sum.to(self["wide.sums"][1])

    @beat(
        "Yes: one that is as steep, times −1, and bends where the level is reached.",
        ask="Can a second neuron hold it?",
    )
    def hold(self) -> Steps:
        """Keep both neurons as thin lines; their sum leaves the first where the second bends."""
        self.add(self.first, self.second)
        yield 0.4 * self.second.draw_to()
        yield 0.45 * self.sum.to(self["wide.sums"][2])

    @beat("The two slopes cancel: a ramp, ε wide. As ε gets small, the weights get large.")
    def narrow(self) -> Steps:
        yield together(
            FadeIn(self.knob, self.weight), FadeOut(self.first, self.second), run_time=0.8
        )
        self.chart.marks.remove(self.first)
        self.chart.marks.remove(self.second)
        yield together(self._narrow(slice(_HALF + 1)), run_time=self.reading - 1.2)

    @beat(CAPTION)
    def end(self) -> Steps:
        yield 0.7 * self._narrow(slice(_HALF, None))

    def _narrow(self, way: slice) -> Moves:
        """Animate narrowing ramps, with the knob and the weight, through part of the series."""
        series = {"epsilons": self.knob, "first_steps": self.sum, "first_weights": self.weight}
        return together([part.through(self[path][way]) for path, part in series.items()])
