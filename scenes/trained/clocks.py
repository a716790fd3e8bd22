"""The clock hands of the learned previous-token head, beside those of the handmade one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from manim import Circle, VGroup
from pydantic import Field

from clockhead.model.films.trained.clocks import LearnedClocks, learned_clocks
from clockhead.model.trained.transformer import D_HEAD
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Dots, Trace
from clockhead.scenes.parts.dial import Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.scale import Scale, round_ticks
from clockhead.scenes.spelling import counted, said
from clockhead.scenes.stage import (
    CAPTION,
    Derived,
    FadeIn,
    FadeOut,
    Handle,
    Room,
    Stage,
    Steps,
    beat,
    beside,
    fit,
    together,
)
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.text import Label
from clockhead.scenes.trained.inputs import LATE_MOMENTS, LateMoment, PositionHead

_NUMBER = 30.0
_STEP = 34.0
_HAND_SCALE: dict[str, Any] = {"low": -1.25, "high": 1.25, "ticks": (-1.0, 0.0, 1.0)}
"""The scale for the contribution of one hand, which is at most 1."""
_TRAINING = 3.0
"""Seconds in which the hands go through the training."""
_N_NUMBERS = 6
"""Number of offsets around the large clock, fewer than a full turn of the fastest hand."""
_LARGEST = 2.3
_NUMBER_DISTANCE = 0.36
"""Distance from the rim of the large clock to its numbers, in units."""
_RIM = 0.6
"""Margin around the single large clock for its numbers, in units."""


def _hands_sentence(clocks: LearnedClocks) -> str:
    kept = "It keeps {kept}. The fastest points {fastest_steps:.2f} letters back."
    if not clocks.slow_sinks:
        return kept
    return f"{kept} The slowest, ringed, adds less, the further back."


class Clocks(Stage[LearnedClocks]):
    """The clock hands of the learned previous-token head, beside those of the handmade one."""

    class Inputs(LateMoment):
        """A text, a training step, and a head of layer 0."""

        position_head: PositionHead = Field(
            "0.1", description="a head of layer 0 that attends by position: 0.0, 0.1 or 0.3"
        )

    title = "Nobody set these hands"
    caption = "The clocks were there. Nobody set their hands."
    opens = ("grid",)
    derived = {
        "far": Derived(
            "number of letters back with the highest score", lambda c: _count_letters(c)
        ),
        "Far": Derived(
            "the same at the start of a sentence", lambda c: _count_letters(c).capitalize()
        ),
        "kept": Derived("number of hands that are kept", lambda c: counted(c.n_kept)),
        "hands_in_all": Derived("number of hands of a head", lambda _: counted(D_HEAD // 2)),
    }
    handles = (
        Handle("late_moment", LATE_MOMENTS),
        Handle("position_head", ("0.0", "0.1", "0.3")),
    )

    @classmethod
    def compute(cls, inputs: Inputs) -> LearnedClocks:
        return learned_clocks(inputs.text, inputs.late_moment, int(inputs.position_head[-1]))

    def layout(self) -> None:
        clocks = self.values
        n_hands = len(clocks.frequencies)
        shown = np.concatenate([clocks.scores, clocks.built, clocks.fitted])
        low, high = float(shown.min()) - 0.8, 1.25 * float(shown.max())
        self.chart = Chart(
            Scale(-0.5, clocks.offsets[-1] + 0.5, (0, 2, 4, 6, 8, 10), "d", said("letters back")),
            scores := Scale(low, high, round_ticks(low, high), ".0f", said("mean score")),
            size=_NUMBER,
        )
        self.scores = scores
        self.bars = Bars(self["scores"], self.chart, "score", grown=False, size=_NUMBER)
        at = self["offsets"]
        self.sums = Dots(self["built"], self.chart, x=at, role="position", radius=0.11, standing=())
        side = Room()
        fit(self.canvas, beside(side, self.chart, weights=(1.8, 1)))
        names = self["tokens"]
        self.grid = Matrix(
            self["pattern"],
            rows=names,
            columns=names,
            low=0,
            high=1,
            least_cell=0.2,
            aspect=(1.0, 1.0),
        )
        self.grid.place_cells(self.grid.plan.spot_in(side.region)[0], size=_NUMBER)
        self.line = self.grid.outline(self["diagonals"][0], role="score")

        foot, room = side.region.cut_bottom(_STEP * PX)
        self.step = Figure(self["moments"][0], ".0f", size=_STEP, prefix=f"{said('step')} ")
        self.step.place(foot)
        self.turns = Label(
            said("letters to a full turn"), size=_NUMBER, color="muted", align="center"
        ).center_on(foot.center)
        self.faces = Dials(n_hands, labels=self["turns_written"], columns=4)
        self.faces.place(room)
        self.built = Hands(self["built_angles"], self.faces, "query", angles=True)
        self.ghosts = self.built.ghosts()
        self.hands = Hands(self["hands_then"][0], self.faces, "query", unit=clocks.longest)

        self.thin = Label(said("thin: by hand"), size=_NUMBER, color="muted", align="center")
        self.thin.center_on(foot.center)
        last = int(clocks.kept[-1])
        self.slow = Trace(
            self["slow_part"], self.chart, x=self["offsets"], role="query", drawn=0, stroke=6
        )
        self.ring = Circle(1.12 * self.faces.radius, stroke_width=4)
        self.ring.set_stroke(self.theme.text_color("query")).move_to(self.faces.centers[0, last])
        self.face = Dials(n_hands, labels=None, chosen=[0], largest=_LARGEST)
        self.face.place(side.region.inset(_RIM))
        self.clock = VGroup(self.face, Hands(self["built_angles"], self.face, "query", angles=True))
        self.key = Hands(self["key_angles"][0], self.face, "key", angles=True)
        self.part = Bars(self["built_part"], self.chart, "position", grown=False)
        self.numbers = VGroup(
            *(
                Label(str(offset), size=_NUMBER, align="center").center_on(
                    self.face.rim(
                        0,
                        offset * float(clocks.frequencies[0]),
                        1 + _NUMBER_DISTANCE / self.face.radius,
                    )
                )
                for offset in range(_N_NUMBERS)
            )
        )

    @beat("How high does head {name} score, one, two, three letters back?", focus="chart")
    def scores_(self) -> Steps:
        yield FadeIn(self.chart, self.line, run_time=0.6)
        for offset in self.values.offsets.tolist():
            outline = self.line.to(self["diagonals"][offset], run_time=0.2)
            yield together(outline, self.bars.grow([offset], run_time=0.2))

    @beat("{Far} back gets most: {top:.1f}.", focus="chart")
    def top_(self) -> Steps:
        back = self.line.to(self["diagonals"][self.values.back], run_time=0.5)
        yield together(back, self.bars.write([self.values.back], ".1f"))

    @beat(
        "A clock hand adds most for the letter that it points at: by hand, {far} back. This clock "
        "turns once in {fastest_turn:.0f} letters."
    )
    def one_hand(self) -> Steps:
        yield FadeOut(self.grid, self.line, run_time=0.5), self.bars.unwrite()
        yield self.bars.sink(run_time=0.6), FadeIn(self.clock, self.numbers)
        yield (
            self.chart.rescale(y=replace(self.scores, **_HAND_SCALE), run_time=0.8),
            FadeIn(self.key),
        )
        for offset in self.values.offsets.tolist():
            turn = self.key.to(self["key_angles"][offset], run_time=0.45)
            yield together(turn, self.part.grow([offset], run_time=0.45))

    @beat(
        "A head adds up {hands_in_all} such hands. By hand, all are equally long and point {far} "
        "back."
    )
    def built_(self) -> Steps:
        yield FadeOut(self.key, self.numbers, run_time=0.4)
        yield together(
            self.face.go_to(self.faces.centers[0, :1], self.faces.radius),
            self.chart.rescale(y=self.scores),
            run_time=1.0,
        )
        yield FadeIn(self.faces, self.built, self.turns, run_time=0.8)
        self.remove(self.clock)
        yield self.part.to(self["built"], run_time=1.5)

    @beat(ask="Nobody set the hands of head {name}. Where will training put them?")
    def training(self) -> Steps:
        """Animate hands and bars through the training steps."""
        yield self.part.sink(run_time=0.6), FadeIn(self.ghosts), FadeOut(self.built, self.turns)
        self.remove(self.part)
        yield FadeIn(self.hands, self.step, run_time=0.5)
        self.bars.set_to(self["scores_then"][0])
        yield self.bars.grow(run_time=0.4)
        yield together(
            self.hands.through(self["hands_then"]),
            self.bars.through(self["scores_then"]),
            self.step.through(self["moments"]),
            run_time=_TRAINING,
        )

    @beat(_hands_sentence)
    def placed_(self) -> Steps:
        yield FadeOut(self.step, run_time=0.4)
        yield FadeIn(self.thin, self.ring, run_time=0.4)
        yield self.slow.draw_to(1, run_time=2.0)

    @beat(ask="They stand elsewhere. Can their sum still be like ours?")
    def sum_(self) -> Steps:
        """Show the handmade sum as dots, then scale and shift it."""
        yield FadeOut(self.slow, self.ring, run_time=0.4)
        yield self.sums.appear(self.values.offsets.tolist(), run_time=0.4)
        yield 0.4
        yield self.sums.to(self["fitted"], run_time=1.6)

    @beat(
        "A shift changes no attention, a stretch how sharp it is: a correlation of {likeness:.2f}.",
        rest=REST,
        focus="chart",
    )
    def alike(self) -> Steps:
        yield 1.0

    @beat(CAPTION)
    def end(self) -> Steps:
        yield self.bars.write([self.values.back], ".1f")


def _count_letters(clocks: LearnedClocks) -> str:
    """The number of letters back with the highest mean score, in words."""
    return said("one letter") if clocks.back == 1 else f"{counted(clocks.back)} {said('letters')}"
