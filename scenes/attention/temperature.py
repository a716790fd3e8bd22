"""Logits become probabilities, next words are drawn, and the temperature changes."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any

import numpy as np
from pydantic import Field, model_validator

from clockhead.model.films.attention.temperature import HeatedTopic, heated_topic
from clockhead.scenes.attention.tally import Tally
from clockhead.scenes.attention.topic import TopicInputs, TopicStage
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.equation import Equation, become
from clockhead.scenes.parts.glance import Glance
from clockhead.scenes.parts.knob import Knob
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import paint
from clockhead.scenes.parts.strip_typing import answer
from clockhead.scenes.parts.word_bars import scale_of
from clockhead.scenes.stage import (
    CAPTION,
    REST,
    Column,
    Derived,
    Handle,
    Row,
    Steps,
    beat,
    fit,
    said,
)
from clockhead.scenes.stage.shown import Passage, Picture
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut

_SOFTMAX = [("p", "p_i"), ("equals", "="), ("shares", "exp(ell_i) / (sum_j exp(ell_j))")]
_DIVIDED = [*_SOFTMAX[:2], ("shares", "exp(ell_i \\/ tau) / (sum_j exp(ell_j \\/ tau))")]
_FORMULA, _SIZE = 48.0, 34.0
"""Sizes of the formula, and of words and numbers on the chart, in pixels at 720p."""
_LETTERS, _LARGE = 60.0, 72.0
"""Sizes of the letters on tiles, and on those of the last picture, in pixels at 720p."""
_TICKS = 0.45
"""Height of the numbers at the axis, in units."""
_SHARES = Scale(0.0, 1.0, (0.0, 1.0), ".0%")

Heat = Annotated[float, Field(ge=0.05, le=100)]


def _first_turn_sentence(heated: HeatedTopic) -> str:
    """A sentence about the first change of the temperature."""
    hotter = heated.walk.temperatures[1] > heated.walk.temperatures[0]
    return said(
        "A high temperature evens the probabilities out."
        if hotter
        else "A low temperature makes the likeliest word still likelier."
    )


def _later_turns_sentence(heated: HeatedTopic) -> str:
    """A sentence about the later changes: all colder, all hotter, or both."""
    stops = np.array(heated.walk.temperatures[1:])
    if (np.diff(stops) < 0).all():
        return said("Cold does the opposite: the likeliest word becomes still likelier.")
    if (np.diff(stops) > 0).all():
        return said("The hotter, the more even they become.")
    return said("Hot evens them out, cold makes the likeliest word still likelier.")


class Temperature(TopicStage):
    """Logits become probabilities; the temperature makes them more or less even."""

    class Inputs(TopicInputs):
        """A text, the temperatures of its next word, and the number of draws."""

        temperatures: Annotated[tuple[Heat, ...], Field(min_length=1, max_length=3)] = Field(
            (3.0, 0.3), description="the temperatures after 1, one after another"
        )
        n_draws: int = Field(20, ge=5, le=40, description="number of draws at each temperature")
        draw_seed: int = Field(5, ge=0, le=2**32 - 1, description="seed of the draws")

        @model_validator(mode="after")
        def _check_temperatures(self) -> Temperature.Inputs:
            if any(a == b for a, b in pairwise((1.0, *self.temperatures))):
                raise ValueError(
                    "temperatures must each differ from the one before; the first is 1"
                )
            return self

    title = "Drawing a word, hot or cold"
    caption = "So the same “{noun}” goes on in two ways. All it has to do is to look back."
    opens = ("tiles",)
    derived = TopicStage.derived | {
        "way": Derived(
            "a sentence about the first change of the temperature", _first_turn_sentence
        ),
        "further": Derived("a sentence about the later changes", _later_turns_sentence),
    }

    handles = (
        Handle(
            "temperatures", ((0.1,), (0.5,), (1.5,), (2.0,), (5.0,), (10.0,)), beat="drawn again"
        ),
    )

    values: HeatedTopic

    @classmethod
    def compute(cls, inputs: Any) -> HeatedTopic:
        return heated_topic(**inputs.model_dump())

    def layout(self) -> None:
        walk, words = self.values.walk, self["next_words"]
        tiles: dict[str, Any] = {"wonder": True, "hidden": 0, "lines": 1}
        self.tiles = Strip(self["widest"], size=_LETTERS, **tiles)
        self.formula, self.divided = (
            Equation(terms, size=_FORMULA) for terms in (_SOFTMAX, _DIVIDED)
        )
        tens = np.log10([min(walk.temperatures), max(walk.temperatures)])
        low, high = 10.0 ** np.floor(tens[0]), 10.0 ** np.ceil(tens[1])
        self.knob = Knob(self["walk.temperatures"][0], low, high, spec=".3g", prefix="τ = ")
        self.chart = Chart(scale_of(walk.logits), slots(words, down=True), size=_SIZE)
        look: dict[str, Any] = {"spec": ".2f", "size": _SIZE, "grown": False}
        self.bars = Bars(self["walk.logits"], self.chart, "probability", **look)
        knob, formula = self.knob, self.divided
        wide = Row(self.chart, Column(formula, knob, gap=0.5), gap=0.5, weights=(3, 2))
        tall = Column(self.chart, Row(knob, formula, weights=(1, 2)), weights=(3, 1))
        ways = [Column(self.tiles, way, weights=(1, 4)) for way in (wide, tall)]
        canvas = self.canvas.cut_bottom(_TICKS, gap=0.0)[1]
        fit(canvas, *(ways if canvas.wide else ways[::-1]))
        self.tiles.set_to(self["first.tokens"])
        self.tiles.look([2], "query")
        self.both = [Strip(self["widest"], size=_LARGE, **tiles) for _ in "ab"]
        fit(self.canvas, Column(*self.both))
        for strip, path in zip(self.both, ("first", "other"), strict=True):
            strip.set_to(self[f"{path}.tokens"])
            strip.look([2], "query")
        assert self.divided.region is not None
        self.formula.place(self.divided.region)

    @beat(
        "Back to our mouse. Its dot product with the vector of each next word is called a logit.",
        focus="chart",
    )
    def logits(self) -> Steps:
        yield FadeIn(self.chart, run_time=0.6)
        self.add(self.bars)
        yield self.bars.grow(lag=0.6, run_time=0.6 * self.reading)

    @beat(
        "Softmax turns logits into probabilities: {walk.first.greedy_share:.0%} for “{guess}”.",
        focus="chart",
    )
    def shares(self) -> Steps:
        yield self.bars.unwrite(run_time=0.3), FadeIn(self.formula)
        time = 0.4 * self.reading
        shares = self.bars.to(self["walk.probabilities"][0], run_time=time)
        yield shares, self.chart.rescale(x=_SHARES, run_time=time)
        yield self._write()

    @beat(
        "Each ball is one draw.",
        ask="The next word is drawn. How often will “{guess}” come in {walk.n_draws} draws?",
        focus="chart",
    )
    def draw(self) -> Steps:
        yield from self._tally("first")

    @beat(
        "“{guess}” comes {walk.first_draws.n_greedy} times: other words have their chance, too.",
        focus="chart",
    )
    def drawn(self) -> Steps:
        yield from self._clear()

    @beat("Now divide the logits by a temperature $tau$ first. {way}", focus="chart")
    def turn(self) -> Steps:
        yield self.bars.unwrite(run_time=0.2)
        yield FadeIn(self.knob), become(self.formula, self.divided, run_time=0.8)
        yield self._turn(0, 0.4 * self.reading)
        yield self._write()
        yield from self._tally("second")

    @beat("Now “{guess}” comes {walk.second_draws.n_greedy} times.", focus="chart")
    def drawn_again(self) -> Steps:
        yield from self._clear()

    @beat("{further}", when=lambda heated: len(heated.walk.temperatures) > 2, focus="chart")
    def turn_on(self) -> Steps:
        yield self.bars.unwrite(run_time=0.2)
        for k in range(1, len(self.values.walk.temperatures) - 1):
            yield self._turn(k, 2.2)
        yield self._write()
        yield from self._tally("final")

    @beat(
        "{walk.final_draws.n_greedy} of {walk.n_draws} draws give “{guess}”. But which word is "
        "likeliest, no temperature changes.",
        focus="chart",
    )
    def back(self) -> Steps:
        n = len(self.values.walk.temperatures) - 1
        if n > 1:
            yield from self._clear()
        for k in reversed(range(n)):
            yield self._turn(k, 3.0 / n, back=True)

    @beat(CAPTION, rest=REST)
    def end(self) -> Steps:
        yield self.screen(*self.both)
        eyes = [Glance(strip, 2) for strip in self.both]
        yield [eye.open(run_time=0.3) for eye in eyes]
        yield (
            *(eye.sweep([1], run_time=0.8) for eye in eyes),
            *(paint(strip, 1, "attention", run_time=0.8) for strip in self.both),
        )
        yield [eye.close(run_time=0.3) for eye in eyes]
        self.remove(*eyes)
        for strip, path in zip(self.both, ("first", "other"), strict=True):
            yield answer(strip, self[f"{path}.next.greedy_word"], run_time=0.8)

    def _turn(self, k: int, run_time: float, *, back: bool = False) -> tuple[Passage, ...]:
        """Animate temperature and bars from stop k to the next, or back."""
        way = slice(None, None, -1 if back else 1)
        series = (self[f"walk.way_{name}"][k][way] for name in ("temperatures", "probabilities"))
        parts: tuple[Picture, ...] = (self.knob, self.bars)
        return tuple(
            part.through(one, run_time=run_time) for part, one in zip(parts, series, strict=True)
        )

    def _write(self) -> Drive:
        return self.bars.write(self._all, ".0%", run_time=0.3)

    def _tally(self, which: str) -> Steps:
        """Dim the bars, and drop the draws on them."""
        path = f"walk.{which}_draws"
        yield self.bars.unwrite(run_time=0.2), self.bars.dim_bars(self._all, run_time=0.3)
        self.tally = Tally(self[f"{path}.shares"], self[f"{path}.places"], self.chart)
        self.add(self.tally)
        yield self.tally.fall(run_time=0.13 * self.values.walk.n_draws)

    def _clear(self) -> Steps:
        """Wait, fade out the draws, and brighten the bars."""
        yield 1.2
        full = self.bars.recolor(self._all, "probability", run_time=0.6)
        yield FadeOut(self.tally, run_time=0.6), full
        self.chart.marks.remove(self.tally)
        yield self._write()

    @property
    def _all(self) -> range:
        return range(len(self.bars.places))
