"""The pairs of a token's vector are hands; the position turns each by its own angle."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import FadeIn, VGroup
from numpy.typing import NDArray
from pydantic import Field

from model.rotated_vector import RotatedVector
from scenes.facts import Fact
from scenes.parts.clocks.hand_row import HandRow
from scenes.parts.tokens.strip import TokenStrip
from scenes.rope.common import ROUNDING, LetterAtPosition
from scenes.stage import EvenInt, Finding, Slide
from scenes.style.layout import Region
from scenes.style.motion import Drive
from scenes.style.text import Number


class ClockHands(Slide):
    """The pairs of a token's vector are hands; the position turns each by its own angle."""

    class Inputs(LetterAtPosition):
        d_head: EvenInt = Field(
            8, ge=4, le=16, description="width of the head; d_head/2 clock hands"
        )

    title = "A position turns the hands of a vector"
    question = "The vector of “{letter}” is {n_hands} hands. What does standing at position {m} do?"
    caption = (
        "At position {m} the first hand has turned {first_degrees:,.1f}°, the last "
        "{last_degrees:,.1f}°. No hand has changed its length."
    )
    notes = (
        "The vector of “{letter}”: {d_head} numbers, two by two.",
        "Each pair is a hand: so far up, and so far to the right.",
        "Every position turns each hand by its own angle.",
        "New angles, new numbers, and no hand has changed its length.",
    )

    inputs: Inputs
    values: RotatedVector

    @classmethod
    def compute(cls, inputs: Inputs) -> RotatedVector:
        return inputs.turned(inputs.d_head)

    @classmethod
    def facts(cls, values: RotatedVector) -> dict[str, Fact]:
        degrees = np.rad2deg(values.phases)
        return {
            "letter": values.token,
            "d_head": len(values.vector),
            "n_hands": len(values.frequencies),
            "m": values.m,
            "first_degrees": float(degrees[0]),
            "last_degrees": float(degrees[-1]),
            "largest_change": _length_change(values),
        }

    @classmethod
    def checks(cls, values: RotatedVector) -> list[Finding]:
        change = _length_change(values)
        return [
            Finding("no hand changes its length", change < ROUNDING, f"one changes by {change:.3g}")
        ]

    @classmethod
    def arrays(cls, values: RotatedVector) -> dict[str, NDArray[Any]]:
        return {
            "vector": np.array(values.vector),
            "thetas": np.array(values.frequencies),
            "lengths": values.lengths,
            "pairs_along": values.pairs_along,
            "degrees_along": np.rad2deg(values.phases_along),
            "positions": np.arange(values.m + 1),
        }

    def construct(self) -> None:
        head, below = self.canvas.cut_top(0.5, 0.25)
        self.row = HandRow(self.values.pairs_along, self.values.phases_along, below)
        self._header(head)
        self._pairs()
        self._hands()
        self._turn()

    def _header(self, head: Region) -> None:
        box = Region(head.left, head.bottom, head.left + 0.6, head.top)
        self.token = TokenStrip([self.values.token], box, size=26)
        self.counter = Number(
            0,
            "d",
            size=30,
            weight="semibold",
            prefix="at position ",
            color=self.theme.text_color("position"),
            align="left",
        )
        self.counter.put(np.array([box.right + 0.2, self.token.labels[0].anchor[1], 0.0]))

    def _pairs(self) -> None:
        """A vector of d_head numbers, taken two by two."""
        self.beat("pairs")
        self.play(FadeIn(self.token), self.say(0), run_time=0.6)
        self.rise = self.row.lift(run_time=0.9)
        self.play(FadeIn(self.row.pairs, lag_ratio=0.3), run_time=1.2)
        self.wait(1.0)

    def _hands(self) -> None:
        """Each pair is a point: so far up, so far to the right."""
        self.beat("hands")
        bodies = VGroup(*self.row.dials)
        for dial in self.row.dials:
            dial.show_pair((0.0, 0.0))
        self.play(self.rise, FadeIn(bodies), self.say(1))
        self.play(self.row.grow(rightwards=False, run_time=0.9))
        self.play(self.row.grow(rightwards=True, run_time=0.9))
        self.wait(1.2)

    def _turn(self) -> None:
        """The position counts up, and every hand turns by its own angle."""
        self.beat("turn")
        ghosts = VGroup(*(dial.ghost for dial in self.row.dials))
        self.play(
            FadeIn(self.counter),
            FadeIn(VGroup(*self.row.under)),
            Drive(ghosts, lambda s: ghosts.set_stroke(opacity=float(s)), 0.0, 1.0),
            self.say(2),
            run_time=0.8,
        )
        for position in (0, 1, 2):
            self.play(self._go(position, position + 1, run_time=0.6))
        self.play(self._go(3, self.values.m, run_time=4.0))
        self.play(self.say(3))
        self.wait(2.0)

    def _go(self, start: int, end: int, run_time: float) -> Drive:
        def show(position: NDArray[np.float64]) -> None:
            self.row.show(float(position))
            self.counter.set_value(int(position))

        return Drive(VGroup(self.row, self.counter), show, start, end, run_time=run_time)


def _length_change(values: RotatedVector) -> float:
    """The largest change of a hand's length between position 0 and m."""
    after = np.hypot(values.rotated_pairs[:, 0], values.rotated_pairs[:, 1])
    return float(np.max(np.abs(after - values.lengths)))
