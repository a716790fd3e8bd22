"""From logits to a word: softmax, the largest or a draw, and what a temperature does to them."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any

import numpy as np
from pydantic import Field, model_validator

from clockhead.model.films.attention.temperature import TemperatureWalk, temperature_walk
from clockhead.model.primer.weights import LOGITS_5, VOCABULARY
from clockhead.scenes.attention.tally import Tally
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.figures import Readout
from clockhead.scenes.parts.knob import Knob
from clockhead.scenes.parts.term_moves import become
from clockhead.scenes.parts.word_bars import SHARES, WordBars, scale_of
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    Row,
    Stage,
    StageInputs,
    Steps,
    Words,
    beat,
    fit,
)
from clockhead.scenes.stage.layout import Box
from clockhead.scenes.stage.shown import Passage, Picture
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.texts import few_words, words_said

_TOLD = 3
"""So many of the likeliest words have their numbers written."""
_SOFTMAX = [("p", "p_i"), ("equals", "="), ("shares", "exp(ell_i) / (sum_j exp(ell_j))")]
_DIVIDED = [*_SOFTMAX[:2], ("shares", "exp(ell_i \\/ tau) / (sum_j exp(ell_j \\/ tau))")]
_FORMULA = 34.0
_WIDEST = 8
"""The widest word, in usual letters."""

Word = Annotated[Words, few_words(1, 1, _WIDEST), Field(description=words_said(1, 1, _WIDEST))]
Logit = Annotated[float, Field(ge=-99, le=99)]
Heat = Annotated[float, Field(ge=0.05, le=100)]


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
    question = "Does the largest logit always win?"
    caption = "No temperature changes which {first.n_likeliest:word is|words are} likeliest."
    opens = ("chart",)
    leaves = ("chart", "bars")

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
        words = f"entropy in nats, at most {walk.first.most_entropy:.2f}"
        ink = self.theme.ink
        self.entropy = Readout(self["entropies"][0], ".2f", words=words, words_color=ink)
        look: dict[str, Any] = {"spec": ".3g", "numbered": (), "grown": False}
        given = self["logits"], self["words"], scale_of(walk.logits)
        upright, lying = (WordBars(*given, lying=lying, **look) for lying in (False, True))
        knob, entropy, formula = self.knob, self.entropy, self.divided
        ways: tuple[tuple[WordBars, Box], ...] = (
            (upright, Row(upright, Column(formula, knob, entropy, gap=0.2), weights=(1, 0))),
            (lying, Column(lying, formula, Row(knob, entropy), weights=(1, 0, 0))),
            (upright, Column(upright, Row(formula, knob, entropy, gap=0.2), weights=(1, 0))),
        )
        self.picture = ways[fit(self.canvas, *(way for _, way in ways))][0]
        self.chart, self.bars = self.picture.chart, self.picture.bars
        self.told = walk.first.order[: _TOLD if self.picture.has_room else 1].tolist()
        region = self.divided.region
        assert region is not None
        self.formula.place(region)

    @beat("Suppose that a trained model gives these logits.")
    def suppose(self) -> Steps:
        yield self.bars.grow(lag=0.15, run_time=0.6 * self.reading)
        yield self.bars.write(self.told, ".3g")

    @beat("Softmax makes shares of them: the largest is {first.greedy_share:.1%}.")
    def shares(self) -> Steps:
        yield self.bars.unwrite(run_time=0.3), FadeIn(self.formula)
        run_time = 0.5 * self.reading
        yield (
            self.bars.to(self["probabilities"][0], run_time=run_time),
            self.picture.rescale(SHARES, run_time=run_time),
        )
        yield self.bars.write(self.told, ".1%")

    @beat(
        "Greedy decoding always takes “{first.greedy_word}”. Sampling, by share, takes it in "
        "{first_draws.n_greedy} of {n_draws} draws."
    )
    def draw(self) -> Steps:
        walk, greedy = self.values, self.values.first.greedy
        yield self.bars.dim_bars([k for k in range(walk.n_words) if k != greedy])
        yield self.bars.unwrite(run_time=0.2), self.bars.dim_bars(greedy)
        yield from self._tally("first_draws", 0.3 * self.reading)

    @beat("Divide logits by a temperature $tau$: heat makes differences small, cold large.")
    def turn(self) -> Steps:
        yield FadeIn(self.knob), become(self.formula, self.divided, run_time=0.8)
        yield self._turn(0, 0.6 * self.reading)[:2]

    @beat(
        "Entropy measures the doubt in nats: 0 if one word has it all, "
        "{first.most_entropy:.2f} if all are alike."
    )
    def doubt(self) -> Steps:
        self.entropy.set_to(self["entropies"][1])
        yield FadeIn(self.entropy, run_time=0.6)
        n = len(self.values.temperatures) - 1
        for k in range(1, n):
            yield self._turn(k, 0.7 * self.reading / (n - 1))

    @beat(
        "At temperature {final.temperature:g}, {final_draws.n_greedy} of {n_draws} draws "
        "{final_draws.n_greedy:gives|give} “{first.greedy_word}”."
    )
    def draw_again(self) -> Steps:
        dim = self.bars.dim_bars(range(self.values.n_words), run_time=0.3)
        yield self.bars.unwrite(run_time=0.2), dim
        yield from self._tally("final_draws", 1.2)

    @beat(CAPTION)
    def end(self) -> Steps:
        n = len(self.values.temperatures) - 1
        for k in reversed(range(n)):
            yield self._turn(k, 2.0 / n, back=True)

    def _turn(self, k: int, run_time: float, *, back: bool = False) -> tuple[Passage, ...]:
        """Let the temperature run from stop k to the next, or back, and all that depends on it."""
        way = slice(None, None, -1 if back else 1)
        series = (
            self[f"way_{name}"][k][way] for name in ("temperatures", "probabilities", "entropies")
        )
        parts: tuple[Picture, ...] = (self.knob, self.bars, self.entropy)
        return tuple(
            part.through(one, run_time=run_time) for part, one in zip(parts, series, strict=True)
        )

    def _tally(self, path: str, run_time: float) -> Steps:
        """Let draws fall on bars that are faint; then they go, and the bars are full again."""
        tally = Tally(self[f"{path}.shares"], self[f"{path}.places"], self.chart)
        self.add(tally)
        yield tally.fall(run_time=run_time)
        yield 0.8
        full = self.bars.recolor(range(self.values.n_words), "token", run_time=0.6)
        yield FadeOut(tally, run_time=0.6), full
        self.chart.marks.remove(tally)
        yield self.bars.write(self.told, ".1%")
