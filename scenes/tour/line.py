"""The stacks become a row, shifted it becomes the table, and a knob makes its line sharp."""

from __future__ import annotations

import math

from clockhead.scenes.previous_token.sub_diagonal import SubDiagonal
from clockhead.scenes.stage import Derived, Steps, beat
from clockhead.scenes.style.motion import FadeIn, FadeOut, together
from clockhead.scenes.tour.inputs import SharpClockInputs


class Line(SubDiagonal):
    """The stacks become a row, the row shifted becomes the table, softmax finds its line."""

    class Inputs(SharpClockInputs):
        """A text, and how sharply all look."""

    tells = ("flat", "shift", "soften", "turn", "line")
    derived = SubDiagonal.derived | {
        "factor": Derived(
            "how many times the runner-up's share the target gets at alpha 1: e to the lead",
            lambda turn: math.exp(turn.at_one.gap),
        )
    }

    @beat("Only distance counts: each row is the one above, one cell on. No one looks ahead.")
    def shift(self) -> Steps:
        yield from super().shift()

    @beat("Softmax makes shares that add up to one in each row: how much it looks at every column.")
    def soften(self) -> Steps:
        yield 0.5 * together(FadeOut(self.scores), FadeIn(self.grid))
        self.add(self.two)
        yield FadeIn(self.share, run_time=0.6)

    @beat(
        "A lead of {at_one.gap:.2f} makes a share {factor:.1f} times as large as the next. "
        "A knob α multiplies every lead."
    )
    def turn(self) -> Steps:
        yield from super().turn()
