"""The learned previous-token head by its clock hands, beside the one that was set by hand."""

from __future__ import annotations

import numpy as np
from manim import VGroup
from pydantic import Field

from clockhead.model.films.trained.clocks import LearnedClocks, learned_clocks
from clockhead.model.trained.transformer import D_HEAD
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Dots
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
_TRAINING = 4.0
"""Seconds in which the hands go through the training."""
_AROUND = 6
"""How many numbers stand around the large clock: a turn of the fastest hand takes longer."""
_ALIKE = 0.95
"""The correlation from which two rows of scores are nearly the same."""
_LARGEST = 2.3
_OUT = 0.36
"""From the rim of the large clock to its numbers, in units."""
_RIM = 0.6
"""The room around the one large clock for its numbers, in units."""


def _placed(clocks: LearnedClocks) -> str:
    if not clocks.slowest_are_gone:
        return "The longer a hand, the more it adds. RoPE turns the first the fastest."
    return (
        "Training keeps {kept}. The slowest {gone} are nearly gone: they turn too little to tell "
        "neighbours apart."
    )


def _fastest(clocks: LearnedClocks) -> str:
    how = "The fastest is the longest." if clocks.fastest_is_longest else "Take the fastest."
    return f"{how} It stands at {{fastest_steps:.2f}} letters back; by hand, at {{back}}."


def _sum(clocks: LearnedClocks) -> str:
    alike = "nearly the same" if clocks.likeness >= _ALIKE else "similar"
    return (
        "The dots are our sum at an α of {alpha:.1f}, moved as a whole, which softmax does not "
        f"notice: {alike}."
    )


class Clocks(Stage[LearnedClocks]):
    """The learned previous-token head by its clock hands, beside the one that was set by hand."""

    class Inputs(LateMoment):
        """A text, a moment of the training, and a head of layer 0."""

        position_head: PositionHead = Field(
            "0.1", description="a head of layer 0 that looks at positions: 0.0, 0.1 or 0.3"
        )

    title = "Nobody set these hands"
    caption = "Nobody told it about clocks. It set them."
    opens = ("grid",)
    derived = {
        "far": Derived("how many letters back it scores most", lambda c: _letters(c)),
        "Others": Derived(
            "how many hands that are left stand elsewhere",
            lambda c: counted(c.n_elsewhere).capitalize(),
        ),
        "kept": Derived("how many hands are left", lambda c: counted(c.n_kept)),
        "gone": Derived("how many are nearly gone", lambda c: counted(c.n_gone)),
        "hands_in_all": Derived("how many hands a head has", lambda _: counted(D_HEAD // 2)),
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
        shown = np.concatenate([clocks.scores, clocks.fitted])
        low, high = float(shown.min()) - 0.8, 1.25 * float(shown.max())
        self.chart = Chart(
            Scale(-0.5, clocks.offsets[-1] + 0.5, (0, 2, 4, 6, 8, 10), "d", said("letters back")),
            Scale(low, high, round_ticks(low, high), ".0f", said("mean score")),
            size=_NUMBER,
        )
        self.bars = Bars(self["scores"], self.chart, "score", grown=False, size=_NUMBER)
        self.sums = Dots(
            self["fitted"], self.chart, x=self["offsets"], role="position", radius=0.11
        )
        side = Room()
        fit(self.canvas, beside(side, self.chart, weights=(1.8, 1)))
        names = self["tokens"]
        self.grid = Matrix(
            self["pattern"], rows=names, columns=names, low=0, high=1, mask="causal", least_cell=0.2
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

        self.face = Dials(n_hands, labels=None, chosen=[0], largest=_LARGEST)
        self.face.place(side.region.inset(_RIM))
        self.clock = VGroup(
            self.face,
            Hands(self["built_angles"], self.face, "query", angles=True, ghost=True),
            Hands(self["hands"], self.face, "query", unit=clocks.longest),
        )
        self.numbers = VGroup(
            *(
                Label(str(offset), size=_NUMBER, align="center").center_on(
                    self.face.rim(
                        0, offset * float(clocks.frequencies[0]), 1 + _OUT / self.face.radius
                    )
                )
                for offset in range(_AROUND)
            )
        )

    @beat(
        "Average what head {number} of layer 0 scores, letter by letter back: {far} back gets "
        "most, {top:.1f}.",
        focus="chart",
    )
    def scores_(self) -> Steps:
        yield FadeIn(self.chart, self.line, run_time=0.6)
        for offset in self.values.offsets.tolist():
            outline = self.line.to(self["diagonals"][offset], run_time=0.25)
            yield together(outline, self.bars.grow([offset], run_time=0.25))
        back = self.line.to(self["diagonals"][self.values.back], run_time=0.5)
        yield together(back, self.bars.write([self.values.back], ".1f"))

    @beat(
        "Such a score is the sum of {hands_in_all} clock hands. RoPE turns the first once in "
        "{fastest_turn:.0f} letters, the last once in {slowest_turn:,.0f}."
    )
    def faces_(self) -> Steps:
        yield FadeOut(self.grid, self.line, run_time=0.6)
        yield FadeIn(self.faces, self.turns, run_time=0.8)

    @beat("In the head that we built by hand, all are equally long, and each stands {far} back.")
    def built_(self) -> Steps:
        yield FadeIn(self.built, run_time=0.5)
        yield self.built.grow(run_time=1.5)

    @beat(
        _placed,
        ask="Nobody set the hands of this one. Where will training put them?",
        rest=REST,
    )
    def training(self) -> Steps:
        yield together(FadeIn(self.ghosts), FadeOut(self.built, self.turns), run_time=0.6)
        yield self.bars.unwrite()
        yield together(
            self.bars.to(self["scores_then"][0]), FadeIn(self.hands, self.step), run_time=0.8
        )
        yield together(
            self.hands.through(self["hands_then"]),
            self.bars.through(self["scores_then"]),
            self.step.through(self["moments"]),
            run_time=_TRAINING,
        )

    @beat(_fastest, rest=REST)
    def fastest(self) -> Steps:
        home, small = self.face.centers[0].copy(), self.faces.centers[0, :1]
        radius = self.face.radius
        self.face.place_at(small, self.faces.radius)
        yield FadeOut(self.faces, self.ghosts, self.hands, self.step, run_time=0.5)
        yield FadeIn(self.clock, run_time=0.5)
        yield self.face.go_to(home, radius, run_time=1.2)
        yield FadeIn(self.numbers, run_time=0.5)

    @beat(
        _sum,
        ask="{Others} stand elsewhere. Can the sum of all still be like ours?",
        rest=REST,
        focus="chart",
    )
    def sum_(self) -> Steps:
        yield FadeOut(self.numbers, run_time=0.4)
        yield self.face.go_to(self.faces.centers[0, :1], self.faces.radius, run_time=1.0)
        yield FadeIn(self.faces, self.ghosts, self.hands, run_time=0.6)
        self.remove(self.clock)
        for offset in self.values.offsets.tolist():
            yield self.sums.appear(offset, run_time=0.2)

    @beat(CAPTION)
    def end(self) -> Steps:
        yield self.bars.write([self.values.back], ".1f")


def _letters(clocks: LearnedClocks) -> str:
    """How many letters back the mean score is highest, in words."""
    return said("one letter") if clocks.back == 1 else f"{counted(clocks.back)} {said('letters')}"
