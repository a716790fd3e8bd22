"""The angles that a position turns the hands by are powers of one number, the base."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
from manim import VGroup, linear

from clockhead.model.films.rope.frequencies import Schedule, schedule_of
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.dial_turns import Wedges
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.rope.dial_numbers import DialNumbers
from clockhead.scenes.rope.inputs import WordInputs
from clockhead.scenes.rope.word_line import FAR, FORMULA, NUMBER, row_of_clocks
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import (
    CAPTION,
    FadeIn,
    FadeOut,
    Passage,
    Stage,
    Steps,
    beat,
    together,
)
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Moves
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.type import CAP_HEIGHT

_POWER = [("power", "{base:,.12g}^(-{double:d} \\/ {width:d})")]
_SPEED = [("turn", "position(theta_i) ="), ("power", "{base:,.12g}^(-2 i \\/ {width})")]


def _plain(angle: float) -> str:
    """The format of an angle to three digits, without an exponent or zeros at its end."""
    digits = f"{Decimal(f'{angle:.3g}').normalize():f}"
    return f".{len(digits.partition('.')[2])}f"


class Speeds(Stage[Schedule]):
    """The angles that a position turns the hands by are powers of one number, the base."""

    class Inputs(WordInputs):
        """The hands."""

    title = "One number sets all speeds"
    caption = "Make it larger, and they creep: they take longer to come round, for longer texts."
    opens = ("line", "dials")
    leaves = ("line", "dials")

    compute = schedule_of

    def layout(self) -> None:
        """The row of clocks, a power of the base under each; over them base and formula."""
        v, origin = self.values, self["words.phases"][0]
        self.line, self.faces, band = row_of_clocks(self.canvas, v.n_pairs)
        self.hands = Hands(origin, self.faces, angles=True)
        self.dials = VGroup(self.faces, self.hands)
        self.wedges = Wedges(origin, self.faces)
        self.mark = self.line.mark(self["words.positions"][0])
        self.base = Figure(self["base"], ",.0f", size=FORMULA, prefix=f"{said('base')} = ")
        values = {"base": self["base"], "width": self["d_head"]}
        self.formula = Equation(_SPEED, values=values, size=FORMULA)
        self.base.place(band.region)
        self.formula.place(band.region)
        self.formula.hide()
        self.angles = self._numbers("frequencies")
        self.powers = VGroup()
        for k in range(v.n_pairs):
            power = Equation(_POWER, values=values | {"double": self["doubled"][k]}, size=36)
            x, y, _ = self.faces.under(k, 1)
            half = self.faces.radius
            power.place(Region(x - half, y - 0.2, x + half, y + 0.35))
            self.powers.add(power)

    def _numbers(self, path: str) -> VGroup:
        """The angle of every hand, and what these numbers are."""
        color = self.theme.text_color("position")
        numbers = DialNumbers(self[path], self.faces, _plain, size=NUMBER, color=color)
        unit = Label(
            said("radians per position"), size=NUMBER, color=self.theme.muted, align="center"
        )
        low = float(self.faces.under(-1, 1)[1]) - CAP_HEIGHT * NUMBER / 90
        return VGroup(numbers, unit.put(np.array([self.faces.faces.get_x(), low, 0.0])))

    def _go(self, place: str, phases: str, run_time: float) -> Moves:
        """The mark goes to a position, and every hand turns."""
        run: dict[str, Any] = {"run_time": run_time, "rate_func": linear}
        return together(self.hands.to(self[phases], **run), self.mark.to(self[place], **run))

    @beat(
        "One position on, the first hand has turned by one radian, "
        "and each of the others by {factor} times less than the one before.",
        rest=REST,
        focus="dials",
    )
    def step(self) -> Steps:
        """From 0 to 1, wedges, and the angles under them."""
        yield self.mark.appear(run_time=0.4)
        self.add(self.wedges, self.hands)
        yield self._go("one", "frequencies", 1.6), self.wedges.to(self["frequencies"], run_time=1.6)
        yield FadeIn(self.angles, run_time=0.8)

    @beat(
        "These angles are powers of one number, the base: here it is {base:,.12g}.",
        rest=REST,
        focus="dials",
    )
    def knob(self) -> Steps:
        """The base, and a power of it under every angle."""
        yield FadeIn(self.base, run_time=0.8)
        yield FadeOut(self.angles[1], run_time=0.4)
        for power in self.powers:
            yield FadeIn(power, run_time=0.5)

    @beat(
        "In one line: each position turns hand $i$, counted from 0, by $theta_i$. "
        "The {d_head} is two for every hand.",
        rest=REST,
        focus="dials",
    )
    def formula_(self) -> Steps:
        """The formula takes the place of the base."""
        yield FadeOut(self.base, run_time=0.4)
        yield self.formula.appear(run_time=1.6)

    @beat("Make the base smaller, and the slow hands hurry.", focus="dials")
    def smaller(self) -> Steps:
        """The base goes down; from 0 to the far position with quicker hands."""
        yield FadeOut(self.formula, self.powers, self.wedges, run_time=0.5)
        zoom = self.line.zoom([0, FAR * self.values.m], run_time=1.0)
        yield FadeIn(self.base, run_time=0.6), zoom
        yield from self._with_base("low")

    @beat(CAPTION, rest=REST, focus="dials")
    def larger(self) -> Steps:
        """The base goes up; the same way once more; and all go home."""
        yield from self._with_base("high")
        yield 1.0
        yield FadeOut(self.angles, run_time=0.4)
        yield self._rewind(self["base"], run_time=1.2)
        yield FadeOut(self.base, run_time=0.4), self.mark.vanish(run_time=0.4)

    def _rewind(self, base: Any, **options: Any) -> Moves:
        """The mark and all hands run back to position 0, and the base to another one."""
        bases = np.geomspace(self.base.state, base.array, 60)
        return together(
            Passage(self.base, base, bases, **options),
            self.hands.to(self["words.phases"][0], **options),
            self.mark.to(self["words.positions"][0], **options),
        )

    def _with_base(self, name: str) -> Steps:
        yield FadeOut(self.angles, run_time=0.4)
        yield self._rewind(self[f"{name}_base"], run_time=1.6)
        self.angles = self._numbers(f"{name}_frequencies")
        yield FadeIn(self.angles, run_time=0.4)
        yield self._go("m", f"{name}_phases", 3.6)
