"""The whole wave, neuron by neuron: how many neurons it takes, and its error."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from clockhead.model.networks.relu_wave import Narrowing, narrow_ramps
from clockhead.scenes.one_layer.lines import CornerLine, ErrorArea
from clockhead.scenes.one_layer.page import (
    EPSILONS,
    SHAPE,
    Ramp,
    StepInputs,
    WavePage,
    error_product,
    error_readout,
    first_knob,
    target_line,
)
from clockhead.scenes.parts.curves import Dots
from clockhead.scenes.parts.figures import Readout
from clockhead.scenes.spelling import counted, said
from clockhead.scenes.stage import CAPTION, Derived, Handle, Layers, Picture, Stage, Steps, beat
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut, Moves, together

_FIRST, _FORMULA = 2, 32.0
"""Number of neurons of the first step, and letter size of the formula in pixels."""


def _next_neurons(v: Narrowing) -> str:
    if v.steps.n_jumps == 1:
        return "For a single jump, these two: the sum bends once for each."
    return "Add the next neurons, one by one. Each bends the sum once more."


class Wave(Stage[Narrowing]):
    """Two neurons for every jump draw the whole wave, with ramps that can be arbitrarily narrow."""

    class Inputs(StepInputs):
        """A step function, and the widths of its ramps."""

        epsilon: Ramp = Field(0.1, description="width of the ramps at first")
        narrow: Ramp = Field(0.01, description="width of the ramps in the end")

    title = "Two neurons for every jump"
    question = "How many neurons make the whole {shape}?"
    caption = "A ramp gets as narrow as one likes, but no sum of ReLUs jumps: none of them does."
    opens = ("chart", "target", "net", "knob")
    leaves = ("chart", "target", "net", "error")
    derived = {
        "shape": SHAPE,
        "many": Derived("number of neurons, spelled out", lambda v: counted(v.wide.n_neurons)),
        "fewer": Derived(
            "number of neurons minus one, spelled out", lambda v: counted(v.wide.n_neurons - 1)
        ),
    }

    handles = (
        Handle(
            "levels",
            ((0.0, 1.0), (0.0, 1.0, 0.0), (0.0, 0.5, 1.0, 1.5), (1.0, -1.0, 1.0, -1.0, 1.0)),
            beat="gaps",
        ),
        Handle("epsilon", "0.01,0.02,0.05,0.1,0.2,0.3,0.5,0.7"),
    )

    @classmethod
    def compute(cls, inputs: Any) -> Narrowing:
        first, last = inputs.relus("epsilon"), inputs.relus("narrow")
        return narrow_ramps(inputs.steps, first.epsilon, last.epsilon)

    def layout(self) -> None:
        page, n = WavePage(self, self.values.steps), self.values.wide.n_neurons
        self.chart = page.chart
        self.target = target_line(self["steps.corners"], self.chart)
        self.net = CornerLine(self["wide.sums"][_FIRST], self.chart)
        self.knob = first_knob(self["epsilons"], "ε", "value", EPSILONS)
        self.count = Readout(self["wide.counts"][_FIRST], "d", words=said("neurons"), color="value")
        self.error = error_readout(self["errors"][0])
        self.gaps = ErrorArea(self["errors"][0], self.chart, self.values.steps, self.net)
        bends = self["wide.bends"]
        self.bends = Dots(
            self["wide.at_bends"], self.chart, x=bends, role="value", standing=range(_FIRST)
        )
        self.corners = Dots(
            self["wide.at_bends"], self.chart, x=bends, role=None, radius=0.17, standing=()
        )
        self.later = range(_FIRST, n)
        self.rule = error_product(self, said("error"), "epsilon/4 dot", _FORMULA)
        page.finish(self.knob, Layers(self.error, self.count), over=self.rule)
        self.remove(self.rule)

    @beat(_next_neurons)
    def add_up(self) -> Steps:
        yield FadeIn(self.bends, self.count, run_time=0.5)
        time = 0.9 * self.reading / max(1, len(self.later))
        for k in self.later:
            self.count.set_to(self["wide.counts"][k + 1])
            yield (
                self.net.to(self["wide.sums"][k + 1], run_time=time),
                self.bends.appear(k, run_time=0.5 * time),
            )

    @beat(
        "No: a sum of ReLUs bends only where one of them does, and it needs {many} corners.",
        ask="Would {fewer} do?",
    )
    def enough(self) -> Steps:
        n = self.values.wide.n_neurons
        for k in (n - 1, n):
            yield 0.18 * self._change_count(k)
            yield 0.09 * self.reading
        for k in range(n):
            yield 0.36 / n * self.corners.appear(k)

    @beat("Where it is level it is exact. On the ramps it is not: the error is {wide.error:.3g}.")
    def gaps_(self) -> Steps:
        yield FadeOut(self.bends, self.corners, self.count, run_time=0.5)
        self.gaps.redraw()
        yield FadeIn(self.gaps, self.error, run_time=0.8)
        self.rule.hide()
        yield 0.7 * self.rule.appear()

    @beat("It is ε/4 times all heights: with ε = {narrow.epsilon:.3g}, it is {narrow.error:.3g}.")
    def narrow(self) -> Steps:
        paths = "epsilons", "corners", "errors", "errors"
        parts: tuple[Picture, ...] = self.knob, self.net, self.error, self.gaps
        pairs = zip(parts, paths, strict=True)
        yield 0.9 * together([part.through(self[path]) for part, path in pairs])

    @beat(CAPTION)
    def end(self) -> Steps:
        yield 0.25 * self.reading
        yield 0.5 * FadeOut(self.gaps, self.rule)

    def _change_count(self, n: int) -> Moves:
        """Animate to the sum of `n` neurons; the number and the dots change halfway."""

        def dot(share: NDArray[np.float64]) -> None:
            if share > 0.5:
                self.bends.standing = set(range(n))
                self.bends.redraw()

        return together(
            self.net.to(self["wide.sums"][n]),
            self.count.to(self["wide.counts"][n], rate_func=lambda share: float(share > 0.5)),
            Drive(self.bends, dot, 0.0, 1.0),
        )
