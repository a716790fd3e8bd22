"""From rank 2 on a match works, and low rank costs sharpness."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from manim import FadeIn, FadeOut, VGroup
from numpy.typing import NDArray
from pydantic import Field

from model.match_codes import (
    Sharpening,
    beta_needed,
    circle_codes,
    match_gaps,
    one_hot_codes,
    sharpening,
)
from model.match_quality import RankCurve, random_questions, rank_curve
from model.prompts import BOS
from model.tokens import LETTERS
from scenes.facts import Fact, fill
from scenes.parts.charts.match_price import Prices, RankChart
from scenes.parts.clocks.token_dial import TokenDial
from scenes.spelling import spelled
from scenes.stage import Finding, Slide, StageInputs
from scenes.style.layout import Region
from scenes.style.motion import Drive, along, follow

RANKS = (1, 2, 3, 4, 6, 8, 12, 16, 24)
N_DRAWS = 6
MASS = 0.99
"""What a token is to give itself on the dial."""
FAR = 3
"""So many times as sharp counts as far sharper."""


@dataclass(frozen=True, eq=False)
class Ranks:
    """What random codes achieve as their rank grows, and what codes on a circle cost.

    `one_hot` is the beta that one-hot codes need; `small` and `large` are dials of few and of many
    tokens, each from an unsharp beta to the one at which every token gives itself `MASS`.
    """

    n_texts: int
    beta: float
    curve: RankCurve
    one_hot: float
    gap: float
    small: Sharpening
    large: Sharpening


class Rank(Slide):
    """From rank 2 on a match works, and low rank costs sharpness."""

    class Inputs(StageInputs):
        n_vocab: int = Field(27, ge=12, le=27, description="tokens there are, BOS among them")
        n_large: int = Field(100, ge=28, le=400, description="tokens on the larger dial")
        n_tokens: int = Field(33, ge=8, le=64, description="length of the texts, BOS among them")
        n_texts: int = Field(300, ge=100, le=400, description="how many random texts are tried")
        curve_beta: float = Field(
            10.0, ge=2, le=30, description="scale of the scores of the random codes' match"
        )
        seed: int = Field(0, ge=0, le=9999, description="which random texts and codes")

    title = "How many numbers does a match need?"
    question = "Describe every token by r numbers, and the match has rank r. How small can r be?"
    caption = (
        "Two numbers are enough for every token to find itself; the price is a far sharper softmax."
    )
    notes = (
        "Give every token r random numbers: how many texts are predicted right?",
        "Rank 2 predicts {accuracy_2:.0%} right, with only {mass_2:.0%} of the attention "
        "on the answer.",
        "Or make tokens clock hands, two numbers each: a score is β times a cosine.",
        "Every token finds itself; {own_mass:.0%} on itself takes β = {beta_small:.0f}, "
        "but {beta_one_hot:.1f} with {n_vocab} numbers.",
        "{n_large} tokens stand closer together: β = {beta_large:,.0f}.",
    )

    inputs: Inputs
    values: Ranks

    @classmethod
    def compute(cls, inputs: Inputs) -> Ranks:
        size = inputs.n_vocab
        questions = random_questions(inputs.n_texts, inputs.n_tokens, size, inputs.seed)
        ranks = [rank for rank in RANKS if rank < size]
        small, large = circle_codes(size), circle_codes(inputs.n_large)
        beta_small, beta_large = beta_needed(small, MASS), beta_needed(large, MASS)
        return Ranks(
            n_texts=inputs.n_texts,
            beta=inputs.curve_beta,
            curve=rank_curve(questions, ranks, inputs.curve_beta, N_DRAWS, inputs.seed),
            one_hot=beta_needed(one_hot_codes(size), MASS),
            gap=float(match_gaps(small).min()),
            small=sharpening(small, inputs.curve_beta, beta_small),
            large=sharpening(large, beta_small, beta_large),
        )

    @classmethod
    def facts(cls, values: Ranks) -> dict[str, Fact]:
        curve = values.curve
        return {
            "n_texts": values.n_texts,
            "n_draws": N_DRAWS,
            "n_vocab": values.small.patterns.shape[1],
            "n_large": values.large.patterns.shape[1],
            "beta": values.beta,
            "accuracy_1": float(curve.accuracy[0]),
            "accuracy_2": float(curve.accuracy[1]),
            "mass_1": float(curve.mass[0]),
            "mass_2": float(curve.mass[1]),
            "largest_rank": int(curve.ranks[-1]),
            "accuracy_last": float(curve.accuracy[-1]),
            "mass_last": float(curve.mass[-1]),
            "gap": values.gap,
            "own_mass": MASS,
            "dial_rank": 2,
            "beta_small": float(values.small.betas[-1]),
            "beta_large": float(values.large.betas[-1]),
            "beta_one_hot": values.one_hot,
        }

    @classmethod
    def checks(cls, values: Ranks) -> list[Finding]:
        curve = values.curve
        return [
            Finding(
                "rank 2 predicts more texts right than rank 1",
                bool(curve.accuracy[1] > curve.accuracy[0]),
                f"{curve.accuracy[0]:.1%} and {curve.accuracy[1]:.1%}",
            ),
            Finding(
                "the right token's share of attention grows with the rank",
                bool(curve.mass[0] < curve.mass[1] < curve.mass[-1]),
                f"{np.round(curve.mass, 3).tolist()}",
            ),
            Finding(
                "rank 2 predicts far more texts right than it has of the attention",
                bool(curve.accuracy[1] > curve.mass[1] + 0.1),
                f"{curve.accuracy[1]:.1%} and {curve.mass[1]:.1%}",
            ),
            Finding("on the dial every token finds itself", values.gap > 0, f"{values.gap:.3g}"),
            Finding(
                "two numbers need a far sharper softmax than one for each token",
                FAR * values.one_hot < values.small.betas[-1] < values.large.betas[-1],
                f"{values.one_hot:.4g}, {values.small.betas[-1]:.4g}, {values.large.betas[-1]:.4g}",
            ),
        ]

    @classmethod
    def arrays(cls, values: Ranks) -> dict[str, NDArray[Any]]:
        return {
            "ranks": values.curve.ranks,
            "accuracy": values.curve.accuracy,
            "mass": values.curve.mass,
            "betas_small": values.small.betas,
            "patterns_small": values.small.patterns,
            "betas_large": values.large.betas,
            "patterns_large": values.large.patterns,
        }

    def construct(self) -> None:
        self._rank_one()
        self._more_rank()
        self._dial()
        self._sharpen()
        self._more_tokens()

    def _rank_one(self) -> None:
        """The question: how often, against the rank; and what rank 1 gives."""
        self.beat("rank 1")
        known = fill(
            "{n_texts} texts, mean of {n_draws} random codes, sharpness β = {beta}",
            self.facts(self.values),
        )
        self.chart = RankChart(self.values.curve, known, self.canvas)
        self.play(self.say(0), FadeIn(self.chart.plot), run_time=0.7)
        self.play(FadeIn(self.chart.curves), run_time=0.5)
        self.let_read(least=0.4)

    def _more_rank(self) -> None:
        """Accuracy leaps and is soon perfect; the mass says how far the match is from it."""
        self.beat("more rank")
        chart, last = self.chart, len(self.values.curve.ranks) - 1
        self.play(self.say(1), chart.grow(0, 1, run_time=1.2))
        self.wait(1.6)
        self.play(chart.grow(1, last, run_time=1.8))
        self.let_read(least=0.6)

    def _dial(self) -> None:
        """Two numbers are a hand on a clock: a code of rank 2 by hand."""
        self.beat("a dial")
        place, side = self.canvas.beside(1.0, 1.0, gap=0.6)
        if not self.canvas.wide:
            side, place = self.canvas.cut_bottom(3.9)
        self.place = place
        n_vocab = self.values.small.patterns.shape[1]
        names = [*LETTERS.tokens[: n_vocab - 1], spelled(BOS)]
        self.dial = TokenDial(n_vocab, place, names=names)
        self.play(self.say(2), FadeOut(self.chart), run_time=0.5)
        dial = self.dial
        self.play(FadeIn(dial.names, dial.dial, dial.hands), run_time=0.7)
        self.prices = self._prices(side)
        self.play(FadeIn(dial.asking, self.prices.formula), run_time=0.5)
        self.let_read()

    def _prices(self, side: Region) -> Prices:
        """What one-hot codes cost, a dial of few tokens, and one of many."""
        small, large = self.values.small, self.values.large
        sizes = small.patterns.shape[1], large.patterns.shape[1]
        rows = [
            (sizes[0], sizes[0], self.values.one_hot),
            (2, sizes[0], float(small.betas[-1])),
            (2, sizes[1], float(large.betas[-1])),
        ]
        start = {"beta": float(small.betas[0]), "own": float(small.own[0])}
        return Prices(side, rows, MASS, **start)

    def _sharpen(self) -> None:
        """Beta grows until a token has nearly all of its own attention."""
        self.beat("sharpen")
        dial, prices, small = self.dial, self.prices, self.values.small
        dial.show(small.patterns[0])
        self.play(self.say(3), FadeIn(dial.rays, prices.reading), run_time=0.6)
        self.play(FadeIn(prices.heading, prices.rows[0]), run_time=0.4)
        self.play(self._run(small, run_time=2.2))
        self.play(prices.keep(1))
        self.let_read(least=0.6)

    def _more_tokens(self) -> None:
        """More tokens on the same dial stand closer together."""
        self.beat("more tokens")
        large = self.values.large
        before = self.dial
        self.dial = TokenDial(large.patterns.shape[1], self.place, fitted_to=before)
        self.dial.show(large.patterns[0])
        parts = (self.dial.hands, self.dial.rays, self.dial.asking)
        gone = (before.hands, before.names, before.rays, before.asking)
        self.play(
            self.say(4), FadeOut(*gone), FadeIn(*parts), self.prices.fall(large), run_time=0.8
        )
        self.play(self._run(large, run_time=2.0))
        self.play(self.prices.keep(2))
        self.let_read()

    def _run(self, sharpening: Sharpening, run_time: float) -> Drive:
        """Let beta run, and the rays with it."""
        dial, prices = self.dial, self.prices

        def show(place: float) -> None:
            dial.show(along(sharpening.patterns, place))
            prices.show(sharpening, place)

        last = len(sharpening.betas) - 1
        return follow(VGroup(dial.rays, prices.reading), show, 0, last, run_time=run_time)
