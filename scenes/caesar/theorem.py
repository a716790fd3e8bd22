"""The smallest squared error is the largest dot product, if all templates are equally long."""

from __future__ import annotations

from manim import Create

from clockhead.model.caesar.cipher import N_ROTATIONS
from clockhead.model.films.caesar.theorem import EqualLengths, equal_lengths
from clockhead.scenes.caesar.fan import RIM, Fan
from clockhead.scenes.caesar.fan_marks import Gaps
from clockhead.scenes.caesar.inputs import CryptogramInputs
from clockhead.scenes.caesar.panels import beside
from clockhead.scenes.caesar.scores import score_bars, score_chart
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Rule
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.term_moves import become
from clockhead.scenes.stage import CAPTION, Stage, Steps, beat, together
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.theme import Role

_ERROR = ("error", "wrong(abs(f - c)^2)")
_LENGTHS = ("lengths", "abs(residual(f))^2 + abs(position(c))^2")
_TWICE = ("twice", "value(2 f dot c)")
_EQUALS = ("equals", "=")
_OF_SUMS: tuple[Role, Role] = ("wrong", "value")
"""The upper ends of sums, behind the twofold dot products in them."""
_MOST_LIT = 3


class Theorem(Stage[EqualLengths]):
    """The smallest squared error is the largest dot product, if all templates are equally long."""

    class Inputs(CryptogramInputs):
        """The message, and its rotation."""

    title = "Two rules, one winner"
    question = "Does the nearest arrow win too?"
    caption = (
        "This needs equal lengths: {unequal.larger}, a longer arrow, has the larger dot product, "
        "though {unequal.nearer} is nearer."
    )
    opens = ("plane", "rotations", "scores")
    leaves = ()

    compute = equal_lengths

    def layout(self) -> None:
        self.square = Equation([_ERROR, _EQUALS, _LENGTHS, ("minus", "-"), _TWICE], size=34)
        self.sum = Equation([_ERROR, ("plus", "+"), _TWICE, _EQUALS, _LENGTHS], size=34)
        self.plane = Fan(self["tips"])
        self.rotations = score_chart(self, "cryptogram.dot_products")
        leaders = self["cryptogram.leaders"]
        self.winners = [int(r) for r in leaders.content[:_MOST_LIT]]
        self.others = [r for r in range(N_ROTATIONS) if r not in self.winners]
        scores = self["cryptogram.dot_products"]
        self.scores = score_bars(scores, self.rotations, dimmed=self.others)
        beside(self.canvas, self.square, self.plane, self.rotations)
        self.rotations.y.rescale(Scale(0.0, self.values.cryptogram.level, line=False))
        self.rotations.place_area(self.rotations.area)
        self.square.hide()
        for k, winner in enumerate(self.winners):
            self.plane.pick(leaders[k])
            self.plane.shares[winner] = 1.0
        self.plane.redraw()
        self.gaps = Gaps(self["cryptogram.squared_errors"], self.plane, range(N_ROTATIONS))

    @beat("Another rule: the nearest tip wins. The error is its distance, squared.")
    def nearest(self) -> Steps:
        self.add(self.gaps)
        yield 0.5 * self.gaps.light(*range(N_ROTATIONS))
        yield 0.4 * self.gaps.light(*self.winners)

    @beat(
        "Call the ciphertext f and a rotation c: all c are equally long, so only the dot product "
        "differs."
    )
    def multiply_out(self) -> Steps:
        self.add(self.square)
        yield 0.3 * self.square.appear("error", "equals")
        yield 0.55 * self.square.appear("lengths", "minus", "twice")

    @beat("So error plus twice the dot product is the same for every rotation.")
    def stack(self) -> Steps:
        yield (
            become(self.square, self.sum, run_time=1.2),
            self.scores.recolor(self.others, "value", run_time=1.2),
        )
        yield 0.3 * self.scores.to(self["cryptogram.twice"])
        self.errors = score_bars(self["cryptogram.twice"], self.rotations, "wrong")
        self.rule = Rule(self["cryptogram.level"], self.rotations, "the same for all")
        for mark in (self.errors, self.rule):
            mark.redraw()
        self.add(self.errors, self.scores)
        yield 0.35 * self.errors.to(self["sums"])
        yield Create(self.rule)

    @beat("What one gains, the other loses: both rules choose the same.")
    def both(self) -> Steps:
        bars = (self.scores, self.errors)
        yield 0.3 * together(*(mark.dim_bars(self.others) for mark in bars))
        yield 0.3 * self.square.pulse("twice")
        yield 0.3 * self.square.pulse("error")

    @beat(CAPTION)
    def unequal(self) -> Steps:
        """Two arrows of unequal length, of which the longer wins by its dot product."""
        self._lay_unequal()
        gone = (self.plane, self.gaps, self.rotations, self.scores, self.errors, self.rule)
        yield FadeOut(*gone, run_time=0.4)
        yield FadeIn(self.pair, self.slots, run_time=0.4)
        yield self.pair.light(0, 1), self.twice.grow(run_time=0.3 * self.reading)
        self.add(self.apart, self.rest, self.twice)
        yield 0.3 * together(self.apart.light(0, 1), self.rest.to(self["unequal.sums"]))

    def _lay_unequal(self) -> None:
        assert self.plane.region is not None
        self.pair = Fan(self["unequal.tips"])
        high = float(self.values.unequal.sums.max())
        self.slots = Chart(slots(self["unequal.names"]), Scale(0.0, high, line=False))
        self.rest, self.twice = (
            Bars(self["unequal.twice"], self.slots, role, grown=role == "wrong")
            for role in _OF_SUMS
        )
        self.pair.place(self.plane.region.inset(-RIM))
        self.slots.place_area(self.rotations.area)
        for path in ("unequal.best_by_error", "unequal.best_by_dot"):
            self.pair.pick(self[path], self["unequal.names"])
        self.apart = Gaps(self["unequal.squared_errors"], self.pair, (0, 1))
