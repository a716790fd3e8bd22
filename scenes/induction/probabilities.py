"""Softmax after the head: attention weights as logits lose most of their proportions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.model.films.induction.probabilities import ShareExample, share_example
from clockhead.model.induction.circuit import Induction
from clockhead.scenes.induction.answers import SHARE, SIZE, Answering
from clockhead.scenes.induction.words import InductionInputs, quote_words
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
"""Formats of gamma and of logits, and the knob's range."""


def _flat_share(values: ShareExample) -> str:
    if values.sure.n_leaders > 1:
        return "Laid end to end, {leaders_listed} have only {sure.flat_lead:.1%} together."
    return "Laid end to end, {leaders_listed} has only {sure.flat_lead:.1%}."


def _exponentials(values: ShareExample) -> str:
    if values.sure.n_leaders > 1:
        return "Softmax takes e to the power of each: from {least_block:.1f} to {lead_block:.1f}."
    return (
        "Softmax takes e to the power of each: {lead_block:.1f} for {leaders_listed}, and still "
        "{least_block:.1f} for the least."
    )


class Probabilities(Answering):
    """Attention weights as logits: softmax flattens them, and a scale gamma sharpens them again."""

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
            "the output is close to the followers' frequencies, and the same words lead",
            lambda values: (
                values.worst_error < 0.1 and set(values.main.says) == set(values.main.text.best)
            ),
            "one is off by {worst_error:.0%} with alpha {inputs.alpha:g} and beta {inputs.beta:g}",
        ),
    )
    derived = {
        "leaders_listed": Derived(
            "the words with the largest attention weights",
            lambda values: quote_words(values.main.says, "{n} words"),
        )
    }

    values: ShareExample

    @classmethod
    def compute(cls, inputs: Any) -> ShareExample:
        return share_example(inputs.tokens[1:], alpha=inputs.alpha, beta=inputs.beta)

    def layout(self) -> None:
        self.lay_out("texts.", ("main",), self["texts.outputs"][0])
        self.bars.grow().interpolate(1.0)
        self.tiles.look(self.values.main.text.followers.tolist(), "correct")
        self.top = self.values.sure.leaders.tolist()
        self.every = range(len(self.words))
        area = self.chart.area
        below = Region(area.left, self.canvas.bottom, area.right, area.top)
        left, right = below.left, below.right
        bar = Region(left, below.point(0, 0.6)[1], right, below.point(0, 0.9)[1])
        self.laid = StackedBar(self["sure.flat"], self.bars, self.top, bar, "probability")
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

    @beat(_exponentials, ask="How much of the lead of {leaders_listed} survives?", rest=REST,
          focus="bars")  # fmt: skip
    def blocks_(self) -> Steps:
        """Replace the logits by their exponentials."""
        yield self.bars.unwrite(run_time=0.2)
        yield together(
            self.bars.to(self["blocks"]),
            self.bars.recolor([k for k in self.every if k not in self.top], "token"),
            run_time=2.0,
        )
        yield self.bars.write(self.every, _GAMMA)

    @beat(_flat_share, rest=REST, focus=("tiles", "laid", "figure"))
    def flat(self) -> Steps:
        """Lay the blocks end to end into one bar."""
        yield self.bars.unwrite(run_time=0.2)
        down = self.laid.lie_down(run_time=2.4)
        self.remove(self.bars)
        self.add(self.laid)
        yield down, FadeOut(self.chart.x, self.chart.y)
        yield FadeIn(self.figure)

    @beat(CAPTION, rest=REST, focus=("tiles", "laid", "figure"))
    def scale(self) -> Steps:
        """Turn up gamma, and grow the leading words' part of the bar."""
        yield FadeIn(self.knob)
        yield together(
            self.knob.through(self["gammas"]),
            self.laid.through(self["probabilities"]),
            self.figure.through(self["leading"]),
            run_time=4.0,
        )


class StackedBar(Picture):
    """Shares (n,) laid end to end into one bar that fills a region; `bars` turn into its parts.

    The parts that `lead` come first and have the colour of `role`.
    """

    def __init__(
        self, shares: Value, bars: Bars, lead: list[int], region: Region, role: Role
    ) -> None:
        super().__init__(shares)
        self._bars, self._lead, self._region, self._progress = bars, lead, region, 0.0
        self._others = [k for k in range(len(shares)) if k not in lead]
        page = theme()
        self.others = Shape(stroke_color=page.ground, stroke_width=2, fill_opacity=1)
        self.others.set_fill(page.muted, 1)
        self.part = Shape(stroke_color=page.ground, stroke_width=2, fill_opacity=1)
        self.part.set_fill(getattr(page, role), 1)
        self.add(self.others, self.part)

    def lie_down(self, **options: Any) -> Drive:
        """Move the bars from their current places into the one bar."""
        self._starts = self._bars.boxes
        return self.drive("_progress", 0.0, 1.0, **options)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the parts on their way from the bars to the one bar."""
        ends = self._boxes(state)
        boxes = self._starts + (ends - self._starts) * self._progress
        self.others.set_points(rectangles(*boxes[self._others].T))
        self.part.set_points(rectangles(*boxes[self._lead].T))

    def readings(self) -> Iterator[Reading]:
        """The length of each part, as a share of the whole bar."""
        if self._progress < 1 or not is_visible(self.part):
            return
        for shape, places in ((self.part, self._lead), (self.others, self._others)):
            for k, corners in zip(places, shape.points.reshape(-1, 16, 3), strict=True):
                yield Reading(self.shown[k], float(np.ptp(corners[:, 0])) / self._region.width)

    def _boxes(self, state: NDArray[np.float64]) -> NDArray[np.float64]:
        """Left, bottom, right and top of each part in the one bar, leading parts first; (n, 4)."""
        order = [*self._lead, *self._others]
        ends = self._region.left + self._region.width * np.cumsum(state[order])
        boxes = np.zeros((len(state), 4))
        boxes[order, 0] = np.concatenate([[self._region.left], ends[:-1]])
        boxes[order, 2] = ends
        boxes[:, 1], boxes[:, 3] = self._region.bottom, self._region.top
        return boxes
