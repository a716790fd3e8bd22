"""One clock hand soon repeats itself; several hands of different speeds tell positions apart."""

from __future__ import annotations

from typing import Any

from manim import VGroup, linear
from manim.utils.rate_functions import ease_in_out_sine

from clockhead.model.films.rope.frequencies import Schedule, rope_schedule
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.dial_turns import Turns, Wedges
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.strip_looks import leave
from clockhead.scenes.rope.inputs import WordInputs
from clockhead.scenes.rope.word_line import (
    FAR,
    NUMBER,
    large_clock,
    numbers_under,
    row_of_clocks,
    to_three_digits,
)
from clockhead.scenes.spelling import counted, said
from clockhead.scenes.stage import CAPTION, Derived, FadeIn, FadeOut, Stage, Steps, beat, together
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.motion import Moves

_FEW = 3
"""Number of positions that the hand counts one by one at first."""


def _slower_hands(values: Schedule) -> str:
    if values.slower_pair_tells:
        return "Not the first hand: it is back. But a slower one has moved."
    return "Not the first hand: it is back. Only a slower one has moved a little."


class Frequencies(Stage[Schedule]):
    """One clock hand soon repeats itself; hands of several speeds tell positions apart."""

    Inputs = WordInputs
    title = "A clock for positions"
    caption = "{ending}"
    opens = ("line", "tiles", "one", "hand")
    leaves = ("line", "dials")
    derived = {
        "hands": Derived("number of hands, spelled out", lambda v: counted(v.n_pairs)),
        "ending": Derived(
            "what the slower hands show, in a sentence", lambda v: said(_slower_hands(v))
        ),
    }

    compute = rope_schedule

    def layout(self) -> None:
        """Lay out the large clock, and the row of clocks that replaces it."""
        v = self.values
        self.line, self.faces, _ = row_of_clocks(self.canvas, v.n_pairs)
        self.tiles = self.line.strip(self["words.words"], v.words.asks)
        self.upright = self["words.phases"][0]
        self._lay_large_clock()
        self.hands = Hands(self.upright, self.faces, angles=True)
        self.dials = VGroup(self.faces, self.hands)
        self.wedges = Wedges(self.upright, self.faces)
        self.mark = self.line.mark(self["words.positions"][0])

    def _lay_large_clock(self) -> None:
        """Lay out one clock over the line, with the positions of its first turn around its rim."""
        self.one = large_clock(self.canvas, self.line)
        self.hand = Hands(self.upright[:1], self.one, angles=True)
        self.way = Turns(self.upright[:1], self.one, out=0.7)
        self.tips = [
            Figure(self["counted"][k], "d", size=NUMBER) for k in range(len(self.values.counted))
        ]
        for tip, angle in zip(self.tips, self.values.counted_phases, strict=True):
            tip.number.center_on(self.one.rim(0, float(angle), 1 + 0.3 / self.one.radius))

    def _turn_one(self, angle: Any, place: Any, **options: Any) -> Moves:
        """Animate the large hand, its arc and the mark to a position."""
        return together(
            self.hand.to(angle, **options),
            self.way.to(angle, **options),
            self.mark.to(place, **options),
        )

    @beat("Here is one clock. At position 0 its hand points straight up.")
    def one_clock(self) -> Steps:
        """Remove the words, and mark position 0."""
        yield leave(self.tiles, *range(len(self.tiles.tiles)), run_time=0.6)
        yield self.mark.appear()
        yield FadeIn(self.tips[0], run_time=0.4)

    @beat("With every position the hand turns on by {fast_degrees:.1f} degrees, one radian.")
    def count(self) -> Steps:
        """Move the mark and the hand position by position, with a number on the rim for each."""
        self.add(self.way, self.hand)
        for k in range(1, _FEW + 1):
            phase = self["counted_phases"][k : k + 1]
            yield self._turn_one(phase, self["counted"][k], run_time=0.8)
            yield FadeIn(self.tips[k], run_time=0.3)

    @beat(
        "Not far: after {fastest_period:.2f} positions the hand has gone all the way round.",
        ask="How far can this clock count?",
    )
    def round(self) -> Steps:
        """Complete the turn, until the arc closes."""
        for k in range(_FEW + 1, len(self.tips)):
            phase = self["counted_phases"][k : k + 1]
            yield self._turn_one(phase, self["counted"][k], run_time=0.5)
            yield FadeIn(self.tips[k], run_time=0.2)
        period = self["fastest_period"]
        self.end = self.line.mark(period, ".2f", size=NUMBER)
        yield self._turn_one(self["round_phase"], period, run_time=0.8)
        yield self.end.appear(run_time=0.4)

    @beat("From there on it repeats itself. At position {m} it looks just like at position 0.")
    def again(self) -> Steps:
        """Zoom out the line, and turn the hand many times."""
        yield together(FadeOut(self.way, *self.tips), self.end.vanish(), run_time=0.5)
        zoom = self.line.zoom([0, FAR * self.values.m], run_time=1.2)
        yield zoom
        run: dict[str, Any] = {"run_time": 3.6, "rate_func": ease_in_out_sine}
        yield self.hand.to(self["fast_phase"], **run), self.mark.to(self["m"], **run)
        self.there = self.line.mark(self["m"], "d", size=NUMBER)
        yield self.there.appear(run_time=0.4)

    @beat(
        "So we use {hands} hands altogether, each {factor} times as slow as the one before.",
        focus="dials",
    )
    def more(self) -> Steps:
        """Move the large clock to its place in the row, and spread the slower ones out of it."""
        yield together(self.mark.vanish(), self.there.vanish(), run_time=0.4)
        yield self.one.go_to([self.faces.centers[0, 0]], self.faces.radius, run_time=1.0)
        self.faces.fan(0, 0.0)
        self.remove(self.one, self.hand)
        self.add(self.faces, self.wedges, self.hands)
        yield self.faces.spread_from(0, run_time=2.0)
        numbers = self["periods"], to_three_digits, "positions per turn"
        yield FadeIn(numbers_under(self.faces, *numbers), run_time=0.8)

    def _run_to_m(self, path: str, run_time: float) -> Moves:
        """Animate the mark from 0 to the far position, and all hands with it."""
        phases = self[path]
        options: dict[str, Any] = {"run_time": run_time, "rate_func": linear}
        return together(
            self.hands.to(phases, **options),
            self.wedges.to(phases, **options),
            self.mark.to(self["m"], **options),
        )

    @beat(
        CAPTION,
        ask="Once more from 0 to {m}. Which hand will tell the two apart?",
        rest=REST,
        focus="dials",
    )
    def far(self) -> Steps:
        """Turn all hands from 0 to the far position."""
        self.mark.set_to(self["words.positions"][0])
        yield self.mark.appear(run_time=0.4)
        yield self._run_to_m("phases", 4.0)
        yield self.there.appear(run_time=0.4)
