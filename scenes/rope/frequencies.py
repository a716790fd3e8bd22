"""One hand that turns with the position soon repeats itself; several, each slower, count on."""

from __future__ import annotations

from typing import Any

from manim import VGroup
from pydantic import Field

from clockhead.model.films.rope.frequencies import Schedule, schedule_of
from clockhead.model.rope.rotation import BASE
from clockhead.scenes.parts.dial import Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.dial_numbers import DialNumbers, to_three_digits
from clockhead.scenes.parts.dial_turns import Turns, Wedges
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.strip_looks import come_back, leave
from clockhead.scenes.rope.inputs import WordInputs
from clockhead.scenes.rope.word_line import WordLine, turn_unit
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    Derived,
    EvenInt,
    FadeIn,
    FadeOut,
    Stage,
    Steps,
    beat,
    fit,
    together,
)
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Moves
from clockhead.scenes.style.type import SMALL

_MOST = 8
"""As many hands are shown."""
_SPEED = [
    ("turn", "position(theta_i)"),
    ("power", "= {base:,.12g}^(-2 i \\/ {width})"),
]
_RIM = 0.45
"""The room for numbers around a dial, in units."""


def _more(values: Schedule) -> str:
    if values.n_pairs <= _MOST:
        return "So a head has {n_pairs} hands; each next one takes {factor} times as long."
    return (
        "So a head has {n_pairs} hands; "
        "each next one takes {factor} times as long. Here are {n_seen}."
    )


def _far(values: Schedule) -> str:
    if values.slower_pair_tells:
        return "Not the fast one: it is almost back. A slower hand has moved."
    return "Together they do: each has turned by an angle of its own."


