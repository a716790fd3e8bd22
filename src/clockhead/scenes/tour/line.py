"""The stacks become a row, shifted it becomes the table, and a knob makes its line sharp."""

from __future__ import annotations

from clockhead.scenes.previous_token.sub_diagonal import SubDiagonal
from clockhead.scenes.stage import Steps, beat
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.tour.inputs import HeadInputs


class Line(SubDiagonal):
    """The stacks become a row, the row shifted becomes the table, softmax finds its line."""

    class Inputs(HeadInputs):
        """A text, and how sharply all look."""

    tells = ("flat", "shift", "soften", "turn", "line")

    @beat("Only distance counts: each row is the one above, one cell on. No one looks ahead.")
    def shift(self) -> Steps:
        yield from super().shift()

    @beat("Softmax makes shares that add up to one in each row: how much it looks at every column.")
    def soften(self) -> Steps:
        time = 0.5 * self.reading
        yield FadeOut(self.scores, run_time=time), FadeIn(self.grid, run_time=time)
        self.add(self.two)
        yield FadeIn(self.share, run_time=0.6)

    @beat("A lead of 0.7 makes a share about twice as large. A knob α multiplies every lead.")
    def turn(self) -> Steps:
        yield from super().turn()
