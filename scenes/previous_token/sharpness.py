"""Alpha is turned down, and up as far as it takes: how sure the head is, never which key wins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Annotated, Any

import numpy as np
from manim import FadeIn, smooth
from pydantic import AfterValidator, Field

from model.alpha_sweep import AlphaSweep
from model.arrays import Floats
from model.units import ScoreScale, Share
from scenes.facts import format_fact
from scenes.parts.chart import Chart
from scenes.parts.curves import Dots, Rule, Trace
from scenes.parts.figures import Readout
from scenes.parts.knob import Knob
from scenes.parts.scale import Scale, decades
from scenes.previous_token.inputs import HeadInputs
from scenes.previous_token.table import Table, room_beside
from scenes.stage import CAPTION, Claim, Column, Derived, Row, Stage, Steps, beat, fit
from scenes.style.motion import Drive

_BOUNDS = (0.01, 1e4)
"""Of alpha."""
_ROUNDING = 1e-9


def _rising(alphas: tuple[float, ...]) -> tuple[float, ...]:
    if any(b < 1.2 * a for a, b in pairwise(alphas)):
        raise ValueError(f"{list(alphas)} must rise, each by a fifth or more")
    return alphas


Alphas = Annotated[
    tuple[Annotated[float, Field(ge=_BOUNDS[0], le=_BOUNDS[1])], ...],
    AfterValidator(_rising),
    Field(min_length=1, max_length=3),
]


@dataclass(frozen=True, eq=False)
class Sharpened:
    """A head at every alpha from almost nothing to more than enough, and the stops on the way."""

    tokens: tuple[str, ...]
    sweep: AlphaSweep
    stops: tuple[float, ...]

    @property
    def knob(self) -> tuple[ScoreScale, ScoreScale]:
        """What the knob goes from and to: the powers of ten around the sweep."""
        low, high = np.log10([self.sweep.low, self.sweep.high])
        return 10.0 ** np.floor(low + _ROUNDING), 10.0 ** np.ceil(high - _ROUNDING)

    @cached_property
    def stop_masses(self) -> Floats:
        """The smallest mass that a row gives the token before it, at every stop; (K,)."""
        return self.sweep.worst_masses_at(self.stops)

    @property
    def last_mass(self) -> Share:
        """The smallest mass that a row gives the token before it, at the last stop."""
        return float(self.stop_masses[-1])

    @property
    def first_mass(self) -> Share:
        """The smallest mass that a row gives the token before it, at the first stop."""
        return float(self.stop_masses[0])

    @cached_property
    def enough(self) -> Floats:
        """What the weakest row gives the token before it at alpha_99; (1,)."""
        return self.sweep.worst_masses_at([self.sweep.alpha_99])

    @property
    def mass(self) -> Share:
        """What every row then gives the token before it at least."""
        return round(float(self.enough[0]), 9)

    def place(self, alpha: float) -> int:
        """Where in the sweep an alpha of the story is."""
        return int(np.abs(np.array(self.sweep.alphas) - alpha).argmin())


def _once(at: float) -> Callable[[float], float]:
    """Nothing until a motion has come so far, and all of it from then on."""
    return lambda share: float(smooth(share) >= at)


def _needed(values: Sharpened) -> str:
    alpha = values.sweep.alpha_99
    return format_fact(alpha, ".1f" if alpha >= 1 else ".2g")


class Sharpness(Stage):
    """Alpha is turned down and up: it decides how sure the head is, and never which key wins."""

    class Inputs(HeadInputs):
        alphas: Alphas = Field(
            (1.0, 4.0, 10.0), description="one to three rising scales of the scores to stop at"
        )

    title = "How far must the knob turn?"
    question = "What α does, and what it never does."
    caption = "So α decides how sure the head is, and never which key wins."
    opens = ("tiles", "askers", "grid", "knob")
    leaves = ("tiles", "askers", "grid")
    claims = (
        Claim(
            "the same key wins each row at every α",
            lambda values: values.sweep.winners_constant,
            "{sweep.n_changing} rows have another winner at some α",
        ),
        Claim(
            "every row but the first finds the token before it",
            lambda values: values.sweep.head.always_strict,
            "{sweep.head.n_missed} rows look elsewhere",
        ),
        Claim(
            "the weakest row gives more to the token before as α rises",
            lambda values: values.sweep.never_falls,
            "it gives less at some larger α",
        ),
    )
    derived = {
        "needed": Derived("the α at which the weakest row gives so much, in digits", _needed),
        "first_alpha": Derived("the first stop of α", lambda values: values.stops[0]),
        "last_alpha": Derived("the last stop of α", lambda values: values.stops[-1]),
    }
    renamed = {
        "n_tokens": "sweep.head.n_tokens",
        "d_head": "sweep.head.d_head",
        "alpha_99": "sweep.alpha_99",
        "alpha_99_estimate": "sweep.head.alpha_99_estimate",
        "gap": "sweep.head.gap",
        "first_worst_mass": "first_mass",
        "last_worst_mass": "last_mass",
    }

    values: Sharpened

    @classmethod
    def compute(cls, inputs: Inputs) -> Sharpened:
        sweep = AlphaSweep.around(inputs.head(), inputs.alphas)
        return Sharpened(inputs.tokens, sweep, inputs.alphas)

    def layout(self) -> None:
        values, here = self.values, self.values.place(self.values.sweep.head.alpha)
        self.grid = Table(self["sweep.patterns"][here], self["tokens"])
        self.tiles, self.askers = self.grid.tiles, self.grid.askers
        self.knob = Knob(self["sweep.alphas"][here], *values.knob, spec=".3g")
        low, high = values.sweep.low, values.sweep.high
        self.chart = Chart(
            Scale(low, high, decades(low, high), name="α", log=True),
            Scale(0.0, 1.0, (0.0, 0.5, values.mass), ".0%"),
            least=(1.5, 0.8),
        )
        self._draw_curve()
        self.weakest = Readout(
            self["sweep.worst_masses"][here],
            ".1%-",
            words="the weakest row gives the token before it",
            color=self.theme.text_color("attention"),
        )
        fit(
            room_beside(self.canvas, self.grid),
            Column(Row(self.knob, self.weakest, gap=0.7), self.chart, weights=(1.0, 2.0)),
            Column(self.knob, self.weakest, self.chart, gap=0.2, weights=(0.0, 0.0, 1.0)),
        )
        self.winners = self.grid.outline(self["sweep.head.looks_at"])
        self._here = here

    def _draw_curve(self) -> None:
        """What the weakest row gives, over alpha; dots at the stops, a line where it is 99 %."""
        masses, alphas = self["sweep.worst_masses"], self["sweep.alphas"]
        needed = self["sweep.alpha_99"]
        self.curve = Trace(masses, self.chart, x=alphas, drawn=0.0)
        self.dots = Dots(self["stop_masses"], self.chart, x=self["stops"], standing=())
        self.enough = Rule(needed, self.chart, upright=True, role="token")
        self.crossing = Dots(
            self["enough"], self.chart, x=[needed.content], role="token", standing=()
        )

    @beat("Turned down, the same token still wins each row, only by less.")
    def down(self) -> Steps:
        yield [*map(FadeIn, (self.winners, self.chart.x, self.chart.y, self.weakest))]
        yield self._turn(0, max(3.0, 0.7 * self.reading))

    @beat("How far up, until even the weakest row gives {mass:.0%} to the token before?")
    def up(self) -> Steps:
        self.add(self.curve, self.dots)
        yield self._sweep(self.values.sweep.alpha_99, max(4.0, self.reading))

    @beat("To about {needed}.")
    def enough_(self) -> Steps:
        yield FadeIn(self.enough), self.crossing.appear(0)
        yield 0.8

    @beat(CAPTION)
    def home(self) -> Steps:
        values = self.values
        own = values.sweep.head.alpha
        rest = self.curve.draw_to(1.0, run_time=2.4)
        left = [self.dots.appear(k, run_time=2.4) for k in self._standing_after(self._here)]
        yield [*self._turn(values.place(own), 2.4), rest, *left]

    def _sweep(self, alpha: float, run_time: float) -> list[Any]:
        """Up to an alpha, with the curve, and the dots of the stops that are passed."""
        values, first, last = self.values, self._here, self.values.place(alpha)
        share = last / (len(values.sweep.alphas) - 1)
        passed = [(values.place(a) - first) / max(last - first, 1) for a in values.stops]
        return [
            *self._turn(last, run_time),
            self.curve.draw_to(share, run_time=run_time),
            *(
                self.dots.appear(k, run_time=run_time, rate_func=_once(at))
                for k, at in enumerate(passed)
                if at <= 1
            ),
        ]

    def _standing_after(self, place: int) -> list[int]:
        """The stops beyond a place of the sweep."""
        values = self.values
        return [k for k, a in enumerate(values.stops) if values.place(a) > place]

    def _turn(self, place: int, run_time: float) -> list[Drive]:
        """The knob, the table and the weakest row on their way to another alpha."""
        way = slice(min(self._here, place), max(self._here, place) + 1)
        order = slice(None, None, 1 if place > self._here else -1)
        self._here = place
        pictures = (self.knob, self.grid, self.weakest)
        names = ("alphas", "patterns", "worst_masses")
        return [
            picture.through(self[f"sweep.{name}"][way][order], run_time=run_time)
            for picture, name in zip(pictures, names, strict=True)
        ]