class Frequencies(Stage[Schedule]):
    """One hand that turns with the position soon repeats itself; several, each slower, count on."""

    class Inputs(WordInputs):
        d_head: EvenInt = Field(8, ge=4, le=256, description="width of the head; d_head/2 hands")
        base: float = Field(BASE, ge=2, le=1e7, description="how far apart the hands' speeds are")
        m: int = Field(44, ge=4, le=1000, description="position that is compared with position 0")

    title = "One hand is not enough"
    question = "How far can one hand count?"
    caption = "The fast hand tells neighbours apart, a slower one places further apart."
    opens = ("line", "tiles", "dials")
    leaves = ("line", "tiles", "pair_dials as dials")
    derived = {"n_seen": Derived("how many hands are shown at most", lambda _: _MOST)}

    compute = schedule_of

    def layout(self) -> None:
        self.line = WordLine(self.canvas)
        self.faces = Dials(self.values.n_pairs, most=_MOST, largest=1.25, lines_under=2)
        values = {"base": self["base"], "width": self["d_head"]}
        unit = ("unit", f'"  {said("radians per position")}"')
        self.formula = Equation([*_SPEED, unit], values=values)
        fit(self.canvas, Column(self.formula, self.faces, self.line, gap=0.2))
        self.formula.hide()
        self.tiles = self.line.stand(self["words.words"], self.values.words.asks)
        self.upright = self["words.phases"][0]
        self.others = range(1, len(self.values.words.words))
        self._lay_single_dials()
        self.hands = Hands(self.upright, self.faces, angles=True)
        self.pair_dials = VGroup(self.faces, self.hands)
        self.wedges = VGroup(Wedges(self.upright, self.faces), self.hands.ghosts())
        self.periods = VGroup(self._numbers("periods"), turn_unit(self.faces))
        self.mark = self.line.mark(self["words.positions"][0])

    def _lay_single_dials(self) -> None:
        """A dial for every word, and the one in which they will meet."""
        foot = self.line.x(0)[1] + self.line.head
        room = Region(self.canvas.left, foot, self.canvas.right, self.canvas.top)
        phases = self["words.first_phases"]
        self.of_words = Dials(len(phases), labels=self["words.words"], largest=1.3)
        self.of_words.place(room)
        self.dials = VGroup(self.of_words, Hands(phases, self.of_words, angles=True))
        self.one = Dials(1, labels=None, largest=2.0)
        self.one.place(room.inset(_RIM))
        met = Hands(phases, self.of_words, angles=True, ghost=True)
        tips = [Figure(self["words.positions"][k], "d") for k in range(len(phases))]
        for tip, angle in zip(tips, phases.array, strict=True):
            tip.number.center_on(self.one.rim(0, float(angle), 1.18))
        self.met, self.tips = met, VGroup(*tips)
        self.hand = Hands(self.upright, self.one, angles=True)
        self.way = Turns(self.upright, self.one)

    def _numbers(self, path: str, suffix: str = "") -> DialNumbers:
        """Numbers under the dials, to three digits."""
        look: dict[str, Any] = {"size": SMALL, "color": self.theme.text_color("position")}
        return DialNumbers(self[path], self.faces, to_three_digits, suffix=suffix, **look)

    @beat("Every position turns the hand on; at {fastest_period:.2f} it has been round once.")
    def round(self) -> Steps:
        yield self.of_words.shrink_to(self.one.centers[0, 0], self.one.radius, run_time=1.0)
        self.remove(self.dials)
        self.add(self.of_words.faces, self.one, self.met, self.way, self.hand)
        yield together(FadeIn(self.tips), self.mark.appear(), run_time=0.4)
        period, once_round = self["fastest_period"], self["round_phases"]
        self.end = self.line.mark(period, ".2f")
        turn = self.hand.to(once_round), self.way.to(once_round)
        yield together(*turn, self.mark.to(period), run_time=2.2)
        yield self.end.appear(run_time=0.4)

    @beat(_more)
    def more(self) -> Steps:
        gone = FadeOut(self.met, self.tips, self.way, self.of_words.faces)
        yield together(gone, self.mark.vanish(), self.end.vanish(), run_time=0.4)
        yield self.one.go_to([self.faces.centers[0, 0]], self.faces.radius, run_time=0.8)
        self.faces.fan(0, 0.0)
        self.remove(self.one, self.hand)
        self.add(self.faces, self.wedges, self.hands)
        yield self.faces.spread_from(0, run_time=1.6)
        yield FadeIn(self.periods, run_time=0.6)

    def _turn(self, path: str) -> Moves:
        """Let every hand turn to an angle, and its wedge with it."""
        return together(*(part.to(self[path]) for part in (self.hands, self.wedges[0])))

    @beat("At position 1 the fast hand has moved far, each slower one less.")
    def near(self) -> Steps:
        self.mark.set_to(self["words.positions"][0])
        self.degrees = self._numbers("near_degrees", "°")
        yield together(FadeOut(self.periods), self.mark.appear(), run_time=0.4)
        mark = self.mark.to(self["words.positions"][1])
        yield together(self._turn("frequencies"), mark, run_time=2.4)
        yield FadeIn(self.degrees, run_time=0.5)

    @beat(_far, ask="Which hand tells position {m} from 0?")
    def far(self) -> Steps:
        m = self["m"]
        self.window = self.line.window
        zoom = self.line.zoom([0, max(self.window[1], 1.1 * m.array)])
        yield (
            together(FadeOut(self.degrees), leave(self.tiles, *self.others), run_time=0.5),
            together(zoom, self._turn("far_phases"), self.mark.to(m), run_time=0.8 * self.reading),
        )
        self.degrees = self._numbers("far_wedges", "°")
        self.there = self.line.mark(m, "d")
        yield together(FadeIn(self.degrees), self.there.appear(), run_time=0.5)

    @beat("The base, here {base:,.12g}, sets the speeds: raise it for longer texts.")
    def base(self) -> Steps:
        yield FadeOut(self.degrees, self.wedges, run_time=0.5)
        yield FadeIn(self.periods, run_time=0.8), self.formula.appear(run_time=1.6)

    @beat(CAPTION)
    def back(self) -> Steps:
        """Everything runs back to position 0, and the line to the window it had."""
        hands, mark = self.hands.to(self.upright), self.mark.to(self["words.positions"][0])
        yield (
            self.there.vanish(run_time=0.4),
            together(self.line.zoom(self.window), hands, mark, run_time=0.5 * self.reading),
        )
        others, gone = come_back(self.tiles, *self.others), self.mark.vanish()
        yield together(others, gone, FadeOut(self.formula), run_time=0.5)
