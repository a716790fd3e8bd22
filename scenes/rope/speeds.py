"""The hands' angles per position are powers of one number, the base."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import VGroup, linear

from clockhead.model.films.rope.frequencies import Schedule, rope_schedule
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.dial_turns import Wedges
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.rope.inputs import WordInputs
from clockhead.scenes.rope.word_line import (
    FAR,
    FORMULA,
    numbers_under,
    row_of_clocks,
    to_three_digits,
)
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import CAPTION, FadeIn, FadeOut, Passage, Stage, Steps, beat, together
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Moves

_POWER = [("power", "= {base:,.12g}^(-{double:d} \\/ {width:d})")]
_NEAR, _LINE = 1.15, 0.42
"""Widest power in one line, in diameters of a clock; and distance to a second line, in units."""
_SPEED = [("turn", "position(theta_i) ="), ("power", "{base:,.12g}^(-2 i \\/ {width})")]


class Speeds(Stage[Schedule]):
    """The hands' angles per position are powers of one number, the base."""

    Inputs = WordInputs
    title = "One number sets all speeds"
    caption = "Make it larger, and they creep: they take longer to come round, for longer texts."
    opens = ("line", "dials")
    leaves = ("line", "dials")

    compute = rope_schedule

    def layout(self) -> None:
        """Lay out clocks with a power of the base under each, and base and formula above."""
        v = self.values
        self.line, self.faces, band = row_of_clocks(self.canvas, v.n_pairs)
        self.near, self.far = self.line.window, np.array([0, FAR * v.m])
        self.line.draw(self.far, settled=True)
        self.hands = Hands(self["phases"], self.faces, angles=True)
        self.dials = VGroup(self.faces, self.hands)
        self.wedges = Wedges(self["words.phases"][0], self.faces)
        self.mark = self.line.mark(self["words.positions"][0])
        self.base = Figure(self["base"], ",.0f", size=FORMULA, prefix=f"{said('base')} = ")
        values = {"base": self["base"], "width": self["d_head"]}
        self.formula = Equation(_SPEED, values=values, size=FORMULA)
        self.base.place(band.region)
        self.formula.place(band.region)
        self.formula.hide()
        self.angles = self._numbers("frequencies", "radians per position")
        self.powers = VGroup()
        for k in range(v.n_pairs):
            power = Equation(_POWER, values=values | {"double": self["doubled"][k]}, size=36)
            x, y, _ = self.faces.under(k, 1)
            half = self.faces.radius
            power.place(Region(x - half, y - 0.2, x + half, y + 0.35))
            self.powers.add(power)
        between = 2 * self.faces.radius * _NEAR
        if max(power.width for power in self.powers) > between:  # put every other one a line lower
            for k, each in enumerate(self.powers):
                aside = max(0.0, self.canvas.left - each.get_left()[0])
                aside -= max(0.0, each.get_right()[0] - self.canvas.right)
                each.shift(np.array([aside, -_LINE * (k % 2), 0.0]))

    def _numbers(self, path: str, words: str) -> VGroup:
        return numbers_under(self.faces, self[path], to_three_digits, words)

    def _move_mark(self, place: str, phases: str, run_time: float) -> Moves:
        """Move the mark to a position, and turn every hand."""
        run: dict[str, Any] = {"run_time": run_time, "rate_func": linear}
        return together(self.hands.to(self[phases], **run), self.mark.to(self[place], **run))

    @beat(
        "One position on, the first hand has turned by one radian, "
        "and each of the others by {factor} times less than the one before.",
        focus="dials",
    )
    def step(self) -> Steps:
        """Go back to position 0, and on to 1, with a wedge for each angle and its number."""
        yield (
            self.hands.to(self["words.phases"][0], run_time=1.2),
            self.line.zoom(self.near, run_time=1.2),
        )
        yield self.mark.appear(run_time=0.4)
        self.add(self.wedges, self.hands)
        yield (
            self._move_mark("one", "frequencies", 1.4),
            self.wedges.to(self["frequencies"], run_time=1.4),
        )
        yield FadeIn(self.angles, run_time=0.6)

    @beat(
        "These angles are powers of one number, the base: here it is {base:,.12g}.", focus="dials"
    )
    def knob(self) -> Steps:
        """Show the base, and a power of it under every angle."""
        yield FadeIn(self.base, run_time=0.6), FadeOut(self.angles[1], run_time=0.4)
        for power in self.powers:
            yield FadeIn(power, run_time=0.4)

    @beat(
        "In one line: each position turns hand $i$, counted from 0, by $theta_i$. "
        "The {d_head} is twice the number of hands.",
        focus="dials",
    )
    def formula_(self) -> Steps:
        """Replace the base by the formula."""
        yield FadeOut(self.base, run_time=0.4)
        yield self.formula.appear(run_time=1.6)

    @beat("Make the base smaller, and the slow hands hurry.", focus="dials")
    def smaller(self) -> Steps:
        """Lower the base, and go from 0 to the far position with faster hands."""
        gone = self.formula, self.powers, self.wedges, self.angles[0]
        yield FadeOut(*gone, run_time=0.5)
        self.angles = self._numbers("periods", "positions per turn")
        zoom = self.line.zoom(self.far, run_time=1.0)
        yield FadeIn(self.base, self.angles, run_time=0.6), zoom
        yield from self._try_base("low")

    @beat(CAPTION, rest=REST, focus="dials")
    def larger(self) -> Steps:
        """Raise the base, go the same way again, and return to the start."""
        yield from self._try_base("high")
        yield 1.0
        yield FadeOut(self.angles, run_time=0.4)
        home = self.line.zoom(self.near, run_time=1.2)
        yield self._rewind(self["base"], run_time=1.2), home
        yield FadeOut(self.base, run_time=0.4), self.mark.vanish(run_time=0.4)

    def _try_base(self, name: str) -> Steps:
        yield FadeOut(self.angles, run_time=0.3)
        yield self._rewind(self[f"{name}_base"], run_time=1.0)
        self.angles = self._numbers(f"{name}_periods", "positions per turn")
        yield FadeIn(self.angles, run_time=0.4)
        yield self._move_mark("m", f"{name}_phases", 2.6)

    def _rewind(self, base: Any, **options: Any) -> Moves:
        """Animate the mark and all hands back to position 0, and the base to another one."""
        bases = np.geomspace(self.base.state, base.array, 60)
        return together(
            Passage(self.base, base, bases, **options),
            self.hands.to(self["words.phases"][0], **options),
            self.mark.to(self["words.positions"][0], **options),
        )
