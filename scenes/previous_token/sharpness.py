"""Alpha is turned down, and up as far as it takes: how sure the head is, never which key wins."""

from __future__ import annotations

from clockhead.model.films.previous_token.sharpness import AlphaSweep, alpha_sweep
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Dots, Rule, Trace
from clockhead.scenes.parts.figures import Readout
from clockhead.scenes.parts.knob import Knob
from clockhead.scenes.parts.scale import Scale, decades
from clockhead.scenes.parts.table import Table, room_beside
from clockhead.scenes.previous_token.inputs import HeadInputs
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import CAPTION, Claim, Column, FadeIn, Row, Stage, Steps, beat, fit
from clockhead.scenes.style.motion import Drive

_MOST = 6
"""With more powers of ten on the axis, every other one is left out."""


def _needed(values: AlphaSweep) -> str:
    spec = ".1f" if values.alpha_99 >= 1 else ".2g"
    return f"To about {{alpha_99:{spec}}}."


class Sharpness(Stage[AlphaSweep]):
    """Alpha is turned down and up: it decides how sure the head is, and never which key wins."""

    class Inputs(HeadInputs):
        """A whole head."""

    title = "How far must the knob turn?"
    question = "What α does, and what it never does."
    caption = "So α decides how sure the head is, and never which key wins."
    opens = ("tiles", "askers", "grid", "knob")
    leaves = ("tiles", "askers", "grid")
    claims = (
        Claim(
            "the same key wins each row at every α",
            lambda values: values.winners_constant,
            "{n_changing} rows have another winner at some α",
        ),
        Claim(
            "every row but the first finds the token before it",
            lambda values: values.head.always_strict,
            "{head.n_missed} rows look elsewhere",
        ),
        Claim(
            "the weakest row gives more to the token before as α rises",
            lambda values: values.never_falls,
            "it gives less at some larger α",
        ),
    )

    compute = alpha_sweep

    def layout(self) -> None:
        sweep = self.values
        alphas, weights = self["alphas"], self["worst_weights"]
        self.own, self.needed = (sweep.nearest(a) for a in (sweep.head.alpha, sweep.alpha_99))
        self.here = self.own
        self.grid = Table(self["patterns"][self.here], self["tokens"])
        self.tiles, self.askers = self.grid.tiles, self.grid.askers
        self.knob = Knob(alphas[self.here], *sweep.decades, spec=".3g")
        self.weakest = Readout(
            weights[self.here],
            ".1%-",
            words=said("the least a row gives the token before it"),
            color=self.theme.text_color("attention"),
        )
        low, high = map(float, sweep.alphas[[0, -1]])
        powers = decades(low, high)
        self.chart = Chart(
            Scale(low, high, powers[:: 1 + len(powers) // _MOST], name="α", log=True),
            Scale(0.0, 1.0, (0.0, 0.5, sweep.weight_99), ".0%"),
            least=(1.5, 0.8),
        )
        self.curve = Trace(weights, self.chart, x=alphas, drawn=0.0)
        self.enough = Rule(self["alpha_99"], self.chart, upright=True, role="token")
        found = slice(self.needed, self.needed + 1)
        self.crossing = Dots(weights[found], self.chart, x=alphas[found], role="token", standing=())
        fit(
            room_beside(self.canvas, self.grid),
            Column(Row(self.knob, self.weakest, gap=0.7), self.chart, weights=(1.0, 2.0)),
            Column(self.knob, self.weakest, self.chart, gap=0.2, weights=(0.0, 0.0, 1.0)),
        )
        self.winners = self.grid.outline(self["head.looks_at"])

    @beat("Turned down, the same token still wins each row, only by less.")
    def down(self) -> Steps:
        yield [*map(FadeIn, (self.winners, self.chart.x, self.chart.y, self.weakest))]
        yield self._turn(0, max(3.0, 0.7 * self.reading))

    @beat("How far up, until even the weakest row gives {weight_99:.0%} to the token before?")
    def up(self) -> Steps:
        run_time = max(4.0, self.reading)
        share = self.needed / (len(self.values.alphas) - 1)
        yield *self._turn(self.needed, run_time), self.curve.draw_to(share, run_time=run_time)

    @beat(_needed)
    def enough_(self) -> Steps:
        yield FadeIn(self.enough), self.crossing.appear(0)
        yield 0.8

    @beat(CAPTION)
    def home(self) -> Steps:
        yield *self._turn(self.own, 2.4), self.curve.draw_to(1.0, run_time=2.4)

    def _turn(self, place: int, run_time: float) -> list[Drive]:
        """The knob, the table and the weakest row on their way to another alpha."""
        way = slice(min(self.here, place), max(self.here, place) + 1)
        order = slice(None, None, 1 if place > self.here else -1)
        self.here = place
        followers = {"alphas": self.knob, "patterns": self.grid, "worst_weights": self.weakest}
        return [
            part.through(self[name][way][order], run_time=run_time)
            for name, part in followers.items()
        ]
