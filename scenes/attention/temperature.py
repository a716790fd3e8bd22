"""From logits to a word: softmax, the largest or a draw, and what a temperature does to them."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any

import numpy as np
from pydantic import Field, model_validator

from clockhead.model.films.attention.temperature import TemperatureWalk, temperature_walk
from clockhead.model.primer.weights import LOGITS_5, VOCABULARY
from clockhead.scenes.attention.tally import Tally
from clockhead.scenes.parts.equation import Equation, become
from clockhead.scenes.parts.knob import Knob
from clockhead.scenes.parts.scale import Scale
from clockhead.scenes.parts.word_bars import SHARES, WordBars, scale_of
from clockhead.scenes.stage import (
    CAPTION,
    REST,
    Column,
    Derived,
    Row,
    Stage,
    StageInputs,
    Steps,
    Words,
    beat,
    fit,
    said,
)
from clockhead.scenes.stage.layout import Box
from clockhead.scenes.stage.shown import Passage, Picture
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.texts import few_words, words_said

_TOLD = 3
"""So many of the likeliest words have their numbers written."""
_SOFTMAX = [("p", "p_i"), ("equals", "="), ("shares", "exp(ell_i) / (sum_j exp(ell_j))")]
_DIVIDED = [*_SOFTMAX[:2], ("shares", "exp(ell_i \\/ tau) / (sum_j exp(ell_j \\/ tau))")]
_FORMULA = 40.0
_NEAR, _HALF = Scale(0.0, 0.5, (0.0, 0.25, 0.5), ".0%"), 0.48
"""The axis for shares that are all below this."""
_WIDEST = 8
"""The widest word, in usual letters."""

Word = Annotated[Words, few_words(1, 1, _WIDEST), Field(description=words_said(1, 1, _WIDEST))]
Logit = Annotated[float, Field(ge=-99, le=99)]
Heat = Annotated[float, Field(ge=0.05, le=100)]


def _way(walk: TemperatureWalk) -> str:
    """What the first turn of the knob does."""
    hotter = walk.temperatures[1] > walk.temperatures[0]
    return said(
        "A high temperature evens the probabilities out."
        if hotter
        else "A low temperature makes the likeliest word still likelier."
    )


def _further(walk: TemperatureWalk) -> str:
    """What the next turns do, all of them one way or not."""
    stops = np.array(walk.temperatures[1:])
    if (np.diff(stops) < 0).all():
        return said("Cold does the opposite: the likeliest word becomes still likelier.")
    if (np.diff(stops) > 0).all():
        return said("The hotter, the more even they become.")
    return said("Hot evens them out, cold makes the likeliest word still likelier.")


class Temperature(Stage):
    """Logits become probabilities; a temperature melts and freezes them."""

    class Inputs(StageInputs):
        """Words with logits, the temperatures they are taken at, and how many words are drawn."""

        words: Annotated[tuple[Word, ...], Field(min_length=2, max_length=24)] = Field(
            VOCABULARY, description="the words that can come next, each once"
        )
        logits: Annotated[tuple[Logit, ...], Field(min_length=2, max_length=24)] = Field(
            tuple(LOGITS_5.tolist()), description="a logit for each of them"
        )
        temperatures: Annotated[tuple[Heat, ...], Field(min_length=1, max_length=3)] = Field(
            (2.0, 0.5, 0.1),
            description="where the temperature is turned, from 1 on, one after another",
        )
        n_draws: int = Field(20, ge=5, le=40, description="how many words are drawn, twice")
        draw_seed: int = Field(47, ge=0, le=2**32 - 1, description="what makes draws repeatable")

        @model_validator(mode="after")
        def _fits(self) -> Temperature.Inputs:
            n_words, n_logits = len(self.words), len(self.logits)
            if n_words != n_logits:
                raise ValueError(f"{n_words} words need as many logits, not {n_logits}")
            if len(set(self.words)) < n_words:
                raise ValueError("words must differ from each other")
            if any(a == b for a, b in pairwise((1.0, *self.temperatures))):
                raise ValueError(
                    "temperatures must each differ from the one before; the first is 1"
                )
            return self

    title = "Drawing a word, hot or cold"
    caption = (
        "No temperature changes which {first.n_likeliest:word is|words are} likeliest, only how "
        "often another one gets a chance."
    )
    opens = ("chart",)

    derived = {
        "way": Derived("what the first turn of the knob does", _way),
        "further": Derived("what the next turns do", _further),
    }

    values: TemperatureWalk

    @classmethod
    def compute(cls, inputs: Any) -> TemperatureWalk:
        temperatures = (1.0, *inputs.temperatures)
        logits, draws = np.array(inputs.logits), (inputs.n_draws, inputs.draw_seed)
        return temperature_walk(inputs.words, logits, temperatures, *draws)

    def layout(self) -> None:
        walk = self.values
        self.formula, self.divided = (
            Equation(terms, size=_FORMULA) for terms in (_SOFTMAX, _DIVIDED)
        )
        temperatures = walk.temperatures
        tens = np.log10([min(temperatures), max(temperatures)])
        low, high = 10.0 ** np.floor(tens[0]), 10.0 ** np.ceil(tens[1])
        self.knob = Knob(self["temperatures"][0], low, high, spec=".3g", prefix="τ = ")
        look: dict[str, Any] = {"spec": ".3g", "numbered": (), "grown": False}
        look |= {"role": "probability"}
        given = self["logits"], self["words"], scale_of(walk.logits)
        upright, lying = (WordBars(*given, lying=lying, **look) for lying in (False, True))
        knob, formula = self.knob, self.divided
        ways: tuple[tuple[WordBars, Box], ...] = (
            (upright, Row(upright, Column(formula, knob, gap=0.4), weights=(1, 0))),
            (lying, Column(lying, Row(knob, formula, weights=(1, 2)), weights=(1, 0))),
            (upright, Column(upright, Row(formula, knob, gap=0.2), weights=(1, 0))),
        )
        self.picture = ways[fit(self.canvas, *(way for _, way in ways))][0]
        self.chart, self.bars = self.picture.chart, self.picture.bars
        self.told = walk.first.order[: _TOLD if self.picture.has_room else 1].tolist()
        near = [walk.first_draws.shares, walk.probabilities[:2]]
        if len(walk.temperatures) < 3:
            near.append(walk.final_draws.shares)
        largest = max(float(shares.max()) for shares in near)
        self.near = _NEAR if largest < _HALF else SHARES
        region = self.divided.region
        assert region is not None
        self.formula.place(region)

    @beat(
        "At last the new row is compared with every possible next word. We leave this step out: "
        "say that these numbers, the logits, come of it."
    )
    def suppose(self) -> Steps:
        yield self.bars.grow(lag=0.15, run_time=0.5 * self.reading)
        yield self.bars.write(self.told, ".3g")

    @beat("Softmax turns them into probabilities: the largest is {first.greedy_share:.1%}.")
    def shares(self) -> Steps:
        yield self.bars.unwrite(run_time=0.3), FadeIn(self.formula)
        run_time = 0.5 * self.reading
        yield (
            self.bars.to(self["probabilities"][0], run_time=run_time),
            self.picture.rescale(self.near, run_time=run_time),
        )
        yield self.bars.write(self.told, ".1%")

    @beat(
        "{first_draws.n_greedy} times: other words have their chance, too.",
        ask="The next word is drawn. How often will “{first.greedy_word}” come in {n_draws} draws?",
    )
    def draw(self) -> Steps:
        everything = range(self.values.n_words)
        yield self.bars.unwrite(run_time=0.2), self.bars.dim_bars(everything, run_time=0.3)
        yield from self._tally("first_draws")

    @beat("Now divide the logits by a temperature first. {way}")
    def turn(self) -> Steps:
        yield FadeIn(self.knob), become(self.formula, self.divided, run_time=0.8)
        yield self._turn(0, max(2.5, 0.6 * self.reading))

    @beat("{further}", when=lambda walk: len(walk.temperatures) > 2)
    def turn_on(self) -> Steps:
        n = len(self.values.temperatures) - 1
        for k in range(1, n):
            rescaled = self.picture.rescale(SHARES, run_time=2.2)
            yield *self._turn(k, 2.2), *([rescaled] if k == 1 and self.near is _NEAR else [])

    @beat(
        "{final_draws.n_greedy} of {n_draws} draws give “{first.greedy_word}”.",
        ask="And now, at temperature {final.temperature:g}?",
        rest=REST,
    )
    def draw_again(self) -> Steps:
        dim = self.bars.dim_bars(range(self.values.n_words), run_time=0.3)
        yield self.bars.unwrite(run_time=0.2), dim
        yield from self._tally("final_draws")

    @beat(CAPTION)
    def end(self) -> Steps:
        n = len(self.values.temperatures) - 1
        for k in reversed(range(n)):
            yield self._turn(k, 2.4 / n, back=True)

    def _turn(self, k: int, run_time: float, *, back: bool = False) -> tuple[Passage, ...]:
        """Let the temperature run from stop k to the next, or back, and the bars with it."""
        way = slice(None, None, -1 if back else 1)
        series = (self[f"way_{name}"][k][way] for name in ("temperatures", "probabilities"))
        parts: tuple[Picture, ...] = (self.knob, self.bars)
        return tuple(
            part.through(one, run_time=run_time) for part, one in zip(parts, series, strict=True)
        )

    def _tally(self, path: str) -> Steps:
        """Let draws fall on bars that are faint; then they go, and the bars are full again."""
        tally = Tally(self[f"{path}.shares"], self[f"{path}.places"], self.chart)
        self.add(tally)
        yield tally.fall(run_time=0.15 * self.values.n_draws)
        yield 1.2
        full = self.bars.recolor(range(self.values.n_words), "probability", run_time=0.6)
        yield FadeOut(tally, run_time=0.6), full
        self.chart.marks.remove(tally)
        yield self.bars.write(self.told, ".1%")
