"""Softmax after the head: shares of attention as logits, and what is left of their proportions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.model.films.induction.probabilities import ShareExample, share_example
from clockhead.model.induction.circuit import Induction
from clockhead.scenes.induction.answers import SHARE, SIZE, Answering
from clockhead.scenes.induction.words import InductionInputs, named
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.knob import Knob
from clockhead.scenes.parts.paths import rectangles
from clockhead.scenes.parts.scale import Scale
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Derived,
    Picture,
    Reading,
    Steps,
    Value,
    beat,
    together,
)
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.theme import Role, theme

_GAMMA, _LOGIT, _GAMMAS = ".1f", ".1f", (1.0, 100.0)
"""How gamma and logits are written, and the ends of the knob."""


def _left(values: ShareExample) -> str:
    if values.sure.n_leaders > 1:
        return "Laid end to end, {leaders_listed} have only {sure.flat_lead:.1%} together."
    return "Laid end to end, {leaders_listed} has only {sure.flat_lead:.1%}."


def _blocks(values: ShareExample) -> str:
    if values.sure.n_leaders > 1:
        return "Softmax takes e to the power of each: from {least_block:.1f} to {lead_block:.1f}."
    return (
        "Softmax takes e to the power of each: {lead_block:.1f} for {leaders_listed}, and still "
        "{least_block:.1f} for the least."
    )


class Probabilities(Answering):
    """Shares of attention become logits, a softmax makes probabilities of them, gamma sharpens."""

    Inputs = InductionInputs
    title = "Softmax after softmax"
    question = ""
    caption = (
        "So the output is multiplied first. γ = {sure.gamma:.1f} brings {leaders_listed} back to "
        "{sure.goal:.0%}."
    )
    opens = ("tiles", "chart", "bars")
    leaves = ("tiles",)
    claims = (
        Claim(
            "the text gets about the shares that its matching notes say",
            lambda values: (
                values.worst_error < 0.1 and set(values.main.says) == set(values.main.text.best)
            ),
            "one is off by {worst_error:.0%} with alpha {inputs.alpha:g} and beta {inputs.beta:g}",
        ),
    )
    derived = {
        "leaders_listed": Derived(
            "the words that attention gives most",
            lambda values: named(values.main.says, "{n} words"),
        )
    }

    values: ShareExample

    @classmethod
    def compute(cls, inputs: Any) -> ShareExample:
        return share_example(inputs.tokens[1:], alpha=inputs.alpha, beta=inputs.beta)

    def layout(self) -> None:
        self.lay("texts.", ("main",), self["texts.outputs"][0])
        self.bars.grow().interpolate(1.0)
        self.tiles.look(self.values.main.text.followers.tolist(), "correct")
        self.top = self.values.sure.leaders.tolist()
        self.every = range(len(self.words))
        area = self.chart.area
        below = Region(area.left, self.canvas.bottom, area.right, area.top)
        left, right = below.left, below.right
        bar = Region(left, below.point(0, 0.6)[1], right, below.point(0, 0.9)[1])
        self.laid = Laid(self["sure.flat"], self.bars, self.top, bar, "probability")
        self.figure = Figure(self["sure.flat_lead"], SHARE, size=2 * SIZE)
        under = Region(bar.left, below.bottom, bar.right, bar.bottom - 0.1)
        self.figure.number.center_on(under.point(0.35, 0.55))
        self.knob = Knob(self["gammas"][0], *_GAMMAS, spec=_GAMMA, prefix="γ = ")
        self.knob.place(Region(under.point(0.5, 0)[0], under.bottom, under.right, under.top))

    def head(self, name: str) -> Induction:
        return self.values.main

    @beat("A language model takes this output as logits, and applies softmax.",
          focus=("tiles", "bars"))  # fmt: skip
    def logits(self) -> Steps:
        high = Scale(0.0, 3.0)
        self.rescaled = {"x" if self.chart.y.scaling.names else "y": high}
        yield self.chart.rescale(**self.rescaled, run_time=1.4)
        yield self.bars.write(self.every, _LOGIT)

    @beat(_blocks, ask="How much of the lead of {leaders_listed} survives?", rest=REST,
          focus="bars")  # fmt: skip
    def blocks_(self) -> Steps:
        """Logits become powers of e."""
        yield self.bars.unwrite(run_time=0.2)
        yield together(
            self.bars.to(self["blocks"]),
            self.bars.recolor([k for k in self.every if k not in self.top], "token"),
            run_time=2.0,
        )
        yield self.bars.write(self.every, _GAMMA)

    @beat(_left, rest=REST, focus=("tiles", "laid", "figure"))
    def flat(self) -> Steps:
        """The blocks lie down to one bar."""
        yield self.bars.unwrite(run_time=0.2)
        down = self.laid.lie_down(run_time=2.4)
        self.remove(self.bars)
        self.add(self.laid)
        yield down, FadeOut(self.chart.x, self.chart.y)
        yield FadeIn(self.figure)

    @beat(CAPTION, rest=REST, focus=("tiles", "laid", "figure"))
    def scale(self) -> Steps:
        """The knob turns up, and the part of the words that lead grows."""
        yield FadeIn(self.knob)
        yield together(
            self.knob.through(self["gammas"]),
            self.laid.through(self["probabilities"]),
            self.figure.through(self["leading"]),
            run_time=4.0,
        )


class Laid(Picture):
    """Shares (n,) that make up one bar, which fills a region; `bars` of the same parts become it.

    The parts that `lead` lie first and have a colour of their own.
    """

    def __init__(
        self, shares: Value, bars: Bars, lead: list[int], region: Region, role: Role
    ) -> None:
        super().__init__(shares)
        self._bars, self._lead, self._region, self._gone = bars, lead, region, 0.0
        self._others = [k for k in range(len(shares)) if k not in lead]
        page = theme()
        self.others = Shape(stroke_color=page.ground, stroke_width=2, fill_opacity=1)
        self.others.set_fill(page.muted, 1)
        self.part = Shape(stroke_color=page.ground, stroke_width=2, fill_opacity=1)
        self.part.set_fill(getattr(page, role), 1)
        self.add(self.others, self.part)

    def lie_down(self, **options: Any) -> Drive:
        """Let the bars, which stand now, lie down one after the other."""
        self._starts = self._bars.boxes
        return self.drive("_gone", 0.0, 1.0, **options)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the parts, as far as they have come."""
        ends = self._boxes(state)
        boxes = self._starts + (ends - self._starts) * self._gone
        self.others.set_points(rectangles(*boxes[self._others].T))
        self.part.set_points(rectangles(*boxes[self._lead].T))

    def readings(self) -> Iterator[Reading]:
        """How long each part is."""
        if self._gone < 1 or not is_visible(self.part):
            return
        for shape, places in ((self.part, self._lead), (self.others, self._others)):
            for k, corners in zip(places, shape.points.reshape(-1, 16, 3), strict=True):
                yield Reading(self.shown[k], float(np.ptp(corners[:, 0])) / self._region.width)

    def _boxes(self, state: NDArray[np.float64]) -> NDArray[np.float64]:
        """Left, bottom, right and top of each part where it lies; the one that leads first."""
        order = [*self._lead, *self._others]
        ends = self._region.left + self._region.width * np.cumsum(state[order])
        boxes = np.zeros((len(state), 4))
        boxes[order, 0] = np.concatenate([[self._region.left], ends[:-1]])
        boxes[order, 2] = ends
        boxes[:, 1], boxes[:, 3] = self._region.bottom, self._region.top
        return boxes
