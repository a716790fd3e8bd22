"""Turn back by m, then on by n: that is one turn, by n - m."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import FadeIn, VGroup
from numpy.typing import NDArray
from pydantic import Field

from model.position_pair import PositionPair
from model.rope import rope_phases
from scenes.facts import Fact
from scenes.parts.clocks.turns import TurnSum
from scenes.rope.common import HandsInputs, part_of
from scenes.stage import Finding, Slide
from scenes.style.layout import Region
from scenes.style.text import Formula


def _steps(count: int) -> str:
    return f"{abs(count)} step{'' if abs(count) == 1 else 's'}"


def _signed_steps(offset: int) -> str:
    if not offset:
        return "no turn at all"
    return f"one turn {'on' if offset > 0 else 'back'} by {_steps(offset)}"


class Composition(Slide):
    """Turn back by m, then on by n: that is one turn, by n - m."""

    class Inputs(HandsInputs):
        m: int = Field(5, ge=0, le=12, description="position of the query: turns back by m steps")
        n: int = Field(3, ge=0, le=12, description="position of the key: turns on by n steps")

    title = "Two turns make one"
    question = "A query at {m} meets a key at {n}: what is left of their positions?"
    caption = "Back by {m}, on by {n}: together {together}. Only their offset is left."

    notes = (
        "A position turns every hand, step by step. Shown: {hands_shown}.",
        "The query turns every hand back by its position: {steps_back}.",
        "The key turns it on by its own position: {steps_on}.",
        "Start over: one turn by n − m = {offset} ends at the same place.",
    )

    inputs: Inputs
    values: PositionPair

    @classmethod
    def compute(cls, inputs: Inputs) -> PositionPair:
        return PositionPair(inputs.m, inputs.n, inputs.frequencies)

    @classmethod
    def facts(cls, values: PositionPair) -> dict[str, Fact]:
        return {
            "m": values.m,
            "n": values.n,
            "offset": values.offset,
            "n_hands": len(values.frequencies),
            "n_shown": len(_fast_hands(values)),
            "hands_shown": part_of(len(_fast_hands(values)), len(values.frequencies)),
            "steps_back": _steps(values.m),
            "steps_on": _steps(values.n),
            "together": _signed_steps(values.offset),
            "difference": values.largest_difference,
        }

    @classmethod
    def checks(cls, values: PositionPair) -> list[Finding]:
        found = values.largest_difference
        return [
            Finding("R_m^T R_n is R_(n - m) up to rounding", found < 1e-12, f"{found:.3g} apart")
        ]

    @classmethod
    def arrays(cls, values: PositionPair) -> dict[str, NDArray[Any]]:
        hands = _fast_hands(values)
        turned = rope_phases([1, -values.m, values.n, values.offset], values.frequencies)[:, hands]
        degrees = np.degrees(turned)
        return {
            "theta": np.array(values.frequencies),
            "degrees_a_step": degrees[0],
            "degrees_back": degrees[1],
            "degrees_on": degrees[2],
            "degrees_at_once": degrees[3],
            "product": values.product,
            "single_turn": values.single_rotation,
        }

    def construct(self) -> None:
        heading, below = self.canvas.cut_top(0.75, gap=0.2)
        self._formula = Formula("query(R_m^top) key(R_n) = position(R_(n - m))", size=48)
        self._formula.move_to(heading.center)
        self._dials = self._make_dials(below)
        self._ask()
        self._turn_twice()
        self._turn_once()

    def _make_dials(self, region: Region) -> list[TurnSum]:
        arrays = self.arrays(self.values)
        names = ("degrees_a_step", "degrees_back", "degrees_on", "degrees_at_once")
        turned = np.stack([arrays[name] for name in names], axis=1)  # (hands, 4)
        cut = region.columns if region.width > region.height else region.rows
        cells = cut(*[1.0] * len(turned), gap=0.3)
        return [TurnSum(cell, *row) for cell, row in zip(cells, turned.tolist(), strict=True)]

    def _ask(self) -> None:
        """The viewer meets the hands, and the product that is the question."""
        self.beat("question")
        self.play(self.say(0), *(FadeIn(dial) for dial in self._dials), run_time=0.8)
        self._single = self._formula.part("position")
        asked = VGroup(*(piece for piece in self._formula if piece not in self._single))
        self.play(FadeIn(asked), run_time=0.6)
        self.let_read()

    def _turn_twice(self) -> None:
        """Back by m: every hand by its own angle. Then on by n, from where it stopped."""
        for k, name in enumerate(("back", "on")):
            self.beat(name)
            self.play(self.say(k + 1))
            self.play(*(dial.turn(k, run_time=2.0) for dial in self._dials))
            self.let_read()

    def _turn_once(self) -> None:
        """A fresh hand makes one turn by the sum of the angles, and meets the other."""
        self.beat("at_once")
        self.play(self.say(3), *(fade for dial in self._dials for fade in dial.step_back()))
        self.play(*(dial.turn(2, run_time=2.0) for dial in self._dials))
        self.play(FadeIn(self._single), run_time=0.6)
        self.let_read(least=1.2)


def _fast_hands(values: PositionPair) -> NDArray[np.int64]:
    """Up to two hands, fast enough to be seen turning."""
    n_hands = len(values.frequencies)
    return np.arange(min(2, n_hands)) * max(1, n_hands // 16)
